import Foundation
import TestSupport
import Testing

@Suite("Commands for guests and mailed codes", .disabled(if: TestCluster.isElsewhere), .timeLimit(.minutes(8)))
struct GuestCommandTests {
    @Test("A2 A6 parley register --guest, password --username, profile --confirm-email and password --forgot")
    func whole() async throws {
        let scene = try await AccountScene.shared.value
        let program = try Program()
        defer { program.remove() }
        func run(_ arguments: [String], password: String = "") async throws -> Ended {
            let environment = ["PARLEY_PASSWORD": password, "PARLEY_NEW_PASSWORD": "another horse battery"]
            return try await program.run(arguments + ["--url", scene.cluster.url()], environment: environment)
        }
        let made = try await run(["register", "--guest"])
        #expect(made.status == 0 && made.output.hasPrefix("Registered and signed in as Guest "), "\(made)")
        #expect(try await run(["whoami"]).output.hasPrefix("guest (Guest "))
        let profile = try await run(["profile", "--json"])
        #expect(profile.output.contains("\"guest\":true"), "\(profile)")
        for wrong in [["register"], ["register", "dana", "--guest"], ["password", "--code", "x"]] {
            #expect(try await run(wrong).status == 64, "\(wrong)")
        }
        #expect(try await run(["find", "alice"]).errors.contains("guest_may_not"))
        let username = "cmd" + String(UInt64.random(in: .min ... .max), radix: 36)
        let named = try await run(["password", "--username", username])
        #expect(named.status == 0 && named.output == "You have a password now.\n", "\(named)")
        #expect(try await run(["whoami"]).output.hasPrefix("\(username) at "))
        let address = AccountScene.address()
        #expect(try await run(["profile", "--email", address]).output.contains("not confirmed"))
        #expect(try await run(["profile", "--confirm-email"]).status == 0)
        let code = try await scene.mail.mails(1, to: address).last?.code ?? ""
        #expect(try await run(["profile", "--email-code", code]).output.contains("(confirmed;"))
        let asked = try await run(["password", "--forgot", address])
        #expect(asked.status == 0 && asked.output.contains("a code is on its way"), "\(asked)")
        let reset = try await scene.mail.mails(2, to: address).last?.code ?? ""
        let set = try await run(["password", "--forgot", address, "--code", reset])
        #expect(set.status == 0 && set.output.contains("all your devices are signed out"), "\(set)")
        #expect(try await run(["password", "--forgot", address, "--code", reset]).errors.contains("code_refused"))
        #expect(try await run(["whoami"]).status == 77)
        let login = try await run(["login", username], password: "another horse battery")
        #expect(login.status == 0, "\(login)")
        for wrong in [["login", "dana", "--link"], ["login", "--link", "--with", "work"]] {
            #expect(try await run(wrong).status == 64, "\(wrong)")
        }
        #expect(try await run(["devices", "--approve", "nothing"]).errors.contains("code_refused"))
        #expect(try await run(["devices", "--yes"]).status == 64)

        // Another machine of hers.
        let other = try Program()
        defer { other.remove() }
        let link = try other.start(["login", "--link", "--url", scene.cluster.url()])
        try await eventually { link.output.contains("devices --approve ") }
        let asking = try #require(link.output.firstMatch(of: /devices --approve (\S+)/)).1
        let seen = try await run(["devices", "--approve", String(asking)])
        #expect(seen.output.contains(" at 127.0.0.1 asks to be signed in"), "\(seen)")
        #expect(link.isRunning)
        let approved = try await run(["devices", "--approve", String(asking), "--yes"])
        #expect(approved.output.hasPrefix("Approved: "), "\(approved)")
        #expect(try await link.end() == 0)
        #expect(link.output.contains("Signed in as \(username)"), "\(link.output)")
    }
}
