import ArgumentParser
import Foundation
import ParleyClient

struct DoneCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Mark a reminder as done, or as open again.",
        discussion: """
            Name it by its title, the beginning of its title, or its id from "parley reminders --json".

            Examples:
              parley done "Call the dentist"
              parley done --undo "Call the dentist"
            """)

    @Argument(help: "The title, its beginning, or the id. Several words are joined with spaces.") var reminder: [String]
    @Flag(help: "Mark it as open again.") var undo = false
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let id = try await me.reminder(named: reminder.joined(separator: " "), undo ? .onlyCompleted : .onlyOpen)
        let changed = try await me.client.completeReminder(id, completed: !undo).reminder
        if me.isJSON { return Output.json(ReminderJSON(changed)) }
        Output.line("\(undo ? "Open again" : "Done"): \(PlainText.shown(changed.title))")
    }
}

extension Person {
    /// Returns the id of one of my reminders by its title, the beginning of its title, or its id.
    /// - Throws: ``Failure`` if there is none, or there are several.
    func reminder(named name: String, _ completed: Parley_V1_CompletedFilter = .unspecified) async throws -> UUIDv7 {
        let found = try await reminders(completed).filter { $0.isNamed(name) }
        guard let first = found.first else {
            let kind = completed == .onlyOpen ? "open " : completed == .onlyCompleted ? "completed " : ""
            throw Failure(
                .notFound, "You have no \(kind)reminder called \(name).",
                advice: "To list them: \(ParleyCommand.invocation) reminders")
        }
        guard found.count == 1 || Set(found.map(\.title)).count == 1 else {
            let titles = Set(found.map { PlainText.shown($0.title) }).sorted().joined(separator: ", ")
            throw Failure(
                .ambiguous, "Several reminders begin like that: \(titles).",
                advice: "Give more of the title, or the id.")
        }
        guard let id = UUIDv7(bytes: first.id) else {
            throw Failure(.failed, "The server sent a reminder id that is not a UUIDv7.")
        }
        return id
    }

    /// Returns my reminders, by due time.
    private func reminders(_ completed: Parley_V1_CompletedFilter) async throws -> [Parley_V1_Reminder] {
        var all: [Parley_V1_Reminder] = []
        var cursor = ""
        repeat {
            let page = try await client.listReminders(completed, cursor: cursor, limit: 200)
            all += page.reminders
            cursor = page.cursor
        } while !cursor.isEmpty
        return all
    }
}

struct SnoozeCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze",
        abstract: "Move a reminder to a later time.",
        discussion: """
            Name it as for "parley done". TIME is as for "parley remind".

            Examples:
              parley snooze "Call the dentist" --until +10m
              parley snooze Presents --until "2026-12-21 09:00"
            """)

    @Argument(help: "The title, its beginning, or the id. Several words are joined with spaces.") var reminder: [String]
    @Option(help: ArgumentHelp("The next time of the reminder.", valueName: "time")) var until: String
    @OptionGroup var zone: ZoneOption
    @OptionGroup var connection: ConnectionOptions

    func validate() throws { _ = try zone.time(until, of: "--until") }

    func run(as me: Person) async throws {
        let id = try await me.reminder(named: reminder.joined(separator: " "), .onlyOpen)
        let changed = try await me.client.snoozeReminder(id, untilUs: zone.time(until, of: "--until") ?? 0).reminder
        if me.isJSON { return Output.json(ReminderJSON(changed)) }
        Output.line("Reminder at \(Times.minute(changed.dueAtUs)): \(PlainText.shown(changed.title))")
    }
}

struct ForgetCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Delete a reminder.",
        discussion: """
            Name it as for "parley done".

            Example:
              parley forget "Call the dentist"
            """)

    @Argument(help: "The title, its beginning, or the id. Several words are joined with spaces.") var reminder: [String]
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let name = reminder.joined(separator: " ")
        let changed = try await me.client.deleteReminder(try await me.reminder(named: name)).reminder
        if me.isJSON { return Output.json(ReminderJSON(changed)) }
        Output.line("Deleted: \(PlainText.shown(name))")
    }
}

extension Parley_V1_Reminder {
    fileprivate func isNamed(_ name: String) -> Bool {
        title.lowercased().hasPrefix(name.lowercased()) || ReminderJSON(self).id == name
    }
}
