import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

/// What an app shows of receipts that came while it was away.
@MainActor
@Suite("ParleyKit, receipts after a gap", .timeLimit(.minutes(3)))
struct KitReceiptTests {
    private func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await eventually(what) { @Sendable in await isSo() }
    }

    @Test("M5 M6 S8 what was read while the app was away is shown once a conversation is open, and on a new device")
    func away() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        var parley = await app.open(cluster.url())
        let username = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password)
        let (ada, bob) = (try await cluster.person("ada"), try await cluster.person("bob"))
        let people = try await parley.users([ada, bob].map { UserID(rawValue: $0.user) })
        var sent: [ConversationID] = []
        for person in people {
            let chat = try await parley.startConversation(with: person)
            let client = person.id.rawValue == ada.user ? ada.client : bob.client
            try await chat.send("Hello")
            try await shows("it is sent") { chat.messages.first?.syncStatus == .synced }
            try await client.accept(chat.id)
            sent.append(chat.id)
        }
        await parley.close()

        try await ada.client.markRead(sent[0].rawValue, upTo: 1)
        try await bob.client.markRead(sent[1].rawValue, upTo: 1)
        parley = await app.open(cluster.url())
        try await shows("it is connected") { !parley.isFromCache }
        let chat = parley.conversation(sent[0])
        try await shows("ada has read it") { chat.messages.first?.status == .read }
        #expect(chat.receipts[UserID(rawValue: ada.user)]?.readUpTo == 1)

        // A session later, of what is on the screen and of what is opened again.
        let other = parley.conversation(sent[1])
        try await shows("bob has read it") { other.messages.first?.status == .read }
        for id in sent { try await parley.conversation(id).send("Are you there?") }
        try await shows("both are sent") { parley.unsent.isEmpty }
        await parley.suspend()
        try await ada.client.markRead(sent[0].rawValue, upTo: 2)
        try await bob.client.markRead(sent[1].rawValue, upTo: 2)
        parley.resume()
        try await shows("of what is on the screen") { other.messages.last?.status == .read }
        try await shows("of what is opened again") { parley.conversation(sent[0]).messages.last?.status == .read }

        let new = try AppFolder()
        let tablet = await new.open(cluster.url())
        try await tablet.signIn(username: username, password: Device.password)
        for id in sent {
            let chat = tablet.conversation(id)
            try await shows("a new device knows it, too") {
                chat.messages.map(\.status) == [.read, .read]
            }
        }
        await tablet.close()
        await parley.close()
    }
}
