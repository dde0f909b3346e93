extension CheckedNotice {
    /// The body of a request to Apple: `aps` for the system, `parley` for the app.
    func apnsPayload() throws(Unsendable) -> [UInt8] {
        guard payload.encrypted else {
            return try fitted(Self.payloadBytesMax) { body in Self.json(aps(title: title, body: body), about) }
        }
        let alert = aps(title: "", body: fallback)
        let rest = Self.json(alert, [("id", .text(id)), ("sealed", .text(""))]).count
        guard let sealed = try sealed(charactersMax: Self.payloadBytesMax - rest) else {
            return Self.json(alert, [("id", .text(id))])
        }
        return Self.json(alert, [("id", .text(id)), ("sealed", .text(sealed))])
    }

    private static func json(_ aps: JSONValue, _ data: [(String, JSONValue?)]) -> [UInt8] {
        JSONValue.object([("aps", aps), ("parley", .object(data))]).bytes
    }

    /// - Parameters:
    ///   - title, body: what is shown; the fallback if both are empty.
    func aps(title: String, body: String) -> JSONValue {
        let badge = JSONValue.number(notice.badge.map { max(0, $0) })
        guard !notice.silent else { return .object([("badge", badge), ("content-available", .number(1))]) }
        let isEmpty = title.isEmpty && payload.body.isEmpty
        let alert = JSONValue.object([
            ("title", title.isEmpty ? nil : .text(title)), ("body", .text(isEmpty ? fallback : body)),
        ])
        return .object([
            ("alert", alert), ("badge", badge), ("sound", .text(payload.sound)),
            // The conversation is not for Apple to know if the rest is not.
            ("thread-id", payload.encrypted ? nil : .text(notice.thread)), ("mutable-content", .number(1)),
        ])
    }

    /// The headers of Apple's that say how to deliver it, with the time of expiry in seconds since 1970.
    func apnsHeaders(at now: Int64) -> [(name: String, value: String)] {
        let expires = min(notice.expires / 1_000_000, now / 1_000_000 + Self.secondsMax)
        // One that changes the badge is an alert that shows nothing; "background" may change nothing that people see.
        let isBackground = notice.silent && notice.badge == nil
        var headers = [
            ("apns-push-type", isBackground ? "background" : "alert"),
            ("apns-priority", notice.urgent && !notice.silent ? "10" : "5"),
            ("apns-expiration", secondsLeft(at: now) == 0 ? "0" : String(expires)),
        ]
        if let key = collapseKey(charactersMax: 64, isHidden: payload.encrypted) {
            headers.append(("apns-collapse-id", key))
        }
        return headers.map { (name: $0.0, value: $0.1) }
    }
}
