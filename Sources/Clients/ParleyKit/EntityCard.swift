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

/// The cards that an app holds.
@MainActor
final class EntityCards {
    private struct Held<Entity: Identifiable & Hashable & Sendable> {
        weak var card: EntityCard<Entity>?
    }

    private var events: [EventID: Held<Event>] = [:]
    private var decisions: [DecisionID: Held<Decision>] = [:]

    fileprivate func card(of id: EventID, in parley: Parley) -> EntityCard<Event> {
        if let card = events[id]?.card { return card }
        let card = EntityCard<Event>(id)
        events = events.filter { $0.value.card != nil }
        events[id] = Held(card: card)
        card.entity = parley.events.first { $0.id == id }
        if card.entity == nil { read(card, parley) }
        return card
    }

    fileprivate func card(of id: DecisionID, in parley: Parley) -> EntityCard<Decision> {
        if let card = decisions[id]?.card { return card }
        let card = EntityCard<Decision>(id)
        decisions = decisions.filter { $0.value.card != nil }
        decisions[id] = Held(card: card)
        card.entity = parley.decisions.first { $0.id == id }
        if card.entity == nil { read(card, parley) }
        return card
    }

    /// The events that concern me changed. What I did is on top. One of mine that left was deleted; another one may
    /// still be shown to me.
    func take(_ shown: [Event], before: [Event], in parley: Parley) {
        guard !events.isEmpty else { return }
        for event in shown { if let card = events[event.id]?.card, card.entity != event { card.entity = event } }
        let ids = Set(shown.map(\.id))
        for event in before where !ids.contains(event.id) {
            guard let card = events[event.id]?.card else { continue }
            if event.creator == parley.user { card.entity = nil } else { read(card, parley) }
        }
    }

    /// My decisions changed, as ``take(_:before:in:)`` has it of events.
    func take(_ shown: [Decision], before: [Decision], in parley: Parley) {
        guard !decisions.isEmpty else { return }
        for decision in shown {
            if let card = decisions[decision.id]?.card, card.entity != decision { card.entity = decision }
        }
        let ids = Set(shown.map(\.id))
        for decision in before where !ids.contains(decision.id) {
            guard let card = decisions[decision.id]?.card else { continue }
            if decision.author == parley.user { card.entity = nil } else { read(card, parley) }
        }
    }

    /// A message that shows a card came or changed: so did what the card shows.
    func noteChanged(_ note: SystemNote?, in parley: Parley) {
        switch note {
        case .eventShared(let id, _): if let card = events[id]?.card { read(card, parley) }
        case .decisionShared(let id, _): if let card = decisions[id]?.card { read(card, parley) }
        default: break
        }
    }

    /// Another person may sign in: what an app still holds stays as it is, and is nobody's card any more.
    func forget() { (events, decisions) = ([:], [:]) }

    /// There is a connection: what could not be read is read.
    func readMissing(in parley: Parley) {
        for card in events.values.compactMap(\.card) where card.entity == nil { read(card, parley) }
        for card in decisions.values.compactMap(\.card) where card.entity == nil { read(card, parley) }
    }

    private func read(_ card: EntityCard<Event>, _ parley: Parley) {
        read(card) { [weak parley] id async throws(Refusal) -> Event in
            guard let parley else { throw .wasClosed }
            let event = try await parley.event(id)
            // What I did and the server does not have is in the list.
            return parley.events.first { $0.id == id && $0.syncStatus == .pending } ?? event
        }
    }

    private func read(_ card: EntityCard<Decision>, _ parley: Parley) {
        read(card) { [weak parley] id async throws(Refusal) -> Decision in
            guard let parley else { throw .wasClosed }
            return try await parley.decision(id)
        }
    }

    private func read<Entity>(
        _ card: EntityCard<Entity>, _ ask: @escaping @MainActor (EntityID<Entity>) async throws(Refusal) -> Entity
    ) {
        guard card.reading == nil else { return card.mustReadAgain = true }
        card.reading = Task { [weak card] in
            repeat {
                guard let id = card?.id else { return }
                card?.mustReadAgain = false
                do throws(Refusal) {
                    let entity = try await ask(id)
                    card?.entity = entity
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
    public func card(of event: EventID) -> EntityCard<Event> { cards.card(of: event, in: self) }

    /// Returns the card of a decision, always the same object while it is held.
    public func card(of decision: DecisionID) -> EntityCard<Decision> { cards.card(of: decision, in: self) }
}
