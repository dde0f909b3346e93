import ParleyClient

/// Names of users and conversations by id, each requested from the server once.
actor Names {
    private let client: ParleyClient
    private let me: String
    private var users: [String: Parley_V1_User] = [:]
    private var conversations: [String: Parley_V1_Conversation] = [:]
    private var order: [String] = []
    private var isComplete = false
    private var unknown: Set<String> = []

    init(client: ParleyClient, me: String) {
        (self.client, self.me) = (client, me)
    }

    func learn(_ user: Parley_V1_User) { users[user.id] = user }

    func learn(_ conversation: Parley_V1_Conversation) {
        if conversations.updateValue(conversation, forKey: conversation.id) == nil { order.append(conversation.id) }
        for member in conversation.members { users[member.user.id] = member.user }
    }

    /// All my conversations.
    func all() async throws -> [Parley_V1_Conversation] {
        if !isComplete {
            var page = Parley_V1_ConversationsSyncReply()
            repeat {
                page = try await client.syncConversations(epoch: page.epoch, since: page.position, limit: 200)
                for conversation in page.conversations { learn(conversation) }
            } while page.more
            isComplete = true
        }
        return order.compactMap { conversations[$0] }
    }

    /// Returns the ids of my groups with this name, ignoring case.
    func groups(named name: String) async throws -> [String] {
        try await all().filter { $0.kind == .group && $0.name.lowercased() == name.lowercased() }.map(\.id)
    }

    /// Returns the username, "deleted user" for an erased person, or the id of an unknown user.
    func username(_ user: String) -> String { users[user].map { $0.deleted ? "deleted user" : $0.username } ?? user }

    /// Requests those of these users that are not known yet.
    private func lookUp(_ ids: [String]) async {
        let new = Set(ids).filter { users[$0] == nil && !$0.isEmpty }.sorted()
        guard !new.isEmpty, let found = try? await client.users(new) else { return }
        for user in found { learn(user) }
    }

    /// Returns the title that I see: the group's name, the other person's username, or "notes".
    func title(_ conversation: String) async -> String {
        guard let known = await find(conversation) else { return conversation }
        guard known.kind == .direct else { return known.name }
        return known.members.first { $0.user.id != me }.map { username($0.user.id) } ?? "notes"
    }

    /// Returns the sender's username; empty for a system message.
    func sender(of message: Parley_V1_Message) async -> String {
        if message.sender.isEmpty { return "" }
        await lookUp([message.sender])
        return username(message.sender)
    }

    /// Returns the usernames of the people in a system message, by user id.
    func usernames(of message: Parley_V1_Message) async -> [String: String] {
        await usernames(of: message.system.users + [message.system.actor])
    }

    /// Returns the usernames of these users, by user id.
    func usernames(of users: [String]) async -> [String: String] {
        for start in stride(from: 0, to: users.count, by: 200) {
            await lookUp(Array(users[start..<min(start + 200, users.count)]))
        }
        return Dictionary(users.map { ($0, username($0)) }) { first, _ in first }
    }

    func find(_ conversation: String) async -> Parley_V1_Conversation? {
        if let known = conversations[conversation] { return known }
        guard !unknown.contains(conversation) else { return nil }
        do throws(ParleyError) {
            let found = try await client.getConversation(conversation)
            learn(found)
            return found
        } catch {
            if !error.isRetriable { unknown.insert(conversation) }
            return nil
        }
    }
}
