import Foundation
import ParleyClient
import TestSupport

/// A cluster that takes guests, sends mails and has issuers of tokens.
struct AccountScene: Sendable {
    let scene: IdentityScene
    let mail: TestMailServer

    var cluster: TestCluster { scene.cluster }

    static let shared = Task { try await AccountScene() }

    init(settings: [String: String] = [:], replicas: Int = 1, postgres: [String: String] = [:]) async throws {
        let mail = try TestMailServer()
        self.mail = mail
        let own = [
            "PARLEY_GUESTS": "on", "PARLEY_MAIL_SERVER": mail.plain, "PARLEY_MAIL_SECURITY": "none",
            "PARLEY_MAIL_FROM": "Chat <chat@example.com>", "PARLEY_MAIL_NAME": "Chat of tests",
            "PARLEY_PEOPLE_FIND_BY_EMAIL": "confirmed", "PARLEY_REQUESTS_REQUIRED": "yes",
        ]
        scene = try await IdentityScene(settings: own.merging(settings) { $1 }, replicas: replicas, postgres: postgres)
    }

    /// An address that no other test has.
    static func address() -> String { "m\(String(UInt64.random(in: .min ... .max), radix: 36))@example.org" }

    /// Gives a person a confirmed address.
    func confirm(_ address: String, of client: ParleyClient) async throws {
        try await client.updateProfile(email: address)
        let before = try await mail.mails(to: address).count
        try await client.requestEmailCode()
        let code = try await mail.mails(before + 1, to: address).last?.code ?? ""
        try await client.confirmEmail(code: code)
    }
}

/// Returns the code with which a request is refused; "ok": it is not.
func codeOf(_ body: () async throws(ParleyError) -> Void) async -> String {
    do throws(ParleyError) {
        try await body()
        return "ok"
    } catch {
        return error.code
    }
}
