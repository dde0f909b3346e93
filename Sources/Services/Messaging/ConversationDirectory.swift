import Postgres
import Reactor
import ServiceKit

/// A cache of conversation numbers by id. A pairing never changes, so a cached number stays valid. Unknown ids are not
/// cached, because the conversation may be created later.
///
/// ``number(of:)`` reads the database. All its calls in one turn of the event loop share one statement.
@ReactorActor
final class ConversationDirectory {
    private typealias Waiter = CheckedContinuation<Int64?, any Error>

    private let database: Database
    /// Two generations make eviction cheap: an id not looked up during a whole generation is dropped.
    private var young: [String: Int64] = [:]
    private var old: [String: Int64] = [:]
    private let generationLimit: Int
    private var waiting: [String: [Waiter]] = [:]
    private var isLoading = false

    init(database: Database, remembers limit: Int = 200_000) {
        self.database = database
        generationLimit = limit / 2
    }

    /// Returns the cached number, if any.
    func known(_ id: ConversationID) -> Int64? { recall(id.rawValue) }

    /// Reads the number from the database. Nil if no such conversation exists.
    func number(of id: ConversationID) async throws -> Int64? {
        try await withCheckedThrowingContinuation { waiter in
            waiting[id.rawValue, default: []].append(waiter)
            guard !isLoading else { return }
            isLoading = true
            Reactor.shared.atEndOfTurn { [unowned self] in Task.immediate { @ReactorActor in await self.load() } }
        }
    }

    /// Reads the numbers of several conversations in one statement. Nil for each that does not exist.
    func numbers(of ids: [ConversationID]) async throws -> [Int64?] {
        let lookups = ids.map { id in Task.immediate { @ReactorActor in try await number(of: id) } }
        var numbers: [Int64?] = []
        for lookup in lookups { numbers.append(try await lookup.value) }
        return numbers
    }

    private func recall(_ id: String) -> Int64? {
        if let number = young[id] { return number }
        guard let number = old[id] else { return nil }
        remember(id, number)
        return number
    }

    private func remember(_ id: String, _ number: Int64) {
        if young.count >= generationLimit {
            old = young
            young = [:]
        }
        young[id] = number
    }

    private func load() async {
        while !waiting.isEmpty {
            let batch = waiting
            waiting = [:]
            do {
                let found = try await database.query(MessagingStore.conversationNumbers, .texts(Array(batch.keys)))
                for (id, number) in found { remember(id, number) }
                let numbers = Dictionary(uniqueKeysWithValues: found)
                for (id, waiters) in batch { for waiter in waiters { waiter.resume(returning: numbers[id]) } }
            } catch {
                for waiter in batch.values.joined() { waiter.resume(throwing: error) }
            }
        }
        isLoading = false
    }
}
