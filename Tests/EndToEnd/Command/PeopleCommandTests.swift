import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("Commands for people", .timeLimit(.minutes(8)))
struct PeopleCommandTests {
    /// A signed-in person with the `parley` command.
    private struct Person {
        let program: Program
        let username: String
        let url: String

        init(_ name: String, at url: String) async throws {
            (program, self.url) = (try Program(), url)
            username = name + String(UInt64.random(in: 0...(.max)), radix: 36)
            let made = try await program.run(
                ["register", username, "--url", url], environment: ["PARLEY_PASSWORD": Device.password])
            #expect(made.status == 0, "\(made.errors)")
        }

        func run(_ arguments: [String], password: String = Device.password) async throws -> Ended {
            try await program.run(arguments + ["--url", url], environment: ["PARLEY_PASSWORD": password])
        }
    }

    @Test("A4 A5 parley profile shows my profile and changes the given fields; parley find finds people by them")
    func profileAndFind() async throws {
        let cluster = try await TestCluster.shared
        let dana = try await Person("dana", at: cluster.url())
        let erin = try await Person("erin", at: cluster.url(1))
        defer { for one in [dana, erin] { one.program.remove() } }
        let address = "\(dana.username)@example.org"
        let plain = try await dana.run(["profile"])
        #expect(plain.status == 0 && plain.output == "\(dana.username)  \(dana.username)\n")
        let changed = try await dana.run([
            "profile", "--display-name", "Zoë \(dana.username)", "--photo", "https://example.org/a.jpg", "--email",
            address,
        ])
        #expect(changed.status == 0, "\(changed.errors)")
        #expect(
            changed.output == """
                \(dana.username)  Zoë \(dana.username)
                photo: https://example.org/a.jpg
                email: \(address) (not confirmed; only you see it)

                """)
        #expect(try await erin.run(["find", address]).errors.contains("Nobody found."))
        #expect(try await dana.run(["profile", "--findable-by-email", "yes"]).output.contains("others may find you"))
        let shown = try #require(try await dana.run(["profile", "--json"]).objects.first)
        #expect(shown["username"] == dana.username && shown["display_name"] == "Zoë \(dana.username)")
        #expect(shown["email"] == address && shown["findable_by_email"] == "1")
        #expect(shown["photo_url"] == "https://example.org/a.jpg")

        for text in [address, "zoe \(dana.username.dropLast())", "@\(dana.username)"] {
            let found = try await erin.run(["find", text, "--json"])
            #expect(found.status == 0 && found.objects.map { $0["username"] } == [dana.username], "\(text)")
            #expect(!found.output.contains("@example.org"))
            let line = try await erin.run(["find", text])
            #expect(line.output.hasPrefix(dana.username + " ") && line.output.hasSuffix("  Zoë \(dana.username)\n"))
        }
        #expect(try await erin.run(["block", dana.username]).status == 0)
        #expect(try await erin.run(["find", dana.username, "--to-write-to", "--json"]).output.isEmpty)
        let wrong: [(arguments: [String], status: Int32, says: String)] = [
            (["find", "  "], 1, "letters or digits"), (["find", dana.username, "--limit", "0"], 64, "1 to 10000"),
            (["profile", "--username", dana.username], 1, "username_taken"),
            (["profile", "--photo", "http://example.org/a.jpg"], 1, "invalid"),
            (["profile", "--email", "nonsense"], 1, "invalid"),
            (["profile", "--findable-by-email", "maybe"], 64, "yes or no"),
        ]
        for (arguments, status, says) in wrong {
            let outcome = try await erin.run(arguments)
            #expect(outcome.status == status && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
            #expect(outcome.output.isEmpty, "\(arguments)")
        }
        let other = erin.username + "x"
        #expect(try await erin.run(["profile", "--username", other]).status == 0)
        #expect(try await erin.run(["whoami", "--json"]).objects.first?["username"] == other)
    }

    @Test("C13 parley report puts a person or a message into the operator's queue, or explains the refusal")
    func reports() async throws {
        let cluster = try await TestCluster.shared
        let dana = try await Person("dana", at: cluster.url())
        let mallory = try await Person("mallory", at: cluster.url(1))
        defer { for one in [dana, mallory] { one.program.remove() } }
        #expect(try await mallory.run(["send", dana.username, "buy now"]).status == 0)
        let person = try await dana.run(["report", mallory.username, "spam"])
        #expect(person.status == 0 && person.output == "Reported \(mallory.username).\n", "\(person.errors)")
        let message = try await dana.run([
            "report", mallory.username, "harassment", "--in", mallory.username, "--message", "1", "--note", "Again.",
            "--json",
        ])
        #expect(message.status == 0 && message.objects.first?["reported"]?.isEmpty == false, "\(message.errors)")
        let wrong: [(arguments: [String], status: Int32, says: String)] = [
            (["report", "nobody-\(dana.username)", "spam"], 1, "nobody with the username"),
            (["report", mallory.username, "rudeness"], 64, "one of spam, harassment"),
            (["report", mallory.username, "spam", "--message", "1"], 64, "both --in and --message"),
            (["report", dana.username, "spam"], 1, "another person"),
        ]
        for (arguments, status, says) in wrong {
            let outcome = try await dana.run(arguments)
            #expect(outcome.status == status && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
        }
        let queue = try await dana.program.run(
            ["reports", "--json", "--limit", "100000"], environment: ["PARLEY_DATABASE_URL": cluster.endpoints.database]
        ).objects.filter { $0["reporter"] == dana.username }
        #expect(queue.map { $0["reason"] } == ["spam", "harassment"])
        #expect(queue.last?["text"] == "buy now" && queue.last?["sender"] == mallory.username)
        #expect(try await mallory.run(["requests"]).status == 0)
        let nowhere = try await dana.program.run(["reports"], environment: ["PARLEY_DATABASE_URL": ""])
        #expect(nowhere.status == 64 && nowhere.errors.contains("--database-url"))
    }

    @Test("A5 parley erase requires --yes and the password, and then the person is signed out everywhere")
    func erase() async throws {
        let cluster = try await TestCluster.shared
        let dana = try await Person("dana", at: cluster.url())
        let erin = try await Person("erin", at: cluster.url(1))
        defer { for one in [dana, erin] { one.program.remove() } }
        let unsure = try await dana.run(["erase"])
        #expect(unsure.status == 64 && unsure.errors.contains("--yes"))
        let wrong = try await dana.run(["erase", "--yes"], password: "not that one")
        #expect(wrong.status == 1 && wrong.errors.contains("wrong_credentials"), "\(wrong.errors)")
        #expect(try await dana.run(["whoami"]).status == 0)
        let done = try await dana.run(["erase", "--yes"])
        #expect(done.status == 0 && done.output == "Your account is erased.\n", "\(done.errors)")
        #expect(try await dana.run(["whoami"]).status == 77)
        #expect(try await dana.run(["login", dana.username]).status == 1)
        #expect(try await dana.run(["register", dana.username]).errors.contains("username_taken"))
        #expect(try await erin.run(["find", dana.username]).errors.contains("Nobody found."))
        let id = try #require(try await erin.run(["whoami", "--json"]).objects.first?["id"])
        let json = try await erin.run(["erase", "--yes", "--json"])
        #expect(json.status == 0 && json.objects.first?["erased"] == id, "\(json.errors)")
    }
}
