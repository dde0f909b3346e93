import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

/// A folder of an app, and what opens it.
@MainActor
final class AppFolder {
    let url: URL
    private let folder: TestFolder
    /// The URLs at which the server of the app was, or was not.
    private var servers: Set<String> = []

    init() throws {
        folder = try TestFolder()
        url = URL(fileURLWithPath: folder.path)
    }

    deinit { folder.remove() }

    func open(
        _ server: String, pageSize: Int = 50, in url: URL? = nil, skew: Duration = .zero, keepsEnded: Bool = false
    ) async -> Parley {
        var options = Parley.Options(folder: url ?? self.url)
        (options.pageSize, options.clockSkew) = (pageSize, skew)
        options.keepsEndedAccounts = keepsEnded
        servers.insert(server)
        options.formerServers = servers
        options.client.backoff = Backoff(first: .milliseconds(20), last: .milliseconds(500))
        return await Parley.open(server, options: options)
    }

    /// Copies the files as they are now: what a killed process leaves.
    func copy() throws -> URL {
        let copy = url.deletingLastPathComponent().appendingPathComponent("\(url.lastPathComponent)-copy")
        try FileManager.default.copyItem(at: url, to: copy)
        return copy
    }
}

@MainActor
@Suite("ParleyKit", .timeLimit(.minutes(3)))
struct KitTests {
    /// An address where nothing listens.
    private static let nowhere = "ws://127.0.0.1:1/v1/socket"

    private func newPerson(_ parley: Parley, _ name: String) async throws -> UserID {
        let username = name + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password, displayName: name)
        return try #require(parley.user)
    }

    /// Waits until what an app shows is so.
    private func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await eventually(what) { @Sendable in await isSo() }
    }

    /// What an app shows of a conversation.
    private func shown(_ chat: Conversation) -> [String] {
        ["\(chat.name) \(chat.memberCount) \(chat.unread) \(chat.gaps)"]
            + chat.messages.map { "\($0.seq ?? 0) \($0.text) \($0.status) \($0.reactions) \($0.isStarred)" }
    }

    @Test("S5 what arrived is shown after a kill, without a server; then it is confirmed and goes on")
    func offline() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let me = try await newPerson(parley, "kit")
        let ada = try await cluster.person("ada")
        let group = try await ada.client.createGroup(name: "Crew", users: [me.rawValue]).conversation.id
        try await shows("the group is in the inbox") { !parley.inbox.conversations.isEmpty }
        let direct = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await ada.client.startDirect(with: me.rawValue)
        for number in 1...30 { _ = try await ada.client.send("\(number)", to: direct.rawValue) }
        try await shows("the conversation is first in the inbox") {
            parley.inbox.conversations.first?.unread.messages == 30
        }
        let chat = parley.conversation(direct)
        try await shows("all messages are shown") { chat.messages.count == 30 }
        #expect(parley.inbox.conversations.first === chat)
        _ = try await ada.client.react("👍", to: 7, of: direct.rawValue)
        _ = try await ada.client.edit(8, of: direct.rawValue, text: "eight")
        try await shows("the changes are shown") {
            chat.messages[6].reactions.first?.count == 1 && chat.messages[7].text == "eight"
        }
        var texts = (1...30).map { "\($0)" }
        texts[7] = "eight"
        #expect(chat.messages.map(\.text) == texts)
        chat.setDraft("I will")
        #expect(parley.conversation(direct) === chat)
        #expect(!parley.isFromCache)
        #expect(parley.profile?.user.id == me)
        // The draft is written a moment later.
        try await Task.sleep(for: .milliseconds(200))

        let killed = try app.copy()
        defer { try? FileManager.default.removeItem(at: killed) }
        let before = shown(chat)
        await parley.close()

        let cold = await app.open(Self.nowhere, in: killed)
        #expect(cold.user == me)
        try await eventually("the problem is told in words") { @Sendable in
            await cold.problem?.message == "Cannot connect to 127.0.0.1:1: Connection refused"
        }
        let refusal = await #expect(throws: Refusal.self) { try await cold.findUser("bob") }
        #expect(refusal?.code == .offline)
        #expect(cold.user == me)
        #expect(cold.inbox.conversations.map(\.id.rawValue) == [direct.rawValue, group])
        #expect(cold.inbox.conversations.last?.name == "Crew")
        #expect(cold.inbox.conversations.first?.lastMessage?.text == "30")
        #expect(cold.profile?.user.id == me)
        let same = cold.conversation(direct)
        await same.load()
        #expect(shown(same) == before)
        #expect(same.draft == "I will")
        #expect(cold.isFromCache && same.isFromCache)
        try await shows("it says that it is offline") {
            if case .offline = cold.connection { true } else { false }
        }
        await cold.close()

        _ = try await ada.client.send("31", to: direct.rawValue)
        let again = await app.open(cluster.url(), in: killed)
        let chatAgain = again.conversation(direct)
        try await shows("what was missed is shown") { chatAgain.messages.last?.text == "31" }
        try await shows("it is confirmed") { !again.isFromCache }
        #expect(chatAgain.messages.count == 31)
        #expect(again.connection == .online)
        #expect(!chatAgain.isFromCache)
        await again.close()
    }

    @Test("E8 suggestions are shown, also without a server; accepted and dismissed they are gone")
    func suggestions() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let me = try await newPerson(parley, "kit")
        let ada = try await cluster.person("ada")
        await ada.client.setTimeZone("Europe/Zurich")
        let talk = try await ada.client.startDirect(with: me.rawValue).conversation.id
        for text in ["Dinner on Friday at 7pm", "Can you send the docs by tomorrow?", "Lunch tomorrow"] {
            _ = try await ada.client.send(text, to: talk)
        }
        try await shows("three are suggested") { parley.suggestions.count == 3 }
        let (lunch, docs, dinner) = (parley.suggestions[0], parley.suggestions[1], parley.suggestions[2])
        #expect(lunch.title == "Lunch" && docs.title == "Send the docs" && dinner.conversation.rawValue == talk)
        guard case .event(_, let time, "Europe/Zurich", 0, "") = dinner.content, case .reminder = docs.content else {
            return #expect(Bool(false), "\(parley.suggestions)")
        }
        #expect(time == "19:00" && !dinner.isAnswer && dinner.seq == 1)
        try await parley.accept(docs, title: "Docs for Ada")
        try await parley.dismiss(lunch)
        #expect(parley.suggestions == [dinner])
        try await shows("the reminder is made") { parley.reminders.map(\.title) == ["Docs for Ada"] }
        try await shows("all is sent") { parley.unsent.isEmpty }
        #expect(parley.suggestions == [dinner])
        // What has ended is not dismissed again, nor accepted.
        try await parley.dismiss(docs)
        try await parley.accept(lunch)
        try await shows("the acceptance is refused") { parley.unsent.map(\.kind) == [.suggestion(lunch.id)] }
        try await shows("it says why") {
            if case .failed(let refusal) = parley.unsent.first?.syncStatus { refusal.code == .notFound } else { false }
        }
        try await parley.drop(parley.unsent[0].id)
        let suggested = try #require(
            try await ada.client.listSuggestions().suggestions.first { $0.title == "Dinner" }.flatMap {
                UUIDv7(bytes: $0.id)
            })
        try await ada.client.acceptSuggestion(suggested)
        try await shows("it is an answer") { parley.suggestions.first?.isAnswer == true }
        await parley.close()
        let cold = await app.open(Self.nowhere)
        #expect(cold.suggestions.map(\.id) == [dinner.id])
        await cold.close()
    }

    @Test("older messages, those around one and those of a gap are loaded from the server, then from the device")
    func windows() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url(), pageSize: 10)
        let me = try await newPerson(parley, "kit")
        let ada = try await cluster.person("ada")
        let id = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await ada.client.startDirect(with: me.rawValue)
        for number in 1...100 { _ = try await ada.client.send("\(number)", to: id.rawValue) }
        await parley.close()

        // A device that has nothing of it.
        let fresh = try AppFolder()
        try FileManager.default.copyItem(
            at: app.url.appendingPathComponent("credentials.json"),
            to: fresh.url.appendingPathComponent("credentials.json"))
        let other = await fresh.open(cluster.url(), pageSize: 10)
        try await shows("it is synced") { !other.isFromCache }
        let chat = other.conversation(id)
        await chat.load()
        #expect(chat.messages.compactMap(\.seq) == Array(91...100))
        #expect(chat.hasOlder && chat.gaps.isEmpty)
        try await chat.loadOlder(10)
        #expect(chat.messages.compactMap(\.seq) == Array(81...100))
        try await chat.load(around: 40, 10)
        #expect(chat.messages.compactMap(\.seq).contains(40))
        let gap = try #require(chat.gaps.first)
        #expect(gap.last == 80)
        #expect(chat.gaps.count == 1)
        _ = try await ada.client.send("101", to: id.rawValue)
        try await shows("a new message is shown") { chat.messages.last?.seq == 101 }
        while let gap = chat.gaps.first { try await chat.fill(gap, 20) }
        while chat.hasOlder { try await chat.loadOlder(30) }
        #expect(chat.messages.compactMap(\.seq) == Array(1...101))
        await other.close()

        let cold = await fresh.open(Self.nowhere, pageSize: 10)
        let stored = cold.conversation(id)
        await stored.load()
        #expect(stored.messages.compactMap(\.seq) == Array(92...101))
        try await stored.load(around: 40, 10)
        while let gap = stored.gaps.first { try await stored.fill(gap, 20) }
        while stored.hasOlder { try await stored.loadOlder(30) }
        #expect(stored.messages.compactMap(\.seq) == Array(1...101))
        try await stored.unloadOlder()
        #expect(stored.messages.compactMap(\.seq) == Array(92...101))
        await cold.close()
    }

    @Test("of two processes with one file one is connected; the other shows changes, and takes over")
    func twoProcesses() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let first = await app.open(cluster.url())
        let me = try await newPerson(first, "kit")
        let ada = try await cluster.person("ada")
        let id = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await ada.client.startDirect(with: me.rawValue)
        _ = try await ada.client.send("1", to: id.rawValue)
        try await shows("the first has the message") { first.inbox.conversations.first?.lastMessage?.text == "1" }

        let second = await app.open(cluster.url())
        #expect(second.connection == .elsewhere)
        let chat = second.conversation(id)
        await chat.load()
        #expect(chat.messages.map(\.text) == ["1"])
        for text in ["2", "3", "4", "5", "6"] {
            _ = try await ada.client.send(text, to: id.rawValue)
            try await shows("the first shows it") { first.inbox.conversations.first?.lastMessage?.text == text }
            try await shows("the second shows it") { chat.messages.last?.text == text }
        }
        #expect(second.inbox.conversations.first?.unread.messages == 6)

        // What the second does, the first sends.
        let mine = try await chat.send("from the second")
        #expect(chat.messages.last?.syncStatus == .pending)
        try await shows("it is sent") { second.unsent.isEmpty && chat.message(mine.id)?.seq == 7 }
        #expect(chat.messages.allSatisfy { $0.syncStatus == .synced })
        try await shows("the first shows it") { first.inbox.conversations.first?.lastMessage?.text == mine.text }
        #expect(first.unsent.isEmpty)

        await first.close()
        try await shows("the second is connected") { second.connection == .online }
        _ = try await ada.client.send("8", to: id.rawValue)
        try await shows("the second receives by itself") { chat.messages.last?.text == "8" }
        await second.close()
    }

    @Test("S9 reminders, presence, receipts and statuses are observed; sign-out removes what was stored")
    func others() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let me = try await newPerson(parley, "kit")
        let username = try #require(try await parley.users([me]).first?.username)
        #expect(try await parley.findUser(username).id == me)
        // My other device, which writes.
        let mine = try await cluster.stranger()
        try await mine.signIn(username: username, password: Device.password)
        let ada = try await cluster.person("ada")
        let id = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await mine.startDirect(with: ada.user)
        let chat = parley.conversation(id)
        await chat.load()
        #expect(chat.messages.isEmpty && chat.isLoaded)
        _ = try await mine.send("Hello", to: id.rawValue)
        try await shows("it is shown") { chat.messages.map(\.text) == ["Hello"] }
        #expect(chat.messages[0].status == .sent)
        try await ada.client.markRead(id.rawValue, upTo: 1)
        try await shows("it was read") { chat.messages[0].status == .read }
        #expect(chat.receipts[UserID(rawValue: ada.user)]?.readUpTo == 1)

        // Another service learns a moment later that the two have a conversation.
        let watched = UserID(rawValue: ada.user)
        try await eventually("ada is online") { @Sendable in
            try await parley.watchPresence(of: [watched])
            return await parley.presence[watched] == .online
        }
        await ada.client.close()
        try await shows("ada has gone") { parley.presence[watched]?.status == .offline }
        try await parley.setAvailability(.doNotDisturb)
        try await parley.setStatus("busy")
        try await parley.setHiding(.fromAllButAccepted)
        #expect(parley.ownPresence?.availability == .doNotDisturb && parley.ownPresence?.statusText == "busy")
        await parley.setActivity(isInForeground: true, conversation: id)
        try await mine.setPresence(.automatic, status: .init())
        try await shows("what my other device says") { parley.ownPresence?.availability == .automatic }
        #expect(parley.ownPresence?.hiding == .fromAllButAccepted && parley.ownPresence?.statusText == nil)
        let reminder = try await mine.createReminder(.with { ($0.title, $0.dueAtUs) = ("tea", 4_000_000_000_000_000) })
        try await shows("the reminder is shown") { parley.reminders.map(\.title) == ["tea"] }
        _ = try await mine.deleteReminder(try #require(UUIDv7(bytes: reminder.reminder.id)))
        try await shows("the reminder is gone") { parley.reminders.isEmpty }
        await mine.close()

        let files = try FileManager.default.contentsOfDirectory(atPath: app.url.path)
        #expect(files.contains { $0.hasSuffix(".parley") } && files.contains("credentials.json"))
        try await parley.signOut()
        #expect(parley.user == nil && parley.inbox.conversations.isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: app.url.path)
        #expect(!left.contains { $0.contains(".parley") } && !left.contains("credentials.json"))
        _ = try await newPerson(parley, "next")
        try await shows("another person is signed in") { parley.profile != nil && !parley.isFromCache }
        await parley.close()
    }
}

@MainActor
@Suite("ParleyKit, where strangers ask first", .timeLimit(.minutes(3)))
struct KitRequestTests {
    private func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await eventually(what) { @Sendable in await isSo() }
    }

    @Test(
        "S9 a message request is in the list of requests with its first message, and moves to the inbox once accepted")
    func request() async throws {
        let cluster = try await TestCluster.asking
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let username = "kit" + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password)
        let me = try #require(parley.user)
        let ada = try await cluster.person("ada")
        _ = try await ada.client.startDirect(with: me.rawValue)
        let id = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await ada.client.send("May I?", to: id.rawValue)
        try await shows("the request is shown") { parley.requests.conversations.first?.lastMessage?.text == "May I?" }
        let chat = parley.conversation(id)
        #expect(parley.requests.conversations.first === chat)
        #expect(chat.request == .received(from: UserID(rawValue: ada.user)))
        try await shows("it is counted") { parley.requestCount == .init(total: 1, unread: 1) }
        #expect(parley.inbox.conversations.isEmpty)
        // From another device of mine.
        let mine = try await cluster.stranger()
        try await mine.signIn(username: username, password: Device.password)
        _ = try await mine.acceptRequest(id.rawValue)
        try await shows("it is in the inbox") { parley.inbox.conversations.first === chat }
        #expect(parley.requests.conversations.isEmpty)
        #expect(chat.request == .accepted)
        await mine.close()
        await parley.close()
    }

    @Test("M5 M6 what reaches an app is told to its author, also what came while it was away; of a request nothing is")
    func delivered() async throws {
        let cluster = try await TestCluster.asking
        let app = try AppFolder()
        let first = await app.open(cluster.url())
        try await first.register(
            username: "kit" + String(UInt64.random(in: .min ... .max), radix: 36), password: Device.password)
        let me = try #require(first.user)
        let other = try AppFolder()
        let adas = await other.open(cluster.url())
        try await adas.register(
            username: "kit" + String(UInt64.random(in: .min ... .max), radix: 36), password: Device.password)
        let mine = try #require(try await adas.users([me]).first)
        let chat = try await adas.startConversation(with: mine)
        try await chat.send("May I?")
        let id = chat.id
        try await shows("the request has come") { first.requests.conversations.map(\.id) == [id] }
        try await first.conversation(id).accept()
        try await shows("the app has what it accepted") { chat.messages.map(\.status) == [.delivered] }

        // Nobody looks at it.
        for number in 1...5 { try await chat.send("\(number)") }
        try await shows("all of them came") { chat.messages.allSatisfy { $0.status == .delivered } }
        #expect(chat.receipts[me]?.readUpTo == 0)
        await first.close()
        for number in 6...8 { try await chat.send("\(number)") }
        try await shows("they are sent") { adas.unsent.isEmpty }
        #expect(chat.messages.suffix(3).map(\.status) == [.sent, .sent, .sent])
        let parley = await app.open(cluster.url())
        try await shows("they came later") { chat.messages.last?.status == .delivered }

        // A stranger does not learn that the app is there.
        let bobs = await (try AppFolder()).open(cluster.url())
        try await bobs.register(
            username: "kit" + String(UInt64.random(in: .min ... .max), radix: 36), password: Device.password)
        let strange = try await bobs.startConversation(with: mine)
        try await strange.send("Hello?")
        let request = strange.id
        try await shows("the stranger's request has come") { parley.requests.conversations.map(\.id) == [request] }
        try await chat.send("9")
        try await shows("what came after it was told") { chat.messages.last?.status == .delivered }
        #expect(strange.messages.map(\.status) == [.sent])
        for kit in [parley, adas, bobs] { await kit.close() }
    }
}

extension FaultClusters {
    @Test("ParleyKit says that it is offline, keeps what it shows, and goes on when a gateway is killed and comes back")
    @MainActor
    func kit() async throws {
        let cluster = try await TestCluster(.init(gateways: 1))
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
            try await eventually(what) { @Sendable in await isSo() }
        }
        try await parley.register(username: "kit", password: Device.password)
        let me = try #require(parley.user)
        let ada = try await cluster.person("ada")
        let chat = try #require(parley.conversation(with: UserID(rawValue: ada.user)))
        _ = try await ada.client.startDirect(with: me.rawValue)
        _ = try await ada.client.send("1", to: chat.id.rawValue)
        try await shows("the message is shown") { chat.messages.map(\.text) == ["1"] }
        try await cluster.cluster.kill("gateway-1")
        try await shows("it notices") { parley.connection != .online }
        _ = try await ada.client.sendReliably("2", to: chat.id.rawValue)
        try await shows("it goes on") { parley.connection == .online && chat.messages.map(\.text) == ["1", "2"] }

        await cluster.end()
        try await shows("it is offline") { if case .offline = parley.connection { true } else { false } }
        #expect(parley.problem?.isTemporary == true)
        #expect(chat.messages.map(\.text) == ["1", "2"])
        await #expect(throws: Refusal.self) { try await parley.users([me]) }
        await parley.close()
    }

    @Test("ParleyKit shows nothing of one person after another has signed in on the device, and both have their file")
    @MainActor
    func switching() async throws {
        let cluster = try await TestCluster(.init(gateways: 1))
        let app = try AppFolder()
        let parley = await app.open(cluster.url(), keepsEnded: true)
        func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
            try await eventually(what) { @Sendable in await isSo() }
        }
        try await parley.register(username: "first", password: Device.password)
        let first = try #require(parley.user)
        let ada = try await cluster.person("ada")
        _ = try await ada.client.startDirect(with: first.rawValue)
        _ = try await ada.client.send(
            "for the first", to: ConversationID.direct(first, UserID(rawValue: ada.user)).rawValue)
        try await shows("it is in the inbox") { parley.inbox.conversations.first?.lastMessage?.text == "for the first" }
        // Another device of mine signs this one out.
        let mine = try await cluster.stranger()
        try await mine.signIn(username: "first", password: Device.password)
        for device in try await mine.devices() where !device.current { try await mine.revokeDevice(device.id) }
        try await shows("it has to sign in again") { parley.problem?.code == .revoked }
        #expect(parley.inbox.conversations.count == 1)
        try await eventually("another person signs in") { @Sendable in
            do throws(Refusal) {
                try await parley.register(username: "second", password: Device.password)
                return true
            } catch  where error.isTemporary {
                return false
            } catch  where error.code == .usernameTaken {
                // By an attempt before whose reply was lost.
                try await parley.signIn(username: "second", password: Device.password)
                return true
            }
        }
        #expect(parley.user != first && parley.inbox.conversations.isEmpty)
        try await shows("the second is synced") { !parley.isFromCache && parley.connection == .online }
        let files = try FileManager.default.contentsOfDirectory(atPath: app.url.path)
        #expect(files.count { $0.hasSuffix(".parley") } == 2)
        await mine.close()
        await parley.close()
        await cluster.end()
    }
}
