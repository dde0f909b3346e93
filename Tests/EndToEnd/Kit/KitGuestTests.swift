import Foundation
import ParleyKit
import TestSupport
import Testing

@MainActor
@Suite("ParleyKit: guests, mailed codes", .disabled(if: TestCluster.isElsewhere), .timeLimit(.minutes(4)))
struct KitGuestTests {
    @Test("A2 A6 an app begins as a guest, gets a name and a password, confirms an address and sets a new password")
    func guest() async throws {
        let scene = try await AccountScene.shared.value
        let folder = try AppFolder()
        let parley = await folder.open(scene.cluster.url())
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // snippet
        if try await parley.signInOffers().guests { show("Look around as a guest") }
        // end
        #expect(shown.count == 1)
        // snippet
        try await parley.continueAsGuest()
        // end
        try await eventually { parley.profile?.isGuest == true }
        let me = try #require(parley.user)
        let refused = await #expect(throws: Refusal.self) { try await parley.searchUsers("alice") }
        #expect(refused?.code == .guestMayNot)
        let (username, password) = ("kit" + String(UInt64.random(in: .min ... .max), radix: 36), Device.password)
        // snippet
        if parley.profile?.isGuest == true { try await parley.upgrade(username: username, password: password) }
        // end
        try await eventually { parley.profile?.isGuest == false && parley.profile?.user.username == username }
        #expect(parley.user == me)
        let address = AccountScene.address()
        try await parley.updateProfile(email: address)
        // Shown at once, sent in a moment.
        try await eventually { parley.profile?.syncStatus == .synced }
        // snippet
        try await parley.requestEmailCode()
        // end
        let code = try await scene.mail.mails(1, to: address).last?.code ?? ""
        // snippet
        try await parley.confirmEmail(code: code)
        // end
        try await eventually { parley.profile?.isEmailConfirmed == true }
        let otherFolder = try AppFolder()
        let other = await otherFolder.open(scene.cluster.url())
        try await other.requestPasswordReset(email: address)
        let reset = try await scene.mail.mails(2, to: address).last?.code ?? ""
        try await other.resetPassword(email: address, code: reset, newPassword: "another horse battery")
        try await eventually("this device is signed out") {
            if case .ended = parley.accountState { true } else { false }
        }
        try await parley.signIn(username: username, password: "another horse battery")
        #expect(parley.user == me)
        let wrong = await #expect(throws: Refusal.self) {
            try await other.resetPassword(email: address, code: reset, newPassword: password)
        }
        #expect(wrong?.code == .codeRefused)
        let link = try await begin(on: other, show)
        async let signingIn: Void = other.signIn(link)
        try await approve(link.code, on: parley, show)
        try await signingIn
        #expect(other.user == me && shown.last == "Sign in Kitchen at 127.0.0.1?")
        for app in [parley, other] { await app.close() }
    }

    private func begin(on parley: Parley, _ show: (String) -> Void) async throws -> DeviceLink {
        // snippet
        let link = try await parley.beginDeviceLink(deviceName: "Kitchen")
        show(link.code)
        // end
        return link
    }

    private func approve(_ code: String, on parley: Parley, _ show: (String) -> Void) async throws {
        // snippet
        let device = try await parley.deviceToApprove(code: code)
        show("Sign in \(device.name) at \(device.address)?")
        // end
        try await parley.approveDevice(code: code)
    }
}
