import FoundationEssentials  // JSON and base 64 only; ServiceKit links it anyway.
import HTTPClient
import Logging
import Reactor
import Schema
import ServiceKit
import Wire

/// Lets people sign in on the page of one issuer, and gets the token that it has for them then (OpenID Connect Core 1.0
/// §3.1, with PKCE).
@ReactorActor
final class IssuerPages {
    /// What people who come back wait for at a time.
    nonisolated static let exchangesMax = 32
    private static let replyBytesMax = 64 * 1024
    private static let freshFor: Duration = .seconds(3600)
    private static let pause: Duration = .seconds(1)
    private static let pauseMax: Duration = .seconds(30)

    /// Where the issuer shows its page and gives tokens.
    private struct Places {
        var authorize: String
        var token: String
        /// Whether it takes the secret in the form alone.
        var wantsSecretInForm: Bool
    }

    private struct Reply: Decodable {
        var id_token: String
    }

    private struct Problem: Decodable {
        var error: String
    }

    let page: IssuerBlock.Page
    private let door: IssuerDoor
    private let log: Logger
    private var places: Places?
    private var readAt: ContinuousClock.Instant?
    private var mayReadAt: ContinuousClock.Instant?
    private var failures = 0
    private var reading: Task<Void, Never>?
    private var exchanges = 0
    private var line = LogThrottle(every: .seconds(10))

    init(_ page: IssuerBlock.Page, _ door: IssuerDoor, log: Logger) {
        (self.page, self.door, self.log) = (page, door, log)
    }

    var name: String { door.issuer.name }

    /// The URL of the issuer's page.
    /// - Parameter sealed: the state as it comes back.
    /// - Throws: ``Refusal`` `unavailable`.
    func address(_ state: PageState, sealed: String) async throws(Refusal) -> String {
        var parameters = [
            ("response_type", "code"), ("client_id", page.clientID), ("redirect_uri", page.redirect),
            ("scope", page.scopes), ("state", sealed), ("code_challenge_method", "S256"),
            ("code_challenge", Base64URL.encode(PageState.challenge(of: state.verifierText))),
        ]
        switch door.issuer.nonce {
        case .none: break
        case .plain: parameters.append(("nonce", state.nonceText))
        case .sha256: parameters.append(("nonce", Hex.text(Sodium.sha256(of: Array(state.nonceText.utf8)))))
        }
        return URLQuery.adding(parameters, to: try await known().authorize)
    }

    /// Exchanges what the person brought back for the token that says who they are.
    /// - Throws: ``Refusal`` `sign_in_refused` if the issuer does not take it, `unavailable` if it cannot be asked.
    func token(for code: String, _ state: PageState) async throws(Refusal) -> String {
        let places = try await known()
        guard exchanges < Self.exchangesMax else { throw unavailable(Self.pause) }
        exchanges += 1
        defer { exchanges -= 1 }
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", page.redirect),
            ("client_id", page.clientID), ("code_verifier", state.verifierText),
        ]
        var headers = [("accept", "application/json"), ("content-type", "application/x-www-form-urlencoded")]
        if places.wantsSecretInForm, !page.secret.isEmpty {
            form.append(("client_secret", page.secret))
        } else if !page.secret.isEmpty {
            // RFC 6749 §2.3.1.
            let both = "\(URLQuery.encoded(page.clientID)):\(URLQuery.encoded(page.secret))"
            headers.append(("authorization", "Basic \(Data(both.utf8).base64EncodedString())"))
        }
        do throws(Unreadable) {
            let reply = try await door.send(
                HTTPRequest(
                    "POST", places.token, headers: headers, body: .bytes(Array(URLQuery.text(form).utf8)),
                    replyBytesMax: Self.replyBytesMax))
            if let token = try Self.token(in: reply, places.token) { return token }
        } catch {
            note(error)
            throw unavailable(Self.pause)
        }
        throw .signInRefused(name)
    }

    /// - Returns: nil if the issuer refuses the code: it was used, is too old, or for somebody else.
    private static func token(in reply: HTTPReply, _ url: String) throws(Unreadable) -> String? {
        let body = Data(reply.body)
        if reply.status == 200 {
            guard let found = try? JSONDecoder().decode(Reply.self, from: body) else {
                throw Unreadable("\(url) answered with no \"id_token\" in JSON")
            }
            return found.id_token
        }
        let problem = try? JSONDecoder().decode(Problem.self, from: body)
        if [400, 401].contains(reply.status), problem?.error == "invalid_grant" { return nil }
        // The operator's to correct, such as "invalid_client".
        let shown = problem.map { ": \(String($0.error.filter { $0.isASCII && !$0.isNewline }.prefix(64)))" } ?? ""
        throw Unreadable("\(url) answered \(reply.status)\(shown)")
    }

    // MARK: Where its page is

    /// - Throws: ``Refusal`` `unavailable`.
    private func known() async throws(Refusal) -> Places {
        let now = ContinuousClock.now
        if let places, let readAt, now - readAt < Self.freshFor { return places }
        if let mayReadAt, now < mayReadAt, reading == nil {
            // What was true an hour ago is likelier than nothing.
            if let places { return places }
            throw unavailable(mayReadAt - now)
        }
        await read()
        guard let places else { throw unavailable(Self.pause) }
        return places
    }

    /// Reads the description, once for all who wait for it.
    private func read() async {
        if let reading { return await reading.value }
        let task = Task.onLoop { await self.readOnce() }
        reading = task
        await task.value
    }

    private func readOnce() async {
        defer { reading = nil }
        do throws(Unreadable) {
            let found = try await door.description()
            guard let authorize = found.authorization_endpoint, let token = found.token_endpoint,
                door.isSafe(authorize), door.isSafe(token)
            else { throw Unreadable("it describes no page to sign in on, or not at https URLs") }
            let ways = found.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
            places = Places(
                authorize: authorize, token: token,
                wantsSecretInForm: ways.contains("client_secret_post") && !ways.contains("client_secret_basic"))
            (readAt, mayReadAt, failures) = (.now, nil, 0)
        } catch {
            failures = min(failures + 1, 10)
            mayReadAt = .now + min(Self.pause * (1 << (failures - 1)), Self.pauseMax)
            note(error)
        }
    }

    private func note(_ problem: Unreadable) {
        guard let heldBack = line.pass(at: .now) else { return }
        log.warning(
            "nobody can sign in on the page of an issuer",
            metadata: ["issuer": "\(name)", "why": "\(problem.why)", "more": "\(heldBack)"])
    }

    private func unavailable(_ wait: Duration) -> Refusal {
        .unavailable("\(name) cannot be reached at the moment. Try again shortly.", retryAfter: wait)
    }
}

extension Refusal {
    static func signInRefused(_ issuer: String) -> Refusal {
        Refusal(.signInRefused, "\(issuer) did not sign you in. Begin again.")
    }
}
