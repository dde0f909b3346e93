import ArgumentParser
import Foundation
import LabCommand
import Testing

@testable import Command

@Suite("The command's arguments")
struct CommandParsingTests {
    @Test(
        "each command parses as its help shows it",
        arguments: [
            "up --demo", "up --listen 127.0.0.1:9000 --replicas messaging=2 --replicas entities=3 --gateways 2",
            "doctor --folder .parley --url ws://127.0.0.1:8080", "seed --url ws://127.0.0.1:8080",
            "migrate --database-url postgresql://postgres@localhost/parley", "register dana --display-name Dana",
            "login bob --profile bob", "logout --everywhere", "logout --everywhere --end-link", "whoami --profile bob",
            "devices", "devices --revoke x",
            "send alice Are you there", "send alice -", "tail", "tail alice --last 20 --json",
            "history alice --limit 100",
            "history alice --before 42", "conversations", "group Trip alice bob", "remind Call --at 14:30",
            "remind Presents --at +2d --zone Europe/Zurich", "reminders --json", "presence alice bob",
            "presence alice --watch --json",
            "status", "status Lunch --until +1h", "status --dnd --hide others --json", "status --clear --hide nobody",
            "group Trip alice --photo https://example.org/a.jpg", "done Call", "done Call --undo",
            "keys keys --add gateway",
            "members Trip", "extract Dinner Friday 7pm", "extract yes --context Dinner? --zone Europe/London --json",
            "extract x --now 2026-03-04T10:15:00Z", "extract x --model http://127.0.0.1:1/v1 --model-name small",
            "members add Trip alice bob", "members remove Trip alice",
            "leave Trip",
            "rename Trip Voyage", "photo Trip https://example.org/a.jpg", "photo Trip --none", "role Trip alice admin",
            "role Trip alice member", "transfer Trip alice", "with alice bob", "requests --json", "accept dana",
            "decline dana", "withdraw erin", "block mallory eve", "unblock mallory", "blocked --json",
            "profile --json", "profile --display-name Dana --photo https://example.org/a.jpg --username dana2",
            "profile --email dana@example.org --findable-by-email yes", "find mull", "find dana@example.org --limit 3",
            "find an --to-write-to --new --json", "report mallory spam",
            "report mallory harassment --in Trip --message 17 --note Again", "export --to dana.json", "erase --yes",
            "reports --all --json --limit 5 --database-url postgresql://postgres@localhost/parley",
            "reports --close 0197f2c1-7a30-7d43-8c5e-0d8f1a2b3c4d",
            "admin suspend mallory --reason spam --until +7d --json", "admin restore mallory --reason sorry",
            "admin sign-out dana --reason stolen", "admin remove mallory --reason order --yes", "admin audit --limit 5",
            "admin invite --uses 10 --expires 2099-12-24", "usage --json", "register dana --code k7mq-3fdp",
        ])
    func parses(_ line: String) throws {
        _ = try ParleyCommand.parseAsRoot(line.split(separator: " ").map(String.init))
    }

    @Test(
        "wrong usage has exit code 64",
        arguments: [
            "", "bogus", "send alice", "send", "register", "login", "history alice --limit 0",
            "history alice --before 0",
            "tail --last 1000", "up --replicas messaging", "up --replicas nothing=2", "up --replicas messaging=0",
            "remind x --at someday", "remind x --at 25:00", "extract", "extract a --model-timeout 0",
            "extract a --zone Nowhere/Land", "extract a --now never", "remind x", "bench send", "torture",
            "remind x --at 14:30 --zone Nowhere/Land", "group",
            "presence", "status --away --dnd", "status Lunch --clear", "status --until +1h",
            "status Lunch --until someday", "status --hide some",
            "profile --findable-by-email maybe", "find", "find a --limit 0", "find a --limit 10001", "report mallory",
            "report mallory rudeness", "report mallory spam --in Trip", "report mallory spam --message 3", "export",
            "erase", "erase --yes --password secret", "reports --limit 0", "reports --close 17",
            "admin suspend mallory",
            "admin remove mallory --reason order", "admin invite --uses 0", "photo Trip",
            "photo Trip https://example.org/a.jpg --none", "members add Trip", "block", "accept",
            "send alice hello --id 12", "send alice hello --wait 0", "login bob --password secret",
        ])
    func refuses(_ line: String) {
        let arguments = line.split(separator: " ").map(String.init)
        #expect {
            var command = try ParleyCommand.parseAsRoot(arguments)
            if arguments.isEmpty { try command.run() }
        } throws: { error in
            let code = ParleyCommand.exitCode(for: error).rawValue
            return Failure(explaining: error) == nil && (code == 64 || (arguments.isEmpty && code == 0))
        }
    }

    @Test(
        "each command of the lab parses as its help shows it",
        arguments: [
            "bench send --clients 8", "torture --seed 7 --seconds 600 --keep failed/7 --without disk,clock",
            "attack frames", "attack signins", "attack searches --seconds 30 --messages 1000 --json",
            "attack uploads --binaries older-build", "conformance --list", "extract --evaluate messages.jsonl --json",
            "extract --evaluate x --model http://127.0.0.1:1/v1", "extract --bench --json",
        ])
    func parsesLab(_ line: String) throws {
        _ = try ParleyLab.parseAsRoot(line.split(separator: " ").map(String.init))
    }

    @Test(
        "wrong usage of the lab has exit code 64",
        arguments: [
            "bogus", "send alice hello", "attack", "attack everything", "attack frames --seconds 0",
            "attack searches --messages 10", "torture --seconds 1", "torture --without rain", "conformance",
            "extract", "extract Hello", "extract --bench --evaluate b", "extract --bench --model http://127.0.0.1:1/v1",
        ])
    func refusesLab(_ line: String) {
        #expect {
            _ = try ParleyLab.parseAsRoot(line.split(separator: " ").map(String.init))
        } throws: { error in
            Failure(explaining: error) == nil && ParleyLab.exitCode(for: error).rawValue == 64
        }
    }

    @Test("every command's help has an example")
    func helpHasExamples() {
        let groups = ParleyCommand.configuration.groupedSubcommands
        #expect(groups.count == 6)
        for command in groups.flatMap(\.subcommands) where command.configuration.subcommands.isEmpty {
            #expect(command.configuration.discussion.contains("parley "), "\(command)")
            #expect(!command.configuration.abstract.isEmpty, "\(command)")
        }
        for command in ParleyLab.configuration.subcommands where command.configuration.subcommands.isEmpty {
            #expect(command.configuration.discussion.contains("parley-lab "), "\(command)")
        }
    }

    @Test("replicas are parsed as service=count")
    func replicas() throws {
        let command = try #require(try ParleyCommand.parseAsRoot(["up", "--replicas", "messaging=2"]) as? UpCommand)
        #expect(command.replicas == [.init(service: "messaging", count: 2)])
    }

    @Test("a sign-in is stored under XDG_CONFIG_HOME or HOME, and refused without either")
    func paths() throws {
        #expect(
            try ConnectionOptions.path(profile: "bob", environment: ["XDG_CONFIG_HOME": "/x", "HOME": "/h"])
                == "/x/parley/bob.json")
        #expect(
            try ConnectionOptions.path(profile: "default", environment: ["HOME": "/h"])
                == "/h/.config/parley/default.json")
        #expect(throws: Failure.self) { try ConnectionOptions.path(profile: "default", environment: [:]) }
        for profile in ["", "../bob", ".hidden", "a/b"] {
            #expect(throws: Failure.self) { try ConnectionOptions.path(profile: profile, environment: ["HOME": "/h"]) }
        }
    }
}
