import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

@MainActor
@Suite("ParleyKit: account and safety", .timeLimit(.minutes(2)))
struct KitAccountTests {
    private func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await eventually(what) { @Sendable in await isSo() }
    }

    private func newPerson(_ parley: Parley) async throws -> String {
        let username = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password, displayName: "Kit \(username)")
        return username
    }

    @Test("A1 an app lists my devices and signs out another one, then all of them")
    func devices() async throws {
        let cluster = try await TestCluster.shared
        let (phone, tablet) = (try AppFolder(), try AppFolder())
        let (parley, other) = (await phone.open(cluster.url()), await tablet.open(cluster.url()))
        let username = try await newPerson(parley)
        try await other.signIn(username: username, password: Device.password)
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // snippet
        for device in try await parley.devices() where !device.isCurrent {
            show("\(device.name), last used \(device.lastUsedAt.formatted())")
        }
        // end
        #expect(shown.count == 1)
        let devices = try await parley.devices()
        #expect(devices.count == 2 && devices.allSatisfy { abs($0.signedInAt.timeIntervalSinceNow) < 600 })
        let second = try #require(devices.first { !$0.isCurrent })
        try await parley.signOut(device: second.id)
        try await shows("the other device is signed out") { other.problem?.code == .revoked }
        #expect(try await parley.devices().map(\.isCurrent) == [true])
        await #expect(throws: Refusal.self) { try await parley.signOut(device: second.id) }

        try await other.signIn(username: username, password: Device.password)
        let link = try await Self.calendarLink(of: username, at: cluster)
        try await parley.signOut(everywhere: true)
        #expect(parley.user == nil)
        try await shows("all are signed out") { other.problem?.code == .revoked }
        #expect(try await Self.status(of: link, at: cluster) == 200, "the link to the calendar stays")
        try await parley.signIn(username: username, password: Device.password)
        try await parley.signOut(everywhere: true, endingCalendarLink: true)
        #expect(try await Self.status(of: link, at: cluster) == 404)
        await parley.close()
        await other.close()
    }

    /// The secret link to a person's calendar, which another app made.
    private static func calendarLink(of username: String, at cluster: TestCluster) async throws -> String {
        let client = try await cluster.stranger()
        try await client.signIn(username: username, password: Device.password)
        let link = try await client.createCalendarLink()
        await client.close()
        return link
    }

    private static func status(of link: String, at cluster: TestCluster) async throws -> Int? {
        let server = cluster.endpoints.http[0]
        return try await onThread { try RawHTTP.send("HEAD", link, to: server)?.status }
    }

    @Test("A4 C13 an app finds people and reports a message")
    func searchAndReport() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let username = try await newPerson(parley)
        let ada = try await cluster.person("ada")
        let found = try await parley.searchUsers(ada.username, isPicker: true)
        #expect(found.map(\.id) == [UserID(rawValue: ada.user)])
        #expect(try await parley.searchUsers(username, isPicker: true).isEmpty)
        #expect(try await parley.searchUsers(username, limit: 1).map(\.id) == [#require(parley.user)])
        await #expect(throws: Refusal.self) { try await parley.searchUsers("") }

        let chat = try await parley.startConversation(with: found[0])
        try await shows("it is made") { chat.syncStatus == .synced }
        _ = try await ada.client.startDirect(with: try #require(parley.user).rawValue)
        _ = try await ada.client.send("Buy now!", to: chat.id.rawValue)
        try await shows("the message is shown") { chat.messages.last?.text == "Buy now!" }
        let message = try #require(chat.messages.last)
        // snippet
        try await parley.report(message, for: .spam)
        // end
        try await parley.report(found[0].id, for: .other, note: "Again and again")
        await #expect(throws: Refusal.self) { try await parley.report(UserID(rawValue: "nobody"), for: .spam) }
        let mine = try await cluster.stranger()
        _ = try await mine.signIn(username: username, password: Device.password)
        let reports = try await mine.reports().reports
        #expect(reports.map(\.reason).sorted { $0.rawValue < $1.rawValue } == [.spam, .other])
        #expect(reports.first { $0.reason == .spam }?.seq == message.seq)
        #expect(reports.first { $0.reason == .other }?.note == "Again and again")
        await mine.close()
        await parley.close()
    }

    @Test("M18 an app lets messages disappear, and shows at once when others change that")
    func retention() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        _ = try await newPerson(parley)
        let ada = try await cluster.person("ada")
        let chat = try await parley.startConversation(with: parley.findUser(ada.username))
        try await shows("it is made") { chat.syncStatus == .synced }
        _ = try await ada.client.startDirect(with: try #require(parley.user).rawValue)
        #expect(chat.retention == nil)
        try await chat.setRetention(.seconds(3_600))
        #expect(chat.retention == .seconds(3_600))
        try await shows("the server has it") { chat.syncStatus == .synced && parley.unsent.isEmpty }
        #expect(chat.retention == .seconds(3_600))
        try await chat.send("For an hour")
        try await shows("it disappears") { chat.messages.last?.expiresAt != nil }
        for wrong in [Duration.seconds(1), .zero] {
            try await chat.setRetention(wrong)
            try await shows("\(wrong) is refused") {
                if case .failed(let refusal) = chat.syncStatus { refusal.code == .invalid } else { false }
            }
            #expect(chat.retention == .seconds(3_600))
            try await parley.drop(parley.unsent[0].id)
        }
        try await ada.client.setRetention(of: chat.id.rawValue, seconds: 0)
        try await shows("messages stay again") { chat.retention == nil }
        await parley.close()

        let again = await app.open("ws://127.0.0.1:1/v1/socket")
        #expect(again.conversation(chat.id).retention == nil)
        await again.close()

        // By a clock that is days ahead it has disappeared. It is there again when the server tells the time.
        let early = await app.open("ws://127.0.0.1:1/v1/socket", skew: .seconds(3 * 86_400))
        await early.conversation(chat.id).load()
        #expect(!early.conversation(chat.id).messages.map(\.text).contains("For an hour"))
        try await Task.sleep(for: .seconds(2))
        await early.close()
        let right = await app.open(cluster.url(), skew: .seconds(3 * 86_400))
        let same = right.conversation(chat.id)
        await same.load()
        try await shows("it has not disappeared") { same.messages.map(\.text).contains("For an hour") }
        await right.close()
    }

    @Test("C8 an app lists archived conversations, also offline; a message brings one back to the inbox")
    func archived() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        _ = try await newPerson(parley)
        let ada = try await cluster.person("ada")
        let chat = try await parley.startConversation(with: parley.findUser(ada.username))
        _ = try await ada.client.startDirect(with: try #require(parley.user).rawValue)
        _ = try await ada.client.send("Hello", to: chat.id.rawValue)
        try await shows("the message is shown") { chat.messages.count == 1 }
        try await chat.archive()
        #expect(parley.inbox.conversations.isEmpty && parley.archived.conversations.isEmpty)
        await parley.archived.loadMore()
        #expect(parley.archived.conversations.map(\.id) == [chat.id] && !parley.archived.hasMore)
        try await shows("the server has it") { parley.unsent.isEmpty }
        await parley.close()

        let offline = await app.open("ws://127.0.0.1:1/v1/socket")
        await offline.archived.loadMore()
        #expect(offline.archived.conversations.map(\.id) == [chat.id] && offline.inbox.conversations.isEmpty)
        await offline.close()

        let again = await app.open(cluster.url())
        await again.archived.loadMore()
        _ = try await ada.client.send("Still there?", to: chat.id.rawValue)
        try await shows("it is back") {
            again.inbox.conversations.map(\.id) == [chat.id] && again.archived.conversations.isEmpty
        }
        await again.close()
    }

    @Test("A5 an app erases my account; nothing of it is left on the device")
    func erase() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let username = try await newPerson(parley)
        let me = try #require(parley.user)
        var code: Refusal.Code?
        do {
            try await parley.eraseAccount(password: "not the password")
        } catch {
            code = error.code
        }
        #expect(code == .wrongCredentials && parley.user == me)
        try await parley.eraseAccount(password: Device.password)
        #expect(parley.user == nil && parley.inbox.conversations.isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: app.url.path)
        #expect(!left.contains { $0.contains(me.rawValue) }, "\(left)")
        await #expect(throws: Refusal.self) { try await parley.signIn(username: username, password: Device.password) }
        await parley.close()
    }
}
