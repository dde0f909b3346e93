import Foundation
import Glibc
import Reactor
import Testing

@testable import Cluster

@Suite("A cluster")
@ReactorActor
struct ClusterTests {
    let scene = try! ClusterScene()

    /// Returns a configuration with scripts in place of Parley's programs. They report that they are ready, and record
    /// their arguments and environment.
    private func configuration() throws -> ClusterConfiguration {
        for service in ["gateway"] + ClusterConfiguration.services {
            _ = try scene.script(
                "parley-\(service)",
                """
                echo "\(service) $1" >> \(scene.folder)/calls
                if [ "$1" = --migrate-only ]; then exit 0; fi
                env | grep PARLEY_ > \(scene.folder)/$PARLEY_INSTANCE.env
                \(ClusterScene.notify("READY=1\\nX_PARLEY_LISTEN=127.0.0.1:40001"))
                exec sleep 1000
                """)
        }
        var configuration = ClusterConfiguration()
        configuration.folder = "\(scene.folder)/cluster"
        configuration.binaries = scene.folder
        configuration.listen = "127.0.0.1:0"
        return configuration
    }

    @Test("prepares the database once, starts every process with its own role, and stops them all")
    func startsAndStops() async throws {
        var configuration = try configuration()
        configuration.replicas = ["messaging": 2]
        configuration.settings = ["messaging-2": ["PARLEY_LOG_LEVEL": "debug"]]
        let cluster = Cluster(configuration)
        let endpoints = try await cluster.start()
        #expect(endpoints.sockets == ["ws://127.0.0.1:40001/v1/socket"])
        #expect(
            cluster.statuses.map(\.name) == [
                "postgres", "conversations-1", "messaging-1", "messaging-2", "presence-1", "entities-1",
                "notifications-1", "gateway-1",
            ])
        #expect(cluster.statuses.allSatisfy { $0.state == .ready })
        #expect(
            scene.read("calls").hasPrefix(
                "conversations --migrate-only\nmessaging --migrate-only\npresence --migrate-only\nentities --migrate-only\n"
            ))
        #expect(scene.read("messaging-2.env").contains("PARLEY_DATABASE_URL=postgresql://parley_messaging:"))
        #expect(scene.read("messaging-2.env").contains("PARLEY_LOG_LEVEL=debug"))
        #expect(scene.read("gateway-1.env").contains("messaging-1.requests,ipc://"))
        let pids = cluster.statuses.compactMap(\.pid)
        #expect(pids.count == 8)
        try cluster.kill("gateway-1")
        try await eventually("restart") {
            cluster.statuses.last?.restarts == 1 && cluster.statuses.last?.state == .ready
        }
        // It listens at the same address again.
        #expect(scene.read("gateway-1.env").contains("PARLEY_LISTEN_HTTP=127.0.0.1:40001"))
        await cluster.stop()
        #expect(pids.allSatisfy { kill($0, 0) != 0 })
        #expect(Files.information("\(cluster.folder)/secrets")?.st_mode == S_IFREG | 0o600)

        unlink("\(scene.folder)/calls")
        let second = Cluster(configuration)
        try await second.start()
        #expect(!scene.read("calls").contains("--migrate-only"))
        await second.stop()
    }

    @Test("a second cluster in the same folder is refused with the process id of the first")
    func refusesSecond() async throws {
        let cluster = Cluster(try configuration())
        try await cluster.start()
        let error = await #expect(throws: ClusterError.self) { try await Cluster(configuration()).start() }
        #expect(error?.code == .alreadyRunning)
        #expect(error?.message.contains("process \(getpid())") == true)
        await cluster.stop()
    }

    @Test("a port in use is reported before anything is started")
    func saysPortInUse() async throws {
        let taken = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(taken) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(taken, $0, size) + listen(taken, 1) + getsockname(taken, $0, &size)
            }
        }
        var configuration = try configuration()
        configuration.listen = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        let error = await #expect(throws: ClusterError.self) { try await Cluster(configuration).start() }
        #expect(error?.code == .portInUse)
        #expect(error?.message.contains(configuration.listen) == true)
        #expect(!Files.exists("\(configuration.folder)/postgres"))
    }

    @Test("errors name missing programs and wrong settings")
    func namesWhatIsWrong() async throws {
        var configuration = try configuration()
        unlink("\(scene.folder)/parley-presence")
        let missing = await #expect(throws: ClusterError.self) { try await Cluster(configuration).start() }
        #expect(missing?.code == .binaryMissing)
        #expect(missing?.message.contains("parley-presence") == true)
        configuration.replicas = ["mesaging": 2]
        let wrong = await #expect(throws: ClusterError.self) { try await Cluster(configuration).start() }
        #expect(wrong?.code == .invalid)
        configuration.replicas = [:]
        configuration.folder = "/proc/parley"
        let closed = await #expect(throws: ClusterError.self) { try await Cluster(configuration).start() }
        #expect(closed?.message.contains("/proc/parley") == true)
    }

    @Test("the error of a failed migration names the service and has its output")
    func passesOnMigrationFailure() async throws {
        let configuration = try configuration()
        _ = try scene.script(
            "parley-messaging", "echo this binary knows migrations up to 3, but the database is at 5; exit 1")
        let error = await #expect(throws: ClusterError.self) { try await Cluster(configuration).start() }
        #expect(error?.code == .migrationFailed)
        #expect(error?.message.contains("parley-messaging") == true)
        #expect(error?.message.contains("the database is at 5") == true)
    }

    @Test(
        "the user in a database URL is replaced",
        arguments: [
            ("postgresql://a:b@h:5/d?x=1", "postgresql://u:p@h:5/d?x=1"), ("postgres://h/d", "postgres://u:p@h/d"),
            ("postgresql:///d?host=/tmp&user=a&password=b", "postgresql://u:p@/d?host=/tmp"),
            ("host=h user=a", "host=h user=a user='u' password='p'"),
        ])
    func replacesUser(url: String, expected: String) {
        #expect(Secrets.replaceUser(in: url, by: "u", password: "p") == expected)
    }

    @Test("a script is split only at semicolons outside of quotes and comments")
    func splits() {
        let script = "-- a; b\nSELECT ';' AS \"x;y\";\nDO $$ BEGIN PERFORM 1; END $$;\nSELECT $q$;$$;$q$, $1;\n  "
        #expect(
            StatementSplitter.statements(of: script)
                == ["SELECT ';' AS \"x;y\"", "DO $$ BEGIN PERFORM 1; END $$", "SELECT $q$;$$;$q$, $1"])
    }
}
