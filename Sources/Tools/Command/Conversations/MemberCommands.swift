import ArgumentParser
import ParleyClient

struct MembersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "members",
        abstract: "Show, add and remove members of a group.",
        discussion: """
            Examples:
              parley members "Weekend Trip"
              parley members add "Weekend Trip" dana erin
              parley members remove "Weekend Trip" bob
            """,
        subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

    struct List: PersonCommand {
        static let configuration = CommandConfiguration(abstract: "Show the members of a group.")

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
            if conversation.section == .requests {
                return Output.note("You are invited into this group. Its members are shown once you accept.")
            }
            if isFormer {
                return Output.note("You left this group, or were removed, at \(Times.short(conversation.leftAtUs)).")
            }
            for member in members {
                var line = style.person(member.user.username, shown: PlainText.padded(member.user.username, 20))
                line += "  " + PlainText.shown(member.user.displayName)
                if member.role != .member { line += style.dim(" (\(member.role))") }
                Output.line(line)
            }
            guard let invitations = try? await me.client.allInvitations(into: conversation.id) else { return }
            for invitation in invitations {
                let name = invitation.user.username
                let line = style.person(name, shown: PlainText.padded(name, 20)) + "  "
                Output.line(line + PlainText.shown(invitation.user.displayName) + style.dim(" (invited)"))
            }
        }
    }

    struct Add: PersonCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add people to a group that you own or administer, or invite them.",
            discussion: """
                New members can read messages from then on. People who do not know you, and those who left, are invited.
                """)

        @Argument(help: "A group's name or id.") var group: String
        @Argument(help: ArgumentHelp("Usernames.", valueName: "user")) var users: [String]
        @OptionGroup var connection: ConnectionOptions

        func run(as me: Person) async throws {
            let group = try await me.group(named: group)
            var ids: [String] = []
            for user in users { ids.append(try await me.user(named: user).id) }
            let reply = try await me.client.addMembers(ids, to: group)
            let conversation = reply.conversation
            if me.isJSON {
                return Output.json(
                    ConversationJSON(conversation, title: conversation.name, invited: reply.invited))
            }
            let members = conversation.memberCount == 1 ? "1 member" : "\(conversation.memberCount) members"
            let invited = reply.invited.isEmpty ? "" : " Invited: \(reply.invited.count)."
            Output.line("\(PlainText.shown(conversation.name)) has \(members).\(invited)")
        }
    }

    struct Remove: PersonCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove people from a group that you own or administer.",
            discussion: "Removed members can still read earlier messages.")

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
        abstract: "Leave a group.",
        discussion: """
            You can still read earlier messages. If you own the group, the longest-serving admin becomes the owner, or \
            the longest-serving member if there is no admin.

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

extension ParleyClient {
    /// Returns all open invitations into a group that I own or administer.
    fileprivate func allInvitations(into group: String) async throws(ParleyError) -> [Parley_V1_Invitation] {
        var all: [Parley_V1_Invitation] = []
        var page = Parley_V1_ListInvitationsReply()
        repeat {
            page = try await invitations(into: group, cursor: page.cursor, limit: 200)
            all += page.invitations
        } while page.more
        return all
    }
}

extension Person {
    /// Returns the id of one of my groups, named by its name or id.
    func group(named text: String) async throws -> String {
        if Self.isConversation(text) { return text }
        let groups = try await names.groups(named: text)
        switch groups.count {
        case 1: return groups[0]
        case 0: throw Failure(.notFound, "You have no group called \(text).")
        default:
            throw Failure(
                .notFound, "\(groups.count) of your groups are called \(text).",
                advice: (["Use the id of one of them:"] + groups).joined(separator: "\n  "))
        }
    }
}
