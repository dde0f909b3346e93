import Foundation
import NIOCore
import SwiftProtobuf
import NIOConcurrencyHelpers

/// Requests about events. All functions throw ``ParleyError``; `entities.proto` lists the refusals of each request.
extension ParleyClient {
    // MARK: Changes

    /// Creates an event, which I accept, and invites its conversations. A request without an id gets a new one.
    /// Repeating it with the same id returns the first result.
    public func createEvent(
        _ event: Parley_V1_CreateEventRequest
    ) async throws(ParleyError) -> Parley_V1_EventReply {
        var request = event
        if request.id.isEmpty { request.id = .init(newID().bytes) }
        return try await call(EntitiesMethods.createEvent, key: user, request)
    }

    /// Returns an event that I see.
    public func event(_ id: UUIDv7) async throws(ParleyError) -> Parley_V1_Event {
        try await call(EntitiesMethods.getEvent, key: user, .with { $0.id = .init(id.bytes) }).event
    }

    /// Changes an event of which I am a host. What `change` does not set stays as it is.
    /// - Parameter version: the version that I know. If it is no longer the latest one, the change is refused.
    public func updateEvent(
        _ id: UUIDv7, version: Int64, _ change: (inout Parley_V1_UpdateEventRequest) -> Void
    ) async throws(ParleyError) -> Parley_V1_EventReply {
        var request = Parley_V1_UpdateEventRequest()
        (request.id, request.version) = (.init(id.bytes), version)
        change(&request)
        return try await call(EntitiesMethods.updateEvent, key: user, request)
    }

    /// Calls off an event of which I am a host.
    @discardableResult
    public func cancelEvent(_ id: UUIDv7) async throws(ParleyError) -> Parley_V1_EventReply {
        try await call(EntitiesMethods.cancelEvent, key: user, .with { $0.id = .init(id.bytes) })
    }

    /// Deletes an event that I created, also from the conversations that are invited.
    @discardableResult
    public func deleteEvent(_ id: UUIDv7) async throws(ParleyError) -> Parley_V1_EventReply {
        try await call(EntitiesMethods.deleteEvent, key: user, .with { $0.id = .init(id.bytes) })
    }

    /// Invites a conversation of mine to an event of which I am a host.
    @discardableResult
    public func inviteConversation(
        _ conversation: String, to id: UUIDv7
    ) async throws(ParleyError) -> Parley_V1_EventReply {
        try await call(
            EntitiesMethods.inviteConversation, key: user,
            .with { ($0.id, $0.conversation) = (.init(id.bytes), conversation) })
    }

    /// Withdraws the invitation of a conversation.
    @discardableResult
    public func uninviteConversation(
        _ conversation: String, from id: UUIDv7
    ) async throws(ParleyError) -> Parley_V1_EventReply {
        try await call(
            EntitiesMethods.uninviteConversation, key: user,
            .with { ($0.id, $0.conversation) = (.init(id.bytes), conversation) })
    }

    /// Asks a person who sees my event to host it too, which they accept or decline; without `host`, they are a guest
    /// again.
    @discardableResult
    public func setEventHost(
        _ user: String, of id: UUIDv7, host: Bool = true
    ) async throws(ParleyError) -> Parley_V1_EventReply {
        try await call(
            EntitiesMethods.setEventHost, key: self.user,
            .with { ($0.id, $0.user, $0.host) = (.init(id.bytes), user, host) })
    }

    /// Answers an invitation. Who declines gets no more Updates of the event.
    /// - Parameters:
    ///   - guests: how many people I bring.
    ///   - conversation: from where; empty: from one in which I see the event.
    ///   - remindMinutes: how long before each date I am reminded, -1: not at all; nil: it stays.
    ///   - hosts: whether I host it, which I was asked to; nil: it stays.
    @discardableResult
    public func answerEvent(
        _ id: UUIDv7, _ status: Parley_V1_AttendanceStatus, guests: UInt32 = 0, from conversation: String = "",
        remindMinutes: Int32? = nil, hosts: Bool? = nil
    ) async throws(ParleyError) -> Parley_V1_EventReply {
        var request = Parley_V1_AnswerEventRequest()
        (request.id, request.status, request.guests) = (.init(id.bytes), status, guests)
        request.conversation = conversation
        if let remindMinutes { request.remindMinutes = remindMinutes }
        if let hosts { request.host = hosts }
        return try await call(EntitiesMethods.answerEvent, key: user, request)
    }

    // MARK: Calendars

    /// Returns an event that I see as a file in the format iCalendar.
    public func exportEvent(_ id: UUIDv7) async throws(ParleyError) -> String {
        try await call(EntitiesMethods.exportEvent, key: user, .with { $0.id = .init(id.bytes) }).calendar
    }

    /// Makes a secret link by which calendars get my events over HTTP, and ends an earlier one.
    /// - Returns: its path at every gateway.
    public func createCalendarLink() async throws(ParleyError) -> String {
        try await call(EntitiesMethods.createCalendarLink, key: user, .init()).path
    }

    /// Returns the calendar at a secret link, also without a session.
    public func calendar(at path: String) async throws(ParleyError) -> [UInt8] {
        let received = Received()
        do {
            let receive: @Sendable (FileExchange.Answer, ByteBuffer?) throws -> Void = { _, piece in
                if let piece { received.bytes.withLockedValue { $0 += piece.readableBytesView } }
            }
            let answer = try await fileExchange().run(.GET, path, receive: receive)
            guard answer.status == 200 else { throw Self.problem(answer) }
            return received.bytes.withLockedValue { $0 }
        } catch {
            throw ParleyError(wrapping: error)
        }
    }

    /// What has been received of a calendar.
    private final class Received: Sendable {
        let bytes = NIOLockedValueBox<[UInt8]>([])
    }

    /// Ends my secret link.
    public func deleteCalendarLink() async throws(ParleyError) {
        _ = try await call(EntitiesMethods.deleteCalendarLink, key: user, .init())
    }

    // MARK: Lists

    /// Returns a page of the people who answered, in order of their answers.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: people per page, at most 200; zero: 50.
    public func attendees(
        of id: UUIDv7, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListAttendeesReply {
        try await call(
            EntitiesMethods.listAttendees, key: user,
            .with { ($0.id, $0.cursor, $0.limit) = (.init(id.bytes), cursor, limit) })
    }

    /// Returns a page of the dates of my events between two days, such as `2026-12-01`, by time.
    /// - Parameters:
    ///   - timeZone: in which these days are meant; empty: UTC.
    ///   - conversation: only events into which it is invited; empty: all of mine.
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: dates per page, at most 1,000; zero: 200.
    public func listEvents(
        from first: String, to last: String, timeZone: String = "", conversation: String = "", cursor: String = "",
        limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListEventsReply {
        var request = Parley_V1_ListEventsRequest()
        (request.fromDate, request.toDate, request.timeZone) = (first, last, timeZone)
        (request.conversation, request.cursor, request.limit) = (conversation, cursor, limit)
        return try await call(EntitiesMethods.listEvents, key: user, request)
    }
}
