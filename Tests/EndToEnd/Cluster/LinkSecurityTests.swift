import Cluster
import Foundation
import Logging
import Reactor
import Schema
import TestSupport
import Testing
import Wire

/// Checks whom the links of real services serve. The processes are those of the shared cluster.
@Suite("D3: the links between processes") struct LinkSecurityTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Runs `body` with a client of messaging's request link that has these keys.
    @ReactorActor
    private static func withClient<T: Sendable>(
        _ security: LinkSecurity, at endpoint: String, _ body: @ReactorActor (RequestClient) async throws -> T
    ) async throws -> T {
        let client = RequestClient(
            service: "messaging", endpoints: [endpoint], instance: "test", security: security, log: quiet)
        try client.start()
        defer { client.close() }
        return try await body(client)
    }

    @ReactorActor
    private static func health(_ client: RequestClient) async -> Result<HealthReply, Refusal> {
        do throws(Refusal) {
            return .success(try await client.call(HealthMethods.check, HealthRequest(), deadline: .seconds(2)))
        } catch {
            return .failure(error)
        }
    }

    @Test("D3 a service answers only keys that it knows, and only requests that their role may call")
    @ReactorActor
    func keys() async throws {
        let cluster = try await TestCluster.shared
        let endpoint = try await cluster.endpoint(of: "messaging-1", "REQUESTS")
        let keys = cluster.cluster.keys

        let gateway = try keys.security(of: "gateway")
        try await Self.withClient(gateway, at: endpoint) { client in
            try await eventually("the gateway's key is admitted") { @ReactorActor in client.isAvailable }
            #expect(try await Self.health(client).get().ready)
        }
        try await Self.withClient(try keys.security(of: "monitor"), at: endpoint) { client in
            try await eventually("the monitor's key is admitted") { @ReactorActor in client.isAvailable }
            #expect(try await Self.health(client).get().ready)
            do throws(Refusal) {
                _ = try await client.call(MessagingMethods.sync, MessagingSyncRequest())
                Issue.record("the monitor was answered")
            } catch {
                #expect(error.code == .forbidden)
            }
        }

        guard case .curve(let own, let peers) = gateway else { throw CocoaError(.coderInvalidValue) }
        let stranger = CurveKeyPair.make()
        let notTheService = LinkPeers.Peer(
            name: "messaging", role: .service("messaging"), key: CurveKeyPair.make().publicKey)
        let strangers: [(String, LinkSecurity)] = [
            ("a client without a key", .plain),
            ("a client with an unknown key", .curve(own: stranger, peers: peers)),
            (
                "a client that expects another service",
                .curve(own: own, peers: try LinkPeers([notTheService].compactMap(\.self)))
            ),
            ("another service", try keys.security(of: "entities")),
        ]
        for (who, security) in strangers {
            try await Self.withClient(security, at: endpoint) { client -> Void in
                guard case .failure(let refusal) = await Self.health(client) else {
                    Issue.record("\(who) was answered")
                    return
                }
                #expect([.unavailable, .deadline].contains(refusal.code), "\(who)")
                #expect(!client.isAvailable, "\(who)")
            }
        }
        try await Self.withClient(gateway, at: endpoint) { client in
            try await eventually("the gateway's key is still admitted") { @ReactorActor in client.isAvailable }
        }
    }

    @Test("D3 only a gateway's key receives Updates, and of messaging that of entities")
    @ReactorActor
    func updates() async throws {
        let cluster = try await TestCluster.shared
        let keys = cluster.cluster.keys
        let listeners: [(service: String, name: String, receives: Bool)] = [
            ("messaging", "gateway", true), ("messaging", "entities", true), ("messaging", "monitor", false),
            ("messaging", "follower", false), ("messaging", "presence", false), ("messaging", "messaging", false),
            ("conversations", "gateway", true), ("conversations", "entities", false),
            ("entities", "messaging", false), ("presence", "entities", false),
        ]
        for (service, name, receives) in listeners {
            let endpoint = try await cluster.endpoint(of: "\(service)-1", "UPDATES")
            let subscriber = UpdateSubscriber(
                endpoints: [endpoint], of: service, security: try keys.security(of: name), log: Self.quiet)
            defer { subscriber.close() }
            let received = Received()
            try subscriber.start { header, _ in received.headers.append(header) }
            if receives {
                try await eventually("\(name) receives a heartbeat") { @ReactorActor in !received.headers.isEmpty }
            } else {
                // The time of two heartbeats.
                try await Task.sleep(for: .seconds(1))
                #expect(received.headers.isEmpty && !subscriber.isConnected, "\(name) at \(service)")
            }
        }
    }

    @ReactorActor private final class Received { var headers: [UpdateHeader] = [] }

    @Test("D3 a secret key is only in its file: in no log, command line, environment or printed configuration")
    func secrets() async throws {
        let cluster = try await TestCluster.shared
        let keys = cluster.cluster.keys
        let secrets = try (ClusterConfiguration.services + ["gateway", "monitor", "follower"]).map { name in
            let path = keys.keyPath(of: name)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
            return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(secrets.allSatisfy { $0.count == 40 } && Set(secrets).count == secrets.count)
        var texts: [(String, String)] = []
        for (name, pid) in await cluster.pids {
            for file in ["cmdline", "environ"] {
                let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(pid)/\(file)"))
                texts.append(("\(name) \(file)", String(decoding: bytes ?? Data(), as: UTF8.self)))
            }
            texts.append(
                (
                    "\(name).log",
                    (try? String(contentsOfFile: "\(cluster.cluster.logFolder)/\(name).log", encoding: .utf8)) ?? ""
                ))
        }
        let printed = try await Program("parley-messaging").run(
            ["--print-config"],
            environment: [
                "PARLEY_LINK_KEY_FILE": keys.keyPath(of: "messaging"), "PARLEY_LINK_PEERS": keys.peersPath,
                "PARLEY_DATABASE_URL": "postgresql://x", "PARLEY_LISTEN_REQUESTS": "ipc:///tmp/x",
                "PARLEY_LISTEN_UPDATES": "ipc:///tmp/y",
            ])
        #expect(printed.status == 0 && printed.output.contains("link.key"))
        texts.append(("--print-config", printed.output + printed.errors))
        #expect(texts.contains { $0.1.contains("PARLEY_LINK_KEY_FILE") })
        for (source, text) in texts {
            for secret in secrets { #expect(!text.contains(secret), "\(source)") }
        }
    }
}

extension KeyFolder {
    /// Returns the link security of a process with the named key.
    func security(of name: String) throws -> Wire.LinkSecurity {
        let text = try String(contentsOfFile: keyPath(of: name), encoding: .utf8)
        guard let secret = CurveSecretKey(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return .curve(
            own: CurveKeyPair(secret), peers: try LinkPeers(try String(contentsOfFile: peersPath, encoding: .utf8)))
    }
}

extension TestCluster {
    /// Returns the endpoint where a process of the cluster listens, read from its environment.
    func endpoint(of process: String, _ link: String) async throws -> String {
        let pid = try #require(pids[process])
        let text = String(decoding: try Data(contentsOf: URL(filePath: "/proc/\(pid)/environ")), as: UTF8.self)
        let variable = text.split(separator: "\0").first { $0.hasPrefix("PARLEY_LISTEN_\(link)=") }
        return String(try #require(variable).drop { $0 != "=" }.dropFirst())
    }
}
