import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

@MainActor
@Suite("P3: typing in an app", .timeLimit(.minutes(3)))
struct KitTypingTests {
    @Test("P3 an app shows who is typing, and what is typed in it shows the others that its person types")
    func both() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let username = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password, displayName: "Kit")
        let me = try #require(parley.user)
        let ada = try await cluster.person("ada", gateway: 1)
        _ = try await ada.client.startDirect(with: me.rawValue)
        let direct = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await ada.client.send("hello", to: direct.rawValue)
        let chat = parley.conversation(direct)
        try await eventually("the message is shown") { @MainActor in chat.messages.count == 1 }

        try await ada.client.setTyping(true, in: direct.rawValue)
        try await eventually("ada is typing") { @MainActor in chat.typing.map(\.rawValue) == [ada.user] }
        _ = try await ada.client.send("again", to: direct.rawValue)
        try await eventually("her message ends it") { @MainActor in chat.typing.isEmpty && chat.messages.count == 2 }

        chat.composing()
        chat.composing()
        try await eventually("ada sees it") { @Sendable in await ada.updates.typing.map(\.typing) == [true] }
        try await chat.send("yes")
        try await eventually("and that it is over") { @Sendable in
            await ada.updates.typing.map(\.typing) == [true, false]
        }
        #expect(await ada.updates.typing.allSatisfy { $0.user == me.rawValue })
        await parley.close()
    }
}
