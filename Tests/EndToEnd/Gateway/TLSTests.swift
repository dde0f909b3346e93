import Foundation
import Glibc
import ParleyClient
import TestSupport
import Testing

/// The files of a gateway's certificate, replaced as certbot does it: each by a rename.
private struct Served: Sendable {
    let folder: TestFolder
    var certificate: String { "\(folder.path)/fullchain.pem" }
    var key: String { "\(folder.path)/privkey.pem" }

    init(_ made: TestAuthority.Made) throws {
        folder = try TestFolder()
        try replace(certificate, by: Data(contentsOf: URL(fileURLWithPath: made.certificate)))
        try replace(key, by: Data(contentsOf: URL(fileURLWithPath: made.key)))
    }

    func replace(_ path: String, by content: Data) throws {
        let new = "\(folder.path)/new"
        try content.write(to: URL(fileURLWithPath: new))
        chmod(new, 0o600)
        #expect(rename(new, path) == 0)
    }

    var settings: [String: String] {
        ["PARLEY_LISTEN_TLS_CERTIFICATE_FILE": certificate, "PARLEY_LISTEN_TLS_KEY_FILE": key]
    }
}

extension OperatedClusters {
    private func client(_ url: String, _ authority: TestAuthority) -> ParleyClient {
        ParleyClient(
            url: url,
            options: .init(
                name: "tests", backoff: Backoff(first: .milliseconds(20), last: .milliseconds(500)),
                link: .init(trust: .file(authority.path))))
    }

    private func register(_ name: String, at url: String, _ authority: TestAuthority) async throws -> ParleyClient {
        let client = client(url, authority)
        try await client.connect()
        let username = name + String(UInt64.random(in: 0 ... .max), radix: 36)
        try await client.register(username: username, password: Device.password, displayName: name)
        return client
    }

    /// Returns the code with which connecting fails; empty when it succeeds.
    private func code(_ url: String, _ authority: TestAuthority) async -> String {
        let client = client(url, authority)
        do throws(ParleyError) {
            try await client.connect()
            await client.close()
            return ""
        } catch {
            return error.code
        }
    }

    @Test("D3 messages and files work over wss and https, and a new certificate needs no restart")
    func secureEdge() async throws {
        let (authority, next) = (try await TestAuthority(), try await TestAuthority("The next"))
        let served = try Served(try await authority.certificate())
        let monitor = try freePort()
        var settings = served.settings
        settings["PARLEY_LISTEN_MONITOR"] = "127.0.0.1:\(monitor)"
        let cluster = try await TestCluster(.init(gateways: 1, settings: ["gateway": settings]))
        let port = try #require(URL(string: cluster.url())?.port)
        let (byName, byAddress) = ("wss://localhost:\(port)", "wss://127.0.0.1:\(port)")

        let alice = try await register("alice", at: byName, authority)
        let bob = try await register("bob", at: byAddress, authority)
        let updates = await bob.updates
        let talk = try await alice.startDirect(with: await bob.user).conversation.id
        try await passes(from: alice, to: bob, updates, in: talk)
        let before = (await alice.welcome.session, await bob.welcome.session)
        #expect(await code(byName, next) == "certificate_untrusted")
        try await cutsOffPlainClients(port: port, plain: cluster)
        try await commands(at: byName, authority)
        func expires() async throws -> Int64 {
            let figures = try await onThread {
                try RawHTTP.send("GET", "/metrics", to: "http://127.0.0.1:\(monitor)", headers: ["Connection": "close"])
            }
            let name = "parley_gateway_certificate_expires_seconds "
            let line = figures?.text.split(separator: "\n").first { $0.hasPrefix(name) }
            return line.flatMap { Int64($0.dropFirst(name.count)) } ?? 0
        }
        let now = Int64(Date().timeIntervalSince1970)
        let first = try await expires()
        #expect(80_000...90_000 ~= first - now)

        // An unusable certificate changes nothing.
        try served.replace(served.key, by: Data("nonsense".utf8))
        try await eventually(within: .seconds(30), "the log says why") {
            cluster.log(of: "gateway-1").contains("the new certificate cannot be used; the previous one stays in use")
        }
        #expect(await code(byName, authority).isEmpty)

        let made = try await next.certificate(ends: 200_000)
        try served.replace(served.certificate, by: Data(contentsOf: URL(fileURLWithPath: made.certificate)))
        try served.replace(served.key, by: Data(contentsOf: URL(fileURLWithPath: made.key)))
        try await eventually(within: .seconds(30), "the new certificate is served") { await code(byName, next).isEmpty }
        #expect(await code(byName, authority) == "certificate_untrusted")
        #expect(cluster.log(of: "gateway-1").contains("new connections use the new certificate"))
        #expect(try await expires() - first > 100_000)
        _ = try await alice.send("still the same session", to: talk)
        #expect(before == (await alice.welcome.session, await bob.welcome.session))
        #expect(await bob.isReady)
        await cluster.end()
        for one in [authority, next] { one.remove() }
        served.folder.remove()
    }

    private func passes(
        from alice: ParleyClient, to bob: ParleyClient, _ updates: AsyncStream<Update>, in talk: String
    ) async throws {
        let text = String(repeating: "long ", count: 3000)
        for number in 1...20 { _ = try await alice.send("\(number) \(text)", to: talk) }
        let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let media = try await alice.upload(bytes, to: talk, name: "a.bin")
        let sent = try await alice.send(media, to: talk)
        _ = try await received("all messages", from: updates) { $0.count { $0.kind == "Message" } == 21 }
        let folder = try TestFolder()
        try await bob.download(sent.seq, of: talk, to: "\(folder.path)/a.bin")
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/a.bin")) == Data(bytes))
        #expect(try await bob.wholeHistory(of: talk).count == 21)
        folder.remove()
    }

    /// Checks that clients without TLS are cut off, those who say something before one who is silent, and nothing is
    /// logged.
    private func cutsOffPlainClients(port: Int, plain cluster: TestCluster) async throws {
        let lines = cluster.log(of: "gateway-1", last: 10_000).count
        for bytes in [Array("GET /health HTTP/1.1\r\nHost: x\r\n\r\n".utf8), [0, 1, 2, 3, 4, 5, 6, 7]] {
            let silent = try RawSocket("ws://127.0.0.1:\(port)", upgrades: false, timeout: 30)
            let answer = try await onThread {
                let socket = try RawSocket("ws://127.0.0.1:\(port)", upgrades: false, timeout: 30)
                socket.send(bytes)
                return try socket.readToEnd()
            }
            #expect(!String(decoding: answer, as: UTF8.self).contains("HTTP"))
            #expect(!silent.isEnded)
            if bytes.count == 8 { #expect(try await onThread { try silent.readToEnd() }.isEmpty) }
            silent.close()
        }
        let client = ParleyClient(url: "ws://127.0.0.1:\(port)")
        let plain = try await refusal { () async throws(ParleyError) in try await client.connect() }
        #expect(plain.code == "unavailable" && plain.message.contains("wss://"), "\(plain)")
        #expect(cluster.log(of: "gateway-1", last: 10_000).count == lines)

        let shared = try await TestCluster.shared
        let wrong = ParleyClient(url: shared.url().replacingOccurrences(of: "ws://", with: "wss://"))
        let refused = try await refusal { () async throws(ParleyError) in try await wrong.connect() }
        #expect(refused.code == "unavailable" && refused.message.contains("ws://"), "\(refused)")
    }

    private func commands(at url: String, _ authority: TestAuthority) async throws {
        let parley = try Program()
        defer { parley.remove() }
        let password = ["PARLEY_PASSWORD": Device.password]
        let name = "dana" + String(UInt32.random(in: 0 ... .max), radix: 36)
        let strange = try await parley.run(["register", name, "--url", url], environment: password)
        #expect(strange.status == 69 && strange.errors.contains("--ca-file"), "\(strange.errors)")
        let none = try await parley.run(
            ["register", name, "--url", url, "--ca-file", "/nowhere"], environment: password)
        #expect(none.status == 64 && none.errors.contains("/nowhere"), "\(none.errors)")
        let made = try await parley.run(
            ["register", name, "--url", url, "--ca-file", authority.path], environment: password)
        #expect(made.status == 0, "\(made.errors)")
        let environment = ["PARLEY_URL": url, "PARLEY_CA_FILE": authority.path]
        let me = try await parley.run(["whoami"], environment: environment)
        #expect(me.status == 0 && me.output.contains(url), "\(me.errors)")
        let doctor = try await parley.run(
            ["doctor", "--folder", parley.clusterFolder, "--json"], environment: environment)
        #expect(doctor.objects.contains { $0["subject"] == "gateway" && $0["verdict"] == "good" }, "\(doctor.output)")
        #expect(
            doctor.objects.contains { $0["subject"] == "connecting" && $0["verdict"] == "good" }, "\(doctor.output)")
        let unsure = try await parley.run(
            ["doctor", "--folder", parley.clusterFolder, "--url", url, "--json"])
        #expect(unsure.status == 1 && unsure.output.contains("--ca-file"), "\(unsure.output)")
    }

    @Test("D3 a gateway with an unusable certificate or key explains what to do and ends with 64")
    func wrongCertificates() async throws {
        let gateway = try Program("parley-gateway")
        let authority = try await TestAuthority()
        let (good, other) = (try await authority.certificate(), try await authority.certificate())
        let past = try await authority.certificate(ends: -60)
        var environment = ["PARLEY_LINK_SECURITY": "plain", "PARLEY_LISTEN_HTTP": "127.0.0.1:0"]
        for name in MigratedDatabase.services.map({ $0.uppercased() }) {
            for kind in ["REQUESTS", "UPDATES"] {
                environment["PARLEY_\(name)_\(kind)"] = "ipc:///run/parley-none/\(name).\(kind)"
            }
        }
        let (certificate, key) = ("--listen-tls-certificate-file", "--listen-tls-key-file")
        let table: [(arguments: [String], says: String)] = [
            ([certificate, good.certificate], "go together"), ([key, good.key], "go together"),
            ([certificate, "/nowhere", key, good.key], "cannot read /nowhere"),
            ([certificate, good.certificate, key, other.key], "does not belong to the first certificate"),
            ([certificate, past.certificate, key, past.key], "expired on"),
        ]
        for (arguments, says) in table {
            let outcome = try await gateway.run(arguments, environment: environment)
            #expect(outcome.status == 64 && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
        }
        chmod(good.key, 0o644)
        let open = try await gateway.run([certificate, good.certificate, key, good.key], environment: environment)
        #expect(open.status == 64 && open.errors.contains("chmod 600"), "\(open.errors)")
        gateway.remove()
        authority.remove()
    }
}
