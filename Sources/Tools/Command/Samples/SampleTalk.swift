import Foundation
import ParleyClient
import Synchronization

/// Lets the sample people talk to each other now and then, and answer anyone who writes to them.
final class SampleTalk: Sendable {
    private let people: [Person]
    private let names: [String]
    private let board: StatusBoard
    private let isJSON: Bool
    private let seen = Mutex(Seen())

    private struct Seen {
        /// The newest printed seq, by conversation.
        var printed: [String: Int64] = [:]
        /// The time of the last answer and the number of answers, by conversation.
        var answers: [String: (at: ContinuousClock.Instant, count: Int)] = [:]
    }

    init(people: [Person], board: StatusBoard, isJSON: Bool) {
        (self.people, self.board, self.isJSON) = (people, board, isJSON)
        names = SamplePeople.everybody.map(\.username)
    }

    /// Runs until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            var feeds: [ConversationFeed] = []
            for (person, name) in zip(people, names) {
                let feed = ConversationFeed(of: person.client, from: .now)
                await feed.start()
                await feed.quiet()
                feeds.append(feed)
                group.addTask { await self.listen(to: feed, as: person, name) }
            }
            await talk()
            for feed in feeds { await feed.stop() }
        }
    }

    // MARK: Talking

    private static let opening = [
        SampleData.Line("alice", "Good morning! Is everybody up?"),
        SampleData.Line("bob", "Barely. Coffee first."),
        SampleData.Line("charlie", "@BobSmith the kettle is on ☕"),
        SampleData.Line("alice", "Whoever joins us today: say hello to me!"),
    ]
    private static let later = [
        SampleData.Line("bob", "The forecast for Saturday got better: 24°C and sunny."),
        SampleData.Line("charlie", "@AliceJohnson did you find the map?"),
        SampleData.Line("alice", "Yes, it was in the car all along."),
        SampleData.Line("bob", "I booked the canoe for two hours."),
        SampleData.Line("alice", "@CharlieBrown you paddle, I steer."),
        SampleData.Line("charlie", "Has anybody seen my blue jacket?"),
        SampleData.Line("bob", "On the chair behind you."),
        SampleData.Line("alice", "Shopping list: bread, cheese, tomatoes, matches. What else?"),
        SampleData.Line("charlie", "Chocolate. Always chocolate."),
        SampleData.Line("bob", "@AliceJohnson I leave at 17:00 on Friday, is that fine?"),
        SampleData.Line("alice", "Perfect. I will be ready."),
        SampleData.Line("charlie", "The lake is 19°C, says the web. Brave."),
    ]

    private func talk() async {
        do {
            guard let alice = people.first, let began = try? await alice.client.findUser("alice").createdAtUs,
                let group = SampleData.id("group", 0, at: began)?.description
            else { return }
            for line in Self.opening {
                try await say(line, in: group)
                try await Task.sleep(for: .milliseconds(1500))
            }
            while true {
                for line in Self.later {
                    try await Task.sleep(for: .seconds(Double.random(in: 20...40)))
                    try await say(line, in: group)
                }
            }
        } catch {
            // Cancelled, or the client has stopped, which the listeners report.
        }
    }

    private func say(_ line: SampleData.Line, in conversation: String) async throws {
        guard let index = names.firstIndex(of: line.from) else { return }
        _ = try await people[index].client.sendReliably(line.text, to: conversation)
    }

    // MARK: Listening

    private func listen(to feed: ConversationFeed, as person: Person, _ name: String) async {
        for await item in feed.items {
            switch item {
            case .conversation(let conversation): await person.names.learn(conversation)
            case .message(let message):
                await accept(message, as: person)
                await show(message, to: person)
                await answer(message, as: person, name)
            case .changed, .startedOver, .reactions, .inbox, .inboxState, .messageState, .receipt, .readCount, .typing:
                continue
            }
        }
        guard !Task.isCancelled, let problem = await feed.problem, !problem.hasCode(.closed) else { return }
        board.print(board.style.red("\(name) has left: \(problem)"))
    }

    private func show(_ message: Parley_V1_Message, to person: Person) async {
        let isNew = seen.withLock { seen in
            guard message.seq > seen.printed[message.conversation] ?? 0 else { return false }
            seen.printed[message.conversation] = message.seq
            return true
        }
        guard isNew else { return }
        let sender = await person.names.sender(of: message)
        let conversation = await person.names.find(message.conversation)
        let title =
            conversation?.kind == .group
            ? conversation?.name ?? ""
            : conversation?.members.map(\.user.username).sorted().joined(separator: " & ") ?? ""
        if isJSON {
            Output.json(MessageJSON(message, title: title, sender: sender))
        } else if message.hasSystem {
            let names = await person.names.usernames(of: message)
            board.print(MessageLine.text(message, title: title, names: names, style: board.style))
        } else {
            board.print(MessageLine.text(message, title: title, sender: sender, style: board.style))
        }
    }

    /// Accepts a guest's request before its message is shown.
    private func accept(_ message: Parley_V1_Message, as person: Person) async {
        guard message.conversation.contains("_"), isOfGuest(message) else { return }
        guard let reply = try? await person.client.startDirect(with: message.sender) else { return }
        await person.names.learn(reply.conversation)
    }

    private func isOfGuest(_ message: Parley_V1_Message) -> Bool {
        !message.sender.isEmpty && !people.contains { $0.user == message.sender }
    }

    /// Answers a guest, in a group only when mentioned. A conversation gets at most one answer in 3 s and 200 in all,
    /// so that two programs cannot answer each other without end.
    private func answer(_ message: Parley_V1_Message, as person: Person, _ name: String) async {
        guard isOfGuest(message), let conversation = await person.names.find(message.conversation) else { return }
        let mention = SamplePeople.everybody.first { $0.username == name }?.displayName ?? name
        let text = message.text.lowercased()
        guard conversation.kind == .direct || text.contains("@\(mention.lowercased())") || text.contains("@\(name)")
        else { return }
        let guest = await person.names.sender(of: message)
        let count = seen.withLock { seen -> Int? in
            let last = seen.answers[message.conversation]
            if let last, ContinuousClock.now - last.at < .seconds(3) || last.count >= 200 { return nil }
            let count = (last?.count ?? 0) + 1
            seen.answers[message.conversation] = (.now, count)
            return count
        }
        guard let count else { return }
        try? await Task.sleep(for: .milliseconds(900))
        _ = try? await person.client.sendReliably(Self.answer(to: guest, name, number: count), to: message.conversation)
    }

    private static func answer(to guest: String, _ name: String, number: Int) -> String {
        switch (number, name) {
        case (1, "alice"): return "Hello \(guest)! Lovely to have you here. How do you like it so far?"
        case (1, "bob"): return "Hey \(guest), welcome! Still on my first coffee, but happy to see you."
        case (1, _): return "Hi \(guest)! Do you paddle? We still have a seat in the canoe."
        default:
            let answers = [
                "That sounds good!", "Tell me more.", "I was about to say the same.",
                "Ha! Write to the others as well, they like company.", "Noted. Shall I pass that on to the group?",
            ]
            return answers[(number - 2) % answers.count]
        }
    }
}
