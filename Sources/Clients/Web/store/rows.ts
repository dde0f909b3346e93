import { Span, addSpan } from "../api/held";
import { messageOf, sectionOf, factsOf } from "../api/values";
import type { Block, Message, MessageState, ReadCount, Receipt } from "../protocol/generated/messages";
import type { KeyedKind } from "../protocol/generated/states";
import type { UnsentRow } from "../outbox/item";
import { isGone } from "../sync/message";
import { ConversationRow, sectionOf as storedSection } from "../sync/merge";
import type { ConversationRecord, StoredStream } from "../sync/types";
import { UnreadCount, countUnread, countedMax, countsAbove, isArchived } from "../sync/unread";
import type { SearchQuery } from "./search";
import { Place, Summary, nothingOwn, placeKey } from "./summary";
import type { Key, Sort, TableName, Tables } from "./tables";

/** As many of the newest messages as the server looks at. */
const mentionsReadMax = 10_000;

/** What the table of conversations has: the row, and what lists show of its messages. */
interface StoredConversation {
    row: ConversationRow;
    /** Unread messages above those that the server counted. */
    above: UnreadCount;
    /** The newest message that is stored. */
    newest?: Message;
}

/** A row of the table of messages. */
interface MessageRow {
    key: [string, number];
    value: Message;
    unread?: [string, number];
    mention?: [string, number];
    thread?: [string, number];
    star?: [string, string];
    expires?: [string, number];
    sent: [string, Sort];
}

/** The place of a message among all others, the newest first. */
export const sentPlace = ({ sent_at_us, conversation, seq }: Message): [number, string, number] =>
    [-sent_at_us, conversation, -seq];

/** The rows of a store, as one transaction sees them. They have no rules: those of merging are in `sync`. */
export class Rows {
    constructor(readonly tables: Tables) {}

    // MARK: Streams

    async streams(): Promise<StoredStream[]> {
        return (await this.tables.all("streams", "")) as StoredStream[];
    }

    putStream(stream: StoredStream): void {
        this.tables.put("streams", { key: ["", stream.name], value: stream });
    }

    forgetStream(name: string): void {
        this.tables.remove("streams", ["", name]);
    }

    /** Returns how far the server's clock was ahead of this device's, in microseconds. */
    async clockOffset(): Promise<number> {
        return ((await this.tables.get("meta", "", "clock")) as number | undefined) ?? 0;
    }

    putClockOffset(us: number): void {
        this.tables.put("meta", { key: ["", "clock"], value: us });
    }

    // MARK: Conversations

    async row(id: string): Promise<ConversationRow | undefined> {
        return (await this.stored(id))?.row;
    }

    async rows(): Promise<ConversationRow[]> {
        return ((await this.tables.all("conversations", "")) as StoredConversation[]).map((stored) => stored.row);
    }

    async records(): Promise<ConversationRecord[]> {
        return (await this.rows()).flatMap((row) => (row.record ? [row.record] : []));
    }

    private async stored(id: string): Promise<StoredConversation | undefined> {
        return (await this.tables.get("conversations", "", id)) as StoredConversation | undefined;
    }

    /**
     * Writes a row, and counts what lists show of it.
     * @returns what lists show of it.
     */
    async putRow(row: ConversationRow, me: string, nowUs: number): Promise<Summary> {
        const [above, newest, version] = await Promise.all([
            this.countAbove(row, me, nowUs), this.newest(row.id), this.nextVersion(),
        ]);
        const stored: StoredConversation = { row, above, newest };
        this.tables.put("conversations", {
            key: ["", row.id], value: stored, list: listKey(row), changed: ["", version],
        } as never);
        return this.summaryOf(stored, me, nowUs);
    }

    private async nextVersion(): Promise<number> {
        const version = ((await this.tables.get("meta", "", "version")) as number | undefined ?? 0) + 1;
        this.tables.put("meta", { key: ["", "version"], value: version });
        return version;
    }

    /** Returns the conversations that changed after a version of the store, and its version. */
    async changedSince(version: number): Promise<{ conversations: string[]; version: number }> {
        const current = ((await this.tables.get("meta", "", "version")) as number | undefined) ?? 0;
        if (current === version) return { conversations: [], version };
        const changed = await this.tables.all("conversations", "", { index: "changed", from: version + 1 });
        return { conversations: (changed as StoredConversation[]).map((stored) => stored.row.id), version: current };
    }

    /** Returns what lists show of the conversations of a list in order, after one of them. */
    async list(
        section: string, archived: boolean, after: Place | undefined, limit: number, me: string, nowUs: number,
    ): Promise<Summary[]> {
        const from = after && [...placeKey(after), ""];
        const query = { index: "list", from, limit };
        const found = (await this.tables.all("conversations", listName(section, archived), query)) as StoredConversation[];
        return found.map((stored) => this.summaryOf(stored, me, nowUs));
    }

    /** Returns what lists and headers show of a conversation; absent when nothing is stored of it. */
    async summary(id: string, me: string, nowUs: number): Promise<Summary | undefined> {
        const [stored, draft] = await Promise.all([this.stored(id), this.draft(id)]);
        return stored && { ...this.summaryOf(stored, me, nowUs), draft, isWhole: true };
    }

    private summaryOf({ row, above, newest }: StoredConversation, me: string, nowUs: number): Summary {
        const { conversation, entry, record } = row;
        const state = row.inboxState;
        const known = record ? countUnread(record.unread, [], me, () => false, nowUs) : { unread: 0, mentions: 0 };
        const until = Number(state?.muted_until_us ?? 0);
        const said = entry?.last_message && entry.last_message.seq > (state?.cleared_seq ?? 0)
            ? entry.last_message : undefined;
        const last = !newest || (said && said.seq > newest.seq) ? said : newest;
        return {
            id: row.id,
            facts: conversation && factsOf(conversation, me),
            own: {
                ...nothingOwn,
                pinnedAt: state?.pinned_at_us ?? 0,
                mutedUntil: until > nowUs ? (until >= 2 ** 63 ? Infinity : until) : 0,
                isArchived: isArchivedRow(row),
                readUpTo: state?.read_seq ?? 0,
                firstSeq: Math.max(1, state?.first_seq ?? 0, (state?.cleared_seq ?? 0) + 1),
                retention: entry?.retention_seconds ?? 0,
                unread: {
                    messages: Math.min(countedMax, known.unread + above.unread),
                    mentions: known.mentions + above.mentions,
                    isMarked: state?.marked_unread ?? false,
                },
            },
            last: last && messageOf(last),
            section: sectionOf(storedSection(row)),
            place: placeOf(row),
            syncStatus: "synced",
        };
    }

    /** Counts the unread messages above those that the server counted. Mentions by people whom I block do not count. */
    private async countAbove(row: ConversationRow, me: string, nowUs: number): Promise<UnreadCount> {
        const basis = row.record?.unread;
        if (!basis) return { unread: 0, mentions: 0 };
        const seq = countsAbove(basis);
        const above = { from: -Infinity, to: -(seq + 1) };
        const [unread, mentions, expired] = await Promise.all([
            this.tables.count("messages", row.id, { index: "unread", ...above }),
            this.tables.count("messages", row.id, { index: "mention", ...above }),
            this.tables.count("messages", "", { index: "expires", to: nowUs }),
        ]);
        if (unread === 0) return { unread: 0, mentions: 0 };
        const known = countUnread(basis, [], me, () => false, nowUs);
        const blocked = mentions === 0 ? [] : await this.blocked();
        const room = Math.max(0, countedMax - known.unread);
        // Of more than are counted, only the oldest count, and who is mentioned there.
        const countsAll = unread <= room || mentions === 0;
        if (expired === 0 && blocked.length === 0 && countsAll) return { unread: Math.min(unread, room), mentions };
        const messages = await this.messages(row.id, [seq + 1, Number.MAX_SAFE_INTEGER], true, mentionsReadMax);
        const all = countUnread(basis, messages, me, (user) => blocked.includes(user), nowUs);
        return { unread: all.unread - known.unread, mentions: all.mentions - known.mentions };
    }

    private async blocked(): Promise<string[]> {
        return ((await this.states("Block")) as Block[]).map((block) => block.user?.id ?? "");
    }

    private async newest(id: string): Promise<Message | undefined> {
        return (await this.tables.all("messages", id, { limit: 1 }))[0] as Message | undefined;
    }

    async receipts(id: string): Promise<Receipt[]> {
        return (await this.tables.all("receipts", id)) as Receipt[];
    }

    async receipt(id: string, user: string): Promise<Receipt | undefined> {
        return (await this.tables.get("receipts", id, user)) as Receipt | undefined;
    }

    putReceipt(receipt: Receipt): void {
        this.tables.put("receipts", { key: [receipt.conversation, receipt.user], value: receipt });
    }

    async readCounts(id: string): Promise<ReadCount[]> {
        return (await this.tables.all("readCounts", id)) as ReadCount[];
    }

    putReadCount(count: ReadCount): void {
        this.tables.put("readCounts", { key: [count.conversation, count.seq], value: count });
    }

    removeReceipts(id: string): void {
        this.tables.removeAll("receipts", id);
        this.tables.removeAll("readCounts", id);
    }

    // MARK: Messages

    async message(conversation: string, seq: number): Promise<Message | undefined> {
        return (await this.tables.get("messages", conversation, -seq)) as Message | undefined;
    }

    /** Returns messages in ascending order: the newest in the range, or the oldest. */
    async messages(conversation: string, [first, last]: Span, newest: boolean, limit: number): Promise<Message[]> {
        const query = { from: -last, to: -first, limit, reverse: !newest };
        const found = (await this.tables.all("messages", conversation, query)) as Message[];
        return newest ? found.reverse() : found;
    }

    /** Returns the messages of a thread, with the first one. */
    async thread(conversation: string, first: number): Promise<Message[]> {
        const found = (await this.tables.all("messages", conversation, { index: "thread", from: first, to: first })) as Message[];
        if (!found.some((message) => message.seq === first)) {
            const start = await this.message(conversation, first);
            if (start) found.push(start);
        }
        return found.sort((one, other) => one.seq - other.seq);
    }

    async starred(): Promise<Message[]> {
        return (await this.tables.all("messages", "", { index: "star" })) as Message[];
    }

    /**
     * Looks for messages with all the words that an app may show, the newest first.
     * @param conversation where to search; absent: everywhere.
     * @param after where an earlier call stopped; absent: at the newest message.
     * @returns at most `limit` of them, and where to go on, unless all was searched. Each call reads the messages up to
     *     there, and not more than `searchedMax`: then it may have found fewer.
     */
    async search(
        query: SearchQuery, conversation: string | undefined, after: Sort | undefined, limit: number, nowUs: number,
    ): Promise<{ found: Message[]; next: Sort | undefined }> {
        const found: Message[] = [];
        const index = conversation === undefined ? "sent" : undefined;
        let [from, read] = [after, 0];
        while (read < searchedMax) {
            const page = (await this.tables.all("messages", conversation ?? "", { index, from, limit: searchedAtOnce })) as Message[];
            for (const message of page) {
                from = index ? [...sentPlace(message), ""] : 1 - message.seq;
                if (isGone(message, nowUs) || !query.matches(message.text)) continue;
                found.push(message);
                if (found.length === limit) return { found, next: from };
            }
            read += page.length;
            if (page.length < searchedAtOnce) return { found, next: undefined };
        }
        return { found, next: from };
    }

    putMessage(message: Message, me: string): void {
        const { conversation, seq } = message;
        if (message.deleted_at_us || message.own?.hidden) this.tables.remove("files", [keptFiles, [conversation, seq]]);
        const row: MessageRow = { key: [conversation, -seq], value: message, sent: ["", sentPlace(message)] };
        if (message.sender !== me && message.kind !== "SYSTEM" && !message.deleted_at_us && !message.own?.hidden) {
            row.unread = [conversation, -seq];
            if (message.mentions.includes(me)) row.mention = [conversation, -seq];
        }
        if (message.thread || message.thread_seq !== 0) row.thread = [conversation, message.thread_seq || seq];
        if (message.own?.starred) row.star = ["", `${conversation} ${seq}`];
        if (message.expires_at_us !== 0) row.expires = ["", message.expires_at_us];
        this.tables.put("messages", row);
    }

    /** Removes the messages of a conversation up to a seq, and my states of such that were not stored. */
    removeMessages(conversation: string, upTo: number): void {
        this.tables.removeAll("messages", conversation, -upTo);
        this.tables.removeAll("early", conversation, undefined, upTo);
        this.tables.removeAll("files", keptFiles, [conversation], [conversation, upTo]);
    }

    /**
     * Removes the oldest messages, so that a number of them stay. Those above a seq stay, too.
     * @returns the first seq that stayed; absent: nothing was removed.
     */
    async trim(conversation: string, count: number, above: number): Promise<number | undefined> {
        const newest = await this.messages(conversation, [1, Number.MAX_SAFE_INTEGER], true, count + 1);
        if (newest.length <= count) return undefined;
        const last = Math.min(newest[0]!.seq, above);
        const [removed] = await this.messages(conversation, [1, last], true, 1);
        if (!removed) return undefined;
        this.tables.removeAll("messages", conversation, -removed.seq);
        return removed.seq + 1;
    }

    /**
     * Removes messages that have disappeared by now.
     * @returns the conversations that they were in.
     */
    async removeExpired(nowUs: number): Promise<string[]> {
        const expired = (await this.tables.all("messages", "", { index: "expires", to: nowUs })) as Message[];
        for (const { conversation, seq } of expired) {
            this.tables.remove("messages", [conversation, -seq]);
            this.tables.remove("files", [keptFiles, [conversation, seq]]);
        }
        return [...new Set(expired.map((message) => message.conversation))];
    }

    async early(conversation: string, seq: number): Promise<MessageState | undefined> {
        return (await this.tables.get("early", conversation, seq)) as MessageState | undefined;
    }

    putEarly(state: MessageState): void {
        this.tables.put("early", { key: [state.conversation, state.seq], value: state });
    }

    removeEarly(conversation: string, seq: number): void {
        this.tables.remove("early", [conversation, seq]);
    }

    /** Returns the keys of all early states. */
    async earlyKeys(): Promise<[conversation: string, seq: number][]> {
        return (await this.tables.every("early")).map(({ key }) => [key[0], key[1] as number]);
    }

    /** Returns the ranges of seqs of which everything that I may read is stored, in ascending order. */
    async spans(conversation: string): Promise<Span[]> {
        const [others, row] = await Promise.all([this.otherSpans(conversation), this.row(conversation)]);
        return addSpan(others, row && heldSpan(row));
    }

    /** Returns those apart from the newest one, which is that of the sync machine and in the row. */
    async otherSpans(conversation: string): Promise<Span[]> {
        return ((await this.tables.get("spans", "", conversation)) as Span[] | undefined) ?? [];
    }

    /** Returns the conversations of which there are such rows. */
    async paged(): Promise<string[]> {
        return (await this.tables.every("spans")).map(({ key }) => key[1] as string);
    }

    putSpans(spans: readonly Span[], conversation: string): void {
        if (spans.length === 0) this.tables.remove("spans", ["", conversation]);
        else this.tables.put("spans", { key: ["", conversation], value: spans });
    }

    // MARK: Other states

    async state(kind: KeyedKind, key: string): Promise<unknown> {
        return this.tables.get("states", kind, key);
    }

    async states(kind: KeyedKind): Promise<unknown[]> {
        return this.tables.all("states", kind);
    }

    putState(kind: KeyedKind, key: string, state: unknown): void {
        this.tables.put("states", { key: [kind, key], value: state });
    }

    removeState(kind: KeyedKind, key: string): void {
        this.tables.remove("states", [kind, key]);
    }

    removeStates(kind: KeyedKind): void {
        this.tables.removeAll("states", kind);
    }

    // MARK: What I did

    /** Returns what I did and the server does not have, in the order in which it was done. */
    async unsent(): Promise<UnsentRow[]> {
        return (await this.tables.all("unsent", "")) as UnsentRow[];
    }

    putUnsent(item: UnsentRow): void {
        this.tables.put("unsent", { key: ["", item.id], value: item });
    }

    /** What was removed of what I did or wrote. */
    readonly removed: { readonly table: TableName; readonly key: Key }[] = [];

    private removeOwn(table: TableName, id: string): void {
        const key: Key = ["", id];
        this.removed.push({ table, key });
        this.tables.remove(table, key);
    }

    removeUnsent(id: string): void {
        this.removeOwn("unsent", id);
    }

    async file(name: string): Promise<Blob | undefined> {
        return (await this.tables.get("files", "", name)) as Blob | undefined;
    }

    putFile(name: string, file: Blob): void {
        this.tables.put("files", { key: ["", name], value: file });
    }

    removeFile(name: string): void {
        this.removeOwn("files", name);
    }

    /** Returns the file of a message that was opened before. It goes with its message. */
    async keptFile(conversation: string, seq: number): Promise<Blob | undefined> {
        return ((await this.tables.get("files", keptFiles, [conversation, seq])) as KeptFile | undefined)?.blob;
    }

    /**
     * Keeps a file that was opened, if its message is still there, and of all such files as many bytes as are to be
     * kept.
     * @param at when it was opened, in milliseconds.
     */
    async keepFile(
        conversation: string, seq: number, blob: Blob, at: number, bytesMax: number, nowUs: number,
    ): Promise<void> {
        const message = await this.message(conversation, seq);
        if (!message || isGone(message, nowUs)) return;
        const kept = (await this.tables.all("files", keptFiles)) as KeptFile[];
        let taken = kept.reduce((sum, file) => sum + file.blob.size, blob.size);
        if (blob.size > bytesMax) return;
        for (const file of kept.sort((one, other) => one.at - other.at)) {
            if (taken <= bytesMax) break;
            this.tables.remove("files", [keptFiles, [file.conversation, file.seq]]);
            taken -= file.blob.size;
        }
        this.tables.put("files", { key: [keptFiles, [conversation, seq]], value: { conversation, seq, blob, at } });
    }

    async draft(conversation: string): Promise<string> {
        return ((await this.tables.get("drafts", "", conversation)) as string | undefined) ?? "";
    }

    /** Returns what I have begun to write, by conversation. */
    async drafts(): Promise<Map<string, string>> {
        return new Map((await this.tables.every("drafts")).map(({ key, value }) => [key[1] as string, value as string]));
    }

    putDraft(draft: string, conversation: string): void {
        if (draft === "") this.removeOwn("drafts", conversation);
        else this.tables.put("drafts", { key: ["", conversation], value: draft });
    }
}

/** How many messages a search has in memory at once, and how many it reads in one transaction. */
const searchedAtOnce = 200;
const searchedMax = 5000;

/** The group of files that were opened, by their conversations and seqs. */
const keptFiles = "kept";

interface KeptFile {
    conversation: string;
    seq: number;
    blob: Blob;
    /** When it was opened, in milliseconds. */
    at: number;
}

/** The seqs of the newest messages that are stored without a gap. */
export function heldSpan({ record, keptFrom }: ConversationRow): Span | undefined {
    if (!record) return undefined;
    const { heldFrom, heldTo } = record.unread;
    if (heldFrom === null || Math.max(heldFrom, keptFrom) > heldTo) return undefined;
    return [Math.max(heldFrom, keptFrom), heldTo];
}

function isArchivedRow({ record, inboxState }: ConversationRow): boolean {
    return record !== undefined && inboxState !== undefined && isArchived(record.newest, inboxState);
}

export function placeOf({ id, conversation, inboxState, record }: ConversationRow): Place {
    const made = Math.max(conversation?.requested_at_us ?? 0, conversation?.created_at_us ?? 0);
    return { pinnedAt: inboxState?.pinned_at_us ?? 0, activeAt: Math.max(record?.newest.sentAtUs ?? 0, made), id };
}

function listName(section: string, archived: boolean): string {
    return archived ? `${section} archived` : section;
}

function listKey(row: ConversationRow): [string, Sort] {
    return [listName(String(storedSection(row)), isArchivedRow(row)), placeKey(placeOf(row))];
}
