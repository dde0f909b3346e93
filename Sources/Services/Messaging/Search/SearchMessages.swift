import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Returns messages that contain all the words and that the caller may read (M15). Messages with the last word
    /// exactly as typed come before those in which it begins a longer word. Within each group the newest come first.
    ///
    /// The cost follows the caller's own conversations; for frequent words the search stops after the first of these.
    /// Other people's messages add no cost, so timing reveals nothing about them. A message sent a moment ago may not
    /// be found yet.
    /// - Throws: ``Refusal`` `invalid`, `not_member`.
    func searchMessages(_ request: SearchMessagesRequest, _ call: RequestContext) async throws -> SearchMessagesReply {
        guard let query = SearchQuery(request.text) else {
            throw Refusal.invalid("text", "must contain letters, digits or emoji")
        }
        let cursor = try SearchCursor(request.cursor)
        if case .unrecognized = request.kind {
            throw Refusal.invalid("kind", "must be TEXT, IMAGE, VIDEO, FILE, VOICE or SYSTEM, or absent")
        }
        let limit = Page.limit(request.limit)
        let scope = try await scope(of: request, call)
        // Skip hits that the caller may not read or that no longer exist, without revealing anything about them.
        var found: [(end: SearchCursor, found: Found)] = []
        var (last, isMore) = (cursor, true)
        while found.count <= limit, isMore {
            let wanted = limit + 1 - found.count
            let hits = try await newest(wanted, of: query, in: scope, behind: last, call)
            isMore = hits.count == wanted
            last = hits.last ?? last
            found += try await shown(hits, query, for: call.caller)
        }
        var bytes = 0
        let page = found.prefix(limit).prefix { entry in
            bytes += entry.found.pageBytes
            return bytes <= Page.bytesMax || entry.end == found[0].end
        }
        guard found.count > page.count, let end = page.last?.end else {
            return SearchMessagesReply(found: page.map(\.found))
        }
        return SearchMessagesReply(found: page.map(\.found), cursor: end.text, more: true)
    }

    /// Returns the newest hits: those with the last word exactly as typed, then those in which it begins a longer word.
    private func newest(
        _ wanted: Int, of query: SearchQuery, in scope: Scope, behind last: SearchCursor, _ call: RequestContext
    ) async throws -> [SearchCursor] {
        var hits: [SearchCursor] = []
        for isLonger in query.isOpen ? [false, true] : [false] where hits.count < wanted {
            if last.isLonger, !isLonger, query.isOpen { continue }
            let before = last.isLonger == isLonger ? last.hit : .newest
            hits += try await newest(
                wanted - hits.count, of: query, isLonger: isLonger, in: scope, before: before, call
            ).map { SearchCursor(hit: $0, isLonger: isLonger) }
        }
        return hits
    }

    /// The conversations and message attributes a search is limited to.
    private struct Scope {
        /// The ranges of the only conversation to search; nil searches all.
        var units: [SearchUnit]?
        var sender: AccountNumber
        var kind: Int16
        var after: Timestamp
        var before: Timestamp
    }

    private func scope(of request: SearchMessagesRequest, _ call: RequestContext) async throws -> Scope {
        var units: [SearchUnit]?
        if !request.conversation.isEmpty {
            let (conversation, window) = try await window(request.conversation, of: call.caller)
            let ends = try await context.database.first(
                SearchStore.blockEnds, .number(conversation.number), .number(window.lowest), .number(window.highest))
            units = SearchUnit.units(
                of: conversation.number, low: window.lowest, high: window.highest, newestAt: .max, ends: ends ?? [])
        }
        var sender: AccountNumber = 0
        if !request.sender.isEmpty {
            // An unknown user has no messages.
            sender = try await context.database.first(MessagingStore.accounts, .texts([request.sender]))?.account ?? -1
        }
        return Scope(
            units: units, sender: sender, kind: Int16(truncatingIfNeeded: request.kind.rawValue),
            after: Timestamp(request.sentAfterUs),
            before: request.sentBeforeUs > 0 ? Timestamp(request.sentBeforeUs) : .max)
    }

    private func newest(
        _ wanted: Int, of query: SearchQuery, isLonger: Bool, in scope: Scope, before: SearchHit, _ call: RequestContext
    ) async throws -> [SearchHit] {
        let account = call.caller.account
        let before = min(before, SearchHit(sentAt: scope.before, conversation: 0, seq: 0))
        var walk = SearchWalk(wanted: wanted, before: before, after: scope.after)
        if let units = scope.units { walk.addUnits(units, upTo: nil) }
        var (newsAt, conversation) = (Timestamp.max, ConversationNumber.max)
        while true {
            guard ContinuousClock.now < call.deadline else { throw Refusal.deadline }
            switch walk.next() {
            case .done: return walk.hits
            case .load:
                let rows = try await context.expensive.query(
                    SearchStore.conversations, .number(account), .number(newsAt), .number(conversation),
                    .int64(Self.conversationsMax))
                if let last = rows.last { (newsAt, conversation) = (last.newsAt, last.conversation) }
                walk.addUnits(
                    rows.flatMap(\.units), upTo: rows.count < Self.conversationsMax ? nil : newsAt + .seconds(30))
            case .search(let units):
                let hits = try await context.expensive.query(
                    SearchStore.found,
                    [
                        .number(account), .number(context.clock.now), .numbers(units.map(\.conversation)),
                        .numbers(units.map(\.low)), .numbers(units.map(\.high)),
                        .texts(units.map { query.tsquery(behind: $0.prefix, isLonger: isLonger) }),
                        .number(scope.sender), .int16(scope.kind), .number(scope.after), .number(before.sentAt),
                        .number(before.conversation), .number(before.seq), .int32(Int32(wanted)),
                    ])
                walk.addHits(hits)
            }
        }
    }

    /// The maximum conversations loaded at a time.
    private nonisolated static let conversationsMax: Int64 = 256

    /// Returns the current form of the messages found. Leaves out messages that no longer contain the words.
    private func shown(
        _ hits: [SearchCursor], _ query: SearchQuery, for caller: Caller
    ) async throws -> [(end: SearchCursor, found: Found)] {
        guard !hits.isEmpty else { return [] }
        let rows = try await context.expensive.query(
            SearchStore.messages, .numbers(hits.map(\.hit.conversation)), .numbers(hits.map(\.hit.seq)),
            .number(caller.account))
        let now = context.clock.now
        // Remove what has disappeared before looking for the words.
        var messages = rows.map { $0.message.shown(at: now) }
        try await showAsLeft(&messages, to: caller.account)
        return zip(rows.map(\.ordinal), messages).sorted { $0.0 < $1.0 }.compactMap { ordinal, message in
            let searched = message.searched
            guard let ranges = query.highlights(in: searched) else { return nil }
            let snippet = SearchSnippet(of: searched, ranges)
            return (hits[ordinal - 1], Found(message: message, snippet: snippet.text, highlights: snippet.highlights))
        }
    }
}

extension Found {
    /// The approximate size in a reply, in bytes.
    fileprivate var pageBytes: Int {
        (message?.pageBytes ?? 0) + snippet.utf8.count + 4 * highlights.count
    }
}

extension Message {
    /// The searchable text: the message text and the name of its file; empty for system and deleted messages.
    var searched: String {
        guard kind != .system, deletedAtUs == 0 else { return "" }
        guard let name = media?.name, !name.isEmpty else { return text }
        return text.isEmpty ? name : text + "\n" + name
    }
}

/// The end of a page of hits: `LONGER.SENT.CONVERSATION.SEQ`. Pure.
struct SearchCursor: Cursor {
    var hit: SearchHit
    /// Whether the last word was found as the beginning of a longer word.
    var isLonger: Bool

    init(hit: SearchHit, isLonger: Bool) { (self.hit, self.isLonger) = (hit, isLonger) }

    static let start = SearchCursor(hit: .newest, isLonger: false)

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        isLonger = try parts.number(in: 0...1) == 1
        hit = SearchHit(sentAt: try parts.number(), conversation: try parts.number(), seq: try parts.number())
    }

    var text: String { "\(isLonger ? 1 : 0).\(hit.sentAt).\(hit.conversation).\(hit.seq)" }
}
