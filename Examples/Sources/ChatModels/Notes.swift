import Foundation
import ParleyKit

/// Puts into words what happened in a conversation.
struct Notes {
    let me: UserID?
    let name: (UserID) -> String
    var words = Words()

    func text(of note: SystemNote) -> String {
        switch note {
        case .joined(let people, let actor):
            people == [actor] ? "\(who(actor)) joined" : "\(who(actor)) added \(whom(people))"
        case .left(let person): "\(who(person)) left"
        case .removed(let people, let actor): "\(who(actor)) removed \(whom(people))"
        case .renamed(let title, let actor): "\(who(actor)) named the group “\(title)”"
        case .photoChanged(let actor): "\(who(actor)) changed the picture"
        case .ownerChanged(let person, let actor): "\(who(actor)) made \(whom([person])) the owner"
        case .adminsAdded(let people, let actor): "\(who(actor)) made \(whom(people)) admin"
        case .adminsRemoved(let people, let actor): "\(who(actor)) made \(whom(people)) a member again"
        case .retentionChanged(let time?, let actor): "\(who(actor)) lets messages disappear after \(span(time))"
        case .retentionChanged(nil, let actor): "\(who(actor)) lets messages stay"
        case .decisionShared(_, let actor): "\(who(actor)) shared a decision"
        case .eventShared(_, let actor): "\(who(actor)) shared an event"
        case .other: "Something happened that this version does not know"
        }
    }

    private func who(_ person: UserID) -> String { person == me ? "You" : name(person) }
    private func whom(_ people: [UserID]) -> String { words.list(people.map { $0 == me ? "you" : name($0) }) }

    private func span(_ time: Duration) -> String {
        time.formatted(.units(allowed: [.days, .hours, .minutes, .seconds], width: .wide).locale(words.locale))
    }
}
