import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Returns a page of what an import kept of the caller, by its paths (A5, T3).
    func listImported(_ request: ListImportedRequest, _ call: RequestContext) async throws -> ListImportedReply {
        // Records are long.
        let limit = min(Page.limit(request.limit), 20)
        let rows = try await context.database.query(
            PeopleStore.imported, .number(call.caller.account), .text(request.cursor), .int64(Int64(limit + 1)))
        var (page, bytes) = ([ImportedRecord](), 0)
        for record in rows.prefix(limit) where page.isEmpty || bytes < Page.bytesMax {
            bytes += record.path.utf8.count + record.json.utf8.count
            page.append(record)
        }
        let cursor = page.count < rows.count ? page.last?.path : nil
        return ListImportedReply(records: page, cursor: cursor ?? "")
    }
}
