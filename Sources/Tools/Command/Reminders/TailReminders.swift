import ParleyClient

/// Prints reminders that fire, for `parley tail`.
struct TailReminders {
    private struct FiredJSON: Encodable {
        var type = "fired"
        var reminder: ReminderJSON
    }

    private let me: Person
    private let style: Style
    private var epoch = ""
    private var position: Int64 = 0
    /// When each reminder was last known to have fired.
    private var fired: [[UInt8]: Int64] = [:]

    private init(of me: Person, _ style: Style) { (self.me, self.style) = (me, style) }

    /// Notes what has fired so far, which is not printed.
    static func begin(for me: Person, _ style: Style) async -> TailReminders {
        var reminders = TailReminders(of: me, style)
        // Without an answer the first read of ``show()`` begins.
        try? await reminders.read()
        return reminders
    }

    /// Runs until the client stops. Only what fires since the beginning is printed, also if it does so while the
    /// connection is lost.
    func show() async {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (updates, states) = (await me.client.updates, await me.client.states)
        await withTaskGroup { group in
            group.addTask {
                for await update in updates where update.kind == "Reminder" { wake.yield() }
                wake.finish()
            }
            group.addTask {
                for await case .ready in states { wake.yield() }
            }
            group.addTask {
                var reminders = self
                for await _ in wakes {
                    // Without an answer the next wake asks again, from the same position.
                    try? await reminders.read()
                }
            }
        }
    }

    /// Reads what changed since the position, and prints what fired since.
    private mutating func read() async throws {
        var page = Parley_V1_EntitiesSyncReply()
        let isFirst = epoch.isEmpty
        repeat {
            page = try await me.client.syncEntities(epoch: epoch, since: position, limit: 100)
            for reminder in page.reminders
            where reminder.firedAtUs != fired.updateValue(reminder.firedAtUs, forKey: Array(reminder.id)) ?? 0 {
                guard !isFirst, !page.startOver, reminder.firedAtUs != 0, !reminder.completed else { continue }
                print(reminder)
            }
            (epoch, position) = (page.epoch, page.position)
        } while page.more
    }

    private func print(_ reminder: Parley_V1_Reminder) {
        if me.isJSON { return Output.json(FiredJSON(reminder: ReminderJSON(reminder))) }
        Output.line(
            style.dim(Times.short(reminder.firedAtUs)) + " "
                + style.bold("Reminder: \(PlainText.shown(reminder.title))"))
    }
}
