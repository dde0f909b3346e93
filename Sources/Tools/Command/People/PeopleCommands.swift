import ArgumentParser
import Foundation
import ParleyClient

struct ProfileJSON: Encodable {
    var id: String
    var username: String
    var displayName: String
    var photoURL: String
    var email: String
    var findableByEmail: Bool
    var emailConfirmed: Bool
    var guest: Bool
    var createdAt: String

    init(_ profile: Parley_V1_Profile) {
        (id, username) = (profile.user.id, profile.user.username)
        (displayName, photoURL) = (profile.user.displayName, profile.user.photoURL)
        (email, findableByEmail) = (profile.email, profile.findableByEmail)
        (emailConfirmed, guest) = (profile.emailConfirmed, profile.guest)
        createdAt = Times.iso(profile.user.createdAtUs)
    }
}

struct ProfileCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Show or change your profile.",
        discussion: """
            Changes reach everyone you share a conversation with, after a moment. Your email address stays private, \
            unless you let others find you by it.

            Examples:
              parley profile
              parley profile --display-name "Dana Miller" --photo https://example.org/dana.jpg
              parley profile --email dana@example.org --findable-by-email yes
              parley profile --confirm-email            a code is mailed to the address
              parley profile --email-code k7mq-3fdp
              parley profile --photo ""
            """)

    @Option(help: ArgumentHelp("Set your username.", valueName: "name")) var username: String?
    @Option(help: ArgumentHelp("Set the name that others see.", valueName: "name")) var displayName: String?
    @Option(help: ArgumentHelp("Set the photo's https address; empty removes it.", valueName: "url")) var photo: String?
    @Option(help: ArgumentHelp("Set your email address; empty removes it.", valueName: "address")) var email: String?
    @Option(help: ArgumentHelp("Set whether people can find you by your email address.", valueName: "yes|no"))
    var findableByEmail: String?
    @Flag(help: "Have a code mailed to your address, to confirm that it is yours.") var confirmEmail = false
    @Option(help: ArgumentHelp("Confirm your address with the code that was mailed.", valueName: "code"))
    var emailCode: String?
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard findableByEmail.map({ ["yes", "no"].contains($0) }) ?? true else {
            throw ValidationError("--findable-by-email must be yes or no.")
        }
        guard !confirmEmail || emailCode == nil else {
            throw ValidationError("Give --confirm-email first, and --email-code when the code has come.")
        }
    }

    func run(as me: Person) async throws {
        let isChange = [username, displayName, photo, email, findableByEmail].contains { $0 != nil }
        var profile =
            isChange
            ? try await me.client.updateProfile(
                username: username, displayName: displayName, photoURL: photo, email: email,
                findableByEmail: findableByEmail.map { $0 == "yes" })
            : try await me.client.profile()
        if let username { try await connection.store().naming(username).save(await me.client.credentials) }
        if let emailCode { profile = try await me.client.confirmEmail(code: emailCode) }
        if confirmEmail { try await me.client.requestEmailCode() }
        if me.isJSON { return Output.json(ProfileJSON(profile)) }
        let style = Style()
        let username = profile.user.username.isEmpty ? "(guest)" : profile.user.username
        Output.line(style.person(username) + "  " + PlainText.shown(profile.user.displayName))
        if !profile.user.photoURL.isEmpty { Output.line("photo: \(PlainText.shown(profile.user.photoURL))") }
        if !profile.email.isEmpty {
            let findable = profile.findableByEmail ? "others may find you by it" : "only you see it"
            let confirmed = profile.emailConfirmed ? "confirmed" : "not confirmed"
            Output.line("email: \(PlainText.shown(profile.email)) " + style.dim("(\(confirmed); \(findable))"))
        }
        if confirmEmail, !profile.emailConfirmed {
            Output.note("A code is on its way to \(PlainText.shown(profile.email)). Give it with --email-code.")
        }
    }
}

struct FindCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find people by any part of their names, or by their email address.",
        discussion: """
            Case and accents do not matter. People are found by their email address only if they allow it.

            Examples:
              parley find mull
              parley find dana@example.org
              parley find an --to-write-to
            """)

    @Argument(help: "A part of a name, or a whole email address.") var text: String
    @Flag(help: "Leave out people you blocked, and yourself.") var toWriteTo = false
    @Flag(help: "Leave out people you already have a conversation with.") var new = false
    @Option(help: ArgumentHelp("Show at most this many people.", valueName: "count")) var limit = 50
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be 1 to 10000.") }
    }

    func run(as me: Person) async throws {
        var found: [Parley_V1_User] = []
        var page = Parley_V1_SearchUsersReply()
        repeat {
            page = try await me.client.searchUsers(
                text, toWriteTo: toWriteTo, leavingOutTalking: new, cursor: page.cursor,
                limit: UInt32(min(limit - found.count, 200)))
            found += page.users
        } while page.more && found.count < limit
        let style = Style()
        for user in found {
            if me.isJSON {
                Output.json(UserJSON(user))
                continue
            }
            let name = style.person(user.username, shown: PlainText.padded(user.username, 20))
            Output.line(name + "  " + PlainText.shown(user.displayName))
        }
        if me.isJSON { return }
        if found.isEmpty { Output.note("Nobody found.") }
        if page.more { Output.note("There are more. Increase --limit or type more of the name.") }
    }
}

struct ReportCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report a person or a message to the operator.",
        discussion: """
            Only the operator sees the report.

            Examples:
              parley report mallory spam
              parley report mallory harassment --in "Weekend Trip" --message 17 --note "Again."
            """)

    @Argument(help: "The person's username.") var person: String
    @Argument(
        help: ArgumentHelp(ReportReasons.names.joined(separator: ", ") + ".", valueName: "reason")) var reason: String
    @Option(name: .customLong("in"), help: ArgumentHelp("The message's conversation.", valueName: "conversation"))
    var conversation: String?
    @Option(help: ArgumentHelp("The message's number in the conversation.", valueName: "seq")) var message: Int64?
    @Option(help: ArgumentHelp("A note to the operator.", valueName: "text")) var note = ""
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard ReportReasons.reason(named: reason) != nil else {
            throw ValidationError("The reason must be one of " + ReportReasons.names.joined(separator: ", ") + ".")
        }
        guard (conversation == nil) == (message == nil) else {
            throw ValidationError("To report a message, give both --in and --message.")
        }
    }

    func run(as me: Person) async throws {
        let about = try await me.user(named: person)
        var reported: (conversation: String, seq: Int64)?
        if let conversation, let message {
            reported = (try await me.conversation(named: conversation, starting: false), message)
        }
        try await me.client.report(
            about.id, message: reported, reason: ReportReasons.reason(named: reason) ?? .other, note: note)
        if me.isJSON { return Output.json(["reported": about.id]) }
        Output.line("Reported \(PlainText.shown(about.username)).")
    }
}

/// Reasons for reports, in the order of their numbers from 1.
enum ReportReasons {
    static let names = ["spam", "harassment", "violence", "sexual", "impersonation", "other"]

    static func reason(named name: String) -> Parley_V1_ReportReason? {
        names.firstIndex(of: name).flatMap { Parley_V1_ReportReason(rawValue: $0 + 1) }
    }
}

struct ExportCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export all your data to one JSON file.",
        discussion: """
            Exports your profile, devices, conversations, blocks, reports, requests, reminders, decisions and all \
            messages you may read. With --files it also saves the files that you sent. If the export is interrupted, \
            repeat the command to continue it. FILE.part holds the data received so far.

            Examples:
              parley export --to parley-dana.json
              parley export --to parley-dana.json --files parley-dana
            """)

    @Option(help: ArgumentHelp("The file to write.", valueName: "file")) var to: String
    @Option(help: ArgumentHelp("The folder for the files that you sent.", valueName: "folder")) var files: String?
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        try await me.client.export(to: to, filesTo: files)
        if me.isJSON { return Output.json(["exported": to].merging(files.map { ["files": $0] } ?? [:]) { $1 }) }
        Output.line("Your data is in \(to)\(files.map { ", your files are in \($0)" } ?? ""). Keep it private.")
    }
}

struct EraseCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase your account permanently.",
        discussion: """
            Nobody can sign in to your account or find you any more, and nobody else can take your username. Your \
            messages stay, with "deleted user" as their sender. Erasing cannot be undone. To save a copy first, run \
            "parley export".

            Example:
              parley erase --yes
            """)

    @Flag(help: "Confirm that you want to erase your account.") var yes = false
    @OptionGroup var password: PasswordOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard yes else { throw ValidationError("Erasing cannot be undone. Add --yes to confirm.") }
    }

    func run(as me: Person) async throws {
        let username = try connection.store().content()?.username ?? ""
        try await me.client.erase(password: try password.password(for: username))
        try await connection.store().save(nil)
        if me.isJSON { return Output.json(["erased": me.user]) }
        Output.line("Your account is erased.")
    }
}
