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
            messages = try await oldest(conversation.number, above: seq, in: window, limit)
        case .aroundSeq(let seq):
            let older = try await newest(
                conversation.number, upTo: seq, in: window, (limit + 1) / 2, bytes: Page.bytesMax / 2)
            let newer = try await oldest(
                conversation.number, above: seq, in: window, limit / 2, bytes: Page.bytesMax / 2)
            messages = older + newer
        case .beforeSeq(let seq) where seq > 0:
            messages = try await newest(conversation.number, upTo: seq - 1, in: window, limit)
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
            moreBefore: messages.first.map { $0.seq > window.lowest } ?? isAfterAll,
            moreAfter: messages.last.map { $0.seq < window.highest } ?? isBeforeAll,
            lastSeq: max(0, window.highest))
    }

    /// Returns a conversation's messages changed since a position, in order of position. For a former member, the
    /// changes end at the position at which they left.
    /// - Throws: ``Refusal`` `not_member`.
    func getChanges(_ request: GetChangesRequest, _ call: RequestContext) async throws -> GetChangesReply {
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        let since = request.sincePosition
        let isOtherEpoch = !request.epoch.isEmpty && request.epoch != window.epoch
        guard !isOtherEpoch, since >= window.firstPosition, since <= window.lastPosition else {
            return GetChangesReply(
                epoch: window.epoch, startOver: true, position: window.lastPosition, messages: [], more: false)
        }
        let limit = Page.limit(request.limit)
        let firstNew = window.lastSeq - (window.lastPosition - since) + 1
        // A member also gets changes newer than the head read above. A former member gets none from after they left.
        let upTo = window.isFormer ? window.lastPosition : .max
        let rows = try await context.database.query(
            MessagingStore.changes, .int64(conversation.number), .int64(since), .int64(window.lowest),
            .int64(window.highest), .int64(firstNew), .int64(Int64(limit + 1)), .int64(upTo),
            .int64(call.caller.account), .bool(window.hasMessageStates))
        var page = Self.withinPage(Array(rows.prefix(limit)))
        show(&page, of: conversation.id)
        try await showAsLeft(&page, in: window)
        let more = rows.count > page.count
        return GetChangesReply(
            epoch: window.epoch, startOver: false,
            // The head was read before the rows, so changes in between are sent twice rather than missed.
            position: more ? page[page.count - 1].position : max(window.lastPosition, page.last?.position ?? 0),
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
    func showAsLeft(_ messages: inout [Message], to account: Int64) async throws {
        let changed = Set(messages.filter(\.isChanged).map(\.conversation))
        guard !changed.isEmpty else { return }
        let rows = try await context.database.query(
            MessagingStore.leftAt, .int64(account), .texts(changed.sorted()))
        guard !rows.isEmpty else { return }
        let ends = Dictionary(rows.map { ($0.conversation, $0.position) }, uniquingKeysWith: max)
        try await showAsLeft(&messages, to: account) { ends[$0] }
    }

    /// - Parameter end: the position at which they left a conversation, or nil if they did not leave it.
    private func showAsLeft(
        _ messages: inout [Message], to account: Int64, leftAt end: (String) -> Int64?
    ) async throws {
        var edited: [Int] = []
        for index in messages.indices {
            guard let end = end(messages[index].conversation) else { continue }
            if messages[index].thread?.position ?? 0 > end { messages[index].thread = nil }
            guard messages[index].position > end else { continue }
            messages[index].reactions = []
            if messages[index].editedAtUs != 0 { edited.append(index) }
        }
        guard !edited.isEmpty else { return }
        let before = try await context.database.query(
            MessagingStore.textsAsLeft, .int64(account), .texts(edited.map { messages[$0].conversation }),
            .int64s(edited.map { messages[$0].seq }))
        for (ordinal, text, leftAt) in before {
            let index = edited[ordinal - 1]
            // Its last edit was before they left; the later change was another one.
            guard text != nil || messages[index].editedAtUs > leftAt else { continue }
            if let text { messages[index].text = text }
            (messages[index].mentions, messages[index].editedAtUs) = ([], 0)
        }
    }

    /// Looks up a conversation and the caller's window in it.
    /// - Throws: ``Refusal`` `not_member`, after the same steps for a conversation that does not exist and one that is
    ///   not theirs.
    func window(_ text: String, of caller: Caller) async throws -> ((id: ConversationID, number: Int64), Window) {
        guard let id = ConversationID(text) else { throw Refusal.notMember }
        let known = directory.known(id)
        let number =
            if let known { known } else { try await directory.number(of: id) ?? Self.nowhere }
        var window = try await context.database.first(MessagingStore.window, .int64(number), .int64(caller.account))
        window?.account = caller.account
        guard let window else {
            // A nonexistent id is looked up each time. Do the same here, so that the caller cannot distinguish the two.
            if known != nil { _ = try await directory.number(of: id) }
            throw Refusal.notMember
        }
        return ((id, number), window)
    }

    private func newest(
        _ conversation: Int64, upTo seq: Int64, in window: Window, _ limit: Int, bytes: Int = Page.bytesMax
    ) async throws -> [Message] {
        let rows = try await context.database.query(
            MessagingStore.newest, .int64(conversation), .int64(window.lowest), .int64(min(window.highest, seq)),
            .int64(Int64(limit)), .int64(window.account), .bool(window.hasMessageStates))
        return Self.withinPage(rows, bytes: bytes).reversed()
    }

    /// - Parameter seq: as the client sent it; it may be any number.
    private func oldest(
        _ conversation: Int64, above seq: Int64, in window: Window, _ limit: Int, bytes: Int = Page.bytesMax
    ) async throws -> [Message] {
        guard seq < window.highest else { return [] }
        let rows = try await context.database.query(
            MessagingStore.oldest, .int64(conversation), .int64(max(window.lowest, seq + 1)), .int64(window.highest),
            .int64(Int64(limit)), .int64(window.account), .bool(window.hasMessageStates))
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
