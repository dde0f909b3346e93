import NIOConcurrencyHelpers

@testable import ParleyKit

/// A store that stands still from a moment on, as that of a process that was killed. Writes take a while: one that
/// began later may end sooner.
final class MortalStore: Store {
    private let base: any Store
    private let random: NIOLockedValueBox<Seeded>?
    /// How many more times it is written; nil: it goes on.
    private let left = NIOLockedValueBox<Int?>(nil)
    private let holding = NIOLockedValueBox((begins: false, goesOn: true))

    /// - Parameter random: how long writes take; nil: none takes any time.
    init(_ base: any Store, _ random: Seeded? = nil) {
        (self.base, self.random) = (base, random.map { .init($0) })
    }

    var isDead: Bool { left.withLockedValue { $0 == 0 } }

    func die(after writes: Int) { left.withLockedValue { $0 = writes } }

    /// The next write waits until ``letGo()``. Those that begin later do not wait for it.
    func holdNextWrite() { holding.withLockedValue { $0 = (true, false) } }

    func letGo() { holding.withLockedValue { $0 = (false, true) } }

    var holdsWrite: Bool { holding.withLockedValue { !$0.begins && !$0.goesOn } }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreWriter) throws -> Result
    ) async throws -> Result {
        await pass()
        let waits = holding.withLockedValue { holding in
            defer { holding.begins = false }
            return holding.begins
        }
        while waits, !holding.withLockedValue({ $0.goesOn }) { await Task.yield() }
        let lives = left.withLockedValue { left in
            guard let writes = left else { return true }
            if writes > 0 { left = writes - 1 }
            return writes > 0
        }
        guard lives else { throw StoreProblem.other("the process was killed") }
        let result = try await base.write(body)
        await pass()
        return result
    }

    private func pass() async {
        for _ in 0..<(random?.withLockedValue { Int.random(in: 0...6, using: &$0) } ?? 0) { await Task.yield() }
    }

    func close() async {}
}
