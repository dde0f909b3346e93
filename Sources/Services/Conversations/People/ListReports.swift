import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Returns a page of the caller's reports, in the order of their ids (A5, C13).
    /// - Throws: ``Refusal`` `invalid`.
    func listReports(_ request: ListReportsRequest, _ call: RequestContext) async throws -> ListReportsReply {
        let limit = Page.limit(request.limit)
        let after = try ReportCursor(request.cursor)
        let rows = try await context.database.query(
            PeopleStore.reports, .number(call.caller.account), .uuid(after.id), .int64(Int64(limit + 1)))
        // Notes are long: a page may end early.
        var (page, bytes) = ([Report](), 0)
        for report in rows.prefix(limit) where page.isEmpty || bytes < Page.bytesMax {
            bytes += report.note.utf8.count + 256
            page.append(report)
        }
        let cursor = page.count < rows.count ? page.last.map { ReportCursor(id: $0.id).text } : nil
        return ListReportsReply(reports: page, cursor: cursor ?? "")
    }
}

/// The key of a report among those of its reporter.
struct ReportCursor: Cursor {
    var id: [UInt8]

    init(id: [UInt8]) { self.id = id }

    static let start = ReportCursor(id: [UInt8](repeating: 0, count: 16))

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) { self.init(id: try parts.bytes(16)) }

    var text: String { Hex.text(id) }
}
