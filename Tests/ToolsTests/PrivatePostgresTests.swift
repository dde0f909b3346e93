import Foundation
import Glibc
import Postgres
import Reactor
import Testing

@testable import Cluster

@Suite("A private PostgreSQL")
@ReactorActor
struct PrivatePostgresTests {
    let scene = try! ClusterScene()

    private func number(_ sql: String, at url: String) async throws -> Int64 {
        let connection = try await Connection.open(DatabaseConfiguration(test: url))
        defer { connection.close() }
        return try await connection.first(Statement(sql) { try $0.int64(0) }) ?? -1
    }

    private func change(_ sql: String, at url: String) async throws {
        let connection = try await Connection.open(DatabaseConfiguration(test: url))
        defer { connection.close() }
        try await connection.execute(Statement(sql))
    }

    @Test("is created, keeps its data over a stop and starts again; for root it runs under another account")
    func startsAgain() async throws {
        let postgres = PrivatePostgres(folder: "\(scene.folder)/postgres")
        var url = try await postgres.start()
        try await change("CREATE TABLE kept AS SELECT 7::bigint AS n", at: url)
        let pid = try #require(postgres.status.pid)
        var owner = stat()
        #expect(stat("/proc/\(pid)", &owner) == 0 && owner.st_uid != 0)
        await postgres.stop()
        #expect(postgres.status.state == .stopped)
        #expect(kill(pid, 0) != 0)

        let again = PrivatePostgres(folder: "\(scene.folder)/postgres")
        url = try await again.start()
        #expect(try await number("SELECT n FROM kept", at: url) == 7)
        #expect(
            try await number(
                "SELECT count(*) FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit') AND setting = 'on'",
                at: url) == 2)
        await again.stop()
    }

    @Test("after kill -9 it is restarted automatically with its data")
    func comesBack() async throws {
        let postgres = PrivatePostgres(folder: "\(scene.folder)/postgres")
        let url = try await postgres.start()
        try await change("CREATE TABLE kept AS SELECT 7::bigint AS n", at: url)
        let first = postgres.status.pid
        postgres.kill(SIGKILL)
        try await eventually("restart") { postgres.status.restarts == 1 && postgres.status.state == .ready }
        #expect(postgres.status.pid != first)
        #expect(try await number("SELECT n FROM kept", at: url) == 7)
        #expect(postgres.status.restarts == 1)
        await postgres.stop()
    }

    @Test("a server left by an earlier run is stopped, and a pid file that names another program is ignored")
    func takesOver() async throws {
        let folder = "\(scene.folder)/postgres"
        let postgres = PrivatePostgres(folder: folder)
        try await postgres.start()
        let data = try Files.real(folder) + "/data"
        await postgres.stop()

        // Another program: this test process.
        try "\(getpid())\n\(data)\n".write(toFile: "\(data)/postmaster.pid", atomically: true, encoding: .utf8)
        try await postgres.start()
        await postgres.stop()

        // An orphan: the same program in the same folder, without a supervisor.
        let binaries = try #require(PostgresBinaries.installed().first)
        let owner = try #require(Files.information(data)).st_uid
        var invocation = Invocation(
            executable: binaries.postgres,
            arguments: ["-D", data, "-c", "listen_addresses=", "-c", "unix_socket_directories=\(folder)"])
        invocation.account = UserAccount(uid: owner)
        let output = open("\(scene.folder)/orphan.log", O_WRONLY | O_CREAT, 0o644)
        defer { close(output) }
        let orphan = try Child.start(invocation, output: output)
        try await eventually("orphan") { Files.read("\(data)/postmaster.pid")?.contains("ready") == true }
        let url = try await postgres.start()
        #expect(orphan.exit != nil || Child.startTime(of: orphan.pid) == nil)
        #expect(try await number("SELECT 1::bigint", at: url) == 1)
        await postgres.stop()
    }

    @Test("it ends when its parent process is killed with -9")
    func endsWithParent() async throws {
        // A shell stands in for the killed parent.
        let marker = "\(scene.folder)/pid"
        let child = try scene.script("parent", "setpriv --pdeathsig TERM -- sleep 1000 & echo $! > \(marker); wait")
        let output = open("/dev/null", O_WRONLY)
        defer { close(output) }
        let parent = try Child.start(Invocation(executable: child), output: output)
        try await eventually("sleep started") { scene.read("pid").hasSuffix("\n") }
        let pid = try #require(Int32(scene.read("pid").dropLast()))
        try await eventually("sleep runs") { Files.read("/proc/\(pid)/comm") == "sleep\n" }
        parent.send(signal: SIGKILL)
        try await eventually("it ended") { Child.startTime(of: pid) == nil }
    }

    @Test("the error for data of another major version names that version")
    func explainsVersion() async throws {
        let folder = "\(scene.folder)/postgres"
        try FileManager.default.createDirectory(atPath: "\(folder)/data", withIntermediateDirectories: true)
        try "9\n".write(toFile: "\(folder)/data/PG_VERSION", atomically: true, encoding: .utf8)
        let error = await #expect(throws: ClusterError.self) { try await PrivatePostgres(folder: folder).start() }
        #expect(error?.code == .postgresVersion)
        #expect(error?.message.contains("postgresql-9") == true)
    }

    @Test("a lost password is replaced")
    func replacesPassword() async throws {
        let folder = "\(scene.folder)/postgres"
        let postgres = PrivatePostgres(folder: folder)
        let old = try await postgres.start()
        await postgres.stop()
        unlink("\(folder)/password")
        let again = PrivatePostgres(folder: folder)
        let new = try await again.start()
        #expect(old != new)
        #expect(try await number("SELECT 1::bigint", at: new) == 1)
        await again.stop()
    }

    @Test("a second server in the same folder is refused with the process id of the first")
    func locksFolder() async throws {
        let folder = "\(scene.folder)/postgres"
        let first = PrivatePostgres(folder: folder)
        try await first.start()
        let error = await #expect(throws: ClusterError.self) { try await PrivatePostgres(folder: folder).start() }
        #expect(error?.code == .alreadyRunning)
        #expect(error?.message.contains("\(getpid())") == true)
        await first.stop()
    }

    @Test("the first closed folder on a path is found")
    func findsBarrier() throws {
        let nobody = UserAccount(name: "nobody", uid: 65_534, gid: 65_534)
        try FileManager.default.createDirectory(
            atPath: "\(scene.folder)/open/closed/in", withIntermediateDirectories: true)
        #expect(PrivatePostgres.firstBarrier(on: "\(scene.folder)/open/closed/in", for: nobody) == nil)
        chmod("\(scene.folder)/open/closed", 0o700)
        #expect(
            PrivatePostgres.firstBarrier(on: "\(scene.folder)/open/closed/in", for: nobody)
                == "\(scene.folder)/open/closed")
    }
}
