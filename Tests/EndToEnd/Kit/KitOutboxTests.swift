import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

@MainActor
@Suite("ParleyKit, what I do", .timeLimit(.minutes(10)))
struct KitOutboxTests {
    private func shows(_ what: String, _ isSo: @escaping @MainActor @Sendable () -> Bool) async throws {
        try await eventually(what) { @Sendable in await isSo() }
    }

    private func newPerson(_ parley: Parley, _ name: String) async throws -> String {
        let username = name + String(UInt64.random(in: .min ... .max), radix: 36)
        try await parley.register(username: username, password: Device.password, displayName: name)
        return username
    }

    private func history(_ device: Device, _ id: ConversationID) async throws -> [Parley_V1_Message] {
        var all: [Parley_V1_Message] = []
        while true {
            let page = try await device.client.history(of: id.rawValue, .after(all.last?.seq ?? 0), limit: 200)
            all += page.messages
            if !page.moreAfter { return all }
        }
    }

    @Test("S6 what was done offline in a new group is sent after the group, a decision after the one that it replaces")
    func inNewGroup() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        _ = try await newPerson(parley, "kit")
        let ada = try await cluster.person("ada")
        let people = try await parley.users([UserID(rawValue: ada.user)])
        await parley.close()
        let alone = await app.open("ws://127.0.0.1:1/v1/socket")
        try await shows("it is offline") { if case .offline = alone.connection { true } else { false } }
        for number in 1...5 {
            let group = try await alone.createGroup("Crew \(number)", with: people)
            let train = try await alone.addDecision("By train", in: group.id, isShared: true)
            try await alone.addDecision("By bus", in: group.id, isShared: true, replacing: train)
            try await alone.addEvent("Trip", on: "2027-05-01", at: "09:00", inviting: [group.id])
        }
        #expect(alone.unsent.count == 20)
        await alone.close()

        let again = await app.open(cluster.url())
        try await shows("everything is sent") { again.unsent.isEmpty }
        #expect(again.decisions.count == 10 && again.decisions.count { $0.supersededBy != nil } == 5)
        #expect(again.events.count == 5 && again.events.allSatisfy { $0.conversations.count == 1 })
        await again.close()
    }

    @Test("S6 S7 what is done without a server is shown at once, and is what everybody has once there is one")
    func offline() async throws {
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        _ = try await newPerson(parley, "kit")
        let me = try #require(parley.user)
        let (ada, bob) = (try await cluster.person("ada"), try await cluster.person("bob"))
        let people = try await parley.users([ada, bob].map { UserID(rawValue: $0.user) })
        await parley.close()

        let alone = await app.open("ws://127.0.0.1:1/v1/socket")
        try await shows("it is offline") { if case .offline = alone.connection { true } else { false } }
        let direct = try await alone.startConversation(with: people[0])
        let hello = try await direct.send("Helo")
        try await direct.edit(hello, to: "Hello")
        try await direct.react("👍", to: hello)
        let group = try await alone.createGroup("Crew", with: people)
        try await group.send("Welcome")
        try await group.rename("The crew")
        try await group.pin()
        try await alone.updateProfile(displayName: "Kit")
        let reminder = try await alone.addReminder("tea", dueAt: Date(timeIntervalSince1970: 4_000_000_000))
        try await alone.complete(reminder)
        #expect(alone.inbox.conversations.map(\.id) == [group.id, direct.id])
        #expect(direct.messages.map(\.text) == ["Hello"] && direct.syncStatus == .pending)
        #expect(alone.unsent.count == 11)
        await alone.close()

        let again = await app.open(cluster.url())
        #expect(again.inbox.conversations.map(\.id) == [group.id, direct.id])
        let (directAgain, groupAgain) = (again.conversation(direct.id), again.conversation(group.id))
        #expect(directAgain.messages.map(\.text) == ["Hello"])
        try await shows("everything is sent") { again.unsent.isEmpty }
        #expect(directAgain.messages.map(\.seq) == [1] && directAgain.messages.map(\.text) == ["Hello"])
        #expect(directAgain.messages[0].reactions.map(\.emoji) == ["👍"] && directAgain.messages[0].reactions[0].isMine)
        #expect(groupAgain.name == "The crew" && groupAgain.isPinned && groupAgain.syncStatus == .synced)
        #expect(groupAgain.memberCount == 3)
        #expect(again.profile?.user.displayName == "Kit" && again.profile?.syncStatus == .synced)
        #expect(again.reminders.map(\.isCompleted) == [true] && again.reminders.map(\.syncStatus) == [.synced])
        #expect(again.inbox.conversations.map(\.id) == [group.id, direct.id])
        let messages = try await history(ada, direct.id)
        #expect(messages.map(\.text) == ["Hello"] && messages.map(\.sender) == [me.rawValue])
        #expect(messages[0].reactions.map(\.emoji) == ["👍"])
        #expect(try await ada.client.getConversation(group.id.rawValue).name == "The crew")
        #expect(try await ada.client.users([me.rawValue]).map(\.displayName) == ["Kit"])

        let decision = try await again.addDecision("Pizza", in: group.id, isShared: true)
        try await groupAgain.setGroupPhoto(URL(string: "https://example.com/crew.png"))
        try await groupAgain.setAdmin(true, people[0].id)
        try await groupAgain.remove(people[1].id)
        #expect(again.decisions.map(\.id) == [decision.id] && groupAgain.memberCount == 2)
        try await shows("the group is changed") { again.unsent.isEmpty }
        #expect(again.decisions.map(\.syncStatus) == [.synced])
        let seen = try await ada.client.getConversation(group.id.rawValue)
        #expect(seen.photoURL == "https://example.com/crew.png" && seen.members.count == 2)
        #expect(seen.members.first { $0.user.id == ada.user }?.role == .admin)
        #expect(groupAgain.members.map(\.role).sorted() == [.admin, .owner])

        // A refusal, with its reason; what is right goes on.
        _ = try await ada.client.send("Mine", to: direct.id.rawValue)
        try await shows("ada's message is shown") { directAgain.messages.count == 2 }
        try await directAgain.edit(directAgain.messages[1], to: "not mine")
        try await directAgain.send("On we go")
        try await shows("it is refused") {
            guard case .failed(let refusal) = directAgain.messages[1].syncStatus else { return false }
            return refusal.code == .notAuthor
        }
        #expect(directAgain.messages[1].text == "Mine")
        try await shows("the next one is sent") { directAgain.messages.last?.seq == 3 }
        await #expect(throws: Refusal.self) { try await again.signOut() }
        try await again.drop(again.unsent[0].id)
        try await shows("nothing is left") { again.unsent.isEmpty }

        // An event, and answers to it from both sides.
        let dinner = try await again.addEvent(
            "Dinner", on: "2090-12-01", at: "19:30", in: try #require(TimeZone(identifier: "Europe/Zurich")),
            inviting: [direct.id])
        #expect(again.events.map(\.title) == ["Dinner"] && again.events[0].syncStatus == .pending)
        #expect(again.events[0].startsAt == Date(timeIntervalSince1970: 3_815_836_200))
        try await again.answer(dinner.id, .accepted, guests: 2)
        #expect(again.events[0].answer == .accepted && again.events[0].guests == 2)
        try await shows("the event is made") { again.unsent.isEmpty && again.events[0].syncStatus == .synced }
        #expect(again.events[0].startsAt == dinner.startsAt && again.events[0].coming == 3)
        let invited = try #require(UUIDv7(dinner.id.description))
        try await eventually("ada sees it") { @Sendable in (try? await ada.client.event(invited)) != nil }
        try await ada.client.answerEvent(invited, .tentative)
        try await shows("her answer is counted") { again.events[0].tentative == 1 }

        // Asked to host her event, accepted offline, and declined, which ends it here.
        let supper = await ada.client.newID()
        _ = try await ada.client.createEvent(
            .with {
                ($0.id, $0.title, $0.when.date) = (Data(supper.bytes), "Supper", "2090-12-02")
                $0.conversations = [direct.id.rawValue]
            })
        try await eventually("I can be asked") { @Sendable in
            (try? await ada.client.setEventHost(me.rawValue, of: supper)) != nil
        }
        try await shows("I am asked") { again.events.contains { $0.title == "Supper" && $0.isAskedToHost } }
        let asked = try #require(again.events.first { $0.title == "Supper" })
        #expect(!asked.isHost && again.events.contains { $0.id == dinner.id && $0.isHost })
        try await again.host(asked.id)
        let shown = try #require(again.events.first { $0.id == asked.id })
        #expect(shown.isHost && !shown.isAskedToHost && shown.syncStatus == .pending && shown.answer == .pending)
        try await shows("I host it") { again.unsent.isEmpty && again.events.contains { $0.hosts == [me] } }
        try await again.answer(asked.id, .declined)
        #expect(again.events.first { $0.id == asked.id }?.isHost == false)
        try await shows("it is over for me") { again.unsent.isEmpty && !again.events.contains { $0.id == asked.id } }
        try await shows("the conversation shows it") {
            directAgain.messages.contains { $0.note == .eventShared(dinner.id, by: me) }
        }
        try await hosting(dinner.id, of: again, me, with: UserID(rawValue: ada.user), in: direct.id)
        try await again.signOut()
        await again.close()
    }

    /// What hosts do with an event, each shown at once and then sent.
    private func hosting(
        _ dinner: EventID, of parley: Parley, _ me: UserID, with ada: UserID, in talk: ConversationID
    ) async throws {
        func event() -> Event? { parley.events.first { $0.id == dinner } }
        let attendees = try await parley.attendees(of: dinner)
        #expect(attendees.map(\.id) == [me, ada] && attendees.map(\.answer) == [.accepted, .tentative])
        #expect(attendees.map(\.guests) == [2, 0] && attendees.map(\.isHost) == [true, false])
        try await parley.askToHost(dinner, ada)
        try await shows("ada is asked") { parley.unsent.isEmpty }
        #expect(try await parley.attendees(of: dinner).map(\.isAskedToHost) == [false, true])
        try await parley.askToHost(dinner, ada, false)
        try await parley.uninvite(talk, from: dinner)
        #expect(event()?.conversations == [])
        try await shows("nobody is invited") { parley.unsent.isEmpty && event()?.conversations == [] }
        #expect(try await parley.attendees(of: dinner).map(\.isAskedToHost) == [false, false])
        try await parley.invite(talk, to: dinner)
        #expect(event()?.conversations == [talk])
        try await shows("it is invited again") { parley.unsent.isEmpty && event()?.conversations == [talk] }
        try await parley.cancel(dinner)
        #expect(event()?.isCancelled == true)
        try await shows("it is cancelled") { parley.unsent.isEmpty && event()?.isCancelled == true }
        try await parley.delete(dinner)
        try await shows("it is gone") { parley.unsent.isEmpty && event() == nil }
    }

    @Test("S7 what an intent returned for is sent once and in order, however often the app is killed")
    func killed() async throws {
        let kills = ProcessInfo.processInfo.environment["PARLEY_TEST_KILLS"].flatMap(Int.init) ?? 20
        let cluster = try await TestCluster.shared
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        _ = try await newPerson(parley, "kit")
        let me = try #require(parley.user)
        let ada = try await cluster.person("ada")
        let id = ConversationID.direct(me, UserID(rawValue: ada.user))
        _ = try await ada.client.startDirect(with: me.rawValue)
        await parley.close()

        let client = try Program("kit-client")
        defer { client.remove() }
        var said: [String] = []
        for round in 0..<kills {
            let running = try client.start([cluster.url(), app.url.path, id.rawValue, "\((round + 1) * 10_000)"])
            try await eventually("the app writes") { @Sendable in running.output.contains("sent") }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...60)))
            running.signal(SIGKILL)
            _ = try await running.end()
            said += running.output.split(separator: "\n").map(String.init)
        }
        let last = await app.open(cluster.url())
        try await shows("everything is sent") { last.unsent.isEmpty && !last.isFromCache }
        let messages = try await history(ada, id).filter { $0.sender == me.rawValue }
        let numbers = messages.map { Int($0.text.prefix { $0.isNumber }) ?? 0 }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "doubled, or not in order: \(numbers)")
        let byNumber = Dictionary(messages.map { (Int($0.text.prefix { $0.isNumber }) ?? 0, $0) }) { $1 }
        for line in said {
            let words = line.split(separator: " ")
            let message = byNumber[Int(words[1]) ?? 0]
            switch words[0] {
            case "sent": #expect(message != nil, "\(line)")
            case "edited": #expect(message?.text.hasSuffix("edited") == true, "\(line)")
            default: #expect(message?.reactions.first?.count == 1, "\(line)")
            }
        }
        #expect(said.count >= kills)
        // Its own store says the same as the server.
        let chat = last.conversation(id)
        await chat.load()
        while chat.hasOlder { try await chat.loadOlder(200) }
        let held = chat.messages.map { "\($0.seq ?? 0) \($0.text)" }
        #expect(held == messages.map { "\($0.seq) \($0.text)" })
        #expect(chat.messages.allSatisfy { $0.syncStatus == .synced })
        await last.close()
    }

    @Test("S7 signing out or closing while things are sent neither crashes nor leaves a file or a waiting intent")
    func underWay() async throws {
        let cluster = try await TestCluster.shared
        let ada = try await cluster.person("ada")
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let file = app.url.deletingLastPathComponent().appendingPathComponent("\(app.url.lastPathComponent).bin")
        try Data(count: 5_000_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for round in 0..<4 {
            _ = try await newPerson(parley, "kit")
            let person = try #require(try await parley.users([UserID(rawValue: ada.user)]).first)
            let chat = try await parley.startConversation(with: person)
            let sends = (1...30).map { number in
                Task { @MainActor () -> Bool in
                    do {
                        try await chat.send("\(number)")
                        return true
                    } catch {
                        return false
                    }
                }
            }
            let upload = Task { @MainActor in try await chat.send(file: FileToSend(file)) }
            for _ in 0..<round * 3 { await Task.yield() }
            try await parley.signOut(discardingUnsent: true)
            for send in sends { _ = await send.value }
            _ = await upload.result
            #expect(parley.user == nil && parley.unsent.isEmpty && parley.inbox.conversations.isEmpty)
            let files = try FileManager.default.contentsOfDirectory(atPath: app.url.path)
            #expect(!files.contains { $0.contains(".parley") })
        }
        _ = try await newPerson(parley, "kit")
        let person = try #require(try await parley.users([UserID(rawValue: ada.user)]).first)
        let chat = try await parley.startConversation(with: person)
        // In the background, what is done waits; in the foreground it is sent.
        await parley.suspend()
        try await chat.send("in the background")
        #expect(chat.messages.map(\.syncStatus) == [.pending])
        parley.resume()
        try await shows("it is sent") { chat.messages.map(\.seq) == [1] && parley.unsent.isEmpty }
        await parley.networkChanged()
        try await chat.send("on another network")
        try await shows("that is sent, too") { chat.messages.map(\.seq) == [1, 2] && parley.unsent.isEmpty }
        let last = Task { @MainActor in try await chat.send("at the end") }
        await parley.close()
        _ = await last.result
    }

    @Test("S8 a device whose account is erased while it writes ends cleanly, and somebody else can use it")
    func erased() async throws {
        let cluster = try await TestCluster.shared
        let ada = try await cluster.person("ada")
        let app = try AppFolder()
        let parley = await app.open(cluster.url())
        let username = try await newPerson(parley, "kit")
        let before = try #require(parley.user)
        let person = try #require(try await parley.users([UserID(rawValue: ada.user)]).first)
        let chat = try await parley.startConversation(with: person)
        let writing = Task { @MainActor in
            for number in 1...200 {
                try await chat.send("\(number)")
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        let mine = try await cluster.stranger()
        try await mine.signIn(username: username, password: Device.password)
        try await mine.erase(password: Device.password)
        await mine.close()
        try await shows("it has to sign in again") {
            [.revoked, .unauthenticated, .refreshRefused].contains(parley.problem?.code)
        }
        writing.cancel()
        _ = await writing.result
        let isEnded = if case .ended = parley.accountState { true } else { false }
        #expect(isEnded)
        try await eventually("somebody else signs in") { @Sendable in
            do throws(Refusal) {
                try await parley.register(
                    username: "next" + String(UInt64.random(in: .min ... .max), radix: 36), password: Device.password)
                return true
            } catch  where error.isTemporary {
                return false
            }
        }
        #expect(parley.user != before && parley.unsent.isEmpty && parley.inbox.conversations.isEmpty)
        await parley.close()
    }
}
