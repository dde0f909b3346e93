import { Span, addSpan } from "../api/held";
import { Message as Shown, Receipt as ShownReceipt, messageOf, receiptOf } from "../api/values";
import type { Event, Message, MessageState, ReadCount, Receipt } from "../protocol/generated/messages";
import type { KeyedKind, States } from "../protocol/generated/states";
import { resolved } from "../outbox/item";
import { ConversationRow, MergedRows, merge } from "../sync/merge";
import { StoredStream, SyncChange, serviceOf } from "../sync/types";
import { lastSeq, readUpTo } from "../sync/unread";
import { Rows, heldSpan } from "./rows";
import type { Summary } from "./summary";

/** What a batch of changes makes different for an app, in order. */
export type StoreEffect =
    | { type: "message"; message: Shown }
    | { type: "receipt"; receipt: ShownReceipt; user: string; conversation: string }
    | { type: "readCount"; count: ReadCount }
    /** How far others have read a conversation is not known any longer. */
    | { type: "droppedReceipts"; conversation: string }
    | { type: "cleared"; conversation: string; upTo: number }
    | { type: "droppedMessages"; conversation: string }
    | { type: "dropped"; conversation: string }
    | { type: "summary"; summary: Summary }
    /** Messages before those that come from now on are not stored. */
    | { type: "gap"; conversation: string }
    /** The server has what I did; if that was sending a message, under this number. */
    | { type: "sent"; id: string; message?: string; seq?: number }
    /** States of a kind that has no order. */
    | { type: "states"; kind: KeyedKind };

/** What goes into a store in one transaction. */
export type StoreInput =
    | { type: "change"; change: SyncChange }
    /** Everything that I may read in a range of a conversation's seqs is stored. */
    | { type: "span"; span: Span; conversation: string }
    /** What is stored of a conversation is to be read again. */
    | { type: "forgetSpans"; conversation: string }
    /** The server has something that I did in a lane; if that was sending a message, under this number. */
    | { type: "sent"; id: string; lane: string; message?: string; seq?: number };

const messageKey = (conversation: string, seq: number) => `${conversation} ${seq}`;

/**
 * Applies changes to a store in one transaction, and says what they make different for an app: it first reads all rows
 * that they may need, then merges in memory, then writes. How is the same for every store (`sync/merge.ts`).
 */
export class StoreBatch implements MergedRows {
    private readonly rows = new Map<string, ConversationRow>();
    private allRows: string[] | undefined;
    private readonly messages = new Map<string, Message | undefined>();
    private readonly early = new Map<string, MessageState | undefined>();
    private readonly threads = new Map<string, Set<number>>();
    private readonly receipts = new Map<string, Receipt | undefined>();
    private readonly events = new Map<string, Event | undefined>();
    private readonly stars = new Set<string>();
    /** The keys of all early states. */
    private allEarly: [conversation: string, seq: number][] = [];
    private readonly knownEarly = new Set<string>();
    private readonly changedRows = new Set<string>();
    private readonly changedFacts = new Set<string>();
    /** The conversations with new messages, and how many. */
    readonly stored = new Map<string, number>();
    private readonly effects: StoreEffect[] = [];

    constructor(private readonly store: Rows, readonly me: string) {}

    // MARK: Reading before

    /** Reads all rows that changes may need. */
    async load(inputs: readonly StoreInput[]): Promise<void> {
        // Few states come early, mostly none.
        this.allEarly = await this.store.earlyKeys();
        for (const [conversation, seq] of this.allEarly) this.knownEarly.add(messageKey(conversation, seq));
        const reads: Promise<unknown>[] = [];
        this.loadRuns(inputs, reads);
        for (const input of inputs) {
            if (input.type === "change") this.loadFor(input.change, reads);
            else if (input.type === "span") this.loadRow(input.conversation, reads);
        }
        await Promise.all(reads);
    }

    /** Reads messages that are near each other in one go. */
    private loadRuns(inputs: readonly StoreInput[], reads: Promise<unknown>[]): void {
        const seqs = new Map<string, Set<number>>();
        for (const input of inputs) {
            if (input.type !== "change" || input.change.type !== "message") continue;
            const { conversation, seq } = input.change.message;
            const known = seqs.get(conversation);
            if (known) known.add(seq);
            else seqs.set(conversation, new Set([seq]));
        }
        for (const [conversation, wanted] of seqs) {
            const [first, last] = [Math.min(...wanted), Math.max(...wanted)];
            if (wanted.size < 3 || last - first > 4 * wanted.size) continue;
            for (const seq of wanted) this.messages.set(messageKey(conversation, seq), undefined);
            reads.push(this.store.messages(conversation, [first, last], true, Infinity).then((messages) => {
                for (const message of messages) this.messages.set(messageKey(conversation, message.seq), message);
            }));
        }
    }

    private loadFor(change: SyncChange, reads: Promise<unknown>[]): void {
        switch (change.type) {
            case "put": {
                const { content } = change;
                if (content.kind === "Conversation") this.loadRow(content.state.id, reads);
                if (content.kind === "EventCounts") this.loadEvent(content.state.id, reads);
                break;
            }
            case "message": {
                const { conversation, seq, thread, thread_seq: first } = change.message;
                this.loadMessage(conversation, seq, reads);
                if (thread || first !== 0) this.loadThread(conversation, first || seq, reads);
                break;
            }
            case "reactions":
                this.loadMessage(change.reactions.conversation, change.reactions.seq, reads);
                break;
            case "messageState":
                this.loadMessage(change.state.conversation, change.state.seq, reads);
                break;
            case "inboxState": this.loadRow(change.state.conversation, reads); break;
            case "inboxEntry": this.loadRow(change.entry.conversation, reads); break;
            case "record": this.loadRow(change.record.id, reads); break;
            case "receipt": {
                const { conversation, user } = change.receipt;
                this.once(this.receipts, messageKey(conversation, 0) + user, reads,
                    () => this.store.receipt(conversation, user));
                break;
            }
            case "clear":
            case "dropMessages":
            case "dropConversation": this.loadRow(change.conversation, reads); break;
            case "startOver": this.loadAll(change.stream, reads); break;
            default: break;
        }
    }

    private once<T>(
        map: Map<string, T | undefined>, key: string, reads: Promise<unknown>[], read: () => Promise<T | undefined>,
    ): void {
        if (map.has(key)) return;
        map.set(key, undefined);
        reads.push(read().then((found) => map.set(key, found)));
    }

    private loadRow(id: string, reads: Promise<unknown>[]): void {
        if (this.rows.has(id)) return;
        this.rows.set(id, { id, keptFrom: 0 });
        reads.push(this.store.row(id).then((row) => row && this.rows.set(id, row)));
    }

    private loadMessage(conversation: string, seq: number, reads: Promise<unknown>[]): void {
        this.loadRow(conversation, reads);
        const key = messageKey(conversation, seq);
        this.once(this.messages, key, reads, () => this.store.message(conversation, seq));
        if (this.knownEarly.has(key)) this.once(this.early, key, reads, () => this.store.early(conversation, seq));
    }

    private loadThread(conversation: string, first: number, reads: Promise<unknown>[]): void {
        const key = messageKey(conversation, first);
        if (this.threads.has(key)) return;
        const seqs = new Set([first]);
        this.threads.set(key, seqs);
        this.loadMessage(conversation, first, reads);
        reads.push(this.store.thread(conversation, first).then((messages) => {
            for (const message of messages) {
                seqs.add(message.seq);
                this.messages.set(messageKey(conversation, message.seq), message);
            }
        }));
    }

    private loadEvent(id: string, reads: Promise<unknown>[]): void {
        this.once(this.events, id, reads, async () => (await this.store.state("Event", id)) as Event | undefined);
    }

    private loadAll(stream: string, reads: Promise<unknown>[]): void {
        if (!this.allRows) {
            this.allRows = [];
            reads.push(this.store.rows().then((rows) => {
                for (const row of rows) this.rows.set(row.id, row);
                this.allRows = rows.map((row) => row.id);
            }));
        }
        if (serviceOf(stream) !== "messaging") return;
        reads.push(this.store.starred().then((messages) => {
            for (const message of messages) {
                const key = messageKey(message.conversation, message.seq);
                this.messages.set(key, message);
                this.stars.add(key);
            }
        }));
    }

    // MARK: Applying

    apply(input: StoreInput): void {
        switch (input.type) {
            case "change": return this.applyChange(input.change);
            case "span": this.spans.push([input.conversation, input.span]); return;
            case "forgetSpans": this.spans.push([input.conversation, noSpan]); return;
            case "sent": this.sent.push(input); return;
        }
    }

    private readonly spans: [conversation: string, span: Span][] = [];
    private readonly sent: Extract<StoreInput, { type: "sent" }>[] = [];

    private applyChange(change: SyncChange): void {
        merge(this, change);
        switch (change.type) {
            case "clear":
                this.effects.push({ type: "cleared", conversation: change.conversation, upTo: change.upTo });
                break;
            case "dropMessages":
                this.effects.push({ type: "droppedMessages", conversation: change.conversation });
                break;
            case "dropConversation":
                this.effects.push({ type: "droppedMessages", conversation: change.conversation },
                    { type: "dropped", conversation: change.conversation });
                break;
            default: break;
        }
    }

    // MARK: Rows, as merging sees them

    row(id: string): ConversationRow {
        const row = this.rows.get(id);
        if (!row) throw new Error(`The row of ${id} was not read before merging.`);
        return row;
    }

    putRow(put: ConversationRow): void {
        const before = this.row(put.id);
        let row = put;
        if (row.keptFrom === lastSeq && row.record !== before.record) row = { ...row, keptFrom: 0 };
        // What was held until now stays stored.
        const [held, now] = [heldSpan(before), heldSpan(row)];
        if (held && !(now && now[0] <= held[0] && held[0] <= now[1])) this.spans.push([row.id, held]);
        this.rows.set(row.id, row);
        this.changedRows.add(row.id);
        if (row.conversation !== before.conversation) this.changedFacts.add(row.id);
        const first = row.record?.unread.heldFrom ?? null;
        const last = before.record?.unread.heldTo ?? 0;
        // What came meanwhile is read when somebody looks at it.
        if (first !== null && first !== before.record?.unread.heldFrom && first > last + 1) {
            this.effects.push({ type: "gap", conversation: row.id });
        }
    }

    conversations(): Iterable<string> {
        if (!this.allRows) throw new Error("The rows of all conversations were not read before merging.");
        return new Set([...this.allRows, ...this.rows.keys()]);
    }

    message(conversation: string, seq: number): Message | undefined {
        const key = messageKey(conversation, seq);
        if (!this.messages.has(key)) throw new Error(`The message ${key} was not read before merging.`);
        return this.messages.get(key);
    }

    thread(conversation: string, first: number): readonly Message[] {
        const seqs = this.threads.get(messageKey(conversation, first)) ?? new Set([first]);
        return [...seqs].sort((one, other) => one - other).flatMap((seq) => this.message(conversation, seq) ?? []);
    }

    starred(): readonly Message[] {
        return [...this.stars].flatMap((key) => this.messages.get(key) ?? []);
    }

    putMessage(message: Message, isNew: boolean): void {
        const { conversation, seq } = message;
        const key = messageKey(conversation, seq);
        this.messages.set(key, message);
        if (message.own?.starred) this.stars.add(key);
        else this.stars.delete(key);
        if (message.thread || message.thread_seq !== 0) {
            const first = messageKey(conversation, message.thread_seq || seq);
            this.threads.get(first)?.add(seq);
        }
        if (isNew) this.stored.set(conversation, (this.stored.get(conversation) ?? 0) + 1);
        this.store.putMessage(message, this.me);
        this.changedRows.add(conversation);
        this.effects.push({ type: "message", message: messageOf(message) });
    }

    removeMessages(conversation: string, upTo: number): void {
        this.store.removeMessages(conversation, upTo);
        for (const map of [this.messages, this.early] as Map<string, unknown>[]) {
            for (const key of map.keys()) {
                const [id, seq] = key.split(" ");
                if (id === conversation && Number(seq) <= upTo) {
                    map.set(key, undefined);
                    this.stars.delete(key);
                }
            }
        }
        this.changedRows.add(conversation);
        if (upTo !== lastSeq) return;
        this.spans.push([conversation, noSpan]);
        // What the record says is held is gone, until the next one.
        this.rows.set(conversation, { ...this.row(conversation), keptFrom: lastSeq });
    }

    putEarly(state: MessageState): void {
        this.early.set(messageKey(state.conversation, state.seq), state);
        this.allEarly.push([state.conversation, state.seq]);
        this.store.putEarly(state);
    }

    takeEarlyState(conversation: string, seq: number): MessageState | undefined {
        const key = messageKey(conversation, seq);
        const state = this.early.get(key);
        if (!state) return undefined;
        this.early.set(key, undefined);
        this.store.removeEarly(conversation, seq);
        return state;
    }

    removeEarlyStates(exceptOf: ReadonlySet<string>): void {
        for (const key of this.early.keys()) {
            if (!exceptOf.has(key.split(" ")[0]!)) this.early.set(key, undefined);
        }
        for (const [conversation, seq] of this.allEarly) {
            if (!exceptOf.has(conversation)) this.store.removeEarly(conversation, seq);
        }
    }

    receipt(conversation: string, user: string): Receipt | undefined {
        return this.receipts.get(messageKey(conversation, 0) + user);
    }

    putReceipt(receipt: Receipt): void {
        const { conversation, user } = receipt;
        this.receipts.set(messageKey(conversation, 0) + user, receipt);
        this.store.putReceipt(receipt);
        this.effects.push({ type: "receipt", receipt: receiptOf(receipt), user, conversation });
    }

    putReadCount(count: ReadCount): void {
        this.store.putReadCount(count);
        this.effects.push({ type: "readCount", count });
    }

    removeReceipts(conversation: string): void {
        this.store.removeReceipts(conversation);
        this.effects.push({ type: "droppedReceipts", conversation });
        for (const key of this.receipts.keys()) {
            if (key.startsWith(messageKey(conversation, 0))) this.receipts.set(key, undefined);
        }
    }

    putState<K extends KeyedKind>(kind: K, key: string, state: States[K]): void {
        if (kind === "Event") this.events.set(key, state as Event);
        this.store.putState(kind, key, state);
        this.effects.push({ type: "states", kind });
    }

    removeState(kind: KeyedKind, key: string): void {
        if (kind === "Event") this.events.set(key, undefined);
        this.store.removeState(kind, key);
        this.effects.push({ type: "states", kind });
    }

    removeStates(kind: KeyedKind): void {
        if (kind === "Event") for (const key of this.events.keys()) this.events.set(key, undefined);
        this.store.removeStates(kind);
        this.effects.push({ type: "states", kind });
    }

    event(id: string): Event | undefined {
        return this.events.get(id);
    }

    putStream(stream: StoredStream): void {
        this.store.putStream(stream);
    }

    forgetStream(name: string): void {
        this.store.forgetStream(name);
    }

    // MARK: The end

    /**
     * Writes what was changed, trims, and returns what is different for an app.
     * @param trims which conversations to shorten, to how many messages.
     */
    async finish(nowUs: number, trims: ReadonlyMap<string, number> = new Map()): Promise<StoreEffect[]> {
        if (this.effects.some((effect) => effect.type === "states" && effect.kind === "Block")) await this.touchUnread();
        await this.putSpans();
        for (const item of this.sent) await this.finishSent(item);
        const summaries = await Promise.all([...this.changedRows].sort().map(async (id) => {
            let row = this.row(id);
            const count = trims.get(id);
            if (count !== undefined) row = await this.trim(row, count);
            const summary = await this.store.putRow(row, this.me, nowUs);
            return this.changedFacts.has(id) ? summary : { ...summary, facts: undefined };
        }));
        for (const summary of summaries) this.effects.push({ type: "summary", summary });
        return this.effects;
    }

    /** Counts the unread messages of all conversations anew: mentions by people whom I block do not count. */
    private async touchUnread(): Promise<void> {
        for (const row of await this.store.rows()) {
            if (!this.rows.has(row.id)) this.rows.set(row.id, row);
            this.changedRows.add(row.id);
        }
    }

    private async putSpans(): Promise<void> {
        const known = new Map<string, Span[]>();
        for (const [conversation, span] of this.spans) {
            const before = known.get(conversation) ?? (await this.store.otherSpans(conversation));
            known.set(conversation, span === noSpan ? [] : addSpan(before, span));
        }
        for (const [conversation, spans] of known) this.store.putSpans(spans, conversation);
    }

    /** Removes what the server has. What is about the message that it was learns its number. */
    private async finishSent({ id, lane, message, seq }: Extract<StoreInput, { type: "sent" }>): Promise<void> {
        this.store.removeUnsent(id);
        if (message !== undefined && seq !== undefined) {
            // It may have been stored before this start, and is shown as unsent since then.
            const stored = await this.store.message(lane, seq);
            if (stored?.id === message) this.effects.push({ type: "message", message: messageOf(stored) });
            for (const item of await this.store.unsent()) {
                if (item.id !== id && item.target === message) this.store.putUnsent(resolved(item, seq));
            }
        }
        this.effects.push({ type: "sent", id, message, seq });
    }

    private async trim(row: ConversationRow, count: number): Promise<ConversationRow> {
        const read = row.record ? readUpTo(row.record.unread) : 0;
        const first = await this.store.trim(row.id, count, read);
        if (first === undefined) return row;
        const spans = await this.store.otherSpans(row.id);
        this.store.putSpans(spans.filter((span) => span[1] >= first)
            .map((span): Span => [Math.max(span[0], first), span[1]]), row.id);
        return { ...row, keptFrom: Math.max(row.keptFrom, first) };
    }
}

/** Says that no range is stored any longer. */
const noSpan: Span = [0, -1];
