import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// The conversations with news for the caller since a cursor (DESIGN §3). Its cost follows what changed.
    ///
    /// A send touches an inbox row at most every 10 s, so a sync looks back 30 s before where the last one began:
    /// something may be told twice, nothing is missed.
    func sync(_ request: MessagingSyncRequest, _ call: RequestContext) async throws -> MessagingSyncReply {
        // By the database's clock, which also touches the rows: replicas' own may differ.
        guard let (epoch, began) = try await context.database.first(MessagingStore.now) else {
            throw DatabaseError.unexpected("no epoch")
        }
        let startOver = !request.epoch.isEmpty && request.epoch != epoch
        guard let cursor = startOver ? SyncCursor.start(began) : SyncCursor(request.cursor, now: began) else {
            throw Refusal.invalid("cursor", "must be the cursor of an earlier reply, or empty")
        }
        let limit = Page.limit(request.limit)
        let rows = try await context.database.query(
            InboxStore.touched, .int64(call.caller.account), .int64(cursor.touchedAt),
            .int64(cursor.conversation),
            .int64(Int64(limit)))
        let page = InboxPage.fitting(rows)
        let more = rows.count == limit || page.count < rows.count
        let next = more ? page.last.map { cursor.after($0) } ?? cursor : cursor.finished
        return MessagingSyncReply(
            epoch: epoch, startOver: startOver, cursor: next.text, entries: page.map(\.entry), more: more)
    }
}

/// Where a sync stands: within its pages (`p.TOUCHED.CONVERSATION.BEGAN`), or between syncs (`d.BEGAN`). Pure.
struct SyncCursor: Equatable {
    static let lookBack: Int64 = 30_000_000

    var touchedAt: Int64
    var conversation: Int64
    /// When the sync that is under way began, by the database's clock.
    var began: Int64
    private var isFinished = false

    private init(touchedAt: Int64, conversation: Int64, began: Int64) {
        self.touchedAt = touchedAt
        self.conversation = conversation
        self.began = began
    }

    /// From the beginning of everything.
    static func start(_ now: Int64) -> SyncCursor { SyncCursor(touchedAt: 0, conversation: 0, began: now) }

    /// nil when the text is no cursor of ours.
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
