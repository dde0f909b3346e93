import Foundation
import ParleyKit
import TestSupport
import Testing

@MainActor
@Suite("ParleyKit: ways in", .disabled(if: TestCluster.isElsewhere), .timeLimit(.minutes(4)))
struct KitIdentityTests {
    @Test("A2 A6 an app signs in by a token, adds and removes identities, and sets and changes the password")
    func waysIn() async throws {
        let scene = try await IdentityScene.shared.value
        let folder = try AppFolder()
        let parley = await folder.open(scene.cluster.url())
        let subject = IdentityScene.subject()
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // snippet
        for issuer in try await parley.signInOffers().issuers where issuer.makesAccounts { show("By \(issuer.name)") }
        // end
        let issuers = try await parley.signInOffers().issuers
        #expect(shown.contains("By apple") && !shown.contains("By closed"))
        for issuer in issuers {
            // snippet
            if issuer.nonce == .sha256 { show("\(issuer.name) takes the hash of the nonce.") }
            // end
        }
        #expect(shown.last == "apple takes the hash of the nonce.")
        #expect(issuers.first { $0.name == "apple" }?.nonce == .sha256)
        #expect(issuers.first { $0.name == "closed" }?.makesAccounts == false)
        let identityToken = try await scene.token(subject: subject, #""email":"me@example.org""#)
        // snippet
        try await parley.signIn(identityToken: identityToken, displayName: "Dana Miller")
        // end
        #expect(parley.user != nil)
        #expect(try await parley.waysIn().identities.map(\.label) == ["me@example.org"])
        // snippet
        if try await !parley.waysIn().hasPassword { show("Set a password, to sign in without Apple.") }
        // end
        // snippet
        for identity in try await parley.waysIn().identities { show("\(identity.issuer): \(identity.label)") }
        // end
        #expect(shown.suffix(2) == ["Set a password, to sign in without Apple.", "work: me@example.org"])
        let fresh = try await scene.token(subject: subject)
        try await parley.changePassword(to: Device.password, owner: .token(fresh))
        let (password, newPassword) = (Device.password, "another horse battery")
        // snippet
        try await parley.changePassword(to: newPassword, owner: .password(password), endingOtherDevices: true)
        // end
        try await parley.changePassword(to: password, owner: .password(newPassword))
        let other = try await scene.token("second", subject: subject)
        let ways = try await parley.linkIdentity(token: other, owner: .password(Device.password))
        #expect(ways.hasPassword && ways.identities.map(\.issuer) == ["work", "second"])
        let first = try #require(ways.identities.first)
        try await parley.unlinkIdentity(first.id, owner: .password(Device.password))
        let refused = await #expect(throws: Refusal.self) {
            try await parley.unlinkIdentity(first.id, owner: .password(Device.password))
        }
        #expect(refused?.code == .notFound)
        let used = await #expect(throws: Refusal.self) {
            try await parley.eraseAccount(owner: .token(other))
        }
        #expect(used?.code == .tokenUsed)
        try await parley.eraseAccount(owner: .token(scene.token("second", subject: subject)))
        #expect(parley.user == nil)
        await parley.close()
    }

    @Test("A2 an app shows the page of an issuer and signs in with what comes back")
    func page() async throws {
        let scene = try await IdentityScene.shared.value
        let folder = try AppFolder()
        let parley = await folder.open(scene.cluster.url())
        let issuer = try #require(try await parley.signInOffers().issuers.first { $0.name == "kit" })
        #expect(issuer.hasPage)
        let subject = IdentityScene.subject()
        func browse(_ url: URL) async throws -> URL {
            try #require(URL(string: try await scene.browsed(url.absoluteString, as: subject)))
        }
        try await scene.issuer.behave("kit", "denied")
        let begun = try parley.signInPage(of: issuer.name, returningTo: PageScene.app)
        let denied = try await browse(begun.url)
        let refused = await #expect(throws: Refusal.self) { try await parley.signIn(begun, returned: denied) }
        #expect(refused?.code == .signInRefused && parley.user == nil)
        try await scene.issuer.behave("kit", "right")
        // snippet
        let page = try parley.signInPage(of: issuer.name, returningTo: "org.example.chat:/signed-in")
        let returned = try await browse(page.url)
        try await parley.signIn(page, returned: returned)
        // end
        #expect(parley.user != nil)
        #expect(try await parley.waysIn().identities.map(\.label) == [subject])
        await parley.close()
    }

    @Test("A2 A6 an app adds the identity of a page, and a page shows that the owner asks")
    func linkByPage() async throws {
        let scene = try await IdentityScene.shared.value
        let folder = try AppFolder()
        let parley = await folder.open(scene.cluster.url())
        let (username, password, subject) = (IdentityScene.subject(), Device.password, IdentityScene.subject())
        try await parley.register(username: username, password: password)
        func browse(_ url: URL) async throws -> URL {
            try #require(URL(string: try await scene.browsed(url.absoluteString, as: subject)))
        }
        let issuer = try #require(try await parley.signInOffers().issuers.first { $0.name == "paged" })
        // snippet
        let page = try parley.signInPage(of: issuer.name, returningTo: "org.example.chat:/signed-in")
        let returned = try await browse(page.url)
        try await parley.linkIdentity(page, returned: returned, owner: .password(password))
        // end
        #expect(try await parley.waysIn().identities.map(\.label) == [subject])
        let refused = await #expect(throws: Refusal.self) {
            try await parley.linkIdentity(page, returned: returned, owner: .password(password))
        }
        #expect(refused?.code == .codeRefused)
        let other = try parley.signInPage(of: issuer.name, returningTo: "org.example.chat:/signed-in")
        let owner = try OwnerProof.page(other, returned: try await browse(other.url))
        try await parley.changePassword(to: "another horse battery", owner: owner)
        let denied = try #require(URL(string: "org.example.chat:/signed-in?error=sign_in_refused"))
        let back = #expect(throws: Refusal.self) { try OwnerProof.page(other, returned: denied) }
        #expect(back?.code == .signInRefused)
        await parley.close()
    }
}
