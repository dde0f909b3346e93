import ArgumentParser
import Foundation
import ParleyClient

struct EventJSON: Encodable {
    var id: String
    var title: String
    var date: String
    var time: String
    var timeZone: String
    var durationMinutes: UInt32
    var location: String
    var link: String
    var recurrence: String
    var startsAt: String
    var startsAtUs: Int64
    var version: Int64
    var cancelled: Bool
    var own: String
    var guests: UInt32
    var accepted: UInt32
    var tentative: UInt32
    var declined: UInt32
    var coming: UInt32
    var host: Bool
    var askedToHost: Bool
    var conversations: [String]

    init(_ event: Parley_V1_Event) {
        (id, title, date, time) = (event.id.hexDigits, event.title, event.when.date, event.when.time)
        (timeZone, durationMinutes) = (event.when.timeZone, event.when.durationMinutes)
        (location, link, recurrence) = (event.location, event.link, event.recurrence)
        (startsAt, startsAtUs) = (Times.iso(event.startsAtUs), event.startsAtUs)
        (version, cancelled) = (event.version, event.cancelledAtUs != 0)
        (own, guests) = (event.own.status.word, event.own.guests)
        (accepted, tentative, declined) = (event.accepted, event.tentative, event.declined)
        (coming, conversations) = (event.coming, event.conversations)
        (host, askedToHost) = (event.own.host, event.own.askedToHost)
    }
}

extension Parley_V1_AttendanceStatus {
    /// The word for it on the command line and in JSON.
    var word: String {
        switch self {
        case .accepted: "yes"
        case .declined: "no"
        case .tentative: "maybe"
        case .pending, .unspecified, .UNRECOGNIZED: "open"
        }
    }
}

struct EventCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "event",
        abstract: "Create an event, and invite conversations.",
        discussion: """
            \(Times.help) DATE is "2026-12-24", RULE a rule by RFC 5545.

            Examples:
              parley event "Dinner" --at "friday 7pm" --place "Trattoria" --in alice --in "Weekend Trip"
              parley event "Choir" --at "2026-12-02 19:30" --minutes 90 --repeat "FREQ=WEEKLY"
              parley event "Holidays" --on 2026-12-24 --days 10
            """)

    @Argument(help: "The title. Several words are joined with spaces.") var title: [String]
    @Option(help: ArgumentHelp("When it begins.", valueName: "time")) var at: String?
    @Option(help: ArgumentHelp("The first day, for whole days.", valueName: "date")) var on: String?
    @Option(help: ArgumentHelp("How long it lasts, with --at.", valueName: "count")) var minutes: UInt32 = 0
    @Option(help: ArgumentHelp("How many days it lasts, with --on.", valueName: "count")) var days: UInt32 = 1
    @OptionGroup var zone: ZoneOption
    @Option(name: .customLong("repeat"), help: ArgumentHelp("When it takes place again.", valueName: "rule"))
    var recurrence: String = ""
    @Option(help: ArgumentHelp("Where it takes place.", valueName: "text")) var place: String = ""
    @Option(help: ArgumentHelp("An https address.", valueName: "url")) var link: String = ""
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Invite this person or group; repeat it.", valueName: "conversation"))
    var conversations: [String] = []
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard !title.isEmpty else { throw ValidationError("Give the title of the event.") }
        guard (at == nil) != (on == nil) else {
            throw ValidationError("Give --at with a time, or --on with a date.")
        }
        try EventDays.checkDays(days)
        _ = try zone.time(at, of: "--at")
    }

    func run(as me: Person) async throws {
        var request = Parley_V1_CreateEventRequest()
        (request.title, request.location, request.link) = (title.joined(separator: " "), place, link)
        request.recurrence = recurrence
        if let start = try zone.time(at, of: "--at") {
            try request.when.begin(at: start, in: zone.name)
            request.when.durationMinutes = minutes
        } else {
            (request.when.date, request.when.durationMinutes) = (on ?? "", days * 1440)
        }
        for name in conversations {
            request.conversations.append(try await me.conversation(named: name, starting: false))
        }
        let event = try await me.client.createEvent(request).event
        if me.isJSON { return Output.json(EventJSON(event)) }
        let invited =
            conversations.isEmpty
            ? "" : ", invited: \(conversations.map { PlainText.shown($0) }.joined(separator: ", "))"
        Output.line("Event on \(EventDays.text(event.when)): \(PlainText.shown(event.title))\(invited)")
    }
}

struct AgendaCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "agenda",
        abstract: "List the dates of your events, over all conversations, by time.",
        discussion: """
            Examples:
              parley agenda
              parley agenda --days 31 --in "Weekend Trip"
            """)

    @Option(help: ArgumentHelp("How many days from today, at most 366.", valueName: "count")) var days = 7
    @Option(help: ArgumentHelp("The first day. Default: today.", valueName: "date")) var from: String?
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Only those to which this person or group is invited.", valueName: "conversation"))
    var conversation: String?
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard 1...366 ~= days else { throw ValidationError("--days: use 1 to 366.") }
        guard EventDays.range(from, days) != nil else {
            throw ValidationError("--from: use a date such as 2026-12-24.")
        }
    }

    func run(as me: Person) async throws {
        let talk = if let conversation { try await me.conversation(named: conversation, starting: false) } else { "" }
        let dates = try await me.eventDates(EventDays.range(from, days) ?? ("", ""), of: talk)
        for date in dates {
            if me.isJSON {
                Output.json(DateJSON(date))
            } else {
                let time = date.timeZone.isEmpty ? date.startsLocal + "       " : Times.minute(date.startsAtUs)
                let state = date.cancelled ? "cancelled" : date.own.word
                let place = date.location.isEmpty ? "" : "  (\(PlainText.shown(date.location)))"
                Output.line("\(time)  \(PlainText.padded(state, 9))  \(PlainText.shown(date.title))\(place)")
            }
        }
        if dates.isEmpty, !me.isJSON {
            Output.note("Nothing in these days. Create an event: \(ParleyCommand.invocation) event TITLE --at TIME")
        }
    }

    private struct DateJSON: Encodable {
        var event: String
        var title: String
        var date: String
        var startsAt: String
        var startsAtUs: Int64
        var startsLocal: String
        var timeZone: String
        var location: String
        var cancelled: Bool
        var own: String

        init(_ date: Parley_V1_EventDate) {
            (event, title, self.date) = (date.event.hexDigits, date.title, date.date)
            (startsAt, startsAtUs) = (Times.iso(date.startsAtUs), date.startsAtUs)
            (startsLocal, timeZone, location) = (date.startsLocal, date.timeZone, date.location)
            (cancelled, own) = (date.cancelled, date.own.word)
        }
    }
}

struct RSVPCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "rsvp",
        abstract: "Answer an invitation to an event.",
        discussion: """
            Name the event by its title, the beginning of its title, or its id from "parley agenda --json". It is looked
            for among the dates of the next 366 days.

            Examples:
              parley rsvp yes Dinner --guests 1
              parley rsvp maybe Choir --remind 60
            """)

    enum Answer: String, ExpressibleByArgument, CaseIterable {
        case yes, no, maybe, open

        var status: Parley_V1_AttendanceStatus {
            switch self {
            case .yes: .accepted
            case .no: .declined
            case .maybe: .tentative
            case .open: .pending
            }
        }
    }

    @Argument(help: "yes, no, maybe, or open to take an answer back.") var answer: Answer
    @Argument(help: "The title, its beginning, or the id. Several words are joined with spaces.") var event: [String]
    @Option(help: ArgumentHelp("How many people you bring.", valueName: "count")) var guests: UInt32 = 0
    @Option(help: ArgumentHelp("How many minutes before you are reminded; -1: not at all.", valueName: "minutes"))
    var remind: Int32?
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.event(named: event.joined(separator: " "))
        let changed = try await me.client.answerEvent(id, answer.status, guests: guests, remindMinutes: remind).event
        if me.isJSON { return Output.json(EventJSON(changed)) }
        Output.line("Answered \(changed.own.status.word): \(PlainText.shown(changed.title)), \(changed.coming) coming")
    }
}

struct HostCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "host",
        abstract: "Accept or decline to host an event, or ask somebody to host yours.",
        discussion: """
            Name the event as for "parley rsvp". Hosts change it and invite conversations. The creator of an event asks;
            who is asked is a guest like others until they accept.

            Examples:
              parley host yes Dinner
              parley host no Dinner
              parley host ask Dinner --user bob
              parley host withdraw Dinner --user bob
            """)

    enum Action: String, ExpressibleByArgument, CaseIterable { case yes, no, ask, withdraw }

    @Argument(help: "yes or no as an answer; ask or withdraw for an event of your own.") var action: Action
    @Argument(help: "The title, its beginning, or the id. Several words are joined with spaces.") var event: [String]
    @Option(help: ArgumentHelp("Whom to ask.", valueName: "user")) var user: String?
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard (user == nil) == [.yes, .no].contains(action) else {
            throw ValidationError("Give --user with ask and withdraw, and only with these.")
        }
    }

    func run(as me: Person) async throws {
        let id = try await me.event(named: event.joined(separator: " "))
        let changed: Parley_V1_Event
        if let user {
            let other = try await me.user(named: user)
            changed = try await me.client.setEventHost(other.id, of: id, host: action == .ask).event
        } else {
            changed = try await me.client.answerEvent(id, .unspecified, hosts: action == .yes).event
        }
        if me.isJSON { return Output.json(EventJSON(changed)) }
        let title = PlainText.shown(changed.title)
        switch action {
        case .yes: Output.line("You host \(title)")
        case .no: Output.line("You do not host \(title)")
        case .ask: Output.line("Asked \(PlainText.shown(user ?? "")) to host \(title)")
        case .withdraw: Output.line("\(PlainText.shown(user ?? "")) does not host \(title)")
        }
    }
}

extension Person {
    /// Returns the dates of my events between two days.
    func eventDates(
        _ days: (first: String, last: String), of conversation: String = ""
    ) async throws -> [Parley_V1_EventDate] {
        let own = TimeZone.current.identifier
        var all: [Parley_V1_EventDate] = []
        var cursor = ""
        repeat {
            let page = try await client.listEvents(
                from: days.first, to: days.last, timeZone: own.hasPrefix("GMT") ? "UTC" : own,
                conversation: conversation, cursor: cursor, limit: 1000)
            all += page.dates
            cursor = page.cursor
        } while !cursor.isEmpty
        return all
    }

    /// Returns the id of an event by its title, the beginning of its title, or its id.
    /// - Throws: ``Failure`` if there is none, or there are several.
    func event(named name: String) async throws -> UUIDv7 {
        let dates = try await eventDates(EventDays.range(nil, 366) ?? ("", ""))
        let found = dates.filter {
            $0.title.lowercased().hasPrefix(name.lowercased()) || $0.event.hexDigits == name
        }
        guard let first = found.first else {
            throw Failure(
                .notFound, "You have no event called \(name) in the next 366 days.",
                advice: "To list them: \(ParleyCommand.invocation) agenda --days 366")
        }
        guard Set(found.map(\.event)).count == 1 else {
            let titles = Set(found.map { PlainText.shown($0.title) }).sorted().joined(separator: ", ")
            throw Failure(
                .ambiguous, "Several events begin like that: \(titles).",
                advice: "Give more of the title, or the id.")
        }
        guard let id = UUIDv7(bytes: first.event) else {
            throw Failure(.failed, "The server sent an event id that is not a UUIDv7.")
        }
        return id
    }
}

/// Days of the calendar on this machine.
enum EventDays {
    /// `2026-12-24 18:00` on the wall of a zone.
    static func wall(_ microseconds: Int64, in zone: TimeZone) -> String {
        formatter("yyyy-MM-dd HH:mm", zone).string(
            from: Date(timeIntervalSince1970: TimeInterval(microseconds / 1_000_000)))
    }

    /// The first and last of some days; nil if the first is not one.
    static func range(_ first: String?, _ count: Int) -> (String, String)? {
        let days = formatter("yyyy-MM-dd", .current)
        let begins = first.map { days.date(from: $0) } ?? Date()
        guard let begins,
            let ends = Calendar(identifier: .gregorian).date(byAdding: .day, value: count - 1, to: begins)
        else { return nil }
        return (days.string(from: begins), days.string(from: ends))
    }

    /// When an event begins, as a person reads it.
    static func text(_ when: Parley_V1_EventTime) -> String {
        when.time.isEmpty ? when.date : "\(when.date) \(when.time)"
    }

    /// - Throws: ``ValidationError`` if no event lasts so many days.
    static func checkDays(_ count: UInt32) throws {
        guard 1...366 ~= count else { throw ValidationError("--days: use 1 to 366.") }
    }

    private static func formatter(_ format: String, _ zone: TimeZone) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.locale = Locale(identifier: "en_US_POSIX")
        (formatter.timeZone, formatter.dateFormat) = (zone, format)
        return formatter
    }
}

extension Parley_V1_EventTime {
    /// Sets the beginning to a time, as clocks show it in a zone.
    /// - Throws: ``ValidationError`` if the zone is not known here.
    mutating func begin(at start: Int64, in zone: String) throws {
        guard let own = TimeZone(identifier: zone) else {
            throw ValidationError("--zone: \(zone) is not known on this machine. Use a name such as Europe/Zurich.")
        }
        let wall = EventDays.wall(start, in: own)
        (date, time, timeZone) = (String(wall.prefix(10)), String(wall.dropFirst(11).prefix(5)), zone)
    }
}
