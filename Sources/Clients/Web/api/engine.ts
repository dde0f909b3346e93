import type { Confirmation } from "../outbox/action";
import type { Client } from "../protocol/client";
import type { Given } from "../protocol/codec";
import type { GetHistoryReply, Message } from "../protocol/generated/messages";
import type { Methods } from "../protocol/generated/methods";
import type { SyncMachine } from "../sync/machine";
import { SyncShell } from "../sync/shell";
import type { ConversationRecord, SyncAction, SyncChange } from "../sync/types";
import type { CommitItem, Committer } from "./committer";
import type { Span } from "./held";

/** Which page of a conversation's messages is read. */
export type HistoryPage = { before: number } | { around: number } | { newest: true };

/** What showed that an answer is stored comes within this time, or not on its own. */
const confirmWithin = 10_000;

/** Keeps a store equal to what the server has: the I/O around a SyncMachine. */
export class Engine {
    private readonly shell: SyncShell;
    private isStopped = false;
    private readonly pages = new PagesUnderWay();
    /** Who waits until what the server answered is stored. */
    private readonly confirming = new Set<{ of: () => boolean; done: () => void }>();
    /** How often the messages of a conversation were dropped: a page that was requested before is not stored. */
    private readonly drops = new Map<string, number>();
    /**
     * Conversations of which pages were read before the machine follows their changes, and whether all in this session.
     * Which changes the pages have is not known, and the machine goes on after the ones that its first Sync names: they
     * are read again. Those of an earlier session may even be of another epoch: they are dropped.
     */
    private readonly early: Map<string, boolean>;
    private readonly leave: () => void;
    private readonly doubtful = new Set<string>();
    private recounts: ReturnType<typeof setTimeout> | undefined;

    /** @param paged the conversations of which pages are stored. */
    constructor(
        private readonly client: Client, private readonly machine: SyncMachine, private readonly committer: Committer,
        paged: readonly string[],
    ) {
        this.early = new Map(paged.filter((id) => !isFollowed(machine.record(id))).map((id) => [id, false]));
        this.leave = client.add({ ended: () => { for (const id of this.early.keys()) this.early.set(id, false); } });
        this.shell = new SyncShell(client, machine, (actions) => this.apply(actions));
        const { state } = client;
        // A session that began before is followed from now on.
        if (state.phase === "ready" && state.welcome.user !== "") {
            this.take((sync) => [...sync.connected(state.welcome.user, state.welcome.cells, performance.now())]);
        }
    }

    stop(): void {
        this.isStopped = true;
        this.shell.stop();
        this.leave();
        clearTimeout(this.recounts);
        for (const waiting of this.confirming) waiting.done();
        this.confirming.clear();
    }

    private take(input: (machine: SyncMachine) => SyncAction[]): void {
        if (!this.isStopped) this.shell.take(input);
    }

    private apply(actions: readonly SyncAction[]): void {
        const first: CommitItem[] = [];
        const items: CommitItem[] = [];
        for (const action of actions) {
            if (action.type === "store") {
                const { change } = action;
                this.note(change);
                if (change.type === "record") first.push(...this.startsAnew(change.record));
                items.push({ type: "change", change });
            } else if (action.type === "tell") {
                const { news } = action;
                if (news.type === "presence") items.push({ type: "presence", state: news.state });
                else if (news.type === "ownPresence") items.push({ type: "ownPresence", state: news.state });
                else if (news.type === "synced") items.push({ type: "confirmed" });
                else if (news.type === "typing") {
                    items.push({ type: "typing", users: news.users, conversation: news.conversation });
                }
                // The store's changes say what follows from the others.
            }
        }
        this.committer.add([...first, ...items]);
        for (const waiting of [...this.confirming]) if (waiting.of()) waiting.done();
    }

    /** Returns what is to be stored before a conversation is followed of which pages were read before. */
    private startsAnew(record: ConversationRecord): CommitItem[] {
        const { id } = record;
        const isOfThisSession = this.early.get(id);
        if (isOfThisSession === undefined || !isFollowed(record)) return [];
        this.early.delete(id);
        if (isOfThisSession) return [{ type: "forgetSpans", conversation: id }];
        const change: SyncChange = { type: "dropMessages", conversation: id };
        this.note(change);
        return [{ type: "change", change }];
    }

    /** A conversation is looked at: what was missed of it is read. */
    async look(conversation: string): Promise<void> {
        if (this.isStopped) return;
        this.take((machine) => machine.look(conversation, performance.now()));
        await this.waitFor(() => this.machine.isLevel(conversation));
        await this.committer.flush();
    }

    /** Resolves once what the server answered is on its way into the store, or will not come on its own. */
    async confirm(confirmation: Confirmation): Promise<void> {
        if (confirmation.type === "nextSync") this.take((machine) => machine.resync(performance.now()));
        await this.waitFor(() => this.isConfirmed(confirmation));
    }

    private waitFor(condition: () => boolean): Promise<void> {
        if (this.isStopped || condition()) return Promise.resolve();
        return new Promise((resolve) => {
            const waiting = { of: condition, done: () => {
                clearTimeout(late);
                this.confirming.delete(waiting);
                resolve();
            } };
            const late = setTimeout(waiting.done, confirmWithin);
            this.confirming.add(waiting);
        });
    }

    private isConfirmed(confirmation: Confirmation): boolean {
        const { machine } = this;
        switch (confirmation.type) {
            case "now": return true;
            case "at": return (machine.position(confirmation.stream) ?? Infinity) >= confirmation.position;
            case "own": {
                const stream = machine.ownStream(confirmation.conversation);
                const position = stream === null ? null : machine.position(stream);
                return (position ?? Infinity) >= confirmation.position;
            }
            case "nextSync": return machine.isQuiet;
        }
    }

    private note(change: SyncChange): void {
        this.pages.note(change);
        if (change.type === "dropMessages" || change.type === "dropConversation") {
            this.drops.set(change.conversation, (this.drops.get(change.conversation) ?? 0) + 1);
        }
    }

    /** Requests unread counts again, after a random wait: all members of a group may have to. */
    recount(conversations: readonly string[]): void {
        for (const id of conversations) this.doubtful.add(id);
        if (this.recounts !== undefined || this.isStopped) return;
        this.recounts = setTimeout(() => {
            const doubtful = [...this.doubtful];
            this.doubtful.clear();
            this.recounts = undefined;
            this.take((machine) => machine.recount(doubtful, performance.now()));
        }, Math.random() * 2000);
    }

    // MARK: Pages

    /**
     * Reads a page of a conversation's messages and stores it.
     * @returns the newest seq, if there is no message that I may read; absent: there are some.
     */
    async read(page: HistoryPage, conversation: string, limit: number, attempts = 3): Promise<number | undefined> {
        this.pages.begin(conversation);
        const before = this.drops.get(conversation);
        const isEarly = !isFollowed(this.machine.record(conversation));
        if (isEarly && !this.early.has(conversation)) this.early.set(conversation, true);
        let reply: GetHistoryReply;
        let meanwhile: Meanwhile;
        try {
            reply = await this.client.call("messaging.GetHistory", conversation,
                requestOf(page, conversation, Math.min(limit, 200)), { repeatsFor: 10_000 });
        } finally {
            meanwhile = this.pages.end(conversation);
        }
        if (before !== this.drops.get(conversation) || this.isStopped) return undefined;
        const isFollowedNow = isEarly && !this.early.has(conversation);
        if (attempts > 1 && (isFollowedNow || meanwhile.hasOutrun(reply.messages))) {
            return this.read(page, conversation, limit, attempts - 1);
        }
        const items: CommitItem[] = reply.messages.map((message) =>
            ({ type: "change", change: { type: "message", message, from: "reply" } }));
        for (const change of meanwhile.changes) items.push({ type: "change", change });
        const span = spanOf(reply, page);
        if (span) items.push({ type: "span", span, conversation });
        await this.committer.flush(items);
        return reply.messages.length === 0 && !reply.more_before && !reply.more_after ? reply.last_seq : undefined;
    }
}

/** Whether changes of a conversation's messages are followed from some message on. */
function isFollowed(record: ConversationRecord | null | undefined): boolean {
    return (record?.unread.heldFrom ?? null) !== null;
}

function requestOf(
    page: HistoryPage, conversation: string, limit: number,
): Given<Methods["messaging.GetHistory"]["request"]> {
    if ("before" in page) return { conversation, limit, before_seq: page.before };
    if ("around" in page) return { conversation, limit, around_seq: page.around };
    return { conversation, limit };
}

/** Returns the range of seqs of which a page has all that I may read. */
export function spanOf(reply: GetHistoryReply, page: HistoryPage): Span | undefined {
    let first = reply.messages[0]?.seq;
    let last = reply.messages[reply.messages.length - 1]?.seq;
    if (!reply.more_before) first = 1;
    if (!reply.more_after) last = Math.max(last ?? 0, reply.last_seq);
    // A restored server may have fewer messages than were shown.
    if ("before" in page && page.before > 0) last = Math.max(last ?? 0, Math.min(page.before - 1, reply.last_seq));
    if (first === undefined || last === undefined || first > last) return undefined;
    return [first, last];
}

/** What came since a page was requested. */
class Meanwhile {
    /** What is to be applied after the page, in this order. */
    readonly changes: SyncChange[] = [];
    /** The positions of messages that changed, by seq. */
    readonly positions = new Map<number, number>();

    /**
     * Whether a message has changed since the page was made. An Update does not have what is mine of it, so the page is
     * to be read again.
     */
    hasOutrun(messages: readonly Message[]): boolean {
        return messages.some((message) => (this.positions.get(message.seq) ?? 0) > message.position);
    }
}

/**
 * The pages of conversations that are being read. My states of messages, and reactions to them, that arrive meanwhile
 * are newer than the page, and of messages that are not stored yet.
 */
class PagesUnderWay {
    private readonly pages = new Map<string, { count: number; meanwhile: Meanwhile }>();

    begin(conversation: string): void {
        const page = this.pages.get(conversation);
        if (page) page.count += 1;
        else this.pages.set(conversation, { count: 1, meanwhile: new Meanwhile() });
    }

    note(change: SyncChange): void {
        if (this.pages.size === 0) return;
        if (change.type === "messageState") {
            this.pages.get(change.state.conversation)?.meanwhile.changes.push(change);
        } else if (change.type === "reactions") {
            this.pages.get(change.reactions.conversation)?.meanwhile.changes.push(change);
        } else if (change.type === "message" && change.from === "update") {
            const { conversation, seq, position } = change.message;
            this.pages.get(conversation)?.meanwhile.positions.set(seq, position);
        }
    }

    /** Notes that a page has come, or will not come. */
    end(conversation: string): Meanwhile {
        const page = this.pages.get(conversation);
        if (!page) return new Meanwhile();
        if (page.count > 1) page.count -= 1;
        else this.pages.delete(conversation);
        return page.meanwhile;
    }
}
