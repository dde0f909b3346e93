import Foundation
import GRDB

/// Reads a store's file, which another process may write meanwhile. It writes nothing.
final class SQLiteReader: Sendable {
    private let queue: DatabaseQueue

    /// - Throws: ``StoreProblem`` when the file cannot be read, or is of another version of the app.
    init(path: String) throws(StoreProblem) {
        var configuration = Configuration()
        configuration.label = "Parley reader"
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
            let (isNewer, isSame) = try queue.read {
                (
                    try SQLiteSchema.migrator.hasBeenSuperseded($0),
                    try SQLiteSchema.migrator.hasCompletedMigrations($0)
                )
            }
            if isNewer { throw StoreProblem.newerVersion }
            guard isSame else { throw StoreProblem.olderVersion }
        } catch {
            throw StoreProblem(error)
        }
    }

    /// Reads, off the main actor. What is read is of one moment.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result {
        try await queue.read { try body(SQLiteRows($0)) }
    }
}
