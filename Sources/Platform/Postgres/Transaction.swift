import Reactor

/// An open transaction, valid while the closure that received it runs.
///
/// After one of its statements has failed, all later ones fail too (SQLSTATE 25P02), and it can only be rolled back.
@ReactorActor
public final class Transaction: Queryable {
    private static let begin = Statement("BEGIN")
    private static let commit = Statement("COMMIT")
    private static let rollBack = Statement("ROLLBACK")

    private let connection: Connection
    private var hasBegun = false
    private var hasEnded = false

    init(_ connection: Connection) { self.connection = connection }

    public func run(_ text: StatementText, _ parameters: [Parameter]) async throws(DatabaseError) -> ResultSet {
        guard !hasEnded else { throw .unexpected("a statement was run after its transaction had ended") }
        return try await connection.start(Connection.Request(text, parameters)) { request in
            if !hasBegun {
                hasBegun = true
                connection.send(Connection.Request(Self.begin.text, []), endsGroup: false)
            }
            // The statements of one turn share a sync, since none could succeed after a failed one anyway.
            connection.send(request, endsGroup: false)
        }
    }

    /// - Parameter committed: called as soon as the commit is confirmed.
    func commit(_ committed: @escaping @ReactorActor () -> Void) async throws(DatabaseError) {
        let result = try await end(with: Self.commit) { result in
            if Self.isCommitted(result) { committed() }
        }
        guard Self.isCommitted(result) else {
            throw DatabaseError(
                .inFailedSQLTransaction, "the transaction was rolled back because one of its statements had failed")
        }
    }

    /// PostgreSQL answers the COMMIT of a failed transaction with success and the command tag ROLLBACK.
    private static func isCommitted(_ result: ResultSet?) -> Bool { result?.command != "ROLLBACK" }

    func rollBack() async {
        // An error here means that the connection is lost, and the transaction with it.
        _ = try? await end(with: Self.rollBack) { _ in }
    }

    /// - Parameter succeeded: called with the answer as soon as it is there; with nil if nothing had to be sent.
    private func end(
        with statement: Statement<Void>, _ succeeded: @escaping @ReactorActor (ResultSet?) -> Void
    ) async throws(DatabaseError) -> ResultSet? {
        guard !hasEnded else { return nil }
        hasEnded = true
        guard hasBegun, connection.isOpen else {
            connection.release()
            // A transaction without statements loses nothing.
            if hasBegun { throw .unavailable("the connection was lost during the transaction") }
            succeeded(nil)
            return nil
        }
        let request = Connection.Request(statement.text, []) { answer in
            if case .success(let result) = answer { succeeded(result) }
        }
        return try await connection.start(request) { request in
            // COMMIT or ROLLBACK must run even if an earlier statement fails.
            if connection.isGroupOpen { connection.sync() }
            connection.send(request, endsGroup: true)
            connection.release()
        }
    }
}
