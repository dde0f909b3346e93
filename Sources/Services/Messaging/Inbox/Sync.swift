import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Returns the caller's conversations changed since a cursor, the latest first, with the messages that changed
    /// after the positions that the caller holds; and message states changed since a position of their own stream. The
    /// cost follows the number of changes.
    ///
    /// A send touches an inbox row at most every 10 s, so a sync looks back 30 s before the last one began. An entry
    /// may be repeated, but none is missed.
    func sync(_ request: MessagingSyncRequest, _ call: RequestContext) async throws -> MessagingSyncReply {
        guard request.cell.isEmpty || request.cell == Cell.only else {
            throw Refusal.invalid("cell", "must be one of welcome's cells")
        }
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
        let parameters: [Parameter] = [
            account, .number(cursor.touchedAt), .number(cursor.conversation), .int64(Int64(limit)), .number(now),
        ]
        let rows =
            if let since = cursor.since {
                try await context.database.query(InboxStore.lastTouched, parameters + [.number(since)])
            } else {
                try await context.database.query(InboxStore.touched, parameters)
            }
        var bytes = changed.states.reduce(0) { $0 + $1.pageBytes }
        let page = InboxPage.fitting(rows, spent: bytes)
        bytes += page.reduce(0) { $0 + $1.bytes }
        let moreEntries = rows.count == limit || page.count < rows.count
        let next = moreEntries ? page.last.map { cursor.after($0) } ?? cursor : cursor.ended
        var entries = try await shown(page, to: call.caller.account, at: now)
        if !start.startOver, request.epoch == epoch, !request.held.isEmpty {
            try await addMissed(to: &entries, of: page, held: request.held, by: call.caller.account, bytes: &bytes)
        }
        return MessagingSyncReply(
            epoch: epoch, startOver: start.startOver, cursor: next.text, entries: entries,
            more: !next.isFinished || changed.through < head, ownPosition: changed.through.rawValue,
            messageStates: changed.states)
    }

    /// Adds to entries the messages that changed after what the caller holds, as far as they fit. One statement.
    private func addMissed(
        to entries: inout [InboxEntry], of page: [TouchedEntry], held: [HeldPosition], by account: AccountNumber,
        bytes: inout Int
    ) async throws {
        let held = Dictionary(held.map { ($0.conversation, Position($0.position)) }, uniquingKeysWith: min)
        var behind: [(index: Int, since: Position)] = []
        for (index, row) in page.enumerated() {
            // What a former member gets depends on what was changed since they left: GetChanges decides.
            guard let since = held[row.entry.conversation], since > 0, !row.isFormer else { continue }
            let head = Position(row.entry.position)
            if since == head {
                entries[index].caughtUp = true
            } else if since < head, since >= row.firstPosition, head.count(since: since) <= Self.missedMax {
                behind.append((index, since))
            }
        }
        guard !behind.isEmpty else { return }
        let rows = behind.map { page[$0.index] }
        let missed = try await context.database.query(
            InboxStore.missed, .numbers(rows.map(\.number)), .numbers(behind.map(\.since)),
            .int64s(rows.map { $0.entry.state?.firstSeq ?? 1 }), .int64s(rows.map(\.entry.lastSeq)),
            .int64s(
                zip(rows, behind).map { row, behind in
                    row.entry.lastSeq - Position(row.entry.position).count(since: behind.since) + 1
                }),
            .number(account), .int64(Self.missedMax + 1))
        let byEntry = Dictionary(grouping: missed, by: \.ordinal)
        for (ordinal, behind) in behind.enumerated() {
            var messages = (byEntry[ordinal + 1] ?? []).map(\.message)
            bytes += messages.reduce(0) { $0 + $1.pageBytes }
            guard messages.count <= Int(Self.missedMax), bytes <= Page.bytesMax else { continue }
            show(&messages, of: entries[behind.index].conversation)
            // The entry's position stays: some may have changed since, but what was sent since is not among them.
            entries[behind.index].missed = messages
            entries[behind.index].caughtUp = true
        }
    }

    /// The most changed messages that an entry brings.
    private static let missedMax: Int64 = 50

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

/// The progress of a sync. Pure.
///
/// The first pass reads the latest conversations first (`n.TOUCHED.CONVERSATION.BEGAN.SINCE`). If it takes several
/// pages, a conversation that is touched meanwhile moves ahead of it. So a second pass reads what was touched since the
/// first began, in ascending order (`p.TOUCHED.CONVERSATION.BEGAN`), where nothing can move away. Between syncs it is
/// `d.BEGAN`.
struct SyncCursor: Cursor {
    /// How far a sync looks back.
    static let lookBack: Duration = .seconds(30)

    static let start = SyncCursor(touchedAt: .max, conversation: .max, began: 0)

    var touchedAt: Timestamp
    var conversation: ConversationNumber
    /// When the current sync began, by the database's clock; zero before the first.
    var began: Timestamp
    /// In the first pass, the time after which conversations were touched.
    var since: Timestamp?
    private(set) var isFinished = false

    private init(
        touchedAt: Timestamp, conversation: ConversationNumber, began: Timestamp, since: Timestamp? = nil
    ) {
        self.touchedAt = touchedAt
        self.conversation = conversation
        self.began = began
        self.since = since
    }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        if parts.take("d") {
            self.init(touchedAt: .max, conversation: .max, began: try parts.number())
            isFinished = true
        } else if parts.take("n") {
            self.init(
                touchedAt: try parts.number(), conversation: try parts.number(), began: try parts.number(),
                since: try parts.number())
        } else if parts.take("p") {
            self.init(touchedAt: try parts.number(), conversation: try parts.number(), began: try parts.number())
        } else {
            throw CursorParts.Invalid()
        }
    }

    /// Returns where to read on: within a sync where its last page ended, otherwise the beginning of a sync at `now`.
    func continued(at now: Timestamp) -> SyncCursor {
        guard isFinished || self == .start else { return self }
        return SyncCursor(
            touchedAt: .max, conversation: .max, began: now, since: isFinished ? max(0, began - Self.lookBack) : 0)
    }

    func after(_ row: TouchedEntry) -> SyncCursor {
        SyncCursor(touchedAt: row.touchedAt, conversation: row.number, began: began, since: since)
    }

    /// What follows the last page of a pass.
    var ended: SyncCursor {
        let isFirstPage = touchedAt == .max
        if since != nil, !isFirstPage {
            return SyncCursor(touchedAt: max(0, began - Self.lookBack), conversation: 0, began: began)
        }
        var cursor = SyncCursor(touchedAt: .max, conversation: .max, began: began)
        cursor.isFinished = true
        return cursor
    }

    var text: String {
        if isFinished { return "d.\(began)" }
        return since.map { "n.\(touchedAt).\(conversation).\(began).\($0)" }
            ?? "p.\(touchedAt).\(conversation).\(began)"
    }
}
