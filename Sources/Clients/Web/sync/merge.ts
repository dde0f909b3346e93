import { create } from "../protocol/codec";
import type {
    Conversation, ConversationSection, Event, InboxEntry, InboxState, Message, MessageState, ReadCount, Receipt,
} from "../protocol/generated/messages";
import type { KeyedKind, States } from "../protocol/generated/states";
import { keyedKinds, streamKinds } from "../protocol/generated/states";
import type { Content, KeyedContent } from "../protocol/states";
import { isKeyed, stateKey } from "../protocol/states";
import {
    fromReply, mergeEventCounts, mergeMessage, mergeMessageState, mergeReactions, mergeReceipt, mergeThread,
    withoutEmptyOwn,
} from "./message";
import type { ConversationRecord, StoredStream, SyncChange } from "./types";
import { cellOf, isIn, prefixOf, serviceOf } from "./types";
import { lastSeq } from "./unread";

/**
 * What a client stores, as rows that merging reads and changes: in memory, or what a transaction of a database has read
 * and will write. Rows have no rules: `merge` has them all, those of proto/REFERENCE.md. Nothing that was returned or
 * put is changed in place.
 */
export interface MergedRows {
    /** My user id. */
    readonly me: string;

    // Conversations
    /** What is stored of a conversation apart from its messages, which may be nothing. */
    row(conversation: string): ConversationRow;
    putRow(row: ConversationRow): void;
    /** The ids of all conversations that have a row. */
    conversations(): Iterable<string>;
    receipt(conversation: string, user: string): Receipt | undefined;
    putReceipt(receipt: Receipt): void;
    putReadCount(count: ReadCount): void;
    /** Removes the receipts and the read counts of a conversation. */
    removeReceipts(conversation: string): void;

    // Messages
    /** A message. It is asked for before my state of it that came early. */
    message(conversation: string, seq: number): Message | undefined;
    /** The messages of a thread, with the first one. */
    thread(conversation: string, first: number): readonly Message[];
    /** The messages that I starred. */
    starred(): readonly Message[];
    /** @param isNew whether none is stored with this seq. */
    putMessage(message: Message, isNew: boolean): void;
    /** Removes the messages of a conversation up to a seq, and the early states. */
    removeMessages(conversation: string, upTo: number): void;
    /** Stores my state of a message that is not stored yet. */
    putEarly(state: MessageState): void;
    /** Removes and returns my state of a message that was not stored. */
    takeEarlyState(conversation: string, seq: number): MessageState | undefined;
    /** Removes the early states, except of these conversations. */
    removeEarlyStates(exceptOf: ReadonlySet<string>): void;

    // Other states
    putState<K extends KeyedKind>(kind: K, key: string, state: States[K]): void;
    removeState(kind: KeyedKind, key: string): void;
    removeStates(kind: KeyedKind): void;
    event(id: string): Event | undefined;

    // Streams
    putStream(stream: StoredStream): void;
    forgetStream(name: string): void;
}

/** What is stored of a conversation, apart from its messages. */
export interface ConversationRow {
    readonly id: string;
    readonly conversation?: Conversation;
    readonly inboxState?: InboxState;
    /** What the inbox last said of it. */
    readonly entry?: InboxEntry;
    /** What the sync machine must remember. */
    readonly record?: ConversationRecord;
    /** Of the newest messages that are held without a gap, those before this seq were removed to save room. */
    readonly keptFrom: number;
}

/** The section of a conversation, as far as is known. */
export function sectionOf(row: ConversationRow): ConversationSection {
    return row.conversation?.section ?? row.entry?.section ?? "CONVERSATION_SECTION_UNSPECIFIED";
}

/** Whether nothing is held of a state any longer. */
export function hasEnded(content: KeyedContent): boolean {
    switch (content.kind) {
        case "Block":
            return !content.state.blocked;
        case "Reminder":
        case "Decision":
        case "Event":
            return content.state.deleted_at_us !== 0;
        case "Suggestion":
            return content.state.state !== "SUGGESTION_STATE_OPEN";
        default:
            return false;
    }
}

/**
 * Makes a change. It costs the same however much is stored, apart from the messages of a thread and from changes that
 * drop many.
 */
export function merge(rows: MergedRows, change: SyncChange): void {
    switch (change.type) {
        case "put":
            return put(rows, change.content);
        case "message": {
            const isUpdate = change.from === "update";
            return putMessage(rows, isUpdate ? change.message : fromReply(change.message), isUpdate);
        }
        case "reactions": {
            const message = rows.message(change.reactions.conversation, change.reactions.seq);
            return message && keep(rows, mergeReactions(message, change.reactions, rows.me), false);
        }
        case "messageState": {
            const message = rows.message(change.state.conversation, change.state.seq);
            return message ? keep(rows, mergeMessageState(message, change.state), false) : rows.putEarly(change.state);
        }
        case "inboxState":
            return alter(rows, change.state.conversation, { inboxState: change.state });
        case "receipt": {
            const held = rows.receipt(change.receipt.conversation, change.receipt.user);
            return rows.putReceipt(held ? mergeReceipt(held, change.receipt) : change.receipt);
        }
        case "readCount":
            return rows.putReadCount(change.count);
        case "inboxEntry":
            return alter(rows, change.entry.conversation, { entry: change.entry });
        case "blocks":
            rows.removeStates("Block");
            for (const state of change.blocks) rows.putState("Block", stateKey({ kind: "Block", state }), state);
            return;
        case "clear":
            return rows.removeMessages(change.conversation, change.upTo);
        case "dropMessages":
            return rows.removeMessages(change.conversation, lastSeq);
        case "dropConversation":
            return drop(rows, change.conversation);
        case "startOver":
            return startOver(rows, change.stream);
        case "stream":
            return rows.putStream(change.stream);
        case "forgetStream":
            return rows.forgetStream(change.name);
        case "record":
            return alter(rows, change.record.id, { record: change.record });
    }
}

type Part = { [Name in keyof ConversationRow]?: ConversationRow[Name] | undefined };

/** Changes parts of a row; undefined removes one. */
function alter(rows: MergedRows, conversation: string, parts: Part): void {
    const row: Part = { ...rows.row(conversation), ...parts };
    for (const name of Object.keys(row) as (keyof Part)[]) if (row[name] === undefined) delete row[name];
    rows.putRow(row as ConversationRow);
}

function put(rows: MergedRows, content: Content): void {
    if (content.kind === "Conversation") return alter(rows, content.state.id, { conversation: content.state });
    if (content.kind === "EventCounts") {
        // An event that has ended here has none.
        const event = rows.event(content.state.id);
        if (event) rows.putState("Event", event.id, mergeEventCounts(event, content.state));
        return;
    }
    // The other kinds have changes of their own, or are not stored.
    if (!isKeyed(content)) return;
    if (hasEnded(content)) rows.removeState(content.kind, stateKey(content));
    else rows.putState(content.kind, stateKey(content), content.state);
}

// ---------------------------------------------------------------- messages

function putMessage(rows: MergedRows, message: Message, isUpdate: boolean): void {
    const { conversation, seq } = message;
    const before = rows.message(conversation, seq);
    const early = rows.takeEarlyState(conversation, seq);
    let merged = message;
    if (before) merged = mergeMessage(before, message);
    else if (isUpdate && early) merged = mergeMessageState(message, early);
    keep(rows, merged, before === undefined);
    if (message.system?.kind === "RETENTION_CHANGED") noteRetention(rows, message);
    if (message.thread || message.thread_seq !== 0) putThread(rows, conversation, message.thread_seq || seq);
}

function keep(rows: MergedRows, message: Message, isNew: boolean): void {
    rows.putMessage(withoutEmptyOwn(message), isNew);
}

/** Takes how long messages stay from a system message that is newer than the inbox entry. */
function noteRetention(rows: MergedRows, message: Message): void {
    const entry = rows.row(message.conversation).entry ?? create("InboxEntry", { conversation: message.conversation });
    if (message.seq <= entry.last_seq) return;
    const retention_seconds = message.system?.seconds ?? 0;
    alter(rows, message.conversation, { entry: { ...entry, last_seq: message.seq, retention_seconds } });
}

/** Puts the newest state of a thread into all its messages. */
function putThread(rows: MergedRows, conversation: string, first: number): void {
    const messages = rows.thread(conversation, first);
    let latest = messages[0]?.thread;
    for (const { thread } of messages) if (thread && thread.position > (latest?.position ?? 0)) latest = thread;
    if (!latest) return;
    for (const message of messages) {
        if ((message.thread?.position ?? 0) < latest.position) keep(rows, mergeThread(message, latest), false);
    }
}

// ---------------------------------------------------------------- dropping

function drop(rows: MergedRows, conversation: string): void {
    rows.removeMessages(conversation, lastSeq);
    alter(rows, conversation, { conversation: undefined, inboxState: undefined, entry: undefined });
    rows.removeReceipts(conversation);
}

function startOver(rows: MergedRows, stream: string): void {
    const kinds = (streamKinds[prefixOf(stream)] ?? "").split(" ");
    for (const kind of keyedKinds) if (kinds.includes(kind)) rows.removeStates(kind);
    if (serviceOf(stream) === "conversations") {
        for (const id of [...rows.conversations()]) {
            if (rows.row(id).conversation) alter(rows, id, { conversation: undefined });
        }
    } else if (serviceOf(stream) === "messaging") forgetOwnStates(rows, cellOf(stream));
}

/**
 * Forgets my states of a cell's conversations, how far others have read them, and my stars there, which are read
 * again. Hidden messages stay without content.
 */
function forgetOwnStates(rows: MergedRows, cell: string): void {
    const others = new Set<string>();
    for (const id of [...rows.conversations()]) {
        const row = rows.row(id);
        if (row.record && !isIn(row.record, cell)) {
            others.add(id);
            continue;
        }
        rows.removeReceipts(id);
        if (row.inboxState || row.entry) alter(rows, id, { inboxState: undefined, entry: undefined });
    }
    rows.removeEarlyStates(others);
    for (const message of rows.starred()) {
        if (others.has(message.conversation) || !message.own) continue;
        keep(rows, { ...message, own: { ...message.own, starred: false } }, false);
    }
}
