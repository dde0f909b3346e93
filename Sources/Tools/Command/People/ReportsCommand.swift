import ArgumentParser
import Foundation
import Logging
import Postgres
import Reactor

struct ReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports",
        abstract: "List people's reports to the operator, oldest first, or close one.",
        discussion: """
            Reads the database of "parley up" in this folder, or the one you name. Use PARLEY_DATABASE_URL so that \
            the URL (and its password) does not show in the process list.

            Examples:
              parley reports
              parley reports --database-url postgresql://postgres@localhost/parley
              parley reports --close 0197f2c1-7a30-7d43-8c5e-0d8f1a2b3c4d
            """)

    @OptionGroup var database: OperatorOptions
    @Option(help: ArgumentHelp("Close the report with this id.", valueName: "id")) var close: String?
    @Flag(help: "Include closed reports.") var all = false
    @Option(help: ArgumentHelp("Show at most this many reports.", valueName: "count")) var limit = 100

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be 1 to 100000.") }
        guard close.map({ UUID(uuidString: $0) != nil }) ?? true else {
            throw ValidationError("--close must be an id from the list.")
        }
    }

    func run() async throws {
        let url = try database.url()
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        do {
            try await Self.work(url: url, close: close, all: all, limit: limit, json: database.json)
        } catch let error as DatabaseError {
            throw Failure(.database, "Cannot read the reports: \(error)", exitCode: .unavailable)
        }
    }

    @ReactorActor
    private static func work(url: String, close: String?, all: Bool, limit: Int, json: Bool) async throws {
        let connection = try await Connection.open(
            DatabaseConfiguration(url: url, applicationName: "parley-reports", connections: 1))
        defer { connection.close() }
        if let close {
            let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
            let closed = try await connection.first(ReportsStore.close, .text(close), .int64(now))
            guard closed ?? false else { throw Failure(.notFound, "There is no open report with the id \(close).") }
            return json ? Output.json(["closed": close]) : Output.line("Closed the report.")
        }
        let reports = try await connection.query(ReportsStore.reports, .bool(all), .int64(Int64(limit)))
        for report in reports {
            json ? Output.json(report) : show(report)
        }
        if reports.isEmpty, !json { Output.note("No reports.") }
    }

    private static func show(_ report: ReportJSON) {
        let style = Style()
        Output.line(
            style.bold(report.reason) + " \(PlainText.shown(report.about)) " + style.dim("by ")
                + PlainText.shown(report.reporter) + style.dim("  \(report.at)  \(report.id)")
                + (report.closedAt == nil ? "" : style.dim("  closed")))
        // Text that people wrote is indented further than Parley's own lines.
        if let conversation = report.conversation, let seq = report.seq {
            Output.line("    message \(seq) of \(conversation)\(said(report))")
        }
        if !report.note.isEmpty {
            Output.line("    \(PlainText.shown(report.reporter)) says: \(PlainText.shown(report.note, indent: 8))")
        }
    }

    private static func said(_ report: ReportJSON) -> String {
        guard let text = report.text else { return ": there is no such message" }
        let shown = report.deleted == true ? "(deleted)" : PlainText.shown(text, indent: 8)
        guard let sender = report.sender else { return ", by the server: \(shown)" }
        let other = report.senderIsReported == true ? "" : ", who is not the reported person"
        return ", by \(PlainText.shown(sender))\(other): \(shown)"
    }
}

struct ReportJSON: Encodable, Sendable {
    var id: String
    var at: String
    var reason: String
    /// Usernames, or ids for erased people.
    var reporter: String
    var about: String
    var note: String
    var conversation: String?
    var seq: Int64?
    /// The message's current text; nil if there is no such message.
    var text: String?
    /// The message's sender, who need not be the reported person; nil for a system message.
    var sender: String?
    var senderIsReported: Bool?
    /// Whether the message was deleted for everyone and has no text.
    var deleted: Bool?
    var closedAt: String?
}

/// The SQL of the operator's queue.
enum ReportsStore {
    /// $1 whether to include closed reports, $2 limit.
    static let reports = Statement(
        """
        SELECT r.id::text, r.at, r.reason, r.reporter, r.about, r.note, r.conversation_id, r.seq, m.text, r.closed_at,
            conversations.account_name(m.sender), COALESCE(m.sender = r.about_account, false),
            COALESCE(m.is_deleted, false)
        FROM conversations.list_reports($1, $2) AS r
        LEFT JOIN LATERAL messaging.reported_message(r.conversation, r.seq) AS m ON true
        ORDER BY r.at, r.id
        """
    ) { row in
        let text = try row.optionalText(8)
        return ReportJSON(
            id: try row.text(0), at: Times.iso(try row.int64(1)),
            reason: ReportReasons.names[Int(try row.int16(2)) - 1], reporter: try row.text(3), about: try row.text(4),
            note: try row.text(5), conversation: try row.optionalText(6), seq: try row.optionalInt64(7), text: text,
            sender: try row.optionalText(10), senderIsReported: text == nil ? nil : try row.bool(11),
            deleted: text == nil ? nil : try row.bool(12), closedAt: try row.optionalInt64(9).map(Times.iso))
    }

    /// $1 id, $2 now. Whether there was an open report.
    static let close = Statement("SELECT conversations.close_report($1::text::uuid, $2)") { row in try row.bool(0) }
}
