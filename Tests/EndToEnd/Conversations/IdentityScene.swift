import Foundation
import ParleyClient
import TestSupport

/// A cluster whose operator accepts the tokens of issuers that tests play, and those issuers.
struct IdentityScene: Sendable {
    let cluster: TestCluster
    let issuer: TestIssuer

    static let shared = Task {
        let scene = try await IdentityScene()
        // Their keys are made when they are first asked, which takes longer on a busy machine than a page waits.
        for name in withPages where !PageScene.badExchanges.contains(name) { try await scene.settle(name) }
        return scene
    }

    /// Issuers that never tell their keys, each by what it does instead (`TestIssuer.behave`).
    static let silent = ["html", "large", "late", "redirect", "failing", "empty", "another", "ftp"]

    /// Issuers that sign people in on pages. The others misbehave there, each in its way.
    static let withPages = ["paged", "form", "open", "dull", "kit", "counted"] + PageScene.badExchanges

    init(settings: [String: String] = [:], replicas: Int = 1, postgres: [String: String] = [:]) async throws {
        let issuer = try TestIssuer()
        let path = try issuer.keep(Self.file(issuer.url), as: "issuers")
        self.issuer = issuer
        let own = ["PARLEY_IDENTITIES_FILE": path, "PARLEY_LIMITS_WRONG_TOKENS_PER_ADDRESS": "1000000"]
        cluster = try await TestCluster(
            .init(
                replicas: ["conversations": replicas],
                settings: ["conversations": own.merging(settings) { $1 }], postgres: postgres))
    }

    private static func file(_ url: String) -> String {
        var blocks = """
            # Those whose shapes are known, with keys of the tests.
            [firebase]
            kind = firebase
            project = chat-app
            keys-url = \(url)/firebase/jwks
            inside = yes
            imported-ids = yes
            [apple]
            kind = apple
            audiences = org.example.chat
            keys-url = \(url)/apple/jwks
            inside = yes
            trust-email = yes
            [google]
            kind = google
            audiences = 1234.apps.googleusercontent.com, 5678.apps.googleusercontent.com
            keys-url = \(url)/google/jwks
            inside = yes
            [closed]
            issuer = \(url)/closed
            audiences = parley
            algorithms = RS256
            may-register = no
            inside = yes
            [nonces]
            issuer = \(url)/nonces
            audiences = parley
            nonce-required = yes
            inside = yes
            [outside]
            issuer = https\(url.dropFirst(4))/outside
            audiences = parley

            """
        for name in ["work", "second", "rotating", "away"] + silent {
            blocks += "[\(name)]\nissuer = \(url)/\(name)\naudiences = parley, parley-web\ninside = yes\n"
        }
        for name in withPages {
            blocks += """
                [\(name)]
                issuer = \(url)/\(name)
                audiences = parley-web
                inside = yes
                client-id = parley-web
                redirect = http://127.0.0.1/v1/identity/\(name)/callback
                returns = \(PageScene.app), https://chat.example.com/in?page=1, http://127.0.0.1/parley

                """
            if name != "open" { blocks += "client-secret = s3cret & +/=%\n" }
        }
        return blocks
    }

    /// What a token says, as JSON. Times are seconds from now.
    func claims(
        _ name: String, subject: String, audience: String = #""parley""#, issued: Int = 0, expires: Int = 3600,
        _ more: String = ""
    ) -> String {
        let now = Int(Date().timeIntervalSince1970)
        return #"{"iss":"\#(issuer.url)/\#(name)","sub":"\#(subject)","aud":\#(audience),"iat":\#(now + issued),"#
            + #""exp":\#(now + expires)\#(more.isEmpty ? "" : ",\(more)")}"#
    }

    /// Returns a right token of an issuer.
    func token(
        _ name: String = "work", subject: String, _ more: String = "", _ shape: TestIssuer.Shape = .init()
    ) async throws -> String {
        // Different from the one before, which was made in the same second.
        let unique = #""jti":"\#(UUID().uuidString)""#
        let claims = claims(name, subject: subject, more.isEmpty ? unique : "\(unique),\(more)")
        return try await issuer.token(of: name, claims, shape)
    }

    /// Signs somebody in on a new device.
    func signIn(_ token: String, nonce: String = "", gateway: Int = 0) async throws -> (
        ParleyClient, Parley_V1_SignedIn
    ) {
        let client = try await cluster.stranger(gateway)
        let signedIn = try await client.signIn(identityToken: token, nonce: nonce)
        return (client, signedIn)
    }

    /// Returns the code with which a token is refused; "ok": it is not.
    /// - Parameter once: whether to send it once. Otherwise it is sent again while the issuer's keys cannot be read.
    func verdict(on token: String, nonce: String = "", once: Bool = false) async throws -> String {
        let client = try await cluster.stranger(once: true)
        defer { Task { await client.close() } }
        let end = ContinuousClock.now + .seconds(60) * patience
        while true {
            do throws(ParleyError) {
                try await client.signIn(identityToken: token, nonce: nonce)
                return "ok"
            } catch {
                guard error.hasCode(.unavailable), !once, .now < end else { return error.code }
                try await Task.sleep(for: .milliseconds(error.retryAfterMs))
            }
        }
    }

    static func subject() -> String { "s" + String(UInt64.random(in: .min ... .max), radix: 36) }
}
