import ArgumentParser
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient

struct BenchSignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signin",
        abstract: "Measure signing in by a token of an issuer, beside a refresh and a password.",
        discussion: """
            An issuer of the tests makes the tokens, with the keys that it always had: they have been read. First one \
            request follows another; what the service of accounts spends on one says how many a core can do in a \
            second. Then all people sign in at the same moment, as after an outage of the issuer, by tokens and by \
            refreshes in turns. Everybody is connected before.

            Run it in the folder of Parley's sources.
            """)

    @Option(help: "The number of people who come at once.") var people = 1000
    @Option(help: "The number of requests of each kind that follow each other.") var times = 200
    @Option(help: "The number of rounds in which all come at once.") var rounds = 3
    @Option(help: ArgumentHelp("The program that plays the issuer.", valueName: "file"))
    var issuer = "Tests/Issuer/issuer.py"
    @OptionGroup var bench: BenchOptions

    /// Requests of one kind that follow each other.
    struct OneByOne: Encodable, Sendable {
        var ms: Milliseconds
        /// The CPU of the process that owns accounts, and what is left of a second.
        var cpuMs: Double
        var perCoreAndSecond: Double
        var postgresCpuMs: Double
    }

    /// All people at once.
    struct AtOnce: Encodable, Sendable {
        var secondsEachRound: [Double]
        /// The time of each person in the best round.
        var ms: Milliseconds
        /// The mean of all rounds, by process.
        var cpuMsPerPerson: [String: Double]
    }

    struct Result: Encodable, Sendable {
        var people: Int
        /// By "token RS256", "token ES256", "token EdDSA", "refresh" and "password".
        var oneByOne: [String: OneByOne]
        /// Microseconds of one check by libcrypto, in a process that does nothing else.
        var checkUs: [String: Double]
        var tokensAtOnce: AtOnce
        var refreshesAtOnce: AtOnce
        /// Resident MiB of the process that owns accounts: at first, once all people have an account by a token, and
        /// at the end.
        var memoryMib: [Double]
    }

    func validate() throws {
        guard (10...5000).contains(people) else {
            throw ValidationError("--people must be 10 to 5000, not \(people).")
        }
        guard (1...people).contains(times) else {
            throw ValidationError("--times must be 1 to --people, not \(times).")
        }
        guard (1...10).contains(rounds) else { throw ValidationError("--rounds must be 1 to 10, not \(rounds).") }
    }

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let issuer = try BenchIssuer(issuer, on: group)
        defer { issuer.close() }
        var settings = BenchCluster.lifted(connections: people)
        settings["conversations", default: [:]].merge(issuer.settings) { $1 }
        settings["conversations", default: [:]]["PARLEY_LIMITS_WRONG_TOKENS_PER_ADDRESS"] = "1000000"
        let result = try await BenchCluster.with(bench, settings: settings) { [self] cluster in
            try await SignInLoad(cluster, issuer, group, people: people).measure(self)
        }
        if bench.json { Output.json(result) } else { show(result) }
    }

    private func show(_ result: Result) {
        Output.line(Style().bold("Signing in, \(result.people) people"))
        var rows = result.oneByOne.sorted { $0.key < $1.key }.map { name, kind in
            (
                "\(name), ms",
                "p50 \(rounded(kind.ms.p50))   p99 \(rounded(kind.ms.p99))   per core and second "
                    + "\(rounded(kind.perCoreAndSecond))   CPU \(rounded(kind.cpuMs)), PostgreSQL "
                    + rounded(kind.postgresCpuMs)
            )
        }
        rows += result.checkUs.sorted { $0.key < $1.key }.map { ("check of \($0.key), µs", rounded($0.value)) }
        for (name, storm) in [("tokens", result.tokensAtOnce), ("refreshes", result.refreshesAtOnce)] {
            let seconds = storm.secondsEachRound.map { rounded($0) }.joined(separator: "   ")
            rows.append(("all at once by \(name), s", seconds))
            rows.append(("each, ms (best round)", "p50 \(rounded(storm.ms.p50))   p99 \(rounded(storm.ms.p99))"))
            let cpu = storm.cpuMsPerPerson.filter { $0.value >= 0.01 }.sorted { $0.value > $1.value }
            rows.append(
                ("CPU per person, ms", cpu.map { "\($0.key) \(rounded($0.value))" }.joined(separator: "   ")))
        }
        rows.append(
            ("resident MiB of conversations", result.memoryMib.map { rounded($0) }.joined(separator: "   ")))
        printTable(rows)
    }
}
