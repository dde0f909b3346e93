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
        let name = reminder.joined(separator: " ")
        let found = try await candidates(me).filter { $0.isNamed(name) }
        guard let first = found.first else {
            throw Failure(
                "not_found", "You have no \(undo ? "completed" : "open") reminder called \(name).",
                advice: "To list them: \(ParleyCommand.invocation) reminders")
        }
        guard found.count == 1 || Set(found.map(\.title)).count == 1 else {
            let titles = Set(found.map { PlainText.shown($0.title) }).sorted().joined(separator: ", ")
            throw Failure(
                "ambiguous", "Several reminders begin like that: \(titles).",
                advice: "Give more of the title, or the id.")
        }
        guard let id = UUIDv7(bytes: first.id) else {
            throw Failure("failed", "The server sent a reminder id that is not a UUIDv7.")
        }
        let changed = try await me.client.completeReminder(id, completed: !undo).reminder
        if me.isJSON { return Output.json(ReminderJSON(changed)) }
        Output.line("\(undo ? "Open again" : "Done"): \(PlainText.shown(changed.title))")
    }

    /// Returns the reminders that this command can change, by due time.
    private func candidates(_ me: Person) async throws -> [Parley_V1_Reminder] {
        var all: [Parley_V1_Reminder] = []
        var cursor = ""
        repeat {
            let page = try await me.client.listReminders(undo ? .onlyCompleted : .onlyOpen, cursor: cursor, limit: 200)
            all += page.reminders
            cursor = page.cursor
        } while !cursor.isEmpty
        return all
    }
}

extension Parley_V1_Reminder {
    fileprivate func isNamed(_ name: String) -> Bool {
        title.lowercased().hasPrefix(name.lowercased()) || ReminderJSON(self).id == name
    }
}
