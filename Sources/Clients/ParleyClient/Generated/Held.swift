// Generated from *.proto (sha256 8713258507c3481678857b7666ffb13ba6dead209deb5098770a3ae74d45eb45) by proto/generate. Do not edit.

// swift-format-ignore-file

import Foundation
import SwiftProtobuf

/// The states that a person's client holds, as the server sent them. A snapshot fills it, and Updates change it. Its
/// rules are in HeldRules.swift.
public struct Held: Sendable, Equatable {
    /// The person's user id.
    public var user = ""
    /// The position up to which each stream is applied.
    public var positions: [String: Int64] = [:]
    /// The epochs of these positions.
    public var epochs: [String: String] = [:]
    /// States of messages that are not held yet, by conversation and seq.
    var earlyStates: [String: [Int64: Parley_V1_MessageState]] = [:]
    /// The seqs of each thread's messages, by conversation and the seq of the first one.
    var threads: [String: [Int64: Set<Int64>]] = [:]
    /// The state of the caller's own profile. Update of stream "conversations/u/ME", one, after a gap from
    /// conversations.Sync.
    public var profile: Parley_V1_Profile = Parley_V1_Profile()
    /// Whether the caller blocks another person. Update of stream "conversations/u/ME", key user.id, after a gap from
    /// conversations.Sync.
    public var blocks: [String: Parley_V1_Block] = [:]
    /// The state of a conversation as one member sees it. Somebody invited sees the group's name, photo and number of
    /// members as they were at the invitation, and none of its members. Update of stream "conversations/u/ME", key
    /// id, after a gap from conversations.Sync.
    public var conversations: [String: Parley_V1_Conversation] = [:]
    /// How many requests the caller has. Update of stream "conversations/u/ME", one, after a gap from
    /// conversations.Sync.
    public var requestCount: Parley_V1_RequestCount = Parley_V1_RequestCount()
    /// The state of a reminder. Update of stream "entities/u/ME", key id, after a gap from entities.Sync.
    public var reminders: [Data: Parley_V1_Reminder] = [:]
    /// The state of a decision. Only its author gets Updates; the others learn of a shared one, and of its end, from
    /// the system message with it. Update of stream "entities/u/ME", key id, after a gap from entities.Sync.
    public var decisions: [Data: Parley_V1_Decision] = [:]
    /// The state of an event, as the reader sees it: whoever created or hosts it, is asked to, or answered otherwise
    /// than by declining. Other members learn of changes by the system message with it. Update of stream
    /// "entities/u/ME", key id, after a gap from entities.Sync.
    public var events: [Data: Parley_V1_Event] = [:]
    /// The state of a suggestion: what a message seems to say, for one person alone until they accept it. Unless it
    /// is open, only its id, kind, state, entity and times remain. Update of stream "entities/u/ME", key id, after a
    /// gap from entities.Sync.
    public var suggestions: [Data: Parley_V1_Suggestion] = [:]
    /// The state of a message. Update of stream "messaging/c/CONVERSATION", key conversation seq, after a gap from
    /// messaging.GetChanges.
    public var messages: [String: [Int64: Parley_V1_Message]] = [:]
    /// One person's private state of a conversation. Update of stream "messaging/u/ME/CELL", key conversation, after
    /// a gap from messaging.Sync.
    public var inboxStates: [String: Parley_V1_InboxState] = [:]

    public init() {}

    /// Applies the next Update of its stream, apart from its position. Ephemeral states are not held.
    public mutating func apply(_ content: Update.Content) {
        switch content {
        case .profile(let state): apply(state)
        case .block(let state): apply(state)
        case .conversation(let state): apply(state)
        case .requestCount(let state): apply(state)
        case .reminder(let state): apply(state)
        case .decision(let state): apply(state)
        case .event(let state): apply(state)
        case .eventCounts(let state): apply(state)
        case .suggestion(let state): apply(state)
        case .message(let state): apply(state)
        case .reactions(let state): apply(state)
        case .inboxState(let state): apply(state)
        case .messageState(let state): apply(state)
        case .receipt, .readCount, .presenceState, .typing, .ownPresence, .other: break
        }
    }

    /// All states by kind and key, to compare what two clients hold.
    public var states: [String: any SwiftProtobuf.Message] {
        var all: [String: any SwiftProtobuf.Message] = [:]
        all["Profile"] = profile
        for (key, state) in blocks { all["Block \(heldKey(key))"] = state }
        for (key, state) in conversations { all["Conversation \(heldKey(key))"] = state }
        all["RequestCount"] = requestCount
        for (key, state) in reminders { all["Reminder \(heldKey(key))"] = state }
        for (key, state) in decisions { all["Decision \(heldKey(key))"] = state }
        for (key, state) in events { all["Event \(heldKey(key))"] = state }
        for (key, state) in suggestions { all["Suggestion \(heldKey(key))"] = state }
        for (first, states) in messages {
            for (second, state) in states { all["Message \(heldKey(first)) \(heldKey(second))"] = state }
        }
        for (key, state) in inboxStates { all["InboxState \(heldKey(key))"] = state }
        return all
    }

    /// Drops the states of the person's own stream of a service, which are read again.
    mutating func dropStates(of service: Substring) {
        switch service {
        case "conversations":
            profile = Parley_V1_Profile()
            blocks = [:]
            conversations = [:]
            requestCount = Parley_V1_RequestCount()
        case "entities":
            reminders = [:]
            decisions = [:]
            events = [:]
            suggestions = [:]
        case "messaging":
            inboxStates = [:]
        default: break
        }
    }
}

extension Parley_V1_Profile: HeldState {
    public func put(in held: inout Held) { held.profile = self }
}

extension Parley_V1_Block: HeldState {
    public func put(in held: inout Held) { held.blocks[user.id] = self }
}

extension Parley_V1_Conversation: HeldState {
    public func put(in held: inout Held) { held.conversations[id] = self }
}

extension Parley_V1_RequestCount: HeldState {
    public func put(in held: inout Held) { held.requestCount = self }
}

extension Parley_V1_Reminder: HeldState {
    public func put(in held: inout Held) { held.reminders[id] = self }
}

extension Parley_V1_Decision: HeldState {
    public func put(in held: inout Held) { held.decisions[id] = self }
}

extension Parley_V1_Event: HeldState {
    public func put(in held: inout Held) { held.events[id] = self }
}

extension Parley_V1_Suggestion: HeldState {
    public func put(in held: inout Held) { held.suggestions[id] = self }
}

extension Parley_V1_Message: HeldState {
    public func put(in held: inout Held) { held.messages[conversation, default: [:]][seq] = self }
}

extension Parley_V1_InboxState: HeldState {
    public func put(in held: inout Held) { held.inboxStates[conversation] = self }
}

extension Parley_V1_ConversationsSyncReply {
    /// The states in a reply to conversations.Sync.
    public var contents: [Update.Content] { conversations.map(Update.Content.conversation) + (hasRequests ? [.requestCount(requests)] : []) + (hasProfile ? [.profile(profile)] : []) }
}

extension Parley_V1_EntitiesSyncReply {
    /// The states in a reply to entities.Sync.
    public var contents: [Update.Content] { reminders.map(Update.Content.reminder) + decisions.map(Update.Content.decision) + events.map(Update.Content.event) + suggestions.map(Update.Content.suggestion) }
}

extension Parley_V1_MessagingSyncReply {
    /// The states in a reply to messaging.Sync.
    public var contents: [Update.Content] { messageStates.map(Update.Content.messageState) }
}
