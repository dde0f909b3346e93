import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Reports a person, or a message of theirs, to the operator (C13). Nobody else is notified. A repeated id adds no
    /// second report.
    /// - Throws: ``Refusal`` `user_not_found`, `not_found`, `message_not_found`, `invalid`, `rate_limited`.
    func createReport(_ request: CreateReportRequest, _ call: RequestContext) async throws -> Done {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        let reason = try ReportRules.reason(request.reason)
        let note = try ReportRules.note(request.note)
        try ReportRules.checkMessage(conversation: request.conversation, seq: Seq(request.seq))
        guard request.user != caller.user else { throw Refusal.invalid("user", "must be another person") }
        let known = try await context.database.first(PeopleStore.report, .number(caller.account), .uuid(id.bytes))
        if known != nil { return Done() }
        let now = context.clock.now
        try id.checkWindow(now: now)
        try allow(.report, by: caller)
        guard let about = try await context.database.first(PeopleStore.account, .text(request.user)) else {
            throw Refusal.userNotFound
        }
        var conversation: ConversationNumber?
        if !request.conversation.isEmpty {
            conversation = try await context.database.first(
                PeopleStore.sharedConversation, .text(request.conversation), .number(caller.account), .number(about))
            // The same refusal if it does not exist, is not the caller's, or the other is no member.
            guard let conversation else { throw Refusal.notFound }
            let message = try await context.database.first(
                PeopleStore.reportableMessage, .number(caller.account), .number(conversation), .int64(request.seq))
            guard message != nil else { throw Refusal.messageNotFound() }
        }
        try await context.database.execute(
            PeopleStore.addReport, .number(caller.account), .uuid(id.bytes), .number(about), .optional(conversation),
            conversation == nil ? .null : .int64(request.seq), .int16(reason), .text(note), .number(now))
        context.log.notice("a person was reported", metadata: ["reason": "\(request.reason)"])
        return Done()
    }
}

/// Validates reports. Pure.
enum ReportRules {
    static let noteBytesMax = 2048

    /// - Throws: ``Refusal`` `invalid`.
    static func reason(_ reason: ReportReason) throws(Refusal) -> Int16 {
        guard (1...6).contains(reason.rawValue) else {
            throw .invalid("reason", "must be SPAM, HARASSMENT, VIOLENCE, SEXUAL, IMPERSONATION or OTHER")
        }
        return Int16(reason.rawValue)
    }

    /// Validates a note, which may be empty.
    /// - Throws: ``Refusal`` `invalid`, `too_large`.
    static func note(_ text: String) throws(Refusal) -> String {
        Blanks.isBlank(text) ? "" : try Text.message(text, field: "note", bytes: noteBytesMax)
    }

    /// Checks that a report names both conversation and seq, for a message, or neither, for a person.
    /// - Throws: ``Refusal`` `invalid`.
    static func checkMessage(conversation: String, seq: Seq) throws(Refusal) {
        guard conversation.isEmpty ? seq == 0 : seq > 0 else {
            throw .invalid("seq", "must be greater than zero if `conversation` is set, and zero otherwise")
        }
    }
}
