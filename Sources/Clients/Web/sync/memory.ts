import type { Event, Message, MessageState, ReadCount, Receipt } from "../protocol/generated/messages";
import type { KeyedKind, States } from "../protocol/generated/states";
import type { Content, KeyedContent } from "../protocol/states";
import type { ConversationRow, MergedRows } from "./merge";
import { merge, sectionOf } from "./merge";
import type { ConversationRecord, StoredStream, SyncChange } from "./types";
import type { Badge, UnreadCount } from "./unread";
import { addToBadge, blankBasis, countsAbove, countUnread, isArchived, lastSeq } from "./unread";

/** Returns what a map has for a key, and puts it there first if it has nothing. */
function at<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
    let value = map.get(key);
    if (value === undefined) map.set(key, (value = make()));
    return value;
}

/** What a client stores, in memory: the reference for a database that does the same. */
export class SyncMemory implements MergedRows {
    readonly rows = new Map<string, ConversationRow>();
    readonly messages = new Map<string, Map<number, Message>>();
    /** The seqs of each thread's messages, by the seq of the first one. */
    private readonly threads = new Map<string, Map<number, Set<number>>>();
    private readonly early = new Map<string, Map<number, MessageState>>();
    readonly states = new Map<KeyedKind, Map<string, KeyedContent>>();
    readonly receipts = new Map<string, Map<string, Receipt>>();
    readonly readCounts = new Map<string, Map<number, ReadCount>>();
    readonly streams = new Map<string, StoredStream>();

    /** @param me my user id. */
    constructor(public me = "") {}

    /** Makes a change. */
    apply(change: SyncChange): void {
        merge(this, change);
    }

    /** What the sync machine remembers of conversations. */
    get records(): ConversationRecord[] {
        return [...this.rows.values()].flatMap((row) => row.record ?? []);
    }

    // Unread

    /** Returns how many messages of a conversation are unread. */
    unread(conversation: string, nowUs: number): UnreadCount {
        const basis = this.row(conversation).record?.unread ?? blankBasis();
        const above = countsAbove(basis);
        const held = [...(this.messages.get(conversation) ?? new Map<number, Message>()).values()];
        const counted = held.filter((message) => message.seq > above).sort((a, b) => a.seq - b.seq);
        return countUnread(basis, counted, this.me, (user) => this.states.get("Block")?.has(user) ?? false, nowUs);
    }

    /** Returns the numbers for an app's icon. */
    badge(nowUs: number): Badge {
        const badge = { badge: 0, conversations: 0, mentions: 0 };
        for (const row of this.rows.values()) {
            if (!row.record) continue;
            const { state } = row.record.unread;
            const archived = isArchived(row.record.newest, state);
            addToBadge(badge, this.unread(row.id, nowUs), state, sectionOf(row), archived, nowUs);
        }
        return badge;
    }

    /** All states that are held. */
    *contents(): Iterable<Content> {
        for (const row of this.rows.values()) {
            if (row.conversation) yield { kind: "Conversation", state: row.conversation };
            if (row.inboxState) yield { kind: "InboxState", state: row.inboxState };
        }
        for (const held of this.messages.values()) {
            for (const state of held.values()) yield { kind: "Message", state };
        }
        for (const held of this.states.values()) yield* held.values();
    }

    // Rows

    row(conversation: string): ConversationRow {
        return this.rows.get(conversation) ?? { id: conversation, keptFrom: 0 };
    }

    putRow(row: ConversationRow): void {
        this.rows.set(row.id, row);
    }

    conversations(): Iterable<string> {
        return this.rows.keys();
    }

    receipt(conversation: string, user: string): Receipt | undefined {
        return this.receipts.get(conversation)?.get(user);
    }

    putReceipt(receipt: Receipt): void {
        at(this.receipts, receipt.conversation, () => new Map<string, Receipt>()).set(receipt.user, receipt);
    }

    putReadCount(count: ReadCount): void {
        at(this.readCounts, count.conversation, () => new Map<number, ReadCount>()).set(count.seq, count);
    }

    removeReceipts(conversation: string): void {
        this.receipts.delete(conversation);
        this.readCounts.delete(conversation);
    }

    message(conversation: string, seq: number): Message | undefined {
        return this.messages.get(conversation)?.get(seq);
    }

    thread(conversation: string, first: number): readonly Message[] {
        const seqs = [...(this.threads.get(conversation)?.get(first) ?? [])];
        return seqs.flatMap((seq) => this.message(conversation, seq) ?? []);
    }

    starred(): readonly Message[] {
        return [...this.messages.values()].flatMap((held) => [...held.values()].filter(({ own }) => own?.starred));
    }

    putMessage(message: Message): void {
        const { conversation, seq, thread_seq } = message;
        at(this.messages, conversation, () => new Map<number, Message>()).set(seq, message);
        if (!message.thread && thread_seq === 0) return;
        const first = thread_seq || seq;
        const threads = at(this.threads, conversation, () => new Map<number, Set<number>>());
        at(threads, first, () => new Set([first])).add(seq);
    }

    removeMessages(conversation: string, upTo: number): void {
        if (upTo === lastSeq) {
            for (const held of [this.messages, this.early, this.threads]) held.delete(conversation);
            return;
        }
        for (const held of [this.messages.get(conversation), this.early.get(conversation)]) {
            for (const seq of [...(held?.keys() ?? [])]) if (seq <= upTo) held?.delete(seq);
        }
    }

    putEarly(state: MessageState): void {
        at(this.early, state.conversation, () => new Map<number, MessageState>()).set(state.seq, state);
    }

    takeEarlyState(conversation: string, seq: number): MessageState | undefined {
        const state = this.early.get(conversation)?.get(seq);
        this.early.get(conversation)?.delete(seq);
        return state;
    }

    removeEarlyStates(exceptOf: ReadonlySet<string>): void {
        for (const id of [...this.early.keys()]) if (!exceptOf.has(id)) this.early.delete(id);
    }

    putState<K extends KeyedKind>(kind: K, key: string, state: States[K]): void {
        const content = { kind, state } as unknown as KeyedContent;
        at(this.states, kind, () => new Map<string, KeyedContent>()).set(key, content);
    }

    removeState(kind: KeyedKind, key: string): void {
        this.states.get(kind)?.delete(key);
    }

    removeStates(kind: KeyedKind): void {
        this.states.delete(kind);
    }

    event(id: string): Event | undefined {
        return this.states.get("Event")?.get(id)?.state as Event | undefined;
    }

    putStream(stream: StoredStream): void {
        this.streams.set(stream.name, stream);
    }

    forgetStream(name: string): void {
        this.streams.delete(name);
    }
}
