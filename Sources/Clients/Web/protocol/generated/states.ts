// Generated from *.proto (sha256 b2447acba9c9801e47a93629ba5ec14e0a6ffe142dbec1594ea801c888d7c9a0) by proto/generate. Do not edit.

import type {
    Block,
    Conversation,
    Decision,
    Event,
    EventCounts,
    InboxState,
    Message,
    MessageState,
    OwnPresence,
    PresenceState,
    Profile,
    PushSettings,
    Reactions,
    ReadCount,
    Receipt,
    Reminder,
    RequestCount,
    Suggestion,
    Typing,
} from "./messages";

/** The states that Updates carry, by their kinds. */
export interface States {
    /**
     * The state of the caller's own profile. Update of stream "conversations/u/ME", one, after a gap from
     * conversations.Sync.
     */
    Profile: Profile;
    /**
     * Whether the caller blocks another person. Update of stream "conversations/u/ME", key user.id, after a gap from
     * conversations.Sync.
     */
    Block: Block;
    /**
     * The state of a conversation as one member sees it. Somebody invited sees the group's name, photo and number of
     * members as they were at the invitation, and none of its members. Update of stream "conversations/u/ME", key id,
     * after a gap from conversations.Sync.
     */
    Conversation: Conversation;
    /**
     * How many requests the caller has. Update of stream "conversations/u/ME", one, after a gap from
     * conversations.Sync.
     */
    RequestCount: RequestCount;
    /** The state of a reminder. Update of stream "entities/u/ME", key id, after a gap from entities.Sync. */
    Reminder: Reminder;
    /**
     * The state of a decision. Only its author gets Updates; the others learn of a shared one, and of its end, from
     * the system message with it. Update of stream "entities/u/ME", key id, after a gap from entities.Sync.
     */
    Decision: Decision;
    /**
     * The state of an event, as the reader sees it: whoever created or hosts it, is asked to, or answered otherwise
     * than by declining. Other members learn of changes by the system message with it. Update of stream
     * "entities/u/ME", key id, after a gap from entities.Sync.
     */
    Event: Event;
    /**
     * How many people come to an event after answers of others, which change nothing else for the reader: at most
     * about one Update a second, whatever many answer. Update of stream "entities/u/ME", key id of Event, after a gap
     * from entities.Sync.
     */
    EventCounts: EventCounts;
    /**
     * The state of a suggestion: what a message seems to say, for one person alone until they accept it. Unless it is
     * open, only its id, kind, state, entity and times remain. Update of stream "entities/u/ME", key id, after a gap
     * from entities.Sync.
     */
    Suggestion: Suggestion;
    /**
     * The state of a message. Update of stream "messaging/c/CONVERSATION", key conversation seq, after a gap from
     * messaging.GetChanges.
     */
    Message: Message;
    /**
     * The state of a message's reactions, and the changes that led to it. `position` is that of the Update. Update of
     * stream "messaging/c/CONVERSATION", key conversation seq of Message, after a gap from messaging.GetChanges.
     */
    Reactions: Reactions;
    /**
     * How far another person has read. Of two for the same user, the larger value of each field is valid. Update of
     * stream "messaging/c/CONVERSATION" without positions, key conversation user, after a gap from
     * messaging.ListReceipts.
     */
    Receipt: Receipt;
    /**
     * How many members have read a message in a group of more than 64 members. Sent to its author at most once per
     * second. Update of stream "messaging/c/CONVERSATION" without positions, key conversation seq, after a gap from
     * messaging.ListReaders.
     */
    ReadCount: ReadCount;
    /**
     * One person's private state of a conversation. Update of stream "messaging/u/ME/CELL", key conversation, after a
     * gap from messaging.Sync.
     */
    InboxState: InboxState;
    /**
     * One person's private state of a message. Update of stream "messaging/u/ME/CELL", key conversation seq of
     * Message, after a gap from messaging.Sync.
     */
    MessageState: MessageState;
    /**
     * Of what a person is told by pushes on their devices. Update of stream "notifications/u/ME" without positions,
     * one, after a gap from notifications.GetPushSettings.
     */
    PushSettings: PushSettings;
    /**
     * Whether a person is online. Of somebody offline it has only `last_seen_us`. Update of stream "presence/u/USER"
     * without positions, key user, after a gap from presence.GetPresence.
     */
    PresenceState: PresenceState;
    /**
     * Whether another member is typing in a conversation. Update of stream "presence/c/CONVERSATION" without
     * positions, key conversation user, repeated every 5 s.
     */
    Typing: Typing;
    /**
     * What the caller says of themselves on all devices. Update of stream "presence/u/ME" without positions, one,
     * after a gap from presence.GetOwnPresence.
     */
    OwnPresence: OwnPresence;
}

/** The kind of an Update. */
export type Kind = keyof States;

/** What is known of each kind. */
export const states: {
    readonly [K in Kind]: {
        /** How the name of its stream begins. */
        readonly stream: string;
        /** Whether the stream has positions. */
        readonly ordered: boolean;
        /** The fields that name its object; none: there is one. */
        readonly keys: readonly string[];
        /** The kind that it is a part of; empty: none. */
        readonly whole: Kind | "";
        /** The request that returns what was missed; empty: it is sent again. */
        readonly source: string;
    };
} = {
    Profile: { stream: "conversations/u/", ordered: true, keys: [], whole: "", source: "conversations.Sync" },
    Block: { stream: "conversations/u/", ordered: true, keys: ["user.id"], whole: "", source: "conversations.Sync" },
    Conversation: { stream: "conversations/u/", ordered: true, keys: ["id"], whole: "", source: "conversations.Sync" },
    RequestCount: { stream: "conversations/u/", ordered: true, keys: [], whole: "", source: "conversations.Sync" },
    Reminder: { stream: "entities/u/", ordered: true, keys: ["id"], whole: "", source: "entities.Sync" },
    Decision: { stream: "entities/u/", ordered: true, keys: ["id"], whole: "", source: "entities.Sync" },
    Event: { stream: "entities/u/", ordered: true, keys: ["id"], whole: "", source: "entities.Sync" },
    EventCounts: { stream: "entities/u/", ordered: true, keys: ["id"], whole: "Event", source: "entities.Sync" },
    Suggestion: { stream: "entities/u/", ordered: true, keys: ["id"], whole: "", source: "entities.Sync" },
    Message: { stream: "messaging/c/", ordered: true, keys: ["conversation", "seq"], whole: "", source: "messaging.GetChanges" },
    Reactions: { stream: "messaging/c/", ordered: true, keys: ["conversation", "seq"], whole: "Message", source: "messaging.GetChanges" },
    Receipt: { stream: "messaging/c/", ordered: false, keys: ["conversation", "user"], whole: "", source: "messaging.ListReceipts" },
    ReadCount: { stream: "messaging/c/", ordered: false, keys: ["conversation", "seq"], whole: "", source: "messaging.ListReaders" },
    InboxState: { stream: "messaging/u/", ordered: true, keys: ["conversation"], whole: "", source: "messaging.Sync" },
    MessageState: { stream: "messaging/u/", ordered: true, keys: ["conversation", "seq"], whole: "Message", source: "messaging.Sync" },
    PushSettings: { stream: "notifications/u/", ordered: false, keys: [], whole: "", source: "notifications.GetPushSettings" },
    PresenceState: { stream: "presence/u/", ordered: false, keys: ["user"], whole: "", source: "presence.GetPresence" },
    Typing: { stream: "presence/c/", ordered: false, keys: ["conversation", "user"], whole: "", source: "" },
    OwnPresence: { stream: "presence/u/", ordered: false, keys: [], whole: "", source: "presence.GetOwnPresence" },
};

/**
 * The kinds of which a client holds one state for each key. The others that it holds are messages, and what is in the
 * row of a conversation.
 */
export const keyedKinds = [
    "Profile",
    "Block",
    "RequestCount",
    "Reminder",
    "Decision",
    "Event",
    "Suggestion",
] as const;

/** A kind of which a client holds one state for each key. */
export type KeyedKind = (typeof keyedKinds)[number];

/** The kinds with positions that this version knows, by how the names of their streams begin. */
export const streamKinds: { readonly [prefix: string]: string } = {
    "conversations/u/": "Block Conversation Profile RequestCount",
    "entities/u/": "Decision Event EventCounts Reminder Suggestion",
    "messaging/c/": "Message Reactions",
    "messaging/u/": "InboxState MessageState",
};

/** The fields of the replies to each Sync that hold states, with their kinds. */
export const syncStates: { readonly [method: string]: readonly (readonly [string, Kind])[] } = {
    "conversations.Sync": [["conversations", "Conversation"], ["requests", "RequestCount"], ["profile", "Profile"]],
    "entities.Sync": [["reminders", "Reminder"], ["decisions", "Decision"], ["events", "Event"], ["suggestions", "Suggestion"]],
    "messaging.Sync": [["message_states", "MessageState"]],
};
