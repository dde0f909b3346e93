import ArgumentParser
import Foundation
import ParleyClient

struct ChangeEventCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change an event that you host, all dates of a series.",
        discussion: """
            Name the event as for "parley rsvp". What you do not give stays as it is. \(Times.help) DATE is \
            "2026-12-24", RULE a rule by RFC 5545.

            Examples:
              parley change Dinner --at "friday 8pm"
              parley change Choir --title "Choir and drinks" --place "Old Town"
              parley change Choir --repeat ""
            """)

    @Argument(help: "The title, its beginning, or the id. Several words are joined with spaces.") var event: [String]
    @Option(help: ArgumentHelp("The new title.", valueName: "text")) var title: String?
    @Option(help: ArgumentHelp("When it begins.", valueName: "time")) var at: String?
    @Option(help: ArgumentHelp("The first day, for whole days.", valueName: "date")) var on: String?
    @Option(help: ArgumentHelp("How long it lasts, with a time; 0: it has no end.", valueName: "count"))
    var minutes: UInt32?
    @Option(help: ArgumentHelp("How many days it lasts, for whole days.", valueName: "count")) var days: UInt32?
    @OptionGroup var zone: ZoneOption
    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("When it takes place again. Empty: no more.", valueName: "rule"))
    var recurrence: String?
    @Option(help: ArgumentHelp("Where it takes place.", valueName: "text")) var place: String?
    @Option(help: ArgumentHelp("An https address.", valueName: "url")) var link: String?
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard !event.isEmpty else { throw ValidationError("Give the title of the event.") }
        guard at == nil || on == nil else { throw ValidationError("Give --at with a time, or --on with a date.") }
        guard [title, at, on, recurrence, place, link].contains(where: { $0 != nil }) || minutes != nil || days != nil
        else { throw ValidationError("Say what to change, such as --title or --at.") }
        try EventDays.checkDays(days ?? 1)
        _ = try zone.time(at, of: "--at")
    }

    func run(as me: Person) async throws {
        let id = try await me.event(named: event.joined(separator: " "))
        let known = try await me.client.event(id)
        let when = try moved(known.when)
        let changed = try await me.client.updateEvent(id, version: known.version) { request in
            if let title { request.title = title }
            if let place { request.location = place }
            if let link { request.link = link }
            if let recurrence { request.recurrence = recurrence }
            if when != known.when { request.when = when }
        }.event
        if me.isJSON { return Output.json(EventJSON(changed)) }
        Output.line("Changed: \(PlainText.shown(changed.title)) on \(EventDays.text(changed.when))")
    }

    private func moved(_ known: Parley_V1_EventTime) throws -> Parley_V1_EventTime {
        var when = known
        if let start = try zone.time(at, of: "--at") {
            try when.begin(at: start, in: zone.name)
            if known.time.isEmpty { when.durationMinutes = 0 }
        } else if let on {
            (when.date, when.time, when.timeZone) = (on, "", "")
            if !known.time.isEmpty { when.durationMinutes = 1440 }
        }
        guard (when.time.isEmpty ? minutes : days) == nil else {
            throw Failure(
                .invalid,
                when.time.isEmpty
                    ? "The event takes whole days: give --days, or --at with a time."
                    : "The event has a time: give --minutes, or --on with a date.")
        }
        if let minutes { when.durationMinutes = minutes }
        if let days { when.durationMinutes = days * 1440 }
        return when
    }
}
