import ArgumentParser
import Command
import Foundation
import NIOCore
import NIOPosix
import ParleyClient

struct BenchEventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Measure creating, answering and listing events, catching up, and a calendar.",
        discussion: """
            One person creates events, each invited into a group, one after the other. All members answer some of them. \
            One in ten events recurs.
            """)

    @Option(help: "The number of events.") var count = 500
    @Option(help: "The number of people in the group.") var people = 20
    @OptionGroup var bench: BenchOptions

    private struct Figures: Encodable {
        var events: Int
        var people: Int
        var createEventMs: Milliseconds
        var answerEventMs: Milliseconds
        /// A month of all events.
        var listEventsMs: Milliseconds
        var datesListed: Int
        /// After ten changes.
        var syncMs: Milliseconds
        var calendarMs: Milliseconds
        var calendarBytes: Int
    }

    func validate() throws {
        guard 50...2000 ~= count else { throw ValidationError("--count must be 50 to 2000, not \(count).") }
        guard 2...200 ~= people else { throw ValidationError("--people must be 2 to 200, not \(people).") }
    }

    func run() async throws {
        let figures = try await BenchCluster.with(bench, connections: people) { try await measure($0) }
        if bench.json { return Output.json(figures) }
        Output.line(Style().bold("\(figures.events) events, a group of \(figures.people)"))
        func times(_ name: String, _ times: Milliseconds) -> (String, String) {
            ("\(name), ms", "p50 \(rounded(times.p50))   p99 \(rounded(times.p99))")
        }
        printTable([
            times("CreateEvent", figures.createEventMs), times("AnswerEvent", figures.answerEventMs),
            times("ListEvents of a month, \(figures.datesListed) dates", figures.listEventsMs),
            times("Sync after 10 changes", figures.syncMs),
            times("calendar, \(figures.calendarBytes) bytes", figures.calendarMs),
        ])
    }

    private func measure(_ cluster: BenchCluster) async throws -> Figures {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let url = cluster.endpoints.url
        let people = try await BenchPeople.register(people, at: url, on: group)
        var clients: [ParleyClient] = []
        for person in people {
            let client = ParleyClient(url: url, group: group)
            _ = try await client.connect(token: person.token)
            clients.append(client)
        }
        let me = clients[0]
        // Who does not know the creator would only be invited.
        for (client, person) in zip(clients, people).dropFirst() {
            _ = try await client.startDirect(with: people[0].user)
            _ = try await me.startDirect(with: person.user)
        }
        let talk = try await me.createGroup(name: "bench", users: people.dropFirst().map(\.user)).conversation.id
        bench.progress("creating \(count) events")
        var events: [UUIDv7] = []
        let created = try await timed(count) { number in
            let id = await me.newID()
            _ = try await me.createEvent(Self.event(id, number, in: talk))
            events.append(id)
        }
        // The last one has appeared in the group.
        while (try? await clients[1].event(events[count - 1])) == nil { try await Task.sleep(for: .milliseconds(20)) }
        bench.progress("answering")
        var answered: [Duration] = []
        for event in events.prefix(20) {
            for client in clients.dropFirst() {
                answered += try await timed(1) { _ in try await client.answerEvent(event, .accepted) }
            }
        }
        bench.progress("listing")
        var dates = 0
        let listed = try await timed(100) { _ in
            dates = try await me.listEvents(
                from: Self.day(300), to: Self.day(329), timeZone: "Europe/Zurich", limit: 1000
            ).dates.count
        }
        var head = Parley_V1_EntitiesSyncReply()
        repeat {
            head = try await me.syncEntities(epoch: head.epoch, since: head.position, limit: 100)
        } while head.more
        for event in events.suffix(10) {
            _ = try await me.updateEvent(event, version: 1) { $0.location = "elsewhere" }
        }
        let (epoch, position) = (head.epoch, head.position)
        let synced = try await timed(100) { _ in
            _ = try await me.syncEntities(epoch: epoch, since: position, limit: 100)
        }
        bench.progress("getting the calendar")
        let path = try await me.createCalendarLink()
        var bytes = 0
        let calendars = try await timed(50) { _ in bytes = try await me.calendar(at: path).count }
        for client in clients { await client.close() }
        return Figures(
            events: count, people: people.count, createEventMs: Milliseconds(created),
            answerEventMs: Milliseconds(answered), listEventsMs: Milliseconds(listed), datesListed: dates,
            syncMs: Milliseconds(synced), calendarMs: Milliseconds(calendars), calendarBytes: bytes)
    }

    /// An event in the next two years.
    private static func event(_ id: UUIDv7, _ number: Int, in talk: String) -> Parley_V1_CreateEventRequest {
        .with {
            ($0.id, $0.title, $0.location) = (Data(id.bytes), "Event \(number)", "Trattoria, first floor")
            ($0.when.date, $0.when.time, $0.when.timeZone) = (day(number % 700), "19:30", "Europe/Zurich")
            ($0.when.durationMinutes, $0.conversations) = (90, [talk])
            if number % 10 == 0 { $0.recurrence = "FREQ=WEEKLY" }
        }
    }

    /// A day from today on.
    private static func day(_ offset: Int) -> String {
        Date(timeIntervalSinceNow: TimeInterval(86_400 * offset)).formatted(.iso8601.year().month().day())
    }

    private func timed(_ count: Int, _ work: (Int) async throws -> Void) async throws -> [Duration] {
        var durations: [Duration] = []
        for number in 0..<count {
            try Task.checkCancellation()
            let began = ContinuousClock.now
            try await work(number)
            durations.append(ContinuousClock.now - began)
        }
        return durations
    }
}
