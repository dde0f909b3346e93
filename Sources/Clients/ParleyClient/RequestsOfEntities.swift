import Foundation
import SwiftProtobuf

/// Requests about reminders and decisions; those about events are in `RequestsOfEvents.swift`. All functions throw
/// ``ParleyError``; `entities.proto` lists the refusals of each request.
extension ParleyClient {
    // MARK: Reminders

    /// Creates a reminder of mine. Zero and empty fields mean "none". A request without an id gets a new one.
    /// Repeating it with the same id returns the first result.
    public func createReminder(
        _ reminder: Parley_V1_CreateReminderRequest
    ) async throws(ParleyError) -> Parley_V1_ReminderReply {
        var request = reminder
        if request.id.isEmpty { request.id = .init(newID().bytes) }
        return try await call(EntitiesMethods.createReminder, key: user, request)
    }

    /// Marks a reminder of mine as completed, or as open again.
    public func completeReminder(
        _ id: UUIDv7, completed: Bool = true
    ) async throws(ParleyError) -> Parley_V1_ReminderReply {
        try await call(
            EntitiesMethods.completeReminder, key: user,
            .with {
                $0.id = .init(id.bytes)
                $0.completed = completed
            })
    }

    /// Returns a reminder of mine.
    public func reminder(_ id: UUIDv7) async throws(ParleyError) -> Parley_V1_Reminder {
        try await call(EntitiesMethods.getReminder, key: user, .with { $0.id = .init(id.bytes) }).reminder
    }

    /// Changes a reminder of mine. Fields that `change` does not set stay as they are.
    public func updateReminder(
        _ id: UUIDv7, _ change: (inout Parley_V1_UpdateReminderRequest) -> Void
    ) async throws(ParleyError) -> Parley_V1_ReminderReply {
        var request = Parley_V1_UpdateReminderRequest()
        request.id = .init(id.bytes)
        change(&request)
        return try await call(EntitiesMethods.updateReminder, key: user, request)
    }

    /// Moves an open reminder of mine to a later time, at which it fires.
    /// - Parameter untilUs: microseconds since 1970, UTC.
    public func snoozeReminder(
        _ id: UUIDv7, untilUs: Int64
    ) async throws(ParleyError) -> Parley_V1_ReminderReply {
        try await call(
            EntitiesMethods.snoozeReminder, key: user, .with { ($0.id, $0.untilUs) = (.init(id.bytes), untilUs) })
    }

    /// Deletes a reminder of mine.
    @discardableResult
    public func deleteReminder(_ id: UUIDv7) async throws(ParleyError) -> Parley_V1_ReminderReply {
        try await call(EntitiesMethods.deleteReminder, key: user, .with { $0.id = .init(id.bytes) })
    }

    /// Returns a page of my reminders, ordered by due time.
    /// - Parameters:
    ///   - completed: which reminders; unspecified: all.
    ///   - conversation: only those of this conversation; empty: all.
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: reminders per page, at most 200; zero: 50.
    public func listReminders(
        _ completed: Parley_V1_CompletedFilter = .unspecified, conversation: String = "", cursor: String = "",
        limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListRemindersReply {
        var request = Parley_V1_ListRemindersRequest()
        (request.completed, request.conversation) = (completed, conversation)
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(EntitiesMethods.listReminders, key: user, request)
    }

    // MARK: Decisions

    /// Records a decision. Zero and empty fields mean "none". A request without an id gets a new one. Repeating it with
    /// the same id returns the first result.
    public func createDecision(
        _ decision: Parley_V1_CreateDecisionRequest
    ) async throws(ParleyError) -> Parley_V1_DecisionReply {
        var request = decision
        if request.id.isEmpty { request.id = .init(newID().bytes) }
        return try await call(EntitiesMethods.createDecision, key: user, request)
    }

    /// Returns a decision that I may read.
    public func decision(_ id: UUIDv7) async throws(ParleyError) -> Parley_V1_Decision {
        try await call(EntitiesMethods.getDecision, key: user, .with { $0.id = .init(id.bytes) }).decision
    }

    /// Deletes a decision of mine, also from the conversation it is shared with.
    @discardableResult
    public func deleteDecision(_ id: UUIDv7) async throws(ParleyError) -> Parley_V1_DecisionReply {
        try await call(EntitiesMethods.deleteDecision, key: user, .with { $0.id = .init(id.bytes) })
    }

    /// Returns a page of decisions, newest first. A page may have none although more follow.
    /// - Parameters:
    ///   - conversation: only those of this conversation; empty: all of mine.
    ///   - shared: those that anyone shared with the conversation, instead of mine.
    ///   - text: only those that contain it; empty: all.
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: decisions per page, at most 100; zero: 50.
    public func listDecisions(
        conversation: String = "", shared: Bool = false, text: String = "", cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListDecisionsReply {
        var request = Parley_V1_ListDecisionsRequest()
        (request.conversation, request.sharedOnly, request.text) = (conversation, shared, text)
        (request.cursor, request.limit) = (cursor, limit)
        return try await call(EntitiesMethods.listDecisions, key: user, request)
    }

    // MARK: Changes

    /// Returns a page of my reminders, decisions and events that changed since a position of stream "entities/u/ME".
    /// - Parameters:
    ///   - epoch: of the reply that gave the position; empty at first.
    ///   - position: up to which changes are known; zero at first.
    ///   - limit: states per page, at most 100; zero: 50.
    public func syncEntities(
        epoch: String = "", since position: Int64 = 0, limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_EntitiesSyncReply {
        var request = Parley_V1_EntitiesSyncRequest()
        (request.epoch, request.sincePosition, request.limit) = (epoch, position, limit)
        return try await call(EntitiesMethods.sync, key: user, request)
    }
}
