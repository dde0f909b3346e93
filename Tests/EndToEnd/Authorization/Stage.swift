import Foundation
import ParleyClient
import TestSupport

/// Prepares scenes: people, a group and pairs, each in the state that a kind of caller needs. Whatever a request has
/// spent is made anew when it is next needed.
actor Stage {
    let cluster: TestCluster

    private var people: [Caller: Device] = [:]
    private var pairs: [Caller: String] = [:]
    private var group: String?
    /// A plain member of the group, the target of the others' requests.
    private var member: Device?
    private var reminder: UUIDv7?
    private var decision: UUIDv7?
    private var event: UUIDv7?
    private var suggestion: UUIDv7?
    private var nobody: ParleyClient?
    /// The other person in every pair.
    private let other: Device
    let bystander: Device

    init(_ cluster: TestCluster) async throws {
        self.cluster = cluster
        other = try await cluster.person("other")
        bystander = try await cluster.person("bystander")
    }

    /// Returns the scene of a caller with a session.
    func scene(of caller: Caller) async throws -> Scene {
        let isPair = Caller.ofPairs.contains(caller)
        let conversation = if isPair { try await pair(caller) } else { try await theGroup() }
        let member = if isPair { other } else { try await theMember() }
        let (reminder, decision, event) = (try await theReminder(), try await theDecision(), try await theEvent())
        let suggestion = try await theSuggestion()
        guard caller != .notSignedIn else {
            let client = try await stranger()
            return Scene(
                caller: caller, client: client, conversation: conversation, other: member.user,
                bystander: bystander.user, bystanderName: bystander.username, reminder: reminder, decision: decision,
                event: event, suggestion: suggestion, newID: await client.newID())
        }
        let me = try await person(caller)
        return Scene(
            caller: caller, client: me.client, user: me.user, username: me.username, password: me.password,
            conversation: conversation, other: member.user, bystander: bystander.user,
            bystanderName: bystander.username, invited: people[.invited]?.user ?? "", reminder: reminder,
            decision: decision, event: event, suggestion: suggestion, newID: await me.client.newID())
    }

    /// Discards the parts of the scene that an allowed request has used up.
    func spend(_ spends: Row.Spends, by caller: Caller) {
        switch spends {
        case .nothing: return
        case .entity:
            (reminder, decision, event, suggestion) = (nil, nil, nil, nil)
            return
        case .caller:
            people[caller] = nil
            if [.creator, .otherDevice].contains(caller) {
                (people[.creator], people[.otherDevice]) = (nil, nil)
                (reminder, decision, event, suggestion) = (nil, nil, nil, nil)
            }
        case .conversation: if Caller.ofPairs.contains(caller) { people[caller] = nil }
        }
        pairs[caller] = nil
        // A person is shown few invitations at a time.
        if !Caller.ofPairs.contains(caller) { (group, member, people[.invited]) = (nil, nil, nil) }
    }

    // MARK: People

    private func person(_ caller: Caller) async throws -> Device {
        if let person = people[caller] { return person }
        let person =
            if caller == .otherDevice {
                try await cluster.device(of: person(.creator), gateway: 1)
            } else {
                try await cluster.person(caller.rawValue.lowercased())
            }
        people[caller] = person
        return person
    }

    private func stranger() async throws -> ParleyClient {
        if let nobody { return nobody }
        let client = try await cluster.stranger()
        nobody = client
        return client
    }

    private func theMember() async throws -> Device {
        if let member { return member }
        let made = try await cluster.person("x")
        member = made
        return made
    }

    private func theReminder() async throws -> UUIDv7 {
        if let reminder { return reminder }
        let client = try await person(.creator).client
        let id = await client.newID()
        _ = try await client.createReminder(
            .with { ($0.id, $0.title, $0.dueAtUs) = (Data(id.bytes), "mine", 4_102_444_800_000_000) })
        reminder = id
        return id
    }

    private func theDecision() async throws -> UUIDv7 {
        if let decision { return decision }
        let client = try await person(.creator).client
        let id = await client.newID()
        _ = try await client.createDecision(.with { ($0.id, $0.text) = (Data(id.bytes), "mine") })
        decision = id
        return id
    }

    private func theEvent() async throws -> UUIDv7 {
        if let event { return event }
        let client = try await person(.creator).client
        let id = await client.newID()
        _ = try await client.createEvent(
            .with { ($0.id, $0.title, $0.when.date) = (Data(id.bytes), "mine", "2090-06-01") })
        event = id
        return id
    }

    private func theSuggestion() async throws -> UUIDv7 {
        if let suggestion { return suggestion }
        let creator = try await person(.creator)
        let notes = try await creator.client.startDirect(with: creator.user).conversation.id
        let seq = try await creator.client.send("Lunch tomorrow", to: notes).seq
        let find = {
            try await creator.client.listSuggestions(conversation: notes).suggestions.first { $0.sourceSeq == seq }
        }
        try await eventually("it is suggested") { try await find() != nil }
        guard let found = try await find(), let id = UUIDv7(bytes: found.id) else {
            throw NeverHappened(description: "the suggestion is gone again")
        }
        suggestion = id
        return id
    }

    // MARK: Conversations

    /// Returns a group that its creator handed over to its owner, with an admin, two members, a removed member and
    /// somebody invited.
    private func theGroup() async throws -> String {
        if let group { return group }
        let (creator, owner) = (try await person(.creator), try await person(.owner))
        let (admin, former) = (try await person(.admin), try await person(.former))
        let others = try await [owner, admin, former, person(.member), theMember()]
        try await cluster.acquaint(creator, others)
        let invited = try await person(.invited)
        let id = try await creator.client.createGroup(
            name: "the group", users: others.map(\.user) + [invited.user]
        ).conversation.id
        _ = try await creator.client.send("welcome", to: id)
        _ = try await creator.client.call(
            ConversationsMethods.transferOwnership, key: id, .with { ($0.conversation, $0.user) = (id, owner.user) })
        for (person, role) in [(admin, Parley_V1_MemberRole.admin), (creator, .member)] {
            _ = try await owner.client.call(
                ConversationsMethods.setMemberRole, key: id,
                .with { ($0.conversation, $0.user, $0.role) = (id, person.user, role) })
        }
        try await owner.client.removeMember(former.user, from: id)
        group = id
        return id
    }

    private func pair(_ caller: Caller) async throws -> String {
        if let pair = pairs[caller] { return pair }
        let id = try await makePair(caller)
        pairs[caller] = id
        return id
    }

    private func makePair(_ caller: Caller) async throws -> String {
        let me = try await person(caller)
        switch caller {
        case .partner, .blocked, .blocker:
            let id = try await sendRequest(me, other)
            _ = try await other.client.startDirect(with: me.user)
            if caller == .blocked { try await block(me, by: other) }
            if caller == .blocker { try await block(other, by: me) }
            return id
        case .requester: return try await sendRequest(me, other)
        case .declined:
            let id = try await sendRequest(me, other)
            try await decline(id, by: other)
            return id
        case .withdrawer:
            let id = try await sendRequest(me, other)
            _ = try await me.client.call(
                ConversationsMethods.withdrawRequest, key: id, .with { $0.conversation = id })
            return id
        case .recipient: return try await sendRequest(other, me)
        case .hiddenRecipient: return try await other.client.startDirect(with: me.user).conversation.id
        case .decliner:
            let id = try await sendRequest(other, me)
            try await decline(id, by: me)
            return id
        default: return ""
        }
    }

    /// Sends a message request and waits until the recipient sees it.
    private func sendRequest(_ requester: Device, _ recipient: Device) async throws -> String {
        let id = try await requester.client.startDirect(with: recipient.user).conversation.id
        _ = try await requester.client.send("hello", to: id)
        try await eventually("the request is shown") {
            (try? await recipient.client.getConversation(id))?.section == .requests
        }
        return id
    }

    private func decline(_ id: String, by person: Device) async throws {
        _ = try await person.client.call(
            ConversationsMethods.declineRequest, key: id, .with { $0.conversation = id })
    }

    private func block(_ person: Device, by blocker: Device) async throws {
        _ = try await blocker.client.call(
            ConversationsMethods.blockUser, key: person.user, .with { $0.user = person.user })
    }
}
