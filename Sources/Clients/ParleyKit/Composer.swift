import Observation

/// Whom I am about to write to. As people come and go, it finds the conversation with exactly these; where there is
/// none, the first message makes it, also without a connection.
///
///     let composer = parley.compose()
///     composer.add(ada)
///     composer.add(bob)
///     show(composer.conversation?.title ?? "A new group")
///     let chat = try await composer.send("Who comes along?")
@MainActor
@Observable
public final class Composer {
    /// In the order in which they were added.
    public private(set) var people: [User] = []
    /// The conversation with exactly these people; nil: there is none, or it is not known yet.
    public private(set) var conversation: Conversation?
    /// Whether ``conversation`` may still change by itself.
    public private(set) var isLooking = false

    @ObservationIgnored private let parley: Parley
    @ObservationIgnored private var looking: Task<Void, Never>?
    /// Makes what is missing, once for all that is sent meanwhile.
    @ObservationIgnored private var making: Task<Result<Conversation, Refusal>, Never>?

    init(_ parley: Parley, people: [User]) {
        self.parley = parley
        for person in people { add(person) }
    }

    /// Adds a person, unless they are here.
    public func add(_ person: User) {
        guard !people.contains(where: { $0.id == person.id }) else { return }
        people.append(person)
        look()
    }

    /// Removes a person.
    public func remove(_ person: UserID) {
        guard people.contains(where: { $0.id == person }) else { return }
        people.removeAll { $0.id == person }
        look()
    }

    /// Writes to these people: in the conversation with exactly them, or in a new one.
    /// - Parameter name: of a new group; nil: the people's names.
    /// - Returns: the conversation, which ``conversation`` is from now on.
    /// - Throws: `invalid` without people; what sending throws.
    @discardableResult
    public func send(_ text: String, naming name: String? = nil) async throws(Refusal) -> Conversation {
        await looking?.value
        guard !people.isEmpty else {
            throw Refusal(.invalid, "Choose somebody to write to.", field: "users")
        }
        let chat: Conversation
        if let conversation {
            chat = conversation
        } else {
            let people = people
            let making = making ?? Task { await make(people, name) }
            self.making = making
            chat = try await making.value.get()
            // Unless somebody was added or removed meanwhile.
            if self.making == making { (self.making, conversation) = (nil, chat) }
        }
        try await chat.send(text)
        return chat
    }

    private func make(_ people: [User], _ name: String?) async -> Result<Conversation, Refusal> {
        do throws(Refusal) {
            if people.count == 1 { return .success(try await parley.startConversation(with: people[0])) }
            return .success(try await parley.createGroup(name ?? Self.groupName(of: people), with: people))
        } catch {
            making = nil
            return .failure(error)
        }
    }

    /// As many names as a group's name has room for.
    private static func groupName(of people: [User]) -> String {
        var name = ""
        for person in people {
            let longer = name.isEmpty ? person.displayName : "\(name), \(person.displayName)"
            if longer.unicodeScalars.count > nameScalarsMax { break }
            name = longer
        }
        return name.isEmpty ? people[0].username : name
    }

    private static let nameScalarsMax = 100

    private func look() {
        looking?.cancel()
        (looking, isLooking, conversation, making) = (nil, false, nil, nil)
        guard let first = people.first else { return }
        if people.count == 1 {
            // Its id is known.
            conversation = parley.conversation(with: first.id).flatMap { $0.section == nil ? nil : $0 }
            return
        }
        let wanted = people.map(\.id)
        conversation = stored(with: Set(wanted))
        if conversation != nil { return }
        isLooking = true
        looking = Task { [weak self, parley] in
            var found: Conversation?
            do throws(Refusal) {
                found = try await parley.findConversation(with: wanted)
            } catch {
                // Without an answer a new group is made.
                found = nil
            }
            guard let self, !Task.isCancelled else { return }
            (conversation, isLooking) = (found, false)
        }
    }

    /// A group among those that are shown.
    private func stored(with wanted: Set<UserID>) -> Conversation? {
        let me = parley.user
        for list in parley.lists {
            for chat in list.conversations where chat.kind == .group && chat.section == .inbox {
                guard chat.memberCount == wanted.count + 1 else { continue }
                let others = chat.members.map(\.id).filter { $0 != me }
                if Set(others) == wanted { return chat }
            }
        }
        return nil
    }
}

extension Parley {
    /// Begins to write to people.
    public func compose(to people: [User] = []) -> Composer { Composer(self, people: people) }
}
