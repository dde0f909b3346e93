import ArgumentParser
import ParleyClient

struct RequestJSON: Encodable {
    var id: String
    var username: String
    var displayName: String
    var requestedAt: String
    var read: Bool
    var lastText: String?

    init(_ conversation: Parley_V1_Conversation, lastText: String? = nil) {
        let requester = conversation.requester
        (id, self.lastText) = (conversation.id, lastText)
        (username, displayName) = (requester.username, requester.displayName)
        requestedAt = Times.iso(conversation.requestedAtUs)
        read = !conversation.requestReadBy.isEmpty
    }
}

struct RequestsCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "List the message requests to you, latest first.",
        discussion: """
            Listing the requests marks them as seen. The requester is not notified until you accept.

            Examples:
              parley requests
              parley accept bob
              parley decline bob
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
        for request in requests {
            let first = try? await me.client.history(of: request.id, .newest, limit: 1)
            let text = first?.messages.last?.text
            if me.isJSON {
                Output.json(RequestJSON(request, lastText: text))
                continue
            }
            let username = request.requester.username
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
        abstract: "Accept a message request. From then on both of you can write.",
        discussion: """
            Example:
              parley accept bob
            """)

    @Argument(help: "The requester's username, or the conversation's id.") var user: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.direct(with: user)
        do throws(ParleyError) {
            let conversation = try await me.client.acceptRequest(id).conversation
            if me.isJSON {
                return Output.json(ConversationJSON(conversation, title: await me.names.title(conversation.id)))
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
        abstract: "Decline a message request. It disappears, and the requester is not notified.",
        discussion: """
            Example:
              parley decline bob
            """)

    @Argument(help: "The requester's username, or the conversation's id.") var user: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.direct(with: user)
        do throws(ParleyError) {
            try await me.client.declineRequest(id)
        } catch {
            throw Self.explained(error, user)
        }
        if me.isJSON { return Output.json(DoneJSON(conversation: id, done: "declined")) }
        Output.line("Declined. \(PlainText.shown(user)) is not notified.")
    }
}

struct WithdrawCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraw your message request. It disappears for both of you.",
        discussion: """
            Example:
              parley withdraw bob
            """)

    @Argument(help: "The recipient's username, or the conversation's id.") var user: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.direct(with: user)
        do throws(ParleyError) {
            try await me.client.withdrawRequest(id)
        } catch {
            guard error.code == "not_found" else { throw Self.explained(error, user) }
            throw Failure("not_found", "You have no pending request to \(user).")
        }
        if me.isJSON { return Output.json(DoneJSON(conversation: id, done: "withdrawn")) }
        Output.line("Your request to \(PlainText.shown(user)) is withdrawn.")
    }
}

private struct DoneJSON: Encodable {
    var conversation: String
    var done: String
}

extension PersonCommand {
    /// Explains the refusals of `accept`, `decline` and `withdraw` to the person who ran the command.
    fileprivate static func explained(_ error: ParleyError, _ user: String) -> any Error {
        switch error.code {
        case "not_found": Failure("not_found", "\(user) has not sent you a request.")
        case "forbidden" where Self.self == WithdrawCommand.self:
            Failure("forbidden", "\(user) sent this request. You can accept or decline it, but not withdraw it.")
        case "forbidden": Failure("forbidden", "You sent this request. Only \(user) can accept or decline it.")
        case "not_pending": Failure("not_pending", "The request is already accepted.")
        case "user_blocked":
            Failure(
                "user_blocked",
                "You have blocked \(user). Unblock them first: \(ParleyCommand.invocation) unblock \(user)")
        default: error
        }
    }
}

extension Person {
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
