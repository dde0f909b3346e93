import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Returns how much of the server the caller uses, and how much they may use.
    func getUsage(_ request: GetUsageRequest, _ call: RequestContext) async throws -> GetUsageReply {
        let account = call.caller.account
        let today = Day(context.clock.now)
        let stored = try await context.database.first(UsageStore.usage, .number(account), .int32(today.number))
        return GetUsageReply(
            fileBytes: stored?.fileBytes ?? 0, fileBytesMax: files.personBytesMax,
            messages: Int64(stored?.messages ?? 0) + Int64(limits.unstored(of: account)),
            messagesMax: Int64(limits.messagesMax), dayEndsUs: today.end.rawValue)
    }
}

extension Files {
    /// - Throws: ``Refusal`` `quota_reached` if the person's files have more bytes than one person's may.
    func requireQuota(
        of account: AccountNumber, besides bytes: Int64 = 0, in database: some Queryable
    ) async throws {
        let used = try await database.first(UsageStore.usage, .number(account), .int32(0))?.fileBytes ?? 0
        guard used + bytes <= personBytesMax else {
            throw Refusal(
                .quotaReached,
                "Your files would have more than \(personBytesMax) bytes. Delete messages with files first.",
                field: "size_bytes")
        }
    }
}

/// The SQL of how much people use.
enum UsageStore {
    /// $1 account, $2 day. Returns the bytes of its files, and how many messages it sent that day.
    static let usage = Statement(
        """
        SELECT file_bytes, CASE WHEN day = $2 THEN messages ELSE 0 END
        FROM messaging.usage
        WHERE account = $1
        """
    ) { row in (fileBytes: try row.int64(0), messages: try row.int32(1)) }

    /// $1 accounts in order, $2 messages that each sent, $3 day. Returns how many each has sent that day.
    static let addMessages = Statement(
        """
        INSERT INTO messaging.usage AS u (account, day, messages)
        SELECT account, $3, sent
        FROM unnest($1::bigint[], $2::integer[]) AS s (account, sent)
        ON CONFLICT (account) DO UPDATE
        SET messages = CASE WHEN u.day = excluded.day THEN u.messages ELSE 0 END + excluded.messages,
            day = excluded.day
        RETURNING account, messages
        """
    ) { row in (account: try row.account(0), messages: try row.int32(1)) }

    /// $1 account, $2 maximum number of rows.
    static let erase = erasing("messaging.usage")
}
