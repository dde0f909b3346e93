import Cluster
import Foundation
import ParleyClient
import Testing

@testable import Command

@Suite("Output of the command")
struct CommandOutputTests {
    private var message: Parley_V1_Message {
        var message = Parley_V1_Message()
        (message.conversation, message.seq, message.sender) = ("u1_u2", 7, "u1")
        (message.text, message.sentAtUs) = ("Hi \u{1B}[31mred\nsecond", 1_795_000_000_123_456)
        message.id = Data(repeating: 0, count: 16)
        return message
    }

    @Test("a message is one JSON object on one line, with snake_case keys")
    func messageJSON() throws {
        let text = Output.jsonText(MessageJSON(message, title: "bob", sender: "alice"))
        #expect(!text.contains("\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["type"] as? String == "message")
        #expect(object["seq"] as? Int == 7)
        #expect(object["sender_username"] as? String == "alice")
        #expect(object["sent_at_us"] as? Int64 == 1_795_000_000_123_456)
        #expect(
            object["sent_at"] as? String == "2026-11-18T09:06:40.123456Z"
                || (object["sent_at"] as? String)?.hasSuffix(".123456Z") == true)
        #expect(object["text"] as? String == message.text)
    }

    @Test("text of other people cannot control the terminal")
    func harmless() {
        let line = MessageLine.text(message, title: "bob", sender: "alice", style: Style(isColoured: false))
        #expect(!line.contains("\u{1B}"))
        #expect(line.contains("alice: Hi \u{FFFD}[31mred\n    second"))
        #expect(line.contains("[bob]"))
        #expect(PlainText.shown("a\u{202E}b\u{9B}c\td") == "a\u{FFFD}b\u{FFFD}c    d")
    }

    @Test("whatever a line is made of, only colours of the command itself reach the terminal")
    func filtered() {
        let own = Style(isColoured: true)
        let line = own.bold("a\u{1B}[2Jb") + own.person("c\u{9B}31md") + "\te\nf\u{1B}]0;title\u{7}\u{202E}\u{2028}\r"
        let shown = Output.harmless(line)
        #expect(shown.contains(own.bold("a\u{FFFD}[2Jb")))
        #expect(shown.hasSuffix("\te\nf\u{FFFD}]0;title\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"))
        #expect(Output.harmless("Suspended: \u{1B}[8mhidden\u{1B}[0m") == "Suspended: \u{FFFD}[8mhidden\u{1B}[0m")
        let plain = "family 👨‍👩‍👧‍👦, é, \u{A0}, first line\n  second"
        #expect(Output.harmless(plain) == plain)
    }

    @Test("a reason that an operator gives has no characters that a terminal obeys")
    func reasons() throws {
        #expect(throws: (any Error).self) { try OperatedOptions.check("spam\u{1B}[2J") }
        #expect(throws: (any Error).self) { try OperatedOptions.check("spam\u{202E}") }
        #expect(throws: (any Error).self) { try OperatedOptions.check("two\nlines") }
        try OperatedOptions.check("spam in 40 groups 👨‍👩‍👧‍👦")
    }

    @Test("JSON output cannot control the terminal either, and decodes to the same text")
    func harmlessJSON() throws {
        let hostile = "a\u{7F}\u{80}\u{9B}\u{9F}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}\u{1B}\u{A0}é\u{200D}🎉"
        let text = Output.jsonText(["k\u{202E}": hostile])
        for scalar in text.unicodeScalars {
            let isSteering =
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || [0x200E, 0x200F].contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value)
            #expect(!isSteering, "\(scalar.value)")
        }
        #expect(text.contains(#"a\u007F\u0080\u009B\u009F\u200E\u200F\u202A\u202E\u2066\u2069"#))
        #expect(text.contains("\u{A0}é\u{200D}🎉"))
        let read = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        #expect(read["k\u{202E}"].map { Array($0.unicodeScalars) } == Array(hostile.unicodeScalars))
    }

    @Test(
        "errors have the exit code of their kind",
        arguments: [
            ("unauthenticated", 77), ("refresh_refused", 77), ("unavailable", 69), ("rate_limited", 75),
            ("deadline", 75),
            ("connection_lost", 75), ("wrong_credentials", 1), ("not_member", 1), ("unsupported_url", 64),
        ] as [(String, Int32)])
    func exitCodes(_ code: String, _ exit: Int32) {
        #expect(Failure(ParleyError(code: code, message: "why")).exitCode.rawValue == exit)
    }

    @Test("a port in use is a temporary failure with advice about --listen")
    func portInUse() {
        let failure = Failure(ClusterError(.portInUse, "127.0.0.1:8080 is in use"))
        #expect(failure.exitCode == .temporary)
        #expect(failure.advice.contains("--listen"))
    }

    @Test("the doctor reports the health of services")
    func health() throws {
        let body = """
            {"status":"not ready","services":{"messaging":{"live":false,"ready":false,"reasons":["no replica"]},\
            "gateway":{"live":true,"ready":true,"reasons":[]},\
            "entities":{"live":true,"ready":false,"reasons":["waiting for the database"]}}}
            """
        let health = try JSONDecoder().decode(ServerCheck.Health.self, from: Data(body.utf8))
        let findings = ServerCheck(url: "ws://x", folder: "/f").findings(of: health)
        #expect(findings.map(\.subject) == ["gateway", "entities", "messaging"])
        #expect(findings.map(\.verdict) == [.good, .broken, .broken])
        #expect(findings[1].detail.contains("waiting for the database"))
        #expect(findings[2].fix?.contains("/f/log/messaging-1.log") == true)
        #expect(findings.allSatisfy { $0.verdict == .good || $0.fix != nil })
    }

    @Test("ids and usernames are distinguished")
    func conversationIDs() {
        #expect(Person.isConversation("abc_def"))
        #expect(Person.isConversation("0190f3c2a1b27c3d8e4f5a6b7c8d9e0f"))
        for name in ["alice", "a.b-c", "Weekend Trip", "a_b_c", "_b", "@alice"] {
            #expect(!Person.isConversation(name), "\(name)")
        }
        #expect(Person.direct("b", "B") == "B_b")
    }
}

@Suite("Times as people write them")
struct CommandTimeTests {
    private let utc = TimeZone(identifier: "UTC") ?? .current
    /// 2026-11-21 12:00:00 UTC
    private let noon: Int64 = 1_795_262_400_000_000

    @Test("clock times mean the next occurrence, spans count from now, dates are in the zone")
    func parses() throws {
        #expect(Times.iso(noon) == "2026-11-21T12:00:00.000000Z")
        #expect(Times.parse("18:00", zone: utc, now: noon) == noon + 6 * 3_600_000_000)
        #expect(Times.parse("09:00", zone: utc, now: noon) == noon + 21 * 3_600_000_000)
        #expect(Times.parse("+90m", zone: utc, now: noon) == noon + 5_400_000_000)
        #expect(Times.parse("2026-11-22 12:00", zone: utc, now: noon) == noon + 86_400_000_000)
        #expect(Times.parse("2026-11-22T12:00:00Z", zone: utc, now: noon) == noon + 86_400_000_000)
        let zurich = try #require(TimeZone(identifier: "Europe/Zurich"))
        #expect(Times.parse("2026-11-21 13:00", zone: zurich, now: noon) == noon)
    }

    @Test(
        "invalid times are refused",
        arguments: ["", "noon", "24:00", "12:60", "2026-02-30 10:00", "2026-13-01 10:00", "+5", "+0m", "12"])
    func refuses(_ text: String) {
        #expect(Times.parse(text, zone: utc, now: noon) == nil)
    }
}

@Suite("The file of a sign-in")
struct CommandCredentialTests {
    private func credentials(_ number: Int) -> Credentials {
        Credentials(
            user: "u1", device: "d1", accessToken: "a\(number)", accessEndsUs: 1, refreshToken: "r\(number)",
            refreshEndsUs: 2)
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = "\(NSTemporaryDirectory())/parley-credentials-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    @Test("it is readable by its owner only, and removed after signing out")
    func modes() async throws {
        try await withFolder { folder in
            let file = CredentialFile(path: "\(folder)/a.json", url: "ws://x", username: "alice")
            #expect(try await file.load() == nil)
            try await file.save(credentials(1))
            #expect(try await file.load() == credentials(1))
            #expect(try file.content()?.username == "alice")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            // A later refresh does not know the username.
            try await CredentialFile(path: file.path, url: "ws://x").save(credentials(2))
            #expect(try file.content()?.username == "alice")
            #expect(try await CredentialFile(path: file.path, url: "ws://elsewhere").load() == nil)
            chmod(file.path, 0o644)
            #expect(throws: Failure.self) { try file.content() }
            try await file.save(nil)
            #expect(try await file.load() == nil)
        }
    }

    @Test("concurrent saves leave one complete file")
    func atOnce() async throws {
        try await withFolder { folder in
            let path = "\(folder)/a.json"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await CredentialFile(path: path, url: "ws://x", username: "alice").save(credentials(number))
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await CredentialFile(path: path, url: "ws://x").load()?.user == "u1")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["a.json"])
        }
    }
}

extension CommandCredentialTests {
    @Test("refreshes run one after the other")
    func exclusive() async throws {
        try await withFolder { folder in
            let path = "\(folder)/a.json"
            try await CredentialFile(path: path, url: "ws://x", username: "alice").save(credentials(0))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let file = CredentialFile(path: path, url: "ws://x")
                        try await file.exclusively {
                            let held = try await file.load()?.refreshToken.dropFirst()
                            await Task.yield()
                            try await file.save(credentials((held.flatMap { Int($0) } ?? 0) + 1))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await CredentialFile(path: path, url: "ws://x").load()?.refreshToken == "r8")
        }
    }

    @Test("a late refresh does not overwrite a newer sign-in")
    func late() async throws {
        try await withFolder { folder in
            let path = "\(folder)/a.json"
            try await CredentialFile(path: path, url: "ws://x", username: "bob").save(credentials(1))
            var other = credentials(2)
            other.device = "d2"
            try await CredentialFile(path: path, url: "ws://x").save(other)
            #expect(try await CredentialFile(path: path, url: "ws://x").load() == credentials(1))
        }
    }
}

@Suite("Sample people")
struct CommandSampleTests {
    @Test("the ids of sample data are reproducible, valid and distinct")
    func ids() throws {
        let began: Int64 = 1_795_262_400_000_000
        let ids = try (0..<20).map { try #require(SampleData.id("alice-bob", $0, at: began)) }
        #expect(Set(ids).count == 20)
        #expect(ids == (0..<20).compactMap { SampleData.id("alice-bob", $0, at: began) })
        #expect(ids[0].milliseconds == UInt64(began / 1000))
        #expect(SampleData.id("alice-charlie", 0, at: began) != ids[0])
    }

    @Test("their password is created once, readable by its owner only")
    func password() throws {
        let folder = "\(NSTemporaryDirectory())/parley-sample-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try SamplePeople.password(in: folder)
        #expect(first.count >= 8)
        #expect(try SamplePeople.password(in: folder) == first)
        let mode =
            try FileManager.default.attributesOfItem(atPath: "\(folder)/sample-password")[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
