import Foundation
import ParleyClient
import ParleyKit
import TestSupport
import Testing

/// Several devices of several people do things at random, lose their connection and start again. When all is quiet,
/// every device shows what a new one reads, and what the server has.
///
/// `PARLEY_KIT_SEED` repeats a run, `PARLEY_KIT_ACTIONS` makes it longer.
@MainActor
@Suite("ParleyKit, many devices", .timeLimit(.minutes(5)))
struct KitConvergenceTests {
    /// One app on one device.
    @MainActor
    private final class Phone {
        let owner: Int
        private(set) var parley: Parley
        private(set) var isAway = false
        private let folder: AppFolder
        private let server: String

        init(_ owner: Int, _ server: String) async throws {
            (self.owner, self.server) = (owner, server)
            folder = try AppFolder()
            parley = await folder.open(server)
        }

        /// Starts the app again, with a connection or without one.
        /// - Parameter skew: how far the device's clock is wrong until the server tells the time.
        func restart(isAway: Bool, skew: Duration = .zero) async {
            await parley.close()
            self.isAway = isAway
            parley = await folder.open(isAway ? "ws://127.0.0.1:1/v1/socket" : server, skew: skew)
        }

        /// Looks at all conversations, from their first message on.
        func open(_ ids: [ConversationID]) async throws {
            for id in ids {
                let chat = parley.conversation(id)
                await chat.load()
                while chat.hasOlder, parley.connection == .online { try await chat.loadOlder(200) }
            }
        }

        func dropRefused() async throws {
            for unsent in parley.unsent {
                if case .failed = unsent.syncStatus { try await parley.drop(unsent.id) }
            }
        }

        var isQuiet: Bool { parley.unsent.isEmpty && parley.connection == .online }

        func has(_ ids: [ConversationID]) -> Bool {
            isQuiet && ids.allSatisfy { parley.conversation($0).section != nil }
        }

        /// What a failure shows of each conversation's messages.
        func loaded(_ ids: [ConversationID]) -> String {
            ids.map { id in
                let chat = parley.conversation(id)
                let seqs = chat.messages.map { $0.seq ?? 0 }
                let older = chat.hasOlder ? "older ones" : "no older ones"
                return "\(id): \(seqs), \(older), gaps \(chat.gaps), \(parley.connection)"
            }.joined(separator: "\n")
        }

        func screen(_ ids: [ConversationID]) -> [String] {
            let chats = ids.map { id -> [String] in
                let chat = parley.conversation(id)
                let members = chat.members.map { "\($0.id) \($0.user.displayName) \($0.role)" }.sorted()
                let own =
                    "\(chat.isPinned) \(chat.mutedUntil != nil) \(chat.isArchived) \(chat.readUpTo) \(chat.unread)"
                let all = "\(chat.photo?.absoluteString ?? "") \(chat.retention ?? .zero)"
                let head = "\(id): \(chat.name) \(all) \(members) \(own) \(chat.syncStatus)"
                return [head] + chat.messages.map(KitConvergenceTests.line)
            }
            let reminders = parley.reminders.map { "reminder \($0.title) \($0.isCompleted) \($0.syncStatus)" }.sorted()
            let receipts = ids.flatMap { id in
                parley.conversation(id).receipts.map { "\(id) \($0) \($1.readUpTo) \($1.deliveredUpTo)" }.sorted()
            }
            let entities =
                parley.events.map { "event \($0.title) \($0.isCancelled) \($0.answer) \($0.syncStatus)" }.sorted()
                + parley.decisions.map { "decision \($0.text) \($0.syncStatus)" }.sorted()
            let own = ["profile \(parley.profile?.user.displayName ?? "")", "blocked \(parley.blocked.map(\.id))"]
            return chats.flatMap(\.self) + receipts + reminders + entities + own
        }
    }

    private static func line(_ message: Message) -> String {
        let reactions = message.reactions.map { "\($0.emoji)\($0.count)\($0.isMine)" }.sorted()
        return "\(message.seq ?? 0) \(message.text) \(message.isDeleted) \(message.editedAt != nil) "
            + "\(message.isStarred) \(reactions) \(message.syncStatus) \(message.status)"
    }

    /// Random numbers that a seed repeats.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    @Test("S8 devices that do things at random, offline, over restarts and with wrong clocks, converge")
    func converge() async throws { try await converge(on: try await TestCluster.shared) }

    /// - Parameter disturb: what happens to the server after each tenth of the actions.
    fileprivate func converge(
        on cluster: TestCluster, disturb: @MainActor (_ tenth: Int) async throws -> Void = { _ in }
    ) async throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["PARLEY_KIT_SEED"].flatMap(UInt64.init) ?? .random(in: 1...1_000_000)
        let count = environment["PARLEY_KIT_ACTIONS"].flatMap(Int.init) ?? 150
        print("PARLEY_KIT_SEED=\(seed) PARLEY_KIT_ACTIONS=\(count)")
        var dice = Dice(state: seed)
        var phones: [Phone] = []
        var names: [String] = []
        for person in 0..<3 {
            names.append("kit\(person)" + String(UInt64.random(in: .min ... .max), radix: 36))
            for device in 0..<2 {
                let phone = try await Phone(person, cluster.url())
                if device == 0 {
                    try await phone.parley.register(username: names[person], password: Device.password)
                } else {
                    try await phone.parley.signIn(username: names[person], password: Device.password)
                }
                phones.append(phone)
            }
        }
        let users = try phones.indices.filter { $0 % 2 == 0 }.map { try #require(phones[$0].parley.user) }
        let people = try await phones[0].parley.users(users)
        var made = [try await phones[0].parley.createGroup("Crew", with: Array(people.dropFirst())).id]
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            made.append(try await phones[one * 2].parley.startConversation(with: people[other]).id)
        }
        let ids = made
        func mine(_ phone: Phone) -> [ConversationID] {
            ids.filter { $0 == ids[0] || $0.rawValue.contains(users[phone.owner].rawValue) }
        }
        for phone in phones {
            let all = mine(phone)
            try await eventually("everybody has the conversations") { @Sendable in
                await phone.has(all)
            }
            try await phone.open(all)
        }

        // What a failure shows.
        var done: [String] = []
        for number in 0..<count {
            let index = phones.indices.randomElement(using: &dice)!
            let phone = phones[index]
            let chat = phone.parley.conversation(mine(phone).randomElement(using: &dice)!)
            let away = phone.isAway ? " (away)" : ""
            let what = try await act(number, phone, chat, mine(phone), &dice)
            done.append("\(number): device \(index)\(away), \(chat.id): \(what)")
            if number % max(count / 10, 1) == 0 { try await disturb(number * 10 / count) }
        }

        for phone in phones where phone.isAway { await phone.restart(isAway: false) }
        for phone in phones {
            try await eventually(within: .seconds(40), "everything is sent") { @Sendable in
                try await phone.dropRefused()
                return await phone.isQuiet
            }
        }
        for person in 0..<3 {
            let fresh = try await Phone(person, cluster.url())
            try await fresh.parley.signIn(username: names[person], password: Device.password)
            try await eventually("the new device is synced") { @Sendable in await !fresh.parley.isFromCache }
            let all = mine(fresh)
            try await fresh.open(all)
            for phone in phones where phone.owner == person {
                try await phone.open(all)
                do {
                    try await eventually("the devices are equal") { @Sendable in
                        // Reading older messages ends early while the connection is lost.
                        for each in [phone, fresh] { try await each.open(all) }
                        return await phone.screen(all) == fresh.screen(all)
                    }
                } catch {
                    let (has, wants, loaded) = (phone.screen(all), fresh.screen(all), phone.loaded(all))
                    // Whether its store has what its screen lacks.
                    await phone.restart(isAway: true)
                    try await phone.open(all)
                    let stored = phone.screen(all)
                    Issue.record(
                        """
                        seed \(seed), \(count) actions: a device of \(person) shows
                        \(has.filter { !wants.contains($0) }.joined(separator: "\n"))
                        a new one
                        \(wants.filter { !has.contains($0) }.joined(separator: "\n"))
                        It has loaded
                        \(loaded)
                        Its store lacks
                        \(wants.filter { !stored.contains($0) }.joined(separator: "\n"))
                        What was done:
                        \(done.joined(separator: "\n"))
                        """)
                }
                #expect(Set(phone.screen(all)).count > all.count)
            }
            await fresh.parley.close()
        }
        for phone in phones { await phone.parley.close() }
    }

    /// Does something at random.
    /// - Returns: what it did.
    private func act(
        _ number: Int, _ phone: Phone, _ chat: Conversation, _ ids: [ConversationID], _ dice: inout Dice
    ) async throws -> String {
        let own = chat.messages.filter { $0.sender == phone.parley.user && !$0.isDeleted }
        switch Int.random(in: 0..<36, using: &dice) {
        case 0..<8:
            try await chat.send("\(number)", replyingTo: Bool.random(using: &dice) ? own.last : nil)
            return "send"
        case 8, 9:
            guard let message = own.randomElement(using: &dice) else { return "nothing to edit" }
            try await chat.edit(message, to: "edit \(number)")
            return "edit \(Self.line(message))"
        case 10:
            guard let message = own.randomElement(using: &dice) else { return "nothing to delete" }
            try await chat.delete(message)
            return "delete \(Self.line(message))"
        case 11, 12: return try await react(phone, chat, &dice)
        case 13:
            guard let message = own.randomElement(using: &dice) else { return "nothing to star" }
            try await chat.star(message, !message.isStarred)
            return "star \(Self.line(message))"
        case 14, 15: try await chat.markRead()
        case 16: try await chat.pin(!chat.isPinned)
        case 17: if chat.mutedUntil == nil { try await chat.mute() } else { try await chat.unmute() }
        case 18: if chat.kind == .group { try await chat.rename("Crew \(number)") }
        case 19: try await phone.parley.addReminder("\(number)", dueAt: Date(timeIntervalSince1970: 4_000_000_000))
        case 20:
            guard let reminder = phone.parley.reminders.randomElement(using: &dice) else { return "no reminder" }
            if reminder.isCompleted {
                try await phone.parley.delete(reminder)
            } else {
                try await phone.parley.complete(reminder)
            }
        case 21: try await phone.parley.updateProfile(displayName: "Person \(phone.owner) \(number)")
        case 22: try await chat.markUnread()
        case 23: try await chat.archive(!chat.isArchived)
        case 24:
            let sent = chat.messages.filter { $0.seq != nil }
            guard let message = sent.randomElement(using: &dice) else { return "nothing to hide" }
            try await chat.hide(message)
            return "hide \(Self.line(message))"
        case 25: try await chat.setRetention(chat.retention == nil ? .seconds(86_400) : nil)
        case 26: return try await changeGroup(number, chat, &dice)
        case 27: _ = try await phone.parley.addDecision("\(number)", in: chat.id)
        case 28, 29: return try await invite(number, phone.parley, chat, &dice)
        case 30:
            guard let other = chat.other else { return "nobody to block" }
            if phone.parley.blocked.contains(where: { $0.id == other.id }) {
                try await phone.parley.unblock(other)
            } else {
                try await phone.parley.block(other)
            }
            return "block"
        case 31:
            guard number % 3 == 0, phone.parley.connection == .online else { return "nothing to clear" }
            try await chat.clear()
            return "clear"
        default:
            // The server takes ids of the last 30 days and of the next one.
            let skew = [0, 0, -40 * 86_400, -3600, 3600, 3 * 86_400].randomElement(using: &dice)!
            let isAway = Bool.random(using: &dice)
            await phone.restart(isAway: isAway, skew: .seconds(skew))
            try await phone.open(ids)
            return "restart \(isAway ? "away" : "online"), clock \(skew) s"
        }
        return "changes something else"
    }

    private func changeGroup(_ number: Int, _ chat: Conversation, _ dice: inout Dice) async throws -> String {
        guard chat.kind == .group, let member = chat.members.randomElement(using: &dice) else { return "no group" }
        guard Bool.random(using: &dice) else {
            try await chat.setGroupPhoto(URL(string: "https://example.com/\(number).jpg"))
            return "photo \(number)"
        }
        try await chat.setAdmin(member.role == .member, member.id)
        return "role of \(member.id), \(member.role) until now"
    }

    private func invite(
        _ number: Int, _ parley: Parley, _ chat: Conversation, _ dice: inout Dice
    ) async throws -> String {
        guard let event = parley.events.randomElement(using: &dice), Bool.random(using: &dice) else {
            _ = try await parley.addEvent("\(number)", on: "2040-05-06", inviting: [chat.id])
            return "new event"
        }
        if event.creator == parley.user, Bool.random(using: &dice) {
            try await parley.cancel(event.id)
            return "cancel \(event.title)"
        }
        try await parley.answer(event.id, [.accepted, .tentative, .declined].randomElement(using: &dice)!)
        return "answer \(event.title)"
    }

    private func react(_ phone: Phone, _ chat: Conversation, _ dice: inout Dice) async throws -> String {
        let emoji = ["👍", "❤️"].randomElement(using: &dice)!
        guard let message = chat.messages.randomElement(using: &dice), !message.isDeleted else { return "no reaction" }
        if message.reactions.contains(where: { $0.emoji == emoji && $0.isMine }) {
            try await chat.removeReaction(emoji, from: message)
        } else {
            try await chat.react(emoji, to: message)
        }
        return "react to \(Self.line(message))"
    }
}

extension OperatedClusters {
    @Test("S8 D4 devices converge although the server's epochs change, as after a restore, again and again")
    @MainActor
    func kitEpochs() async throws {
        let cluster = try await TestCluster()
        try await KitConvergenceTests().converge(on: cluster) { tenth in
            let service = ["messaging", "conversations", "entities"][tenth % 3]
            if tenth > 1 { try await Backup.changeEpoch(of: service, cluster.endpoints.database) }
        }
        await cluster.end()
    }
}
