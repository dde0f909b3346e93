import Foundation
import Glibc
import ParleyClient
import TestSupport
import Testing

extension OperatedClusters {
    @Test("D1 every process reports over HTTP whether it is live and ready, and Prometheus reads its metrics")
    func monitors() async throws {
        let names = ["gateway", "conversations", "messaging", "presence", "entities", "notifications"]
        let monitors = try Dictionary(uniqueKeysWithValues: names.map { ($0, Monitored(port: try freePort())) })
        let cluster = try await TestCluster(
            .init(gateways: 1, settings: monitors.mapValues { ["PARLEY_LISTEN_MONITOR": "127.0.0.1:\($0.port)"] }))
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        for number in 1...5 { _ = try await alice.client.send("\(number)", to: talk) }

        let installed = try await run(MigratedDatabase.root.appending(path: "Tests/Prometheus/install").path)
        let tools = installed.output.trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(installed.status == 0, "Tests/Prometheus/install says why")
        for (name, monitor) in monitors {
            #expect(try await monitor.get("/live") == .init(200, #"{"live":true}"#), "\(name)")
            #expect(try await monitor.get("/ready") == .init(200, #"{"ready":true,"reasons":[]}"#), "\(name)")
            let figures = try await monitor.get("/metrics")
            #expect(figures.status == 200)
            #expect(!figures.body.contains("Not described."), "\(name)")
            for figure in [
                "process_cpu_seconds_total ", "process_resident_memory_bytes ", "parley_build_info{version=",
            ] { #expect(figures.body.contains(figure), "\(name): \(figure)") }
            let check = try await run("\(tools)/promtool", ["check", "metrics"], input: figures.body)
            #expect(check.status == 0 && check.output.isEmpty, "\(name): \(check.output)")
        }
        let sent = try await monitors["messaging"]?.get("/metrics").body ?? ""
        #expect(sent.contains(#"parley_requests_total{method="messaging.SendMessage",code="ok"} 5"# + "\n"))
        #expect(sent.contains(#"parley_request_seconds_bucket{method="messaging.SendMessage",le="+Inf"} 5"# + "\n"))
        #expect(sent.contains(#"parley_batch_items_sum{batch="send"} 5"# + "\n"))
        let passed = try await monitors["gateway"]?.get("/metrics").body ?? ""
        for figure in [
            #"parley_gateway_requests_total{service="messaging",outcome="ok"} 5"# + "\n",
            #"parley_gateway_request_seconds_bucket{service="messaging",le="+Inf"} 5"# + "\n",
            "parley_gateway_queue_bytes", "parley_gateway_loop_late_seconds_count",
        ] { #expect(passed.contains(figure), "\(figure)") }
        for process in names.dropFirst() {
            let monitor = try #require(monitors[process])
            try await eventually(within: .seconds(20), "\(process) reports the length of its queues") {
                let text = try await monitor.get("/metrics").body
                return [
                    "parley_work_pool_queue 0\n", "parley_database_waiting 0\n", "parley_database_outstanding ",
                    "parley_requests_in_flight ", "parley_loop_longest_turn_seconds",
                ].allSatisfy(text.contains)
            }
        }
        try await eventually("the send batch is empty") {
            let lines = try await monitors["messaging"]?.get("/metrics").body.split(separator: "\n") ?? []
            let queues = lines.filter { $0.hasPrefix(#"parley_batch_queue_items{batch="send""#) }
            return !queues.isEmpty && queues.allSatisfy { $0.hasSuffix(" 0") }
        }
        func counts() async throws -> [Int] {
            let text = try await monitors["gateway"]?.get("/metrics").body ?? ""
            return ["missed", "replayed"].map { name in
                let line = text.split(separator: "\n").first { $0.hasPrefix("parley_gateway_updates_\(name)_total ") }
                return line.flatMap { Int($0.drop { $0 != " " }.dropFirst()) } ?? -1
            }
        }
        let before = try await counts()
        for number in 1...3 {
            try await SideDoor.commit(
                in: cluster.endpoints.database, lane: 60, talk, of: alice.user, id: await alice.client.newID().bytes,
                text: "late \(number)")
        }
        try await eventually("the gateway counts missed and replayed Updates") {
            let after = try await counts()
            return after[0] >= before[0] + 3 && after[0] == after[1]
        }
        try await refusesBadRequests(try #require(monitors["entities"]))
        try await expectScraped(monitors, by: tools)

        // Without a database, services are live but not ready. The gateway still accepts sessions.
        try await cluster.cluster.stop("postgres")
        for name in names.dropFirst() {
            let monitor = try #require(monitors[name])
            try await eventually("\(name) reports that it is not ready") {
                let answer = try await monitor.get("/ready")
                return answer.status == 503 && answer.body.contains("The database cannot be reached.")
            }
            #expect(try await monitor.get("/live").status == 200, "\(name)")
        }
        #expect(try await monitors["gateway"]?.get("/ready").status == 200)
        try await cluster.cluster.start("postgres")
        for (name, monitor) in monitors {
            try await eventually("\(name) is ready again") { try await monitor.get("/ready").status == 200 }
        }
        await cluster.end()
    }

    @Test("D1 D3 with a wrong monitor or proxy setting, a gateway names it and ends with 64 or 75")
    func wrongSettings() async throws {
        let gateway = try Program("parley-gateway")
        defer { gateway.remove() }
        var environment = Self.unconnected
        environment["PARLEY_LISTEN_HTTP"] = "127.0.0.1:0"
        let taken = try RawConnection.listening()
        defer { taken.connection.close() }
        let wrong: [(arguments: [String], status: Int32, says: String)] = [
            (["--listen-monitor", "nonsense"], 64, "listen.monitor"),
            (["--listen-monitor", "127.0.0.1:\(taken.port)"], 75, "listen.monitor"),
            (["--listen-monitor", "203.0.113.1:9090"], 75, "listen.monitor"),
            (["--listen-address-header", "X-Forwarded-For"], 64, "listen.trusted-proxies"),
            (["--listen-trusted-proxies", "10.0.0.0/8"], 64, "go together"),
            (
                ["--listen-address-header", "X-Forwarded-For", "--listen-trusted-proxies", "10.0.0.0/8,nonsense"], 64,
                "\"nonsense\" is not an address or network"
            ),
        ]
        for (arguments, status, says) in wrong {
            let outcome = try await gateway.run(arguments, environment: environment)
            #expect(outcome.status == status && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
        }
    }

    @Test(
        "D1 a process that waits for its database is live, says why it is not ready, and ends cleanly on SIGTERM"
    )
    func waiting() async throws {
        let messaging = try Program("parley-messaging")
        let folder = try TestFolder()
        let monitor = Monitored(port: try freePort())
        let process = try messaging.start(
            [
                "--database-url", "postgresql://nobody:none@127.0.0.1:1/none", "--link-security", "plain",
                "--listen-requests", "ipc://\(folder.path)/r", "--listen-updates", "ipc://\(folder.path)/u",
                "--files-folder", "\(folder.path)/files", "--listen-monitor", "127.0.0.1:\(monitor.port)",
            ])
        try await eventually("it reports what it waits for") {
            guard let answer = try? await monitor.get("/ready") else { return false }
            return answer.status == 503 && answer.body.contains("The database cannot be reached.")
        }
        #expect(try await monitor.get("/live").status == 200)
        process.signal(SIGTERM)
        #expect(try await process.end() == 0, "\(process.output)")
        #expect(!process.output.contains("CancellationError"))
        messaging.remove()
        folder.remove()
    }

    /// - Returns: the exit code and everything that the command printed, including errors.
    private func run(
        _ path: String, _ arguments: [String] = [], input: String = ""
    ) async throws -> (status: Int32, output: String) {
        let ended = try await runToEnd([path] + arguments, input: .holding(Data(input.utf8)))
        return (ended.status, ended.output + ended.errors)
    }

    private func refusesBadRequests(_ monitor: Monitored) async throws {
        #expect(try await monitor.get("/nothing").status == 404)
        #expect(try await monitor.get("/metrics/../etc/passwd").status == 404)
        #expect(try await monitor.get("/live?x=1").status == 200)
        #expect(try await monitor.send("POST", "/live").status == 405)
        let head = try await monitor.send("HEAD", "/metrics")
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(try await monitor.send("GET", "/" + String(repeating: "x", count: 200_000)).status >= 400)
        // Connections without a whole request keep nobody away.
        let idle = try (0..<140).map { _ in try RawConnection(port: monitor.port) }
        for one in idle { one.send("GET /live HTTP/1.1\r\nHost:") }
        for _ in 1...3 { #expect(try await monitor.get("/live").status == 200) }
        for one in idle { one.close() }
    }

    @Test("D1 a gateway without descriptors says so, rests between attempts, and its monitor still answers")
    func noDescriptors() async throws {
        let gateway = try Program("parley-gateway")
        let (monitor, port) = (Monitored(port: try freePort()), try freePort())
        let process = try gateway.start(
            ["--listen-monitor", "127.0.0.1:\(monitor.port)", "--listen-http", "127.0.0.1:\(port)"],
            environment: Self.unconnected)
        try await eventually("it listens") {
            guard (try? await monitor.get("/live").status) == 200 else { return false }
            return process.output.contains("listening")
        }
        func descriptors() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.id)/fd").count) ?? 0
        }
        try await eventually("its links have the descriptors they need") {
            let before = descriptors()
            try await Task.sleep(for: .milliseconds(500))
            return descriptors() == before
        }
        let limit = descriptors() + 12
        let limited = try await run("/usr/bin/prlimit", ["--pid", "\(process.id)", "--nofile=\(limit):\(limit)"])
        #expect(limited.status == 0, "\(limited.output)")
        let crowd = try (0..<40).map { _ in try RawConnection(port: port) }
        try await eventually("it says that it cannot accept") {
            process.output.contains("connections cannot be accepted")
        }
        let before = Self.cpuSeconds(of: process.id)
        for _ in 1...10 {
            #expect(try await monitor.get("/live").status == 200)
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(Self.cpuSeconds(of: process.id) - before < 0.5)
        for one in crowd { one.close() }
        try await eventually("it accepts again") {
            let one = try RawConnection(port: port)
            defer { one.close() }
            one.send("GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return one.read().hasPrefix("HTTP/1.1 ")
        }
        process.signal(SIGTERM)
        #expect(try await process.end() == 0, "\(process.output)")
        gateway.remove()
    }

    /// Settings of a gateway whose services are not there.
    private static var unconnected: [String: String] {
        let services = MigratedDatabase.services.flatMap { name in
            ["requests", "updates"].map {
                ("PARLEY_\(name.uppercased())_\($0.uppercased())", "ipc:///run/parley-none/\(name).\($0)")
            }
        }
        return Dictionary(uniqueKeysWithValues: services + [("PARLEY_LINK_SECURITY", "plain")])
    }

    private static func cpuSeconds(of process: Int32) -> Double {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let fields = text.drop { $0 != ")" }.split(separator: " ")
        guard fields.count > 12 else { return 0 }
        return (Double(fields[11]) ?? 0) / 100 + (Double(fields[12]) ?? 0) / 100
    }

    /// Checks that a real Prometheus scrapes all monitors.
    private func expectScraped(_ monitors: [String: Monitored], by tools: String) async throws {
        let folder = try TestFolder()
        let port = try freePort()
        let targets = monitors.map { "{targets: ['127.0.0.1:\($1.port)'], labels: {process: \($0)}}" }
        let configuration = """
            global: {scrape_interval: 1s}
            scrape_configs: [{job_name: parley, static_configs: [\(targets.joined(separator: ", "))]}]
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/prometheus.yml"))
        let prometheus = Process()
        prometheus.executableURL = URL(fileURLWithPath: "\(tools)/prometheus")
        prometheus.arguments = [
            "--config.file=\(folder.path)/prometheus.yml", "--storage.tsdb.path=\(folder.path)/data",
            "--web.listen-address=127.0.0.1:\(port)",
        ]
        prometheus.standardOutput = FileHandle.nullDevice
        prometheus.standardError = FileHandle.nullDevice
        try prometheus.run()
        defer {
            prometheus.terminate()
            prometheus.waitUntilExit()
            folder.remove()
        }
        let server = Monitored(port: port)
        func found(_ query: String) async throws -> [String: String] {
            let answer = try await server.get("/api/v1/query?query=\(query)")
            let reply = try JSONDecoder().decode(QueryReply.self, from: Data(answer.body.utf8))
            return Dictionary(
                reply.data.result.map { ($0.metric["process"] ?? "", $0.value.last?.text ?? "") },
                uniquingKeysWith: { first, _ in first })
        }
        try await eventually(within: .seconds(60), "all processes are scraped") {
            (try? await found("up")) == monitors.mapValues { _ in "1" }
        }
        try await eventually("Prometheus has the count of sends") {
            try await found("parley_requests_total%7Bmethod%3D%22messaging.SendMessage%22%2Ccode%3D%22ok%22%7D")
                == ["messaging": "5"]
        }
    }
}

/// The reply of Prometheus to a query.
private struct QueryReply: Decodable {
    struct Value: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = try (try? value.decode(String.self)) ?? "\(value.decode(Double.self))"
        }
    }

    struct Series: Decodable {
        var metric: [String: String]
        var value: [Value]
    }

    struct Data: Decodable { var result: [Series] }

    var data: Data
}

/// An HTTP server at a local port.
private struct Monitored: Sendable {
    struct Answer: Equatable {
        var status: Int
        var body: String

        init(_ status: Int, _ body: String) { (self.status, self.body) = (status, body) }
    }

    var port: Int

    func get(_ path: String) async throws -> Answer { try await send("GET", path) }

    func send(_ method: String, _ path: String) async throws -> Answer {
        let server = "http://127.0.0.1:\(port)"
        let answer = try await onThread {
            try RawHTTP.send(method, path, to: server, headers: ["Connection": "close"])
        }
        return Answer(answer?.status ?? 0, answer?.text ?? "")
    }
}

/// A connection that sends nothing.
private final class RawConnection {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = UInt16(port).bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw NeverHappened(description: "connect: \(errno)") }
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Returns a socket that occupies a port.
    static func listening() throws -> (connection: RawConnection, port: Int) {
        for _ in 0..<20 {
            let port = try freePort()
            let connection = RawConnection(descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = UInt16(port).bigEndian
            name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isBound = withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(connection.descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if isBound == 0, listen(connection.descriptor, 1) == 0 { return (connection, port) }
            connection.close()
        }
        throw NeverHappened(description: "a port that is taken")
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads once, for two seconds at most.
    func read() -> String {
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    func close() { Glibc.close(descriptor) }
}
