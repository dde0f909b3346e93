import Testing

@testable import ServiceKit

@Suite("Settings")
struct SettingsTests {
    private let declared = [
        Setting("database.url", .secret, required: true, "the database"),
        Setting("database.lanes", .integer(1...16), default: "2", "lanes"),
        .limit("limits.text-bytes", 1...16384, Limit(16384, "bytes", per: "text", beyond: .refused("too_large"))),
        Setting("log.format", .choice(["text", "json"]), default: "text", "format"),
        Setting("listen.requests", .endpoint, default: "ipc:///tmp/x", "requests"),
        Setting("messaging.requests", .endpoints, default: "tcp://a:1", "replicas"),
        Setting("listen.http", .address, default: "127.0.0.1:8080", "http"),
    ]

    private func settings(_ arguments: [String] = [], _ environment: [String: String] = [:]) async throws -> Settings {
        var environment = environment
        if !arguments.contains(where: { $0.hasPrefix("--database-url") }),
            environment["PARLEY_DATABASE_URL_FILE"] == nil
        {
            environment["PARLEY_DATABASE_URL"] = environment["PARLEY_DATABASE_URL"] ?? "postgresql://secret"
        }
        return try await Settings(declared, arguments: arguments, environment: environment)
    }

    private func problem(_ arguments: [String] = [], _ environment: [String: String] = [:]) async -> String {
        do {
            _ = try await settings(arguments, environment)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test("a misspelt variable is ignored with a warning; others of the environment are not mentioned")
    func misspelt() async throws {
        let environment = [
            "PARLEY_LIMTS_TEXT_BYTES": "5", "PARLEY_DATABASE_URL_FLE": "x", "PARLEY_LIMITS_TEXT_BYTES": "100",
            "PARLEY_GATEWAY_SERVICE_HOST": "10.0.0.1", "PARLEY_VERSION": "1", "LOG_FORMAT": "json",
        ]
        let settings = try await settings([], environment)
        #expect(
            settings.warnings == [
                "PARLEY_DATABASE_URL_FLE is no setting and is ignored; did you mean PARLEY_DATABASE_URL_FILE?",
                "PARLEY_LIMTS_TEXT_BYTES is no setting and is ignored; did you mean PARLEY_LIMITS_TEXT_BYTES?",
            ])
        #expect(settings.integer("limits.text-bytes") == 100)
    }

    @Test("flags override the environment, then the file, then the defaults, and each value has its source")
    func precedence() async throws {
        let folder = Folder()
        let file = try folder.file(
            "config", "# a comment\n\ndatabase.lanes=3\nPARLEY_LIMITS_TEXT_BYTES = 100 \nlog.format=json\n")
        var settings = try await settings()
        #expect(settings.integer("database.lanes") == 2)
        settings = try await self.settings(["--config", file])
        #expect(settings.integer("database.lanes") == 3)
        #expect(settings.integer("limits.text-bytes") == 100)
        settings = try await self.settings(
            ["--config", file], ["PARLEY_DATABASE_LANES": "4", "PARLEY_LIMITS_TEXT_BYTES": "200"])
        #expect(settings.integer("database.lanes") == 4)
        settings = try await self.settings(
            ["--config", file, "--database-lanes", "5"],
            ["PARLEY_DATABASE_LANES": "4", "PARLEY_LIMITS_TEXT_BYTES": "200"])
        #expect(settings.integer("database.lanes") == 5)
        #expect(settings.integer("limits.text-bytes") == 200)
        #expect(settings.text("log.format") == "json")
        #expect(settings.printed.contains("database.lanes=5    # flag"))
        #expect(settings.printed.contains("limits.text-bytes=200    # environment"))
        #expect(settings.printed.contains("log.format=json    # file \(file)"))
        #expect(settings.printed.contains("listen.http=127.0.0.1:8080    # default"))
        settings = try await self.settings([], ["PARLEY_CONFIG": file])
        #expect(settings.integer("database.lanes") == 3)
    }

    @Test("--name=value equals --name value")
    func equalsForm() async throws {
        #expect(try await settings(["--database-lanes=7", "--log-format=json"]).integer("database.lanes") == 7)
    }

    @Test("every source can give a list, and a flag given twice is not overlooked")
    func lists() async throws {
        let folder = Folder()
        let text = "tcp://a:1,tcp://b:2"
        let file = try folder.file("config", "messaging.requests=\(text)\n")
        for (arguments, environment) in [
            (["--messaging-requests", text], [:]), (["--messaging-requests=\(text)"], [:]),
            (["--messaging-requests", "tcp://a:1", "--messaging-requests", "tcp://b:2"], [:]),
            ([], ["PARLEY_MESSAGING_REQUESTS": text]), (["--config", file], [:]),
        ] as [([String], [String: String])] {
            #expect(
                try await settings(arguments, environment).list("messaging.requests") == ["tcp://a:1", "tcp://b:2"])
        }
        let url = "postgresql://a:1,b:2/x"
        #expect(try await settings(["--database-url", url]).text("database.url") == url)
        #expect(await problem(["--log-format", "text", "--log-format", "json"]).contains("text,json"))
    }

    @Test("a secret can come from a file, and is never printed")
    func secrets() async throws {
        let folder = Folder()
        let file = try folder.file("url", "postgresql://hidden\n")
        for (arguments, environment) in [
            ([], ["PARLEY_DATABASE_URL_FILE": file]), (["--database-url-file", file], [:]),
        ] as [([String], [String: String])] {
            let settings = try await Settings(declared, arguments: arguments, environment: environment)
            #expect(settings.text("database.url") == "postgresql://hidden")
            #expect(settings.printed.contains("database.url=(secret)"))
            #expect(!settings.printed.contains("hidden"))
        }
        #expect(!(try await settings().printed.contains("postgresql")))
        #expect(await problem([], ["PARLEY_DATABASE_URL_FILE": "/nowhere"]).contains("cannot read /nowhere"))
    }

    @Test(
        "an error names the wrong value, its source and what to give instead",
        arguments: [
            (["--database-lanes", "17"], [:], ["database.lanes", "17", "flag", "1 to 16"]),
            ([], ["PARLEY_DATABASE_LANES": "many"], ["database.lanes", "many", "environment", "whole number"]),
            ([], ["PARLEY_LOG_FORMAT": "xml"], ["log.format", "xml", "text, json"]),
            (["--listen-requests", "http://x"], [:], ["listen.requests", "http://x", "ipc:///"]),
            (["--messaging-requests", "tcp://a:1,b"], [:], ["messaging.requests", "separated by commas"]),
            (["--listen-http", "8080"], [:], ["listen.http", "host:port"]),
            (["--listen-http", "a:70000"], [:], ["listen.http", "host:port"]),
            (["--lanes", "3"], [:], ["--lanes", "--help"]),
            (["lanes"], [:], ["\"lanes\"", "--help"]),
            (["--database-ur=postgresql://u:secret@h/p"], [:], ["there is no flag --database-ur;"]),
            (["--database-lanes"], [:], ["--database-lanes", "needs a value"]),
            (["--config", "/nowhere"], [:], ["cannot read /nowhere"]),
        ] as [([String], [String: String], [String])])
    func wrong(arguments: [String], environment: [String: String], words: [String]) async {
        let problem = await problem(arguments, environment)
        for word in words { #expect(problem.contains(word), "\(problem)") }
    }

    @Test("an error in the file names the number of the line")
    func wrongFile() async throws {
        let folder = Folder()
        let unknown = try folder.file("a", "log.format=text\ndatabase.lane=3\n")
        #expect(await problem(["--config", unknown]).contains("\(unknown):2: there is no setting \"database.lane\""))
        let odd = try folder.file("b", "log.format\n")
        #expect(await problem(["--config", odd]).contains("\(odd):1: expected key=value"))
    }

    @Test("the error for a missing setting names its flag and variable")
    func missing() async throws {
        do {
            _ = try await Settings(declared, arguments: [], environment: [:])
            Issue.record("nothing was missing")
        } catch {
            #expect("\(error)".contains("--database-url or PARLEY_DATABASE_URL"))
        }
    }

    @Test(
        "endpoints",
        arguments: [
            ("ipc:///run/x", true), ("tcp://host:7001", true), ("tcp://*:7001", true), ("tcp://127.0.0.1:*", true),
            ("tcp://[::1]:7001", true), ("ipc://x", false), ("ipc:///", false), ("tcp://host", false),
            ("tcp://:7001", false),
            ("tcp://host:0", false), ("tcp://host:99999", false), ("udp://host:1", false), ("", false),
            ("ipc:///" + String(repeating: "x", count: 200), false),
        ])
    func endpoints(text: String, isGood: Bool) {
        #expect((Setting("x", .endpoint, "").complaint(about: text) == nil) == isGood)
    }
}
