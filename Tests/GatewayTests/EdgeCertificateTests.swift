import Foundation
import Logging
import Reactor
import Schema
import ServiceKit
import TestSupport
import Testing

@testable import GatewayService

@Suite(.timeLimit(.minutes(8))) struct EdgeCertificateTests {
    private func problem(_ files: CertificateFiles) -> String {
        do throws(EdgeIdentity.Problem) {
            _ = try EdgeIdentity.read(files, at: WallClock.system.now)
            return ""
        } catch {
            return error.description
        }
    }

    @Test("D3 files with a certificate or key that clients could not accept are refused with advice")
    func wrongFiles() async throws {
        let (authority, folder) = (try await TestAuthority(), try TestFolder())
        let (good, other) = (try await authority.certificate(), try await authority.certificate())
        let open = "\(folder.path)/open.key"
        try FileManager.default.copyItem(atPath: good.key, toPath: open)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
        let noKey = "\(folder.path)/no.key"
        try FileManager.default.copyItem(atPath: good.certificate, toPath: noKey)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: noKey)
        let locked = "\(folder.path)/locked.key"
        let made = try await OpenSSL.run(
            ["pkcs8", "-topk8", "-in", good.key, "-out", locked, "-passout", "pass:secret"])
        #expect(made.status == 0, "\(made.output)")
        let (past, future) = (try await authority.certificate(ends: -60), try await authority.certificate(begins: 7200))
        let table: [(certificate: String, key: String, problem: String)] = [
            (good.certificate, good.key, ""),
            ("/nowhere/cert.pem", good.key, "cannot read /nowhere/cert.pem"),
            (good.certificate, "/nowhere/key.pem", "cannot read /nowhere/key.pem"),
            (folder.path, good.key, "cannot read"),
            ("/dev/zero", good.key, "must be smaller than"),
            ("/dev/null", good.key, "not a certificate in PEM"),
            (good.key, good.key, "not a certificate in PEM"),
            (good.certificate, noKey, "not a private key in PEM"),
            (good.certificate, other.key, "does not belong to the first certificate"),
            (authority.path, good.key, "does not belong to the first certificate"),
            (good.certificate, open, "chmod 600"),
            (good.certificate, locked, "passphrase"),
            (past.certificate, past.key, "expired on 20"),
            (future.certificate, future.key, "is not valid before 20"),
        ]
        for (certificate, key, expected) in table {
            let found = problem(CertificateFiles(certificate: certificate, key: key))
            #expect(expected.isEmpty ? found.isEmpty : found.contains(expected), "\(expected): \(found)")
        }
        authority.remove()
        folder.remove()
    }

    @Test(
        "D3 changed, valid files are put to use; a problem is logged once, and the previous certificate stays in use")
    @ReactorActor
    func changedFiles() async throws {
        let (authority, folder) = (try await TestAuthority(), try TestFolder())
        let kept = KeptLog()
        let log = Logger(label: "test") { _ in kept }
        let (first, second) = (
            try await authority.certificate(ends: 4000), try await authority.certificate(ends: 8000)
        )
        func copy(_ made: TestAuthority.Made, to name: String) throws {
            let directory = "\(folder.path)/\(name)"
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
            try FileManager.default.copyItem(atPath: made.certificate, toPath: "\(directory)/tls.crt")
            try FileManager.default.copyItem(atPath: made.key, toPath: "\(directory)/tls.key")
        }
        // As in Kubernetes, the folder is a symbolic link that is replaced.
        try copy(first, to: "one")
        try copy(second, to: "two")
        let link = "\(folder.path)/data"
        func point(to name: String) throws {
            try FileManager.default.createSymbolicLink(atPath: "\(link).new", withDestinationPath: name)
            #expect(rename("\(link).new", link) == 0)
        }
        try point(to: "one")
        let files = CertificateFiles(certificate: "\(link)/tls.crt", key: "\(link)/tls.key")
        let certificate = try EdgeCertificate(files, every: .seconds(10), clock: .system, log: log)
        let began = certificate.expiresAt
        await certificate.checkFiles()
        #expect(kept.texts(from: .info).isEmpty && certificate.expiresAt == began)

        try point(to: "two")
        await certificate.checkFiles()
        await certificate.checkFiles()
        #expect(
            kept.texts(from: .info).count == 1 && kept.texts(from: .info)[0].contains("the new certificate"),
            "\(kept.texts(from: .info))")
        #expect(3900...4100 ~= certificate.expiresAt - began)

        // Half written, with a new certificate and the old key.
        try Data(contentsOf: URL(fileURLWithPath: first.certificate)).write(
            to: URL(fileURLWithPath: "\(folder.path)/two/tls.crt"), options: .atomic)
        for _ in 1...3 { await certificate.checkFiles() }
        #expect(
            kept.texts(from: .info).count == 2 && kept.texts(from: .info)[1].contains("does not belong to"),
            "\(kept.texts(from: .info))")
        try FileManager.default.removeItem(atPath: "\(folder.path)/two/tls.key")
        for _ in 1...3 { await certificate.checkFiles() }
        #expect(
            kept.texts(from: .info).count == 3 && kept.texts(from: .info)[2].contains("cannot read"),
            "\(kept.texts(from: .info))")
        #expect(3900...4100 ~= certificate.expiresAt - began)
        try FileManager.default.copyItem(atPath: first.key, toPath: "\(folder.path)/two/tls.key")
        await certificate.checkFiles()
        #expect(
            kept.texts(from: .info).count == 4 && kept.texts(.notice).last == kept.texts(from: .info)[3],
            "\(kept.texts(from: .info))")
        #expect(certificate.expiresAt == began)
        authority.remove()
        folder.remove()
    }

    @Test(
        "D3 a client that never finishes the TLS handshake, or speaks HTTP, is cut off in time; others are served"
    )
    func stalled() async throws {
        let authority = try await TestAuthority()
        let made = try await authority.certificate()
        let peers = try await Peers.start {
            $0.certificate = CertificateFiles(certificate: made.certificate, key: made.key)
            $0.limits.handshakeTimeout = .milliseconds(500)
        }
        let address = await peers.address
        // Nothing, one byte of a ClientHello, and its beginning.
        for bytes in [[], [0x16], [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03]] as [[UInt8]] {
            let began = ContinuousClock.now
            let client = try RawClient(address)
            client.send(bytes)
            #expect(client.isEnded(), "\(bytes): it is cut off")
            #expect(ContinuousClock.now - began >= .milliseconds(400), "\(bytes): but not at once")
        }
        for text in [
            "GET /health HTTP/1.1\r\nHost: x\r\n\r\n", "nonsense\r\n\r\n", String(repeating: "x", count: 70_000),
        ] {
            let client = try RawClient(address)
            client.send(text)
            #expect(!client.readAll().contains("HTTP/1.1"))
        }
        let port = address.split(separator: ":").last ?? ""
        for version in ["-tls1_2", "-tls1_3"] {
            let answer = try await OpenSSL.run(
                [
                    "s_client", "-quiet", version, "-connect", "127.0.0.1:\(port)", "-CAfile", authority.path,
                    "-verify_return_error", "-ign_eof",
                ],
                input: "GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(answer.output.contains("HTTP/1.1 404"), "\(version): \(answer.output)")
        }
        let old = try await OpenSSL.run(
            ["s_client", "-tls1_1", "-cipher", "DEFAULT:@SECLEVEL=0", "-connect", "127.0.0.1:\(port)"])
        #expect(old.status != 0 || old.output.contains("no protocols available"), "\(old.output)")
        for (ciphers, works) in [
            ("ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:AES128-SHA:AES128-GCM-SHA256", false),
            ("ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256", true),
            ("ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305", true),
        ] {
            let answer = try await OpenSSL.run(
                [
                    "s_client", "-quiet", "-tls1_2", "-cipher", ciphers, "-connect", "127.0.0.1:\(port)", "-CAfile",
                    authority.path, "-ign_eof",
                ],
                input: "GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(answer.output.contains("HTTP/1.1 404") == works, "\(ciphers): \(answer.output)")
        }
        await peers.stop()
        authority.remove()
    }

    @Test("D3 the session of a client that reads nothing ends with TLS as it does without")
    func slowReader() async throws {
        let authority = try await TestAuthority()
        let made = try await authority.certificate()
        let peers = try await Peers.start {
            $0.certificate = CertificateFiles(certificate: made.certificate, key: made.key)
        }
        let port = await peers.address.split(separator: ":").last ?? ""
        let (slow, input, output) = (Process(), Pipe(), Pipe())
        slow.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        slow.arguments = ["openssl", "s_client", "-quiet", "-connect", "127.0.0.1:\(port)"]
        (slow.standardInput, slow.standardOutput, slow.standardError) = (input, output, FileHandle.nullDevice)
        try slow.run()
        let hello = ClientFrame(frame: .hello(Hello(version: 1, token: Peers.token(1), client: "slow"))).encode()
        try input.fileHandleForWriting.write(
            contentsOf: Data(Array(RawClient.handshake.utf8) + RawClient.frame(2, hello)))
        try await Peers.until { peers.reports.contains { $0.opened.contains { $0.account == 1 } } }
        // Nobody reads its output, so it soon stops reading.
        for position in 1...300 {
            await peers.publish(to: [1], position: Int64(position), body: [UInt8](repeating: 7, count: 60_000))
        }
        try await Peers.until { peers.reports.contains { !$0.closed.isEmpty } }
        #expect(await peers.reports.contains { !$0.closed.isEmpty })
        slow.terminate()
        await peers.stop()
        authority.remove()
    }
}
