import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Returns how far each other member has read and received the conversation, as far as the caller may know (M5,
    /// M6). Paged.
    /// - Throws: ``Refusal`` `not_member`, `invalid`.
    func listReceipts(_ request: ListReceiptsRequest, _ call: RequestContext) async throws -> ListReceiptsReply {
        let after = try MemberCursor(request.cursor)
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        guard !window.isFormer else { throw Refusal.notMember }
        let limit = Page.limit(request.limit)
        let rows = try await context.database.query(
            ReceiptsStore.receipts, .number(conversation.number), .number(call.caller.account), .number(after.account),
            .int64(Int64(limit + 1)))
        let more = rows.count > limit
        return ListReceiptsReply(
            receipts: rows.prefix(limit).map { row in
                var receipt = row.receipt
                receipt.conversation = conversation.id.rawValue
                return receipt
            },
            cursor: more ? MemberCursor(account: rows[limit - 1].account).text : "", more: more)
    }

    /// Returns who has read one message, and when, as far as others may know (M6). Lists current members who were
    /// members when it was sent, except its sender. Paged.
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`, `invalid`.
    func listReaders(_ request: ListReadersRequest, _ call: RequestContext) async throws -> ListReadersReply {
        let after = try MemberCursor(request.cursor)
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        guard !window.isFormer else { throw Refusal.notMember }
        let (number, seq) = (conversation.number, Seq(request.seq))
        guard seq >= window.lowest, seq <= window.highest,
            let sender = try await context.database.first(ReceiptsStore.sender, .number(number), .number(seq))
        else { throw Refusal.messageNotFound() }
        let limit = Page.limit(request.limit)
        let rows = try await context.database.query(
            ReceiptsStore.readers, .number(number), .number(seq), .number(sender), .number(after.account),
            .int64(Int64(limit + 1)))
        let more = rows.count > limit
        let readers = rows.prefix(limit).map(\.reader)
        var reply = ListReadersReply(
            readers: readers, cursor: more ? MemberCursor(account: rows[limit - 1].account).text : "", more: more)
        if more || !request.cursor.isEmpty {
            let counts = try await context.database.first(
                ReceiptsStore.readerCount, .number(number), .number(seq), .number(sender))
            (reply.read, reply.delivered) = counts ?? (0, 0)
        } else {
            reply.read = Int64(readers.count { $0.readAtUs != 0 })
            reply.delivered = Int64(readers.count { $0.delivered })
        }
        return reply
    }
}

/// The last member of a page. Pure.
struct MemberCursor: Cursor {
    var account: AccountNumber

    static let start = MemberCursor(account: 0)

    init(account: AccountNumber) { self.account = account }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) { account = try parts.number(in: 1...(.max)) }

    var text: String { "\(account)" }
}
