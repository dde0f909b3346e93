import ArgumentParser
import Foundation
import ParleyClient

/// A command that changes my inbox state of one conversation.
protocol InboxStateCommand: PersonCommand {
    var target: ConversationArgument { get }

    /// Changes the state and returns the new one.
    func change(_ conversation: String, _ client: ParleyClient) async throws(ParleyError) -> Parley_V1_InboxState
    /// Describes the new state in words.
    func words(_ state: Parley_V1_InboxState) -> String
}

extension InboxStateCommand {
    func run(as me: Person) async throws {
        let id = try await me.conversation(named: target.conversation, starting: false)
        let state: Parley_V1_InboxState
        do throws(ParleyError) {
            state = try await change(id, me.client)
        } catch {
            guard error.hasCode(.notMember) else { throw error }
            throw Failure(.notMember, "You have no conversation with \(target.conversation) yet.")
        }
        await StateLine.print(state, for: me) { words(state) }
    }
}

struct ConversationArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A username, a group's name, or a conversation's id.", valueName: "person or conversation"))
    var conversation: String
}

struct PinCommand: InboxStateCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Pin a conversation to the top of your inbox.",
        discussion: """
            Example:
              parley pin alice
            """)

    @OptionGroup var target: ConversationArgument
    @OptionGroup var connection: ConnectionOptions

    func change(_ conversation: String, _ client: ParleyClient) async throws(ParleyError) -> Parley_V1_InboxState {
        try await client.updateInboxState(conversation, pinned: true)
    }

    func words(_ state: Parley_V1_InboxState) -> String { "Pinned." }
}

struct UnpinCommand: InboxStateCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: "Unpin a conversation.",
        discussion: """
            Example:
              parley unpin alice
            """)

    @OptionGroup var target: ConversationArgument
    @OptionGroup var connection: ConnectionOptions

    func change(_ conversation: String, _ client: ParleyClient) async throws(ParleyError) -> Parley_V1_InboxState {
        try await client.updateInboxState(conversation, pinned: false)
    }

    func words(_ state: Parley_V1_InboxState) -> String { "No longer pinned." }
}

struct MuteCommand: InboxStateCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Mute a conversation, for you alone.",
        discussion: """
            \(Times.help)

            Examples:
              parley mute "Weekend Trip"
              parley mute alice --until +8h
            """)

    @OptionGroup var target: ConversationArgument
    @Option(help: ArgumentHelp("When to unmute. Default: never.", valueName: "time")) var until: String?
    @OptionGroup var zone: ZoneOption
    @OptionGroup var connection: ConnectionOptions

    func validate() throws { _ = try zone.time(until, of: "--until") }

    func change(_ conversation: String, _ client: ParleyClient) async throws(ParleyError) -> Parley_V1_InboxState {
        // It was read before.
        try await client.mute(conversation, until: try? zone.time(until, of: "--until"))
    }

    func words(_ state: Parley_V1_InboxState) -> String {
        state.mutedUntilUs == .max ? "Muted." : "Muted until \(Times.minute(state.mutedUntilUs))."
    }
}

struct UnmuteCommand: InboxStateCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute", abstract: "Unmute a conversation.",
        discussion: """
            Example:
              parley unmute alice
            """)

    @OptionGroup var target: ConversationArgument
    @OptionGroup var connection: ConnectionOptions

    func change(_ conversation: String, _ client: ParleyClient) async throws(ParleyError) -> Parley_V1_InboxState {
        try await client.unmute(conversation)
    }

    func words(_ state: Parley_V1_InboxState) -> String { "No longer muted." }
}

struct ArchiveCommand: InboxStateCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Archive a conversation, which removes it from your inbox.",
        discussion: """
            A new message brings the conversation back, unless it is muted.

            Example:
              parley archive alice
              parley inbox --archived
            """)

    @OptionGroup var target: ConversationArgument
    @OptionGroup var connection: ConnectionOptions

    func change(_ conversation: String, _ client: ParleyClient) async throws(ParleyError) -> Parley_V1_InboxState {
        try await client.updateInboxState(conversation, archived: true)
    }

    func words(_ state: Parley_V1_InboxState) -> String { "Archived." }
}

struct UnarchiveCommand: InboxStateCommand {
    static let configuration = CommandConfiguration(
        commandName: "unarchive", abstract: "Return an archived conversation to your inbox.",
        discussion: """
            Example:
              parley unarchive alice
            """)

    @OptionGroup var target: ConversationArgument
    @OptionGroup var connection: ConnectionOptions

    func change(_ conversation: String, _ client: ParleyClient) async throws(ParleyError) -> Parley_V1_InboxState {
        try await client.updateInboxState(conversation, archived: false)
    }

    func words(_ state: Parley_V1_InboxState) -> String { "No longer archived." }
}

struct ClearCommand: InboxStateCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Delete a conversation's messages for you alone.",
        discussion: """
            Deletes them permanently, on all your devices. The conversation comes back with its next message.

            Example:
              parley clear alice --yes
            """)

    @OptionGroup var target: ConversationArgument
    @Option(help: ArgumentHelp("Delete only up to this message, inclusive.", valueName: "seq")) var upTo: Int64?
    @Flag(help: "Confirm that you want to delete the messages.") var yes = false
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard yes else { throw ValidationError("Deleted messages cannot be restored. Add --yes to confirm.") }
        if let upTo, upTo < 1 { throw ValidationError("--up-to must be at least 1.") }
    }

    func change(_ conversation: String, _ client: ParleyClient) async throws(ParleyError) -> Parley_V1_InboxState {
        try await client.clear(conversation, upTo: upTo)
    }

    func words(_ state: Parley_V1_InboxState) -> String {
        "Deleted all messages up to number \(state.clearedSeq), for you only."
    }
}

struct RetentionCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention",
        abstract: "Make new messages in a conversation disappear after a time.",
        discussion: """
            In a group, only the owner and admins can do this. SPAN is "90s", "5m", "36h" or "7d", or "off" to keep \
            messages.

            Examples:
              parley retention alice 7d
              parley retention alice off
            """)

    @OptionGroup var target: ConversationArgument
    @Argument(help: ArgumentHelp("The time between sending and disappearing.", valueName: "span")) var span: String
    @Flag(help: "Include existing messages, counted from when they were sent.") var alsoOld = false
    @OptionGroup var connection: ConnectionOptions

    struct RetentionJSON: Encodable {
        var conversation: String
        var seconds: Int64
    }

    private var seconds: Int64? { span == "off" ? 0 : Times.seconds(span) }

    func validate() throws {
        guard seconds != nil else {
            throw ValidationError("\"\(span)\" is not a time span. Use \"90s\", \"5m\", \"36h\", \"7d\" or \"off\".")
        }
    }

    func run(as me: Person) async throws {
        let id = try await me.conversation(named: target.conversation, starting: false)
        let seconds = seconds ?? 0
        try await me.client.setRetention(of: id, seconds: seconds, alsoOld: alsoOld)
        if me.isJSON { return Output.json(RetentionJSON(conversation: id, seconds: seconds)) }
        Output.line(
            seconds == 0
                ? "New messages do not disappear." : "New messages disappear after \(Times.duration(seconds)).")
    }
}
