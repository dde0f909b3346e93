import type { Message as StoredMessage, ReadCount, Receipt } from "../protocol/generated/messages";
import type { Rows } from "../store/rows";
import type { Summary } from "../store/summary";
import { refusalOfStore } from "../store/problem";
import type { Account } from "./account";
import type { HistoryPage } from "./engine";
import type { Span } from "./held";
import { together } from "./observable";
import type { Parley } from "./parley";
import { Refusal, notStored, refusalOf, signedOut, wasClosed } from "./refusal";
import { Message, messageOf, receiptOf } from "./values";

/** What is stored of a conversation's newest messages. */
interface StoredScreen {
    summary?: Summary;
    receipts: Receipt[];
    readCounts: ReadCount[];
    messages: Message[];
    first?: number;
    isEnough: boolean;
    isWhole: boolean;
}

interface StoredPage {
    messages: Message[];
    range: Span;
}

const newestSeq = Number.MAX_SAFE_INTEGER;

/** Reads messages for conversations, from the store or from the server. */
export class Reader {
    private readonly loads = new Map<string, Promise<Refusal | undefined>>();

    constructor(private readonly parley: Parley) {}

    isLoading(id: string): boolean {
        return this.loads.has(id);
    }

    /**
     * Shows the newest messages that are stored, and requests them if they are not.
     * @returns why they could not be requested; absent: they were, or did not have to be.
     */
    async load(id: string, again = false): Promise<Refusal | undefined> {
        const loading = this.loads.get(id);
        if (loading) {
            const refusal = await loading;
            if (!again) return refusal;
            // It may have read before what is to be shown was stored. One that began since has not.
            const later = this.loads.get(id);
            if (later) return later;
        }
        const { account, view } = this.parley;
        if (!account || (!again && view.conversation(id).isLoaded)) return undefined;
        const load = this.loadNow(id, account).finally(() => this.loads.delete(id));
        this.loads.set(id, load);
        return load;
    }

    private async loadNow(id: string, account: Account): Promise<Refusal | undefined> {
        const isEnough = await this.showStored(id, account);
        if (!this.parley.canAsk) {
            void account.look(id);
            return isEnough ? undefined : notStored();
        }
        await account.look(id);
        if (isEnough || (await this.showStored(id, account))) return undefined;
        // Nothing, or not enough, is stored.
        try {
            const end = await this.parley.readPage({ newest: true }, id, this.parley.options.pageSize);
            await this.showStored(id, account);
            if (end === undefined || account !== this.parley.account) return undefined;
            if (this.parley.view.conversation(id).isOpenAndEmpty) this.parley.view.showNewest([], end + 1, id);
            return undefined;
        } catch (error) {
            // What is stored is shown. The rest is read once it is looked at again.
            return refusalOf(error);
        }
    }

    /**
     * Shows the newest messages that are stored without a gap.
     * @returns whether these are as many as are shown at first, or all.
     */
    private async showStored(id: string, account: Account): Promise<boolean> {
        const { view, outbox, options } = this.parley;
        view.beginReading(id);
        const read = await this.parley.read((rows) => screenOf(rows, id, account, options.pageSize));
        return together(() => {
            try {
                if (!read || account !== this.parley.account) return true;
                if (read.summary) view.take(outbox.overlaidSummary(read.summary));
                for (const receipt of read.receipts) view.setReceipt(receiptOf(receipt), receipt.user, id);
                if (read.first !== undefined) view.showNewest(read.messages, read.first, id);
                for (const count of read.readCounts) view.takeReadCount(count);
                const conversation = view.conversation(id);
                if (!conversation.isLoaded) {
                    conversation.isLoaded = true;
                    conversation.touch();
                }
                const isFromFirst = read.first !== undefined && read.first <= conversation.own.firstSeq;
                return read.isEnough || (isFromFirst && read.isWhole);
            } finally {
                view.endReading(id);
            }
        });
    }

    async loadNewest(id: string): Promise<void> {
        const refusal = await this.load(id, true);
        if (!this.parley.account) throw this.parley.isClosed ? wasClosed() : signedOut();
        if (refusal && this.parley.view.conversation(id).isOpenAndEmpty) throw refusal;
    }

    async loadBefore(id: string, seq: number, count: number): Promise<void> {
        await this.loadPage(id, { before: seq }, count, async (rows, nowUs) => {
            const span = (await rows.spans(id)).find(([first, last]) => first <= seq - 1 && seq - 1 <= last);
            if (!span) return undefined;
            const found = await rows.messages(id, [span[0], seq - 1], true, count);
            const first = found.length < count ? span[0] : found[0]!.seq;
            // The end of what is stored, with more on the server, is not a page.
            if (found.length === 0 && first > 1) return undefined;
            return pageOf(found, [first, seq - 1], nowUs);
        });
    }

    async loadAround(id: string, seq: number, count: number): Promise<void> {
        await this.loadPage(id, { around: seq }, count, async (rows, nowUs) => {
            const span = (await rows.spans(id)).find(([first, last]) => first <= seq && seq <= last);
            if (!span) return undefined;
            const half = count >> 1;
            const older = await rows.messages(id, [span[0], seq], true, half + 1);
            const newer = seq >= span[1] ? [] : await rows.messages(id, [seq + 1, span[1]], false, half);
            const first = older.length < half + 1 ? span[0] : older[0]!.seq;
            const last = newer.length < half ? span[1] : newer[newer.length - 1]!.seq;
            return pageOf([...older, ...newer], [first, last], nowUs);
        });
    }

    /** Shows a page from the store, or requests it first. */
    private async loadPage(
        id: string, page: HistoryPage, count: number,
        stored: (rows: Rows, nowUs: number) => Promise<StoredPage | undefined>,
    ): Promise<void> {
        await this.load(id);
        const { account } = this.parley;
        if (!account) throw this.parley.isClosed ? wasClosed() : signedOut();
        if (await this.showPage(id, account, stored)) return;
        if (!this.parley.canAsk) throw notStored();
        await this.parley.readPage(page, id, count);
        await this.showPage(id, account, stored);
    }

    private async showPage(
        id: string, account: Account, stored: (rows: Rows, nowUs: number) => Promise<StoredPage | undefined>,
    ): Promise<boolean> {
        const { view } = this.parley;
        view.beginReading(id);
        let page: StoredPage | undefined;
        try {
            page = await account.store.read((rows) => stored(rows, account.nowUs));
        } catch (error) {
            view.endReading(id);
            throw refusalOfStore(error);
        }
        return together(() => {
            const isShown = page !== undefined && account === this.parley.account;
            if (page && isShown) view.showRange(page.messages, page.range, id);
            view.endReading(id);
            return isShown;
        });
    }
}

async function screenOf(rows: Rows, id: string, { me, nowUs }: Account, limit: number): Promise<StoredScreen> {
    const [summary, receipts, readCounts, spans, row] = await Promise.all([
        rows.summary(id, me, nowUs), rows.receipts(id), rows.readCounts(id), rows.spans(id), rows.row(id),
    ]);
    const screen: StoredScreen = { summary, receipts, readCounts, messages: [], isEnough: false, isWhole: false };
    const span = spans[spans.length - 1];
    if (!span) return screen;
    const found = await rows.messages(id, [span[0], newestSeq], true, limit);
    screen.messages = shownOf(found, nowUs);
    screen.first = found.length < limit ? span[0] : found[0]!.seq;
    // The newest ones may be missing.
    screen.isWhole = span[1] >= (row?.record?.newest.seq ?? 0);
    screen.isEnough = found.length === limit && screen.isWhole;
    return screen;
}

function shownOf(messages: readonly StoredMessage[], nowUs: number): Message[] {
    return messages.filter((message) => message.expires_at_us === 0 || message.expires_at_us > nowUs).map(messageOf);
}

function pageOf(messages: readonly StoredMessage[], range: Span, nowUs: number): StoredPage {
    return { messages: shownOf(messages, nowUs), range };
}
