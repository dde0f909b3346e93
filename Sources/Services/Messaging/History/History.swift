import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Returns a page of a conversation's messages, within the caller's window of history (M14). Reads one index range.
    /// - Throws: ``Refusal`` `not_member`.
    func getHistory(_ request: GetHistoryRequest, _ call: RequestContext) async throws -> GetHistoryReply {
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        let limit = Page.limit(request.limit)
        var messages: [Message]
        switch request.from {
        case .afterSeq(let seq):
            messages = try await oldest(conversation.number, above: Seq(seq), in: window, limit)
        case .aroundSeq(let seq):
            let older = try await newest(
                conversation.number, upTo: Seq(seq), in: window, (limit + 1) / 2, bytes: Page.bytesMax / 2)
            let newer = try await oldest(
                conversation.number, above: Seq(seq), in: window, limit / 2, bytes: Page.bytesMax / 2)
            messages = older + newer
        case .beforeSeq(let seq) where seq > 0:
            messages = try await newest(conversation.number, upTo: Seq(seq) - 1, in: window, limit)
        case .beforeSeq, nil:
            messages = try await newest(conversation.number, upTo: window.highest, in: window, limit)
        }
        show(&messages, of: conversation.id)
        try await showAsLeft(&messages, in: window)
        // An empty page lies beyond one end of the window.
        let (isAfterAll, isBeforeAll) =
            switch request.from {
            case _ where window.highest < window.lowest: (false, false)
            case .afterSeq: (true, false)
            default: (false, true)
            }
        return GetHistoryReply(
            messages: messages,
            moreBefore: messages.first.map { Seq($0.seq) > window.lowest } ?? isAfterAll,
            moreAfter: messages.last.map { Seq($0.seq) < window.highest } ?? isBeforeAll,
            lastSeq: max(0, window.highest).rawValue)
    }

    /// Returns a conversation's messages changed since a position, in order of position. A former member who does not
    /// hold all until they left starts over if messages of theirs were changed since.
    /// - Throws: ``Refusal`` `not_member`.
    func getChanges(_ request: GetChangesRequest, _ call: RequestContext) async throws -> GetChangesReply {
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        let start = SyncStart(
            request.sincePosition, of: request.epoch, current: window.epoch, head: window.lastPosition)
        let since = start.since
        var isStale = since < window.firstPosition
        if window.isFormer {
            guard since < window.lastPosition else {
                return GetChangesReply(
                    epoch: window.epoch, startOver: start.startOver, position: window.lastPosition.rawValue,
                    messages: [], more: false, lastSeq: max(0, window.highest).rawValue)
            }
            // All later changes are shown at the position of leaving, so no page could end between them.
            let isChanged = try await context.database.first(
                MessagingStore.isChangedSince, .number(conversation.number), .number(window.lastPosition),
                .number(window.highest))
            isStale = isStale || isChanged ?? true
        }
        guard !start.startOver, !isStale else {
            return GetChangesReply(
                epoch: window.epoch, startOver: true, position: window.lastPosition.rawValue, messages: [], more: false,
                lastSeq: max(0, window.highest).rawValue)
        }
        let limit = Page.limit(request.limit)
        let firstNew = window.lastSeq - window.lastPosition.count(since: since) + 1
        let rows = try await context.database.query(
            MessagingStore.changes, .number(conversation.number), .number(since), .number(window.lowest),
            .number(window.highest), .number(firstNew), .int64(Int64(limit + 1)), .number(call.caller.account),
            .bool(window.hasMessageStates))
        var page = Self.withinPage(Array(rows.prefix(limit)))
        show(&page, of: conversation.id)
        try await showAsLeft(&page, in: window)
        // Messages sent since the head was read are not among the rows, but later changes of earlier messages are. So
        // the reply reaches no further than that head, and those changes are sent twice.
        let head = window.lastPosition.rawValue
        let last = page.last?.position ?? head
        let more = rows.count > page.count && last < head
        return GetChangesReply(
            epoch: window.epoch, startOver: false, position: more ? last : head,
            messages: page, more: more, lastSeq: max(0, window.highest).rawValue)
    }

    /// Fills in the conversation's id and removes the content that may no longer be read.
    func show(_ messages: inout [Message], of conversation: ConversationID) {
        show(&messages, of: conversation.rawValue)
    }

    func show(_ messages: inout [Message], of conversation: String) {
        let now = context.clock.now
        for index in messages.indices {
            messages[index].conversation = conversation
            messages[index].show(at: now)
        }
    }

    /// Shows a former member each message changed since they left as it was then, without reactions and at the position
    /// at which they left. Deletion goes through.
    func showAsLeft(_ messages: inout [Message], in window: Window) async throws {
        guard window.isFormer else { return }
        try await showAsLeft(&messages) { _ in window.lastPosition }
    }

    /// Does the same for messages of several conversations, some of which the reader may have left.
    func showAsLeft(_ messages: inout [Message], to account: AccountNumber) async throws {
        guard !messages.isEmpty else { return }
        let conversations = Set(messages.map(\.conversation))
        let rows = try await context.database.query(
            MessagingStore.leftAt, .number(account), .texts(conversations.sorted()))
        guard !rows.isEmpty else { return }
        let ends = Dictionary(rows.map { ($0.conversation, $0.position) }, uniquingKeysWith: max)
        try await showAsLeft(&messages) { ends[$0] }
    }

    /// - Parameter end: the position at which they left a conversation, or nil if they did not leave it.
    private func showAsLeft(
        _ messages: inout [Message], leftAt end: (String) -> Position?
    ) async throws {
        var edited: [Int] = []
        for index in messages.indices {
            guard let end = end(messages[index].conversation)?.rawValue else { continue }
            if messages[index].thread?.position ?? 0 > end { messages[index].thread = nil }
            guard messages[index].position > end else { continue }
            messages[index].position = end
            messages[index].reactions = []
            messages[index].system?.changes = 0
            if messages[index].editedAtUs != 0 { edited.append(index) }
        }
        guard !edited.isEmpty else { return }
        // Their positions are by now those of leaving.
        let rows = try await context.database.query(
            MessagingStore.asLeft, .texts(edited.map { messages[$0].conversation }),
            .int64s(edited.map { messages[$0].seq }), .int64s(edited.map { messages[$0].position }))
        for before in rows {
            let index = edited[before.ordinal - 1]
            messages[index].text = before.text
            messages[index].mentions = before.mentions
            messages[index].editedAtUs = before.editedAtUs
        }
    }

    /// Looks up a conversation and the caller's window in it.
    /// - Throws: ``Refusal`` `not_member`, after the same steps for a conversation that does not exist and one that is
    ///   not theirs.
    func window(_ text: String, of caller: Caller) async throws -> (ConversationRef, Window) {
        try await directory.resolve(text) { conversation in
            let window = try await context.database.first(
                MessagingStore.window, .number(conversation.number), .number(caller.account))
            guard var window else { throw Refusal.notMember }
            window.account = caller.account
            return (conversation, window)
        }
    }

    private func newest(
        _ conversation: ConversationNumber, upTo seq: Seq, in window: Window, _ limit: Int, bytes: Int = Page.bytesMax
    ) async throws -> [Message] {
        let rows = try await context.database.query(
            MessagingStore.newest, .number(conversation), .number(window.lowest), .number(min(window.highest, seq)),
            .int64(Int64(limit)), .number(window.account), .bool(window.hasMessageStates))
        return Self.withinPage(rows, bytes: bytes).reversed()
    }

    /// - Parameter seq: as the client sent it; it may be any number.
    private func oldest(
        _ conversation: ConversationNumber, above seq: Seq, in window: Window, _ limit: Int, bytes: Int = Page.bytesMax
    ) async throws -> [Message] {
        guard seq < window.highest else { return [] }
        let rows = try await context.database.query(
            MessagingStore.oldest, .number(conversation), .number(max(window.lowest, seq + 1)), .number(window.highest),
            .int64(Int64(limit)), .number(window.account), .bool(window.hasMessageStates))
        return Self.withinPage(rows, bytes: bytes)
    }

    /// Returns the first messages that fit in the bytes of a page, and at least one.
    static func withinPage(_ messages: [Message], bytes limit: Int = Page.bytesMax) -> [Message] {
        var bytes = 0
        let fitting = messages.prefix { message in
            bytes += message.pageBytes
            return bytes <= limit
        }
        return fitting.isEmpty ? Array(messages.prefix(1)) : Array(fitting)
    }
}
