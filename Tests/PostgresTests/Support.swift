import Logging
import Reactor
import TestSupport

@testable import Postgres

let log = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

/// Returns a configuration for a new database of the shared server.
@ReactorActor
func freshConfiguration(connections: Int = 2) async throws -> DatabaseConfiguration {
    var configuration = DatabaseConfiguration(
        url: try await TestPostgres.shared.makeDatabase(), applicationName: "tests", connections: connections)
    // A busy machine answers late.
    configuration.connectTimeout = .seconds(60)
    return configuration
}

/// Returns the ``DatabaseError`` that `body` throws, or nil.
@ReactorActor
func databaseError<T>(_ body: @ReactorActor () async throws -> T) async -> DatabaseError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? DatabaseError
    }
}

/// Runs `each` `count` times concurrently and waits for all.
/// - Throws: the first error in order.
@ReactorActor
func concurrently(_ count: Int, _ each: @escaping @ReactorActor (Int) async throws -> Void) async throws {
    let tasks = (0..<count).map { number in Task { @ReactorActor in try await each(number) } }
    for task in tasks { try await task.value }
}

extension DatabaseError {
    var isUnavailable: Bool { code == .unavailable }
}

/// A list of events, in order.
@ReactorActor
final class Record {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
}
