import Foundation
import ParleyClient

/// Random changes of a random history, over a connection on which a seed determines what goes wrong. When all is quiet,
/// the client must hold what the server has.
struct RandomCase {
    private let stage: Stage
    private let limit: Duration
    private var random: SeededNumbers
    private var world: World
    private var backup: World
    /// Requests that are not answered yet.
    private var open: [Stage.Asked] = []
    /// Updates that come after so many others.
    private var late: [(update: Parley_V1_Update, others: Int)] = []
    /// By stream, an Update that the session does not get, if it gets no later one by which to notice it.
    private var lost: [String: Int64] = [:]
    private var breaks = 0
    /// Whether the client takes the command to open a conversation.
    private var takesOpen = true

    private static let steps = 150
    /// After each further one the client waits longer before it connects.
    private static let breaksMax = 4

    init(seed: UInt64, _ stage: Stage, limit: Duration) {
        (self.stage, self.limit) = (stage, limit)
        random = SeededNumbers(seed: seed)
        world = World(cells: random.chance(50) ? 2 : 1)
        stage.cells = world.cells
        for _ in 0..<Int.random(in: 0...40, using: &random) { _ = world.act(&random) }
        backup = world
        world.mayGo = false
    }

    mutating func play() async throws {
        try await stage.welcome()
        for step in 1...Self.steps {
            stage.place = "step \(step) of \(Self.steps)"
            try await take(for: .zero)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45: for update in world.act(&random) { deliver(update) }
            case 45..<70: answer()
            case 70..<94: try await take(for: .milliseconds(Int.random(in: 1...20, using: &random)))
            case 94..<96: if breaks < Self.breaksMax { try await breakSession() }
            case 96: backup = world
            case 97: if breaks < Self.breaksMax, random.chance(40) { try await restore(step) }
            case 98: try await openConversation()
            default: stage.send(unknownStream)
            }
        }
        stage.place = "at the end"
        try await settle()
    }

    /// The person opens a conversation, if the client takes that command.
    private mutating func openConversation() async throws {
        guard takesOpen, let id = world.talks.keys.sorted().randomElement(using: &random) else { return }
        let answer = try await stage.tell("{\"do\":\"open\",\"conversation\":\"\(id)\"}")
        takesOpen = !answer["unsupported"].isTrue
        if takesOpen { world.opened = id }
    }

    /// Takes what happens for a time.
    private mutating func take(for time: Duration) async throws {
        try await stage.take(for: time)
        open += stage.newRequests()
    }

    // MARK: Faults

    private mutating func deliver(_ update: Parley_V1_Update) {
        switch Int.random(in: 0..<100, using: &random) {
        // Within a session nothing makes up for one without a position.
        case 0..<8 where update.position > 0: lost[update.stream] = update.position
        case 8..<16: for _ in 0..<2 { send(update) }
        case 16..<32: late.append((update, Int.random(in: 1...5, using: &random)))
        default: send(update)
        }
        for index in late.indices.reversed() {
            late[index].others -= 1
            if late[index].others < 0 { sendLate(late.remove(at: index).update) }
        }
    }

    /// Sends an Update, sometimes with fields of a newer version.
    private mutating func send(_ update: Parley_V1_Update) {
        if let position = lost[update.stream], position < update.position { lost[update.stream] = nil }
        guard random.chance(15) else { return stage.send(update) }
        var update = update
        // Field 900, a number.
        if !update.body.isEmpty { update.body += [0xa0, 0x38, 0x01] }
        update.class = .UNRECOGNIZED(9)
        stage.send(update)
        // A frame of kind 15, which is none.
        stage.send(frame: [0x7a, 0x00])
    }

    /// Sends an Update as a gateway does that missed it: nobody knows any longer who reacted, and what has changed
    /// since is in a later Update.
    private mutating func sendLate(_ update: Parley_V1_Update) {
        guard random.chance(50) else { return send(update) }
        switch update.kind {
        case "Reactions":
            guard var reactions = try? Parley_V1_Reactions(serializedBytes: update.body) else { return }
            (reactions.counts, reactions.changes) = ([], [])
            var again = update
            again.body = (try? reactions.serializedData()) ?? Data()
            send(again)
        case "Message":
            guard let message = try? Parley_V1_Message(serializedBytes: update.body) else { return }
            let talk = world.talks[message.conversation]
            guard talk?.published[message.seq] == update.position else { return send(World.superseded(update)) }
            var again = update
            again.body = (try? talk?.messages[message.seq]?.serializedData()) ?? Data()
            send(again)
        default: send(update)
        }
    }

    private var unknownStream: Parley_V1_Update {
        .with { ($0.stream, $0.position, $0.kind, $0.class) = ("calls/u/\(StreamName.me)", 7, "Call", .durable) }
    }

    private mutating func answer() {
        guard let index = open.indices.randomElement(using: &random) else { return }
        let asked = open.remove(at: index)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<4: stage.refuse(asked, "unavailable", retryAfterMs: 0)
        case 4..<8: stage.refuse(asked, "rate_limited", retryAfterMs: 20)
        case 8..<10: stage.refuse(asked, "internal", retryAfterMs: 0)
        default: answer(asked)
        }
    }

    private mutating func answer(_ asked: Stage.Asked) {
        switch world.answer(asked.request, &random) {
        case .reply(let body):
            stage.answer(asked, body)
            if let page = body as? Parley_V1_ConversationsSyncReply, !page.more { world.mayGo = true }
        case .refusal(let code): stage.refuse(asked, code, retryAfterMs: 0)
        }
    }

    private mutating func breakSession() async throws {
        breaks += 1
        if random.chance(70) { stage.disconnect() } else { stage.cut() }
        for _ in 0..<Int.random(in: 0...5, using: &random) { _ = world.act(&random) }
        try await begin()
    }

    /// Puts the backup in place of what the server has.
    private mutating func restore(_ step: Int) async throws {
        breaks += 1
        stage.disconnect()
        let opened = world.opened
        world = backup
        world.opened = opened
        world.epoch = "e\(step + 1)"
        backup = world
        world.mayGo = false
        try await begin()
    }

    private mutating func begin() async throws {
        (open, late, lost) = ([], [], [:])
        try await stage.welcome()
    }

    // MARK: The end

    private mutating func settle() async throws {
        for each in late { sendLate(each.update) }
        late = []
        // A gateway that cannot send what it missed closes the session.
        if !lost.isEmpty {
            stage.disconnect()
            try await begin()
        }
        // A client may wait for 30 s before it repeats what was refused several times.
        let end = ContinuousClock.now + max(limit, .seconds(45))
        while true {
            try await take(for: .milliseconds(30))
            let isQuiet = open.isEmpty
            for asked in open { answer(asked) }
            open = []
            guard isQuiet else { continue }
            let world = world
            let seen = try await stage.holdings(nowUs: world.nowUs) { world.normalised($0) }
            let differences = world.holdings(comparedWith: seen).differences(from: seen)
            if differences.isEmpty { return }
            if ContinuousClock.now > end { throw CaseFailure(differences: differences) }
        }
    }
}
