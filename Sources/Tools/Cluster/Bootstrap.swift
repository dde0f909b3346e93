import Glibc
import Logging
import Postgres
import Reactor

/// Prepares an empty PostgreSQL database for Parley: creates roles and schemas, then runs each service's migrations by
/// its own program. Repeating it changes nothing.
public enum Bootstrap {
    /// - Parameters:
    ///   - database: URL of the database as a superuser, or as a role that may create roles and schemas.
    ///   - secrets: a file with the passwords of the service roles; created, readable by its owner only, when missing.
    ///   - binaries: the folder of `parley-conversations` and the other programs.
    /// - Throws: ``ClusterError`` with the service's name and the end of its output.
    @ReactorActor
    public static func run(
        database: String, secrets: String, binaries: String, environment: [String: String] = [:],
        log: Logger = Logger(label: "parley.cluster")
    ) async throws(ClusterError) {
        let passwords = try Secrets(at: secrets)
        try await makeRoles(database: database, passwords)
        for service in ClusterConfiguration.services {
            try await migrate(service, database: database, passwords, binaries: binaries, environment: environment)
            log.debug("The schema of \(service) is up to date.")
        }
    }

    /// The database URL of a service's role.
    public static func url(of service: String, database: String, secrets: String) throws(ClusterError) -> String {
        try Secrets(at: secrets).url(of: service, database: database)
    }

    /// Creates roles and schemas only, the first step of ``run(database:secrets:binaries:environment:log:)``.
    @ReactorActor
    static func makeRoles(database: String, secrets: String) async throws(ClusterError) {
        try await makeRoles(database: database, try Secrets(at: secrets))
    }

    @ReactorActor
    private static func makeRoles(database: String, _ passwords: Secrets) async throws(ClusterError) {
        let configuration = DatabaseConfiguration(
            url: database, applicationName: "parley-migrate", connections: 1, statementTimeout: .seconds(60),
            lockTimeout: .seconds(30))
        do {
            let connection = try await Connection.open(configuration)
            defer { connection.close() }
            for statement in StatementSplitter.statements(of: script(passwords)) {
                try await connection.execute(Statement(statement))
            }
        } catch {
            throw ClusterError(.database, "Cannot prepare the database: \(describe(error))")
        }
    }

    static func script(_ passwords: Secrets) -> String {
        // Keeps passwords out of the server's log, whatever its logging settings are.
        let quiet = """
            DO $$ BEGIN
                PERFORM set_config('log_statement', 'none', false);
                PERFORM set_config('log_min_duration_statement', '-1', false);
                PERFORM set_config('log_min_error_statement', 'panic', false);
            EXCEPTION WHEN insufficient_privilege THEN NULL;
            END $$;
            """
        let roles = ClusterConfiguration.services.map {
            "ALTER ROLE parley_\($0) LOGIN PASSWORD '\(passwords[$0])';"
        }
        // Held until the connection ends, since two sessions that change a role at the same time make each other fail.
        let lock = "SELECT pg_advisory_lock(7301, 0);"
        return ([lock, String(decoding: PackageResources.Bootstrap_sql, as: UTF8.self), quiet] + roles).joined(
            separator: "\n")
    }

    private static func describe(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        switch error.code {
        case .unavailable: return error.message
        case .busy, .unexpected: return "\(error)"
        case let code:
            return "\(error.message)\(error.detail.isEmpty ? "" : " (\(error.detail))") [\(code)]"
                + (code == .insufficientPrivilege ? ". Use a URL whose role may create roles and schemas." : "")
        }
    }

    @ReactorActor
    private static func migrate(
        _ service: String, database: String, _ passwords: Secrets, binaries: String, environment: [String: String]
    ) async throws(ClusterError) {
        var invocation = Invocation(executable: "\(binaries)/parley-\(service)", arguments: ["--migrate-only"])
        invocation.environment.merge(environment) { $1 }
        invocation.environment["PARLEY_DATABASE_URL"] = passwords.url(of: service, database: database)
        invocation.environment["NOTIFY_SOCKET"] = nil
        // A new index on many messages may take hours.
        let run = try await Child.run(invocation, limit: .seconds(24 * 3600))
        guard run.exit == .code(0) else {
            let lastLines = run.output.split(separator: "\n").suffix(5).joined(separator: "\n")
            throw ClusterError(
                .migrationFailed, "parley-\(service) could not migrate its schema (\(run.exit)):\n\(lastLines)")
        }
    }
}

/// The passwords of the service roles, stored in a file that only its owner can read.
struct Secrets: Sendable {
    private var values: [String: String] = [:]

    init(at path: String) throws(ClusterError) {
        for line in (Files.read(path) ?? "").split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
        }
        let missing = ClusterConfiguration.services.filter { values[$0] == nil }
        guard !missing.isEmpty else { return }
        for service in missing { values[service] = Files.randomSecret() }
        let text = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined()
        try Files.write(text, to: path, mode: 0o600)
    }

    subscript(service: String) -> String { values[service] ?? "" }

    func url(of service: String, database: String) -> String {
        Self.replaceUser(in: database, by: "parley_\(service)", password: self[service])
    }

    /// Returns the connection string with another user and password. Takes a URL or libpq's `key=value` form.
    static func replaceUser(in database: String, by user: String, password: String) -> String {
        guard let scheme = database.range(of: "://") else {
            return "\(database) user='\(user)' password='\(password)'"  // libpq uses the last value.
        }
        let rest = database[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let host = rest[..<end].lastIndex(of: "@").map { rest[rest.index(after: $0)..<end] } ?? rest[..<end]
        var tail = String(rest[end...])
        if let question = tail.firstIndex(of: "?") {
            let kept = tail[tail.index(after: question)...].split(separator: "&").filter {
                !$0.hasPrefix("user=") && !$0.hasPrefix("password=")
            }
            tail = tail[..<question] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        }
        return "\(database[..<scheme.upperBound])\(user):\(password)@\(host)\(tail)"
    }
}

extension String {
    fileprivate func range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }
}
