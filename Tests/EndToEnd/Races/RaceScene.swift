import Foundation
import ParleyClient
import TestSupport

/// Five people, and one of everything that people show each other, so that each request that shows or hides something
/// has an object.
struct RaceScene: Sendable {
    enum Person: String, CaseIterable, Sendable {
        case owner, admin, member, guest, stranger
    }

    let cluster: TestCluster
    private let people: [Person: Device]
    /// A group of the owner, the admin and the member; the guest is invited.
    let group: String
    /// Of the owner and the member.
    let direct: String
    /// From the stranger to the member, who has not answered it.
    let request: String
    /// The member's messages in the group, in the order of sending.
    let seqs: [Int64]
    /// The owner's, with the group. The admin accepted it, and is asked to host it.
    let event: UUIDv7
    /// The owner's, with nobody.
    let ownEvent: UUIDv7
    /// The admin's, with the group.
    let decision: UUIDv7
    /// An event that a message in the group suggests to the member.
    let suggestion: UUIDv7

    subscript(_ person: Person) -> Device {
        guard let device = people[person] else { fatalError("the scene has everybody") }
        return device
    }

    var all: [Device] { Person.allCases.map { self[$0] } }

    init(on cluster: TestCluster) async throws {
        var people: [Person: Device] = [:]
        for (number, person) in Person.allCases.enumerated() {
            people[person] = try await cluster.person(person.rawValue, gateway: number % 2)
        }
        guard let owner = people[.owner], let admin = people[.admin], let member = people[.member],
            let guest = people[.guest], let stranger = people[.stranger]
        else { fatalError("the scene has everybody") }
        (self.cluster, self.people) = (cluster, people)
        await owner.client.setTimeZone("Europe/Zurich")
        try await cluster.acquaint(owner, [admin, member])
        direct = try await owner.client.startDirect(with: member.user).conversation.id
        _ = try await owner.client.send("just us", to: direct)
        let group = try await owner.client.createGroup(name: "us", users: [admin.user, member.user]).conversation.id
        self.group = group
        try await owner.client.setMemberRole(.admin, of: admin.user, in: group)
        seqs = [
            try await member.client.send("one", to: group).seq, try await member.client.send("two", to: group).seq,
        ]
        _ = try await owner.client.addMembers([guest.user], to: group)
        try await admin.client.block(stranger.user)
        request = try await Self.request(from: stranger, to: member)
        let (event, ownEvent) = try await Self.events(of: owner, in: group)
        (self.event, self.ownEvent) = (event, ownEvent)
        try await eventually("the admin accepts the event") {
            (try? await admin.client.answerEvent(event, .accepted, from: group)) != nil
        }
        _ = try await owner.client.setEventHost(admin.user, of: event)
        let decision = await admin.client.newID()
        self.decision = decision
        _ = try await admin.client.createDecision(
            .with { ($0.id, $0.text, $0.conversation, $0.shared) = (Data(decision.bytes), "we go", group, true) })
        suggestion = try await Self.suggestion(to: member, by: owner, in: group)
    }

    private static func request(from stranger: Device, to member: Device) async throws -> String {
        let request = try await stranger.client.startDirect(with: member.user).conversation.id
        _ = try await stranger.client.send("hello", to: request)
        try await eventually("the request is shown") {
            (try? await member.client.getConversation(request))?.section == .requests
        }
        return request
    }

    private static func events(of owner: Device, in group: String) async throws -> (UUIDv7, UUIDv7) {
        let (shared, own) = (await owner.client.newID(), await owner.client.newID())
        _ = try await owner.client.createEvent(
            .with {
                ($0.id, $0.title, $0.when.date, $0.conversations) = (Data(shared.bytes), "Choir", "2090-03-24", [group])
            })
        _ = try await owner.client.createEvent(
            .with { ($0.id, $0.title, $0.when.date) = (Data(own.bytes), "Dentist", "2090-03-25") })
        return (shared, own)
    }

    private static func suggestion(to member: Device, by owner: Device, in group: String) async throws -> UUIDv7 {
        _ = try await owner.client.send("Lunch tomorrow at 1pm", to: group)
        var found: Parley_V1_Suggestion?
        try await eventually("the message suggests an event") {
            found = try await member.client.listSuggestions(conversation: group).suggestions.first
            return found != nil
        }
        guard let id = found.flatMap({ UUIDv7(bytes: $0.id) }) else { throw NeverHappened(description: "an id") }
        return id
    }

    // MARK: What is so afterwards

    /// Returns what each person sees, without the order in which it came about.
    func facts() async throws -> [String] {
        var lines: [String] = []
        for person in Person.allCases {
            let client = self[person].client
            guard await client.endedBy == nil else {
                lines.append("\(person): signed out")
                continue
            }
            let held = try await client.snapshot().held
            lines += seen(held).map { "\(person): \($0)" }
        }
        return lines.sorted()
    }

    private func seen(_ held: Held) -> [String] {
        var lines = ["requests: \(held.requestCount.unread) of \(held.requestCount.total)"]
        for conversation in held.conversations.values {
            let members = conversation.members.map { "\(name($0.user.id)) \($0.role)" }.sorted()
            lines.append(
                "\(name(conversation.id)): \(conversation.section), \(conversation.conversationStatus), "
                    + "left \(conversation.leftAtUs != 0), \(conversation.memberCount): \(members)")
        }
        for (conversation, messages) in held.messages {
            for message in messages.values where message.kind != .system {
                let text = message.deletedAtUs == 0 ? message.text : "deleted"
                let hidden = message.own.hidden ? ", hidden" : ""
                lines.append("\(name(conversation)): “\(text)” of \(name(message.sender))\(hidden)")
            }
        }
        for state in held.inboxStates.values {
            let counts = "unread \(state.unread), mentions \(state.mentions), cleared \(state.clearedSeq > 0)"
            lines.append("\(name(state.conversation)): \(counts)")
        }
        for event in held.events.values where event.deletedAtUs == 0 {
            lines.append(
                "event \(event.title): \(event.own.status), \(event.accepted) come, hosts \(event.hosts.map(name)), "
                    + "asked \(event.askedHosts.map(name)), in \(event.conversations.map(name))")
        }
        for suggestion in held.suggestions.values { lines.append("suggestion: \(suggestion.state)") }
        for decision in held.decisions.values where decision.deletedAtUs == 0 {
            lines.append("decision: \(decision.text)")
        }
        for block in held.blocks.values where block.blocked { lines.append("blocks \(name(block.user.id))") }
        return lines
    }

    /// Returns the scene's name of a user id or a conversation id.
    private func name(_ id: String) -> String {
        switch id {
        case group: return "the group"
        case direct: return "the talk"
        case request: return "the request"
        default: break
        }
        let parts = id.split(separator: "_").map { part in
            Person.allCases.first { self[$0].user == part }?.rawValue ?? "somebody"
        }
        return parts.sorted().joined(separator: " and ")
    }
}
