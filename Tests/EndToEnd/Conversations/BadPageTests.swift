import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("A2: pages of issuers that misbehave", .disabled(if: TestCluster.isElsewhere), .timeLimit(.minutes(8)))
struct BadPageTests {
    /// What the return address gets from an issuer that does not give the token.
    private static let codes = ["token-other": "token_nonce_wrong", "token-foreign": "sign_in_refused"]

    @Test(
        "A2 an issuer that stalls, redirects, answers HTML, 10 MB or another's token signs nobody in, and keeps none",
        arguments: PageScene.badExchanges)
    func exchange(issuer: String) async throws {
        let scene = try await IdentityScene.shared.value
        let back = try await scene.comingBack(try scene.page(of: issuer), as: IdentityScene.subject())
        try await scene.issuer.behave(issuer, issuer)
        if issuer == "token-foreign" { _ = try await scene.signIn(on: "open", as: IdentityScene.subject()) }
        async let answer = scene.get(back)
        // Others sign in meanwhile.
        let (client, signedIn) = try await scene.signIn(on: "paged", as: IdentityScene.subject())
        #expect(signedIn.newAccount)
        let code = Self.codes[issuer] ?? "unavailable"
        #expect(try await answer.headers["location"] == "\(PageScene.app)?error=\(code)")
        await client.close()
    }

    @Test("A2 what the issuer says when it refuses is told as a code of ours, never in its words")
    func refused() async throws {
        let scene = try await IdentityScene.shared.value
        let outcomes = ["denied": "sign_in_refused", "busy": "unavailable", "mixed": "sign_in_refused"]
        for (mode, code) in outcomes.sorted(by: { $0.key < $1.key }) {
            try await scene.issuer.behave("dull", mode)
            let page = try scene.page(of: "dull")
            let returned = try await scene.returned(page, as: IdentityScene.subject())
            #expect(returned == "\(PageScene.app)?error=\(code)", "\(mode)")
            let client = try await scene.cluster.stranger(once: true)
            #expect(
                await codeOf { () async throws(ParleyError) in
                    try await client.signIn(page: page, code: try PageSignIn.code(in: returned))
                } == code)
            await client.close()
        }
        // Codes of issuers may be long.
        try await scene.issuer.behave("dull", "long")
        let page = try scene.page(of: "dull")
        #expect(try await scene.comingBack(page, as: IdentityScene.subject()).utf8.count > 1500)
        #expect(try await scene.returned(page, as: IdentityScene.subject()).contains("?code="))
    }

    @Test("A2 an issuer that cannot be reached, or whose page is no https URL, is said so, and asked again later")
    func unreachable() async throws {
        let scene = try await IdentityScene()
        try await scene.issuer.behave("dull", "script")
        let page = try scene.page(of: "dull")
        let answer = try await scene.get(IdentityScene.path(page.url))
        #expect(answer.status == 503 && answer.text.contains("<code>unavailable</code>"), "\(answer.text)")
        #expect(Int(answer.headers["retry-after"] ?? "") ?? 0 >= 1 && answer.headers["location"] == nil)
        try await scene.issuer.behave("dull", "right")
        try await eventually("its page is known") { try await scene.get(IdentityScene.path(page.url)).status == 302 }
        await scene.cluster.end()
    }

    @Test("A2 wrong codes of an issuer count for the address that brings them")
    func counted() async throws {
        let scene = try await IdentityScene(settings: ["PARLEY_LIMITS_WRONG_TOKENS_PER_ADDRESS": "3"])
        var ends: [String] = []
        for _ in 0..<5 {
            let back = try await scene.comingBack(try scene.page(of: "open"), as: IdentityScene.subject())
            let wrong = back.replacing("code=", with: "code=x")
            ends.append(try await scene.get(wrong).headers["location"] ?? "")
        }
        let refused = "\(PageScene.app)?error=sign_in_refused"
        #expect(
            ends == [refused, refused, refused] + [String](repeating: "\(PageScene.app)?error=rate_limited", count: 2))
        await scene.cluster.end()
    }
}
