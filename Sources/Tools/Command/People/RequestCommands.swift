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
        let asker = conversation.asker
        (id, self.lastText) = (conversation.id, lastText)
        (username, displayName) = (asker.username, asker.displayName)
        requestedAt = Times.iso(conversation.requestedAtUs)
        read = !conversation.requestReadBy.isEmpty
    }
}

struct RequestsCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests",
        abstract: "Lists who asks to talk with me, the latest first.",
        discussion: """
            Those shown are marked as seen. Who asks is told nothing until I accept.

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
            let username = request.asker.username
            var line = style.person(username, shown: PlainText.padded(PlainText.shown(username), 20))
            line += "  " + style.dim(Times.short(request.requestedAtUs))
            line += request.requestReadBy.isEmpty ? "  " + style.bold("new") : ""
            if let text { line += "  " + (PlainText.shown(text).split(separator: "\n").first ?? "").prefix(60) }
            Output.line(line)
        }
        if requests.isEmpty, !me.isJSON { Output.note("Nobody asks.") }
        let unread = requests.filter(\.requestReadBy.isEmpty).map(\.id)
        for start in stride(from: 0, to: unread.count, by: 200) {
            try await me.client.markRequestsRead(Array(unread[start..<min(start + 200, unread.count)]))
        }
    }
}

struct AcceptCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accepts somebody's request: we both may write from then on.",
        discussion: """
            Example:
              parley accept bob
            """)

    @Argument(help: "Who asks: a username, or the conversation's id.") var user: String
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
        abstract: "Declines somebody's request: it is gone, and they are not told.",
        discussion: """
            Example:
              parley decline bob
            """)

    @Argument(help: "Who asks: a username, or the conversation's id.") var user: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.direct(with: user)
        do throws(ParleyError) {
            try await me.client.declineRequest(id)
        } catch {
            throw Self.explained(error, user)
        }
        if me.isJSON { return Output.json(DoneJSON(conversation: id, done: "declined")) }
        Output.line("Declined. \(PlainText.shown(user)) is told nothing.")
    }
}

struct WithdrawCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Takes a request of mine back: it is gone for both of us.",
        discussion: """
            Example:
              parley withdraw bob
            """)

    @Argument(help: "Whom I asked: a username, or the conversation's id.") var user: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.direct(with: user)
        do throws(ParleyError) {
            try await me.client.withdrawRequest(id)
        } catch {
            guard error.code == "not_found" else { throw Self.explained(error, user) }
            throw Failure("not_found", "You have not asked \(user).")
        }
        if me.isJSON { return Output.json(DoneJSON(conversation: id, done: "withdrawn")) }
        Output.line("Your request to \(PlainText.shown(user)) is taken back.")
    }
}

struct BlockJSON: Encodable {
    var id: String
    var username: String
    var blocked: Bool
    var at: String?
}

struct BlockCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Blocks people: neither of us can write to the other alone. They learn of it only by trying.",
        discussion: """
            Example:
              parley block bob
            """)

    @Argument(help: ArgumentHelp("Usernames.", valueName: "user")) var users: [String]
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        for name in users {
            let user = try await me.user(named: name)
            try await me.client.block(user.id)
            if me.isJSON {
                Output.json(BlockJSON(id: user.id, username: user.username, blocked: true))
            } else {
                Output.line("Blocked \(PlainText.shown(user.username)).")
            }
        }
    }
}

struct UnblockCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Ends blocks of mine.",
        discussion: """
            Example:
              parley unblock bob
            """)

    @Argument(help: ArgumentHelp("Usernames.", valueName: "user")) var users: [String]
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        for name in users {
            let user = try await me.user(named: name)
            try await me.client.unblock(user.id)
            if me.isJSON {
                Output.json(BlockJSON(id: user.id, username: user.username, blocked: false))
            } else {
                Output.line("\(PlainText.shown(user.username)) is not blocked any more.")
            }
        }
    }
}

struct BlockedCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "blocked",
        abstract: "Lists whom I blocked, the latest first.",
        discussion: """
            Example:
              parley blocked
            """)

    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        var isEmpty = true
        var page = Parley_V1_ListBlockedReply()
        let style = Style()
        repeat {
            page = try await me.client.blocked(cursor: page.cursor, limit: 200)
            for block in page.blocks {
                isEmpty = false
                let (name, at) = (block.user.deleted ? block.user.id : block.user.username, block.atUs)
                if me.isJSON {
                    Output.json(BlockJSON(id: block.user.id, username: name, blocked: true, at: Times.iso(at)))
                } else {
                    let shown = PlainText.padded(PlainText.shown(name), 20)
                    Output.line(style.person(name, shown: shown) + "  " + style.dim(Times.short(at)))
                }
            }
        } while page.more
        if isEmpty, !me.isJSON { Output.note("You block nobody.") }
    }
}

private struct DoneJSON: Encodable {
    var conversation: String
    var done: String
}

extension PersonCommand {
    /// What the refusals of a decision about a request mean to who gives the command.
    fileprivate static func explained(_ error: ParleyError, _ user: String) -> any Error {
        switch error.code {
        case "not_found": Failure("not_found", "There is no request of \(user) to you.")
        case "forbidden" where Self.self == WithdrawCommand.self:
            Failure("forbidden", "The request is not yours: \(user) asks you.")
        case "forbidden": Failure("forbidden", "The request is yours: \(user) decides about it.")
        case "not_pending": Failure("not_pending", "The request is accepted already.")
        case "user_blocked":
            Failure("user_blocked", "You block \(user). First: \(ParleyCommand.invocation) unblock \(user)")
        default: error
        }
    }
}

extension Person {
    /// The id of my direct conversation with somebody whom a person names, by username or its id.
    fileprivate func direct(with text: String) async throws -> String {
        Self.isConversation(text) ? text : try await conversation(named: text, starting: false)
    }
}

extension Parley_V1_Conversation {
    /// Who asked.
    fileprivate var asker: Parley_V1_User {
        members.first { $0.user.id == requesterID }?.user ?? Parley_V1_User()
    }
}
