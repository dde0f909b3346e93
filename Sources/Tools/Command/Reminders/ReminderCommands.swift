import ArgumentParser
import Foundation
import ParleyClient

struct ReminderJSON: Encodable {
    var id: String
    var title: String
    var dueAt: String
    var dueAtUs: Int64
    var timeZone: String
    var completed: Bool
    var firedAt: String?
    var firedAtUs: Int64?

    init(_ reminder: Parley_V1_Reminder) {
        id = reminder.id.hexDigits
        (title, dueAt, dueAtUs) = (reminder.title, Times.iso(reminder.dueAtUs), reminder.dueAtUs)
        (timeZone, completed) = (reminder.timeZone, reminder.completed)
        if reminder.firedAtUs != 0 { (firedAt, firedAtUs) = (Times.iso(reminder.firedAtUs), reminder.firedAtUs) }
    }
}

struct RemindCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "remind",
        abstract: "Create a reminder.",
        discussion: """
            TIME is "2026-12-24 18:00", "18:00" (the next one), "+90m", ISO 8601 with a zone, or in English words with a \
            clock time, such as "tomorrow 7pm" or "friday at half past six".

            Examples:
              parley remind "Call the dentist" --at 14:30
              parley remind "Call mum" --at "tomorrow 7pm"
              parley remind "Presents" --at "2026-12-20 09:00" --zone Europe/Zurich
            """)

    @Argument(help: "The reminder's text. Several words are joined with spaces.") var text: [String]
    @Option(help: ArgumentHelp("The time of the reminder.", valueName: "time")) var at: String
    @OptionGroup var zone: ZoneOption
    @OptionGroup var connection: ConnectionOptions

    func validate() throws {
        guard !text.isEmpty else { throw ValidationError("Give the text of the reminder.") }
        _ = try zone.time(at, of: "--at")
    }

    func run(as me: Person) async throws {
        var request = Parley_V1_CreateReminderRequest()
        (request.title, request.timeZone) = (text.joined(separator: " "), zone.name)
        request.dueAtUs = try zone.time(at, of: "--at") ?? 0
        let reminder = try await me.client.createReminder(request).reminder
        if me.isJSON { return Output.json(ReminderJSON(reminder)) }
        Output.line("Reminder at \(Times.minute(reminder.dueAtUs)): \(PlainText.shown(reminder.title))")
    }
}

struct RemindersCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders",
        abstract: "List your reminders by time.",
        discussion: """
            Example:
              parley reminders --json
            """)

    @OptionGroup var connection: ConnectionOptions

    private static func state(_ reminder: Parley_V1_Reminder) -> String {
        reminder.completed ? "done  " : reminder.firedAtUs != 0 ? "due  " : ""
    }

    func run(as me: Person) async throws {
        var cursor = ""
        var count = 0
        repeat {
            let page = try await me.client.listReminders(cursor: cursor, limit: 200)
            for reminder in page.reminders {
                if me.isJSON {
                    Output.json(ReminderJSON(reminder))
                } else {
                    Output.line(
                        "\(Times.minute(reminder.dueAtUs))  \(Self.state(reminder))"
                            + PlainText.shown(reminder.title)
                    )
                }
            }
            count += page.reminders.count
            cursor = page.cursor
        } while !cursor.isEmpty
        if count == 0, !me.isJSON {
            Output.note("No reminders. Create one: \(ParleyCommand.invocation) remind TEXT --at TIME")
        }
    }
}
