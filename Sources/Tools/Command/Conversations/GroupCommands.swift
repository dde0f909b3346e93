import ArgumentParser
import ParleyClient

struct RenameCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a group that you own or administer.",
        discussion: """
            Example:
              parley rename "Weekend Trip" "Week at the Sea"
            """)

    @Argument(help: "A group's name or id.") var group: String
    @Argument(help: "The group's new name.") var name: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let group = try await me.group(named: group)
        let conversation = try await me.client.updateGroup(group, name: name).conversation
        if me.isJSON {
            return Output.json(ConversationJSON(conversation, title: conversation.name))
        }
        Output.line("The group is now called \(PlainText.shown(conversation.name)).")
    }
}

struct PhotoCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo",
        abstract: "Change or remove the photo of a group that you own or administer.",
        discussion: """
            Examples:
              parley photo "Weekend Trip" https://example.com/sea.jpg
              parley photo "Weekend Trip" --none
            """)

    @Argument(help: "A group's name or id.") var group: String
    @Argument(help: ArgumentHelp("The photo's https address.", valueName: "url")) var address: String?
    @Flag(help: "Remove the photo.") var none = false
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard (address == nil) == none else { throw ValidationError("Give an address, or --none.") }
    }

    func run(as me: Person) async throws {
        let group = try await me.group(named: group)
        let conversation = try await me.client.updateGroup(group, photoURL: address ?? "").conversation
        if me.isJSON {
            return Output.json(ConversationJSON(conversation, title: conversation.name))
        }
        let photo = conversation.photoURL.isEmpty ? "no photo" : "a new photo"
        Output.line("\(PlainText.shown(conversation.name)) now has \(photo).")
    }
}

struct RoleCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "role",
        abstract: "Make a member of your group an admin, or an admin a member.",
        discussion: """
            Admins can add and remove members, rename the group and change its photo.

            Examples:
              parley role "Weekend Trip" dana admin
              parley role "Weekend Trip" dana member
            """)

    enum Role: String, ExpressibleByArgument, CaseIterable { case admin, member }

    @Argument(help: "A group's name or id.") var group: String
    @Argument(help: "A member's username.") var user: String
    @Argument(help: "The person's new role: admin or member.") var role: Role
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let group = try await me.group(named: group)
        let person = try await me.user(named: user)
        try await me.client.setMemberRole(role == .admin ? .admin : .member, of: person.id, in: group)
        if me.isJSON {
            let conversation = try await me.client.getConversation(group)
            return Output.json(ConversationJSON(conversation, title: conversation.name))
        }
        Output.line("\(PlainText.shown(person.username)) is now \(role == .admin ? "an admin" : "a member").")
    }
}

struct TransferCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "Transfer your group to another member. You become an admin.",
        discussion: """
            Example:
              parley transfer "Weekend Trip" dana
            """)

    @Argument(help: "A group's name or id.") var group: String
    @Argument(help: "A member's username.") var user: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let group = try await me.group(named: group)
        let person = try await me.user(named: user)
        try await me.client.transferOwnership(group, to: person.id)
        let conversation = try await me.client.getConversation(group)
        if me.isJSON {
            return Output.json(ConversationJSON(conversation, title: conversation.name))
        }
        Output.line("\(PlainText.shown(conversation.name)) now belongs to \(PlainText.shown(person.username)).")
    }
}

struct WithCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "with",
        abstract: "Find the conversation of exactly these people and you.",
        discussion: """
            Finds a direct conversation, or the newest group. Without usernames, finds your notes.

            Example:
              parley with alice bob
            """)

    @Argument(help: ArgumentHelp("The other people's usernames.", valueName: "user")) var users: [String] = []
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        var ids: [String] = []
        for user in users { ids.append(try await me.user(named: user).id) }
        guard let conversation = try await me.client.findConversation(with: ids) else {
            throw Failure(.notFound, "There is no conversation of exactly these people and you.")
        }
        await me.names.learn(conversation)
        let title = await me.names.title(conversation.id)
        if me.isJSON {
            return Output.json(ConversationJSON(conversation, title: title))
        }
        Output.line("\(PlainText.shown(title))  \(Style().dim(conversation.id))")
    }
}
