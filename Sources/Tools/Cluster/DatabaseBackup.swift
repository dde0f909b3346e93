import Postgres
import Reactor

/// Backs up Parley's schemas into one file and restores them, with PostgreSQL's own programs.
public enum DatabaseBackup {
    /// The name of the dump in the backup's folder.
    private static let name = "database.dump"
    private static let limit = Duration.seconds(24 * 3600)

    /// Writes a consistent snapshot of the database. Clients of the database can continue meanwhile.
    /// - Parameter folder: an existing folder.
    /// - Throws: ``ClusterError`` with the end of the program's output.
    @ReactorActor
    public static func make(of database: String, in folder: String) async throws(ClusterError) {
        // Before pg_dump would create it readable for all.
        try Files.write("", to: "\(folder)/\(name)", mode: 0o600)
        let schemas = ClusterConfiguration.services.map { "--schema=\($0)" }
        let major = try await major(of: database)
        try await run(
            database, major,
            ["pg_dump", "--no-password", "--format=custom", "--file=\(folder)/\(name)"] + schemas + ["--dbname=$0"])
    }

    /// Checks whether a backup can be restored. Changes nothing.
    /// - Parameters: as for ``restore(from:to:replacing:secrets:)``.
    /// - Throws: ``ClusterError`` with the reason and what to do.
    @ReactorActor
    public static func examine(
        _ folder: String, for database: String, replacing isReplacing: Bool, secrets: String, binaries: String
    ) async throws(ClusterError) {
        let file = "\(folder)/\(name)"
        guard Files.exists(file) else {
            throw ClusterError(.invalid, "There is no backup in \(folder): \(name) is missing.")
        }
        let major = try await major(of: database)
        // Reads the whole dump.
        try await run(database, major, ["pg_restore", "--file=/dev/null", file])
        for service in ClusterConfiguration.services {
            try await mustBeKnown(service, file, database, major, binaries: binaries)
        }
        try await check(database, isReplacing, secrets)
    }

    /// Restores a backup in one transaction and gives it new epochs, so that clients read everything anew. Call
    /// ``examine(_:for:replacing:secrets:binaries:)`` first.
    ///
    /// Creates missing roles and sets the passwords in `secrets`. Afterwards
    /// ``Bootstrap/run(database:secrets:binaries:environment:log:)`` migrates an older backup.
    /// - Parameters:
    ///   - isReplacing: whether to drop Parley's schemas first; if false, they must have no tables.
    ///   - secrets: see ``Bootstrap/run(database:secrets:binaries:environment:log:)``. It may be missing only while
    ///     the roles do not exist.
    /// - Throws: ``ClusterError`` with the reason and what to do. The schemas are then unchanged, unless the connection
    ///   was lost during the commit.
    @ReactorActor
    public static func restore(
        from folder: String, to database: String, replacing isReplacing: Bool, secrets: String
    ) async throws(ClusterError) {
        // Checked again, since files were copied after `examine`.
        try await check(database, isReplacing, secrets)
        let (file, major) = ("\(folder)/\(name)", try await major(of: database))
        try await Bootstrap.makeRoles(database: database, secrets: secrets)
        let services = ClusterConfiguration.services
        let drop = "DROP SCHEMA IF EXISTS \(services.joined(separator: ", ")) CASCADE"
        let epochs = services.filter { $0 != "presence" }.map {
            "UPDATE \($0).epoch SET id = replace(gen_random_uuid()::text, '-', '')"
        }.joined(separator: "; ")
        // psql would commit after a pg_restore that died, since it only sees the end of its input.
        let isWhole = "SELECT set_config('parley.restored', 'yes', false)"
        let mustBeWhole = """
            DO $$ BEGIN IF current_setting('parley.restored', true) IS DISTINCT FROM 'yes' THEN
            RAISE EXCEPTION 'the backup was not read to its end'; END IF; END $$
            """
        let script = """
            set -o pipefail
            { pg_restore --file=- "$1" && echo "$4;"; } | psql --no-psqlrc --no-password --quiet --single-transaction --set ON_ERROR_STOP=1 --dbname="$0" \
            --command="$2" --file=- --command="$5" --command="$3" >/dev/null
            """
        try await run(database, major, ["bash", "-c", script, "$0", file, drop, epochs, isWhole, mustBeWhole])
    }

    /// Returns the server's major version.
    @ReactorActor
    private static func major(of database: String) async throws(ClusterError) -> Int {
        let version = Statement("SELECT current_setting('server_version_num')::bigint") { row in try row.int64(0) }
        do {
            let connection = try await Connection.open(
                DatabaseConfiguration(url: database, applicationName: "parley-backup", connections: 1))
            defer { connection.close() }
            return Int(try await connection.first(version) ?? 0) / 10_000
        } catch {
            throw ClusterError(.database, "Cannot query the database: \(error)")
        }
    }

    /// Rejects a backup whose schema is newer than the programs, which would refuse it after the old data are gone.
    @ReactorActor
    private static func mustBeKnown(
        _ service: String, _ file: String, _ database: String, _ major: Int, binaries: String
    ) async throws(ClusterError) {
        func numbers(of table: String, column: Int) async throws(ClusterError) -> [Int] {
            let rows = try await run(
                database, major,
                ["pg_restore", "--data-only", "--schema=\(service)", "--table=\(table)", "--file=-", file])
            return rows.split(separator: "\n").compactMap { row in
                let columns = row.split(separator: "\t", omittingEmptySubsequences: false)
                return columns.count > column ? Int(columns[column]) : nil
            }
        }
        let migrations = try await numbers(of: "migrations", column: 0)
        let definitions = try await numbers(of: "definitions", column: 1)
        guard migrations.isEmpty || !definitions.isEmpty else {
            throw ClusterError(
                .invalid,
                "The backup was made before 0.1.0 and cannot be restored by these programs; nothing was changed. Restore "
                    + "it with the version that made it.")
        }
        let backup = (migrations.max() ?? 0, definitions.max() ?? 0)
        let probe = try await Child.run(
            Invocation(executable: "\(binaries)/parley-\(service)", arguments: ["--print-schema"]), limit: .seconds(30))
        let known = probe.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard probe.exit == .code(0), known.count == 2 else {
            throw ClusterError(
                .processFailed, "parley-\(service) did not report its schema version (\(probe.exit)): \(probe.output)")
        }
        guard backup.0 <= known[0], backup.1 <= known[1] else {
            throw ClusterError(
                .invalid,
                "The backup is from a newer Parley: its schema \(service) is at \(backup.0).\(backup.1), and these "
                    + "programs support up to \(known[0]).\(known[1]). Restore it with the version that made it, or a newer "
                    + "one.")
        }
    }

    @ReactorActor
    private static func check(
        _ database: String, _ isReplacing: Bool, _ secrets: String
    ) async throws(ClusterError) {
        let roles = ClusterConfiguration.services.map { "'parley_\($0)'" }.joined(separator: ", ")
        let schemas = ClusterConfiguration.services.map { "'\($0)'" }.joined(separator: ", ")
        let counts = Statement(
            """
            SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename IN (\(roles))),
                (SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
                WHERE n.nspname IN (\(schemas)) AND c.relkind = 'r'),
                (SELECT count(*) FROM pg_roles WHERE rolname IN (\(roles)))
            """
        ) { row in (users: try row.int64(0), tables: try row.int64(1), roles: try row.int64(2)) }
        var found: (users: Int64, tables: Int64, roles: Int64)?
        do {
            let connection = try await Connection.open(
                DatabaseConfiguration(url: database, applicationName: "parley-restore", connections: 1))
            defer { connection.close() }
            found = try await connection.first(counts)
        } catch {
            throw ClusterError(.database, "Cannot query the database: \(error)")
        }
        guard let found, found.users == 0 else {
            throw ClusterError(.alreadyRunning, "Parley's services use this database. Stop them first.")
        }
        guard found.roles == 0 || Files.exists(secrets) else {
            throw ClusterError(
                .invalid,
                "\(secrets) is missing. It holds the passwords of the existing roles. Name the file with --secrets, "
                    + "or, if it is lost, set new passwords with \"parley migrate\".")
        }
        guard found.tables == 0 || isReplacing else {
            throw ClusterError(
                .invalid, "This database already has tables of Parley. Use --replace to replace all of them.")
        }
    }

    private static func target(_ database: String) throws(ClusterError) -> (text: String, password: String?) {
        do {
            return try ConnectionString.withoutPassword(database)
        } catch {
            throw ClusterError(.invalid, "\(error)")
        }
    }

    /// Runs a PostgreSQL program, preferably of the server's major version. (An older program refuses the server; the
    /// server may not understand the output of a newer one.)
    /// - Parameters:
    ///   - major: the server's major version.
    ///   - command: the command line; `$0` is replaced by the database without its password.
    /// - Returns: the program's output.
    @ReactorActor
    @discardableResult
    private static func run(
        _ database: String, _ major: Int, _ command: [String]
    ) async throws(ClusterError) -> String {
        let target = try target(database)
        let program = command[0]
        let installed = PostgresBinaries.installed(with: ["pg_dump", "pg_restore", "psql"])
        let folders = (installed.filter { $0.major == major } + installed.filter { $0.major != major }).map(\.folder)
        guard
            let executable = folders.map({ "\($0)/\(program)" }).first(where: Files.isExecutable)
                ?? Files.executable(program)
        else {
            throw ClusterError(
                .binaryMissing, "\(program) is missing. On Debian or Ubuntu, run: apt-get install postgresql-client")
        }
        var invocation = Invocation(executable: executable)
        invocation.arguments = command.dropFirst().map { argument in
            argument == "$0" ? target.text : argument == "--dbname=$0" ? "--dbname=\(target.text)" : argument
        }
        // Not an argument, since every user can read those.
        if let password = target.password { invocation.environment["PGPASSWORD"] = password }
        invocation.environment["PATH"] =
            (folders + [invocation.environment["PATH"] ?? "/usr/bin:/bin"]).joined(separator: ":")
        let run = try await Child.run(invocation, limit: limit)
        guard run.exit == .code(0) else {
            let lastLines = run.output.split(separator: "\n").suffix(5).joined(separator: "\n")
            throw ClusterError(.database, "\(program) failed (\(run.exit)):\n\(lastLines)")
        }
        return run.output
    }
}
