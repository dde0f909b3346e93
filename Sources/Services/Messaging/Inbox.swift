import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// The caller's conversations of one place, those with the latest news first (R8). Its cost follows the page.
    ///
    /// A conversation in which nobody has written yet is in no page. One that gets news while pages are read moves to the
    /// front, behind which nobody looks again: who holds pages hears of it by Update. Pages are cut in the order in which
    /// rows were touched, which may be 10 s out of date; within a page the order is exact.
    /// - Throws: ``Refusal`` `invalid`.
    func inbox(_ request: InboxRequest, _ call: RequestContext) async throws -> InboxReply {
        guard let before = InboxCursor(request.cursor) else {
            throw Refusal.invalid("cursor", "must be the cursor of an earlier reply, or empty")
        }
        let place = request.place == .unspecified ? .inbox : request.place
        if case .unrecognized = place { throw Refusal.invalid("place", "must be a place that there is, or absent") }
        let limit = Page.limit(request.limit)
        let parameters: [Parameter] = [
            .int64(call.caller.account), .int64(before.touchedAt), .int64(before.conversation),
            .int64(Int64(limit + 1)),
        ]
        let rows =
            place == .inbox
            ? try await context.database.query(InboxStore.inbox, parameters)
            : try await context.database.query(
                InboxStore.aside, parameters + [.int16(Int16(truncatingIfNeeded: place.rawValue))])
        let page = InboxPage.fitting(rows.prefix(limit))
        let more = rows.count > page.count
        return InboxReply(
            entries: page.sorted { $0.newsAt > $1.newsAt }.map(\.entry),
            cursor: more ? page.last.map { InboxCursor($0).text } ?? "" : "", more: more)
    }
}

/// How many entries a reply holds. Pure.
enum InboxPage {
    /// As many of the first as fit a page's bytes; at least one.
    static func fitting(_ rows: some Collection<TouchedEntry>) -> [TouchedEntry] {
        var bytes = 0
        let fitting = rows.prefix { row in
            bytes += row.bytes
            return bytes <= Page.bytesMost + 16384
        }
        return Array(fitting.isEmpty ? rows.prefix(1) : fitting)
    }
}

/// Before which conversation of the inbox a page begins: `TOUCHED.CONVERSATION`. Pure.
struct InboxCursor: Equatable {
    var touchedAt: Int64
    var conversation: Int64

    init(_ row: TouchedEntry) {
        touchedAt = row.touchedAt
        conversation = row.number
    }

    /// nil when the text is no cursor of ours; empty: from the latest.
    init?(_ text: String) {
        (touchedAt, conversation) = (.max, .max)
        if text.isEmpty { return }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64($0) }
        guard parts.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        (touchedAt, conversation) = (numbers[0], numbers[1])
    }

    var text: String { "\(touchedAt).\(conversation)" }
}
