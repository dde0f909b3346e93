import Foundation
import ParleyClient

/// What hosts do with an event.
extension Parley {
    /// Invites a conversation of mine to an event of which I am a host. It is shown there.
    public func invite(_ conversation: ConversationID, to event: EventID) async throws(Refusal) {
        try await perform(
            Parley_V1_InviteConversationRequest.with { ($0.id, $0.conversation) = (event.data, conversation.rawValue) })
    }

    /// Withdraws the invitation of a conversation to an event of which I am a host.
    public func uninvite(_ conversation: ConversationID, from event: EventID) async throws(Refusal) {
        try await perform(
            Parley_V1_UninviteConversationRequest.with {
                ($0.id, $0.conversation) = (event.data, conversation.rawValue)
            })
    }

    /// Asks a person who sees my event to host it too, which they accept or decline with ``host(_:_:)``; or makes them
    /// a guest again.
    public func askToHost(_ event: EventID, _ user: UserID, _ asks: Bool = true) async throws(Refusal) {
        try await perform(
            Parley_V1_SetEventHostRequest.with { ($0.id, $0.user, $0.host) = (event.data, user.rawValue, asks) })
    }

    /// Calls off an event of which I am a host. It stays in ``events``, as cancelled.
    public func cancel(_ event: EventID) async throws(Refusal) {
        try await perform(Parley_V1_CancelEventRequest.with { $0.id = event.data })
    }

    /// Deletes an event that I created, also where it is shown.
    public func delete(_ event: EventID) async throws(Refusal) {
        try await perform(Parley_V1_DeleteEventRequest.with { $0.id = event.data })
    }

    /// Returns the people who answered an event that I see, in the order of their answers. Asks the server.
    public func attendees(of event: EventID) async throws(Refusal) -> [Attendee] {
        guard let id = UUIDv7(bytes: event.data) else {
            throw Refusal(.notFound, "There is no such event.", field: "id")
        }
        return try await ask { client throws(ParleyError) in
            var (attendees, cursor): ([Attendee], String) = ([], "")
            repeat {
                let page = try await client.attendees(of: id, cursor: cursor, limit: 200)
                attendees += page.attendees.map(Attendee.init)
                cursor = page.cursor
            } while !cursor.isEmpty
            return attendees
        }
    }
}

/// A person who answered an event.
///
///     let coming = try await parley.attendees(of: event.id).filter { $0.answer == .accepted }
///     for attendee in coming { show("\(attendee.id), with \(attendee.guests) more") }
public struct Attendee: Identifiable, Hashable, Sendable, Codable {
    public var id: UserID
    public var answer: Event.Answer
    /// How many they bring.
    public var guests: Int
    /// From where they answered, if I am a host.
    public var conversation: ConversationID?
    public var isHost: Bool
    /// Whether they are asked to host it, and have not answered. Hosts see it of others.
    public var isAskedToHost: Bool
    public var answeredAt: Date

    /// Creates an attendee, for previews and tests.
    public init(
        id: UserID, answer: Event.Answer, guests: Int = 0, isHost: Bool = false, isAskedToHost: Bool = false,
        answeredAt: Date = .now
    ) {
        (self.id, self.answer, self.guests, self.answeredAt) = (id, answer, guests, answeredAt)
        (self.isHost, self.isAskedToHost) = (isHost, isAskedToHost)
    }

    init(_ attendance: Parley_V1_Attendance) {
        (id, answer) = (UserID(rawValue: attendance.user), Event.Answer(attendance.status))
        guests = Int(attendance.guests)
        conversation = attendance.conversation.isEmpty ? nil : ConversationID(rawValue: attendance.conversation)
        (isHost, isAskedToHost) = (attendance.host, attendance.askedToHost)
        answeredAt = Date(microseconds: attendance.answeredAtUs)
    }
}
