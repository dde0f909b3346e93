import ArgumentParser
import Foundation
import ParleyClient

struct DoneCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Marks a reminder of mine as done, or as open again.",
        discussion: """
            Named by its title or the beginning of it, or by its id as `parley reminders --json` shows it.

            Examples:
              parley done "Call the dentist"
              parley done --undo "Call the dentist"
            """)

    @Argument(help: "Its title, the beginning of it, or its id; several words are joined by spaces.") var reminder:
        [String]
    @Flag(help: "It is not done after all.") var undo = false
    @OptionGroup var connection: ConnectionOptions

    func run(as me: Person) async throws {
        let name = reminder.joined(separator: " ")
        let found = try await candidates(me).filter { $0.isNamed(name) }
        guard let first = found.first else {
            throw Failure(
                "not_found", "There is no \(undo ? "completed" : "open") reminder of yours called \(name).",
                advice: "See them: \(ParleyCommand.invocation) reminders")
        }
        guard found.count == 1 || Set(found.map(\.title)).count == 1 else {
            let titles = Set(found.map { PlainText.shown($0.title) }).sorted().joined(separator: ", ")
            throw Failure(
                "ambiguous", "Several begin like that: \(titles).", advice: "Give more of the title, or the id.")
        }
        guard let id = UUIDv7(bytes: first.id) else { throw Failure("failed", "The server's id is no UUIDv7.") }
        let changed = try await me.client.completeReminder(id, completed: !undo).reminder
        if me.isJSON { return Output.json(ReminderJSON(changed)) }
        Output.line("\(undo ? "Open again" : "Done"): \(PlainText.shown(changed.title))")
    }

    /// By due time.
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
