import Foundation
import Testing

@testable import ParleyKit

/// What the double does for each function about people and my account.
extension DoubleAPITests {
    static let people: [Call] = [
        Call("Parley.export(into:progress:)") { scene async throws in
            await scene.double.receive("Keep this", from: ada.id, in: scene.chat.id)
            let file = try await scene.parley.export(into: scene.folder.url.appendingPathComponent("copy"))
            let copy = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
            let texts = (copy["messages"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
            #expect(texts.contains("Keep this") && (copy["events"] as? [Any])?.count ?? 0 > 0)
        },
        Call("Parley.findUser(_:)") { scene async throws in
            #expect(try await scene.parley.findUser("Ada") == ada)
            await #expect(throws: Refusal.self) { try await scene.parley.findUser("nobody") }
        },
        Call("Parley.searchUsers(_:isPicker:limit:)") { scene async throws in
            #expect(try await scene.parley.searchUsers("BO") == [bob])
        },
        Call("Parley.users(_:)") { scene async throws in
            #expect(try await scene.parley.users([bob.id, UserID(rawValue: "x"), ada.id]) == [bob, ada])
        },
        Call("Parley.block(_:)") { scene async throws in
            try await scene.parley.block(ada)
            try await scene.settled("blocked") { scene.parley.blocked == [ada] && scene.chat.section == .blocked }
        },
        Call("Parley.unblock(_:)") { scene async throws in
            try await scene.parley.unblock(ada)
            try await scene.settled("unblocked") { scene.parley.blocked.isEmpty && scene.chat.section == .inbox }
        },
        Call("Parley.watchPresence(of:)") { scene async throws in
            scene.double.set(Presence(.away), of: bob.id)
            try await scene.parley.watchPresence(of: [bob.id])
            #expect(scene.parley.presence == [bob.id: Presence(.away)])
        },
        Call("Presence.offline(lastSeen:)") { scene async throws in
            scene.double.set(.offline(lastSeen: Date(timeIntervalSince1970: 1)), of: bob.id)
            #expect(scene.parley.presence[bob.id]?.status == .offline)
        },
        Call("Parley.setAvailability(_:)") { scene async throws in
            try await scene.parley.setAvailability(.doNotDisturb)
            #expect(scene.parley.ownPresence?.availability == .doNotDisturb)
        },
        Call("Parley.setStatus(_:until:)") { scene async throws in
            try await scene.parley.setStatus("at the sea")
            #expect(scene.parley.ownPresence == OwnPresence(.doNotDisturb, statusText: "at the sea"))
        },
        Call("Parley.setHiding(_:)") { scene async throws in
            try await scene.parley.setHiding(.fromAll)
            #expect(scene.parley.ownPresence?.hiding == .fromAll)
        },
        Call("Parley.setActivity(isInForeground:conversation:)") { scene async throws in
            await scene.parley.setActivity(isInForeground: true, conversation: scene.chat.id)
        },
        Call("Parley.updateProfile(displayName:username:photo:email:isFindableByEmail:)") { scene async throws in
            try await scene.parley.updateProfile(displayName: "Myself", email: "me@example.com")
            try await scene.settled("changed") {
                scene.parley.profile.map { ($0.user.displayName, $0.email) } ?? ("", nil)
                    == ("Myself", "me@example.com")
            }
        },
        Call("Parley.modelReading(of:)") { scene async throws in
            #expect(try await scene.parley.modelReading(of: scene.chat.id) == ModelReading(isAvailable: false))
        },
        Call("Parley.setModelReading(of:allowed:keptOut:)") { scene async throws in
            #expect(try await scene.parley.setModelReading(of: scene.chat.id, keptOut: true).isKeptOut)
        },
    ]

    static let account: [Call] = [
        Call("Parley.devices()") { scene async throws in
            #expect(try await scene.parley.devices().map(\.isCurrent) == [true])
        },
        Call("Parley.signOut(device:)") { scene async throws in
            scene.double.addDevice("Tablet")
            let phone = try #require(try await scene.parley.devices().first { !$0.isCurrent })
            try await scene.parley.signOut(device: phone.id)
            #expect(try await scene.parley.devices().map(\.name) == ["Tablet"])
        },
        Call("Parley.signInOffers()") { scene async throws in
            let offers = try await scene.parley.signInOffers()
            #expect(offers.issuers.map(\.name) == ["double"] && offers.guests)
        },
        Call("Parley.linkIdentity(token:nonce:owner:)") { scene async throws in
            scene.double.addIdentityToken("mine", of: me)
            scene.double.addIdentityToken("adas", of: ada)
            #expect(try await scene.parley.linkIdentity(token: "mine", owner: .password("any")).identities.count == 1)
            await #expect(throws: Refusal.self) {
                try await scene.parley.linkIdentity(token: "adas", owner: .password("any"))
            }
        },
        Call("Parley.linkIdentity(_:returned:owner:)") { scene async throws in
            scene.double.addIdentityToken("adas", of: ada)
            let page = try scene.parley.signInPage(of: "double", returningTo: "org.example.chat:/signed-in")
            let returned = try #require(URL(string: "org.example.chat:/signed-in?code=adas"))
            do throws(Refusal) {
                try await scene.parley.linkIdentity(page, returned: returned, owner: .password("any"))
                Issue.record("it is refused")
            } catch {
                #expect(error.code == .identityInUse)
            }
        },
        Call("OwnerProof.page(_:returned:)") { scene async throws in
            let page = try scene.parley.signInPage(of: "double", returningTo: "org.example.chat:/signed-in")
            let returned = try #require(URL(string: "org.example.chat:/signed-in?code=mine"))
            let owner = try OwnerProof.page(page, returned: returned)
            #expect(try await scene.parley.linkIdentity(token: "mine", owner: owner).identities.count == 2)
            let identity = try #require(try await scene.parley.waysIn().identities.last)
            try await scene.parley.unlinkIdentity(identity.id, owner: owner)
        },
        Call("Parley.waysIn()") { scene async throws in
            let ways = try await scene.parley.waysIn()
            #expect(ways.hasPassword && ways.identities.count == 1)
        },
        Call("Parley.unlinkIdentity(_:owner:)") { scene async throws in
            let identity = try #require(try await scene.parley.waysIn().identities.first)
            try await scene.parley.unlinkIdentity(identity.id, owner: .password("any"))
            #expect(try await scene.parley.waysIn().identities.isEmpty)
        },
        Call("Parley.changePassword(to:owner:endingOtherDevices:)") { scene async throws in
            try await scene.parley.changePassword(to: "a new one", owner: .password("any"), endingOtherDevices: true)
            #expect(scene.double.passwords["me"]?.password == "a new one")
            scene.double.passwords["me"]?.password = nil
        },
        Call("Parley.registerForPush(token:language:)") { scene async throws in
            try await scene.parley.registerForPush(token: .apns(Data([1, 2, 3]), app: "com.example.chat"))
        },
        Call("Parley.pushDevices()") { scene async throws in
            #expect(try await scene.parley.pushDevices().map(\.app) == ["com.example.chat"])
        },
        Call("Parley.testPush()") { scene async throws in try await scene.parley.testPush() },
        Call("Parley.unregisterForPush()") { scene async throws in
            try await scene.parley.unregisterForPush()
            #expect(try await scene.parley.pushDevices().isEmpty)
        },
        Call("Parley.readPushSettings()") { scene async throws in
            #expect(try await scene.parley.readPushSettings().level == .all)
        },
        Call("Parley.updatePushSettings(_:)") { scene async throws in
            try await scene.parley.updatePushSettings { ($0.level, $0.reactions) = (.mentions, true) }
            #expect(scene.parley.pushSettings?.level == .mentions && scene.parley.pushSettings?.reactions == true)
        },
        Call("Parley.setPushLevel(_:of:)") { scene async throws in
            try await scene.parley.setPushLevel(PushSettings.Level.none, of: scene.chat.id)
            #expect(scene.parley.pushSettings?.conversations == [scene.chat.id: .none])
        },
        Call("Parley.requestPasswordReset(email:)") { scene async throws in
            try await scene.parley.requestPasswordReset(email: "me@example.org")
            #expect(scene.double.mailedCode != nil)
        },
        Call("Parley.resetPassword(email:code:newPassword:)") { scene async throws in
            let code = try #require(scene.double.mailedCode)
            try await scene.parley.resetPassword(email: "me@example.org", code: code, newPassword: "a new one")
            #expect(scene.double.passwords["me"]?.password == "a new one" && scene.double.mailedCode == nil)
            scene.double.passwords["me"]?.password = nil
        },
        Call("Parley.requestEmailCode()") { scene async throws in
            try await scene.parley.updateProfile(email: "me@example.org")
            try await eventually("it is sent") { scene.parley.unsent.isEmpty }
            try await scene.parley.requestEmailCode()
        },
        Call("Parley.confirmEmail(code:)") { scene async throws in
            let code = try #require(scene.double.mailedCode)
            await #expect(throws: Refusal.self) { try await scene.parley.confirmEmail(code: "wrong") }
            try await scene.parley.confirmEmail(code: code)
            #expect(scene.parley.profile?.isEmailConfirmed == true)
        },
        Call("Parley.deviceToApprove(code:)") { scene async throws in
            let code = scene.double.addAskingDevice("Kitchen")
            #expect(try await scene.parley.deviceToApprove(code: code).name == "Kitchen")
        },
        Call("Parley.approveDevice(code:)") { scene async throws in
            try await scene.parley.approveDevice(code: scene.double.addAskingDevice("Kitchen"))
            #expect(try await scene.parley.devices().map(\.name).contains("Kitchen"))
        },
        Call("Parley.beginDeviceLink(deviceName:)") { scene async throws in
            #expect(try await !scene.parley.beginDeviceLink(deviceName: "Kitchen").code.isEmpty)
        },
        Call("Parley.suspend()") { scene async throws in
            await scene.parley.suspend()
            #expect(scene.parley.connection != .online)
        },
        Call("Parley.resume()") { scene async throws in
            scene.parley.resume()
            try await eventually("it is back") { scene.parley.connection == .online }
        },
        Call("Parley.networkChanged()") { scene async throws in
            await scene.parley.networkChanged()
            try await eventually("it is back") { scene.parley.connection == .online }
        },
        Call("Parley.signOut(discardingUnsent:everywhere:endingCalendarLink:)") { scene async throws in
            let known = scene.parley.inbox.conversations.count
            try await scene.parley.signOut(everywhere: true, endingCalendarLink: true)
            #expect(scene.parley.accountState == .signedOut && scene.parley.inbox.conversations.isEmpty && known > 0)
            try await eventually("it is connected") { scene.parley.connection == .online }
        },
        Call("Parley.registrationPage()") { scene async throws in
            #expect(try await scene.parley.registrationPage() == nil)
        },
        Call("Parley.signIn(username:password:deviceName:)") { scene async throws in
            scene.double.addAccount(bob, password: "right")
            do throws(Refusal) {
                try await scene.parley.signIn(username: "bob", password: "wrong")
                Issue.record("it is refused")
            } catch {
                #expect(error.code == .wrongCredentials)
            }
            try await scene.parley.signIn(username: "me", password: "any")
            #expect(scene.parley.user == me.id && scene.parley.profile?.user.displayName == "Myself")
            #expect(scene.parley.inbox.conversations.map(\.id).contains(scene.chat.id))
        },
        Call("Parley.signIn(identityToken:nonce:displayName:deviceName:code:proof:)") { scene async throws in
            try await scene.parley.signOut()
            try await eventually("it is connected") { scene.parley.connection == .online }
            try await scene.parley.signIn(identityToken: "mine")
            #expect(scene.parley.user == me.id)
        },
        Call("Parley.signInPage(of:returningTo:)") { scene async throws in
            let page = try scene.parley.signInPage(of: "double", returningTo: "org.example.chat:/signed-in")
            let query = URLComponents(url: page.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            #expect(query.map(\.name) == ["return", "challenge"] && query[0].value == "org.example.chat:/signed-in")
        },
        Call("Parley.signIn(_:returned:displayName:deviceName:code:proof:)") { scene async throws in
            try await scene.parley.signOut()
            try await eventually("it is connected") { scene.parley.connection == .online }
            let page = try scene.parley.signInPage(of: "double", returningTo: "org.example.chat:/signed-in")
            let back = try #require(URL(string: "org.example.chat:/signed-in?error=sign_in_refused"))
            do throws(Refusal) {
                try await scene.parley.signIn(page, returned: back)
                Issue.record("it is refused")
            } catch {
                #expect(error.code == .signInRefused)
            }
            let returned = try #require(URL(string: "org.example.chat:/signed-in?code=mine"))
            try await scene.parley.signIn(page, returned: returned)
            #expect(scene.parley.user == me.id)
        },
        Call("Parley.eraseAccount(owner:)") { scene async throws in
            try await scene.parley.eraseAccount(owner: .password("any"))
            #expect(scene.parley.accountState == .signedOut)
        },
        Call("Parley.register(username:password:displayName:deviceName:code:proof:)") { scene async throws in
            try await eventually("it is connected") { scene.parley.connection == .online }
            do throws(Refusal) {
                try await scene.parley.register(username: "ada", password: "pass word")
                Issue.record("it is refused")
            } catch {
                #expect(error.code == .usernameTaken)
            }
            try await scene.parley.register(username: "zoe", password: "pass word", displayName: "Zoe")
            #expect(scene.parley.profile?.user.displayName == "Zoe" && scene.parley.inbox.conversations.isEmpty)
        },
        Call("Parley.continueAsGuest(displayName:deviceName:code:proof:)") { scene async throws in
            try await scene.parley.signOut()
            try await eventually("it is connected") { scene.parley.connection == .online }
            try await scene.parley.continueAsGuest(displayName: "Somebody")
            #expect(scene.parley.profile?.isGuest == true)
        },
        Call("Parley.upgrade(username:password:)") { scene async throws in
            try await scene.parley.upgrade(username: "somebody", password: "pass word")
            #expect(scene.parley.profile?.isGuest == false && scene.parley.profile?.user.displayName == "Somebody")
        },
        Call("Parley.close()") { scene async throws in
            await scene.parley.close()
            await #expect(throws: Refusal.self) { try await scene.parley.devices() }
        },
    ]
}
