import ArgumentParser
import Foundation
import Schema

/// The `parley` command.
public struct ParleyCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "parley",
        abstract: "Run Parley and chat through it.",
        discussion: """
            First steps:
              parley up --demo                 start everything on this machine
              parley register dana             in a second terminal: create an account
              parley send alice "Hello!"       send a message
              parley tail                      show messages as they arrive

            Exit codes: 0 success, 1 refused or failed, 64 wrong usage, 69 server not reachable, 75 try again later, \
            77 not signed in.
            """,
        version: "parley \(Parley.version)",
        groupedSubcommands: [
            CommandGroup(
                name: "Server",
                subcommands: [
                    UpCommand.self, DoctorCommand.self, SeedCommand.self, MigrateCommand.self, KeysCommand.self,
                    BackupCommand.self, RestoreCommand.self, ImportCommand.self, ReportsCommand.self, AdminCommand.self,
                ]),
            CommandGroup(
                name: "Account",
                subcommands: [
                    RegisterCommand.self, LoginCommand.self, LogoutCommand.self, WhoamiCommand.self,
                    DevicesCommand.self, PasswordCommand.self, IdentitiesCommand.self, ProfileCommand.self,
                    ExportCommand.self, EraseCommand.self,
                ]),
            CommandGroup(
                name: "Messages",
                subcommands: [
                    SendCommand.self, AttachCommand.self, DownloadCommand.self, TailCommand.self, HistoryCommand.self,
                    SearchCommand.self, StarredCommand.self, MentionsCommand.self, EditCommand.self, DeleteCommand.self,
                    HideCommand.self, ReactCommand.self, ThreadCommand.self,
                    ForwardCommand.self, RevisionsCommand.self, StarCommand.self, UnstarCommand.self,
                    ReadersCommand.self, UsageCommand.self,
                ]),
            CommandGroup(
                name: "Conversation settings",
                subcommands: [
                    ReadCommand.self, UnreadCommand.self, ReceiptsCommand.self, PinCommand.self, UnpinCommand.self,
                    MuteCommand.self, UnmuteCommand.self, ArchiveCommand.self, UnarchiveCommand.self, ClearCommand.self,
                    RetentionCommand.self,
                ]),
            CommandGroup(
                name: "Conversations and people",
                subcommands: [
                    ConversationsCommand.self, InboxCommand.self, BadgeCommand.self,
                    GroupCommand.self, MembersCommand.self, LeaveCommand.self,
                    RenameCommand.self, PhotoCommand.self, RoleCommand.self, TransferCommand.self, WithCommand.self,
                    RequestsCommand.self, AcceptCommand.self, DeclineCommand.self, WithdrawCommand.self,
                    BlockCommand.self, UnblockCommand.self, BlockedCommand.self,
                    FindCommand.self, ReportCommand.self, PresenceCommand.self, StatusCommand.self,
                    PushCommand.self,
                ]),
            CommandGroup(
                name: "Reminders, decisions and events",
                subcommands: [
                    RemindCommand.self, RemindersCommand.self, SnoozeCommand.self, DoneCommand.self, ForgetCommand.self,
                    DecideCommand.self, DecisionsCommand.self, EventCommand.self, AgendaCommand.self, RSVPCommand.self,
                    HostCommand.self, InviteToEventCommand.self, GuestsCommand.self, ChangeEventCommand.self,
                    CancelCommand.self, CalendarCommand.self, SuggestionsCommand.self, ExtractCommand.self,
                ]),
        ])

    public init() {}

    /// How the user calls `parley`, for the commands that advice suggests. It lies beside `parley-lab`.
    static let invocation: String = {
        let called = CommandLine.arguments.first ?? "parley"
        guard let slash = called.lastIndex(of: "/") else { return "parley" }
        return called[...slash] + "parley"
    }()
}

extension AsyncParsableCommand {
    /// Runs the command that the arguments name, and ends the process with its exit code.
    public static func runToEnd(_ arguments: [String]? = nil) async -> Never {
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard let failure = Failure(explaining: error) else { exit(withError: error) }
            Output.complain(failure, of: configuration.commandName ?? "parley")
            Foundation.exit(failure.exitCode.rawValue)
        }
        Foundation.exit(0)
    }
}
