import FoundationEssentials  // JSON only; swift-configuration links it anyway.
import HTTPClient
import Reactor

/// Sends notices by Apple's push service, over a few connections of HTTP/2 with many requests on each.
@ReactorActor
final class APNsSender: PushSender {
    private let provider: Provider
    private let address: String
    private let token: APNsToken

    init(
        _ name: String, _ address: String, _ key: APNsKey, _ options: PushOptions,
        _ report: @escaping @ReactorActor @Sendable (PushProblem) -> Void
    ) {
        let client = HTTPClient(
            .init(
                requestsMax: options.requestsMax, connectionsMax: 4, silence: options.timeout * 2,
                timeout: options.timeout, mayReachInside: true, authorities: options.authorities, multiplexes: true))
        self.address = address
        let host = String(address.drop { $0 != "/" }.dropFirst(2))
        provider = Provider(name, host: host, client, options, requestsMax: options.requestsMax, report)
        token = APNsToken(key)
    }

    func send(_ notice: PushNotice) async -> PushResult {
        let checked: CheckedNotice
        let body: [UInt8]
        do throws(Unsendable) {
            checked = try CheckedNotice(notice)
            guard notice.token.utf8.count <= 400, notice.token.utf8.count % 2 == 0,
                notice.token.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
            else { throw Unsendable(code: .invalid, text: "its token must be hexadecimal, as the app got it") }
            guard notice.app.utf8.count <= 255, PushAddresses.isPathPiece(notice.app) else {
                throw Unsendable(code: .invalid, text: "its app must be a bundle id")
            }
            body = try checked.apnsPayload()
        } catch {
            return .refused(code: error.code.rawValue, text: error.text)
        }
        let now = provider.now
        let headers = [
            ("content-type", "application/json"), ("apns-id", checked.id), ("apns-topic", notice.app),
        ]
        return await provider.send(as: token) { used in
            HTTPRequest(
                "POST", "\(address)/3/device/\(notice.token)",
                headers: [("authorization", "bearer \(used)")] + headers + checked.apnsHeaders(at: now),
                body: .bytes(body), replyBytesMax: 16 * 1024)
        } judge: { reply in
            APNsAnswer.verdict(of: reply, at: provider.now)
        }
    }
}

/// The signed token by which Apple knows us. It is for an hour, and Apple wants no new one within 20 minutes. Replicas
/// have the same time in it, since Apple minds many times more than many tokens.
struct APNsClaim: Equatable {
    /// A token is used for so long.
    static let lifetime: Int64 = 45 * 60_000_000
    static let step: Int64 = 20 * 60_000_000

    /// When it was issued, by Apple's clock.
    let issuedAt: Int64
    /// When it was made, by a clock that never goes back.
    let madeAt: Int64

    init(at now: Int64, steady: Int64) {
        issuedAt = now / Self.step * Self.step
        madeAt = steady
    }

    func isUsable(at now: Int64) -> Bool { (0..<Self.lifetime).contains(now - issuedAt) }
    func mayBeReplaced(steady: Int64) -> Bool { steady - madeAt >= Self.step }
}

@ReactorActor
private final class APNsToken: Credentials {
    private let key: APNsKey
    private var claim: APNsClaim?
    private var text = ""

    init(_ key: APNsKey) { self.key = key }

    func current(for provider: Provider) -> String {
        if claim?.isUsable(at: provider.now) != true { make(at: provider.now, steady: provider.steady) }
        return text
    }

    func renew(_ refused: String, after reply: HTTPReply, for provider: Provider) -> Bool {
        let isCorrected = provider.correctClock(by: reply)
        guard refused == text else { return true }
        guard isCorrected || claim?.mayBeReplaced(steady: provider.steady) != false else { return false }
        make(at: provider.now, steady: provider.steady)
        return true
    }

    private func make(at now: Int64, steady: Int64) {
        let claim = APNsClaim(at: now, steady: steady)
        self.claim = claim
        text = WebToken.make(
            .object([("iss", .text(key.teamID)), ("iat", .number(claim.issuedAt / 1_000_000))]),
            header: [("kid", .text(key.keyID))], key: key.key)
    }
}

/// What Apple's answers mean.
enum APNsAnswer {
    private struct Content: Decodable { var reason: String }

    static func verdict(of reply: HTTPReply, at now: Int64) -> Verdict {
        let pause = reply.retryAfter(at: now)
        if reply.status == 200, !reply.isHTML { return .accepted(reply.headers["apns-id"]) }
        let content = try? JSONDecoder().decode(Content.self, from: Data(reply.body))
        let reason = String((content?.reason ?? "").prefix(64))
        switch (reply.status, reason) {
        case (410, _): return .gone
        case (413, _): return .refused(.tooLarge, "Apple finds the notice too long")
        case (429, "TooManyProviderTokenUpdates"):
            return .failing(.busy, "Apple saw too many signatures: does another server use this key?", pause: pause)
        case (429, _): return .deviceBusy(pause: pause)
        case (500..., _): return .failing(.busy, "Apple answers \(reply.status) \(reason)", pause: pause)
        case (403, "ExpiredProviderToken"):
            return .renew(or: .blocked(.wrongClock, "Apple finds the signature too old: set this machine's clock"))
        case (403, "InvalidProviderToken"), (403, "MissingProviderToken"):
            return .renew(
                or: .blocked(
                    .wrongKey, "Apple does not accept the key (\(reason)): check key file, key id, team id and clock"))
        case (403, _) where content != nil:
            return .blocked(.wrongKey, "Apple does not accept the key (\(reason)): make one for both environments")
        case (400, "BadDeviceToken"):
            return .refused(
                .wrongToken, "Apple does not know the token here: it is of the other environment, or made up")
        case (400, "DeviceTokenNotForTopic"), (400, "BadTopic"), (400, "MissingTopic"), (400, "TopicDisallowed"):
            return .refused(.wrongApp, "Apple refuses the app's bundle id (\(reason)): check it, and the key's team")
        case (400, "IdleTimeout"): return .failing(.busy, "Apple closed an idle connection", pause: pause)
        case (400..<500, _) where content != nil: return .refused(.invalid, "Apple refuses the notice (\(reason))")
        default: return .failing(.strange, "what answers is not Apple's service (HTTP \(reply.status))", pause: pause)
        }
    }
}
