import ArgumentParser
import ParleyClient

struct CalendarCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "calendar",
        abstract: "Print an event as an iCalendar file, or make a secret link to all of yours.",
        discussion: """
            Name the event as for "parley rsvp". Whoever knows the link sees your events: give it only to your own
            calendar. A new link ends the one before.

            Examples:
              parley calendar Dinner > dinner.ics
              parley calendar --link
              parley calendar --end-link
            """)

    @Argument(help: "The title, its beginning, or the id. Several words are joined with spaces.") var event: [String] =
        []
    @Flag(help: "Make a secret link, and end an earlier one.") var link = false
    @Flag(help: "End the secret link.") var endLink = false
    @OptionGroup var connection: ConnectionOptions

    private struct LinkJSON: Encodable {
        var path: String
    }

    func validate() throws {
        guard [!event.isEmpty, link, endLink].count(where: { $0 }) == 1 else {
            throw ValidationError("Give the title of an event, --link or --end-link.")
        }
    }

    func run(as me: Person) async throws {
        if link {
            let path = try await me.client.createCalendarLink()
            if me.isJSON { return Output.json(LinkJSON(path: path)) }
            Output.line(path)
            Output.note("Add this path to the address of a gateway, such as https://chat.example.org.")
        } else if endLink {
            try await me.client.deleteCalendarLink()
            if !me.isJSON { Output.line("The link has ended.") }
        } else {
            let id = try await me.event(named: event.joined(separator: " "))
            let text = try await me.client.exportEvent(id)
            // The lines end in CRLF already.
            Output.file(text)
        }
    }
}
