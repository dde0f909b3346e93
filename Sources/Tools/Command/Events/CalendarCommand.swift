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
        var url: String
    }

    func validate() throws {
        guard [!event.isEmpty, link, endLink].count(where: { $0 }) == 1 else {
            throw ValidationError("Give the title of an event, --link or --end-link.")
        }
    }

    /// Where the gateway that a session goes to answers requests over HTTP: "wss://chat.example.org" is
    /// "https://chat.example.org".
    static func url(of path: String, at gateway: String) -> String {
        var parts = gateway.split(separator: "://", maxSplits: 1)
        if parts.count == 1 { parts.insert("ws", at: 0) }
        let host = parts[1].prefix { !"/?#".contains($0) }
        return (parts[0].lowercased() == "wss" || parts[0].lowercased() == "https" ? "https" : "http")
            + "://\(host)\(path)"
    }

    func run(as me: Person) async throws {
        if link {
            let path = try await me.client.createCalendarLink()
            let url = Self.url(of: path, at: connection.resolvedURL)
            if me.isJSON { return Output.json(LinkJSON(path: path, url: url)) }
            Output.line(url)
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
