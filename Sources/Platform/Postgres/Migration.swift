/// One step of a schema. Once released it is never edited: the next change is the next number.
public struct Migration: Sendable, Equatable {
    /// From 1, without gaps.
    public var number: Int
    /// What it is called, as `0001_start`.
    public var name: String
    /// Any number of statements. They run as one transaction, so no BEGIN or COMMIT among them.
    public var sql: String

    public init(number: Int, name: String, sql: String) {
        self.number = number
        self.name = name
        self.sql = sql
    }

    /// From a resource: the number is what `name` begins with, as in `0001_start`.
    public init?(name: String, sql: [UInt8]) {
        guard let number = Int(name.prefix { $0.isASCII && $0.isNumber }) else { return nil }
        self.init(number: number, name: name, sql: String(decoding: sql, as: UTF8.self))
    }
}

/// Why a schema was not brought up to date. The description is for the person who runs the binary.
public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A newer binary has been here.
    case databaseIsNewer(schema: String, known: Int, database: Int, application: String)
    /// What was applied under this number is not what this binary has under it.
    case changed(schema: String, name: String)
    /// The numbers of the binary's migrations are not 1, 2, 3 …
    case misnumbered(schema: String, name: String)
    /// The database refused it; nothing of this migration remains. `line` is of the migration's text.
    case failed(schema: String, name: String, line: Int?, DatabaseError)

    public var description: String {
        switch self {
        case .databaseIsNewer(let schema, let known, let database, let application):
            "schema \(schema): this binary knows up to \(known), the database is at \(database): "
                + "run a newer \(application)"
        case .changed(let schema, let name):
            "schema \(schema): migration \(name) is not the one that was applied to this database"
        case .misnumbered(let schema, let name):
            "schema \(schema): migration \(name) is out of sequence"
        case .failed(let schema, let name, let line, let error):
            "schema \(schema): migration \(name)\(line.map { ", line \($0)" } ?? ""): \(error)"
        }
    }
}
