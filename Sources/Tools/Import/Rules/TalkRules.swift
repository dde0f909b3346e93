/// What a conversation is in Parley, from all that an export says of it. Pure.
struct TalkRules {
    static let groupMembersMax = 1_000

    let places: Places

    /// A part of what an export says of a conversation.
    enum Piece {
        case fragment(Fragment)
        /// Somebody who wrote in it.
        case sender(String)

        /// The file that it is from, which tells two conversations of one id apart.
        var file: String {
            switch self {
            case .fragment(let fragment): String(fragment.path.prefix { $0 != ":" })
            case .sender: ""
            }
        }
    }

    struct Outcome {
        var talk: ImportedTalk
        var states: [ImportedState]
        var changes: [String]
    }

    /// Returns the pieces of each conversation of this id: by file where two stores have the id for different pairs,
    /// otherwise all of them under an empty name.
    func apart(_ pieces: [Piece]) -> [(file: String, pieces: [Piece])] {
        let files = Set(pieces.map(\.file)).subtracting([""]).sorted()
        let pairs = files.map { file in Set(members(of: pieces.filter { $0.file == file }).map(\.person)) }
        let differ = pairs.allSatisfy { $0.count == 2 } && Set(pairs).count == pairs.count && pairs.count > 1
        guard differ, !pieces.contains(where: isDeclaredGroup) else { return [("", pieces)] }
        return files.map { file in (file, pieces.filter { $0.file == file }) }
    }

    /// Returns the conversation; nil if nobody is in it.
    func talk(_ source: String, _ pieces: [Piece]) -> Outcome? {
        var changes: [String] = []
        var people = members(of: pieces)
        let left = people.filter { $0.leftAt != nil }
        // An export of somebody who stayed has what was said later, which is not for them.
        if left.count < people.count, !left.isEmpty {
            people.removeAll { $0.leftAt != nil }
            changes.append("\(left.map(\.person).joined(separator: ", ")) left it, and has it no more")
        }
        if people.isEmpty {
            people = senders(of: pieces).map { .init(person: $0) }
            if !people.isEmpty { changes.append("nothing says who is in it: whoever wrote is") }
        }
        guard !people.isEmpty else { return nil }
        var talk = ImportedTalk(sources: [source])
        let fragments = fragments(pieces)
        talk.path = fragments.first?.path ?? "conversations/\(source)"
        talk.creator = first(fragments) { $0.text("creator", places) }
        talk.createdAt = fragments.filter { $0.place != .chat }.compactMap { $0.time("time", places) }.min()
        let isNotes = people.count == 1 && isAlone(fragments)
        talk.isGroup = pieces.contains(where: isDeclaredGroup) || people.count > 2 || people.count == 1 && !isNotes
        if people.count > 2, first(fragments, { $0.text("kind", places) }) == "direct" {
            changes.append("a direct conversation of \(people.count) people is a group")
        }
        if talk.isGroup {
            describeGroup(&talk, source, people, fragments, &changes)
        } else {
            describePair(&talk, people, fragments, &changes)
        }
        return Outcome(talk: talk, states: states(fragments, talk), changes: changes)
    }

    /// Joins two conversations of one pair.
    func joined(_ a: ImportedTalk, _ b: ImportedTalk) -> ImportedTalk {
        var talk = a
        talk.sources = (a.sources + b.sources).sorted()
        talk.createdAt = [a.createdAt, b.createdAt].compactMap { $0 }.min()
        talk.creator = a.creator ?? b.creator
        // Who is accepted anywhere is accepted.
        if a.requester == nil || b.requester == nil { talk.requester = nil }
        talk.isRequestSeen = a.isRequestSeen || b.isRequestSeen
        talk.blocker = a.blocker ?? b.blocker
        return talk
    }

    // MARK: Kinds

    private func describeGroup(
        _ talk: inout ImportedTalk, _ source: String, _ people: [ImportedTalk.Member], _ fragments: [Fragment],
        _ changes: inout [String]
    ) {
        talk.id = DerivedID.group(source)
        if talk.id != source { changes.append("the id is none of Parley's: it is \(talk.id)") }
        if let given = first(fragments, { $0.text("name", places) }) {
            talk.name = PersonRules.name(given) ?? ""
            if talk.name != given { changes.append("the name is shortened or without what nobody sees: \(given)") }
        }
        talk.photo = first(fragments) { $0.text("photo", places) }.flatMap(PersonRules.photo) ?? ""
        let admins = Set(fragments.flatMap { $0.field("admins", places)?.people ?? [] })
        // By joining; the creator owns it.
        let ordered = people.enumerated().sorted { a, b in
            let isCreator = (a.element.person == talk.creator, b.element.person == talk.creator)
            if isCreator.0 != isCreator.1 { return isCreator.0 }
            return (a.element.joinedAt ?? 0, a.offset) < (b.element.joinedAt ?? 0, b.offset)
        }.map { item in
            var member = item.element
            member.isAdmin = admins.contains(member.person)
            return member
        }
        let present = ordered.filter { $0.leftAt == nil }
        talk.members = Array(present.prefix(Self.groupMembersMax))
        let beyond = present.dropFirst(Self.groupMembersMax)
        talk.formerMembers = beyond + ordered.filter { $0.leftAt != nil }
        if !beyond.isEmpty { changes.append("\(beyond.count) people beyond \(Self.groupMembersMax) have left it") }
    }

    private func describePair(
        _ talk: inout ImportedTalk, _ people: [ImportedTalk.Member], _ fragments: [Fragment], _ changes: inout [String]
    ) {
        talk.members = people
        talk.id = DerivedID.direct(people.map { DerivedID.person($0.person) })
        let status = first(fragments) { $0.text("status", places) }
        let requester = first(fragments) { $0.text("requester", places) }
        let isPair = people.count == 2 && people.contains { $0.person == requester }
        // A request of its own collection counts where the conversation says nothing.
        let isAsked = status == "pending" || status == nil && fragments.contains { $0.place == .request }
        if isAsked, isPair {
            talk.requester = requester
            talk.isRequestSeen = fragments.contains { fragment in
                let seen = fragment.field("seen", places)
                return seen?.isTrue ?? false || !(seen?.people ?? []).isEmpty && fragment.place == .conversation
            }
        }
        if status == "blocked" {
            talk.blocker = isPair ? people.map(\.person).first { $0 != requester } : nil
            if talk.blocker == nil { changes.append("it is blocked, and nothing says by whom: nobody is") }
        }
        if isAsked, !isPair { changes.append("it is a request, and nothing says whose: it is accepted") }
    }

    private func isDeclaredGroup(_ piece: Piece) -> Bool {
        guard case .fragment(let fragment) = piece, fragment.place == .conversation else { return false }
        return fragment.text("kind", places) == "group" || fragment.field("group", places)?.isTrue ?? false
    }

    /// Whether one person is in it twice: their notes.
    private func isAlone(_ fragments: [Fragment]) -> Bool {
        fragments.contains { fragment in
            let named = fragment.place == .conversation ? fragment.field("members", places)?.people ?? [] : []
            return named.count == 2 && named[0] == named[1]
        }
    }

    // MARK: People

    /// Whom an export names as members, in the order in which it does.
    private func members(of pieces: [Piece]) -> [ImportedTalk.Member] {
        var order: [String] = []
        var joins: [String: Int64] = [:]
        var leaves: [String: Int64] = [:]
        var seen: Set<String> = []
        for fragment in fragments(pieces) {
            var named: [String] = []
            switch fragment.place {
            case .conversation:
                named = fragment.field("members", places)?.people ?? []
                let details = fragment.field("details", places)?.entries ?? []
                if named.isEmpty { named = details.map(\.key) }
                for detail in details {
                    joins[detail.key] = detail.value["joinedAt"].flatMap(Times.microseconds)
                    leaves[detail.key] = detail.value["leftAt"].flatMap(Times.microseconds)
                }
            case .members: named = fragment.value.people
            case .chat: named = [fragment.keys["user"] ?? ""]
            case .request:
                named = [fragment.text("requester", places), fragment.text("recipient", places)].compactMap { $0 }
            default: break
            }
            for person in named where !person.isEmpty && seen.insert(person).inserted { order.append(person) }
        }
        return order.map { .init(person: $0, joinedAt: joins[$0], leftAt: leaves[$0]) }
    }

    private func senders(of pieces: [Piece]) -> [String] {
        var seen: Set<String> = []
        return pieces.compactMap { piece in
            guard case .sender(let person) = piece, seen.insert(person).inserted else { return nil }
            return person
        }
    }

    private func fragments(_ pieces: [Piece]) -> [Fragment] {
        let all = pieces.compactMap { piece -> Fragment? in
            if case .fragment(let fragment) = piece { return fragment }
            return nil
        }
        // What a conversation says of itself counts before what a list says of it.
        return all.filter { $0.place != .chat } + all.filter { $0.place == .chat }
    }

    private func first<Value>(_ fragments: [Fragment], _ read: (Fragment) -> Value?) -> Value? {
        fragments.lazy.compactMap(read).first
    }

    // MARK: What a conversation says of people's inboxes

    private func states(_ fragments: [Fragment], _ talk: ImportedTalk) -> [ImportedState] {
        var states: [ImportedState] = []
        for fragment in fragments where fragment.place == .conversation {
            for person in fragment.field("archived", places)?.people ?? [] {
                states.append(ImportedState(person: person, isArchived: true))
            }
            guard let unread = fragment.field("unread", places) else { continue }
            if case .object(let counts) = unread {
                for count in counts {
                    states.append(ImportedState(person: count.key, unread: count.value.integer.map { max(0, $0) }))
                }
            } else if let count = unread.integer {
                states += talk.members.map { ImportedState(person: $0.person, unread: max(0, count)) }
            }
        }
        return states
    }
}
