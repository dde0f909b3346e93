import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Returns a page of the caller's conversations in one section (R8, M16). In the inbox, pinned conversations come
    /// first, then those with the latest news. Runs one statement; the cost follows the page size.
    ///
    /// The first page holds all pinned conversations, even beyond its limit, unless they exceed the page's bytes. No
    /// page holds a conversation without messages or with none since it was cleared. A conversation that gets news
    /// while a client pages moves to the front, and the client learns of it by Update. Page boundaries follow news that
    /// may be 10 s out of date; within a page the order is exact.
    /// - Throws: ``Refusal`` `invalid`.
    func getInbox(_ request: GetInboxRequest, _ call: RequestContext) async throws -> GetInboxReply {
        let before = try InboxCursor(request.cursor)
        let section = request.section == .unspecified ? .inbox : request.section
        if case .unrecognized = section {
            throw Refusal.invalid("section", "must be INBOX, REQUESTS, BLOCKED_PEOPLE, LEFT or GONE, or absent")
        }
        guard section == .inbox || !request.archived else {
            throw Refusal.invalid("archived", "can only be used with section INBOX")
        }
        let limit = Page.limit(request.limit)
        let parameters: [Parameter] = [
            .number(call.caller.account), .number(before.newsAt), .number(before.conversation),
            .int64(Int64(limit + 1)), .number(context.clock.now),
        ]
        let rows =
            switch (section, request.archived) {
            case (.inbox, false):
                try await context.database.query(
                    InboxStore.inbox, parameters + [.number(before.pinnedAt), .number(before.pinned)])
            case (.inbox, true): try await context.database.query(InboxStore.archived, parameters)
            default:
                try await context.database.query(
                    InboxStore.otherSection, parameters + [.int16(Int16(truncatingIfNeeded: section.rawValue))])
            }
        let isPinnedFirst = section == .inbox && !request.archived
        let page = InboxPage.of(rows, limit: limit, isPinnedFirst: isPinnedFirst)
        let more = rows.count > page.count
        let now = context.clock.now
        let entries = try await shown(
            InboxPage.inOrder(page, isPinnedFirst: isPinnedFirst), to: call.caller.account, at: now)
        return GetInboxReply(
            entries: entries,
            cursor: more ? page.last.map { InboxCursor($0, isPinnedFirst: isPinnedFirst).text } ?? "" : "", more: more)
    }
}

extension MessagingService {
    /// Returns the entries. Each last message shows only what the caller may read at `now`.
    func shown(_ rows: [TouchedEntry], to account: AccountNumber, at now: Timestamp) async throws -> [InboxEntry] {
        var entries = rows.map(\.entry)
        for index in entries.indices { entries[index].lastMessage?.show(at: now) }
        let left = entries.indices.filter { entries[$0].mayBeLeft && entries[$0].lastMessage != nil }
        var messages = left.compactMap { entries[$0].lastMessage }
        try await showAsLeft(&messages, to: account)
        for (index, message) in zip(left, messages) { entries[index].lastMessage = message }
        return entries
    }
}

extension InboxEntry {
    /// Whether the person may have left the conversation: one in section LEFT, or a group to which they are invited.
    fileprivate var mayBeLeft: Bool {
        section == .left || section == .requests && !conversation.utf8.contains(UInt8(ascii: "_"))
    }
}

/// Chooses the entries of a reply and their order. Pure.
enum InboxPage {
    /// Returns the first rows that make a page: all pinned rows, others up to the limit, and no more than fit its
    /// bytes.
    static func of(_ rows: [TouchedEntry], limit: Int, isPinnedFirst: Bool) -> [TouchedEntry] {
        let pinned = isPinnedFirst ? rows.prefix { $0.pinnedAt != 0 }.count : 0
        return fitting(rows.prefix(min(max(limit, pinned), Page.most)))
    }

    /// Returns as many of the first rows as fit a page's bytes, at least one.
    /// - Parameter spent: bytes of the reply already used.
    static func fitting(_ rows: some Collection<TouchedEntry>, spent: Int = 0) -> [TouchedEntry] {
        var bytes = spent
        let fitting = rows.prefix { row in
            bytes += row.bytes
            return bytes <= Page.bytesMax + 16384
        }
        return Array(fitting.isEmpty ? rows.prefix(1) : fitting)
    }

    /// Returns pinned rows in the given order, then the others with the latest news first.
    static func inOrder(_ page: [TouchedEntry], isPinnedFirst: Bool) -> [TouchedEntry] {
        let pinned = isPinnedFirst ? page.prefix { $0.pinnedAt != 0 } : []
        return pinned + page.dropFirst(pinned.count).sorted { $0.newsAt > $1.newsAt }
    }
}

/// The end of an inbox page: `NEWS.CONVERSATION`, or `p.PINNED.CONVERSATION` among pinned conversations. Pure.
struct InboxCursor: Cursor {
    var newsAt: Timestamp
    var conversation: ConversationNumber
    /// The page continues with conversations pinned before this time; zero when no pinned ones are left.
    var pinnedAt: Timestamp
    var pinned: ConversationNumber

    static let start = InboxCursor(newsAt: .max, conversation: .max, pinnedAt: .max, pinned: .max)

    private init(
        newsAt: Timestamp = .max, conversation: ConversationNumber = .max, pinnedAt: Timestamp,
        pinned: ConversationNumber
    ) {
        (self.newsAt, self.conversation) = (newsAt, conversation)
        (self.pinnedAt, self.pinned) = (pinnedAt, pinned)
    }

    init(_ row: TouchedEntry, isPinnedFirst: Bool) {
        if isPinnedFirst, row.pinnedAt != 0 {
            self.init(pinnedAt: row.pinnedAt, pinned: row.number)
        } else {
            self.init(newsAt: row.cutAt, conversation: row.number, pinnedAt: 0, pinned: 0)
        }
    }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        if parts.take("p") {
            self.init(pinnedAt: try parts.number(), pinned: try parts.number())
        } else {
            self.init(newsAt: try parts.number(), conversation: try parts.number(), pinnedAt: 0, pinned: 0)
        }
    }

    var text: String { pinnedAt == 0 ? "\(newsAt).\(conversation)" : "p.\(pinnedAt).\(pinned)" }
}
