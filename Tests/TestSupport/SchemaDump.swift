import Foundation

/// A dump of the database at one version of its schemas, with rows in every table: `Tests/Migrations/README.md`.
public struct SchemaDump: Sendable, CustomStringConvertible {
    public static let folder = MigratedDatabase.root.appending(path: "Tests/Migrations")

    /// The number of the dump, from 1 without gaps.
    public var number: Int
    /// The number of migrations of each service.
    public var versions: [String: Int]
    /// Statements that restore it in an empty database.
    public var sql: String

    public init(number: Int, versions: [String: Int], sql: String) {
        (self.number, self.versions, self.sql) = (number, versions, sql)
    }

    /// All dumps of the repository, in order.
    public static let all: [SchemaDump] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/dumps")) ?? []
        return names.filter { $0.hasSuffix(".sql") }.sorted().compactMap { name in
            guard let number = Int(name.dropLast(4)),
                let text = try? String(contentsOf: folder.appending(path: "dumps/\(name)"), encoding: .utf8)
            else { return nil }
            return SchemaDump(number: number, text: text)
        }
    }()

    /// Parses a file whose first line contains the versions: `-- conversations 2, messaging 2, …`.
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

    /// Returns the versions that a migration of this source tree starts from and that no dump has, such as "messaging
    /// 8".
    public static func missing(_ dumps: [SchemaDump] = all) throws -> [(service: String, version: Int)] {
        try MigratedDatabase.services.flatMap { service in
            let count = try MigratedDatabase.sql(of: service).migrations.count
            let kept = Set(dumps.map { $0.versions[service] })
            return (1..<count).filter { !kept.contains($0) }.map { (service, $0) }
        }
    }
}
