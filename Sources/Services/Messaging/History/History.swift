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

    /// Returns a conversation's messages changed since a position, in order of position. For a former member, the
    /// changes end at the position at which they left.
    /// - Throws: ``Refusal`` `not_member`.
    func getChanges(_ request: GetChangesRequest, _ call: RequestContext) async throws -> GetChangesReply {
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        let since = Position(request.sincePosition)
        let isOtherEpoch = !request.epoch.isEmpty && request.epoch != window.epoch
        guard !isOtherEpoch, since >= window.firstPosition, since <= window.lastPosition else {
            return GetChangesReply(
                epoch: window.epoch, startOver: true, position: window.lastPosition.rawValue, messages: [], more: false)
        }
        let limit = Page.limit(request.limit)
        let firstNew = window.lastSeq - window.lastPosition.count(since: since) + 1
        // A member also gets changes newer than the head read above. A former member gets none from after they left.
        let upTo: Position = window.isFormer ? window.lastPosition : .max
        let rows = try await context.database.query(
            MessagingStore.changes, .number(conversation.number), .number(since), .number(window.lowest),
            .number(window.highest), .number(firstNew), .int64(Int64(limit + 1)), .number(upTo),
            .number(call.caller.account), .bool(window.hasMessageStates))
        var page = Self.withinPage(Array(rows.prefix(limit)))
        show(&page, of: conversation.id)
        try await showAsLeft(&page, in: window)
        let more = rows.count > page.count
        return GetChangesReply(
            epoch: window.epoch, startOver: false,
            // The head was read before the rows, so changes in between are sent twice rather than missed.
            position: more
                ? page[page.count - 1].position : max(window.lastPosition.rawValue, page.last?.position ?? 0),
            messages: page, more: more)
    }

    /// Fills in the conversation's id and removes the content that may no longer be read.
    func show(_ messages: inout [Message], of conversation: ConversationID) {
        let now = context.clock.now
        for index in messages.indices {
            messages[index].conversation = conversation.rawValue
            messages[index].show(at: now)
        }
    }

    /// Removes the changes made after a former member left, so that they read the messages as they were then.
    func showAsLeft(_ messages: inout [Message], in window: Window) async throws {
        guard window.isFormer else { return }
        try await showAsLeft(&messages, to: window.account) { _ in window.lastPosition }
    }

    /// Does the same for messages of several conversations, some of which the reader may have left.
    func showAsLeft(_ messages: inout [Message], to account: AccountNumber) async throws {
        let changed = Set(messages.filter(\.isChanged).map(\.conversation))
        guard !changed.isEmpty else { return }
        let rows = try await context.database.query(
            MessagingStore.leftAt, .number(account), .texts(changed.sorted()))
        guard !rows.isEmpty else { return }
        let ends = Dictionary(rows.map { ($0.conversation, $0.position) }, uniquingKeysWith: max)
        try await showAsLeft(&messages, to: account) { ends[$0] }
    }

    /// - Parameter end: the position at which they left a conversation, or nil if they did not leave it.
    private func showAsLeft(
        _ messages: inout [Message], to account: AccountNumber, leftAt end: (String) -> Position?
    ) async throws {
        var edited: [Int] = []
        for index in messages.indices {
            guard let end = end(messages[index].conversation)?.rawValue else { continue }
            if messages[index].thread?.position ?? 0 > end { messages[index].thread = nil }
            guard messages[index].position > end else { continue }
            messages[index].reactions = []
            if messages[index].editedAtUs != 0 { edited.append(index) }
        }
        guard !edited.isEmpty else { return }
        let before = try await context.database.query(
            MessagingStore.textsAsLeft, .number(account), .texts(edited.map { messages[$0].conversation }),
            .int64s(edited.map { messages[$0].seq }))
        for (ordinal, text, leftAt) in before {
            let index = edited[ordinal - 1]
            // Its last edit was before they left; the later change was another one.
            guard text != nil || messages[index].editedAtUs > leftAt.rawValue else { continue }
            if let text { messages[index].text = text }
            (messages[index].mentions, messages[index].editedAtUs) = ([], 0)
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
