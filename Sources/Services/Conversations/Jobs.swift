import Logging
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Runs jobs that take longer than a request may. It runs one piece after the other, each in a transaction that also
/// stores the progress. If a replica dies, another continues from there. Only one replica at a time works on a piece.
@ReactorActor
final class Jobs {
    typealias Piece = @ReactorActor (_ job: Job, _ change: Change) async throws -> Void

    /// Separate from the lanes of requests, because pieces take longer.
    private let journal: Journal
    private let worker: Worker
    private var piece: Piece?
    /// The job under way.
    private var taken: Job?

    /// - Parameter interval: how often to look for jobs that other replicas left behind.
    init(_ context: ServiceContext, interval: Duration = .seconds(1)) {
        journal = context.newJournal(1)
        worker = Worker(every: interval, log: context.log, failed: "a job failed and will be retried")
    }

    /// Continues jobs that were left behind, and starts running new ones.
    func start(_ piece: @escaping Piece) async throws {
        self.piece = piece
        try await journal.start()
        worker.start { [weak self] in await self?.work() }
    }

    /// Waits for the piece under way and begins no other.
    func stop() async {
        await worker.stop()
        journal.close()
    }

    /// Stores a job that begins when `change` commits, and at the earliest a second after it last began. A job under
    /// way continues, and runs once more when it ends.
    func begin(_ kind: JobKind, of account: AccountNumber, in change: Change) async throws {
        let wait = try await change.first(JobsStore.begin, .number(account), .int16(kind.rawValue)) ?? 0
        change.afterCommit { [worker] in
            guard wait > 0 else { return worker.wake() }
            _ = Reactor.shared.after(.microseconds(wait) + .milliseconds(1)) { [weak worker] in worker?.wake() }
        }
    }

    /// Looks for a job that `change` stored, once it has committed.
    func wake(after change: Change) { change.afterCommit { [worker] in worker.wake() } }

    /// Runs pieces until no job is due.
    private func work() async {
        while !worker.isStopping {
            taken = nil
            do {
                let foundJob = try await journal.change { [self] change in
                    taken = try await change.first(JobsStore.take)
                    guard let job = taken, let piece else { return false }
                    try await piece(job, change)
                    return true
                }
                if !foundJob { return }
            } catch {
                worker.note(error)
                // A job that fails must not block the others.
                guard let job = taken else { return }
                _ = try? await journal.change { change in
                    try await change.execute(
                        JobsStore.postpone, .number(job.account), .int16(job.kindNumber), .int64(5_000_000))
                }
            }
        }
    }
}

extension ConversationsService {
    /// The most conversations in a piece, and the most members that it publishes to.
    nonisolated static let pieceConversationsMax = 50
    nonisolated static let pieceMembersMax = 1000

    /// Runs one piece of a job and stores the progress.
    func runPiece(of job: Job, in change: Change) async throws {
        guard let kind = job.kind else { throw DatabaseError.unexpected("a job of a kind from a newer version") }
        let key: [Parameter] = [.number(job.account), .int16(kind.rawValue)]
        if job.isNew, job.pass == 2, try await change.first(JobsStore.beginAgain, key) != nil { return }
        if job.isNew { try await change.execute(JobsStore.lookUp, key) }
        let next = try await change.query(JobsStore.next, key + [.int32(Int32(Self.pieceConversationsMax))])
        let piece = Self.piece(of: next, for: kind)
        guard !piece.isEmpty else {
            // A block or a decline that was being added during the erasure.
            if kind == .erase, job.pass == 2 {
                try await change.execute(JobsStore.deleteBlocks, .number(job.account))
                try await change.execute(JobsStore.deleteDeclines, .number(job.account))
            }
            if try await change.first(JobsStore.beginAgain, key) != nil { return }
            guard job.pass == 1 else {
                try await change.execute(JobsStore.end, key)
                return
            }
            // Wait for transactions that began before the first pass and commit after it. Statements end after 5 s.
            let wait: Int64 = kind == .erase ? 6_000_000 : 2_000_000
            try await change.execute(JobsStore.beginSecondPass, key + [.int64(wait)])
            return
        }
        switch kind {
        case .publishProfile: try await publishPerson(job.account, in: piece.map(\.number), change)
        case .erase: try await removeErased(job.account, from: piece, in: change)
        case .handOver, .takeOver: try await nameOwner(kind, job.account, of: piece, in: change)
        }
        try await change.execute(JobsStore.advance, key + [.int32(Int32(piece.count))])
    }

    /// Returns the conversations to process in one transaction, few enough that nobody waits long for their rows. An
    /// erasure takes groups one at a time, because each locks its members' heads.
    nonisolated static func piece(of next: [JobConversation], for kind: JobKind) -> [JobConversation] {
        if kind != .publishProfile, next.first?.kind == .group { return Array(next.prefix(1)) }
        var members = 0
        let fitting = next.prefix { conversation in
            if kind == .erase, conversation.kind == .group { return false }
            members += conversation.members
            return members <= pieceMembersMax
        }
        return fitting.isEmpty ? Array(next.prefix(1)) : Array(fitting)
    }

    /// Publishes these conversations, with a person's current profile, to all members who are shown that person (C10).
    func publishPerson(_ account: AccountNumber, in conversations: [ConversationNumber], _ change: Change) async throws
    {
        let numbers = try await change.query(JobsStore.lockConversations, .numbers(conversations))
        let audience = try await change.query(JobsStore.audience, .numbers(numbers), .number(account))
        guard !audience.isEmpty else { return }
        var taken: [AccountNumber: Int64] = [:]
        for entry in audience { taken[entry.account, default: 0] += 1 }
        let accounts = taken.keys.sorted()
        let heads = try await change.query(
            RequestsStore.advanceHeads, .numbers(accounts), .int64s(accounts.map { taken[$0] ?? 0 }))
        var next: [AccountNumber: Position] = [:]
        for head in heads { next[head.account] = head.position - (taken[head.account] ?? 0) + 1 }
        var positions: [Position] = []
        for entry in audience {
            positions.append(next[entry.account] ?? 0)
            next[entry.account, default: 0] += 1
        }
        try await change.execute(
            JobsStore.movePositions, .numbers(audience.map(\.conversation)), .numbers(audience.map(\.account)),
            .numbers(positions))
        let byConversation = Dictionary(grouping: audience, by: \.conversation)
        for (number, id) in try await change.query(JobsStore.conversationIDs, .numbers(byConversation.keys)) {
            guard let id = ConversationID(id), let entries = byConversation[number] else { continue }
            try await publishViews(of: id, to: Set(entries.map(\.account)), in: change)
        }
    }
}
