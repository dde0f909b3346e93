import Reactor

/// A pool, a connection or a transaction, on which statements run.
@ReactorActor
public protocol Queryable {
    /// Runs one statement. Callers use `query`, `first` or `execute` instead.
    func run(_ text: StatementText, _ parameters: [Parameter]) async throws(DatabaseError) -> ResultSet
}

extension Queryable {
    /// Runs a statement.
    /// - Returns: its rows, in the statement's order.
    public func query<Row>(
        _ statement: Statement<Row>, _ parameters: [Parameter]
    ) async throws(DatabaseError) -> [Row] {
        try await run(statement.text, parameters).decode(statement)
    }

    /// Runs a statement.
    /// - Returns: its rows, in the statement's order.
    public func query<Row>(
        _ statement: Statement<Row>, _ parameters: Parameter...
    ) async throws(DatabaseError) -> [Row] {
        try await query(statement, parameters)
    }

    /// Runs a statement.
    /// - Returns: its first row, or nil when there is none. Further rows are dropped.
    public func first<Row>(
        _ statement: Statement<Row>, _ parameters: [Parameter]
    ) async throws(DatabaseError) -> Row? {
        let result = try await run(statement.text, parameters)
        return result.count == 0 ? nil : try result.decode(statement, row: 0)
    }

    /// Runs a statement.
    /// - Returns: its first row, or nil when there is none. Further rows are dropped.
    public func first<Row>(
        _ statement: Statement<Row>, _ parameters: Parameter...
    ) async throws(DatabaseError) -> Row? {
        try await first(statement, parameters)
    }

    /// Runs a statement for its effect.
    /// - Returns: the number of rows it changed.
    @discardableResult
    public func execute(_ statement: Statement<Void>, _ parameters: [Parameter]) async throws(DatabaseError) -> Int {
        try await run(statement.text, parameters).affected
    }

    /// Runs a statement for its effect.
    /// - Returns: the number of rows it changed.
    @discardableResult
    public func execute(_ statement: Statement<Void>, _ parameters: Parameter...) async throws(DatabaseError) -> Int {
        try await execute(statement, parameters)
    }
}
