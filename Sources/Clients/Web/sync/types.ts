import type { Given } from "../protocol/codec";
import type {
    Block, Conversation, ConversationSection, InboxEntry, InboxState, Message, Messages, MessageState, OwnPresence,
    PresenceState, Reactions, ReadCount, Receipt,
} from "../protocol/generated/messages";
import type { Method, Methods } from "../protocol/generated/methods";
import type { Content } from "../protocol/states";
import type { Newest, UnreadBasis } from "./unread";
import { blankBasis } from "./unread";

/** What a SyncMachine tells its shell to do, in this order. All of it are plain values. */
export type SyncAction =
    /** Change what is stored. All changes of one input belong into one transaction. */
    | { readonly type: "store"; readonly change: SyncChange }
    /** Make a request. It may be made before the changes are stored, but answered only afterwards. */
    | { readonly type: "ask"; readonly question: SyncQuestion }
    /** Tell the app something that is not stored. */
    | { readonly type: "tell"; readonly news: SyncNews }
    /** Call `woke` at this time. It replaces the time set before; waking early does no harm. */
    | { readonly type: "wake"; readonly at: number };

/** A change of what a client stores, in memory or in a database: merge.ts has the rules for both. */
export type SyncChange =
    /** A state takes the place of the one with the same key. It is of a kind without a rule of its own. */
    | { readonly type: "put"; readonly content: Content }
    /** A message, new or changed: merge it into the one stored. */
    | { readonly type: "message"; readonly message: Message; readonly from: SyncSource }
    /** Reactions to a stored message. */
    | { readonly type: "reactions"; readonly reactions: Reactions }
    /** My state of a message, which may come before the message: keep it until then. */
    | { readonly type: "messageState"; readonly state: MessageState }
    /** My state of a conversation, which is newer than the stored one. */
    | { readonly type: "inboxState"; readonly state: InboxState }
    /** How far someone has read. */
    | { readonly type: "receipt"; readonly receipt: Receipt }
    /** How many have read a message of mine. */
    | { readonly type: "readCount"; readonly count: ReadCount }
    /** What the inbox says of a conversation, apart from its state: the newest seq, retention. */
    | { readonly type: "inboxEntry"; readonly entry: InboxEntry }
    /** All people whom I block. */
    | { readonly type: "blocks"; readonly blocks: readonly Block[] }
    /** Drops my messages of a conversation up to a seq, which I cleared. */
    | { readonly type: "clear"; readonly conversation: string; readonly upTo: number }
    /** Drops all messages of a conversation. They are read again, if I may read them. */
    | { readonly type: "dropMessages"; readonly conversation: string }
    /** Drops a conversation that is gone, with its messages and my state of it. */
    | { readonly type: "dropConversation"; readonly conversation: string }
    /**
     * Drops the states of a stream's kinds, which are read again; of one of messaging's, those of the conversations in
     * its cell or in one not known.
     */
    | { readonly type: "startOver"; readonly stream: string }
    /** What the machine must remember of a stream. */
    | { readonly type: "stream"; readonly stream: StoredStream }
    /** A stream is no longer followed. */
    | { readonly type: "forgetStream"; readonly name: string }
    /** What the machine must remember of a conversation. */
    | { readonly type: "record"; readonly record: ConversationRecord };

/**
 * Where a state of a message comes from: an Update, which does not say what my own state of the message is, or a reply,
 * which does: without `own` there is none.
 */
export type SyncSource = "update" | "reply";

/** News for an app that is not stored. */
export type SyncNews =
    /** The messages of a conversation were dropped: the server was restored, or no longer has the changes. */
    | { readonly type: "startedOver"; readonly conversation: string }
    /** A conversation is gone: declined, withdrawn, or not mine any longer. */
    | { readonly type: "gone"; readonly conversation: Conversation }
    /** The server was restored and no longer has this conversation. */
    | { readonly type: "lost"; readonly conversation: string }
    | { readonly type: "presence"; readonly state: PresenceState }
    /** Who is typing in a conversation now: everyone's user id. */
    | { readonly type: "typing"; readonly conversation: string; readonly users: readonly string[] }
    /** What I say of myself on all devices. */
    | { readonly type: "ownPresence"; readonly state: OwnPresence }
    /** All Updates missed between sessions are stored. */
    | { readonly type: "synced" };

/** What a machine remembers of a stream between starts. */
export interface StoredStream {
    /** "messaging/c/CONVERSATION", "conversations/u/ME" … */
    readonly name: string;
    /** All changes up to it are stored. */
    position: number;
    /** The epoch of the position; empty: not known, so the stream is read from its beginning. */
    epoch: string;
    /** Of a stream of messaging's own states, where its next Sync begins. */
    cursor: string;
    /** Whether later changes are known to be missing. */
    isBehind: boolean;
    /** The kinds of its Updates that were known when it was read, with spaces between them; null: those known now. */
    kinds: string | null;
}

/** What a machine remembers of a conversation between starts. */
export interface ConversationRecord {
    readonly id: string;
    /** The position of its newest Conversation; 0: none is known. */
    position: number;
    section: ConversationSection;
    /** Whether I have left it. */
    hasLeft: boolean;
    /** Whether I had left it before, or it was gone. */
    wasLost: boolean;
    /** The cell of messaging that it is in; empty: not known. */
    cell: string;
    /** What the count of unread messages starts from. */
    unread: UnreadBasis;
    /** The newest message that is known. */
    newest: Newest;
}

/** A request that a SyncMachine wants made. The shell answers with `replied` or `failed`, once. */
export interface SyncQuestion {
    readonly number: number;
    readonly request: SyncRequest;
}

interface Asked<M extends Method> {
    readonly method: M;
    readonly key: string;
    readonly request: Given<Methods[M]["request"]>;
}

/** What a SyncMachine requests. Where it sets no `limit`, pages may be of any size. */
export type SyncRequest = { [M in SyncMethod]: Asked<M> }[SyncMethod];

/** The methods of a SyncMachine's requests. */
export type SyncMethod =
    | "conversations.Sync" | "entities.Sync" | "messaging.Sync" | "messaging.GetChanges" | "messaging.GetHistory"
    | "messaging.UpdateMarks" | "messaging.ListReceipts" | "conversations.ListBlocked";

/** The reply to a SyncRequest. */
export type SyncReply = Methods[SyncMethod]["reply"];

/** The states of a reply, by their fields. */
export type Reply<M extends keyof Messages> = Messages[M];

export function newStream(name: string): StoredStream {
    return { name, position: 0, epoch: "", cursor: "", isBehind: false, kinds: null };
}

export function newRecord(id: string): ConversationRecord {
    return {
        id, position: 0, section: "CONVERSATION_SECTION_UNSPECIFIED", hasLeft: false, wasLost: false, cell: "",
        unread: blankBasis(), newest: { seq: 0, sentAtUs: 0 },
    };
}

const messages = "messaging/c/";

/** The name of the stream of a conversation's messages. */
export function messageStream(conversation: string): string {
    return messages + conversation;
}

/** The conversation of a stream of messages; null for all others. */
export function conversationOf(stream: string): string | null {
    return stream.startsWith(messages) ? stream.slice(messages.length) : null;
}

/** The first part of a stream's name. */
export function serviceOf(stream: string): string {
    return stream.split("/", 1)[0]!;
}

/** How a stream's name begins: the service, and whose or of what it is. */
export function prefixOf(stream: string): string {
    return /^[^/]*\/[^/]*\//.exec(stream)?.[0] ?? stream;
}

/** Of a stream of messaging's own states, the cell; empty for all others. */
export function cellOf(stream: string): string {
    return stream.startsWith("messaging/u/") ? stream.slice(stream.lastIndexOf("/") + 1) : "";
}

/** Whether a conversation is in a cell, or may be. */
export function isIn(record: ConversationRecord, cell: string): boolean {
    return record.cell === "" || record.cell === cell;
}

/** Whether a conversation is mine now. */
export function isMine(record: ConversationRecord): boolean {
    return record.position !== 0 && record.section !== "GONE" && !record.hasLeft;
}
