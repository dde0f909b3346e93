import ParleyClient
import SwiftProtobuf

/// Everything that a store has of what the server sent, to compare it with what the server has.
package struct StoreContents: Sendable {
    /// The position of each stream.
    package var positions: [String: Int64] = [:]
    /// The states of all kinds, in no order.
    package var states: [any SwiftProtobuf.Message] = []
    package var records: [String: ConversationRecord] = [:]
    /// The unread messages by conversation.
    package var counts: [String: UnreadCount] = [:]
    package var badge = Unread.Badge()

    /// Reads a store.
    /// - Parameter now: the server's time in microseconds UTC.
    init(_ store: any StoreWriter, me: String, at now: Int64) throws {
        for stream in try store.streams() { positions[stream.name] = stream.position }
        for kind in StateKind.allCases {
            for body in try store.states(kind) { states.append(try kind.type.init(serializedBytes: body)) }
        }
        for row in try store.rows() { try add(row, of: store, me: me, at: now) }
    }

    private mutating func add(_ row: ConversationRow, of store: any StoreReader, me: String, at now: Int64) throws {
        if let conversation = row.conversation { states.append(conversation) }
        if let state = row.inboxState { states.append(state) }
        for message in try store.messages(row.id, in: 1 ... .max, newest: false, limit: .max) {
            states.append(message)
        }
        for receipt in try store.receipts(row.id) { states.append(receipt) }
        for count in try store.readCounts(row.id) { states.append(count) }
        guard let record = row.record else { return }
        records[row.id] = record
        let shown = try store.summary(of: row, me: me, at: now).own.unread
        let count = UnreadCount(unread: Int64(shown.messages), mentions: Int64(shown.mentions))
        counts[row.id] = count
        badge.add(count, record.unread.state, section: row.section, isArchived: row.isArchived, at: now)
    }
}
