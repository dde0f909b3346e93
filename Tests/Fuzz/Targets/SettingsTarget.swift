import Dispatch
import Glibc

@testable import ServiceKit

extension FuzzTarget {
    /// A process's settings file (mode 0), flags (mode 1) and environment (mode 2).
    static let settings = FuzzTarget("settings", bytesMax: 2000, seeds: settingsSeeds) { input in
        var choices = Choices(input)
        let mode = choices.byte() % 3
        let text = String(decoding: choices.all(), as: UTF8.self)
        var arguments = ["--database-url", "postgresql://hidden"]
        var environment: [String: String] = [:]
        switch mode {
        case 0:
            let path = "/tmp/parley-fuzz-\(getpid())-\(UInt32.random(in: 0...(.max)))"
            defer { unlink(path) }
            guard let file = fopen(path, "w") else { throw Broken(description: "cannot write \(path)") }
            fwrite(Array(text.utf8), 1, text.utf8.count, file)
            fclose(file)
            return try check(arguments + ["--config", path], environment)
        // The system passes no NUL bytes to a process.
        case 1: arguments += text.filter { $0 != "\0" }.split(separator: "\n").map(String.init)
        default:
            for line in text.filter({ $0 != "\0" }).split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
                if parts.count == 2, parts[0] != "PARLEY_CONFIG" { environment[parts[0]] = parts[1] }
            }
        }
        if arguments.contains(where: { $0.hasPrefix("--config") || $0.contains("-file") }) { return }
        try check(arguments, environment)
    }

    private static let declared = [
        Setting("database.url", .secret, required: true, "the database"),
        Setting("database.lanes", .integer(1...16), default: "2", "lanes"),
        Setting("log.format", .choice(["text", "json"]), default: "text", "format"),
        Setting("listen.requests", .endpoint, default: "ipc:///tmp/x", "requests"),
        Setting("messaging.requests", .endpoints, default: "tcp://a:1", "replicas"),
        Setting("listen.http", .address, default: "127.0.0.1:8080", "http"),
        Setting("log.name", .text, default: "x", "any"),
    ]

    private static func check(_ arguments: [String], _ environment: [String: String]) throws {
        guard let settings = read(arguments, environment) else { return }
        try require((1...16).contains(settings.integer("database.lanes")), "\(settings.text("database.lanes")) lanes")
        for setting in declared {
            let value = settings.text(setting.key)
            try require(setting.complaint(about: value) == nil, "\(setting.key)=\(value) was accepted")
        }
        try require(!settings.printed.contains("postgresql://hidden"), "a secret was printed")
        _ = settings.list("messaging.requests")
    }

    /// Returns nil if the settings are refused with a ``SettingsProblem``.
    private static func read(_ arguments: [String], _ environment: [String: String]) -> Settings? {
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            outcome.settings = try? await Settings(declared, arguments: arguments, environment: environment)
            done.signal()
        }
        done.wait()
        return outcome.settings
    }

    private final class Outcome: @unchecked Sendable {
        // Sendable: written before the signal, read after it.
        var settings: Settings?
    }

    private static func settingsSeeds() -> [[UInt8]] {
        [
            [0] + Array("# a comment\n\ndatabase.lanes=3\nPARLEY_LOG_FORMAT = json\n".utf8),
            [0] + Array("messaging.requests=tcp://a:1,tcp://b:2\nlisten.http=[::]:80".utf8),
            [1] + Array("--database-lanes\n4\n--messaging-requests=tcp://a:1,tcp://b:2".utf8),
            [2] + Array("PARLEY_DATABASE_LANES=5\nPARLEY_LOG_NAME=a,b\nHOME=/".utf8),
        ]
    }
}
