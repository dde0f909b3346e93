import ParleyClient
import ParleyKit
import TestSupport
import Testing

@MainActor
@Suite("How soon another process shows changes")
struct KitTimingTests {
    @Test("of two processes with one file, the one that is not connected shows changes within a second")
    func elsewhere() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let first = await app.open(cluster.url())
        let name = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await first.register(username: name, password: Device.password, displayName: name)
        let me = try #require(first.user)
        let ada = try await cluster.person("ada")
        let id = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await ada.client.startDirect(with: me.rawValue)
        let second = await app.open(cluster.url())
        #expect(second.connection == .elsewhere)
        let chat = second.conversation(id)
        await chat.load()
        for text in ["1", "2", "3", "4", "5"] {
            _ = try await ada.client.send(text, to: id.rawValue)
            try await eventually("the first shows it") { @MainActor in
                first.inbox.conversations.first?.lastMessage?.text == text
            }
            let showing = try await measured {
                try await eventually("the second shows it") { @MainActor in chat.messages.last?.text == text }
            }
            #expect(showing.isWithin(.seconds(1)), "\(showing)")
        }
        await second.close()
        await first.close()
    }
}
