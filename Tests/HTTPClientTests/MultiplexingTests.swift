import Reactor
import TestSupport
import Testing

@testable import HTTPClient

/// Against servers of HTTP/2 over TLS, which any path reaches: they answer 404 to what they do not know.
@Suite("HTTP client, many requests on one connection", .serialized, .timeLimit(.minutes(5)))
@ReactorActor
struct MultiplexingTests {
    private static let started = Task { try await PushServers() }

    private func servers() async throws -> PushServers {
        let servers = try await Self.started.value
        for service in [PushServers.Service.web, .web2] {
            try await servers.script(service)
            _ = try await servers.seen(service)
        }
        return servers
    }

    private func client(_ servers: PushServers, _ change: (inout HTTPClient.Options) -> Void = { _ in }) -> HTTPClient {
        var options = HTTPClient.Options(
            silence: .seconds(20), timeout: .seconds(30), mayReachInside: true, authorities: servers.authorities,
            multiplexes: true)
        change(&options)
        return HTTPClient(options)
    }

    private func statuses(_ client: HTTPClient, _ url: String, _ count: Int) async throws -> [Int] {
        let tasks = (0..<count).map { _ in
            Task.onLoop { try await client.send(HTTPRequest("POST", url + "/x", body: .bytes([1, 2, 3]))).status }
        }
        var statuses: [Int] = []
        for task in tasks { statuses.append(try await task.value) }
        return statuses
    }

    @Test("requests that begin together share one connection of HTTP/2")
    func shared() async throws {
        let servers = try await servers()
        let client = client(servers)
        let before = try await servers.seen(.web).connections
        try await servers.script(.web, always: "slow 0.1")
        #expect(try await statuses(client, servers.url(.web), 60) == Array(repeating: 404, count: 60))
        let seen = try await servers.seen(.web)
        #expect(seen.connections - before == 1 && seen.together > 20 && seen.requests.count == 60)
        #expect(try await client.send(HTTPRequest("GET", servers.url(.web) + "/x")).version == 2)
    }

    @Test("only the authorities of the option are trusted")
    func authorities() async throws {
        let servers = try await servers()
        let stranger = try await TestAuthority("Another authority")
        defer { stranger.remove() }
        for path in [nil, stranger.path] {
            let wary = client(servers) { $0.authorities = path }
            await #expect(throws: HTTPFailure.self) { try await wary.send(HTTPRequest("GET", servers.url(.web))) }
        }
        #expect(try await servers.seen(.web).requests.isEmpty)
        #expect(try await client(servers).send(HTTPRequest("GET", servers.url(.web))).status == 404)
    }

    @Test("one host gets at most its share of the connections, and another one is not held up")
    func perHost() async throws {
        let servers = try await servers()
        // Without sharing, as with HTTP/1, each request needs a connection.
        let client = client(servers) { ($0.connectionsMax, $0.connectionsPerHostMax) = (3, 2) }
        let before = try await servers.seen(.web).connections
        try await servers.script(.web, always: "silent")
        let stuck = (0..<20).map { _ in
            Task.onLoop { try await client.send(HTTPRequest("GET", servers.url(.web) + "/x")).status }
        }
        #expect(try await statuses(client, servers.url(.web2), 5) == [404, 404, 404, 404, 404])
        #expect(try await servers.seen(.web).connections - before <= 2)
        for task in stuck { task.cancel() }
        for task in stuck { _ = try? await task.value }
    }

    @Test("a connection that says nothing any more is given up; one that is only slow for one request is kept")
    func silent() async throws {
        let servers = try await servers()
        let client = client(servers) { $0.timeout = .seconds(3) }
        #expect(try await statuses(client, servers.url(.web), 1) == [404])
        let first = try await servers.seen(.web).connections
        try await servers.script(.web, ["silent"])
        let slow = Task.onLoop { try await client.send(HTTPRequest("GET", servers.url(.web) + "/x")).status }
        try await eventually("the silent request arrives") { try await servers.seen(.web).requests.count == 1 }
        #expect(try await statuses(client, servers.url(.web), 3) == [404, 404, 404])
        await #expect(throws: HTTPFailure.self) { try await slow.value }
        #expect(try await statuses(client, servers.url(.web), 1) == [404])
        #expect(try await servers.seen(.web).connections == first, "others were answered meanwhile")

        try await servers.script(.web, ["silent"])
        await #expect(throws: HTTPFailure.self) { try await client.send(HTTPRequest("GET", servers.url(.web) + "/x")) }
        #expect(try await statuses(client, servers.url(.web), 1) == [404])
        #expect(try await servers.seen(.web).connections == first + 1)
    }
}
