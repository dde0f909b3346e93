import Foundation
import Glibc
import Postgres
import Reactor

/// A server whose contents take long to make. They are made once on a machine and kept in the build folder; each run
/// works with a copy.
@ReactorActor
public enum KeptPostgres {
    /// Starts a server with the contents that `make` makes.
    /// - Parameters:
    ///   - name: begins the name of the kept folder.
    ///   - sources: the texts that decide what `make` makes. When one changes, or PostgreSQL does, it is made again.
    /// - Throws: the errors of `make` and of the server's start. If the contents cannot be kept or copied, for lack of
    ///   space or permission, they are made for this run alone.
    public static func start(
        _ name: String, madeFrom sources: [String], _ make: (TestPostgres) async throws -> Void
    ) async throws -> TestPostgres {
        let kept = "\(folder)/\(name)-\(digest(sources + [try await version]))"
        removeOthers(of: name, except: kept)
        if FileManager.default.fileExists(atPath: kept) {
            if let server = try? await TestPostgres(settings: settings, copyOf: kept) { return server }
            try? FileManager.default.removeItem(atPath: kept)
        }
        let server = try await TestPostgres(settings: settings)
        try await make(server)
        await server.stop()
        await keep(server, as: kept)
        try await server.start()
        return server
    }

    /// Nothing here must survive a power failure.
    private static let settings = [
        "fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "wal_level": "minimal",
        "max_wal_senders": "0", "max_wal_size": "4GB", "maintenance_work_mem": "256MB", "autovacuum": "off",
    ]

    private static let folder = MigratedDatabase.root.appending(path: ".build").path

    private static var version: String {
        get async throws {
            let connection = try await Connection.open(DatabaseConfiguration(test: TestPostgres.shared.url()))
            defer { connection.close() }
            return try await connection.first(Statement("SELECT version()") { try $0.text(0) }) ?? ""
        }
    }

    /// FNV-1a, 64 bits.
    private static func digest(_ texts: [String]) -> String {
        let hash = texts.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
        }
        return String(hash, radix: 16)
    }

    /// Keeps a copy of a stopped server's files. It gets its name when it is complete, so that a copy whose process was
    /// killed is never used. Of two processes that keep the same, one wins, and the other's copy is removed.
    private static func keep(_ server: TestPostgres, as kept: String) async {
        let half = "\(kept)\(unfinished)\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: half) }
        guard freeBytes(at: folder) >= 4 << 30, (try? await copyFolder(server.files, to: half)) != nil else { return }
        // The name must not reach the disk before the files.
        sync()
        rename(half, kept)
    }

    private static let unfinished = "-of-"

    /// Removes contents made from other sources, and copies whose process has ended.
    private static func removeOthers(of name: String, except kept: String) {
        for other in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where other.hasPrefix("\(name)-") && "\(folder)/\(other)" != kept {
            let owner = other.range(of: unfinished).flatMap { pid_t(other[$0.upperBound...]) }
            if let owner, kill(owner, 0) == 0 || errno == EPERM { continue }
            try? FileManager.default.removeItem(atPath: "\(folder)/\(other)")
        }
    }
}
