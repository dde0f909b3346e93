import Foundation
import NIOCore
import NIOSSL
import NIOWebSocket
import Synchronization
import TestSupport
import Testing

@testable import ParleyClient

@Suite(.timeLimit(.minutes(8))) struct LinkTrustTests {
    private let quick = Backoff(first: .milliseconds(5), last: .milliseconds(20))

    private func context(_ made: TestAuthority.Made) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMFile(made.certificate).map { NIOSSLCertificateSource.certificate($0) }
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(NIOSSLPrivateKey(file: made.key, format: .pem))))
    }

    private func server(_ made: TestAuthority.Made) async throws -> SocketServer {
        let tls = try context(made)
        return try await SocketServer.start(
            onFrame: { socket, frame in if frame.opcode == .binary { socket.send(frame.unmaskedData) } }, tls: { tls })
    }

    private func problem(_ url: String, _ trust: Link.Trust) async throws -> ParleyError {
        do {
            let probe = try await ProbedLink.open(url, options: .init(trust: trust))
            probe.link.close()
        } catch let error as ParleyError {
            return error
        }
        throw NeverHappened(description: "the refusal of \(url)")
    }

    @Test(
        "D3 frames pass over wss to a name or address of the certificate, with authorities from a file or a text")
    func secure() async throws {
        let authority = try await TestAuthority()
        defer { authority.remove() }
        let server = try await server(try await authority.certificate())
        let text = try String(contentsOfFile: authority.path, encoding: .utf8)
        for (host, trust) in [("localhost", Link.Trust.file(authority.path)), ("127.0.0.1", .pem(text))] {
            let probe = try await ProbedLink.open("wss://\(host):\(server.port)", options: .init(trust: trust))
            let sizes = [0, 1, 4000, 20_000, 300_000]
            for (index, size) in sizes.enumerated() {
                probe.link.send(ByteBuffer(repeating: UInt8(index), count: size))
            }
            let got = try await received("all frames", from: probe.frames) { $0.count == sizes.count }
            #expect(got == sizes.enumerated().map { ByteBuffer(repeating: UInt8($0), count: $1) })
            probe.link.close()
            #expect(try await probe.closed.get().code == 1000)
        }
    }

    @Test("D3 a certificate that does not identify the server ends the attempt, and the error says what is wrong")
    func refused() async throws {
        let (authority, other) = (try await TestAuthority(), try await TestAuthority("Another"))
        defer { authority.remove() }
        defer { other.remove() }
        let ours = Link.Trust.file(authority.path)
        let good = try await authority.certificate()
        let table: [(made: TestAuthority.Made, host: String, trust: Link.Trust, code: String, says: String)] = [
            (good, "localhost", .system, "certificate_untrusted", "trusted authority"),
            (good, "localhost", .file(other.path), "certificate_untrusted", "trusted authority"),
            (
                try await authority.certificate(for: "DNS:chat.example"), "localhost", ours, "certificate_wrong_host",
                "localhost"
            ),
            (
                try await authority.certificate(for: "DNS:localhost"), "127.0.0.1", ours, "certificate_wrong_host",
                "127.0.0.1"
            ),
            (
                try await authority.certificate(for: "IP:127.0.0.1"), "localhost", ours, "certificate_wrong_host",
                "localhost"
            ),
            (try await authority.certificate(ends: -60), "localhost", ours, "certificate_expired", "expired on 20"),
            (
                try await authority.certificate(begins: 7200), "localhost", ours, "certificate_expired",
                "is valid only from 20"
            ),
        ]
        for (made, host, trust, code, says) in table {
            let server = try await server(made)
            let url = "wss://\(host):\(server.port)"
            let error = try await problem(url, trust)
            #expect(error.code == code && error.message.contains(says), "\(error)")
            #expect(!error.isRetriable)
            let healthError = try await refusal { () async throws(ParleyError) in
                try await ParleyClient.health(at: url, options: .init(trust: trust), within: .seconds(60))
            }
            #expect(healthError == error)
            let client = ParleyClient(url: url, options: .init(backoff: quick, link: .init(trust: trust)))
            let connectError = try await refusal { () async throws(ParleyError) in try await client.connect() }
            #expect(connectError == error)
            #expect(await client.problem == error)
            #expect(await "\(client.state)" == "idle")
        }
    }

    @Test("D3 a certificate's name matches a host itself, or with a wildcard the hosts one label below")
    func names() {
        let table: [(name: String, host: String, matches: Bool)] = [
            ("chat.example", "chat.example", true), ("Chat.Example", "chat.EXAMPLE.", true),
            ("*.example.org", "chat.example.org", true), ("*.example.org", "example.org", false),
            ("*.example.org", "a.chat.example.org", false), ("*.example.org", ".example.org", false),
            ("*.org", "example.org", false), ("*", "localhost", false), ("c*.example.org", "chat.example.org", false),
            ("chat.example", "chat.example.org", false), ("", "", false),
        ]
        for (name, host, matches) in table {
            #expect(CertificateName(name).matches(host) == matches, "\(name) \(host)")
        }
    }

    @Test("D3 authorities that cannot be read have their own error, and nothing is trusted in their stead")
    func authorities() async throws {
        let authority = try await TestAuthority()
        let made = try await authority.certificate()
        let server = try await server(made)
        for trust in [Link.Trust.file("/nowhere/ca.pem"), .file("/dev/null"), .pem("nonsense"), .file(made.key)] {
            let error = try await problem("wss://localhost:\(server.port)", trust)
            #expect(error.code == "invalid_authorities", "\(error)")
        }
        authority.remove()
    }

    @Test("D3 when only one side speaks TLS, the error names the right scheme of the URL")
    func confused() async throws {
        let authority = try await TestAuthority()
        let secure = try await server(try await authority.certificate())
        let plain = try await SocketServer.start()
        let toPlain = try await problem("wss://localhost:\(plain.port)", .file(authority.path))
        #expect(toPlain.code == "unavailable" && toPlain.message.contains("ws:// instead of wss://"), "\(toPlain)")
        let toSecure = try await problem("ws://localhost:\(secure.port)", .system)
        #expect(toSecure.code == "unavailable" && toSecure.message.contains("wss://"), "\(toSecure)")
        authority.remove()
    }

    @Test(
        "D3 a wrong certificate fails waiting requests with that error, and the client reconnects once it is right")
    func renewed() async throws {
        let (authority, other) = (try await TestAuthority(), try await TestAuthority("Another"))
        let (right, wrong) = (
            try context(try await authority.certificate()), try context(try await other.certificate())
        )
        let shown = Mutex(right)
        let gateway = ScriptedGateway()
        try await gateway.start(tls: { shown.withLock { $0 } })
        let url = gateway.url.replacing("ws://127.0.0.1", with: "wss://localhost")
        let client = ParleyClient(
            url: url, options: .init(backoff: quick, link: .init(trust: .file(authority.path))))
        let first = try await client.connect(token: "access-0")
        shown.withLock { $0 = wrong }
        gateway.closeAll(nil)
        try await eventually("the client notices") { await client.problem?.code == "certificate_untrusted" }
        let refused = try await refusal { () async throws(ParleyError) in try await client.syncMessaging() }
        #expect(refused.code == "certificate_untrusted")
        shown.withLock { $0 = right }
        try await eventually("the client reconnects") { await client.isReady }
        #expect(await client.welcome.session != first.session)
        #expect(await client.problem == nil)
        #expect(try await client.syncMessaging().epoch == "e1")
        await client.close()
        for one in [authority, other] { one.remove() }
    }
}
