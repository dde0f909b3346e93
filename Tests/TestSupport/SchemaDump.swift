import Foundation

/// The database as it stood at one step of its schemas, with something in every table: `Tests/Migrations/README.md`.
public struct SchemaDump: Sendable, CustomStringConvertible {
    public static let folder = MigratedDatabase.root.appending(path: "Tests/Migrations")

    /// From 1, without gaps.
    public var number: Int
    /// How many migrations of each service it has.
    public var versions: [String: Int]
    /// Statements that make it in an empty database.
    public var sql: String

    public init(number: Int, versions: [String: Int], sql: String) {
        (self.number, self.versions, self.sql) = (number, versions, sql)
    }

    /// All that are kept, in order.
    public static let all: [SchemaDump] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/dumps")) ?? []
        return names.filter { $0.hasSuffix(".sql") }.sorted().compactMap { name in
            guard let number = Int(name.dropLast(4)),
                let text = try? String(contentsOf: folder.appending(path: "dumps/\(name)"), encoding: .utf8)
            else { return nil }
            return SchemaDump(number: number, text: text)
        }
    }()

    /// From a file, whose first line says the versions: `-- conversations 2, messaging 2, …`.
    init(number: Int, text: String) {
        let parts = text.prefix { $0 != "\n" }.dropFirst(3).split(separator: ",")
        let pairs = parts.compactMap { part -> (String, Int)? in
            let words = part.split(separator: " ")
            return words.count == 2 ? Int(words[1]).map { (String(words[0]), $0) } : nil
        }
        self.init(number: number, versions: Dictionary(uniqueKeysWithValues: pairs), sql: text)
    }

    public var text: String { "-- \(description)\n\(sql)" }

    public var description: String {
        MigratedDatabase.services.map { "\($0) \(versions[$0] ?? 0)" }.joined(separator: ", ")
    }

    /// Versions that a migration of this source tree starts from and no dump has: "messaging 8".
    public static func missing(_ dumps: [SchemaDump] = all) throws -> [(service: String, version: Int)] {
        try MigratedDatabase.services.flatMap { service in
            let count = try MigratedDatabase.migrations(of: service).count
            let kept = Set(dumps.map { $0.versions[service] })
            return (1..<max(count, 1)).filter { !kept.contains($0) }.map { (service, $0) }
        }
    }
}
