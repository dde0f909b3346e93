import Command
import ParleyClient

/// How long requests about reminders and decisions take, one after the other, while nothing else happens.
struct EntityFigures: Encodable, Sendable {
    private static let times = 300
    private static let changes = 10

    var createDecisionMs: Milliseconds
    /// The first page of 50.
    var listRemindersMs: Milliseconds
    var listDecisionsMs: Milliseconds
    /// entities.Sync after ten changes: five reminders and five decisions.
    var syncMs: Milliseconds

    /// Measures as a person who has reminders.
    init(of client: ParleyClient) async throws {
        createDecisionMs = try await Self.each {
            _ = try await client.createDecision(.with { $0.text = "Going to the Italian restaurant" })
        }
        listRemindersMs = try await Self.each {
            guard try await client.listReminders().reminders.count == 50 else { throw Self.wrong("reminders") }
        }
        listDecisionsMs = try await Self.each {
            guard try await client.listDecisions().decisions.count == 50 else { throw Self.wrong("decisions") }
        }
        var page = try await client.syncEntities(limit: 100)
        while page.more { page = try await client.syncEntities(epoch: page.epoch, since: page.position, limit: 100) }
        for _ in 0..<Self.changes / 2 {
            _ = try await client.createDecision(.with { $0.text = "At seven" })
            _ = try await client.createReminder(
                .with { ($0.title, $0.dueAtUs) = ("one more", 4_102_444_800_000_000) })
        }
        let (epoch, position) = (page.epoch, page.position)
        syncMs = try await Self.each {
            let reply = try await client.syncEntities(epoch: epoch, since: position)
            guard reply.reminders.count + reply.decisions.count == Self.changes, !reply.more, !reply.startOver else {
                throw Self.wrong("changes")
            }
        }
    }

    private static func wrong(_ what: String) -> Failure {
        Failure(.failed, "The reply does not have the \(what) that were made before.")
    }

    private static func each(_ once: () async throws -> Void) async throws -> Milliseconds {
        var durations: [Duration] = []
        for _ in 0..<times {
            try Task.checkCancellation()
            let began = ContinuousClock.now
            try await once()
            durations.append(ContinuousClock.now - began)
        }
        return Milliseconds(durations)
    }

    /// The figures as rows of a table.
    var rows: [(String, String)] {
        [
            ("CreateDecision, ms", createDecisionMs), ("ListReminders, first page, ms", listRemindersMs),
            ("ListDecisions, first page, ms", listDecisionsMs), ("Sync after \(Self.changes) changes, ms", syncMs),
        ].map { ($0, "p50 \(rounded($1.p50))   p99 \(rounded($1.p99))") }
    }
}
