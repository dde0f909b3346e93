import type { MessageKind, Message as StoredMessage } from "../protocol/generated/messages";
import { SearchQuery } from "../store/search";
import type { Sort } from "../store/tables";
import { Observable } from "./observable";
import type { Parley } from "./parley";
import { Refusal, refusalOf } from "./refusal";
import { Message, messageOf, microseconds } from "./values";

const pageSize = 50;

/** Which messages are searched for. What is absent leaves nothing out. */
export interface SearchFilter {
    /** The conversation in which they are. */
    conversation?: string;
    /** The id of whoever wrote them. */
    sender?: string;
    kind?: "text" | "image" | "video" | "file" | "voice";
    /** Sent at this time or later, and before that one. */
    after?: Date;
    before?: Date;
}

/**
 * A search for messages: those stored here at once, then those that the server finds, in one list. It is of one moment;
 * what arrives later is not added.
 */
export class MessageSearch extends Observable {
    private messages: readonly Message[] = [];
    private searching = true;
    private more = false;
    private why: Refusal | undefined;
    private readonly query: SearchQuery | undefined;
    /** Where the storage is searched next; null: it has no more. */
    private localNext: Sort | null | undefined;
    /** Where the server goes on; absent: it has no more. */
    private cursor: string | undefined = "";
    private running: Promise<void>;

    /** @internal */
    constructor(readonly text: string, readonly filter: SearchFilter, private readonly parley: Parley) {
        super();
        this.query = SearchQuery.of(text);
        this.running = this.run();
    }

    /** What was found so far, the newest first. */
    get found(): readonly Message[] {
        return this.messages;
    }

    /** Whether more may come by itself. */
    get isSearching(): boolean {
        return this.searching;
    }

    /** Whether {@link loadMore} may find older messages. */
    get hasMore(): boolean {
        return this.more;
    }

    /** Why the server was not asked, or did not answer: what is found is what is stored here. Absent: it answered. */
    get problem(): Refusal | undefined {
        return this.why;
    }

    /** Waits until the storage and the server have answered. */
    async finish(): Promise<void> {
        await this.running;
    }

    /** Looks for older messages, if there are any. */
    async loadMore(): Promise<void> {
        await this.running;
        if (!this.more) return;
        this.searching = true;
        this.touch();
        this.running = this.run();
        await this.running;
    }

    private async run(): Promise<void> {
        await this.searchStorage();
        await this.askServer();
        this.more = this.query !== undefined
            && (this.localNext !== null || (this.cursor !== undefined && this.why === undefined));
        this.searching = false;
        this.touch();
    }

    private async searchStorage(): Promise<void> {
        const { query, parley, filter: { conversation } } = this;
        // Of many messages only some are read at a time: others read and write between.
        for (let left = pageSize; query && left > 0 && this.localNext !== null;) {
            const { localNext: after } = this;
            const page = await parley.read((rows) => rows.search(query, conversation, after, left, parley.nowUs));
            this.localNext = page?.next ?? null;
            this.add(page?.found ?? []);
            left -= page?.found.length ?? 0;
        }
    }

    private async askServer(): Promise<void> {
        const { parley, cursor, text, filter } = this;
        const { conversation = "", sender, kind, after, before } = filter;
        if (!this.query) {
            this.why = new Refusal("invalid", "Search for letters, digits or emoji.", "text");
            return;
        }
        if (cursor === undefined) return;
        if (!parley.canAsk) {
            this.why = new Refusal("offline",
                "There is no connection, so only what is stored here was searched. Search again when it is online.");
            return;
        }
        try {
            const reply = await parley.ask("messaging.SearchMessages", conversation || (parley.me ?? ""), {
                text, conversation, cursor, limit: pageSize, sender, kind: kind && (kind.toUpperCase() as MessageKind),
                sent_after_us: after && microseconds(after), sent_before_us: before && microseconds(before),
            });
            [this.why, this.cursor] = [undefined, reply.more ? reply.cursor : undefined];
            this.add(reply.found.flatMap((found) => (found.message ? [found.message] : [])));
        } catch (error) {
            this.why = refusalOf(error);
        }
    }

    private fits({ sender, kind, sentAt, isDeleted, isHidden }: Message): boolean {
        const { filter } = this;
        return !isDeleted && !isHidden && (filter.sender ?? sender) === sender && (filter.kind ?? kind) === kind
            && !(filter.after && sentAt < filter.after) && !(filter.before && sentAt >= filter.before);
    }

    /** Adds what is not there yet. */
    private add(messages: readonly StoredMessage[]): void {
        const known = new Set(this.messages.map((message) => message.id));
        const added = messages.map(messageOf)
            .filter((message) => !known.has(message.id) && this.fits(message));
        if (added.length === 0) return;
        this.messages = [...this.messages, ...added].sort((one, other) =>
            microseconds(other.sentAt) - microseconds(one.sentAt) || (other.seq ?? 0) - (one.seq ?? 0));
        this.touch();
    }
}
