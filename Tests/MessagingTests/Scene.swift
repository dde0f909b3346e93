import Logging
import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

let quiet = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

/// A migrated database with people 1 … 20 and groups 1 … 20, each of which has persons 1 to 3 as members.
@ReactorActor
final class Scene {
    let database: MigratedDatabase
    let superuser: Connection
    let messaging: Connection
    let publisher = UpdatePublisher(endpoint: "ipc:///nowhere", log: quiet)
    private(set) var holders: [LaneHolder] = []

    init() async throws {
        database = try await MigratedDatabase()
        superuser = try await Connection.open(database.superuser)
        messaging = try await Connection.open(database.configuration(of: "messaging", settings: plannerSettings))
        for sql in [
            "INSERT INTO conversations.accounts (user_id, username, created_at) SELECT 'u' || g, 'u' || g, 1 "
                + "FROM generate_series(1, 20) AS g",
            "INSERT INTO conversations.conversations (conversation_id, kind, created_by, created_at) "
                + "SELECT lpad(g::text, 32, '0'), 2, 1, 1 FROM generate_series(1, 20) AS g",
            "INSERT INTO conversations.members (conversation, account, joined_at, position) "
                + "SELECT c, a, 1, c FROM generate_series(1, 20) AS c, generate_series(1, 3) AS a",
        ] { try await superuser.execute(Statement(sql)) }
    }

    func lane(idleInTransaction: Duration = .seconds(120)) async throws -> SendLane {
        let holder = LaneHolder(
            schema: "messaging",
            database: database.configuration(
                of: "messaging", idleInTransaction: idleInTransaction, settings: plannerSettings), log: quiet,
            unclaimed: FailureLine("no lane", quiet))
        try await holder.start()
        holders.append(holder)
        return SendLane(
            "send", holder: holder, index: holders.count - 1, log: quiet,
            unfit: .invalid("text", "must not have characters that the server cannot store"),
            commit: SendBatch(publisher: publisher, clock: .system).commit)
    }

    func number(_ sql: String) async throws -> Int64 {
        try await superuser.first(Statement("SELECT (\(sql))::bigint") { try $0.int64(0) }) ?? -1
    }

    func execute(_ sql: String) async throws { try await superuser.execute(Statement(sql)) }

    /// Creates a journal of messaging with its own lane.
    func journal() async throws -> Journal {
        let journal = Journal(
            schema: "messaging",
            database: database.configuration(of: "messaging", settings: plannerSettings), laneCount: 1,
            publisher: publisher, log: quiet)
        try await journal.start()
        return journal
    }

    // MARK: Members, written as the conversations service does

    func join(_ account: AccountNumber, _ conversation: ConversationNumber, version: Int64) async throws {
        try await execute(
            """
            INSERT INTO conversations.members (conversation, account, joined_at, joined_version, position)
            VALUES (\(conversation), \(account), 1, \(version), 1)
            ON CONFLICT (conversation, account) DO UPDATE
            SET may_read = true, write_refusal = 0, left_at = NULL, left_version = NULL,
                joined_version = excluded.joined_version
            """)
    }

    func leave(_ account: AccountNumber, _ conversation: ConversationNumber, version: Int64) async throws {
        try await execute(
            """
            UPDATE conversations.members
            SET may_read = false, write_refusal = 3, left_at = 1, left_version = \(version)
            WHERE conversation = \(conversation) AND account = \(account)
            """)
    }

    func window(_ account: AccountNumber, _ conversation: ConversationNumber) async throws -> Window? {
        try await messaging.first(MessagingStore.window, .number(conversation), .number(account))
    }

    /// Returns the seqs that an account may read as "from...to".
    func range(_ account: AccountNumber, _ conversation: ConversationNumber) async throws -> String? {
        try await window(account, conversation).map { "\($0.lowest)...\($0.highest)" }
    }

    /// Returns the seqs that the published view shows an account.
    func readable(_ account: AccountNumber, _ conversation: ConversationNumber) async throws -> [Seq] {
        let seqs = try await superuser.query(
            Statement(
                "SELECT seq FROM messaging.readable WHERE conversation = \(conversation) AND account = \(account) "
                    + "ORDER BY seq"
            ) { try $0.seq(0) })
        let window = try await window(account, conversation)
        #expect(
            seqs.first ?? window?.lowest == window?.lowest && seqs.last ?? 0 <= window?.highest ?? 0,
            "agrees with history")
        return seqs
    }

    func inbox(_ account: AccountNumber) async throws -> [InboxEntry] {
        try await messaging.query(
            InboxStore.touched, .number(account), .int64(0), .int64(0), .int64(50), .int64(0)
        ).map(\.entry)
    }

    /// Returns a message's audience from the journal.
    func audience(of seq: Seq, in conversation: ConversationNumber) async throws -> [Int64] {
        let rows = try await superuser.query(
            Statement("SELECT subjects, objects, audience_counts, audience FROM messaging.journal") { row in
                (try row.int64s(0), try row.int64s(1), try row.int16s(2), try row.int64s(3))
            })
        for (subjects, objects, counts, audience) in rows {
            var rest = audience[...]
            var last: [Int64: [Int64]] = [:]
            for (index, count) in counts.enumerated() {
                if count >= 0 {
                    last[subjects[index]] = Array(rest.prefix(Int(count)))
                    rest = rest.dropFirst(Int(count))
                }
                if subjects[index] == conversation.rawValue, objects[index] == seq.rawValue {
                    return last[conversation.rawValue, default: []].sorted()
                }
            }
        }
        return []
    }

    /// Starts another replica's batch, which has stored its message and pauses before its commit.
    func batchInFlight(_ message: PendingMessage) async throws -> Standstill {
        try await execute("INSERT INTO messaging.lanes VALUES (60, 0) ON CONFLICT DO NOTHING")
        let id = Hex.text(message.draft.id.bytes)
        return try await Standstill(
            database.configuration(of: "messaging"),
            """
            SELECT messaging.send_batch(60, 1, ARRAY[\(message.conversation)]::bigint[],
                ARRAY[\(message.draft.sender)]::bigint[], ARRAY['\(id)']::uuid[], ARRAY[1]::smallint[],
                ARRAY['\(message.draft.content.text)']::text[])
            """)
    }

    /// Checks that seqs, journal numbers and audiences are dense and agree.
    func checkInvariants() async throws {
        #expect(
            try await number(
                """
                SELECT count(*) FROM (
                    SELECT count(*) AS n, max(m.seq) AS s, max(m.position) AS p, min(h.seq) AS hs, min(h.position) AS hp
                    FROM messaging.messages AS m JOIN messaging.heads AS h USING (conversation) GROUP BY conversation
                ) AS x WHERE n <> s OR s <> hs OR p <> hp
                """) == 0, "seq is dense and the head is the last")
        #expect(
            try await number(
                """
                SELECT count(*) FROM (
                    SELECT lane, number, cardinality(positions) AS c,
                        lead(number) OVER (PARTITION BY lane ORDER BY number) AS next
                    FROM messaging.journal
                ) AS j JOIN messaging.lanes AS l USING (lane) WHERE coalesce(next, l.number + 1) <> j.number + c
                """) == 0, "the journal's numbers are dense")
        #expect(
            try await number(
                """
                SELECT count(*) FROM messaging.messages AS m FULL JOIN (
                    SELECT s, o FROM messaging.journal, unnest(subjects, objects) AS u (s, o)
                ) AS j ON j.s = m.conversation AND j.o = m.seq WHERE m.seq IS NULL OR j.o IS NULL
                """) == 0, "the journal names each message once")
        #expect(
            try await number(
                """
                SELECT count(*) FROM messaging.journal
                WHERE cardinality(audience) <> (SELECT sum(c) FROM unnest(audience_counts) AS c WHERE c > 0)
                """) == 0, "audiences add up")
    }
}

/// Returns a distinct UUIDv7-like id for each number.
func messageID(_ number: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    for index in 0..<8 { bytes[15 - index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    bytes[6] = 0x70
    bytes[8] = 0x80
    return bytes
}

func message(
    _ number: Int, in conversation: ConversationNumber, from sender: AccountNumber = 1, text: String? = nil,
    within: Duration = .seconds(30)
) -> PendingMessage {
    let digits = "\(conversation)"
    let id = String(repeating: "0", count: 32 - digits.count) + digits
    return PendingMessage(
        MessageDraft(
            conversation: ConversationID(id)!, sender: sender, senderID: "u\(sender)",
            id: try! UUIDv7(messageID(number)),
            content: MessageContent(kind: .text, text: text ?? "message \(number)"), session: "",
            deadline: .now + within),
        to: conversation)
}

extension TypedNumber {
    init(_ number: Int) { self.init(Int64(number)) }
}

/// Another session's transaction that pauses after `sql` until ``end()``.
@ReactorActor
final class Standstill {
    private let latch = Latch()
    private let reached = Latch()
    private var task: Task<Void, any Error>?

    init(_ configuration: DatabaseConfiguration, _ sql: String) async throws {
        let connection = try await Connection.open(configuration)
        let (latch, reached) = (latch, reached)
        task = Task { @ReactorActor in
            defer {
                reached.open()
                connection.close()
            }
            try await connection.transaction { transaction in
                try await transaction.execute(Statement(sql))
                reached.open()
                try await latch.wait()
            }
        }
        try await reached.wait()
    }

    /// Lets the transaction commit.
    func end() async throws {
        latch.open()
        try await task?.value
    }
}

typealias SendLane = BatchLane<PendingMessage, SendMessageReply>

extension BatchLane {
    func send(_ item: Item) async throws -> Reply {
        try await withCheckedThrowingContinuation { continuation in add(item) { continuation.resume(with: $0) } }
    }
}

/// A message being sent and its result.
@ReactorActor
final class Sending {
    private(set) var result: Result<SendMessageReply, any Error>?
    private(set) var seconds = 0.0
    private var task: Task<Void, Never>?

    init(_ lane: SendLane, _ message: PendingMessage) {
        let began = ContinuousClock.now
        task = Task.immediate { @ReactorActor in
            do {
                result = .success(
                    try await withCheckedThrowingContinuation { waiter in lane.add(message) { waiter.resume(with: $0) }
                    })
            } catch {
                result = .failure(error)
            }
            seconds = (ContinuousClock.now - began) / .seconds(1)
        }
    }

    func reply() async throws -> SendMessageReply {
        await task?.value
        guard let result else { throw DatabaseError.unexpected("no answer") }
        return try result.get()
    }

    /// Returns "accepted", "duplicate", the refusal's code, or "failed" with the error.
    func outcome() async -> String {
        do {
            return try await reply().duplicate ? "duplicate" : "accepted"
        } catch let refusal as Refusal {
            return refusal.code.rawValue
        } catch {
            return "failed: \(error)"
        }
    }
}
