import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Returns messages the caller starred and messages that mention them, from all conversations (M10, M11), newest
    /// first by the time of the star or message. Leaves out messages the caller may no longer read and deleted,
    /// disappeared or hidden ones, so a page may be shorter than requested.
    /// - Throws: ``Refusal`` `invalid`.
    func listMentionsAndStars(_ request: ListMentionsAndStarsRequest, _ call: RequestContext) async throws
        -> ListMentionsAndStarsReply
    {
        var cursor = try MentionsAndStarsCursor(request.cursor)
        let statement =
            switch request.kind {
            case .starred: OwnStateStore.starred
            case .mentions: OwnStateStore.mentioning
            case .mentionsAndStars: OwnStateStore.mentioningOrStarred
            case .unspecified, .unrecognized:
                throw Refusal.invalid("kind", "must be STARRED, MENTIONS or MENTIONS_AND_STARS")
            }
        let limit = Page.limit(request.limit)
        // Skip empty pages, up to a limit.
        for _ in 1...Self.emptyPagesMax {
            let rows = try await context.database.query(
                statement, .number(call.caller.account), .number(cursor.at), .number(cursor.conversation),
                .number(cursor.seq), .int64(Int64(limit + 1)), .number(context.clock.now))
            let page = Self.fitting(rows.prefix(limit))
            var messages = page.compactMap(\.message)
            try await showAsLeft(&messages, to: call.caller.account)
            let more = page.count < rows.count
            if let last = page.last { cursor = MentionsAndStarsCursor(last) }
            if !messages.isEmpty || !more {
                return ListMentionsAndStarsReply(messages: messages, cursor: more ? cursor.text : "", more: more)
            }
        }
        return ListMentionsAndStarsReply(messages: [], cursor: cursor.text, more: true)
    }

    private static let emptyPagesMax = 10

    /// Returns as many of the first rows as fit a page's bytes, at least one.
    private static func fitting(_ rows: some Collection<MentionOrStar>) -> [MentionOrStar] {
        var bytes = 0
        let fitting = rows.prefix { row in
            bytes += row.message?.pageBytes ?? 0
            return bytes <= Page.bytesMax
        }
        return Array(fitting.isEmpty ? rows.prefix(1) : fitting)
    }
}

/// The end of a page of mentions and stars: `WHEN.CONVERSATION.SEQ`. Pure.
struct MentionsAndStarsCursor: Cursor {
    var at: Timestamp
    var conversation: ConversationNumber
    var seq: Seq

    static let start = MentionsAndStarsCursor(at: .max, conversation: .max, seq: .max)

    private init(at: Timestamp, conversation: ConversationNumber, seq: Seq) {
        (self.at, self.conversation, self.seq) = (at, conversation, seq)
    }

    init(_ row: MentionOrStar) {
        self.init(at: row.at, conversation: row.conversation, seq: row.seq)
    }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(at: try parts.number(), conversation: try parts.number(), seq: try parts.number())
    }

    var text: String { "\(at).\(conversation).\(seq)" }
}
