import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// The messages that the caller starred, or that mention them, over all conversations (M10, M11): what was starred
    /// last and said last first. What they may not read any more, and what was deleted, has disappeared or is hidden,
    /// is left out; so a page may be shorter than asked for.
    /// - Throws: ``Refusal`` `invalid`.
    func listMentionsAndStars(_ request: ListMentionsAndStarsRequest, _ call: RequestContext) async throws
        -> ListMentionsAndStarsReply
    {
        guard var cursor = MentionsAndStarsCursor(request.cursor) else {
            throw Refusal.invalid("cursor", "must be the cursor of an earlier reply, or empty")
        }
        let statement =
            switch request.kind {
            case .starred: OwnStateStore.starred
            case .mentions: OwnStateStore.mentioning
            case .mentionsAndStars: OwnStateStore.mentioningOrStarred
            case .unspecified, .unrecognized: throw Refusal.invalid("kind", "must be a kind that there is")
            }
        let limit = Page.limit(request.limit)
        // An empty page says nothing: some are passed over, but not without end.
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

    /// As many of the first as fit a page's bytes; at least one.
    private static func fitting(_ rows: some Collection<MentionOrStar>) -> [MentionOrStar] {
        var bytes = 0
        let fitting = rows.prefix { row in
            bytes += row.message?.pageBytes ?? 0
            return bytes <= Page.bytesMax
        }
        return Array(fitting.isEmpty ? rows.prefix(1) : fitting)
    }
}

/// Before which message the list goes on: `WHEN.CONVERSATION.SEQ`. Pure.
struct MentionsAndStarsCursor: Equatable {
    var at: Int64
    var conversation: Int64
    var seq: Int64

    init(_ row: MentionOrStar) {
        (at, conversation, seq) = (row.at, row.conversation, row.seq)
    }

    /// nil when the text is no cursor of ours; empty: from the newest.
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
