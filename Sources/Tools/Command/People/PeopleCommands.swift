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
    var createdAt: String

    init(_ profile: Parley_V1_Profile) {
        (id, username) = (profile.user.id, profile.user.username)
        (displayName, photoURL) = (profile.user.displayName, profile.user.photoURL)
        (email, findableByEmail) = (profile.email, profile.findableByEmail)
        createdAt = Times.iso(profile.user.createdAtUs)
    }
}

struct ProfileCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Shows my profile, or changes it.",
        discussion: """
            Everyone I share conversations with sees a change a moment later. Only I see the email address.

            Examples:
              parley profile
              parley profile --display-name "Dana Miller" --photo https://example.org/dana.jpg
              parley profile --email dana@example.org --findable-by-email yes
              parley profile --photo ""
            """)

    @Option(help: ArgumentHelp("How others find me.", valueName: "name")) var username: String?
    @Option(help: ArgumentHelp("What others see.", valueName: "name")) var displayName: String?
    @Option(help: ArgumentHelp("An https address; empty: no photo.", valueName: "url")) var photo: String?
    @Option(help: ArgumentHelp("My email address; empty: none.", valueName: "address")) var email: String?
    @Option(help: ArgumentHelp("Whether who knows the address may find me by it.", valueName: "yes|no"))
    var findableByEmail: String?
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard findableByEmail.map({ ["yes", "no"].contains($0) }) ?? true else {
            throw ValidationError("--findable-by-email is yes or no.")
        }
    }

    func run(as me: Person) async throws {
        let isChange = [username, displayName, photo, email, findableByEmail].contains { $0 != nil }
        let profile =
            isChange
            ? try await me.client.updateProfile(
                username: username, displayName: displayName, photoURL: photo, email: email,
                findableByEmail: findableByEmail.map { $0 == "yes" })
            : try await me.client.profile()
        if let username { try await connection.store().naming(username).save(await me.client.credentials) }
        if me.isJSON { return Output.json(ProfileJSON(profile)) }
        let style = Style()
        Output.line(style.person(profile.user.username) + "  " + PlainText.shown(profile.user.displayName))
        if !profile.user.photoURL.isEmpty { Output.line("photo: \(PlainText.shown(profile.user.photoURL))") }
        if !profile.email.isEmpty {
            let findable = profile.findableByEmail ? "others may find you by it" : "only you see it"
            Output.line("email: \(PlainText.shown(profile.email)) " + style.dim("(\(findable))"))
        }
    }
}

struct FindCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Finds people by any part of their names, or by their email address.",
        discussion: """
            Case and accents do not matter. By an address people are found only if they allow it.

            Examples:
              parley find mull
              parley find dana@example.org
              parley find an --to-write-to
            """)

    @Argument(help: "Some letters of a name, or a whole email address.") var text: String
    @Flag(help: "Leave out whom I blocked, who blocked me, and me.") var toWriteTo = false
    @Flag(help: "Leave out those I talk with already.") var new = false
    @Option(help: ArgumentHelp("How many at most.", valueName: "number")) var limit = 50
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit is 1 to 10000.") }
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
        if found.isEmpty { Output.note("Nobody.") }
        if page.more { Output.note("There are more; give --limit, or more letters.") }
    }
}

struct ReportCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Tells the operator of a person or a message.",
        discussion: """
            Nobody else learns of it.

            Examples:
              parley report mallory spam
              parley report mallory harassment --in "Weekend Trip" --message 17 --note "Again."
            """)

    @Argument(help: "A username.") var person: String
    @Argument(
        help: ArgumentHelp(ReportReasons.names.joined(separator: ", ") + ".", valueName: "reason")) var reason: String
    @Option(name: .customLong("in"), help: ArgumentHelp("Where the message stands.", valueName: "conversation"))
    var conversation: String?
    @Option(help: ArgumentHelp("The message's number there.", valueName: "seq")) var message: Int64?
    @Option(help: ArgumentHelp("In your words.", valueName: "text")) var note = ""
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard ReportReasons.reason(named: reason) != nil else {
            throw ValidationError("The reason is one of " + ReportReasons.names.joined(separator: ", ") + ".")
        }
        guard (conversation == nil) == (message == nil) else {
            throw ValidationError("A message is named by both --in and --message.")
        }
    }

    func run(as me: Person) async throws {
        let about = try await me.user(named: person)
        var place: (conversation: String, seq: Int64)?
        if let conversation, let message {
            place = (try await me.conversation(named: conversation, starting: false), message)
        }
        try await me.client.report(
            about.id, message: place, reason: ReportReasons.reason(named: reason) ?? .other, note: note)
        if me.isJSON { return Output.json(["reported": about.id]) }
        Output.line("Reported \(PlainText.shown(about.username)).")
    }
}

/// Reasons of reports, in order of their numbers from 1.
enum ReportReasons {
    static let names = ["spam", "harassment", "violence", "sexual", "impersonation", "other"]

    static func reason(named name: String) -> Parley_V1_ReportReason? {
        names.firstIndex(of: name).flatMap { Parley_V1_ReportReason(rawValue: $0 + 1) }
    }
}

struct ExportCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes all that is mine into one JSON file.",
        discussion: """
            Profile, devices, conversations, blocks, requests, reminders and all messages I may read. Interrupted, it \
            goes on where it was when given again: what it has so far stands in FILE.part.

            Example:
              parley export --to parley-dana.json
            """)

    @Option(help: ArgumentHelp("Where to.", valueName: "file")) var to: String
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        try await me.client.export(to: to)
        if me.isJSON { return Output.json(["exported": to]) }
        Output.line("All that is yours is in \(to). Keep it as private as it was here.")
    }
}

struct EraseCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases me from the server, for good.",
        discussion: """
            Nobody can sign in as me or find me any more, and nobody gets my username. What I wrote stays, from a \
            deleted user. It cannot be undone: "parley export" keeps a copy of what is mine.

            Example:
              parley erase --yes
            """)

    @Flag(help: "Really.") var yes = false
    @OptionGroup var password: PasswordOptions
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard yes else { throw ValidationError("It cannot be undone: give --yes if you mean it.") }
    }

    func run(as me: Person) async throws {
        let username = try connection.store().content()?.username ?? ""
        try await me.client.erase(password: try password.password(for: username))
        try await connection.store().save(nil)
        if me.isJSON { return Output.json(["erased": me.user]) }
        Output.line("You are erased.")
    }
}
