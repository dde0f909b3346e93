import ArgumentParser
import ParleyClient

struct BlockJSON: Encodable {
    var id: String
    var username: String
    var blocked: Bool
    var at: String?
    /// Ids of my groups that the blocked person owns.
    var groups: [String]?
}

struct BlockCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Block people.",
        discussion: """
            Neither of you can write to the other directly. A blocked person finds out only when they try.

            Example:
              parley block bob
            """)

    @Argument(help: ArgumentHelp("Usernames.", valueName: "user")) var users: [String]
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        for name in users {
            let user = try await me.user(named: name)
            let groups = try await me.client.block(user.id)
            if me.isJSON {
                Output.json(BlockJSON(id: user.id, username: user.username, blocked: true, groups: groups))
                continue
            }
            Output.line("Blocked \(PlainText.shown(user.username)).")
            for group in groups {
                let title = PlainText.shown(await me.names.title(group))
                Output.note("\(PlainText.shown(user.username)) owns \(title), of which you are a member.")
            }
        }
    }
}

struct UnblockCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock",
        abstract: "Unblock people.",
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
                Output.line("\(PlainText.shown(user.username)) is no longer blocked.")
            }
        }
    }
}

struct BlockedCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "blocked",
        abstract: "List the people you blocked, latest first.",
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
        if isEmpty, !me.isJSON { Output.note("You have blocked nobody.") }
    }
}
