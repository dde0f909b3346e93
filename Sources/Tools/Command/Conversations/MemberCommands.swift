import ArgumentParser
import ParleyClient

struct MembersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members",
        abstract: "Shows who is in a group, adds people and removes them.",
        discussion: """
            Examples:
              parley members "Weekend Trip"
              parley members add "Weekend Trip" dana erin
              parley members remove "Weekend Trip" bob
            """,
        subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

    struct List: PersonCommand {
        static let configuration = CommandConfiguration(abstract: "Shows who is in a group.")

        @Argument(help: "A group's name or id.") var group: String
        @OptionGroup var connection: ConnectionOptions

        func run(as me: Person) async throws {
            let conversation = try await me.client.getConversation(try await me.group(named: group))
            let isFormer = conversation.leftAtUs != 0
            let members = isFormer ? [] : try await me.client.allMembers(of: conversation.id)
            if me.isJSON {
                return Output.json(ConversationJSON(conversation, title: conversation.name, members: members))
            }
            let style = Style()
            if isFormer {
                return Output.note("You are not in this group any more, since \(Times.short(conversation.leftAtUs)).")
            }
            for member in members {
                var line = style.person(member.user.username, shown: PlainText.padded(member.user.username, 20))
                line += "  " + PlainText.shown(member.user.displayName)
                if member.role != .member { line += style.dim(" (\(member.role))") }
                Output.line(line)
            }
        }
    }

    struct Add: PersonCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds people to a group that I own or administer.",
            discussion: "They read what is said from now on.")

        @Argument(help: "A group's name or id.") var group: String
        @Argument(help: ArgumentHelp("Usernames.", valueName: "user")) var users: [String]
        @OptionGroup var connection: ConnectionOptions

        func run(as me: Person) async throws {
            let group = try await me.group(named: group)
            var ids: [String] = []
            for user in users { ids.append(try await me.user(named: user).id) }
            let conversation = try await me.client.addMembers(ids, to: group).conversation
            if me.isJSON {
                return Output.json(ConversationJSON(conversation, title: conversation.name))
            }
            Output.line("\(PlainText.shown(conversation.name)) has \(conversation.memberCount) members.")
        }
    }

    struct Remove: PersonCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes people from a group that I own or administer.",
            discussion: "They may still read what was said until then.")

        @Argument(help: "A group's name or id.") var group: String
        @Argument(help: ArgumentHelp("Usernames.", valueName: "user")) var users: [String]
        @OptionGroup var connection: ConnectionOptions

        func run(as me: Person) async throws {
            let group = try await me.group(named: group)
            for user in users {
                try await me.client.removeMember(try await me.user(named: user).id, from: group)
                if !me.isJSON { Output.line("Removed \(PlainText.shown(user)).") }
            }
            guard me.isJSON else { return }
            let conversation = try await me.client.getConversation(group)
            Output.json(ConversationJSON(conversation, title: conversation.name))
        }
    }
}

struct LeaveCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leaves a group.",
        discussion: """
            What was said until then stays readable. A group whose owner leaves goes to whom it knows longest.

            Example:
              parley leave "Weekend Trip"
            """)

    @Argument(help: "A group's name or id.") var group: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let group = try await me.group(named: group)
        try await me.client.leaveGroup(group)
        let conversation = try await me.client.getConversation(group)
        if me.isJSON {
            return Output.json(ConversationJSON(conversation, title: conversation.name))
        }
        Output.line("You left \(PlainText.shown(conversation.name)).")
    }
}

extension Person {
    /// The id of a group of mine that a person names, by its name or id.
    func group(named text: String) async throws -> String {
        if Self.isConversation(text) { return text }
        let groups = try await names.groups(named: text)
        switch groups.count {
        case 1: return groups[0]
        case 0: throw Failure("not_found", "There is no group of yours called \(text).")
        default:
            throw Failure(
                "not_found", "\(groups.count) of your groups are called \(text): give the id.",
                advice: groups.joined(separator: "\n  "))
        }
    }
}
