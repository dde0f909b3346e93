import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Signing in on the page of an issuer (A2): `/v1/identity/NAME/start` leads there, `/v1/identity/NAME/callback` back
/// to whoever asked. Nothing is kept in the browser: what has to be known comes back sealed.
extension ConversationsService {
    private static let identityFolder = "/v1/identity/"
    /// A SHA-256 hash in base64url.
    private static let challengeBytes = 32

    static let identityRoute = HttpRoute(path: identityFolder, below: true, methods: ["GET"], bodyBytesMax: 0)

    /// Answers both paths. What goes wrong before it is known where the person is to go is shown to them; later, their
    /// page or app is told.
    func identityPage(_ request: HttpRequest, _ call: RequestContext) async throws -> HttpReply {
        let parts = request.path.prefix { $0 != "?" }.dropFirst(Self.identityFolder.count).split(
            separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, ["start", "callback"].contains(parts[1]),
            let pages = issuers.pages(of: String(parts[0]))
        else {
            return SignInPage.problem(404, .notFound, "Nobody signs in on a page here. Ask whoever runs this server.")
        }
        guard let parameters = URLQuery.parameters(of: request.path) else {
            return SignInPage.problem(400, .invalid, "This address is not complete. Go back and begin again.")
        }
        return parts[1] == "start"
            ? await start(pages, parameters) : try await callback(pages, parameters, call)
    }

    // MARK: There

    private func start(_ pages: IssuerPages, _ parameters: [String: String]) async -> HttpReply {
        let returnAddress = parameters["return"] ?? ""
        guard ReturnAddress.isListed(returnAddress, in: pages.page.returns) else {
            return SignInPage.problem(
                400, .invalid,
                "Nobody returns from \(pages.name) to this address. Whoever runs this server lists those.")
        }
        guard let challenge = Base64URL.decode(parameters["challenge"] ?? ""), challenge.count == Self.challengeBytes
        else {
            return SignInPage.problem(
                400, .invalid, "\"challenge\" must be the SHA-256 hash of a secret, in base64url.")
        }
        let state = PageState(at: context.clock.now, challenge: challenge, returnAddress: returnAddress)
        do {
            let sealed = try context.sealer.seal(state.bytes, for: PageState.purpose(pages.name))
            return SignInPage.redirect(to: try await pages.address(state, sealed: sealed))
        } catch let refusal as Refusal {
            return SignInPage.problem(refusal)
        } catch {
            return SignInPage.problem(.internal)
        }
    }

    // MARK: Back

    private func callback(
        _ pages: IssuerPages, _ parameters: [String: String], _ call: RequestContext
    ) async throws -> HttpReply {
        guard let bytes = try await context.sealer.open(parameters["state"] ?? "", for: PageState.purpose(pages.name)),
            let state = PageState(bytes)
        else {
            return SignInPage.problem(
                400, .invalid, "This sign-in did not begin here, or its address is not complete. Begin again.")
        }
        // The operator may have taken it out since.
        guard ReturnAddress.isListed(state.returnAddress, in: pages.page.returns) else {
            return SignInPage.problem(400, .invalid, "Nobody returns from \(pages.name) to where this began any more.")
        }
        do {
            let code = try await code(for: state, pages, parameters, at: Address.place(of: call.caller.address))
            return SignInPage.redirect(to: URLQuery.adding([("code", code)], to: state.returnAddress))
        } catch let refusal as Refusal {
            // The code alone: what the issuer writes is for nobody to read on a page of ours.
            return SignInPage.redirect(
                to: URLQuery.adding([("error", refusal.code.rawValue)], to: state.returnAddress))
        }
    }

    /// Returns the code with which the device that began signs in.
    /// - Throws: ``Refusal`` `link_expired`, `sign_in_refused`, `rate_limited`, `unavailable`; those of a token.
    private func code(
        for state: PageState, _ pages: IssuerPages, _ parameters: [String: String], at place: String
    ) async throws -> String {
        let now = context.clock.now
        guard state.endsAt > now, state.begunAt <= now + TokenRules.skew else { throw Refusal.pageExpired }
        // Before the issuer is asked: each state comes back once.
        let isFirst = try await context.database.first(
            PageSignInsStore.come, .bytes(state.hash), .number(state.endsAt + PageCode.lifetime + PageCode.grace))
        guard isFirst != nil else { throw Refusal.pageExpired }
        if let error = parameters["error"] {
            let isShort = ["temporarily_unavailable", "server_error"].contains(error)
            throw isShort
                ? Refusal.unavailable("\(pages.name) cannot sign anybody in at the moment.", retryAfter: .seconds(1))
                : .signInRefused(pages.name)
        }
        // Another issuer's page sent them (RFC 9207).
        let isOurs = parameters["iss"].map { issuers.block(of: $0)?.name == pages.name } ?? true
        guard isOurs, let given = parameters["code"], !given.isEmpty else { throw Refusal.signInRefused(pages.name) }
        let token = try await countingWrong(place) {
            let token = try await pages.token(for: given, state)
            let verified = try await self.issuers.verified(token, nonce: state.nonceText)
            guard verified.issuer.name == pages.name else { throw Refusal.signInRefused(pages.name) }
            return token
        }
        let code = PageCode.make()
        try await context.database.execute(
            PageSignInsStore.keepToken, .bytes(state.hash), .bytes(PageCode.hash(code)), .bytes(state.challenge),
            .bytes(PageCode.sealed(token, nonce: state.nonceText, by: code)),
            .number(context.clock.now + PageCode.lifetime))
        return code
    }
}

/// What a browser gets. Pure.
enum SignInPage {
    /// Neither the address, which has secrets in it, nor the page is kept or passed on, and nothing on it runs.
    private static let headers = [
        HttpHeader(name: "Cache-Control", value: "no-store"),
        HttpHeader(name: "Referrer-Policy", value: "no-referrer"),
        HttpHeader(
            name: "Content-Security-Policy",
            value: "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
    ]

    static func redirect(to url: String) -> HttpReply {
        HttpReply(status: 302, headers: headers + [HttpHeader(name: "Location", value: url)])
    }

    static func problem(_ status: UInt32, _ code: Refusal.Code, _ sentence: String) -> HttpReply {
        let body =
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Signing in</title>"
            + "<p>\(escaped(sentence))</p><p><code>\(escaped(code.rawValue))</code></p></html>\n"
        return HttpReply(
            status: status,
            headers: headers + [HttpHeader(name: "Content-Type", value: "text/html; charset=utf-8")],
            body: Array(body.utf8))
    }

    static func problem(_ refusal: Refusal) -> HttpReply {
        let problem = HTTPProblem(refusal)
        var reply = self.problem(problem.status, refusal.code, refusal.message)
        reply.headers += problem.headers
        return reply
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { shown, character in
            switch character {
            case "&": shown += "&amp;"
            case "<": shown += "&lt;"
            case ">": shown += "&gt;"
            case "\"": shown += "&quot;"
            default: shown.append(character)
            }
        }
    }
}

extension Refusal {
    static let pageExpired = Refusal(.linkExpired, "This sign-in was used, or is too old. Begin again.")
}
