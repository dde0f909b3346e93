import Command
import Foundation
import NIOCore
import ParleyClient

/// Sessions of one account, or of several, that send valid requests at a rate.
final class RequestsAttack: Attack {
    private let target: AttackTarget
    private let count: Int
    private let openings: [[UInt8]]
    private var opened = 0
    private let requests: [[UInt8]]
    private var pace: Pace
    private var next = 0
    private(set) var sockets: [AttackSocket] = []

    /// - Parameters:
    ///   - sessions: how many sessions send them in turn.
    ///   - perSecond: how many they send in all.
    init(_ target: AttackTarget, sessions: Int, perSecond: Double, _ requests: [[UInt8]]) throws {
        (self.target, count, self.requests) = (target, sessions, requests)
        let tokens = target.otherTokens + (target.token.isEmpty ? [] : [target.token])
        openings = try tokens.map { try AttackBytes.session(token: $0) }
        pace = Pace(perSecond: perSecond)
    }

    func round(after elapsed: Duration) throws {
        sockets.removeAll { !$0.isOpen }
        if sockets.count < count {
            sockets.append(
                try AttackSocket(to: target.port, from: 2, sending: openings[opened % openings.count]))
            opened += 1
        }
        for _ in 0..<pace.take(after: elapsed) {
            next += 1
            sockets[next % sockets.count].send(requests[next % requests.count])
        }
        for socket in sockets { socket.drain() }
    }
}

extension RequestsAttack {
    static func searches(_ target: AttackTarget) throws -> RequestsAttack {
        try RequestsAttack(
            target, sessions: 32, perSecond: 32 * 20,
            (1...1000).map { id in
                let search = Parley_V1_SearchMessagesRequest.with { $0.text = "word\(id % 7) word\(id % 11)" }
                return try AttackBytes.request(id, MessagingMethods.searchMessages, search)
            })
    }

    static func badges(_ target: AttackTarget) throws -> RequestsAttack {
        try RequestsAttack(
            target, sessions: 8, perSecond: 96,
            (1...1000).map { try AttackBytes.request($0, MessagingMethods.getBadge, .init()) })
    }

    static func agendas(_ target: AttackTarget) throws -> RequestsAttack {
        try RequestsAttack(
            target, sessions: 8, perSecond: 100,
            (1...1000).map { id in
                let list = Parley_V1_ListEventsRequest.with {
                    ($0.fromDate, $0.toDate, $0.limit) = ("20\(30 + id % 60)-01-01", "20\(30 + id % 60)-12-31", 1000)
                }
                return try AttackBytes.request(id, EntitiesMethods.listEvents, list)
            })
    }

    static func answers(_ target: AttackTarget) throws -> RequestsAttack {
        try RequestsAttack(
            target, sessions: target.otherTokens.count, perSecond: 100,
            (1...1000).map { id in
                let answer = Parley_V1_AnswerEventRequest.with {
                    ($0.id, $0.status, $0.guests) = (target.event, .accepted, UInt32(id % 100))
                }
                return try AttackBytes.request(id, EntitiesMethods.answerEvent, answer)
            })
    }

    static func texts(_ target: AttackTarget) throws -> RequestsAttack {
        let text = String(repeating: "1-", count: 2000)
        return try RequestsAttack(
            target, sessions: 2, perSecond: 20, (1...1000).map { try note(text, id: $0, in: target.conversation) })
    }

    /// Texts and rules with numbers that no date can have, each of which once ended a process or held it up.
    static func numbers(_ target: AttackTarget) throws -> RequestsAttack {
        let texts = [
            "remind me to call mum in 999999999 and a half years", "dinner in 10000 decades, 10000 decades",
            "lunch 999999999 and a half hours from now", "meet on 31.12.9999 at 25:61",
            "remind me in 9223372036854775807 days, 9999 years and 2 1/2 weeks",
        ]
        let rules = [
            "FREQ=MONTHLY;BYDAY=-9223372036854775808MO", "FREQ=YEARLY;BYDAY=9223372036854775807SU",
            "FREQ=DAILY;INTERVAL=9223372036854775807", "FREQ=YEARLY;INTERVAL=1000;COUNT=1000",
            "FREQ=WEEKLY;BYDAY=" + Array(repeating: "TH", count: 78).joined(separator: ","),
        ]
        return try RequestsAttack(
            target, sessions: 2, perSecond: 20,
            (1...1000).map { id in
                if id % 2 == 0 { return try note(texts[id / 2 % texts.count], id: id, in: target.conversation) }
                return try event(rules[id / 2 % rules.count], from: "2030-01-01", id: id)
            })
    }

    /// Rules whose thousandth date is the dearest to find, each of which once took up to a second.
    static func rules(_ target: AttackTarget) throws -> RequestsAttack {
        let rules = [
            ("2032-02-29", "FREQ=YEARLY;INTERVAL=4;COUNT=1000"), ("2030-01-31", "FREQ=MONTHLY;COUNT=1000"),
            ("2030-01-29", "FREQ=MONTHLY;BYDAY=5TU;COUNT=1000"), ("2030-01-01", "FREQ=DAILY;INTERVAL=7;COUNT=1000"),
            ("2030-01-01", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=1000"),
        ]
        return try RequestsAttack(
            target, sessions: 2, perSecond: 20,
            (1...1000).map { id in
                let (day, rule) = rules[id % rules.count]
                return try event(rule, from: day, id: id)
            })
    }

    /// An event of the attacker's own.
    private static func event(_ rule: String, from day: String, id: Int) throws -> [UInt8] {
        let event = Parley_V1_CreateEventRequest.with {
            ($0.id, $0.title, $0.recurrence) = (Data(messageID(id)), "event", rule)
            ($0.when.date, $0.when.time, $0.when.timeZone) = (day, "10:00", "Europe/Zurich")
        }
        return try AttackBytes.request(id, EntitiesMethods.createEvent, event)
    }

    /// A message of the attacker.
    static func note(_ text: String, id: Int, in conversation: String) throws -> [UInt8] {
        let message = Parley_V1_SendMessageRequest.with {
            ($0.id, $0.conversation, $0.kind, $0.text) = (Data(messageID(id)), conversation, .text, text)
        }
        return try AttackBytes.request(id, MessagingMethods.sendMessage, key: conversation, message)
    }

    /// A UUIDv7 of now.
    static func messageID(_ id: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        let milliseconds = UInt64(Date().timeIntervalSince1970 * 1000)
        for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * index)) }
        (bytes[6], bytes[8]) = (0x70 | UInt8(id >> 8), 0x80)
        bytes[9] = UInt8(truncatingIfNeeded: id)
        return bytes
    }
}

/// What attacks by requests need of the attacker's account.
extension AttackTarget {
    /// Makes an account that writes notes to itself.
    mutating func takeAccount(at url: String, on group: any EventLoopGroup) async throws -> ParleyClient {
        let person = try await BenchPeople.register(1, at: url, on: group)[0]
        let client = ParleyClient(url: url, options: .init(retriesFor: .seconds(60)), group: group)
        _ = try await client.connect(token: person.token)
        (token, user) = (person.token, person.user)
        conversation = try await client.startDirect(with: person.user).conversation.id
        return client
    }

    /// Makes an event with the longest notes, to which 150 people say that they may come. Ten of them attack.
    mutating func makeCrowd(at url: String, on group: any EventLoopGroup) async throws {
        var people: [BenchPerson] = []
        // As many at a time as one session may register.
        while people.count < 150 { people += try await BenchPeople.register(50, at: url, on: group) }
        var clients: [ParleyClient] = []
        for person in people {
            let client = ParleyClient(url: url, options: .init(retriesFor: .seconds(60)), group: group)
            _ = try await client.connect(token: person.token)
            clients.append(client)
        }
        let creator = clients[0]
        // Who does not know the creator would only be invited.
        for (client, person) in zip(clients, people).dropFirst() {
            _ = try await client.startDirect(with: people[0].user)
            _ = try await creator.startDirect(with: person.user)
        }
        let talk = try await creator.createGroup(name: "crowd", users: people.dropFirst().map(\.user)).conversation.id
        let id = await creator.newID()
        _ = try await creator.createEvent(
            .with {
                ($0.id, $0.title, $0.conversations) = (Data(id.bytes), "crowd", [talk])
                ($0.when.date, $0.notes) = ("2090-12-01", String(repeating: "n", count: 4096))
            })
        while (try? await clients[1].event(id)) == nil { try await Task.sleep(for: .milliseconds(20)) }
        for client in clients.dropFirst() { _ = try await client.answerEvent(id, .tentative) }
        // The others stay, so that what the answers cause goes out.
        crowd = clients
        (event, otherTokens) = (Data(id.bytes), people.suffix(10).map(\.token))
    }

    /// Imports as many reminders of twenty people, whose sessions the attacker holds.
    mutating func makeReminders(
        _ count: Int, _ cluster: BenchCluster, at url: String, on group: any EventLoopGroup
    ) async throws {
        let people = try await BenchPeople.register(20, at: url, on: group)
        let reminders = try await DueReminders(cluster, users: people.map(\.user))
        try await reminders.write(count)
        (self.reminders, otherTokens) = (reminders, people.map(\.token))
    }

    /// Makes an account that a friend blocks, and one that it blocks itself.
    mutating func makeBlocked(by friend: BenchPerson, at url: String, on group: any EventLoopGroup) async throws {
        let client = try await takeAccount(at: url, on: group)
        let other = try await BenchPeople.register(1, at: url, on: group)[0]
        let blocking = try await BlockingFriend(friend, blocking: client, other, at: url, on: group)
        await client.close()
        (self.blocking, common) = (blocking, blocking.common)
    }

    /// Begins what does not go by requests, right before the friends are measured.
    func begin() async throws {
        await blocking?.listen()
        await guesser?.begin()
        guard let due = try await reminders?.begin() else { return }
        try await Task.sleep(for: .microseconds(max(0, due - Times.now())))
    }

    /// Waits until nothing of the attack is left, and returns what must not have happened.
    func end() async throws -> [String] {
        while try await reminders?.areDone() == false { try await Task.sleep(for: .milliseconds(100)) }
        await reminders?.close()
        for client in crowd { await client.close() }
        if let guesser { return await guesser.findings() }
        return try await blocking?.findings() ?? []
    }

    /// Gives the account events that take place often.
    func makeEvents(_ count: Int, _ client: ParleyClient) async throws {
        for number in 0..<count {
            _ = try await client.createEvent(
                .with {
                    ($0.title, $0.recurrence) = ("event \(number)", "FREQ=DAILY;COUNT=1000")
                    ($0.when.date, $0.when.time, $0.when.timeZone) = ("2030-01-01", "10:00", "Europe/Zurich")
                })
        }
    }
}
