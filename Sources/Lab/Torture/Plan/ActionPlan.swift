/// The kinds of action of a person.
public enum ActionKind: String, CaseIterable, Sendable {
    case send
    /// Sends the same message through both gateways at the same time.
    case sendTwice
    /// Sends again a message that was accepted earlier.
    case sendAgain
    /// Sends a message that must be refused.
    case sendBadly
    case history, sync
    case remind, completeReminder
    /// Records a decision: private, or shared with a conversation, perhaps in place of an earlier one.
    case decide
    case deleteDecision
    /// Creates an event, perhaps with conversations invited.
    case createEvent
    case answerEvent
    /// Calls an event off, or deletes it.
    case endEvent
    case direct
    /// Two people start the same direct conversation at the same time.
    case directBothAtOnce
    case group
    case addMember, removeMember, leaveGroup
    case otherDevice, endDevice
    case watchPresence
    /// Changes what the person says of themselves, or from whom they hide.
    case setPresence
    case setActivity
    /// Types in a conversation, and perhaps stops.
    case type
    case register
    /// The person's slow device reads nothing for a while.
    case readSlowly
    case sendFile
    case edit
    /// Edits another person's message, which must be refused.
    case editBadly
    case delete
    /// Adds or removes a reaction.
    case react
    case star
    case markRead
    case pin, mute
    /// Asks another person to write to them.
    case request
    /// Accepts a message request or an invitation into a group, or declines an invitation.
    case acceptRequest
    case withdrawInvitation
    /// Blocks another person, and unblocks them in most cases.
    case block
}

/// An action with all the random numbers it may need.
public struct Choice: Hashable, Sendable {
    public var kind: ActionKind
    /// Random numbers that select a conversation, a person, a length …, modulo the number of possibilities.
    public var which: [Int]
    /// Milliseconds until the next action.
    public var pause: Int

    public init(kind: ActionKind, which: [Int], pause: Int) {
        (self.kind, self.which, self.pause) = (kind, which, pause)
    }

    /// Returns one of the elements; nil if there is none.
    public func pick<Element>(_ elements: [Element], by index: Int = 0) -> Element? {
        elements.isEmpty ? nil : elements[which[index] % elements.count]
    }
}

/// The endless sequence of a person's actions, determined by the seed and the person's number. Pure.
public struct ActionPlan: Sequence, IteratorProtocol, Sendable {
    private var random: SeededRandom

    public init(seed: UInt64, person: Int) {
        random = SeededRandom(seed: seed, part: "person \(person)")
    }

    public mutating func next() -> Choice? {
        var draw = random.below(Self.total)
        var kind = ActionKind.send
        for (candidate, weight) in Self.weights {
            if draw < weight {
                kind = candidate
                break
            }
            draw -= weight
        }
        let which = (0..<4).map { _ in random.below(1 << 30) }
        return Choice(kind: kind, which: which, pause: random.number(5...120))
    }

    private static let weights: [(ActionKind, Int)] = [
        (.send, 420), (.sendTwice, 80), (.sendAgain, 60), (.sendBadly, 40), (.history, 80), (.sync, 50),
        (.remind, 60), (.completeReminder, 50), (.decide, 50), (.deleteDecision, 15), (.createEvent, 40),
        (.answerEvent, 70), (.endEvent, 12), (.direct, 20), (.directBothAtOnce, 10), (.group, 15),
        (.addMember, 30), (.removeMember, 15), (.leaveGroup, 10), (.otherDevice, 8), (.endDevice, 8),
        (.watchPresence, 20), (.setPresence, 25), (.setActivity, 20), (.type, 60), (.register, 4), (.readSlowly, 10),
        (.sendFile, 25), (.edit, 80), (.editBadly, 10),
        (.delete, 25), (.react, 80), (.star, 30), (.markRead, 60), (.pin, 20), (.mute, 20), (.request, 40),
        (.acceptRequest, 80), (.withdrawInvitation, 5), (.block, 25),
    ]
    private static let total = weights.reduce(0) { $0 + $1.1 }
}
