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
        guard var cursor = MentionsAndStarsCursor(request.cursor) else {
            throw Refusal.invalid("cursor", "must be a cursor from an earlier reply, or empty")
        }
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
                statement, .int64(call.caller.account), .int64(cursor.at), .int64(cursor.conversation),
                .int64(cursor.seq), .int64(Int64(limit + 1)), .int64(context.clock.now))
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
struct MentionsAndStarsCursor: Equatable {
    var at: Int64
    var conversation: Int64
    var seq: Int64

    init(_ row: MentionOrStar) {
        (at, conversation, seq) = (row.at, row.conversation, row.seq)
    }

    /// Returns nil for an invalid cursor. An empty text starts at the newest.
    init?(_ text: String) {
        (at, conversation, seq) = (.max, .max, .max)
        if text.isEmpty { return }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64($0) }
        guard parts.count == 3, numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        (at, conversation, seq) = (numbers[0], numbers[1], numbers[2])
    }

    var text: String { "\(at).\(conversation).\(seq)" }
}
