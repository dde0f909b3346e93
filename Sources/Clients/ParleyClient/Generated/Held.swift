// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

// swift-format-ignore-file

import Foundation
import SwiftProtobuf

/// The states that a person's client holds, as the server sent them. A snapshot fills it, and Updates change it. The
/// rules are in Merge.swift.
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

    /// Removes all states of a kind.
    mutating func remove(_ kind: StateKind) {
        switch kind {
        case .profile: profile = Parley_V1_Profile()
        case .block: blocks = [:]
        case .requestCount: requestCount = Parley_V1_RequestCount()
        case .reminder: reminders = [:]
        case .decision: decisions = [:]
        case .event: events = [:]
        case .suggestion: suggestions = [:]
        }
    }
}

/// The kinds of which a client holds one state for each key, by their names in Updates. The others that it holds are
/// messages, and what is in the row of a conversation.
package enum StateKind: String, Sendable, CaseIterable {
    case profile = "Profile"
    case block = "Block"
    case requestCount = "RequestCount"
    case reminder = "Reminder"
    case decision = "Decision"
    case event = "Event"
    case suggestion = "Suggestion"

    package var type: any KeyedState.Type {
        switch self {
        case .profile: Parley_V1_Profile.self
        case .block: Parley_V1_Block.self
        case .requestCount: Parley_V1_RequestCount.self
        case .reminder: Parley_V1_Reminder.self
        case .decision: Parley_V1_Decision.self
        case .event: Parley_V1_Event.self
        case .suggestion: Parley_V1_Suggestion.self
        }
    }
}

extension Update.Content {
    /// The state, if it is of a ``StateKind``.
    package var keyed: (any KeyedState)? {
        switch self {
        case .profile(let state): state
        case .block(let state): state
        case .requestCount(let state): state
        case .reminder(let state): state
        case .decision(let state): state
        case .event(let state): state
        case .suggestion(let state): state
        default: nil
        }
    }
}

extension Parley_V1_Profile: KeyedState {
    package static var stateKind: StateKind { .profile }
    package var stateKey: String { "" }
    public func put(in held: inout Held) { held.profile = self }
    package func remove(from held: inout Held) { held.profile = Parley_V1_Profile() }
}

extension Parley_V1_Block: KeyedState {
    package static var stateKind: StateKind { .block }
    package var stateKey: String { user.id }
    public func put(in held: inout Held) { held.blocks[user.id] = self }
    package func remove(from held: inout Held) { held.blocks[user.id] = nil }
}

extension Parley_V1_Conversation: HeldState {
    public func put(in held: inout Held) { held.conversations[id] = self }
}

extension Parley_V1_RequestCount: KeyedState {
    package static var stateKind: StateKind { .requestCount }
    package var stateKey: String { "" }
    public func put(in held: inout Held) { held.requestCount = self }
    package func remove(from held: inout Held) { held.requestCount = Parley_V1_RequestCount() }
}

extension Parley_V1_Reminder: KeyedState {
    package static var stateKind: StateKind { .reminder }
    package var stateKey: String { id.hexDigits }
    public func put(in held: inout Held) { held.reminders[id] = self }
    package func remove(from held: inout Held) { held.reminders[id] = nil }
}

extension Parley_V1_Decision: KeyedState {
    package static var stateKind: StateKind { .decision }
    package var stateKey: String { id.hexDigits }
    public func put(in held: inout Held) { held.decisions[id] = self }
    package func remove(from held: inout Held) { held.decisions[id] = nil }
}

extension Parley_V1_Event: KeyedState {
    package static var stateKind: StateKind { .event }
    package var stateKey: String { id.hexDigits }
    public func put(in held: inout Held) { held.events[id] = self }
    package func remove(from held: inout Held) { held.events[id] = nil }
}

extension Parley_V1_Suggestion: KeyedState {
    package static var stateKind: StateKind { .suggestion }
    package var stateKey: String { id.hexDigits }
    public func put(in held: inout Held) { held.suggestions[id] = self }
    package func remove(from held: inout Held) { held.suggestions[id] = nil }
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
