// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

// swift-format-ignore-file

import SwiftProtobuf

extension Update {
    /// The decoded body of an Update: the state after the change.
    public enum Content: Sendable {
        /// The state of the caller's own profile. Update of stream "conversations/u/ME", one, after a gap from
        /// conversations.Sync.
        case profile(Parley_V1_Profile)
        /// Whether the caller blocks another person. Update of stream "conversations/u/ME", key user.id, after a gap
        /// from conversations.Sync.
        case block(Parley_V1_Block)
        /// The state of a conversation as one member sees it. Somebody invited sees the group's name, photo and
        /// number of members as they were at the invitation, and none of its members. Update of stream
        /// "conversations/u/ME", key id, after a gap from conversations.Sync.
        case conversation(Parley_V1_Conversation)
        /// How many requests the caller has. Update of stream "conversations/u/ME", one, after a gap from
        /// conversations.Sync.
        case requestCount(Parley_V1_RequestCount)
        /// The state of a reminder. Update of stream "entities/u/ME", key id, after a gap from entities.Sync.
        case reminder(Parley_V1_Reminder)
        /// The state of a decision. Only its author gets Updates; the others learn of a shared one, and of its end,
        /// from the system message with it. Update of stream "entities/u/ME", key id, after a gap from entities.Sync.
        case decision(Parley_V1_Decision)
        /// The state of an event, as the reader sees it: whoever created or hosts it, is asked to, or answered
        /// otherwise than by declining. Other members learn of changes by the system message with it. Update of
        /// stream "entities/u/ME", key id, after a gap from entities.Sync.
        case event(Parley_V1_Event)
        /// How many people come to an event after answers of others, which change nothing else for the reader: at
        /// most about one Update a second, whatever many answer. Update of stream "entities/u/ME", key id of Event,
        /// after a gap from entities.Sync.
        case eventCounts(Parley_V1_EventCounts)
        /// The state of a suggestion: what a message seems to say, for one person alone until they accept it. Unless
        /// it is open, only its id, kind, state, entity and times remain. Update of stream "entities/u/ME", key id,
        /// after a gap from entities.Sync.
        case suggestion(Parley_V1_Suggestion)
        /// The state of a message. Update of stream "messaging/c/CONVERSATION", key conversation seq, after a gap
        /// from messaging.GetChanges.
        case message(Parley_V1_Message)
        /// The state of a message's reactions, and the changes that led to it. `position` is that of the Update.
        /// Update of stream "messaging/c/CONVERSATION", key conversation seq of Message, after a gap from
        /// messaging.GetChanges.
        case reactions(Parley_V1_Reactions)
        /// How far another person has read. Of two for the same user, the larger value of each field is valid. Update
        /// of stream "messaging/c/CONVERSATION" without positions, key conversation user, after a gap from
        /// messaging.ListReceipts.
        case receipt(Parley_V1_Receipt)
        /// How many members have read a message in a group of more than 64 members. Sent to its author at most once
        /// per second. Update of stream "messaging/c/CONVERSATION" without positions, key conversation seq, after a
        /// gap from messaging.ListReaders.
        case readCount(Parley_V1_ReadCount)
        /// One person's private state of a conversation. Update of stream "messaging/u/ME/CELL", key conversation,
        /// after a gap from messaging.Sync.
        case inboxState(Parley_V1_InboxState)
        /// One person's private state of a message. Update of stream "messaging/u/ME/CELL", key conversation seq of
        /// Message, after a gap from messaging.Sync.
        case messageState(Parley_V1_MessageState)
        /// Of what a person is told by pushes on their devices. Update of stream "notifications/u/ME" without
        /// positions, one, after a gap from notifications.GetPushSettings.
        case pushSettings(Parley_V1_PushSettings)
        /// Whether a person is online. Of somebody offline it has only `last_seen_us`. Update of stream
        /// "presence/u/USER" without positions, key user, after a gap from presence.GetPresence.
        case presenceState(Parley_V1_PresenceState)
        /// Whether another member is typing in a conversation. Update of stream "presence/c/CONVERSATION" without
        /// positions, key conversation user, repeated every 5 s.
        case typing(Parley_V1_Typing)
        /// What the caller says of themselves on all devices. Update of stream "presence/u/ME" without positions,
        /// one, after a gap from presence.GetOwnPresence.
        case ownPresence(Parley_V1_OwnPresence)
        /// A kind that this version does not know; see ``Update/kind``. Count its position.
        case other
    }

    /// Decodes the body according to ``kind``.
    /// - Throws: an error of SwiftProtobuf when the body is malformed.
    public func content() throws -> Content {
        switch kind {
        case "Profile": .profile(try .init(frame: body))
        case "Block": .block(try .init(frame: body))
        case "Conversation": .conversation(try .init(frame: body))
        case "RequestCount": .requestCount(try .init(frame: body))
        case "Reminder": .reminder(try .init(frame: body))
        case "Decision": .decision(try .init(frame: body))
        case "Event": .event(try .init(frame: body))
        case "EventCounts": .eventCounts(try .init(frame: body))
        case "Suggestion": .suggestion(try .init(frame: body))
        case "Message": .message(try .init(frame: body))
        case "Reactions": .reactions(try .init(frame: body))
        case "Receipt": .receipt(try .init(frame: body))
        case "ReadCount": .readCount(try .init(frame: body))
        case "InboxState": .inboxState(try .init(frame: body))
        case "MessageState": .messageState(try .init(frame: body))
        case "PushSettings": .pushSettings(try .init(frame: body))
        case "PresenceState": .presenceState(try .init(frame: body))
        case "Typing": .typing(try .init(frame: body))
        case "OwnPresence": .ownPresence(try .init(frame: body))
        default: .other
        }
    }

    /// The kinds with positions that this version knows, by how the names of their streams begin.
    static let kinds = [
        "conversations/u/": "Block Conversation Profile RequestCount",
        "entities/u/": "Decision Event EventCounts Reminder Suggestion",
        "messaging/c/": "Message Reactions",
        "messaging/u/": "InboxState MessageState",
    ]
}
