import Postgres
import Reactor
import Schema
import Wire

/// Where a statement of ``States`` finds the entries to replay: $1 subjects, $2 objects and $3 positions.
public let replayedEntries = """
    unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS e (subject, object, position, ordinal)
    """

/// The current state of the object that an entry of the journal is about.
public struct CurrentState<State: StreamState>: Sendable {
    /// Which of the entries it is, from 1.
    public var ordinal: Int
    /// The id of the user or conversation that the stream belongs to.
    public var owner: String
    /// Nil if a later entry has the state.
    public var state: State?

    public init(ordinal: Int, owner: String, state: State?) {
        (self.ordinal, self.owner, self.state) = (ordinal, owner, state)
    }
}

/// The states that a service stores, registered beside its routes: how the Updates of each kind of its journal are
/// rebuilt, and how the data of an erased person is deleted.
///
/// ```swift
/// states.on(.reminder, current: EntitiesStore.currentReminders, erase: [EntitiesStore.eraseReminders])
/// ```
@ReactorActor
public struct States<Kind: JournalKind> {
    typealias Replayer = @ReactorActor ([JournalEntry]) async throws -> [ReplayedUpdate]

    private let database: Database
    private var replayers: [(kinds: Set<Int16>, replay: Replayer)] = []
    private var notes: Set<Int16> = []
    /// Statements that delete a person's data, in order of registration.
    private(set) var erasure: [Statement<Void>] = []
    /// Returns whether more data of $1 account may still appear; nil if it cannot.
    public var mayGrow: Statement<Bool>?

    init(database: Database) { self.database = database }

    /// Registers kinds of entries by a statement.
    /// - Parameters:
    ///   - current: reads ``replayedEntries``. Returns a row for each entry that still has a stream.
    ///   - erase: each takes $1 account and $2 the maximum number of rows to delete.
    public mutating func on<State: StreamState>(
        _ kinds: Kind..., current: Statement<CurrentState<State>>, erase: [Statement<Void>] = []
    ) {
        add(kinds, erase) { [database] entries in
            let found = try await database.query(
                current, .int64s(entries.map(\.subject)), .int64s(entries.map(\.object)),
                .numbers(entries.map(\.position)))
            return Self.updates(of: entries, found)
        }
    }

    /// Registers kinds of entries by a function.
    /// - Parameters:
    ///   - current: returns the current states of some entries, in a few statements. Entries whose stream no longer
    ///     exists are left out.
    ///   - erase: each takes $1 account and $2 the maximum number of rows to delete.
    public mutating func on<State: StreamState>(
        _ kinds: Kind..., current: @escaping @ReactorActor ([JournalEntry]) async throws -> [CurrentState<State>],
        erase: [Statement<Void>] = []
    ) {
        add(kinds, erase) { entries in Self.updates(of: entries, try await current(entries)) }
    }

    /// Registers kinds of entries that are rebuilt in another way, such as control messages to gateways.
    /// - Parameter replay: returns the Updates of some entries, made by ``JournalEntry/replayed(control:)`` and
    ///   ``JournalEntry/superseded(stream:)``.
    public mutating func on(
        _ kinds: Kind..., replay: @escaping @ReactorActor ([JournalEntry]) async throws -> [ReplayedUpdate]
    ) {
        add(kinds, [], replay)
    }

    /// Registers kinds that only services follow. They have no Update.
    public mutating func notes(_ kinds: Kind...) {
        for kind in kinds { notes.insert(kind.number) }
    }

    /// Registers data of a person that has no kind of its own.
    /// - Parameter statements: each takes $1 account and $2 the maximum number of rows to delete.
    public mutating func erase(_ statements: Statement<Void>...) { erasure += statements }

    private mutating func add(_ kinds: [Kind], _ erase: [Statement<Void>], _ replay: @escaping Replayer) {
        replayers.append((Set(kinds.map(\.number)), replay))
        erasure += erase
    }

    private static func updates<State>(
        of entries: [JournalEntry], _ states: [CurrentState<State>]
    ) -> [ReplayedUpdate] {
        states.map { current in
            let (entry, stream) = (entries[current.ordinal - 1], State.stream(of: current.owner))
            return current.state.map { entry.replayed($0, stream: stream) } ?? entry.superseded(stream: stream)
        }
    }

    /// Traps unless each kind of the contract is registered once.
    func check() {
        let registered = (replayers.flatMap(\.kinds) + notes).sorted()
        precondition(
            registered == Kind.allCases.map(\.number).sorted(),
            "\(Kind.self): registered are the kinds \(registered); register each of link.proto once")
    }

    /// Rebuilds the Updates of entries of one lane, with the current states. Kinds from newer versions have none.
    func replay(_ entries: [JournalEntry]) async throws -> [ReplayedUpdate] {
        var updates: [ReplayedUpdate] = []
        for (kinds, replay) in replayers {
            let some = entries.filter { kinds.contains($0.kind) }
            if !some.isEmpty { updates += try await replay(some) }
        }
        return updates
    }
}
