import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

/// What an app would show.
@MainActor
private final class Screen {
    var lines: [String] = []
}

// The code of the article "Push in your app", each piece between `// snippet` and `// end`.

@MainActor
@Suite("ParleyKit, as the article \"Push in your app\" says", .timeLimit(.minutes(3)))
struct KitPushTests {
    private let screen = Screen()
    private func show(_ line: String) { screen.lines.append(line) }

    @Test("T7 \"Push in your app\" does what it says: register, see the devices, choose of what to be told")
    func registering() async throws {
        let cluster = try await TestCluster.shared
        let (app, other) = (try AppFolder(), try AppFolder())
        let bob = try await cluster.person("bob")
        let parley = await app.open(cluster.url())
        let username = "alice" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password, displayName: "Alice")
        let me = try #require(parley.user)
        let talk = try await bob.client.startDirect(with: me.rawValue).conversation.id
        let chat = parley.conversation(ConversationID(rawValue: talk))
        let deviceToken = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
        let registrationToken = "fcm:\(UInt64.random(in: .min ... .max))"

        // snippet
        try await parley.registerForPush(token: .apns(deviceToken, app: "com.example.chat"))
        // end
        let hex = deviceToken.map { String(format: "%02x", $0) }.joined()
        let device = try #require(try await parley.pushDevices().first)
        #expect(device.app == "com.example.chat" && !device.isEncrypted && device.lastSent == nil)
        // snippet
        try await parley.registerForPush(token: .fcm(registrationToken))
        // end
        #expect(try await parley.pushDevices().map(\.app) == [""], "in place of the other, of \(hex)")

        // snippet
        let settings = try await parley.readPushSettings()
        show("Told of \(settings.level)")
        try await parley.updatePushSettings { $0.level = .mentions }
        // end
        #expect(screen.lines == ["Told of all"] && parley.pushSettings?.level == .mentions)
        // snippet
        try await parley.setPushLevel(.mentions, of: chat.id)
        // end
        #expect(parley.pushSettings?.conversations == [chat.id: .mentions])
        // snippet
        try await parley.updatePushSettings {
            $0.quietHours = (1...7).map { .init(weekday: $0, from: 22 * 60, until: 7 * 60) }
            $0.timeZone = TimeZone.current.identifier
        }
        // end
        #expect(parley.pushSettings?.quietHours.count == 7)
        // snippet
        try await parley.updatePushSettings { $0.content = .names }
        // end
        // snippet
        try await parley.updatePushSettings { $0.level = .mentions }
        // end
        let tablet = await other.open(cluster.url())
        try await tablet.signIn(username: username, password: Device.password)
        #expect(try await tablet.readPushSettings() == parley.pushSettings)
        try await tablet.updatePushSettings { $0.reactions = true }
        try await eventually("the first device sees it") { @Sendable in
            await parley.pushSettings?.reactions == true
        }

        // snippet
        try await parley.testPush()
        for device in try await parley.pushDevices() { show("\(device.app): \(device.lastResult)") }
        // end
        // snippet
        for device in try await parley.pushDevices() { show("\(device.app): \(device.lastResult)") }
        // end
        try await parley.unregisterForPush()
        #expect(try await parley.pushDevices().isEmpty)
        await parley.close()
        await tablet.close()
    }

    @Test("T7 what a push is about is read, also as Google's service brings it; what is not of Parley is refused")
    func opening() throws {
        let apple: [AnyHashable: Any] = [
            "aps": ["alert": ["title": "Bob", "body": "hi"]],
            "parley": [
                "id": "1f", "kind": "message", "conversation": "c_1", "seq": 9_007_199_254_740_993 as Int64,
                "sender": "u_1",
            ] as [String: Any],
        ]
        let google: [AnyHashable: Any] = [
            "id": "1f", "kind": "message", "conversation": "c_1", "seq": "9007199254740993", "sender": "u_1",
        ]
        for userInfo in [apple, google] {
            // snippet
            let content = try NotificationContent.open(userInfo)
            show("\(content.kind) in \(content.conversation?.rawValue ?? "")")
            // end
            #expect(screen.lines.last == "message in c_1" && content.seq == 9_007_199_254_740_993)
            #expect(content.sender == UserID(rawValue: "u_1") && content.title == nil)
        }
        let others: [([AnyHashable: Any], NotificationFailure)] = [
            ([:], .notOfParley), (["aps": ["badge": 3]], .notOfParley), (["parley": ["id": 7]], .notOfParley),
            (["parley": ["id": "1f", "sealed": "AAAA"]], .unreadable), (["id": "1f", "sealed": "*"], .unreadable),
        ]
        for (userInfo, failure) in others {
            #expect(throws: failure) { try NotificationContent.open(userInfo) }
            // snippet
            do throws(NotificationFailure) {
                show(try NotificationContent.open(userInfo).kind)
            } catch {
                show(error == .unreadable ? "New message" : "")
            }
            // end
            #expect(screen.lines.last == (failure == .unreadable ? "New message" : ""))
        }
    }

    #if canImport(CryptoKit)
        /// Compiled only: the servers that seal run on Linux.
        func sealed(_ parley: Parley, _ token: PushToken, _ userInfo: [AnyHashable: Any]) async throws {
            // snippet
            let key = NotificationKey()
            try await parley.registerForPush(token: token, key: key)
            // end
            // snippet
            let content = try NotificationContent.open(userInfo, with: key)
            show("\(content.title ?? ""): \(content.body ?? "")")
            // end
        }
    #endif
}
