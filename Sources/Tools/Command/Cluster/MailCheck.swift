import Foundation
import Logging
import Postgres
import Reactor

/// Checks whether mails leave, by the database alone.
struct MailCheck {
    /// The folder of "parley up".
    var folder: String

    /// What the table of mails says.
    struct State: Equatable, Sendable {
        var givenUp: Int64
        /// Those that failed at least once and are tried again.
        var late: Int64
        /// Why the last of either failed.
        var problem: String
    }

    private static let state = Statement("SELECT given_up, late, problem FROM conversations.mail_state()") { row in
        State(givenUp: try row.int64(0), late: try row.int64(1), problem: try row.text(2))
    }

    /// Nothing without a database that may be asked: another machine's doctor has it.
    func findings() async -> [Finding] {
        let found = try? String(contentsOfFile: "\(folder)/database-url", encoding: .utf8)
        let url =
            ProcessInfo.processInfo.environment["PARLEY_DATABASE_URL"] ?? found.map { String($0.prefix { $0 != "\n" }) }
        guard let url, !url.isEmpty, let state = try? await Self.read(url) else { return [] }
        return [Self.finding(of: state)]
    }

    static func finding(of state: State) -> Finding {
        let why = state.problem.isEmpty ? "" : " The last problem: \(PlainText.shown(state.problem))"
        if state.givenUp > 0 {
            return .doubtful(
                "mail", "\(state.givenUp) could not be sent within a day, or were refused.\(why)",
                fix: "Correct the mail.… settings of parley-conversations. They are forgotten after 7 days.")
        }
        if state.late > 0 {
            return .doubtful(
                "mail", "\(state.late) could not be sent yet and are tried again.\(why)",
                fix: "See that the mail server can be reached, and the mail.… settings of parley-conversations.")
        }
        return .good("mail", "none waits for another try")
    }

    @ReactorActor
    private static func read(_ url: String) async throws -> State? {
        let configuration = DatabaseConfiguration(url: url, applicationName: "parley doctor")
        let connection = try await Connection.open(
            configuration, log: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        defer { connection.close() }
        return try await connection.first(state)
    }
}
