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
        let conversation = try await checked(zone, conversation: request.conversation, of: caller)
        let now = context.clock.now
        return try await context.journal.change { change in
            // The head is locked first, so that a concurrent repetition of the request sees the first one's row.
            let head = try await change.first(EntitiesStore.lockHead, .number(caller.account))
            guard let head else { throw DatabaseError.unexpected("the account has no head") }
            let found = try await change.first(
                EntitiesStore.addReminder, .number(caller.account), .uuid(id.bytes), .text(title),
                .int64(request.dueAtUs), .text(zone), .optional(conversation),
                request.sourceMessage.isEmpty ? .null : .uuid(request.sourceMessage), .text(request.notificationId),
                .number(now), .number(head + 1), .bool(id.isInWindow(now: now)))
            guard let (reminder, isNew) = found else {
                try id.checkWindow(now: now)
                throw DatabaseError.unexpected("the reminder was not added")
            }
            if isNew { self.publish(reminder, of: caller, in: change) }
            return ReminderReply(reminder: reminder, duplicate: !isNew)
        }
    }

    /// Returns a page of the caller's reminders by due time.
    func listReminders(_ request: ListRemindersRequest, _ call: RequestContext) async throws -> ListRemindersReply {
        let after = try DueCursor(request.cursor)
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
            [.number(call.caller.account), .number(after.dueAt), .uuid(after.id), .int64(Int64(limit + 1))]
                + (conversation.map { [.number($0)] } ?? []))
        let page = Array(rows.prefix(limit))
        let next = rows.count > limit ? page.last.map { DueCursor($0).text } ?? "" : ""
        return ListRemindersReply(reminders: page, cursor: next)
    }

    /// Publishes a reminder to its owner's devices.
    func publish(_ reminder: Reminder, of caller: Caller, in change: Change) {
        change.publish(
            PendingUpdate(
                reminder, as: EntitiesKind.reminder, subject: caller.account,
                owner: caller.user, position: Position(reminder.position),
                audience: [caller.account]))
    }

    /// Checks a time zone with PostgreSQL, which knows all of them, and looks up the caller's conversation.
    /// - Returns: the conversation's number; nil if `text` is empty.
    /// - Throws: ``Refusal`` `invalid`; `not_member`, also if the conversation does not exist.
    private func checked(_ zone: String, conversation text: String, of caller: Caller) async throws
        -> ConversationNumber?
    {
        let invalid = Refusal.invalid("time_zone", "must be an IANA time zone such as \"Europe/Zurich\"")
        let isPlain = zone.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: "+"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isPlain else { throw invalid }
        do {
            let found = try await context.database.first(
                EntitiesStore.check, .text(text), .number(caller.account), .text(zone))
            return try Self.member(found.flatMap { $0 }, of: text)
        } catch let error as DatabaseError where error.code == .invalidParameterValue {
            throw invalid
        }
    }

    /// Returns the number of the caller's conversation, or nil if `text` is empty.
    /// - Throws: ``Refusal`` `not_member`, also if the conversation does not exist.
    private func conversationNumber(_ text: String, of caller: Caller) async throws -> ConversationNumber? {
        guard !text.isEmpty else { return nil }
        let number = try await context.database.first(
            EntitiesStore.memberConversation, .text(text), .number(caller.account))
        return try Self.member(number, of: text)
    }

    private nonisolated static func member(
        _ number: ConversationNumber?, of text: String
    ) throws(Refusal) -> ConversationNumber? {
        guard text.isEmpty || number != nil else {
            throw Refusal("not_member", "You are not a member of this conversation.", field: "conversation")
        }
        return number
    }
}

/// The last reminder of the previous page, as `DUE.ID`. Pure.
struct DueCursor: Cursor {
    var dueAt: Timestamp
    var id: [UInt8]

    static let start = DueCursor(dueAt: .min, id: [UInt8](repeating: 0, count: 16))

    private init(dueAt: Timestamp, id: [UInt8]) { (self.dueAt, self.id) = (dueAt, id) }

    init(_ reminder: Reminder) { self.init(dueAt: Timestamp(reminder.dueAtUs), id: reminder.id) }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(dueAt: try parts.number(in: .min ... .max), id: try parts.bytes(16))
    }

    var text: String { "\(dueAt).\(Hex.text(id))" }
}
