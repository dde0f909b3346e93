/// Finishes what depends on a whole conversation: which replies have their message, and who read everything.
struct TalkWriter {
    private var items: [Conversion.Item] = []
    private var taken = 0
    private var talk: ImportedTalk?
    private var seen: Set<UInt64> = []
    private var states: [ImportedState] = []
    private(set) var isEnded = false
    /// Whether members of groups read only what was sent since they joined, or what their own export has.
    private let keepsWindows: Bool
    private var windows = Windows()

    init(keepsWindows: Bool) { self.keepsWindows = keepsWindows }

    mutating func next() -> Conversion.Item? {
        guard taken < items.count else {
            items.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return items[taken - 1]
    }

    mutating func begin(_ talk: ImportedTalk) {
        flush()
        (self.talk, seen, states) = (talk, [], [])
        windows = Windows(of: talk)
        items.append(.talk(talk))
    }

    mutating func add(_ message: ImportedMessage, _ report: Report) throws(ImportError) {
        var message = message
        if let target = message.replyTo, !seen.contains(Self.short(target)) {
            message.replyTo = nil
            try report.note(
                "replies", message.path, .changed,
                "it answers a message that is not there or comes later: the reply is cut")
        }
        seen.insert(Self.short(message.uuid))
        if keepsWindows { windows.add(message) }
        items.append(.message(message))
    }

    mutating func add(_ state: ImportedState) { states.append(state) }

    mutating func end() -> Conversion.Item? {
        flush()
        isEnded = true
        return next()
    }

    /// An export without a mark of anybody in a conversation keeps none: all of it counts as read.
    private mutating func flush() {
        guard let talk else { return }
        let members = Set((talk.members + talk.formerMembers).map(\.person))
        var shown = states.filter { members.contains($0.person) }
        if !shown.contains(where: \.hasMark) {
            let named = Set(shown.map(\.person))
            shown = shown.map { state in
                var state = state
                state.unread = 0
                return state
            }
            shown += members.subtracting(named).sorted().map { ImportedState(person: $0, unread: 0) }
        }
        if keepsWindows { windows.add(to: &shown) }
        items += shown.map(Conversion.Item.state)
        self.talk = nil
    }

    /// From which message on the members of a group may read it.
    private struct Windows {
        /// Those who have not joined yet, the first one last.
        private var waiting: [ImportedTalk.Member] = []
        private var starts: [String: [UInt8]] = [:]
        private var first: [UInt8]?

        init() {}

        init(of talk: ImportedTalk) {
            guard talk.isGroup else { return }
            waiting = talk.members.filter { $0.joinedAt != nil }.sorted { ($0.joinedAt ?? 0) > ($1.joinedAt ?? 0) }
        }

        mutating func add(_ message: ImportedMessage) {
            if first == nil { first = message.uuid }
            while let member = waiting.last, member.joinedAt ?? 0 <= message.sentAt {
                starts[member.person] = message.uuid
                waiting.removeLast()
            }
        }

        /// The person's own export says best what they may read.
        func add(to states: inout [ImportedState]) {
            guard let first else { return }
            var found = starts
            for member in waiting { found[member.person] = [] }
            for index in states.indices {
                let start = states[index].firstMessage ?? found[states[index].person]
                states[index].firstMessage = start == first ? nil : start
                found[states[index].person] = nil
            }
            for (person, start) in found.sorted(by: { $0.key < $1.key }) where start != first {
                states.append(ImportedState(person: person, firstMessage: start))
            }
        }
    }

    private static func short(_ uuid: [UInt8]) -> UInt64 { uuid.suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
