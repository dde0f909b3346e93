extension CheckedNotice {
    /// The body of a request to Google, of which its service makes what Android, Apple's devices and browsers get.
    ///
    /// What is not encrypted is shown by the system. On Android, encrypted content comes as data alone, which the app
    /// decrypts and shows; on Apple's devices an extension does.
    func fcmPayload(at now: Int64) throws(Unsendable) -> [UInt8] {
        let target = notice.transport == .fcmInstallation ? "fid" : "token"
        let bytesMax = Self.payloadBytesMax + notice.token.utf8.count
        guard payload.encrypted else {
            return try fitted(bytesMax) { body in message(target, now, data: about, body: body) }
        }
        let rest = message(target, now, data: [("id", .text(id)), ("sealed", .text(""))], body: "").count
        let sealed = try sealed(charactersMax: bytesMax - rest)
        return message(target, now, data: [("id", .text(id)), ("sealed", .text(sealed))], body: "")
    }

    private func message(_ target: String, _ now: Int64, data: [(String, JSONValue?)], body: String) -> [UInt8] {
        let isShown = !notice.silent && !payload.encrypted
        let isEmpty = title.isEmpty && payload.body.isEmpty
        let shown = JSONValue.object([
            ("title", title.isEmpty ? nil : .text(title)), ("body", .text(isEmpty ? fallback : body)),
        ])
        return JSONValue.object([
            (
                "message",
                .object([
                    (target, .text(notice.token)), ("notification", isShown ? shown : nil),
                    ("data", .object(data.map { ($0.0, Self.asText($0.1)) })), ("android", android(now)),
                    ("apns", apple(now)), ("webpush", browser(now)),
                ])
            )
        ]).bytes
    }

    /// The values of `data` are strings.
    private static func asText(_ value: JSONValue?) -> JSONValue? {
        if case .number(let number)? = value { return .text(String(number)) }
        return value
    }

    private func android(_ now: Int64) -> JSONValue {
        let key = collapseKey(charactersMax: 64, isHidden: payload.encrypted)
        let shown = JSONValue.object([
            ("tag", .text(key)), ("sound", .text(payload.sound)),
            ("notification_count", .number(notice.badge.map { min(max(0, $0), 9999) })),
        ])
        return .object([
            ("priority", .text(notice.urgent && !notice.silent ? "HIGH" : "NORMAL")),
            ("ttl", .text("\(secondsLeft(at: now))s")), ("collapse_key", .text(key)),
            ("notification", notice.silent || payload.encrypted ? nil : shown),
        ])
    }

    private func apple(_ now: Int64) -> JSONValue {
        // The text of what is shown to everybody comes from `notification`, that of encrypted content from here.
        var aps = aps(title: "", body: fallback)
        if !notice.silent, !payload.encrypted, case .object(let members) = aps {
            aps = .object(members.filter { $0.0 != "alert" })
        }
        return .object([
            ("headers", .object(apnsHeaders(at: now).map { ($0.name, .text($0.value)) })),
            ("payload", .object([("aps", aps)])),
        ])
    }

    private func browser(_ now: Int64) -> JSONValue {
        let topic = collapseKey(charactersMax: 32, isHidden: true)
        return .object([
            (
                "headers",
                .object([
                    ("TTL", .text(String(secondsLeft(at: now)))), ("Urgency", .text(urgency)),
                    ("Topic", .text(topic)),
                ])
            ),
            ("notification", notice.silent || payload.encrypted ? nil : .object([("tag", .text(topic))])),
        ])
    }

    /// As RFC 8030 names it.
    var urgency: String { notice.silent ? "low" : notice.urgent ? "high" : "normal" }
}
