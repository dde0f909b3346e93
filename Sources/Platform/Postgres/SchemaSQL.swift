/// The SQL of one schema: migrations, which make its tables step by step, and definitions, its functions and views.
///
/// A service keeps both in its folder `SQL`. A file whose name begins with a number is a migration. It runs once, in
/// order, and is never edited once released. Every other file is a definition. All definitions are applied as they
/// stand, after the migrations, when their version has grown. Before a file is applied,
///
/// - `{schema}` becomes the name of the schema;
/// - `{Name.case}`, such as `{MessageKind.system}`, becomes a number that Swift and SQL share: one of ``AdvisoryLock``,
///   of `names.sql`, of which the build makes Swift enums, or of the contract's enums, which are in the shared file
///   `contract.sql`. Statements in Swift write `\(Name.case.rawValue)`;
/// - a line `\include FOLDER/FILE.sql` becomes that file, which several schemas share.
public struct SchemaSQL: Sendable {
    /// A function or a view, in the words that make or replace it.
    public struct Definition: Sendable, Equatable {
        /// The name of its file, without .sql.
        public var name: String
        public var sql: String

        public init(name: String, sql: String) {
            self.name = name
            self.sql = sql
        }
    }

    public var schema: String
    public var migrations: [Migration]
    /// Functions first, by name; then views, each after those that it reads.
    public var definitions: [Definition]
    /// Grows with every change of the definitions, so that an older binary leaves newer ones alone.
    public var definitionsVersion: Int
    /// Of the definitions' text: two sets of one version are the same.
    public var definitionsDigest: String { String(AdvisoryLock.hash(script), radix: 16) }

    public init(schema: String, migrations: [Migration], definitions: [Definition] = [], definitionsVersion: Int = 0) {
        (self.schema, self.migrations) = (schema, migrations)
        (self.definitions, self.definitionsVersion) = (definitions, definitionsVersion)
    }

    /// From a folder's files.
    /// - Parameters:
    ///   - files: paths within the folder and texts. `names.sql` holds names of numbers; `definitions.sql` holds the
    ///     version and digest of the definitions.
    ///   - shared: the files that `\include` may name.
    /// - Throws: ``SchemaSQLError``, also when definitions have changed and their version has not.
    public init(
        schema: String, files: [(path: String, text: String)], shared: [(path: String, text: String)] = []
    ) throws(SchemaSQLError) {
        var values = ["schema": schema]
        for lock in AdvisoryLock.allCases { values["AdvisoryLock.\(lock)"] = "\(lock.rawValue)" }
        for file in shared + files where [Self.namesFile, Self.contractFile].contains(file.path) {
            values.merge(Self.names(file.text)) { _, new in new }
        }
        var (migrations, definitions) = ([Migration](), [Definition]())
        for file in files.sorted(by: { $0.path < $1.path })
        where ![Self.namesFile, Self.versionFile].contains(file.path) {
            let name = String(file.path.dropLast(".sql".count))
            let sql = try Self.render(file.text, in: file.path, shared: shared, values)
            if let migration = Migration(name: name, sql: Array(sql.utf8)) {
                migrations.append(migration)
            } else {
                definitions.append(Definition(name: name, sql: sql))
            }
        }
        self.init(schema: schema, migrations: migrations, definitions: Self.ordered(definitions, in: schema))
        guard !definitions.isEmpty else { return }
        let text = files.first { $0.path == Self.versionFile }?.text ?? ""
        let words = text.split(whereSeparator: \.isWhitespace)
        let said = words.count >= 4 && words[0] == "--" && words[1] == "version" ? Int(words[2]) : nil
        guard let said, words[3] == definitionsDigest else {
            throw SchemaSQLError(
                "the definitions of schema \(schema) have changed: \(Self.versionFile) must begin with "
                    + "\"-- version \((said ?? 0) + 1) \(definitionsDigest)\"")
        }
        definitionsVersion = said
    }

    /// Functions first, since a view needs the functions that it calls; then views, each after those that it reads. A
    /// function may come before what it reads.
    private static func ordered(_ definitions: [Definition], in schema: String) -> [Definition] {
        let isView = { (definition: Definition) in definition.sql.contains("CREATE OR REPLACE VIEW") }
        var (sorted, views) = (definitions.filter { !isView($0) }, definitions.filter(isView))
        while !views.isEmpty {
            let free = views.firstIndex { view in
                !views.contains { $0 != view && view.sql.contains("\(schema).\($0.name)") }
            }
            sorted.append(views.remove(at: free ?? 0))
        }
        return sorted
    }

    /// All definitions as one script.
    var script: String { definitions.map { $0.sql + "\n;\n" }.joined() }

    private static let namesFile = "names.sql"
    private static let contractFile = "contract.sql"
    private static let versionFile = "definitions.sql"

    /// The numbers of `names.sql`: `-- Name` begins an enum, `--   1 case  what it means` is one of its cases.
    static func names(_ text: String) -> [String: String] {
        var (values, name) = ([String: String](), "")
        for line in text.split(separator: "\n") where line.hasPrefix("--") {
            let words = line.dropFirst(2).split(separator: " ")
            if words.count == 1, words[0].first?.isUppercase == true {
                name = String(words[0])
            } else if words.count >= 2, Int(words[0]) != nil {
                values["\(name).\(words[1])"] = String(words[0])
            }
        }
        return values
    }

    private static func render(
        _ text: String, in path: String, shared: [(path: String, text: String)], _ values: [String: String]
    ) throws(SchemaSQLError) -> String {
        var lines: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("\\include ") else {
                lines.append(line)
                continue
            }
            let wanted = line.dropFirst("\\include ".count)
            guard let file = shared.first(where: { $0.path == wanted }) else {
                throw SchemaSQLError("\(path) includes \(wanted), which does not exist")
            }
            lines += file.text.split(separator: "\n", omittingEmptySubsequences: false)
        }
        return try replace(lines.joined(separator: "\n"), in: path, values)
    }

    /// Replaces each `{name}`; braces around anything but a name are SQL's own.
    private static func replace(
        _ text: String, in path: String, _ values: [String: String]
    ) throws(SchemaSQLError) -> String {
        var (result, rest) = ("", text[...])
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            let name = rest[rest.index(after: open)...].prefix { $0.isLetter || $0 == "." }
            guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else {
                result += "{"
                rest = rest[rest.index(after: open)...]
                continue
            }
            guard let value = values[String(name)] else {
                throw SchemaSQLError("\(path) names {\(name)}, which is not known")
            }
            result += value
            rest = rest[rest.index(after: name.endIndex)...]
        }
        return result + rest
    }
}

/// Why the files of a folder are no SQL of a schema.
public struct SchemaSQLError: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
}
