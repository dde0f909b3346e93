import Foundation
import Observation
import ParleyKit

/// The card of an event in a conversation that is invited to it.
@MainActor
@Observable
public final class EventCardModel: Acting {
    public var problem: Refusal?
    private let card: EntityCard<Event>
    private let parley: Parley
    private let conversation: ConversationID
    private let words: Words

    public init(
        _ card: EntityCard<Event>, in parley: Parley, from conversation: ConversationID, words: Words = Words()
    ) {
        (self.card, self.parley, self.conversation, self.words) = (card, parley, conversation, words)
    }

    /// Nil: it is not known yet, or was deleted.
    public var row: EventRow? { card.entity.map { EventRow($0, words) } }

    /// What to show instead.
    public var notice: String { card.problem == nil ? "An event …" : "This event cannot be shown." }

    public func answer(_ answer: Event.Answer) async {
        let (id, conversation) = (card.id, conversation)
        await attempt { () async throws(Refusal) in
            try await self.parley.answer(id, answer, in: conversation)
        }
    }
}
