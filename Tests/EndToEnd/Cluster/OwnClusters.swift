import Foundation
import Testing

// Tests that disturb their cluster run on one of their own. As each mostly waits, several run side by side.

/// Tests of limits of time or memory.
@Suite("On clusters of their own", .fewClusters)
struct OwnClusters {}

/// Tests with several replicas of a service, some of which die or freeze.
@Suite("On clusters of their own: replicas", .fewClusters)
struct ReplicaClusters {}

/// Tests in which processes die under load.
@Suite("On clusters of their own: faults", .fewClusters)
struct FaultClusters {}

/// Tests of operations: backups, other stores, monitors, logs.
@Suite("On clusters of their own: operations", .fewClusters)
struct OperatedClusters {}

extension Trait where Self == FewClusters {
    /// At most five tests for two cores run together, in all suites with this trait.
    static var fewClusters: Self { FewClusters() }
}

/// Lets each test of a suite wait for one of the places that all such suites share.
struct FewClusters: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await body() }
        // `Tests/tier` reads these lines to tell which tests a process was at when it hung.
        Self.say("◇ Test \(test.quotedName) waits for its turn.")
        await Places.shared.take()
        Self.say("◇ Test \(test.quotedName) has its turn.")
        do {
            try await body()
        } catch {
            await Places.shared.giveBack()
            throw error
        }
        await Places.shared.giveBack()
    }

    /// Prints a line at once, also when the output is a file.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private actor Places {
        static let shared = Places(5 * ProcessInfo.processInfo.activeProcessorCount / 2)

        private var free: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(_ count: Int) { free = count }

        func take() async {
            if free > 0 {
                free -= 1
            } else {
                await withCheckedContinuation { waiting.append($0) }
            }
        }

        func giveBack() {
            if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
        }
    }
}

extension Test {
    /// Its name as a line of the run's output has it.
    fileprivate var quotedName: String { displayName.map { "\"\($0)\"" } ?? name }
}
