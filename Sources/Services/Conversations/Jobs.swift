import Logging
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Does what takes longer than a request may: one piece after the other, each in a transaction that also notes how far
/// it came. So whoever dies half-way, another goes on from there; and of several replicas one is at a piece.
@ReactorActor
final class Jobs {
    typealias Piece = @ReactorActor (_ job: Job, _ change: Change) async throws -> Void

    /// Not the lanes of requests: pieces take longer.
    private let journal: Journal
    private let log: Logger
    private let interval: Duration
    private var piece: Piece?
    private var timer: Reactor.Repetition?
    private var isStopping = false
    private var isWorking = false
    /// The one that is under way.
    private var taken: Job?
    private var isWanted = false
    private var onIdle: [CheckedContinuation<Void, Never>] = []
    private var failureLine = LogThrottle(every: .seconds(10))

    /// - Parameter interval: how often it looks for what others left behind.
    init(_ context: ServiceContext, interval: Duration = .seconds(1)) {
        journal = context.newJournal(1)
        log = context.log
        self.interval = interval
    }

    /// Goes on with what was left, and begins what is asked for.
    func start(_ piece: @escaping Piece) async throws {
        self.piece = piece
        try await journal.start()
        timer = Reactor.shared.every(interval) { [weak self] in self?.wake() }
        wake()
    }

    /// Ends the piece that is under way and begins no other.
    func stop() async {
        isStopping = true
        timer?.cancel()
        if isWorking { await withCheckedContinuation { onIdle.append($0) } }
        journal.close()
    }

    /// Notes a job, of which `change` is the cause: it begins with its commit. One that is under way goes on, and is
    /// done once more when it is over.
    func begin(_ kind: JobKind, of account: Int64, in change: Change) async throws {
        try await change.execute(JobsStore.begin, .int64(account), .int16(kind.rawValue))
        change.afterCommit { [weak self] in self?.wake() }
    }

    /// Ends a job that has become pointless.
    func cancel(_ kind: JobKind, of account: Int64, in change: Change) async throws {
        try await change.execute(JobsStore.end, .int64(account), .int16(kind.rawValue))
    }

    private func wake() {
        isWanted = true
        guard !isWorking, !isStopping else { return }
        isWorking = true
        // Detached: what it does is no part of the request that woke it, and stands in no trace.
        Task.immediateDetached { @ReactorActor in
            while isWanted, !isStopping {
                isWanted = false
                await work()
            }
            isWorking = false
            for waiter in onIdle { waiter.resume() }
            onIdle = []
        }
    }

    /// Piece after piece, until nothing is due.
    private func work() async {
        while !isStopping {
            taken = nil
            do {
                let wasThere = try await journal.change { [self] change in
                    taken = try await change.first(JobsStore.take)
                    guard let job = taken, let piece else { return false }
                    try await piece(job, change)
                    return true
                }
                if !wasThere { return }
            } catch {
                if failureLine.pass(at: .now) != nil { log.warning("a job waits", metadata: ["error": "\(error)"]) }
                // One that cannot be done must not keep the others waiting.
                guard let job = taken else { return }
                _ = try? await journal.change { change in
                    try await change.execute(
                        JobsStore.postpone, .int64(job.account), .int16(job.kindNumber), .int64(5_000_000))
                }
            }
        }
    }
}

extension ConversationsService {
    /// How many conversations a piece has at most, and how many of their members are told.
    nonisolated static let conversationsOfAPiece = 50
    nonisolated static let membersOfAPiece = 1000

    /// One piece of a job, with its place.
    func doPiece(of job: Job, in change: Change) async throws {
        guard let kind = job.kind else { throw DatabaseError.unexpected("a job of a newer version") }
        let key: [Parameter] = [.int64(job.account), .int16(kind.rawValue)]
        if job.isNew { try await change.execute(JobsStore.lookUp, key) }
        let next = try await change.query(JobsStore.next, key + [.int32(Int32(Self.conversationsOfAPiece))])
        let piece = Self.piece(of: next, for: kind)
        guard !piece.isEmpty else {
            guard job.pass == 1 else {
                // A block that was under way when they were erased.
                if kind == .erase { try await change.execute(JobsStore.deleteBlocks, .int64(job.account)) }
                if try await change.first(JobsStore.beginAgain, key) == nil {
                    try await change.execute(JobsStore.end, key)
                }
                return
            }
            // What began before it and committed after the look must be over by then: statements end after 5 s.
            let wait: Int64 = kind == .erase ? 6_000_000 : 2_000_000
            try await change.execute(JobsStore.beginSecondPass, key + [.int64(wait)])
            return
        }
        switch kind {
        case .tellProfile: try await tell(of: job.account, in: piece.map(\.number), change)
        case .erase: try await takeOut(job.account, of: piece, in: change)
        }
        try await change.execute(JobsStore.advance, key + [.int32(Int32(piece.count))])
    }

    /// What is done in one transaction: so few that nobody waits long for their rows. Of groups that somebody leaves,
    /// one: each locks its members' heads.
    nonisolated static func piece(of next: [JobConversation], for kind: JobKind) -> [JobConversation] {
        if kind == .erase, next.first?.kind == .group { return Array(next.prefix(1)) }
        var members = 0
        let fitting = next.prefix { conversation in
            if kind == .erase, conversation.kind == .group { return false }
            members += conversation.members
            return members <= membersOfAPiece
        }
        return fitting.isEmpty ? Array(next.prefix(1)) : Array(fitting)
    }

    /// Tells all who are shown a person in these conversations of them, with the person as they now are (C10).
    func tell(of account: Int64, in conversations: [Int64], _ change: Change) async throws {
        let numbers = try await change.query(JobsStore.lockConversations, .int64s(conversations))
        let audience = try await change.query(JobsStore.audience, .int64s(numbers), .int64(account))
        guard !audience.isEmpty else { return }
        var taken: [Int64: Int64] = [:]
        for entry in audience { taken[entry.account, default: 0] += 1 }
        let accounts = taken.keys.sorted()
        let heads = try await change.query(
            RequestsStore.advanceHeads, .int64s(accounts), .int64s(accounts.map { taken[$0] ?? 0 }))
        var next: [Int64: Int64] = [:]
        for head in heads { next[head.account] = head.position - (taken[head.account] ?? 0) + 1 }
        var positions: [Int64] = []
        for entry in audience {
            positions.append(next[entry.account] ?? 0)
            next[entry.account, default: 0] += 1
        }
        try await change.execute(
            JobsStore.movePositions, .int64s(audience.map(\.conversation)), .int64s(audience.map(\.account)),
            .int64s(positions))
        let told = Dictionary(grouping: audience, by: \.conversation)
        for (number, id) in try await change.query(JobsStore.conversationIDs, .int64s(told.keys.sorted())) {
            guard let id = ConversationID(id), let entries = told[number] else { continue }
            try await tell(Set(entries.map(\.account)), membersOf: id, in: change)
        }
    }
}
