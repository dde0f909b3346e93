import Foundation
import HTTPClient
import Reactor
import TestSupport
import Testing

@testable import Mail

@Suite("Mails", .timeLimit(.minutes(5)))
struct MailTests {
    private static let from = MailAddress("Chat <chat@example.com>")

    private func text(_ message: MailMessage, from: String = "chat@example.com") throws -> [String] {
        let bytes = message.bytes(from: try #require(MailAddress(from)), id: "7.1", at: 1_780_272_000)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.replacing("\r\n", with: "").contains { $0 == "\n" || $0 == "\r" }, "each line ends with CRLF")
        #expect(text.hasSuffix("\r\n"))
        return text.components(separatedBy: "\r\n")
    }

    @Test("no subject, address or id makes another header, and lines are short")
    func headers() throws {
        let names = ["From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Auto-Submitted"]
        let bad = [
            "a\r\nBcc: x@y.z", "a\nBcc: x@y.z", "a\rBcc: x", "a\u{0}b", "\u{2028}Bcc: x",
            String(repeating: "ü", count: 400), "=?utf-8?B?YQ?=",
        ]
        for text in bad {
            let lines = try self.text(MailMessage(to: "d@example.org\(text)", subject: text, text: "hi"))
            let head = lines.prefix { !$0.isEmpty }
            let found = head.filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) }
            #expect(found == names + ["Content-Type", "Content-Transfer-Encoding"], "\(found)")
            #expect(lines.allSatisfy { $0.utf8.count <= 998 })
            #expect(lines.filter { $0.contains("=?utf-8?B?") }.allSatisfy { $0.utf8.count <= 90 })
        }
        let plain = try self.text(
            MailMessage(to: "d@example.org", subject: "Your code", text: "hi"), from: "Chät <c@x.org>")
        #expect(plain.contains("Subject: Your code") && plain.contains("To: <d@example.org>"))
        #expect(plain.contains("From: =?utf-8?B?Q2jDpHQ=?= <c@x.org>") && plain.contains("Message-ID: <7.1@x.org>"))
        #expect(plain.contains("Date: Mon, 1 Jun 2026 00:00:00 +0000"))
    }

    @Test(
        "dates are those of the calendar",
        arguments: [
            (0, "Thu, 1 Jan 1970 00:00:00 +0000"), (951_782_399, "Mon, 28 Feb 2000 23:59:59 +0000"),
            (951_868_799, "Tue, 29 Feb 2000 23:59:59 +0000"), (4_107_542_400, "Mon, 1 Mar 2100 00:00:00 +0000"),
            (Int64.min, "Thu, 1 Jan 1970 00:00:00 +0000"), (Int64.max, "Fri, 31 Dec 9999 23:59:59 +0000"),
        ] as [(Int64, String)])
    func dates(_ seconds: Int64, _ text: String) {
        #expect(MailDate.text(seconds) == text)
    }

    @Test("a sender is an address, with a name or not")
    func addresses() {
        #expect(Self.from?.name == "Chat" && Self.from?.domain == "example.com")
        for wrong in [
            "", "chat", "a@b@c", "a b@c.d", "Chat <a@b.c", "Chat <a@b.c> x", "a@b.c\r\nBcc: d", "<>", "@b", "a@",
            "Ch\nat <a@b.c>",
        ] {
            #expect(MailAddress(wrong) == nil, "\(wrong.debugDescription)")
        }
    }

    @Test("texts are replaced by files, whose words are checked; what a value says is no word")
    func templates() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let standards = [
            MailTemplates.Standard("reset", words: ["code", "server"], "Subject: {code}\n\nAt {server}: {code} {other")
        ]
        let own = try MailTemplates(standards, folder: "").message(
            "reset", to: "a@b.c", ["code": "{server}", "server": "x"])
        #expect(own == MailMessage(to: "a@b.c", subject: "{server}", text: "At x: {server} {other"))
        func keep(_ text: String, _ name: String) throws {
            try text.write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
        }
        try keep("Subject: Hé {code}\r\n\r\nText {code}\r\n", "reset.txt")
        try keep("<style>p { color: red }</style><p>{server}</p>", "reset.html")
        let replaced = try MailTemplates(standards, folder: folder.path).message(
            "reset", to: "a@b.c", ["code": "1", "server": "<b>&\""])
        #expect(replaced.subject == "Hé 1" && replaced.text == "Text 1\n")
        #expect(replaced.html == "<style>p { color: red }</style><p>&lt;b&gt;&amp;&quot;</p>")
        for (text, why) in [
            ("Subject: {name}\n\nx", "{name}"), ("Hello\n\nx", "Subject"), ("Subject: x\nx", "empty line"),
            ("", "Subject"),
            (String(repeating: "x", count: 70_000), "longer"),
        ] {
            try keep(text, "reset.txt")
            let problem = #expect(throws: MailTemplates.Problem.self) {
                try MailTemplates(standards, folder: folder.path)
            }
            #expect(problem?.description.contains(why) ?? false, "\(problem.debugDescription)")
        }
        #expect(throws: MailTemplates.Problem.self) { try MailTemplates(standards, folder: "/nowhere") }
    }

    // MARK: Over real sockets

    private func failure(
        _ transport: MailTransport, to recipient: String = "d@example.org", timeout: Duration = .seconds(60)
    ) async throws -> MailFailure? {
        let sender = MailSender(transport, from: try #require(Self.from), timeout: timeout)
        do {
            try await sender.send(
                MailMessage(to: recipient, subject: "Grüße", text: "Hello\n.\nthere ü", html: "<p>Hello</p>"),
                id: "7.1",
                at: 1_780_272_000)
            return nil
        } catch let failure as MailFailure {
            return failure
        }
    }

    private func server(
        _ url: String, _ server: TestMailServer, user: String = "", password: String = "",
        _ security: SMTPRequest.Security = .required, trusted: Bool = true
    ) -> MailTransport {
        .server(
            url: url, user: user, password: password, security: security,
            authorities: trusted ? server.authorities : nil)
    }

    @Test("a mail server gets it plain, after STARTTLS and over TLS, whole, with its envelope")
    func taken() async throws {
        let mail = try TestMailServer()
        #expect(try await failure(server(mail.plain, mail, .none)) == nil)
        #expect(try await failure(server(mail.plain, mail, .ifOffered)) == nil)
        #expect(try await failure(server(mail.starttls, mail, user: "chat", password: "secret")) == nil)
        #expect(try await failure(server(mail.smtps, mail, user: "chat", password: "secret")) == nil)
        let mails = try await mail.mails()
        #expect(mails.count == 4)
        for taken in mails {
            #expect(taken.from == "chat@example.com" && taken.to == "d@example.org")
            #expect(taken.values("Subject") == ["Grüße"] && taken.values("To") == ["d@example.org"])
            #expect(taken.text.replacing("\r\n", with: "\n").hasPrefix("Hello\n.\nthere ü"))
            #expect(taken.html.hasPrefix("<p>Hello</p>") && taken.values("Message-ID") == ["<7.1@example.com>"])
        }
    }

    @Test("what a mail server refuses for good is told apart from what another try may change; nothing hangs")
    func refused() async throws {
        let mail = try TestMailServer()
        // Without encryption nothing is sent, to nobody who is not trusted, and never with a wrong password.
        #expect(try await failure(server(mail.plain, mail))?.isFinal == false)
        #expect(try await failure(server(mail.smtps, mail, trusted: false))?.isFinal == false)
        #expect(try await failure(server(mail.starttls, mail, user: "chat", password: "wrong"))?.isFinal == false)
        #expect(try await failure(server("smtp://127.0.0.1:1", mail, .none))?.isFinal == false)
        let cases = [("busy", false), ("refuse", true), ("drop", false), ("stall", false)]
        for (mode, isFinal) in cases {
            try await mail.behave(mode)
            let failed = try await failure(
                server(mail.plain, mail, .none), timeout: mode == "stall" ? .seconds(2) : .seconds(60))
            #expect(failed?.isFinal == isFinal, "\(mode): \(failed.debugDescription)")
        }
        try await mail.behave("right")
        for recipient in ["d@example.org\r\nRCPT TO:<x@y.z>", "a\u{0}@b.c"] {
            #expect(try await failure(server(mail.plain, mail, .none), to: recipient)?.isFinal == true)
        }
        #expect(try await mail.mails().isEmpty)
        #expect(try await failure(server(mail.plain, mail, .none)) == nil, "it works again")
    }

    @Test("a mail server that keeps one waiting holds up nothing else, and not the end of a task either")
    func stalled() async throws {
        let mail = try TestMailServer()
        try await mail.behave("stall")
        let sender = MailSender(server(mail.plain, mail, .none), from: try #require(Self.from), timeout: .seconds(600))
        let sending = Task {
            try await sender.send(MailMessage(to: "d@example.org", subject: "x", text: "x"), id: "1", at: 0)
        }
        // Long after it is connected.
        for _ in 0..<200 { try await Reactor.shared.sleep(for: .milliseconds(10)) }
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        #expect(try await mail.mails().isEmpty)
    }

    @Test("a program gets the mail and its recipient, nothing of this process's settings, and no more than its time")
    func command() async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        func program(_ body: String) throws -> MailTransport {
            let path = "\(folder.path)/\(UUID().uuidString)"
            try "#!/bin/sh\n\(body)\n".write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            return .command([path, "-t"])
        }
        setenv("PARLEY_MAIL_TEST", "secret", 1)
        #expect(
            try await failure(
                program("env > \(folder.path)/env; echo \"$@\" > \(folder.path)/args; cat > \(folder.path)/mail"))
                == nil)
        let read = { (name: String) in try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) }
        #expect(try read("args") == "-t d@example.org\n")
        #expect(try read("mail").hasPrefix("From: \"Chat\" <chat@example.com>\r\n"))
        #expect(try !read("env").contains("PARLEY"))
        let refused = try await failure(program("echo no such user >&2; exit 67"))
        #expect(refused?.isFinal == true && refused?.description.contains("67: no such user") ?? false)
        #expect(try await failure(program("exit 75"))?.isFinal == false)
        let late = try await failure(program("sleep 600 & wait"), timeout: .seconds(1))
        #expect(late?.isFinal == false && late?.description.contains("137") ?? false, "\(late.debugDescription)")
        #expect(try await failure(.command(["/nowhere/sendmail"]))?.isFinal == false)
        let option = try await failure(program("exit 0"), to: "-X/tmp/log@example.org")
        #expect(option?.isFinal == true, "no address is an option of the program")
    }
}
