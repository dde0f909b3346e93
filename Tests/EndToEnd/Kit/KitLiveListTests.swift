import Foundation
import ParleyKit
import TestSupport
import Testing

@MainActor
@Suite("ParleyKit: counts and lists of all conversations", .timeLimit(.minutes(4)))
struct KitLiveListTests {
    private func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await eventually(what) { @Sendable in await isSo() }
    }

    @Test("M7 M10 M11 S9 badge and lists follow another device of mine, also with messages that this one does not have")
    func devices() async throws {
        let cluster = try await TestCluster.shared
        let (ada, app) = (try await cluster.person("ada"), try AppFolder())
        let first = await app.open(cluster.url())
        let username = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await first.register(username: username, password: Device.password)
        let me = try #require(first.user)
        _ = try await ada.client.startDirect(with: me.rawValue)
        let id = ConversationID.direct(me, UserID(rawValue: ada.user))
        for number in 1...3 { _ = try await ada.client.send("\(number)", to: id.rawValue) }
        let mine = try await cluster.stranger()
        try await mine.signIn(username: username, password: Device.password)
        try await shows("the messages have come") { first.conversation(id).messages.map(\.text) == ["1", "2", "3"] }
        try await shows("they are counted") { first.badge == Badge(messages: 3, conversations: 1) }
        let starred = first.list(of: .starred)
        await starred.load()
        #expect(starred.messages.isEmpty && !starred.hasMore)

        _ = try await ada.client.send(
            .with { ($0.conversation, $0.text, $0.mentions) = (id.rawValue, "@me", [me.rawValue]) })
        try await shows("a mention is counted") { first.badge == Badge(messages: 4, conversations: 1, mentions: 1) }
        let counted = try await first.serverBadge()
        #expect(counted == first.badge)
        let mentions = first.list(of: .mentions)
        await mentions.load()
        #expect(mentions.messages.map(\.text) == ["@me"])

        // A new device that holds the newest message only.
        let other = try AppFolder()
        let second = await other.open(cluster.url(), pageSize: 1)
        try await second.signIn(username: username, password: Device.password)
        let elsewhere = second.list(of: .starred)
        await elsewhere.load()
        for seq in [Int64(1), 3] { try await mine.star([seq], of: id.rawValue) }
        try await shows("stars of another device") { starred.messages.map(\.text) == ["3", "1"] }
        try await shows("also of what this one may not hold") { elsewhere.messages.map(\.text) == ["3", "1"] }
        try await mine.star([3], of: id.rawValue, starred: false)
        try await shows("one is taken back") { starred.messages.map(\.text) == ["1"] }
        try await shows("on the other, too") { elsewhere.messages.map(\.text) == ["1"] }

        _ = try await mine.markRead(id.rawValue, upTo: 4)
        try await shows("read on another device") { first.badge == Badge() }
        #expect(try await first.serverBadge() == Badge())
        await mine.close()
        for app in [first, second] { await app.close() }
    }

    @Test("C8 M7 what I marked as unread is read on all my devices when I open it again, though nothing new came")
    func readAgain() async throws {
        let cluster = try await TestCluster.shared
        let (ada, apps) = (try await cluster.person("ada"), [try AppFolder(), try AppFolder()])
        let (first, second) = (await apps[0].open(cluster.url()), await apps[1].open(cluster.url()))
        let username = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await first.register(username: username, password: Device.password)
        try await second.signIn(username: username, password: Device.password)
        let id = ConversationID.direct(try #require(first.user), UserID(rawValue: ada.user))
        _ = try await ada.client.startDirect(with: try #require(first.user).rawValue)
        _ = try await ada.client.send("Hello", to: id.rawValue)
        let (mine, other) = (first.conversation(id), second.conversation(id))
        try await shows("the message has come") { mine.unread.messages == 1 && other.unread.messages == 1 }
        try await mine.markRead()
        try await shows("it is read") { !other.unread.isUnread }
        try await mine.markUnread()
        try await shows("it is marked") { other.unread.isMarked && first.unsent.isEmpty }
        try await mine.markRead()
        try await shows("it is read again") { !other.unread.isUnread && first.unsent.isEmpty && !mine.unread.isUnread }
        #expect(try await second.serverBadge() == Badge())
        for app in [first, second] { await app.close() }
    }
}
