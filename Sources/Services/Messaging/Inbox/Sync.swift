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
        let account = Parameter.int64(call.caller.account)
        guard let (epoch, began, head) = try await context.database.first(OwnStateStore.now, account) else {
            throw DatabaseError.unexpected("the epoch is missing")
        }
        let startOver = !request.epoch.isEmpty && request.epoch != epoch
        guard let cursor = startOver ? SyncCursor.start(began) : SyncCursor(request.cursor, now: began) else {
            throw Refusal.invalid("cursor", "must be a cursor from an earlier reply, or empty")
        }
        let limit = Page.limit(request.limit)
        let since = startOver || request.ownPosition < 0 || request.ownPosition > head ? 0 : request.ownPosition
        let changed = try await messageStates(of: call.caller, since: since, upTo: head, limit)
        let now = context.clock.now
        let rows = try await context.database.query(
            InboxStore.touched, account, .int64(cursor.touchedAt), .int64(cursor.conversation), .int64(Int64(limit)),
            .int64(now))
        let page = InboxPage.fitting(rows, spent: changed.states.reduce(0) { $0 + $1.pageBytes })
        let moreEntries = rows.count == limit || page.count < rows.count
        let next = moreEntries ? page.last.map { cursor.after($0) } ?? cursor : cursor.finished
        return MessagingSyncReply(
            epoch: epoch, startOver: startOver, cursor: next.text,
            entries: try await shown(page, to: call.caller.account, at: now),
            more: moreEntries || changed.through < head, ownPosition: changed.through, messageStates: changed.states)
    }

    /// Returns a page of message states changed since a position, and the position up to which it is complete.
    private func messageStates(
        of caller: Caller, since: Int64, upTo head: Int64, _ limit: Int
    ) async throws -> (states: [MessageState], through: Int64) {
        guard since < head else { return ([], head) }
        let rows = try await context.database.query(
            OwnStateStore.messageStatesSince, .int64(caller.account), .int64(since), .int64(Int64(limit + 1)))
        // Use at most a quarter of the reply; the rest is for entries.
        var bytes = 0
        let states = rows.prefix(limit).prefix { row in
            bytes += row.pageBytes
            return bytes <= Page.bytesMax / 4
        }
        let isAll = states.count == rows.count
        return (Array(states), isAll ? max(head, states.last?.ownPosition ?? 0) : states.last?.ownPosition ?? since)
    }
}

extension MessageState {
    /// The approximate size in a reply, in bytes.
    fileprivate var pageBytes: Int { conversation.utf8.count + 40 }
}

/// The progress of a sync: between its pages (`p.TOUCHED.CONVERSATION.BEGAN`) or between syncs (`d.BEGAN`). Pure.
struct SyncCursor: Equatable {
    /// How far a sync looks back, in µs.
    static let lookBack: Int64 = 30_000_000

    var touchedAt: Int64
    var conversation: Int64
    /// When the current sync began, by the database's clock.
    var began: Int64
    private var isFinished = false

    private init(touchedAt: Int64, conversation: Int64, began: Int64) {
        self.touchedAt = touchedAt
        self.conversation = conversation
        self.began = began
    }

    /// Returns a cursor before all entries.
    static func start(_ now: Int64) -> SyncCursor { SyncCursor(touchedAt: 0, conversation: 0, began: now) }

    /// Returns nil for an invalid cursor.
    init?(_ text: String, now: Int64) {
        if text.isEmpty {
            self = .start(now)
            return
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().compactMap { Int64($0) }
        guard numbers.count == parts.count - 1, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        switch (parts[0], numbers.count) {
        case ("d", 1): self.init(touchedAt: max(0, numbers[0] - Self.lookBack), conversation: 0, began: now)
        case ("p", 3): self.init(touchedAt: numbers[0], conversation: numbers[1], began: numbers[2])
        default: return nil
        }
    }

    func after(_ row: TouchedEntry) -> SyncCursor {
        SyncCursor(touchedAt: row.touchedAt, conversation: row.number, began: began)
    }

    var finished: SyncCursor {
        var cursor = self
        cursor.isFinished = true
        return cursor
    }

    var text: String { isFinished ? "d.\(began)" : "p.\(touchedAt).\(conversation).\(began)" }
}
