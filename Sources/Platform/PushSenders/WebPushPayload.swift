extension CheckedNotice {
    /// The body of a request to a browser's service: JSON that only the browser can read. It has the declarative form,
    /// which Safari shows by itself, and others hand to the page's worker. A silent one has no form that is shown.
    func webPayload() throws(Unsendable) -> [UInt8] {
        guard let key = notice.contentKey, let secret = notice.authSecret else {
            throw Unsendable(code: .invalid, text: "a browser's subscription needs its keys p256dh and auth")
        }
        let bytesMax = Self.payloadBytesMax
        let text = try fitted(bytesMax - ContentSealing.overhead) { body in
            notice.silent ? silentJSON : shownJSON(body)
        }
        return try seal(text, to: key, secret, bytesMax)
    }

    private var badge: JSONValue? { .number(notice.badge.map { max(0, $0) }) }

    private var silentJSON: [UInt8] { JSONValue.object([("data", .object(about)), ("app_badge", badge)]).bytes }

    private func shownJSON(_ body: String) -> [UInt8] {
        let isEmpty = title.isEmpty && payload.body.isEmpty
        return JSONValue.object([
            ("web_push", .number(8030)),
            (
                "notification",
                .object([
                    ("title", .text(title.isEmpty ? fallback : title)), ("body", isEmpty ? nil : .text(body)),
                    ("navigate", .text(payload.link.isEmpty ? "/" : payload.link)),
                    ("tag", .text(notice.collapse?.cut(to: 64))),
                    ("silent", payload.sound == nil ? .flag(true) : nil), ("data", .object(about)),
                ])
            ),
            ("app_badge", badge), ("mutable", .flag(true)),
        ]).bytes
    }

    /// The headers of RFC 8030 and RFC 8188.
    func webHeaders(at now: Int64) -> [(name: String, value: String)] {
        var headers = [
            (name: "Content-Type", value: "application/octet-stream"), (name: "Content-Encoding", value: "aes128gcm"),
            (name: "TTL", value: String(secondsLeft(at: now))), (name: "Urgency", value: urgency),
        ]
        if let topic = collapseKey(charactersMax: 32, isHidden: true) {
            headers.append((name: "Topic", value: topic))
        }
        return headers
    }
}
