import Postgres
import Reactor

/// All that Parley keeps in its database, in one file, and its way back. By PostgreSQL's own programs.
public enum DatabaseBackup {
    /// The file's name in the folder of a backup.
    private static let name = "database.dump"
    private static let limit = Duration.seconds(24 * 3600)

    /// Writes the database as it stands at one moment; who uses it meanwhile goes on.
    /// - Parameter folder: is there already.
    /// - Throws: ``ClusterError`` with what the program said.
    @ReactorActor
    public static func make(of database: String, in folder: String) async throws(ClusterError) {
        let schemas = ClusterConfiguration.services.map { "--schema=\($0)" }
        let major = try await major(of: database)
        try await run(
            database, major,
            ["pg_dump", "--no-password", "--format=custom", "--file=\(folder)/\(name)"] + schemas + ["--dbname=$0"])
    }

    /// Whether a database can be put back, before anything is changed for it.
    /// - Parameters: as ``restore(from:to:replacing:secrets:)`` has them.
    /// - Throws: ``ClusterError`` with what to do.
    @ReactorActor
    public static func examine(
        _ folder: String, for database: String, replacing isReplacing: Bool, secrets: String, binaries: String
    ) async throws(ClusterError) {
        let file = "\(folder)/\(name)"
        guard Files.exists(file) else {
            throw ClusterError(.invalid, "\(folder) is no backup: it has no \(name).")
        }
        let major = try await major(of: database)
        // To its end.
        try await run(database, major, ["pg_restore", "--file=/dev/null", file])
        for service in ClusterConfiguration.services {
            try await mustBeKnown(service, file, database, major, binaries: binaries)
        }
        try await check(database, isReplacing, secrets)
    }

    /// Puts a database back, all of it or nothing, under new epochs: who holds something of it reads it anew. To be
    /// examined first.
    ///
    /// Roles are made or get the passwords in `secrets`. Afterwards
    /// ``Bootstrap/run(database:secrets:binaries:environment:log:)`` brings an older backup up to date.
    /// - Parameters:
    ///   - isReplacing: what Parley has in the database goes; otherwise there must be nothing.
    ///   - secrets: see ``Bootstrap/run(database:secrets:binaries:environment:log:)``. It may be missing only while
    ///     there are no roles.
    /// - Throws: ``ClusterError`` with what to do; the schemas are then as they were, unless the connection was lost
    ///   while it was told to commit.
    @ReactorActor
    public static func restore(
        from folder: String, to database: String, replacing isReplacing: Bool, secrets: String
    ) async throws(ClusterError) {
        // Again: files were copied since it was examined.
        try await check(database, isReplacing, secrets)
        let (file, major) = ("\(folder)/\(name)", try await major(of: database))
        try await Bootstrap.makeRoles(database: database, secrets: secrets)
        let services = ClusterConfiguration.services
        let drop = "DROP SCHEMA IF EXISTS \(services.joined(separator: ", ")) CASCADE"
        let epochs = services.filter { $0 != "presence" }.map {
            "UPDATE \($0).epoch SET id = replace(gen_random_uuid()::text, '-', '')"
        }.joined(separator: "; ")
        // psql takes the end of what it reads for the end of all, also when pg_restore died.
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

    /// The server's version.
    @ReactorActor
    private static func major(of database: String) async throws(ClusterError) -> Int {
        let version = Statement("SELECT current_setting('server_version_num')::bigint") { row in try row.int64(0) }
        do {
            let connection = try await Connection.open(
                DatabaseConfiguration(url: database, applicationName: "parley-backup", connections: 1))
            defer { connection.close() }
            return Int(try await connection.first(version) ?? 0) / 10_000
        } catch {
            throw ClusterError(.database, "the database cannot be asked: \(error)")
        }
    }

    /// A schema that is newer than the programs would be refused by them when all else is gone.
    @ReactorActor
    private static func mustBeKnown(
        _ service: String, _ file: String, _ database: String, _ major: Int, binaries: String
    ) async throws(ClusterError) {
        let rows = try await run(
            database, major,
            ["pg_restore", "--data-only", "--schema=\(service)", "--table=migrations", "--file=-", file])
        let backup = rows.split(separator: "\n").compactMap { Int($0.prefix { $0 != "\t" }) }.max() ?? 0
        let asked = try await Child.run(
            Invocation(executable: "\(binaries)/parley-\(service)", arguments: ["--print-schema"]), limit: .seconds(30))
        guard asked.exit == .code(0), let known = Int(asked.output.filter { $0 != "\n" }) else {
            throw ClusterError(
                .processFailed, "parley-\(service) does not say which schema it knows (\(asked.exit)): \(asked.output)")
        }
        guard backup <= known else {
            throw ClusterError(
                .invalid,
                "The backup is of a newer Parley: its schema \(service) is at \(backup), these programs know up to \(known). "
                    + "Restore it with the version it was made by, or a newer one.")
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
            throw ClusterError(.database, "the database cannot be asked: \(error)")
        }
        guard let found, found.users == 0 else {
            throw ClusterError(.alreadyRunning, "Parley's services use this database. Stop them first.")
        }
        guard found.roles == 0 || Files.exists(secrets) else {
            throw ClusterError(
                .invalid,
                "\(secrets) is missing, with the passwords of the roles that are there already. Name it with --secrets; if it is "
                    + "lost, \"parley migrate\" gives them new ones.")
        }
        guard found.tables == 0 || isReplacing else {
            throw ClusterError(
                .invalid, "Parley has something in this database already. Give --replace if it is to go, all of it.")
        }
    }

    private static func target(_ database: String) throws(ClusterError) -> (text: String, password: String?) {
        do {
            return try ConnectionString.withoutPassword(database)
        } catch {
            throw ClusterError(.invalid, "\(error)")
        }
    }

    /// Runs one of PostgreSQL's programs: of the server's own version, else of a newer one. (An older one refuses; what
    /// a newer one writes the server may not understand.)
    /// - Parameters:
    ///   - major: the server's.
    ///   - command: in which `$0` stands for the database, without its password.
    /// - Returns: what it printed.
    @ReactorActor
    @discardableResult
    private static func run(
        _ database: String, _ major: Int, _ command: [String]
    ) async throws(ClusterError) -> String {
        let target = try target(database)
        let program = command[0]
        let installed = PostgresBinaries.installed(with: ["pg_dump", "pg_restore", "psql"])
        let places = (installed.filter { $0.major == major } + installed.filter { $0.major != major }).map(\.folder)
        guard
            let executable = places.map({ "\($0)/\(program)" }).first(where: Files.isExecutable)
                ?? Files.executable(program)
        else {
            throw ClusterError(
                .binaryMissing, "\(program) is missing. On Debian or Ubuntu: apt-get install postgresql-client.")
        }
        var invocation = Invocation(executable: executable)
        invocation.arguments = command.dropFirst().map { argument in
            argument == "$0" ? target.text : argument == "--dbname=$0" ? "--dbname=\(target.text)" : argument
        }
        // Not among the arguments, which everybody may read.
        if let password = target.password { invocation.environment["PGPASSWORD"] = password }
        invocation.environment["PATH"] =
            (places + [invocation.environment["PATH"] ?? "/usr/bin:/bin"]).joined(separator: ":")
        let run = try await Child.run(invocation, limit: limit)
        guard run.exit == .code(0) else {
            let said = run.output.split(separator: "\n").suffix(5).joined(separator: "\n")
            throw ClusterError(.database, "\(program) did not succeed (\(run.exit)):\n\(said)")
        }
        return run.output
    }
}
