import Foundation
import ParleyClient
import TestSupport

/// What the tests of sign-ins on pages do as a browser would.
enum PageScene {
    /// An address of an app.
    static let app = "org.example.chat:/signed-in"
    /// Issuers that do not give tokens for codes, each by what it does instead (`TestIssuer.behave`).
    static let badExchanges = [
        "token-html", "token-large", "token-redirect", "token-failing", "token-late", "token-other", "token-foreign",
    ]
}

extension IdentityScene {
    /// Begins a sign-in on a page.
    func page(of issuer: String, returningTo address: String = PageScene.app) throws -> PageSignIn {
        try PageSignIn(server: cluster.url(), issuer: issuer, returningTo: address)
    }

    /// Asks a gateway for a path.
    func get(
        _ path: String, gateway: Int = 0, method: String = "GET", headers: [String: String] = [:]
    ) async throws -> RawHTTP.Answer {
        let server = "http" + cluster.url(gateway).dropFirst(2)
        let answer = try await onThread { try RawHTTP.send(method, path, to: server, headers: headers) }
        guard let answer else { throw NeverHappened(description: "an answer to \(path)") }
        return answer
    }

    /// The path and query of a URL.
    static func path(_ url: String) -> String {
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        return String(rest.drop { $0 != "/" })
    }

    /// Waits until the server has read what the issuer says of itself, and its keys. An issuer that makes them on a
    /// busy machine takes longer than a browser waits.
    func settle(_ issuer: String) async throws {
        try await eventually("somebody signs in on the page of \(issuer)") {
            try await returned(page(of: issuer), as: Self.subject()).contains("?code=")
        }
    }

    /// Leads a browser from the begin to the issuer and back to the server, and returns the path with which it comes.
    func comingBack(_ page: PageSignIn, as subject: String) async throws -> String {
        let start = Self.path(page.url)
        try await eventually("the issuer has described itself") { try await get(start).status != 503 }
        let there = try await get(start)
        guard there.status == 302, let location = there.headers["location"] else {
            throw NeverHappened(description: "it leads to the issuer: \(there.text)")
        }
        return Self.path(try await issuer.visit(location, as: subject))
    }

    /// Leads a browser all the way, and returns where it ends.
    func returned(_ page: PageSignIn, as subject: String, gateway: Int = 0) async throws -> String {
        let back = try await get(try await comingBack(page, as: subject), gateway: gateway)
        guard back.status == 302, let location = back.headers["location"] else {
            throw NeverHappened(description: "it leads back: \(back.status) \(back.text)")
        }
        return location
    }

    /// Leads a browser from an address that was shown all the way, and returns where it ends.
    func browsed(_ url: String, as subject: String) async throws -> String {
        let there = try await get(Self.path(url))
        guard there.status == 302, let location = there.headers["location"] else {
            throw NeverHappened(description: "it leads to the issuer: \(there.text)")
        }
        return try await get(Self.path(try await issuer.visit(location, as: subject))).headers["location"] ?? ""
    }

    /// Signs somebody in on a page of an issuer, on a new device.
    func signIn(on issuer: String, as subject: String) async throws -> (ParleyClient, Parley_V1_SignedIn) {
        let page = try page(of: issuer)
        let code = try PageSignIn.code(in: try await returned(page, as: subject))
        let client = try await cluster.stranger()
        return (client, try await client.signIn(page: page, code: code))
    }
}
