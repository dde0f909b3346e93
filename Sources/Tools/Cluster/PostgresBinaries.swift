import Glibc

/// Where the programs of a PostgreSQL server lie.
package struct PostgresBinaries: Sendable {
    package let folder: String
    let major: Int

    var postgres: String { "\(folder)/postgres" }
    var initdb: String { "\(folder)/initdb" }

    /// The folders of all servers on this machine, newest first: Debian's, and whatever else is on `PATH`.
    package static func installed() -> [PostgresBinaries] {
        let debian = "/usr/lib/postgresql"
        var folders = Files.names(in: debian).map { "\(debian)/\($0)/bin" }
        folders += ["/usr/local/pgsql/bin", "/usr/pgsql/bin", "/usr/bin", "/usr/local/bin"]
        if let found = Files.executable("postgres"), let real = try? Files.real(found),
            let parent = Files.parent(of: real)
        {
            folders.append(parent)
        }
        var seen = Set<String>()
        return folders.compactMap { folder in
            guard Files.isExecutable("\(folder)/postgres"), Files.isExecutable("\(folder)/initdb"),
                let real = try? Files.real(folder), seen.insert(real).inserted, let major = version(of: real)
            else { return nil }
            return PostgresBinaries(folder: real, major: major)
        }.sorted { $0.major > $1.major }
    }

    /// The one to use: of the version the data were made with, else the newest.
    static func choose(forDataOf version: Int?, at data: String) throws(ClusterError) -> PostgresBinaries {
        let installed = installed()
        guard let newest = installed.first else {
            throw ClusterError(
                .postgresMissing,
                "no PostgreSQL server is installed. On Debian or Ubuntu: deploy/install-packages, or apt-get install postgresql."
            )
        }
        guard let version else { return newest }
        guard let same = installed.first(where: { $0.major == version }) else {
            throw ClusterError(
                .postgresVersion,
                """
                the data in \(data) were made by PostgreSQL \(version), and only \
                \(installed.map { String($0.major) }.joined(separator: ", ")) is installed. \
                Install it (apt-get install postgresql-\(version)), or bring the data over with pg_upgrade, \
                or, if they may be lost, remove that folder.
                """)
        }
        return same
    }

    /// From the path when it says so as Debian's does; else by asking the server.
    private static func version(of folder: String) -> Int? {
        for part in folder.split(separator: "/") {
            if let number = Int(part) { return number }
        }
        guard let pipe = popen("'\(folder)/postgres' --version", "re") else { return nil }
        defer { pclose(pipe) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, CInt(line.count), pipe) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
}
