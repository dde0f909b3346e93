import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("Commands for ways in", .disabled(if: TestCluster.isElsewhere), .timeLimit(.minutes(8)))
struct IdentityCommandTests {
    @Test("A2 A6 parley login --with signs in by a token; identities and password show and change what signs me in")
    func waysIn() async throws {
        let scene = try await IdentityScene.shared.value
        let program = try Program()
        defer { program.remove() }
        let subject = IdentityScene.subject()
        let file = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        func run(_ arguments: [String], token: String? = nil, password: String = "") async throws -> Ended {
            try (token ?? "").write(to: file, atomically: true, encoding: .utf8)
            let environment = ["PARLEY_PASSWORD": password, "PARLEY_NEW_PASSWORD": "another horse battery"]
            return try await program.run(arguments + ["--url", scene.cluster.url()], environment: environment)
        }
        let first = try await scene.token(subject: subject, #""preferred_username":"\#(subject)""#)
        let login = try await run(["login", "--with", "work", "--token-file", file.path], token: first + "\n")
        #expect(login.status == 0 && login.output == "Account made, and signed in as \(subject).\n", "\(login.errors)")
        #expect(try await run(["whoami"]).output.hasPrefix("\(subject) at "))
        let again = try await run(["login", "--with", "work", "--token-file", file.path, "--json"], token: first)
        #expect(again.status == 1 && again.errors.contains("token_used"), "\(again)")
        let nobody = try await run(["login", "--with", "facebook", "--token-file", file.path], token: first)
        #expect(nobody.status == 1 && nobody.errors.contains("work"))
        for wrong in [["login"], ["login", "bob", "--with", "work"], ["identities", "--link", "--unlink", "x"]] {
            #expect(try await run(wrong).status == 64, "\(wrong)")
        }
        #expect(try await run(["login", "--with", "work"]).status == 64, "without a token")
        #expect(try await run(["identities"]).output.contains("You have no password."))
        #expect(try await run(["password"], password: Device.password).errors.contains("--owner-token-file"))

        let proof = try await scene.token(subject: subject)
        let set = try await run(["password", "--owner-token-file", file.path], token: proof)
        #expect(set.status == 0 && set.output == "You have a password now.\n", "\(set.errors)")
        let second = try await scene.token("second", subject: subject, #""email":"me@example.org""#)
        let linked = try await run(
            ["identities", "--link", "--token-file", file.path, "--json"], token: second,
            password: "another horse battery")
        #expect(linked.status == 0 && linked.objects.map { $0["issuer"] } == ["work", "second"], "\(linked.errors)")
        #expect(linked.objects.last?["label"] == "me@example.org")
        let id = try #require(linked.objects.first?["id"])
        let removed = try await run(["identities", "--unlink", id], password: "another horse battery")
        #expect(removed.status == 0 && removed.output == "Removed: \(id)\n", "\(removed.errors)")
        let shown = try await run(["identities"])
        #expect(shown.output.contains("me@example.org") && shown.output.contains("A password signs you in, too."))
    }

    @Test("A2 parley login --with shows the page of an issuer, and a browser on this machine brings the code back")
    func page() async throws {
        let scene = try await IdentityScene.shared.value
        let program = try Program()
        defer { program.remove() }
        let subject = IdentityScene.subject()
        let run = try program.start(["login", "--with", "paged", "--url", scene.cluster.url()])
        try await eventually("it shows the page") { run.output.contains("/start?") }
        let shown = try #require(run.output.split(separator: "\n").first { $0.contains("/start?") })
        let url = String(shown.drop { $0 == " " })
        let loopback = try #require(
            URLComponents(string: url)?.queryItems?.first { $0.name == "return" }?.value.flatMap(URL.init(string:)))
        let server = "http://127.0.0.1:\(loopback.port ?? 0)"
        func open(_ path: String) async throws -> RawHTTP.Answer? {
            try await onThread { try RawHTTP.send("GET", path, to: server) }
        }
        // Whatever else comes to that port.
        #expect(try await open("/favicon.ico")?.status == 404)
        let wrong = try #require(try await open("/parley?code=%3Cb%3Ewrong"))
        #expect(wrong.text.contains("That did not work: ") && !wrong.text.contains("<b>") && run.isRunning)

        let end = try await scene.browsed(url, as: subject)
        #expect(end.hasPrefix("\(server)/parley?code="))
        #expect(try await open(IdentityScene.path(end))?.text.contains("Done. You can close this page.") == true)
        #expect(try await run.end() == 0 && run.output.contains("Account made, and signed in as \(subject)."))
        #expect(try await program.run(["whoami", "--url", scene.cluster.url()]).output.hasPrefix("\(subject) at "))

        let refused = try program.start(["login", "--with", "paged", "--url", scene.cluster.url()])
        try await eventually("it shows the page") { refused.output.contains("/start?") }
        let port = try #require(refused.output.firstMatch(of: /127\.0\.0\.1%3A(\d+)/)?.1)
        _ = try await onThread {
            try RawHTTP.send("GET", "/parley?error=sign_in_refused", to: "http://127.0.0.1:\(port)")
        }
        #expect(try await refused.end() == 1 && refused.output.contains("Begin again"))
    }

    @Test("A2 parley identities --link --with adds the identity of a page")
    func linkByPage() async throws {
        let scene = try await IdentityScene.shared.value
        let program = try Program()
        defer { program.remove() }
        let (username, subject) = (IdentityScene.subject(), IdentityScene.subject())
        let end = ["--url", scene.cluster.url()]
        let environment = ["PARLEY_PASSWORD": Device.password]
        #expect(try await program.run(["register", username] + end, environment: environment).status == 0)
        for wrong in [["--with", "paged"], ["--link", "--with", "paged", "--token-file", "token"]] {
            #expect(try await program.run(["identities"] + wrong + end, environment: environment).status == 64)
        }
        for (issuer, why) in [("nobody", "There are: "), ("work", "has no page")] {
            let wrong = try await program.run(
                ["identities", "--link", "--with", issuer] + end, environment: environment)
            #expect(wrong.status == 1 && wrong.errors.contains(why), "\(wrong.errors)")
        }
        let run = try program.start(["identities", "--link", "--with", "paged"] + end, environment: environment)
        try await eventually("it shows the page") { run.output.contains("/start?") }
        let shown = try #require(run.output.split(separator: "\n").first { $0.contains("/start?") })
        let back = try #require(URL(string: try await scene.browsed(String(shown.drop { $0 == " " }), as: subject)))
        let answer = try await onThread {
            try RawHTTP.send(
                "GET", IdentityScene.path(back.absoluteString), to: "http://127.0.0.1:\(back.port ?? 0)")
        }
        #expect(answer?.text.contains("Done. You can close this page.") == true)
        #expect(try await run.end() == 0 && run.output.contains(subject), "\(run.output)")
        let (client, known) = try await scene.signIn(on: "paged", as: subject)
        #expect(!known.newAccount && known.user.username == username)
        await client.close()
    }
}
