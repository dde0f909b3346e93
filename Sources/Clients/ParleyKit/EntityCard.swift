import Foundation
import Observation

/// An event or a decision that a message shows as a card, also of others. It stays as new as what the server has, as
/// long as an app holds it.
///
///     if case .eventShared(let id, _) = message.note {
///         let card = parley.card(of: id)
///         show(card.entity?.title ?? "…")
///     }
@MainActor
@Observable
public final class EntityCard<Entity: Identifiable & Hashable & Sendable> {
    public let id: EntityID<Entity>
    /// Nil: it is not known yet, or I do not see it.
    public fileprivate(set) var entity: Entity?
    /// Why it could not be read; nil: it was, or is being read.
    public fileprivate(set) var problem: Refusal?

    @ObservationIgnored fileprivate var reading: Task<Void, Never>?
    /// Whether it changed while it was read.
    @ObservationIgnored fileprivate var mustReadAgain = false

    fileprivate init(_ id: EntityID<Entity>) { self.id = id }
}

/// Something that a message shows as a card.
protocol CardEntity: ListedThing, Identifiable where ID == EntityID<Self> {
    var maker: UserID { get }
    /// Asks the server for it.
    @MainActor static func read(_ id: ID, in parley: Parley) async throws(Refusal) -> Self
}

extension Event: CardEntity {
    var maker: UserID { creator }

    static func read(_ id: EventID, in parley: Parley) async throws(Refusal) -> Event { try await parley.event(id) }
}

extension Decision: CardEntity {
    var maker: UserID { author }

    static func read(_ id: DecisionID, in parley: Parley) async throws(Refusal) -> Decision {
        try await parley.decision(id)
    }
}

/// The cards that an app holds.
@MainActor
final class EntityCards {
    let events = HeldCards<Event>()
    let decisions = HeldCards<Decision>()

    /// A message that shows a card came or changed: so did what the card shows.
    func noteChanged(_ note: SystemNote?, in parley: Parley) {
        switch note {
        case .eventShared(let id, _): events.noteChanged(id, in: parley)
        case .decisionShared(let id, _): decisions.noteChanged(id, in: parley)
        default: break
        }
    }

    /// Another person may sign in: what an app still holds stays as it is, and is nobody's card any more.
    func forget() {
        events.forget()
        decisions.forget()
    }

    /// There is a connection: what could not be read is read.
    func readMissing(in parley: Parley) {
        events.readMissing(in: parley)
        decisions.readMissing(in: parley)
    }
}

/// The cards of one kind that an app holds.
@MainActor
final class HeldCards<Entity: CardEntity> {
    private struct Held {
        weak var card: EntityCard<Entity>?
    }

    private var held: [EntityID<Entity>: Held] = [:]

    func card(of id: EntityID<Entity>, in parley: Parley) -> EntityCard<Entity> {
        if let card = held[id]?.card { return card }
        let card = EntityCard<Entity>(id)
        held = held.filter { $0.value.card != nil }
        held[id] = Held(card: card)
        card.entity = parley[keyPath: Entity.list].first { $0.id == id }
        if card.entity == nil { read(card, parley) }
        return card
    }

    /// My list changed. What I did is on top. One of mine that left was deleted; another one may still be shown to me.
    func listChanged(from before: [Entity], in parley: Parley) {
        guard !held.isEmpty else { return }
        let shown = parley[keyPath: Entity.list]
        for entity in shown { if let card = held[entity.id]?.card, card.entity != entity { card.entity = entity } }
        let ids = Set(shown.map(\.id))
        for entity in before where !ids.contains(entity.id) {
            guard let card = held[entity.id]?.card else { continue }
            if entity.maker == parley.user { card.entity = nil } else { read(card, parley) }
        }
    }

    func noteChanged(_ id: EntityID<Entity>, in parley: Parley) {
        if let card = held[id]?.card { read(card, parley) }
    }

    func forget() { held = [:] }

    func readMissing(in parley: Parley) {
        for card in held.values.compactMap(\.card) where card.entity == nil { read(card, parley) }
    }

    private func read(_ card: EntityCard<Entity>, _ parley: Parley) {
        guard card.reading == nil else { return card.mustReadAgain = true }
        card.reading = Task { [weak card, weak parley] in
            repeat {
                guard let id = card?.id, let parley else { return }
                card?.mustReadAgain = false
                do throws(Refusal) {
                    let entity = try await Entity.read(id, in: parley)
                    // What I did and the server does not have is in the list.
                    let mine = parley[keyPath: Entity.list].first { $0.id == id && $0.syncStatus == .pending }
                    card?.entity = mine ?? entity
                    card?.problem = nil
                } catch {
                    card?.problem = error
                    // It was deleted, or is no longer shared with me.
                    if error.code == .notFound || error.code == .decisionNotFound { card?.entity = nil }
                }
            } while card?.mustReadAgain ?? false
            card?.reading = nil
        }
    }
}

extension Parley {
    /// Returns the card of an event, always the same object while it is held. It asks the server for one that is not
    /// mine, and again when it has changed.
    public func card(of event: EventID) -> EntityCard<Event> { cards.events.card(of: event, in: self) }

    /// Returns the card of a decision, always the same object while it is held.
    public func card(of decision: DecisionID) -> EntityCard<Decision> { cards.decisions.card(of: decision, in: self) }
}
