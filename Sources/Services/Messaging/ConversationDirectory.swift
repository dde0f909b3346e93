import Postgres
import Reactor
import ServiceKit

/// Conversation numbers by id. The pairing never changes, so what is once known stays right; an id not there is not
/// remembered, since it may come to be.
///
/// What a turn of the loop asks for and is not known goes to the database in one statement.
@ReactorActor
final class ConversationDirectory {
    private typealias Waiter = CheckedContinuation<Int64?, any Error>

    private let database: Database
    /// Two generations, so that forgetting is cheap: what was not asked for during a whole generation goes.
    private var young: [String: Int64] = [:]
    private var old: [String: Int64] = [:]
    private let generationLimit: Int
    private var waiting: [String: [Waiter]] = [:]
    private var isLoading = false

    init(database: Database, remembers limit: Int = 200_000) {
        self.database = database
        generationLimit = limit / 2
    }

    /// The number, if it was asked for before.
    func known(_ id: ConversationID) -> Int64? { recall(id.rawValue) }

    /// The number, as the database says it; nil when there is no such conversation.
    func number(of id: ConversationID) async throws -> Int64? {
        try await withCheckedThrowingContinuation { waiter in
            waiting[id.rawValue, default: []].append(waiter)
            guard !isLoading else { return }
            isLoading = true
            Reactor.shared.atEndOfTurn { [unowned self] in Task.immediate { @ReactorActor in await self.load() } }
        }
    }

    /// The numbers of several, in one statement; nil for those that are not there.
    func numbers(of ids: [ConversationID]) async throws -> [Int64?] {
        let asked = ids.map { id in Task.immediate { @ReactorActor in try await number(of: id) } }
        var numbers: [Int64?] = []
        for one in asked { numbers.append(try await one.value) }
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
            let asked = waiting
            waiting = [:]
            do {
                let found = try await database.query(MessagingStore.conversationNumbers, .texts(Array(asked.keys)))
                for (id, number) in found { remember(id, number) }
                let numbers = Dictionary(uniqueKeysWithValues: found)
                for (id, waiters) in asked { for waiter in waiters { waiter.resume(returning: numbers[id]) } }
            } catch {
                for waiter in asked.values.joined() { waiter.resume(throwing: error) }
            }
        }
        isLoading = false
    }
}
