import ArgumentParser
import ParleyClient

struct RequestJSON: Encodable {
    var id: String
    /// Who asks or invites.
    var username: String
    var displayName: String
    var requestedAt: String
    var read: Bool
    var lastText: String?
    /// Of an invitation, the name of the group and how many members it had.
    var group: String?
    var memberCount: Int?

    init(_ conversation: Parley_V1_Conversation, by requester: Parley_V1_User, lastText: String? = nil) {
        (id, self.lastText) = (conversation.id, lastText)
        if conversation.kind == .group {
            (group, memberCount) = (conversation.name, Int(conversation.memberCount))
        }
        (username, displayName) = (requester.username, requester.displayName)
        requestedAt = Times.iso(conversation.requestedAtUs)
        read = !conversation.requestReadBy.isEmpty
    }
}

struct RequestsCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List the message requests to you and your invitations into groups, latest first.",
        discussion: """
            Listing them marks them as seen. The other person is not notified until you accept.

            Examples:
              parley requests
              parley accept bob
              parley decline "Weekend Trip"
            """)

    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        var requests: [Parley_V1_Conversation] = []
        var page = Parley_V1_ListRequestsReply()
        repeat {
            page = try await me.client.requests(cursor: page.cursor, limit: 200)
            requests += page.requests
        } while page.more
        let style = Style()
        let inviters = try await me.client.inviters(of: requests)
        for request in requests {
            let requester = inviters[request.requesterID] ?? request.requester
            let isInvitation = request.kind == .group
            let first = isInvitation ? nil : try? await me.client.history(of: request.id, .newest, limit: 1)
            var text = first?.messages.last?.text
            if me.isJSON {
                Output.json(RequestJSON(request, by: requester, lastText: text))
                continue
            }
            if isInvitation {
                let members = request.memberCount == 1 ? "1 member" : "\(request.memberCount) members"
                text = "invites you to \(request.name) (\(members))"
            }
            let username = requester.username
            var line = style.person(username, shown: PlainText.padded(PlainText.shown(username), 20))
            line += "  " + style.dim(Times.short(request.requestedAtUs))
            line += request.requestReadBy.isEmpty ? "  " + style.bold("new") : ""
            if let text { line += "  " + (PlainText.shown(text).split(separator: "\n").first ?? "").prefix(60) }
            Output.line(line)
        }
        if requests.isEmpty, !me.isJSON { Output.note("No requests.") }
        let unread = requests.filter(\.requestReadBy.isEmpty).map(\.id)
        for start in stride(from: 0, to: unread.count, by: 200) {
            try await me.client.markRequestsRead(Array(unread[start..<min(start + 200, unread.count)]))
        }
    }
}

struct AcceptCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept a message request, after which both of you can write, or an invitation into a group.",
        discussion: """
            Examples:
              parley accept bob
              parley accept "Weekend Trip"
            """)

    @Argument(help: "The requester's username, a group's name, or the conversation's id.") var user: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.request(named: user)
        do throws(ParleyError) {
            let conversation = try await me.client.acceptRequest(id).conversation
            if me.isJSON {
                return Output.json(ConversationJSON(conversation, title: await me.names.title(conversation.id)))
            }
            if conversation.kind == .group {
                return Output.line("You are a member of \(PlainText.shown(conversation.name)).")
            }
            Output.line("You and \(PlainText.shown(user)) can write to each other.")
        } catch {
            throw Self.explained(error, user)
        }
    }
}

struct DeclineCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "decline",
        abstract: "Decline a message request or an invitation. It disappears, and nobody is notified.",
        discussion: """
            Examples:
              parley decline bob
              parley decline "Weekend Trip"
            """)

    @Argument(help: "The requester's username, a group's name, or the conversation's id.") var user: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.request(named: user)
        do throws(ParleyError) {
            try await me.client.declineRequest(id)
        } catch {
            throw Self.explained(error, user)
        }
        if me.isJSON { return Output.json(DoneJSON(conversation: id, done: "declined")) }
        let other = Person.isConversation(id) && !id.contains("_") ? "The inviter" : PlainText.shown(user)
        Output.line("Declined. \(other) is not notified.")
    }
}

struct WithdrawCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraw your message request, which disappears for both of you, or an invitation into a group.",
        discussion: """
            Examples:
              parley withdraw bob
              parley withdraw bob --group "Weekend Trip"
            """)

    @Argument(help: "The recipient's username, or the conversation's id.") var user: String
    @Option(help: ArgumentHelp("Withdraw the person's invitation into this group.", valueName: "group"))
    var group: String?
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        if let group { return try await withdrawInvitation(into: try await me.group(named: group), as: me) }
        let id = try await me.direct(with: user)
        do throws(ParleyError) {
            try await me.client.withdrawRequest(id)
        } catch {
            guard error.hasCode(.notFound) else { throw Self.explained(error, user) }
            throw Failure(.notFound, "You have no pending request to \(user).")
        }
        if me.isJSON { return Output.json(DoneJSON(conversation: id, done: "withdrawn")) }
        Output.line("Your request to \(PlainText.shown(user)) is withdrawn.")
    }

    private func withdrawInvitation(into group: String, as me: Person) async throws {
        try await me.client.withdrawInvitation(of: try await me.user(named: user).id, into: group)
        if me.isJSON { return Output.json(DoneJSON(conversation: group, done: "withdrawn")) }
        Output.line("The invitation of \(PlainText.shown(user)) is withdrawn.")
    }
}

private struct DoneJSON: Encodable {
    var conversation: String
    var done: String
}

extension PersonCommand {
    /// Explains the refusals of `accept`, `decline` and `withdraw` to the person who ran the command.
    fileprivate static func explained(_ error: ParleyError, _ user: String) -> any Error {
        switch Failure.Code(rawValue: error.code) {
        case .notFound: Failure(.notFound, "\(user) has not sent you a request.")
        case .forbidden where Self.self == WithdrawCommand.self:
            Failure(.forbidden, "\(user) sent this request. You can accept or decline it, but not withdraw it.")
        case .forbidden: Failure(.forbidden, "You sent this request. Only \(user) can accept or decline it.")
        case .notPending: Failure(.notPending, "The request is already accepted.")
        case .userBlocked:
            Failure(
                .userBlocked,
                "You have blocked \(user). Unblock them first: \(ParleyCommand.invocation) unblock \(user)")
        default: error
        }
    }
}

extension ParleyClient {
    /// Returns the people who invite me into groups, by their ids. Invitations do not name members.
    fileprivate func inviters(
        of requests: [Parley_V1_Conversation]
    ) async throws(ParleyError) -> [String: Parley_V1_User] {
        let ids = Set(requests.filter { $0.kind == .group }.map(\.requesterID)).sorted()
        var found: [String: Parley_V1_User] = [:]
        for start in stride(from: 0, to: ids.count, by: 200) {
            let page = Array(ids[start..<min(start + 200, ids.count)])
            let reply = try await call(ConversationsMethods.getUsers, key: user, .with { $0.users = page })
            for user in reply.users { found[user.id] = user }
        }
        return found
    }
}

extension Person {
    /// Returns the id of a request to me: of the group with this name into which I am invited, or of my direct
    /// conversation with the person of this name.
    fileprivate func request(named text: String) async throws -> String {
        if Self.isConversation(text) { return text }
        let invitations = try await names.all().filter {
            $0.section == .requests && $0.kind == .group && $0.name.lowercased() == text.lowercased()
        }
        switch invitations.count {
        case 0: return try await direct(with: text)
        case 1: return invitations[0].id
        default:
            throw Failure(
                .notFound, "You are invited into \(invitations.count) groups called \(text).",
                advice: (["Use the id of one of them:"] + invitations.map(\.id)).joined(separator: "\n  "))
        }
    }

    /// Returns the id of my direct conversation that is named by the other's username or its own id.
    fileprivate func direct(with text: String) async throws -> String {
        Self.isConversation(text) ? text : try await conversation(named: text, starting: false)
    }
}

extension Parley_V1_Conversation {
    /// The person who sent the request.
    fileprivate var requester: Parley_V1_User {
        members.first { $0.user.id == requesterID }?.user ?? Parley_V1_User()
    }
}
