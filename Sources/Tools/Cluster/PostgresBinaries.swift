import Glibc

/// The folder with the programs of a PostgreSQL version.
package struct PostgresBinaries: Sendable {
    package let folder: String
    let major: Int

    var postgres: String { "\(folder)/postgres" }
    var initdb: String { "\(folder)/initdb" }

    /// Returns the folders of all servers on this machine, newest first. Within a version, `PATH` comes first, then
    /// Debian's folder.
    package static func installed() -> [PostgresBinaries] { installed(with: ["postgres", "initdb"]) }

    /// Returns the folders that contain all of these programs. A machine may have only the client programs.
    static func installed(with programs: [String]) -> [PostgresBinaries] {
        let debian = "/usr/lib/postgresql"
        var folders: [String] = []
        if let first = programs.first, let found = Files.executable(first), let real = try? Files.real(found),
            let parent = Files.parent(of: real)
        {
            folders.append(parent)
        }
        folders += Files.names(in: debian).map { "\(debian)/\($0)/bin" }
        folders += ["/usr/local/pgsql/bin", "/usr/pgsql/bin", "/usr/bin", "/usr/local/bin"]
        var seen = Set<String>()
        return folders.compactMap { folder in
            guard let first = programs.first, programs.allSatisfy({ Files.isExecutable("\(folder)/\($0)") }),
                let real = try? Files.real(folder), seen.insert(real).inserted,
                let major = version(of: real, by: first)
            else { return nil }
            return PostgresBinaries(folder: real, major: major)
        }.sorted { $0.major > $1.major }
    }

    /// Chooses the version that made the data, or the newest version if there are no data.
    static func choose(forDataOf version: Int?, at data: String) throws(ClusterError) -> PostgresBinaries {
        let installed = installed()
        guard let newest = installed.first else {
            throw ClusterError(
                .postgresMissing,
                "No PostgreSQL server is installed. "
                    + "On Debian or Ubuntu, run deploy/install-packages or apt-get install postgresql.")
        }
        guard let version else { return newest }
        guard let same = installed.first(where: { $0.major == version }) else {
            throw ClusterError(
                .postgresVersion,
                """
                The data in \(data) were made by PostgreSQL \(version), but only \
                \(installed.map { String($0.major) }.joined(separator: ", ")) is installed. \
                Install that version (apt-get install postgresql-\(version)), or convert the data with pg_upgrade, \
                or remove the folder if you do not need the data.
                """)
        }
        return same
    }

    /// Returns the version in the path, as in Debian's folders, or else the one that the program reports.
    private static func version(of folder: String, by program: String) -> Int? {
        for part in folder.split(separator: "/") {
            if let number = Int(part) { return number }
        }
        guard let pipe = popen("'\(folder)/\(program)' --version", "re") else { return nil }
        defer { pclose(pipe) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, CInt(line.count), pipe) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
}
