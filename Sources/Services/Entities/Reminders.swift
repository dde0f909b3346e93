import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension EntitiesService {
    /// Creates a reminder for the caller (E3). Retry-safe: a repeated id returns the first result.
    /// - Throws: ``Refusal`` `invalid`, `not_member` of the named conversation.
    func createReminder(_ request: CreateReminderRequest, _ call: RequestContext) async throws -> ReminderReply {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        let title = try Text.name(request.title, field: "title", bytes: 512)
        guard request.dueAtUs > 0 else { throw Refusal.invalid("due_at_us", "must be microseconds since 1970, UTC") }
        let zone = request.timeZone.isEmpty ? "UTC" : request.timeZone
        try await checkTimeZone(zone)
        let conversation = try await conversationNumber(request.conversation, of: caller)
        let now = context.clock.now
        do {
            return try await context.journal.change { change in
                // The head is locked first, so that a concurrent repetition of the request sees the first one's row.
                guard let position = try await change.first(EntitiesStore.advanceHead, .int64(caller.account)) else {
                    throw DatabaseError.unexpected("the account has no head")
                }
                if let known = try await change.first(EntitiesStore.reminder, .int64(caller.account), .uuid(id.bytes)) {
                    throw KnownReminder(reminder: known)
                }
                try id.checkWindow(now: now)
                try await change.execute(
                    EntitiesStore.addReminder, .int64(caller.account), .uuid(id.bytes), .text(title),
                    .int64(request.dueAtUs), .text(zone), .optional(conversation),
                    request.sourceMessage.isEmpty ? .null : .uuid(request.sourceMessage), .text(request.notificationId),
                    .int64(now), .int64(position))
                let reminder = try await self.publish(id.bytes, of: caller, in: change)
                return ReminderReply(reminder: reminder, duplicate: false)
            }
        } catch let known as KnownReminder {
            return ReminderReply(reminder: known.reminder, duplicate: true)
        }
    }

    /// Returns a page of the caller's reminders by due time.
    func listReminders(_ request: ListRemindersRequest, _ call: RequestContext) async throws -> ListRemindersReply {
        guard let after = DueCursor(request.cursor) else {
            throw Refusal.invalid("cursor", "must be a cursor from an earlier reply, or empty")
        }
        let conversation = try await conversationNumber(request.conversation, of: call.caller)
        let limit = Page.limit(request.limit)
        let completed: Bool? =
            switch request.completed {
            case .onlyOpen: false
            case .onlyCompleted: true
            case .unspecified: nil
            case .unrecognized: throw Refusal.invalid("completed", "must be ONLY_OPEN, ONLY_COMPLETED or absent")
            }
        let rows = try await context.database.query(
            EntitiesStore.remindersByDue(completed: completed, inConversation: conversation != nil),
            [.int64(call.caller.account), .int64(after.dueAt), .uuid(after.id), .int64(Int64(limit + 1))]
                + (conversation.map { [.int64($0)] } ?? []))
        let page = Array(rows.prefix(limit))
        let next = rows.count > limit ? page.last.map { DueCursor($0).text } ?? "" : ""
        return ListRemindersReply(reminders: page, cursor: next)
    }

    /// Returns the caller's entities changed since a position, in order of position. The cost grows with the number of
    /// changes.
    func sync(_ request: EntitiesSyncRequest, _ call: RequestContext) async throws -> EntitiesSyncReply {
        guard let head = try await context.database.first(EntitiesStore.streamHead, .int64(call.caller.account)) else {
            throw DatabaseError.unexpected("the schema has no epoch")
        }
        // A position beyond the head dates from before a restore, even if the epoch is the same.
        let startOver = !request.epoch.isEmpty && (request.epoch != head.epoch || request.sincePosition > head.position)
        let since = startOver ? 0 : max(0, request.sincePosition)
        let limit = Page.limit(request.limit)
        let rows = try await context.database.query(
            EntitiesStore.changedReminders, .int64(call.caller.account), .int64(since), .int64(Int64(limit + 1)))
        let page = Array(rows.prefix(limit))
        let more = rows.count > limit
        return EntitiesSyncReply(
            epoch: head.epoch, startOver: startOver,
            // The head was read before the rows, so a change in between is returned again rather than missed.
            position: more ? page[page.count - 1].position : max(head.position, page.last?.position ?? 0),
            reminders: page, more: more)
    }

    /// Publishes the current state of a reminder to its owner's devices.
    func publish(_ id: [UInt8], of caller: Caller, in change: Change) async throws -> Reminder {
        let reminder = try await reminder(id, of: caller, in: change)
        change.publish(
            PendingUpdate(
                reminder, kindNumber: JournalKind.reminderChanged, subject: caller.account,
                stream: "entities/u/" + caller.user, position: reminder.position, audience: [caller.account]))
        return reminder
    }

    /// Returns a reminder that must exist.
    func reminder(_ id: [UInt8], of caller: Caller, in change: Change) async throws -> Reminder {
        guard let reminder = try await change.first(EntitiesStore.reminder, .int64(caller.account), .uuid(id)) else {
            throw DatabaseError.unexpected("the reminder no longer exists")
        }
        return reminder
    }

    /// Checks the name with PostgreSQL, which knows all time zones.
    /// - Throws: ``Refusal`` `invalid`.
    private func checkTimeZone(_ name: String) async throws {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: "+"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        do {
            guard isPlain else {
                throw DatabaseError.failed(sqlstate: "22023", message: "", detail: "", constraint: "")
            }
            _ = try await context.database.query(EntitiesStore.isTimeZone, .text(name))
        } catch DatabaseError.failed(let state, _, _, _) where state == "22023" {
            throw Refusal.invalid("time_zone", "must be an IANA time zone such as \"Europe/Zurich\"")
        }
    }

    /// Returns the number of the caller's conversation, or nil if `text` is empty.
    /// - Throws: ``Refusal`` `not_member`, also if the conversation does not exist.
    private func conversationNumber(_ text: String, of caller: Caller) async throws -> Int64? {
        guard !text.isEmpty else { return nil }
        let number = try await context.database.first(
            EntitiesStore.memberConversation, .text(text), .int64(caller.account))
        guard let number else {
            throw Refusal("not_member", "You are not a member of this conversation.", field: "conversation")
        }
        return number
    }
}

/// Rolls back the transaction of a repeated request, which is answered with its first result.
private struct KnownReminder: Error {
    var reminder: Reminder
}

/// The last reminder of the previous page, as `DUE.ID`. Pure.
struct DueCursor: Equatable {
    var dueAt: Int64
    var id: [UInt8]

    init(_ reminder: Reminder) {
        dueAt = reminder.dueAtUs
        id = reminder.id
    }

    /// Parses a cursor; empty text means the beginning. Returns nil if the text is not a cursor.
    init?(_ text: String) {
        if text.isEmpty {
            dueAt = .min
            id = [UInt8](repeating: 0, count: 16)
            return
        }
        let parts = text.split(separator: ".")
        guard parts.count == 2, let due = Int64(parts[0]), parts[1].utf8.count == 32 else { return nil }
        guard
            parts[1].utf8.allSatisfy({
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            })
        else { return nil }  // `UInt8(_:radix:)` would accept a sign.
        var bytes: [UInt8] = []
        var digits = parts[1][...]
        while !digits.isEmpty {
            guard let byte = UInt8(digits.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            digits = digits.dropFirst(2)
        }
        dueAt = due
        id = bytes
    }

    var text: String {
        "\(dueAt)." + id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
