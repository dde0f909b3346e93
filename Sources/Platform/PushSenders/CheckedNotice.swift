import Signatures

/// A notice cannot be sent as it is.
struct Unsendable: Error {
    let code: PushCode
    let text: String
}

/// A notice within the limits that every payload keeps, and the parts that all payloads have.
struct CheckedNotice {
    /// Apple and Google take 4,096 bytes; browsers' services must take as many (RFC 8030, section 7.2).
    static let payloadBytesMax = 4000
    static let tokenBytesMax = 4096
    /// Of ids, words and the name of a sound.
    static let nameBytesMax = 160
    static let linkBytesMax = 512
    /// How long a provider is to keep a notice.
    static let secondsMax: Int64 = 28 * 86_400
    /// Of a title, a name and the text in place of encrypted content, in JSON.
    static let titleBytesMax = 240

    let notice: PushNotice
    /// The notice's UUID as text.
    let id: String
    let title: String
    let fallback: String
    private let sender: String?

    var payload: PushPayload { notice.payload }

    /// - Throws: ``Unsendable``.
    init(_ notice: PushNotice) throws(Unsendable) {
        guard notice.id.count == 16 else { throw Self.invalid("its id must have 16 bytes, not \(notice.id.count)") }
        guard 1...Self.tokenBytesMax ~= notice.token.utf8.count, notice.token.utf8.allSatisfy({ 33...126 ~= $0 }) else {
            throw Self.invalid("its token must be 1 to \(Self.tokenBytesMax) letters, digits and signs of ASCII")
        }
        let payload = notice.payload
        let names = [payload.kind, payload.conversation, payload.entity, payload.sound, notice.thread]
        guard names.allSatisfy({ ($0 ?? "").utf8.count <= Self.nameBytesMax }) else {
            throw Self.invalid("its kind, ids, thread and sound may have \(Self.nameBytesMax) bytes each")
        }
        guard payload.link.utf8.count <= Self.linkBytesMax else {
            throw Self.invalid("its link may have \(Self.linkBytesMax) bytes")
        }
        let digits = notice.id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        id = groups.map { digits[$0].joined() }.joined(separator: "-")
        self.notice = notice
        title = payload.title.cut(to: Self.titleBytesMax)
        fallback = payload.fallback.isEmpty ? "New message" : payload.fallback.cut(to: Self.titleBytesMax)
        sender = payload.sender?.cut(to: Self.titleBytesMax)
    }

    private static func invalid(_ text: String) -> Unsendable { Unsendable(code: .invalid, text: text) }

    /// Whole seconds from a time until the notice expires; 0: deliver it now or never.
    func secondsLeft(at now: Int64) -> Int64 {
        notice.expires > now ? min((notice.expires - max(now, 0)) / 1_000_000, Self.secondsMax) : 0
    }

    /// What the app learns besides the text that is shown.
    var about: [(String, JSONValue?)] {
        [
            ("id", .text(id)), ("kind", .text(payload.kind)), ("conversation", .text(payload.conversation)),
            ("seq", payload.seq.map { .number($0) }), ("sender", .text(sender)), ("entity", .text(payload.entity)),
        ]
    }

    /// The key under which a newer notice replaces this one, in at most `max` characters. Encrypted ones say nothing
    /// about the conversation: it is hashed with the device's secret.
    func collapseKey(charactersMax max: Int, isHidden: Bool) -> String? {
        guard let collapse = notice.collapse else { return nil }
        let bytes = Array(collapse.utf8)
        if isHidden {
            return String(Crypto.hmacSHA256(bytes, key: notice.authSecret ?? []).base64URL.prefix(max))
        }
        let isPlain = bytes.allSatisfy { 33...126 ~= $0 }
        return isPlain && 1...max ~= bytes.count ? collapse : String(Crypto.sha256(bytes).base64URL.prefix(max))
    }

    /// Returns what `build` makes of the body, or of as much of it as leaves at most so many bytes.
    /// - Throws: ``Unsendable`` if the rest alone is too long.
    func fitted(_ bytesMax: Int, _ build: (String) -> [UInt8]) throws(Unsendable) -> [UInt8] {
        let rest = build("").count
        guard rest <= bytesMax else { throw Unsendable(code: .tooLarge, text: "its ids, title and keys are too long") }
        return build(payload.body.cut(to: bytesMax - rest))
    }

    /// What only the app can read, as text of at most so many characters; nil if the device has no key.
    func sealed(charactersMax: Int) throws(Unsendable) -> String? {
        guard let key = notice.contentKey, let secret = notice.authSecret else { return nil }
        let bytesMax = charactersMax * 3 / 4
        let text = try fitted(bytesMax - ContentSealing.overhead) { body in
            JSONValue.object(
                about + [
                    ("title", .text(title)), ("body", .text(body)), ("thread", .text(notice.thread)),
                ]
            ).bytes
        }
        return try seal(text, to: key, secret, bytesMax).base64URL
    }

    func seal(_ text: [UInt8], to key: [UInt8], _ secret: [UInt8], _ bytesMax: Int) throws(Unsendable) -> [UInt8] {
        guard let sealed = ContentSealing.seal(text, to: key, secret: secret, bytesMax: bytesMax) else {
            throw Self.invalid("the device's key must be 65 bytes of a point on P-256, and its secret 16 bytes")
        }
        return sealed
    }
}
