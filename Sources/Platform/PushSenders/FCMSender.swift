import FoundationEssentials  // JSON only; swift-configuration links it anyway.
import HTTPClient
import Reactor

/// Sends notices by Google's push service (FCM, HTTP v1).
@ReactorActor
final class FCMSender: PushSender {
    private let account: FCMAccount
    private let address: String
    private let client: HTTPClient
    private let provider: Provider
    private let token: FCMToken

    init(
        _ account: FCMAccount, _ options: PushOptions,
        _ report: @escaping @ReactorActor @Sendable (PushProblem) -> Void
    ) {
        client = HTTPClient(
            .init(
                requestsMax: options.requestsMax + 1, connectionsMax: 4, silence: options.timeout * 2,
                timeout: options.timeout, mayReachInside: true, authorities: options.authorities, multiplexes: true))
        (self.account, address) = (account, options.addresses.fcm)
        let host = String(address.drop { $0 != "/" }.dropFirst(2))
        provider = Provider("fcm", host: host, client, options, requestsMax: options.requestsMax, report)
        token = FCMToken(account, client)
    }

    func send(_ notice: PushNotice) async -> PushResult {
        let body: [UInt8]
        let project = notice.app.isEmpty ? account.project : notice.app
        do throws(Unsendable) {
            guard project.utf8.count <= 64, PushAddresses.isPathPiece(project) else {
                throw Unsendable(code: .invalid, text: "its app must be the id of a Firebase project, or empty")
            }
            body = try CheckedNotice(notice).fcmPayload(at: provider.now)
        } catch {
            return .refused(code: error.code.rawValue, text: error.text)
        }
        return await provider.send(as: token) { used in
            HTTPRequest(
                "POST", "\(address)/v1/projects/\(project)/messages:send",
                headers: [("authorization", "Bearer \(used)"), ("content-type", "application/json")],
                body: .bytes(body), replyBytesMax: 64 * 1024)
        } judge: { reply in
            FCMAnswer.verdict(of: reply, at: provider.now)
        }
    }
}

/// The token that Google gives for a signature of the account's, for an hour. All who need it wait for one request.
@ReactorActor
private final class FCMToken: Credentials {
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let lifetimeSeconds: Int64 = 3600

    private let account: FCMAccount
    private let client: HTTPClient
    private var text = ""
    /// By a clock that never goes back.
    private var until: Int64 = 0
    private var fetching: Task<Result<String, Stopped>, Never>?

    init(_ account: FCMAccount, _ client: HTTPClient) { (self.account, self.client) = (account, client) }

    func current(for provider: Provider) async throws(Stopped) -> String {
        if provider.steady < until { return text }
        let task =
            fetching
            ?? Task.onLoop { [weak self] in
                let result = await self?.fetch(provider) ?? .failure(Stopped(verdict: .deviceBusy(pause: nil)))
                self?.fetching = nil
                return result
            }
        fetching = task
        return try await task.value.get()
    }

    func renew(_ refused: String, after reply: HTTPReply, for provider: Provider) -> Bool {
        if refused == text { until = 0 }
        return true
    }

    private func fetch(_ provider: Provider) async -> Result<String, Stopped> {
        var mayCorrect = true
        while true {
            let asked = provider.steady
            do {
                let reply = try await client.send(request(at: provider.now))
                switch FCMAnswer.token(of: reply, at: provider.now) {
                case .success(let token):
                    text = token.access_token
                    // A quarter of its time is left when it is replaced.
                    until = asked + max(30, min(token.expires_in, 86_400)) * 750_000
                    return .success(text)
                case .failure(let stopped):
                    // Google says the same of a wrong clock as of a wrong key.
                    guard mayCorrect, case .blocked = stopped.verdict, provider.correctClock(by: reply) else {
                        return .failure(stopped)
                    }
                    mayCorrect = false
                }
            } catch {
                return .failure(
                    Stopped(
                        verdict: .failing(.unreachable, "\(account.tokenURL) cannot be reached: \(error)", pause: nil)))
            }
        }
    }

    private func request(at now: Int64) -> HTTPRequest {
        let seconds = now / 1_000_000
        let signed = WebToken.make(
            .object([
                ("iss", .text(account.email)), ("scope", .text(Self.scope)), ("aud", .text(account.tokenURL)),
                ("iat", .number(seconds)), ("exp", .number(seconds + Self.lifetimeSeconds)),
            ]), header: [("kid", .text(account.keyID))], key: account.key)
        let grant = String(Self.grant.flatMap { $0 == ":" ? Array("%3A") : [$0] })
        return HTTPRequest(
            "POST", account.tokenURL, headers: [("content-type", "application/x-www-form-urlencoded")],
            body: .bytes(Array("grant_type=\(grant)&assertion=\(signed)".utf8)), replyBytesMax: 64 * 1024)
    }
}

/// What Google's answers mean.
enum FCMAnswer {
    struct Token: Decodable {
        var access_token: String
        var expires_in: Int64
    }

    private struct Accepted: Decodable { var name: String }

    private struct Refused: Decodable {
        struct Content: Decodable {
            struct Detail: Decodable { var errorCode: String? }
            var status: String?
            var message: String?
            var details: [Detail]?
        }
        var error: Content
    }

    private struct TokenRefused: Decodable {
        var error: String
        var error_description: String?
    }

    static func verdict(of reply: HTTPReply, at now: Int64) -> Verdict {
        let pause = reply.retryAfter(at: now)
        if reply.status == 200, let accepted = try? JSONDecoder().decode(Accepted.self, from: Data(reply.body)) {
            return .accepted(String(accepted.name.prefix(512)))
        }
        let content = (try? JSONDecoder().decode(Refused.self, from: Data(reply.body)))?.error
        let code = content?.details?.compactMap(\.errorCode).first ?? content?.status ?? ""
        let why = String((content?.message ?? code).prefix(200))
        switch (reply.status, code) {
        case (404, "UNREGISTERED"): return .gone
        case (403, "SENDER_ID_MISMATCH"):
            return .refused(.wrongApp, "Google: the token belongs to another Firebase project than the service account")
        case (404, _) where content != nil:
            return .refused(.wrongApp, "Google does not know the project or the app: \(why)")
        case (400, _) where why.contains("registration token") || why.contains("installation"):
            return .refused(.wrongToken, "Google does not accept the token: \(why)")
        case (400, _) where why.contains("too big") || why.contains("too large"), (413, _):
            return .refused(.tooLarge, "Google finds the notice too long: \(why)")
        case (400, _) where content != nil: return .refused(.invalid, "Google refuses the notice: \(why)")
        case (401, "THIRD_PARTY_AUTH_ERROR"):
            return .refused(.wrongKey, "Google has no valid key for Apple's or browsers' service: \(why)")
        case (401, _) where content != nil:
            return .renew(or: .blocked(.wrongKey, "Google does not accept the account: \(why)"))
        case (403, _) where content != nil:
            return .blocked(.wrongKey, "Google: the account may not send for this project: \(why)")
        case (429, _): return .deviceBusy(pause: pause)
        case (408, _), (500..., _): return .failing(.busy, "Google answers \(reply.status) \(code)", pause: pause)
        default: return .failing(.strange, "what answers is not Google's service (HTTP \(reply.status))", pause: pause)
        }
    }

    static func token(of reply: HTTPReply, at now: Int64) -> Result<Token, Stopped> {
        if reply.status == 200, let token = try? JSONDecoder().decode(Token.self, from: Data(reply.body)),
            token.access_token.utf8.allSatisfy({ 33...126 ~= $0 }), !token.access_token.isEmpty
        {
            return .success(token)
        }
        let content = try? JSONDecoder().decode(TokenRefused.self, from: Data(reply.body))
        let pause = reply.retryAfter(at: now)
        guard (400..<500).contains(reply.status), ![408, 429].contains(reply.status), let content else {
            let text = "Google gives no token for the account (HTTP \(reply.status))"
            return .failure(Stopped(verdict: .failing(.busy, text, pause: pause)))
        }
        let why = String((content.error_description ?? content.error).prefix(200))
        let isTime = why.contains("iat") || why.contains("timeframe")
        return .failure(
            Stopped(
                verdict: .blocked(
                    isTime ? .wrongClock : .wrongKey,
                    "Google refuses the service account (\(why)): check its file and this machine's clock")))
    }
}
