import type { Listed } from "../api/entities";
import { together } from "../api/observable";
import type { Parley } from "../api/parley";
import { Refusal, refusalOf, signedOut, wasClosed } from "../api/refusal";
import { Message, Profile, User, date, factsOf } from "../api/values";
import type { Given } from "../protocol/codec";
import type { Methods } from "../protocol/generated/methods";
import type { KeyedKind } from "../protocol/generated/states";
import type { Summary } from "../store/summary";
import { changeList } from "./action";
import { ActionName, ownLane } from "./actions";
import {
    UnsentRow, action, changedMessage, creates, messageOfItem, newItem, request, resolved, restored, sends, statusOf,
} from "./item";
import { Sender } from "./sender";
import type { Unsent } from "./unsent";
import { IDs } from "./uuid";

/** Something that I did, and where it stands. */
export interface Entry {
    item: UnsentRow;
    /** `writing`: it is not in the store yet; `dropping`: it is about to be dropped. */
    state: "writing" | "waiting" | "underWay" | "failed" | "dropping";
    /** Whether the server has its file. */
    isUploaded: boolean;
    /** How many bytes of its file were uploaded. */
    uploaded: number;
    /** How often the server had lost its file. */
    losses: number;
}

// What was tried was uploaded before.
const newEntry = (item: UnsentRow, state: Entry["state"]): Entry =>
    ({ item, state, isUploaded: item.file === undefined || item.wasTried, uploaded: 0, losses: 0 });

/**
 * What I did and the server does not have yet: on the screen, in the store, and on its way. It is stored before a
 * promise resolves; then it is sent in order, one thing after another in each lane.
 */
export class Outbox {
    /** In the order in which they were done. */
    readonly entries: Entry[] = [];
    readonly sender: Sender;
    private readonly ids = new IDs();
    /** What the server has said of messages and conversations that there are entries about. */
    private readonly messages = new Map<string, Message>();
    private readonly summaries = new Map<string, Summary>();
    private readonly lanes = new Map<string, number>();
    private readonly targets = new Map<string, number>();
    /** The numbers of messages that were sent since the page was opened. */
    private readonly seqs = new Map<string, number>();
    /** Grows with each change of the entries. */
    changes = 0;

    constructor(private readonly parley: Parley) {
        this.sender = new Sender(parley, this);
    }

    // MARK: Entries

    /** Returns a new id, which is above all others here. */
    nextID(): string {
        return this.ids.next(this.parley.nowUs);
    }

    /** Returns what is to be added. */
    item<M extends ActionName>(
        method: M, given: Given<Methods[M]["request"]>,
        { id, ...rest }: { id?: string; target?: string; guess?: UnsentRow["guess"]; file?: string } = {},
    ): UnsentRow {
        const { me } = this.parley;
        if (me === undefined) throw this.parley.isClosed ? wasClosed() : signedOut();
        return newItem(id ?? this.nextID(), method, given, me, this.parley.nowUs, rest);
    }

    /**
     * Shows what I do at once; the promise resolves once it is stored.
     * @param file the file that it sends.
     * @throws Refusal `outbox_full`, `storage_failed`; then it is not shown any more.
     */
    async add(given: UnsentRow, file?: Blob): Promise<void> {
        const { account, options } = this.parley;
        if (!account) throw this.parley.isClosed ? wasClosed() : signedOut();
        if (this.parley.isLeaving) throw signedOut();
        // One that is sent at once need not be stored again for that.
        const item = { ...given, wasTried: given.file === undefined && this.sender.sendsAtOnce(given.lane) };
        together(() => {
            const known = this.find(item.id);
            if (known) {
                Object.assign(known, newEntry(item, "writing"));
            } else {
                if (this.entries.length >= options.unsentMax) {
                    throw new Refusal("outbox_full",
                        `${options.unsentMax} things that you did are not sent yet. Wait until some are, or drop some.`);
                }
                this.insert(newEntry(item, "writing"));
            }
            this.show(item);
            this.parley.noteUnsent();
        });
        try {
            await account.store.write((rows) => {
                if (file && item.file !== undefined) rows.putFile(item.file, file);
                rows.putUnsent(item);
            });
        } catch (error) {
            if (account === this.parley.account) this.forget([item.id]);
            throw new Refusal("storage_failed", refusalOf(error).message);
        }
        if (account !== this.parley.account) return;
        const entry = this.find(item.id);
        // Meanwhile it may have got the number of the message that it is about.
        for (let written = item; entry && entry.item !== written;) {
            written = entry.item;
            await this.parley.write((rows) => rows.putUnsent(written));
        }
        if (entry?.state === "writing") entry.state = "waiting";
        account.tellUnsent();
        this.sender.drain();
    }

    find(id: string): Entry | undefined {
        for (let index = this.entries.length - 1; index >= 0; index--) {
            if (this.entries[index]!.item.id === id) return this.entries[index];
        }
        return undefined;
    }

    insert(entry: Entry): void {
        this.changes += 1;
        const { item } = entry;
        let index = this.entries.length;
        while (index > 0 && this.entries[index - 1]!.item.id > item.id) index--;
        this.entries.splice(index, 0, entry);
        this.ids.noteUsed(item.id);
        count(this.lanes, item.lane, 1);
        const target = changedMessage(item);
        if (target !== undefined) count(this.targets, target, 1);
    }

    /** Puts an item in the place of the one with the same id. */
    replace(item: UnsentRow, parts: Partial<Entry> = {}): void {
        const entry = this.find(item.id);
        if (!entry) return;
        this.changes += 1;
        const before = changedMessage(entry.item);
        if (before !== undefined) count(this.targets, before, -1);
        Object.assign(entry, { item, ...parts });
        const after = changedMessage(item);
        if (after !== undefined) count(this.targets, after, 1);
    }

    /** Takes entries out and shows what is true without them. */
    forget(ids: Iterable<string>): void {
        this.changes += 1;
        together(() => {
            const gone: UnsentRow[] = [];
            for (const id of ids) {
                const index = this.entries.findIndex((entry) => entry.item.id === id);
                if (index < 0) continue;
                const [entry] = this.entries.splice(index, 1);
                const { item } = entry!;
                gone.push(item);
                count(this.lanes, item.lane, -1);
                const target = changedMessage(item);
                if (target !== undefined) count(this.targets, target, -1);
            }
            for (const item of gone) this.show(item);
            if (gone.length > 0) this.parley.noteUnsent();
        });
    }

    /** Shows what is stored, at the start, and what another tab stored or sent. */
    async reload(): Promise<void> {
        let resting: Entry[] = [];
        let stored: UnsentRow[] | undefined;
        // What changes while it is read is read again.
        for (let before = -1; before !== this.changes;) {
            before = this.changes;
            resting = this.entries.filter(({ state }) => state === "waiting" || state === "failed");
            stored = await this.parley.read((rows) => rows.unsent());
            if (!stored) return;
        }
        const found = stored ?? [];
        const ids = new Set(found.map((row) => row.id));
        together(() => {
            this.forget(resting.map(({ item }) => item.id).filter((id) => !ids.has(id)));
            for (const row of found) {
                const known = this.find(row.id);
                if (known && known.state !== "waiting" && known.state !== "failed") continue;
                if (known && isSame(known.item, row)) continue;
                const item = restored(row);
                const state = item.failure ? "failed" : "waiting";
                if (known) this.replace(item, { state });
                else this.insert(newEntry(item, state));
                this.show(item);
            }
            this.parley.noteUnsent();
        });
        this.sender.drain();
    }

    /** Stores everything again: the store was emptied. */
    async keepAll(): Promise<void> {
        await this.parley.write((rows) => {
            for (const { item } of this.entries) rows.putUnsent(item);
        });
    }

    /** Forgets everything on this object; it stays in the store. */
    close(): void {
        this.sender.close();
        this.entries.splice(0);
        for (const map of [this.lanes, this.targets, this.messages, this.summaries, this.seqs]) map.clear();
        this.parley.noteUnsent();
    }

    /** What I did and the server does not have yet, in the order in which it was done. */
    get unsent(): Unsent[] {
        return this.entries.map(({ item }) => {
            const found = action(item);
            const isInConversation = found && !found.profile && !found.list;
            return {
                id: item.id, kind: found?.unsent(request(item)) ?? { type: "ofNewerVersion" },
                conversation: isInConversation ? item.lane : undefined, message: sends(item) ?? changedMessage(item),
                entity: found?.list && item.lane, doneAt: date(item.doneAtUs), ...statusOf(item),
            };
        });
    }

    // MARK: Showing

    /** Shows what an entry changes, or what is true without it. */
    show(item: UnsentRow): void {
        together(() => {
            const sent = sends(item);
            const target = changedMessage(item);
            if (sent !== undefined) {
                this.showSent(item, sent);
            } else if (target !== undefined) {
                const shown = this.parley.view.conversations.get(item.lane);
                const known = this.messages.get(target) ?? shown?.message(target);
                const firstSeq = shown?.own.firstSeq ?? 0;
                // One that was dropped, or cleared, does not come back.
                if (known && (known.seq !== undefined ? known.seq >= firstSeq : this.unsentOf(target))) {
                    this.parley.view.upsert(known);
                }
                if (!this.targets.has(target)) this.messages.delete(target);
            }
            const found = action(item);
            if (found && !found.profile && !found.list) this.showSummary(item.lane);
            if (found?.profile) this.parley.show("Profile");
            if (found?.blocked) this.parley.show("Block");
            if (found?.list) this.parley.show(found.list.kind);
        });
    }

    /** Shows a message that the server does not have, or no longer does so. */
    private showSent(item: UnsentRow, id: string): void {
        const { view, me } = this.parley;
        if (me === undefined) return;
        const shown = view.conversations.get(item.lane)?.message(id);
        const entry = this.unsentOf(id);
        if (entry) {
            const message = messageOfItem(item, me, entry.uploaded);
            if (!message) return;
            if (!shown) view.append(this.overlaid(message));
            else if (shown.seq === undefined) view.upsert(message);
        } else if (shown && shown.seq === undefined && shown.status !== "sent") {
            view.remove(id, item.lane);
        }
    }

    private showSummary(id: string): void {
        if (id === ownLane) return;
        const known = this.summaries.get(id) ?? this.parley.summaryOf(id);
        if (!this.lanes.has(id)) {
            this.summaries.delete(id);
            // It was never created.
            if (!known.facts) this.parley.view.forgetFacts(id);
        }
        this.parley.showSummary(known);
    }

    /** Returns what to show of a message that the server has. */
    overlaid(message: Message): Message {
        if (!this.targets.has(message.id)) return message;
        this.messages.set(message.id, message);
        let shown = message;
        let status: Pick<Message, "syncStatus" | "refusal"> = message;
        let isFirst = true;
        for (const { item } of this.entries) {
            if (changedMessage(item) !== message.id) continue;
            if (!item.failure) shown = action(item)!.message!(shown, request(item), date(item.doneAtUs));
            // Of a message that is not sent, its own state counts.
            if (message.seq === undefined || (!isFirst && status.syncStatus === "failed")) continue;
            [status, isFirst] = [statusOf(item), false];
        }
        return { ...shown, syncStatus: status.syncStatus, refusal: status.refusal };
    }

    /** What to show of the conversations with which I did something that the store does not have yet. */
    get overlaidSummaries(): Summary[] {
        return [...this.summaries.values()].map((summary) => this.overlaidSummary(summary));
    }

    /** Returns what to show of a conversation. */
    overlaidSummary(summary: Summary): Summary {
        const { id } = summary;
        const { me, view } = this.parley;
        if (me === undefined || !this.lanes.has(id)) return summary;
        let shown = summary;
        if (!shown.facts) {
            // What is shown may be guessed.
            const known = this.summaries.get(id);
            shown = { ...shown, facts: known ? known.facts : view.facts(id) };
        }
        this.summaries.set(id, shown);
        let hasMarks = false;
        let status: Pick<Summary, "syncStatus" | "refusal"> = { syncStatus: "synced" };
        for (const { item } of this.entries) {
            if (item.lane !== id) continue;
            shown = overlay(shown, item, me);
            const found = action(item);
            if (found?.marks) hasMarks = true;
            if (found?.summary && status.syncStatus !== "failed") status = statusOf(item);
        }
        if (hasMarks) {
            const unread = view.unread(id, shown.own.readUpTo, shown.own.unread);
            shown = { ...shown, own: { ...shown.own, unread } };
        }
        return { ...shown, ...status };
    }

    // MARK: What has no order

    /** Returns my profile with what I did on top. */
    overlaidProfile(profile: Profile): Profile {
        let shown = profile;
        for (const { item } of this.entries) {
            const change = action(item)?.profile;
            if (!change) continue;
            const status = shown.syncStatus === "failed" ? {} : statusOf(item);
            shown = { ...(item.failure ? shown : change(shown, request(item))), ...status };
        }
        return shown;
    }

    /** Returns the people whom I block, with what I did on top. */
    overlaidBlocked(blocked: readonly User[], userOf: (guess: UnsentRow["guess"]) => User): readonly User[] {
        let shown = blocked;
        for (const { item } of this.entries) {
            const change = action(item)?.blocked;
            if (change && !item.failure && item.guess) shown = change(shown, userOf(item.guess));
        }
        return shown;
    }

    /** Returns a list without an order of its own, with what I did on top. */
    overlaidList<T extends Listed>(kind: KeyedKind, things: readonly T[]): readonly T[] {
        let shown = things;
        for (const { item } of this.entries) {
            const list = action(item)?.list;
            if (list?.kind !== kind) continue;
            shown = changeList(shown, list.change(request(item), item.doneAtUs, this.parley.me ?? ""), statusOf(item));
        }
        return shown;
    }

    /** Whether what an entry changes is shown only once it is read from the store. */
    isShownLater(id: string): boolean {
        const item = this.find(id)?.item;
        const found = item && action(item);
        return found !== undefined && (found.list ?? found.profile ?? found.blocked) !== undefined;
    }

    /** Takes what the server has now: the entry falls away, what depends on it knows the number. */
    sent(id: string, message?: string, seq?: number): void {
        together(() => {
            if (message !== undefined && seq !== undefined) {
                this.seqs.set(message, seq);
                for (const { item } of [...this.entries]) {
                    if (item.id !== id && item.target === message) this.replace(resolved(item, seq));
                }
            }
            const item = this.find(id)?.item;
            if (message !== undefined && item) this.parley.view.noteSent(message, item.lane);
            if (item?.file !== undefined) void this.parley.write((rows) => rows.removeFile(item.file!));
            this.forget([id]);
        });
    }

    // MARK: Questions

    /** Returns the number of a message, which whoever holds an older state of it may not know; 0: it has none. */
    seqOf(message: Message): number {
        const { id, conversation } = message;
        const known = this.parley.view.conversations.get(conversation)?.message(id);
        return message.seq ?? known?.seq ?? this.seqs.get(id) ?? 0;
    }

    /** Returns the entry that sends a message; absent: it is sent. */
    unsentOf(message: string): Entry | undefined {
        return this.entries.find(({ item }) => sends(item) === message);
    }

    /** Returns the id of a mark that is not on its way yet. */
    waitingMarks(lane: string): string | undefined {
        // The tab that leads may be sending what waits here.
        if (!this.parley.account?.isLeading) return undefined;
        for (const { item, state } of [...this.entries].reverse()) {
            if (item.lane !== lane) continue;
            if (action(item)?.marks) return state === "waiting" ? item.id : undefined;
            // What marks it as unread comes in between.
            if (item.method === "messaging.UpdateInboxState") return undefined;
        }
        return undefined;
    }

    /** Whether something is unsent in a lane. */
    isBusy(lane: string): boolean {
        return this.lanes.has(lane);
    }

    /** Whether the server cannot have what an entry does: it was never tried, or refused. */
    isHereAlone({ state, item }: Entry): boolean {
        return state === "failed" || (state === "waiting" && !item.wasTried);
    }
}

function count(map: Map<string, number>, key: string, change: number): void {
    const value = (map.get(key) ?? 0) + change;
    if (value > 0) map.set(key, value);
    else map.delete(key);
}

/** Shows what an action changes of a conversation. */
function overlay(summary: Summary, item: UnsentRow, me: string): Summary {
    if (item.failure) return summary;
    let shown = summary;
    if (item.guess && creates(item) && shown.facts?.section === undefined) {
        shown = { ...shown, facts: factsOf(item.guess, me), section: "inbox" };
    }
    const found = action(item);
    if (found?.sends) {
        const activeAt = Math.max(shown.place.activeAt, item.doneAtUs);
        shown = { ...shown, place: { ...shown.place, activeAt } };
    }
    if (found?.marks) {
        const marks = request(item) as Methods["messaging.UpdateMarks"]["request"];
        const readUpTo = marks.marks[0]?.read_seq ?? 0;
        if (readUpTo > shown.own.readUpTo) {
            shown = { ...shown, own: { ...shown.own, readUpTo, unread: { ...shown.own.unread, isMarked: false } } };
        }
    }
    return found?.summary ? found.summary(shown, request(item), item.doneAtUs, me) : shown;
}

/** Whether the same is stored. */
function isSame(one: UnsentRow, other: UnsentRow): boolean {
    return one.id === other.id && one.target === other.target && one.targetSeq === other.targetSeq
        && one.wasTried === other.wasTried && one.failure?.code === other.failure?.code
        && one.body.length === other.body.length && one.body.every((byte, index) => byte === other.body[index]);
}

