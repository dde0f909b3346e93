import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// A cache of conversation numbers by id. A pairing never changes, so a cached number stays valid. Unknown ids are not
/// cached, because the conversation may be created later.
///
/// ``number(of:_:)`` reads the database. All its calls in one turn of the event loop share one statement.
@ReactorActor
final class ConversationDirectory {
    typealias Waiter = (Result<ConversationNumber?, any Error>) -> Void

    private let database: Database
    /// Two generations make eviction cheap: an id not looked up during a whole generation is dropped.
    private var young: [String: ConversationNumber] = [:]
    private var old: [String: ConversationNumber] = [:]
    private let generationLimit: Int
    private var waiting: [String: [Waiter]] = [:]
    private var isLoading = false

    init(database: Database, remembers limit: Int = 200_000) {
        self.database = database
        generationLimit = limit / 2
    }

    /// A number that no conversation has. A request for a nonexistent conversation continues with it and so takes the
    /// same steps as one for a conversation that is not the caller's.
    static let nowhere: ConversationNumber = 0

    /// Runs a request about one conversation so that its caller cannot tell a conversation that does not exist from one
    /// that is not theirs: both take the same statements and end with `not_member`.
    /// - Parameters:
    ///   - text: the id, as the client sent it.
    ///   - body: takes the conversation's number, or ``nowhere``. It throws ``Refusal/notMember`` if the caller may not
    ///     see the conversation.
    /// - Throws: ``Refusal`` `not_member`; what `body` throws.
    func resolve<T>(
        _ text: String, _ body: @ReactorActor (ConversationRef) async throws -> T
    ) async throws -> T {
        guard let id = ConversationID(text) else { throw Refusal.notMember }
        let cached = known(id)
        let number = if let cached { cached } else { try await number(of: id) ?? Self.nowhere }
        do {
            return try await body(ConversationRef(id: id, number: number))
        } catch let refusal as Refusal where refusal == .notMember {
            // A nonexistent id is looked up each time, so a cached one is looked up as well.
            if cached != nil { _ = try await self.number(of: id) }
            throw refusal
        }
    }

    /// Returns the cached number, if any.
    func known(_ id: ConversationID) -> ConversationNumber? { recall(id.rawValue) }

    /// Reads the number from the database and gives it to `done`. Nil if no such conversation exists.
    func number(of id: ConversationID, _ done: @escaping Waiter) {
        waiting[id.rawValue, default: []].append(done)
        guard !isLoading else { return }
        isLoading = true
        Reactor.shared.atEndOfTurn { [unowned self] in Task.onLoop { await self.load() } }
    }

    /// Reads the number from the database. Nil if no such conversation exists.
    func number(of id: ConversationID) async throws -> ConversationNumber? {
        try await withCheckedThrowingContinuation { waiter in number(of: id) { waiter.resume(with: $0) } }
    }

    /// Reads the numbers of several conversations in one statement. Nil for each that does not exist.
    func numbers(of ids: [ConversationID]) async throws -> [ConversationNumber?] {
        let lookups = ids.map { id in Task.onLoop { try await self.number(of: id) } }
        var numbers: [ConversationNumber?] = []
        for lookup in lookups { numbers.append(try await lookup.value) }
        return numbers
    }

    private func recall(_ id: String) -> ConversationNumber? {
        if let number = young[id] { return number }
        guard let number = old[id] else { return nil }
        remember(id, number)
        return number
    }

    private func remember(_ id: String, _ number: ConversationNumber) {
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
                for (id, waiters) in batch { for waiter in waiters { waiter(.success(numbers[id])) } }
            } catch {
                for waiter in batch.values.joined() { waiter(.failure(error)) }
            }
        }
        isLoading = false
    }
}
