import Foundation

/// What `parley-lab conformance` is asked for.
public struct ConformanceConfiguration: Sendable {
    /// The client under test: its program and arguments.
    public var command: [String]
    /// The ids of the cases to play; empty: all.
    public var only: [String] = []
    /// The seed of the first random case.
    public var seed: UInt64
    /// How many random cases to play.
    public var randomCases = 10
    /// The longest wait for anything that the client must do.
    public var limit = Duration.seconds(10)
    /// How many cases are played at once, each with its own process of the client.
    public var jobs = 4

    public init(command: [String], seed: UInt64) { (self.command, self.seed) = (command, seed) }
}

/// The result of a case.
public struct CaseReport: Sendable {
    public enum Outcome: Sendable {
        case passed
        case failed([Difference])
        /// The case was not played, for this reason.
        case leftOut(String)
    }

    public var id: String
    /// The rules of proto/REFERENCE.md that the case is about.
    public var rules: [String]
    public var about: String
    public var outcome: Outcome
    public var duration = Duration.zero
    /// The last that was sent to the client (→) and received from it (←), a line each.
    public var log: [String] = []

    var hasFailed: Bool { if case .failed = outcome { true } else { false } }
}

/// Plays a server that misbehaves on purpose for a client, and compares what the client does with the vectors.
public struct ConformanceRun: Sendable {
    private enum Case: Sendable {
        case vector(Vector)
        case random(seed: UInt64)

        var report: CaseReport {
            switch self {
            case .vector(let vector):
                CaseReport(
                    id: vector.id, rules: vector.rules, about: vector.about,
                    outcome: vector.obstacle.map { .leftOut($0) } ?? .passed)
            case .random(let seed):
                CaseReport(
                    id: "random-\(seed)", rules: [],
                    about: "After random changes and faults, the client holds what the server has.", outcome: .passed)
            }
        }
    }

    private let configuration: ConformanceConfiguration
    private let chosen: [Case]
    /// Ids that no case has.
    public let unknownIDs: [String]

    public init(_ configuration: ConformanceConfiguration) throws {
        self.configuration = configuration
        let only = configuration.only
        // Any seed may be named.
        let named = only.compactMap { id in id.hasPrefix("random-") ? UInt64(id.dropFirst(7)) : nil }
        let seeds = only.isEmpty ? (0..<UInt64(configuration.randomCases)).map { configuration.seed &+ $0 } : named
        let all = try Vector.all().map(Case.vector) + seeds.map { Case.random(seed: $0) }
        chosen = only.isEmpty ? all : all.filter { only.contains($0.report.id) }
        unknownIDs = only.filter { id in !all.contains { $0.report.id == id } }
    }

    /// The cases, not played yet. Those that cannot be played over a socket are left out.
    public var cases: [CaseReport] { chosen.map(\.report) }

    /// Plays the cases. One that failed while the machine stood still is played again at the end, with no other beside
    /// it.
    /// - Parameter onReport: is told each result as soon as it is there.
    /// - Returns: the results in the order of the cases; those that a cancellation left are missing.
    public func run(onReport: @escaping @Sendable (CaseReport) -> Void) async -> [CaseReport] {
        // A client may end while a command is written to it.
        signal(SIGPIPE, SIG_IGN)
        var (reports, disturbed) = await runAll(onReport: onReport)
        for index in disturbed {
            for _ in 1...Self.repetitions {
                guard let (report, standstill) = await measured(chosen[index]) else { break }
                reports[index] = report
                guard report.hasFailed, standstill.isLong else { break }
            }
            if let report = reports[index] { onReport(report) }
        }
        return reports.sorted { $0.key < $1.key }.map(\.value)
    }

    private static let repetitions = 5

    /// - Returns: the results, and the cases that failed while the machine stood still.
    private func runAll(onReport: @escaping @Sendable (CaseReport) -> Void) async -> ([Int: CaseReport], [Int]) {
        await withTaskGroup(of: (Int, (CaseReport, Standstill)?).self) { group in
            var (reports, disturbed): ([Int: CaseReport], [Int]) = ([:], [])
            var waiting = Array(chosen.enumerated().reversed())
            func start() {
                guard let (index, next) = waiting.popLast() else { return }
                group.addTask { (index, await measured(next)) }
            }
            for _ in 0..<configuration.jobs { start() }
            while let (index, played) = await group.next() {
                if let (report, standstill) = played {
                    reports[index] = report
                    if report.hasFailed, standstill.isLong { disturbed.append(index) } else { onReport(report) }
                }
                if !Task.isCancelled { start() }
            }
            return (reports, disturbed.sorted())
        }
    }

    /// Plays a case and measures how long the machine stood still meanwhile.
    private func measured(_ each: Case) async -> (CaseReport, Standstill)? {
        let standstill = Standstill()
        let measuring = Task { await standstill.measure() }
        defer { measuring.cancel() }
        guard var report = await play(each) else { return nil }
        if report.hasFailed, standstill.isLong { report.log.append(standstill.text) }
        return (report, standstill)
    }

    private func play(_ each: Case) async -> CaseReport? {
        let (began, limit) = (ContinuousClock.now, configuration.limit)
        var report = each.report
        if case .leftOut = report.outcome { return report }
        let played =
            switch each {
            case .vector(let vector):
                await outcome(timeUs: vector.nowUs) { stage in
                    var played = VectorCase(vector, stage, limit: limit)
                    try await played.play()
                }
            case .random(let seed):
                await outcome(timeUs: 1000) { stage in
                    var played = RandomCase(seed: seed, stage, limit: limit)
                    try await played.play()
                }
            }
        guard let played else { return nil }
        (report.outcome, report.log) = played
        report.duration = ContinuousClock.now - began
        return report
    }

    /// Opens a stage, plays, and closes it.
    /// - Returns: nil when it was cancelled.
    private func outcome(
        timeUs: Int64, _ body: (Stage) async throws -> Void
    ) async -> (CaseReport.Outcome, log: [String])? {
        let stage: Stage
        do {
            stage = try await Stage.open(configuration.command, timeUs: timeUs, limit: configuration.limit)
        } catch {
            let difference = Difference(place: "at the start", expected: "a client that runs", seen: "\(error)")
            return (.failed([difference]), [])
        }
        var outcome: CaseReport.Outcome? = .passed
        do {
            try await body(stage)
        } catch let failure as CaseFailure {
            outcome = .failed(failure.differences)
        } catch let unsupported as Unsupported {
            outcome = .leftOut("the client does not take the command \"\(unsupported.command)\"")
        } catch is CancellationError {
            outcome = nil
        } catch {
            outcome = .failed([Difference(place: stage.place, expected: "a case that can be played", seen: "\(error)")])
        }
        await stage.close()
        return outcome.map { ($0, stage.log) }
    }
}
