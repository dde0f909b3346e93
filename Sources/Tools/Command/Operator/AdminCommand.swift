import ArgumentParser
import Foundation
import Logging
import Postgres
import Reactor

/// What an operator does to accounts. All of it works by the database alone, also while nothing else runs.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Suspend, sign out or remove people, delete messages, name owners, and invite new people.",
        discussion: """
            Uses the database of "parley up" in this folder, or the one you name, with a role that may change Parley's \
            schemas. Use PARLEY_DATABASE_URL so that the URL (and its password) does not show in the process list. \
            Open sessions of the person close within two seconds. "parley admin audit" lists what was done.

            Examples:
              parley admin suspend mallory --reason "spam" --until 2026-12-24
              parley admin restore mallory --reason "promised to stop"
              parley admin delete-message 0197f2c17a307d438c5e0d8f1a2b3c4d 42 --reason "report 7" --yes
              parley admin invite --uses 10 --expires 2026-12-24
            """,
        subcommands: [
            SuspendCommand.self, RestoreAccountCommand.self, SignOutCommand.self, RemoveCommand.self,
            DeleteMessageCommand.self, OwnerCommand.self, InviteCommand.self, AuditCommand.self,
        ])
}

/// The person and the reason of an operator's command.
struct OperatedOptions: ParsableArguments {
    @Argument(help: "The person's username or id.") var user: String
    @Option(help: "The reason, for the audit.") var reason: String

    func validate() throws {
        try Self.check(reason)
    }

    static func check(_ reason: String) throws {
        guard !reason.isEmpty, reason.utf8.count <= 300 else {
            throw ValidationError("--reason must have 1 to 300 bytes.")
        }
        // The person is told it, and operators read it in the audit.
        guard !reason.unicodeScalars.contains(where: PlainText.isSteering) else {
            throw ValidationError("--reason must be one line, without control or text-direction characters.")
        }
    }
}

struct SuspendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Keep a person from using their account, and close their sessions.",
        discussion: """
            The person is told the reason when they try to sign in. What they wrote stays. Suspending again replaces \
            reason and end.

            Examples:
              parley admin suspend mallory --reason "spam"
              parley admin suspend mallory --reason "spam" --until +7d
            """)

    @OptionGroup var operated: OperatedOptions
    @Option(
        help: ArgumentHelp(
            "When the suspension ends by itself: a day, a time or a span (+7d). Default: with \"restore\".",
            valueName: "date")) var until: String?
    @OptionGroup var database: OperatorOptions

    func run() async throws {
        let end = try until.map { text in
            guard let end = Times.end(text) else {
                throw ValidationError("--until must be a later date, such as 2026-12-24, or a span, such as +7d.")
            }
            return end
        }
        try await OperatorAction.suspend.run(operated, until: end, database)
    }
}

struct RestoreAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "End a person's suspension.",
        discussion: """
            The person has to sign in again on each device.

            Example:
              parley admin restore mallory --reason "promised to stop"
            """)

    @OptionGroup var operated: OperatedOptions
    @OptionGroup var database: OperatorOptions

    func run() async throws { try await OperatorAction.restore.run(operated, database) }
}

struct SignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Sign out all of a person's devices.",
        discussion: """
            The secret link to the person's calendar ends, too.

            Example:
              parley admin sign-out dana --reason "phone was stolen"
            """)

    @OptionGroup var operated: OperatedOptions
    @OptionGroup var database: OperatorOptions

    func run() async throws { try await OperatorAction.signOut.run(operated, database) }
}

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Erase a person's account, as they could themselves. This cannot be undone.",
        discussion: """
            The account is gone at once. The services then remove the person from their conversations, when they run. \
            Messages stay, as from a deleted user.

            Example:
              parley admin remove mallory --reason "court order 12/26" --yes
            """)

    @OptionGroup var operated: OperatedOptions
    @Flag(help: "Confirm that the account is to be erased.") var yes = false
    @OptionGroup var database: OperatorOptions

    func validate() throws {
        guard yes else { throw ValidationError("This cannot be undone. Add --yes to confirm.") }
    }

    func run() async throws { try await OperatorAction.remove.run(operated, database) }
}

struct DeleteMessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-message",
        abstract: "Delete a message for everyone, as its author could. This cannot be undone.",
        discussion: """
            It disappears at once, with what it suggested. The messaging service then removes its text and its file,             when it runs. "parley reports" names the conversation and the number of a reported message.

            Example:
              parley admin delete-message 0197f2c17a307d438c5e0d8f1a2b3c4d 42 --reason "report 7" --yes
            """)

    @Argument(help: "The id of the conversation.") var conversation: String
    @Argument(help: "The number of the message in it.") var seq: Int64
    @Option(help: "The reason, for the audit.") var reason: String
    @Flag(help: "Confirm that the message is to be deleted.") var yes = false
    @OptionGroup var database: OperatorOptions

    func validate() throws {
        try OperatedOptions.check(reason)
        guard seq > 0 else { throw ValidationError("The number of a message is 1 or more.") }
        guard yes else { throw ValidationError("This cannot be undone. Add --yes to confirm.") }
    }

    func run() async throws {
        let (conversation, seq) = (conversation, seq)
        let what = "message \(seq) of \(conversation): \(reason)"
        try await OperatorAction.onDatabase(database) { _ in
            let lane = try await OperatorAction.lane(of: "messaging", database)
            defer { lane.close() }
            try await lane.connection.transaction { transaction in
                let author = try await transaction.first(
                    OperatorStore.removeMessage, .int32(Int32(lane.number)), .text(conversation), .int64(seq))
                guard let author, let author else {
                    throw Failure(
                        .messageNotFound, "There is no message \(seq) in \(conversation), or it is gone already.")
                }
                try await transaction.execute(
                    OperatorStore.note, .int16(OperatorAction.deleteMessage.rawValue), .int64(author), .text(what),
                    .text(OperatorAction.who))
            }
        }
        if database.json {
            return Output.json([
                "conversation": conversation, "seq": "\(seq)", "action": OperatorAction.deleteMessage.name,
            ])
        }
        Output.line("Message \(seq) of \(PlainText.shown(conversation)) is deleted.")
    }
}

struct InviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Make a code with which people can create accounts.",
        discussion: """
            Codes are needed where the conversations service runs with registration=invited. The code is printed once; \
            the database keeps only its hash.

            Example:
              parley admin invite --uses 10 --expires 2026-12-24
            """)

    @Option(help: ArgumentHelp("How many accounts can be created with it.", valueName: "count")) var uses = 1
    @Option(
        help: ArgumentHelp("The last day, or a time or a span (+7d), on which it can be used.", valueName: "date"))
    var expires = "+7d"
    @OptionGroup var database: OperatorOptions

    func validate() throws {
        guard (1...100_000).contains(uses) else { throw ValidationError("--uses must be 1 to 100000.") }
        guard Times.end(expires) != nil else {
            throw ValidationError("--expires must be a later date, such as 2026-12-24, or a span, such as +7d.")
        }
    }

    func run() async throws {
        guard let end = Times.end(expires) else { return }
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        var random = SystemRandomNumberGenerator()
        let code = (0..<16).map { _ in letters[Int.random(in: letters.indices, using: &random)] }
        let groups = stride(from: 0, to: 16, by: 4).map { String(code[$0..<$0 + 4]) }
        let what = "\(uses) account\(uses == 1 ? "" : "s") until \(Times.iso(end))"
        try await OperatorAction.onDatabase(database) { connection in
            _ = try await connection.execute(
                OperatorStore.addCode, .text(String(code)), .int32(Int32(uses)), .int64(end),
                .text(what), .text(OperatorAction.who))
        }
        let shown = groups.joined(separator: "-")
        if database.json {
            return Output.json(["code": shown, "uses": "\(uses)", "expires_at": Times.iso(end)])
        }
        Output.line("Code: \(shown), for \(uses) account\(uses == 1 ? "" : "s") until \(Times.minute(end))")
    }
}

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List what operators did, latest first.",
        discussion: """
            Examples:
              parley admin audit
              parley admin audit mallory --limit 5
            """)

    @Argument(help: "Only what concerned this person: a username or id.") var user: String?
    @Option(help: ArgumentHelp("Show at most this many entries.", valueName: "count")) var limit = 100
    @OptionGroup var database: OperatorOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be 1 to 100000.") }
    }

    func run() async throws {
        let (user, limit) = (user, limit)
        let entries = try await OperatorAction.onDatabase(database) { connection in
            var account: Int64?
            if let user { account = try await OperatorAction.account(user, connection) }
            return try await connection.query(OperatorStore.audit, .optional(account), .int64(Int64(limit)))
        }
        for entry in entries {
            if database.json {
                Output.json(entry)
            } else {
                let style = Style()
                Output.line(
                    style.bold(entry.action) + (entry.user.map { " \(PlainText.shown($0))" } ?? "")
                        + style.dim("  \(entry.at)  by \(PlainText.shown(entry.operator))"))
                Output.line("    \(PlainText.shown(entry.reason, indent: 8))")
            }
        }
        if entries.isEmpty, !database.json { Output.note("No entries.") }
    }
}
