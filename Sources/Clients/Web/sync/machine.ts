import type { Block, Message, Typing, Update } from "../protocol/generated/messages";
import type { ParleyError } from "../protocol/errors";
import type { Content } from "../protocol/states";
import { content } from "../protocol/states";
import type { Asked } from "./asking";
import { about, least, parts, SyncAsking } from "./asking";
import { isDormant, look, Looking, readReceipts } from "./looking";
import type { SyncOptions } from "./options";
import { syncOptions } from "./options";
import * as receiving from "./receiving";
import * as replies from "./replies";
import { SyncStream } from "./stream";
import type {
    ConversationRecord, StoredStream, SyncAction, SyncChange, SyncNews, SyncReply, SyncRequest,
} from "./types";
import { conversationOf, isMine, messageStream, newRecord, newStream, prefixOf, serviceOf } from "./types";
import { SyncTyping } from "./typing";

/**
 * Keeps what a client holds equal to what the server has: the rules of proto/REFERENCE.md ("Updates" to "Unread"). It
 * does no I/O and holds no message: it remembers where each stream stands, takes what arrives, and returns what to
 * store and what to request.
 *
 *     const machine = new SyncMachine(streams, records);          // as stored by the changes "stream" and "record"
 *     perform(machine.connected(welcome.user, welcome.cells, now));
 *     perform(machine.received(update, now));                      // each Update
 *     perform(machine.replied(question.number, reply, now));
 *     perform(machine.woke(now));                                  // at the time of the action "wake"
 *
 * Time, in milliseconds of any clock that only goes forward, decides when to request and nothing else. An Update costs
 * the same however much is held; a page of a reply costs its own length. What is held of a stream's later Updates, and
 * how many requests are under way, is bounded.
 */
export class SyncMachine {
    readonly options: SyncOptions;
    /** My user id; empty before the first session. */
    me = "";

    // The following is of this folder: receiving.ts and replies.ts are parts of the machine.
    readonly streams = new Map<string, SyncStream>();
    readonly records = new Map<string, ConversationRecord>();
    /** Streams with Updates that wait for earlier ones. */
    readonly gaps = new Set<string>();
    /** When the next missing Updates are requested, or earlier; null: none are missing. */
    nextDue: number | null = null;
    readonly asking: SyncAsking;
    /** My streams that the current session has not synced yet. */
    readonly unsynced = new Set<string>();
    /** The cells of messaging. I have a stream in each. */
    cells: readonly string[] = [];
    /** Conversations that a Sync from the beginning has not returned yet; null: none is under way. */
    unseen: Set<string> | null = null;
    /** The pages of ListBlocked read so far. */
    blocks: Block[] = [];
    blocksCursor = "";
    /** Whether the blocks changed, as some page of the current Sync said. */
    blocksChanged = false;
    /** Conversations of which to request my inbox state. */
    readonly uncounted = new Set<string>();
    /** What is remembered of conversations that somebody looks at. */
    readonly looking = new Looking();
    private readonly typists = new SyncTyping();
    isConnected = false;
    private hasSynced = false;
    private wakesAt: number | null = null;

    // What the current input has changed.
    private actions: SyncAction[] = [];
    readonly changedStreams = new Set<string>();
    private readonly changedRecords = new Set<string>();

    /**
     * @param streams those that were stored; none: a new client.
     * @param records those that were stored.
     */
    constructor(
        streams: Iterable<StoredStream> = [], records: Iterable<ConversationRecord> = [],
        options: Partial<SyncOptions> = {}
    ) {
        this.options = { ...syncOptions, ...options };
        this.asking = new SyncAsking(this.options);
        for (const stored of streams) {
            const stream = { ...stored };
            this.streams.set(stream.name, new SyncStream(stream));
            if (this.wasReadWhole(stream)) stream.kinds = null;
            else this.readAnew(stream.name);
            if (serviceOf(stream.name) === "conversations" && stream.isBehind) this.blocksChanged = true;
        }
        for (const record of records) this.records.set(record.id, copy(record));
    }

    // ------------------------------------------------------------ looking

    /** Whether everything that was missed is stored and nothing is known to be missing. */
    get isQuiet(): boolean {
        return this.hasSynced && this.asking.isIdle && this.gaps.size === 0;
    }

    /** Whether all changes of a conversation's messages that the machine knows of are stored. */
    isLevel(conversation: string): boolean {
        const name = messageStream(conversation);
        return !this.gaps.has(name) && !(this.streams.get(name)?.stored.isBehind ?? false);
    }

    /** The position up to which a stream is stored; null: it is not followed. */
    position(stream: string): number | null {
        return this.streams.get(stream)?.stored.position ?? null;
    }

    /** What the machine remembers of a conversation; undefined: it knows nothing of it. */
    record(conversation: string): ConversationRecord | undefined {
        const record = this.records.get(conversation);
        return record && copy(record);
    }

    /** Who is typing: user ids by conversation. */
    get typing(): Record<string, string[]> {
        return Object.fromEntries(this.typists.conversations.map((id) => [id, this.typists.people(id)]));
    }

    // ------------------------------------------------------------ inputs

    /**
     * A session began, and any earlier one has ended: syncs, and holds the Updates that arrive meanwhile.
     * @param user the user id of welcome; empty: not signed in, so nothing can be followed.
     * @param cells the cells of welcome.
     */
    connected(user: string, cells: readonly string[], now: number): SyncAction[] {
        if (user === "") return [];
        if (this.me !== "" && this.me !== user) this.startAnew();
        this.me = user;
        this.isConnected = true;
        this.tellTyping(this.typists.endAll());
        this.asking.forgetAll();
        this.cells = [...cells];
        for (const stream of this.streams.values()) stream.endSession();
        this.unsynced.clear();
        for (const name of [`conversations/u/${user}`, ...this.ownStreams, `entities/u/${user}`]) {
            if (!this.follows(name)) continue;
            if (!this.streams.has(name)) this.streams.set(name, new SyncStream(newStream(name)));
            this.unsynced.add(name);
            this.asking.add(about.stream(name));
        }
        // What an earlier session held may be of another history of the server.
        for (const name of this.gaps) {
            const stream = this.streams.get(name);
            stream?.dropHeld();
            if (stream && conversationOf(name) !== null) stream.stored.isBehind = true;
        }
        this.gaps.clear();
        this.askForWhatLacks();
        return this.finish(now);
    }

    /** Requests what an earlier session or start still lacked. */
    private askForWhatLacks(): void {
        for (const name of [...this.streams.keys()].sort()) {
            if (this.streams.get(name)!.stored.isBehind && !isDormant(this, name)) this.asking.add(about.stream(name));
        }
        if (this.uncounted.size > 0) this.asking.add(about.inboxStates);
        if (this.blocksChanged) this.asking.add(about.blocks);
        this.looking.endSession();
        if (this.looking.last !== undefined) readReceipts(this, this.looking.last);
    }

    /** The session ended: no request is answered any more. */
    disconnected(now: number): SyncAction[] {
        this.isConnected = false;
        this.tellTyping(this.typists.endAll());
        this.asking.forgetAll();
        for (const stream of this.streams.values()) stream.endSession();
        return this.finish(now);
    }

    /** Takes an Update of the current session. */
    received(update: Update, now: number): SyncAction[] {
        // A body that cannot be read is of a newer server: its position counts.
        const state = content(update);
        if (update.position > 0) receiving.receive(this, state, update.stream, update.position, now);
        else if (state) receiving.applyUnordered(this, state, now);
        return this.finish(now);
    }

    /** Takes the state in a reply to a request of the app's own, whose Update does not come to this session. */
    learned(state: Content, now: number): SyncAction[] {
        receiving.learn(this, state, now);
        return this.finish(now);
    }

    /**
     * Notes that a request of the app's own got no reply, or an incomplete one: it may have changed a stream.
     * @param conversation the conversation whose messages may have changed; null: my own state.
     */
    unsure(conversation: string | null, now: number): SyncAction[] {
        const name = conversation === null ? null : messageStream(conversation);
        const names = name === null ? this.ownStreams : this.streams.has(name) ? [name] : this.ownStreams;
        for (const each of names) this.asking.retry(about.stream(each), now + this.options.retryFirst);
        return this.finish(now);
    }

    /** The time of the action "wake" has come. */
    woke(now: number): SyncAction[] {
        // A timer may be early: then it is set again.
        this.wakesAt = null;
        if (this.nextDue !== null && this.nextDue <= now) {
            for (const name of [...this.gaps].sort()) {
                const stream = this.streams.get(name);
                if (!stream || stream.dueAt === null || stream.dueAt > now) continue;
                stream.dueAt = null;
                this.asking.add(about.stream(name));
            }
            this.nextDue = least([...this.gaps].flatMap((name) => this.streams.get(name)?.dueAt ?? []));
        }
        return this.finish(now);
    }

    /** Syncs again with every service, although nothing seems to be missing. */
    resync(now: number): SyncAction[] {
        if (!this.isConnected) return [];
        for (const name of [...this.streams.keys()].sort()) {
            if (conversationOf(name) === null) this.asking.add(about.stream(name));
        }
        return this.finish(now);
    }

    /**
     * Requests my inbox states of conversations whose counts may be wrong (`mustAsk`). In a large group call it after a
     * random wait of up to two seconds, since all its members may have to ask at once.
     */
    recount(conversations: Iterable<string>, now: number): SyncAction[] {
        for (const conversation of conversations) this.uncounted.add(conversation);
        if (this.uncounted.size > 0) this.asking.add(about.inboxStates);
        return this.finish(now);
    }

    /**
     * A conversation is looked at: requests what was missed of its messages, now and after each reconnect, which holds
     * for the 50 looked at last; and its receipts, now and after a reconnect, which holds for the last one. It costs
     * nothing to say so again.
     */
    look(conversation: string, now: number): SyncAction[] {
        look(this, conversation);
        return this.finish(now);
    }

    /** Takes the reply to a question. A reply to a question of an earlier session changes nothing. */
    replied(number: number, reply: SyncReply, now: number): SyncAction[] {
        const asked = this.asking.end(number);
        if (!asked) return [];
        replies.take(this, asked, reply, now);
        this.asking.succeeded(asked);
        return this.finish(now);
    }

    /**
     * Takes the refusal or failure of a question. The request is made again later, unless the conversation is not mine
     * to read.
     */
    failed(number: number, error: ParleyError, now: number): SyncAction[] {
        const asked = this.asking.end(number);
        if (!asked) return [];
        const { what, name } = parts(asked.subject);
        const isRefused = error.code === "not_member" || error.code === "not_found";
        if (isRefused && what === "stream" && this.isLost(name, asked)) replies.lose(this, name);
        else if (isRefused && what === "receipts") this.looking.cursors.delete(name);
        else this.asking.failed(asked.subject, error.retryAfterMs, now);
        if (what === "stream") {
            const stream = this.streams.get(name);
            if (stream) stream.meanwhile = [];
            receiving.advance(this, name, now);
        }
        return this.finish(now);
    }

    /**
     * Whether a refusal means that a conversation is not mine to read. If it is mine, and something came of it since the
     * request was made, the refusal is of a moment before it became mine.
     */
    private isLost(name: string, asked: Asked): boolean {
        const conversation = conversationOf(name);
        if (conversation === null) return false;
        const record = this.records.get(conversation);
        return !record || !isMine(record) || (!asked.again && !this.streams.get(name)?.hasGap);
    }

    // ------------------------------------------------------------ parts of the machine

    store(change: SyncChange): void {
        this.actions.push({ type: "store", change });
    }

    tell(news: SyncNews): void {
        this.actions.push({ type: "tell", news });
    }

    /** Changes what is remembered of a conversation. */
    change(conversation: string, body: (record: ConversationRecord) => void): void {
        let record = this.records.get(conversation);
        if (!record) this.records.set(conversation, (record = newRecord(conversation)));
        body(record);
        this.changedRecords.add(conversation);
    }

    /** Whether a stream is of a service that is followed. */
    follows(stream: string): boolean {
        return this.options.services.includes(serviceOf(stream));
    }

    /** My stream in each cell. */
    get ownStreams(): string[] {
        return this.cells.map((cell) => this.ownStreamIn(cell));
    }

    private ownStreamIn(cell: string): string {
        return `messaging/u/${this.me}/${cell}`;
    }

    /** Returns my stream in the cell of a conversation; null when the cell is not known. */
    ownStream(conversation: string): string | null {
        if (this.cells.length === 1) return this.ownStreamIn(this.cells[0]!);
        const cell = this.records.get(conversation)?.cell ?? "";
        return cell === "" ? null : this.ownStreamIn(cell);
    }

    // Kinds that an earlier version did not know, so that it only counted their positions

    /** Whether a stream was read with all the kinds that are known now. */
    private wasReadWhole(stream: StoredStream): boolean {
        const known = this.options.kinds[prefixOf(stream.name)];
        if (stream.kinds === null || known === undefined) return true;
        const read = stream.kinds.split(" ");
        return known.split(" ").every((kind) => read.includes(kind));
    }

    /** Reads a stream from its beginning with the next request. What is held of it stays until the reply. */
    private readAnew(name: string): void {
        const { kinds, isBehind } = this.streams.get(name)!.stored;
        const stored = { ...newStream(name), kinds, isBehind: isBehind || conversationOf(name) !== null };
        const stream = new SyncStream(stored);
        stream.isReadAnew = true;
        this.streams.set(name, stream);
    }

    /** A reply has come that begins with all there is. */
    endReadingAnew(name: string): void {
        const stream = this.streams.get(name);
        if (stream) [stream.isReadAnew, stream.stored.kinds] = [false, null];
    }

    // Typing

    /** [typing] */
    takeTyping(state: Typing, now: number): void {
        if (this.typists.take(state, now)) this.tellTyping([state.conversation]);
    }

    /** [typing-sent]: ends the typing of whoever sent a message that is new. */
    endTypingBy(message: Message): void {
        if (message.seq <= (this.records.get(message.conversation)?.unread.heldTo ?? 0)) return;
        if (this.typists.end(message.sender, message.conversation)) this.tellTyping([message.conversation]);
    }

    private tellTyping(conversations: readonly string[]): void {
        for (const conversation of conversations) {
            this.tell({ type: "typing", conversation, users: this.typists.people(conversation) });
        }
    }

    // What an input changed

    /** Another person signed in: nothing of the one before is known. */
    private startAnew(): void {
        for (const name of [...this.streams.keys()].sort()) {
            this.store({ type: "startOver", stream: name });
            this.store({ type: "forgetStream", name });
        }
        for (const conversation of [...this.records.keys()].sort()) {
            this.store({ type: "dropConversation", conversation });
        }
        for (const each of [this.streams, this.records, this.gaps, this.uncounted, this.looking]) each.clear();
        this.unseen = null;
        this.blocksChanged = false;
        this.hasSynced = false;
    }

    /** Returns the actions of the current input, and those that follow from it. */
    private finish(now: number): SyncAction[] {
        // [typing-lost]: ends what was not repeated.
        const end = this.typists.nextEnd;
        if (end !== null && end <= now) this.tellTyping(this.typists.expire(now));
        if (this.isConnected && this.unsynced.size === 0) this.hasSynced = true;
        if (this.isQuiet && this.asking.announces) {
            this.asking.announces = false;
            this.tell({ type: "synced" });
        }
        this.asking.wake(now);
        if (this.isConnected) this.ask();
        for (const name of [...this.changedStreams].sort()) {
            const stored = this.streams.get(name)?.stored;
            if (!stored) continue;
            // With which kinds it is read is noted before it is stored for the first time.
            stored.kinds ??= this.options.kinds[prefixOf(name)] ?? null;
            this.store({ type: "stream", stream: { ...stored } });
        }
        for (const id of [...this.changedRecords].sort()) {
            const record = this.records.get(id);
            if (record) this.store({ type: "record", record: copy(record) });
        }
        this.changedStreams.clear();
        this.changedRecords.clear();
        const due = least([this.asking.nextRetry, this.nextDue, this.typists.nextEnd].flatMap((time) => time ?? []));
        if (due !== null && due !== this.wakesAt && this.isConnected) {
            this.wakesAt = due;
            this.actions.push({ type: "wake", at: due });
        }
        const { actions } = this;
        this.actions = [];
        return actions;
    }

    private ask(): void {
        while (this.asking.underWay.size < this.options.askedMax) {
            const subject = this.asking.next();
            if (subject === undefined) return;
            const request: SyncRequest | null = replies.request(this, subject);
            if (request) this.actions.push({ type: "ask", question: this.asking.begin(subject, request) });
        }
    }
}

/** A record that does not change when the machine's does. */
function copy(record: ConversationRecord): ConversationRecord {
    return { ...record, unread: { ...record.unread }, newest: { ...record.newest } };
}
