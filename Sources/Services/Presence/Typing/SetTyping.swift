import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Typing (P3). Signals change ``Typists`` in memory; the rounds that publish presence publish it, too, so that it is
/// never told to anybody after their membership ended or a block began. In steady state a signal takes no statement.
extension PresenceService {
    /// Notes that the caller is typing, or no longer is. Who sees the conversation and may not write is answered the
    /// same, and heard by nobody.
    /// - Throws: ``Refusal`` `not_member`; `rate_limited`.
    func setTyping(_ request: SetTypingRequest, _ call: RequestContext) async throws -> Done {
        let (caller, conversation) = (call.caller, request.conversation)
        guard ConversationID(conversation) != nil else { throw Refusal.notMember }
        // The stop of what was allowed to begin is allowed. A first start is noted before the room is read, since the
        // stop may already follow.
        if request.typing {
            try typingLimits.take(caller.session, in: conversation)
            typing.signal(caller.account, user: caller.user, session: caller.session, in: conversation, at: .now)
        } else if !typing.end(session: caller.session, in: conversation) {
            try typingLimits.take(caller.session, in: conversation)
        }
        if let room = rooms[conversation], room.contains(caller.account) { return Done() }
        // For a stranger it is read each time, so that the time it takes tells nothing about who is typing.
        guard let room = try await readRooms([conversation])[conversation], room.contains(caller.account) else {
            typing.end(session: caller.session, in: conversation)
            throw Refusal.notMember
        }
        return Done()
    }

    /// Forgets what the journal may have changed.
    /// - Parameter entries: what it has since the last round; nil: anything may have changed.
    func forgetRooms(after entries: [JournalEntry]?) {
        guard let entries else {
            rooms.forgetAll()
            return typing.doubt(Array(typing.conversations))
        }
        typing.doubt(rooms.forget(after: entries))
    }

    /// Publishes who began and stopped typing. To be called in a round, after the journal was read.
    func publishTyping() async throws {
        rooms.use(typing.conversations, at: .now)
        let missing = Set(typing.conversations.filter { rooms[$0] == nil })
        let read = missing.isEmpty ? [:] : try await readRooms(Array(missing))
        let news = typing.news(at: .now) { conversation, account in
            // Somebody may have begun in a further conversation while these were read: that one is for the next round.
            guard let room = rooms[conversation] ?? read[conversation] else {
                return missing.contains(conversation) ? [] : nil
            }
            let hearing = room.hearing(account)
            guard room.members.count > TypingRooms.membersMax else { return hearing }
            return hearing.filter { sessions.currentConversation(of: $0) == conversation }
        }
        for news in news { publish(news) }
    }

    /// Reads rooms, and keeps them.
    private func readRooms(_ conversations: [String]) async throws -> [String: TypingRooms.Room] {
        let revision = rooms.revision
        var read: [String: TypingRooms.Room] = [:]
        for row in try await context.database.query(TypingStore.people, .texts(conversations)) {
            if row.isSilent {
                read[row.conversation, default: .init(number: row.number, members: [:])].silent.insert(row.account)
            } else {
                read[row.conversation, default: .init(number: row.number, members: [:])].members[row.account] =
                    row.blocks
            }
        }
        for (conversation, room) in read { rooms.set(room, of: conversation, revision: revision, at: .now) }
        return read
    }

    private func publish(_ news: Typists.News) {
        let body = Schema.Typing(conversation: news.conversation, user: news.user, typing: news.isTyping).encode()
        let stream = "presence/c/" + news.conversation
        for start in stride(from: 0, to: news.audience.count, by: Self.audienceMax) {
            let audience = news.audience[start..<min(start + Self.audienceMax, news.audience.count)]
            context.publisher.publish(
                UpdateHeader(
                    stream: stream, kind: Schema.Typing.messageName, class: .ephemeral, collapseKey: stream,
                    audience: audience.map(\.rawValue)), body)
        }
    }
}

/// How often sessions may signal, in one conversation and in all of them.
struct TypingLimits {
    struct Place: Hashable {
        var session: String
        var conversation: String
    }

    private var inAll = RateLimiter<String>(RateLimit(perSecond: 5, burst: 30))
    private var inOne = RateLimiter<Place>(RateLimit(perSecond: 2, burst: 10))

    /// - Throws: ``Refusal`` `rate_limited`.
    mutating func take(_ session: String, in conversation: String) throws(Refusal) {
        try inAll.take(session)
        try inOne.take(Place(session: session, conversation: conversation))
    }
}

enum TypingStore {
    /// The people who see conversations, whether they neither type nor hear of it, and whom of the other members each
    /// of them blocks. $1 conversation ids. Who hides from all types unseen; who hides from others does so in groups.
    static let people = Statement(
        """
        SELECT c.conversation_id, c.conversation, a.account, a.is_pending OR NOT a.may_write OR EXISTS (
            SELECT
            FROM presence.people AS p
            WHERE p.account = a.account
                AND (
                    p.hidden_from_accepted_at IS NOT NULL
                    OR p.hidden_at IS NOT NULL AND position('_' IN c.conversation_id) = 0
                )
        ), ARRAY (
            SELECT b.blocked
            FROM conversations.blocked AS b
            WHERE b.account = a.account
                AND EXISTS (
                    SELECT
                    FROM conversations.access AS other
                    WHERE other.conversation = c.conversation
                        AND other.account = b.blocked
                        AND other.may_write
                )
        )
        FROM conversations.conversation_ids AS c
        JOIN conversations.access AS a ON a.conversation = c.conversation
        WHERE c.conversation_id = ANY ($1)
            AND a.refusal <> 'not_member'
        """
    ) { row in
        (
            conversation: try row.text(0), number: try row.conversation(1), account: try row.account(2),
            isSilent: try row.bool(3), blocks: Set(try row.int64s(4).map { AccountNumber($0) })
        )
    }
}
