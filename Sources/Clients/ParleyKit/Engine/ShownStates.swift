import Foundation
import ParleyClient

/// What an app is shown of one kind of states without an order: what the server has said, with what I did on top.
/// ``Parley/shownStates`` has one for each kind.
@MainActor
protocol ShownStates: AnyObject {
    /// Reads what the server has said.
    /// - Returns: whether the store could be read.
    func load(in parley: Parley) async -> Bool
    /// Shows it, if that changes anything.
    func show(in parley: Parley)
    /// Hides what has ended without a word of the server.
    func hideEnded(at now: Date, in parley: Parley)
    /// Forgets it, since nobody is signed in.
    func forget(in parley: Parley)
}

extension ShownStates {
    func hideEnded(at now: Date, in parley: Parley) {}
}

/// Something that is shown in a list of ``Parley``, and may not be what the server has yet.
protocol ListedThing: Hashable, Sendable {
    /// What the server says of it.
    associatedtype Stored: KeyedState
    init(_ stored: Stored)
    var idData: Data { get }
    var syncStatus: SyncStatus { get set }
    /// Whether it is shown before another one.
    func precedes(_ other: Self) -> Bool
    /// Whether it has ended, of which the server does not tell.
    func hasEnded(at now: Date) -> Bool
    /// Where apps see it.
    @MainActor static var list: ReferenceWritableKeyPath<Parley, [Self]> { get }
    /// Does what else follows from a change of the list.
    @MainActor static func listChanged(from before: [Self], in parley: Parley)
}

extension ListedThing {
    func hasEnded(at now: Date) -> Bool { false }
    @MainActor static func listChanged(from before: [Self], in parley: Parley) {}
}

extension StoreReader {
    /// Returns all things of a kind, in the order in which they are shown.
    func all<Thing: ListedThing>(_: Thing.Type) throws -> [Thing] {
        try states(Thing.Stored.stateKind).map { Thing(try Thing.Stored(serializedBytes: $0)) }
            .sorted { $0.precedes($1) }
    }
}

/// A list of ``Parley``.
final class ShownList<Thing: ListedThing>: ShownStates {
    private var confirmed: [Thing] = []

    func load(in parley: Parley) async -> Bool {
        guard let found = await parley.read({ try $0.all(Thing.self) }) else { return false }
        confirmed = found
        return true
    }

    func show(in parley: Parley) {
        let me = parley.user ?? UserID(rawValue: "")
        let now = Date(microseconds: parley.account?.now ?? ServerClock().now())
        let shown = parley.outbox.entries.reduce(into: confirmed) { $1.item.apply(to: &$0, me: me) }
            .filter { !$0.hasEnded(at: now) }.sorted { $0.precedes($1) }
        let before = parley[keyPath: Thing.list]
        guard before != shown else { return }
        parley[keyPath: Thing.list] = shown
        Thing.listChanged(from: before, in: parley)
    }

    func hideEnded(at now: Date, in parley: Parley) {
        if parley[keyPath: Thing.list].contains(where: { $0.hasEnded(at: now) }) { show(in: parley) }
    }

    func forget(in parley: Parley) {
        confirmed = []
        parley[keyPath: Thing.list] = []
    }
}

final class ShownProfile: ShownStates {
    private var confirmed: Profile?

    func load(in parley: Parley) async -> Bool {
        let found = await parley.read {
            try $0.states(.profile).first.map { Profile(try Parley_V1_Profile(serializedBytes: $0)) }
        }
        guard let found else { return false }
        confirmed = found
        return true
    }

    func show(in parley: Parley) {
        let shown = confirmed.map { parley.outbox.entries.reduce(into: $0) { $1.item.apply(to: &$0) } }
        if parley.profile != shown { parley.profile = shown }
    }

    func forget(in parley: Parley) { (confirmed, parley.profile) = (nil, nil) }
}

final class ShownBlocks: ShownStates {
    private var confirmed: [User] = []

    func load(in parley: Parley) async -> Bool {
        let found = await parley.read {
            try $0.states(.block).map { User(try Parley_V1_Block(serializedBytes: $0).user) }
        }
        guard let found else { return false }
        confirmed = found
        return true
    }

    func show(in parley: Parley) {
        let shown = parley.outbox.entries.reduce(into: confirmed) { $1.item.apply(to: &$0) }
        if parley.blocked != shown { parley.blocked = shown }
    }

    func forget(in parley: Parley) { (confirmed, parley.blocked) = ([], []) }
}

final class ShownRequestCount: ShownStates {
    private var confirmed = Parley.RequestCount()

    func load(in parley: Parley) async -> Bool {
        let found = await parley.read {
            try $0.states(.requestCount).first.map { try Parley_V1_RequestCount(serializedBytes: $0) }
        }
        guard let found else { return false }
        confirmed = found.map { .init(total: Int($0.total), unread: Int($0.unread)) } ?? .init()
        return true
    }

    func show(in parley: Parley) {
        if parley.requestCount != confirmed { parley.requestCount = confirmed }
    }

    func forget(in parley: Parley) { (confirmed, parley.requestCount) = (.init(), .init()) }
}
