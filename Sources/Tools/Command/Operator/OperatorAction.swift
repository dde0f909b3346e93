import Foundation
import Glibc
import Logging
import Postgres
import Reactor

/// What an operator did, by its number in the database.
enum OperatorAction: Int16, CaseIterable {
    case suspend = 1
    case restore
    case signOut
    case remove
    case invite
    case deleteMessage
    case nameOwner

    var name: String {
        switch self {
        case .signOut: "sign-out"
        case .deleteMessage: "delete-message"
        case .nameOwner: "owner"
        default: "\(self)"
        }
    }

    private var done: String {
        switch self {
        case .suspend: "is suspended"
        case .restore: "can sign in again"
        case .signOut: "is signed out everywhere"
        case .remove: "is removed"
        case .invite: "is invited"
        case .deleteMessage: "has a message less"
        case .nameOwner: "becomes the owner"
        }
    }

    /// Does it to a person, and prints the result.
    /// - Parameter end: when a suspension ends by itself.
    func run(_ operated: OperatedOptions, until end: Int64? = nil, _ database: OperatorOptions) async throws {
        try await Self.onDatabase(database) { connection in
            let account = try await Self.account(operated.user, connection)
            // On a lane of this command's own, so that gateways learn of it as of any change.
            let lane = try await Self.lane(of: "conversations", database)
            defer { lane.close() }
            let found = try await lane.connection.first(
                OperatorStore.operate, .int32(Int32(lane.number)), .int16(rawValue), .int64(account),
                .text(operated.reason), .optional(end), .text(Self.who))
            guard found ?? false else { throw Self.unknown(operated.user) }
        }
        if database.json { return Output.json(["user": operated.user, "action": name]) }
        Output.line("\(PlainText.shown(operated.user)) \(done)\(end.map { " until \(Times.minute($0))" } ?? "").")
    }

    /// Claims a lane, on which gateways learn of what this command does.
    @ReactorActor
    static func lane(of schema: String, _ database: OperatorOptions) async throws -> Lane {
        try await Lane.claim(schema: schema, try configuration(database), log: quiet)
    }

    /// Who runs this command, for the audit.
    static var who: String {
        let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "uid \(getuid())"
        return "\(user)@\(ProcessInfo.processInfo.hostName)"
    }

    /// Returns the account with this username or id.
    @ReactorActor
    static func account(_ user: String, _ connection: Connection) async throws -> Int64 {
        guard let account = try await connection.first(OperatorStore.account, .text(user)) ?? nil else {
            throw unknown(user)
        }
        return account
    }

    private static func unknown(_ user: String) -> Failure {
        Failure(.userNotFound, "There is no account \(user), or it was removed.")
    }

    private static let quiet = Logger(label: "parley-admin") { _ in SwiftLogNoOpLogHandler() }

    private static func configuration(_ database: OperatorOptions) throws -> DatabaseConfiguration {
        DatabaseConfiguration(url: try database.url(), applicationName: "parley-admin", connections: 1)
    }

    /// Runs `body` with a connection to the database.
    /// - Throws: ``Failure`` that says what is wrong with the database.
    @ReactorActor
    static func onDatabase<T: Sendable>(
        _ database: OperatorOptions, _ body: @ReactorActor (Connection) async throws -> T
    ) async throws -> T {
        let configuration = try configuration(database)
        do {
            let connection = try await Connection.open(configuration, log: quiet)
            defer { connection.close() }
            return try await body(connection)
        } catch let error as DatabaseError {
            let isOld = error.code == .undefinedTable || error.code == .undefinedFunction
            throw Failure(
                .database, "The database did not do it: \(error)",
                advice: isOld ? "Start this version of Parley once, or run \"parley migrate\"." : "",
                exitCode: .unavailable)
        }
    }
}

struct AuditJSON: Encodable, Sendable {
    var id: Int64
    var at: String
    var action: String
    /// The username, or the id of an erased person; nil: it concerned nobody.
    var user: String?
    var reason: String
    var `operator`: String
}

/// The SQL of what operators do.
enum OperatorStore {
    /// $1 username or id. One row, with null if there is no such account.
    static let account = Statement("SELECT conversations.find_account($1)") { row in try row.optionalInt64(0) }

    /// $1 lane, $2 action, $3 account, $4 reason, $5 end, $6 who. See the comments of the SQL functions. Signing out
    /// also ends the link to the person's calendar; a suspension hides what is behind it.
    static let operate = Statement(
        """
        WITH operated AS MATERIALIZED (SELECT conversations.operate($1, $2, $3, $4, $5, $6) AS is_done)
        SELECT is_done,
            CASE WHEN is_done AND $2 = \(OperatorAction.signOut.rawValue) THEN entities.end_calendar_link($3) END
        FROM operated
        """
    ) { row in try row.bool(0) }

    /// $1 lane, $2 conversation, $3 seq. See the SQL function's comment.
    static let removeMessage = Statement("SELECT messaging.remove_message($1, $2, $3)") { row in
        try row.optionalInt64(0)
    }

    /// $1 group, $2 account, $3 reason, $4 who. See the SQL function's comment.
    static let nameOwner = Statement("SELECT conversations.name_owner($1, $2, $3, $4)") { row in try row.bool(0) }

    /// $1 action, $2 account, $3 reason, $4 who.
    static let note = Statement<Void>("SELECT conversations.note_operation($1, $2, $3, $4)")

    /// $1 code, $2 uses, $3 expiry, $4 what it allows, $5 who.
    static let addCode = Statement<Void>("SELECT conversations.add_code($1, $2, $3, $4, $5)")

    /// $1 account or null, $2 limit.
    static let audit = Statement(
        """
        SELECT id, at, action, name, reason, operator
        FROM conversations.list_audit($1, $2)
        """
    ) { row in
        let action = try row.int16(2)
        return AuditJSON(
            id: try row.int64(0), at: Times.iso(try row.int64(1)),
            action: OperatorAction(rawValue: action)?.name ?? "action \(action)", user: try row.optionalText(3),
            reason: try row.text(4), operator: try row.text(5))
    }
}
