import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Returns the caller's conversations changed since a cursor, and message states changed since a position of their
    /// own stream. The cost follows the number of changes.
    ///
    /// A send touches an inbox row at most every 10 s, so a sync looks back 30 s before the last one began. An entry
    /// may be repeated, but none is missed.
    func sync(_ request: MessagingSyncRequest, _ call: RequestContext) async throws -> MessagingSyncReply {
        // Use the database's clock, which also sets `touched_at`: replicas' clocks may differ. Read the person's head
        // before the rows so that the rows include everything it counts.
        let account = Parameter.number(call.caller.account)
        guard let (epoch, began, head) = try await context.database.first(OwnStateStore.now, account) else {
            throw DatabaseError.unexpected("the epoch is missing")
        }
        let start = SyncStart(request.ownPosition, of: request.epoch, current: epoch, head: head)
        let cursor = (start.startOver ? .start : try SyncCursor(request.cursor)).continued(at: began)
        let limit = Page.limit(request.limit)
        let changed = try await messageStates(of: call.caller, since: start.since, upTo: head, limit)
        let now = context.clock.now
        let rows = try await context.database.query(
            InboxStore.touched, account, .number(cursor.touchedAt), .number(cursor.conversation), .int64(Int64(limit)),
            .number(now))
        let page = InboxPage.fitting(rows, spent: changed.states.reduce(0) { $0 + $1.pageBytes })
        let moreEntries = rows.count == limit || page.count < rows.count
        let next = moreEntries ? page.last.map { cursor.after($0) } ?? cursor : cursor.finished
        return MessagingSyncReply(
            epoch: epoch, startOver: start.startOver, cursor: next.text,
            entries: try await shown(page, to: call.caller.account, at: now),
            more: moreEntries || changed.through < head, ownPosition: changed.through.rawValue,
            messageStates: changed.states)
    }

    /// Returns a page of message states changed since a position, and the position up to which it is complete.
    private func messageStates(
        of caller: Caller, since: Position, upTo head: Position, _ limit: Int
    ) async throws -> (states: [MessageState], through: Position) {
        guard since < head else { return ([], head) }
        let rows = try await context.database.query(
            OwnStateStore.messageStatesSince, .number(caller.account), .number(since), .int64(Int64(limit + 1)))
        // Use at most a quarter of the reply; the rest is for entries.
        var bytes = 0
        let states = rows.prefix(limit).prefix { row in
            bytes += row.pageBytes
            return bytes <= Page.bytesMax / 4
        }
        let isAll = states.count == rows.count
        let last = states.last.map { Position($0.ownPosition) }
        return (Array(states), isAll ? max(head, last ?? 0) : last ?? since)
    }
}

extension MessageState {
    /// The approximate size in a reply, in bytes.
    fileprivate var pageBytes: Int { conversation.utf8.count + 40 }
}

/// The progress of a sync: between its pages (`p.TOUCHED.CONVERSATION.BEGAN`) or between syncs (`d.BEGAN`). Pure.
struct SyncCursor: Cursor {
    /// How far a sync looks back.
    static let lookBack: Duration = .seconds(30)

    static let start = SyncCursor(touchedAt: 0, conversation: 0, began: 0)

    var touchedAt: Timestamp
    var conversation: ConversationNumber
    /// When the current sync began, by the database's clock; zero before the first.
    var began: Timestamp
    private var isFinished = false

    private init(touchedAt: Timestamp, conversation: ConversationNumber, began: Timestamp) {
        self.touchedAt = touchedAt
        self.conversation = conversation
        self.began = began
    }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        if parts.take("d") {
            self.init(touchedAt: 0, conversation: 0, began: try parts.number())
            isFinished = true
        } else if parts.take("p") {
            self.init(touchedAt: try parts.number(), conversation: try parts.number(), began: try parts.number())
        } else {
            throw CursorParts.Invalid()
        }
    }

    /// Returns where to read on: within a sync where its last page ended, otherwise the beginning of a sync at `now`.
    func continued(at now: Timestamp) -> SyncCursor {
        if isFinished {
            return SyncCursor(touchedAt: max(0, began - Self.lookBack), conversation: 0, began: now)
        }
        return self == .start ? SyncCursor(touchedAt: 0, conversation: 0, began: now) : self
    }

    func after(_ row: TouchedEntry) -> SyncCursor {
        SyncCursor(touchedAt: row.touchedAt, conversation: row.number, began: began)
    }

    var finished: SyncCursor {
        var cursor = SyncCursor(touchedAt: 0, conversation: 0, began: began)
        cursor.isFinished = true
        return cursor
    }

    var text: String { isFinished ? "d.\(began)" : "p.\(touchedAt).\(conversation).\(began)" }
}
