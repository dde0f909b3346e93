/// One step of a schema. A released migration is never edited; the next change gets the next number.
public struct Migration: Sendable, Equatable {
    /// The number, counted from 1 without gaps.
    public var number: Int
    /// The name, such as `0001_start`.
    public var name: String
    /// Any number of statements, without BEGIN or COMMIT, because they run as one transaction.
    public var sql: String

    public init(number: Int, name: String, sql: String) {
        self.number = number
        self.name = name
        self.sql = sql
    }

    /// Creates a migration from a resource whose `name` begins with the number, as in `0001_start`.
    public init?(name: String, sql: [UInt8]) {
        guard let number = Int(name.prefix { $0.isASCII && $0.isNumber }) else { return nil }
        self.init(number: number, name: name, sql: String(decoding: sql, as: UTF8.self))
    }
}

/// The reason why a schema was not brought up to date. The description is for the operator.
public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A newer binary has migrated the database.
    case databaseIsNewer(schema: String, known: Int, database: Int, application: String)
    /// The migration applied under this number differs from the one in this binary.
    case changed(schema: String, name: String)
    /// The numbers of the binary's migrations are not 1, 2, 3 …
    case misnumbered(schema: String, name: String)
    /// The schema is from before 0.1.0, whose migrations had other numbers.
    case beforeBaseline(schema: String)
    /// A newer binary has applied its definitions.
    case definitionsAreNewer(schema: String, known: Int, database: Int, application: String)
    /// The database has other definitions under the version that this binary has.
    case definitionsDiffer(schema: String, version: Int)
    /// The database refused the migration and rolled it back. `line` is a line of the migration's text.
    case failed(schema: String, name: String, line: Int?, DatabaseError)

    public var description: String {
        switch self {
        case .databaseIsNewer(let schema, let known, let database, let application):
            "schema \(schema): this binary knows migrations up to \(known), but the database is at \(database); "
                + "run a newer \(application)"
        case .changed(let schema, let name):
            "schema \(schema): migration \(name) differs from the one applied to this database"
        case .misnumbered(let schema, let name):
            "schema \(schema): migration \(name) is out of sequence"
        case .beforeBaseline(let schema):
            "schema \(schema) was made before 0.1.0 and cannot be migrated; nothing was changed. Start with a new "
                + "database, or run the version that made it."
        case .definitionsAreNewer(let schema, let known, let database, let application):
            "schema \(schema): this binary has version \(known) of the functions and views, but the database has "
                + "\(database); run a newer \(application)"
        case .definitionsDiffer(let schema, let version):
            "schema \(schema): version \(version) of the functions and views differs from the one in this binary"
        case .failed(let schema, let name, let line, let error):
            "schema \(schema): migration \(name)\(line.map { ", line \($0)" } ?? ""): \(error)"
        }
    }
}
