import ArgumentParser
import ParleyClient

struct InviteToEventCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Invite a conversation to an event that you host.",
        discussion: """
            Name the event as for "parley rsvp". The event is shown in the conversation, whose members may answer it.

            Examples:
              parley invite Dinner --in "Weekend Trip"
              parley invite Dinner --in alice --withdraw
            """)

    @Argument(help: "The title, its beginning, or the id. Several words are joined with spaces.") var event: [String]
    @Option(name: .customLong("in"), help: ArgumentHelp("The person or group.", valueName: "conversation"))
    var conversation: String
    @Flag(help: "Withdraw the invitation.") var withdraw = false
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.event(named: event.joined(separator: " "))
        let talk = try await me.conversation(named: conversation, starting: false)
        let changed =
            withdraw
            ? try await me.client.uninviteConversation(talk, from: id).event
            : try await me.client.inviteConversation(talk, to: id).event
        if me.isJSON { return Output.json(EventJSON(changed)) }
        let (name, title) = (PlainText.shown(conversation), PlainText.shown(changed.title))
        Output.line(withdraw ? "\(name) is no longer invited to \(title)" : "Invited \(name) to \(title)")
    }
}

struct GuestsCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "guests",
        abstract: "List who answered an event, in the order of their answers.",
        discussion: """
            Name the event as for "parley rsvp".

            Example:
              parley guests Dinner
            """)

    @Argument(help: "The title, its beginning, or the id. Several words are joined with spaces.") var event: [String]
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.event(named: event.joined(separator: " "))
        var cursor = ""
        repeat {
            let page = try await me.client.attendees(of: id, cursor: cursor, limit: 200)
            let names = await me.names.usernames(of: page.attendees.map(\.user))
            for attendance in page.attendees {
                let name = names[attendance.user] ?? attendance.user
                if me.isJSON {
                    Output.json(GuestJSON(attendance, name: name))
                } else {
                    let more = attendance.guests > 0 ? " and \(attendance.guests) more" : ""
                    let host = attendance.host ? ", host" : attendance.askedToHost ? ", asked to host" : ""
                    let word = PlainText.padded(attendance.status.word, 6)
                    Output.line("\(word) \(PlainText.shown(name))\(more)\(host)")
                }
            }
            cursor = page.cursor
        } while !cursor.isEmpty
    }

    private struct GuestJSON: Encodable {
        var user: String
        var name: String
        var answer: String
        var guests: UInt32
        var conversation: String
        var host: Bool
        var askedToHost: Bool
        var answeredAtUs: Int64

        init(_ attendance: Parley_V1_Attendance, name: String) {
            (user, self.name, answer) = (attendance.user, name, attendance.status.word)
            (guests, conversation) = (attendance.guests, attendance.conversation)
            (host, askedToHost) = (attendance.host, attendance.askedToHost)
            answeredAtUs = attendance.answeredAtUs
        }
    }
}

struct CancelCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Call off an event that you host, or delete one that you created.",
        discussion: """
            Name the event as for "parley rsvp". A cancelled event stays, and shows that it does not take place.

            Examples:
              parley cancel Dinner
              parley cancel Dinner --delete
            """)

    @Argument(help: "The title, its beginning, or the id. Several words are joined with spaces.") var event: [String]
    @Flag(help: "Delete it, also where it is shown.") var delete = false
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let name = event.joined(separator: " ")
        let id = try await me.event(named: name)
        let changed = delete ? try await me.client.deleteEvent(id).event : try await me.client.cancelEvent(id).event
        if me.isJSON { return Output.json(EventJSON(changed)) }
        Output.line("\(delete ? "Deleted" : "Cancelled") \(PlainText.shown(delete ? name : changed.title))")
    }
}
