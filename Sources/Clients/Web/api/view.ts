import type { Outbox } from "../outbox/outbox";
import type { ReadCount } from "../protocol/generated/messages";
import { Summary, nothingOwn } from "../store/summary";
import { Conversation } from "./conversation";
import { LoadedRanges, Span } from "./held";
import { guarded } from "./observable";
import type { Parley } from "./parley";
import type { DeliveryStatus, Facts, Message, Receipt, Unread } from "./values";

/** What happened in a conversation, for code that shows nothing: notifications, badges, logs. */
export type ConversationChange =
    /** A message is new. */
    | { type: "appended"; conversation: string; message: Message }
    /** Anything else about a message changed. */
    | { type: "changed"; conversation: string; message: Message }
    /** Others have received a message of mine, or read it. */
    | { type: "status"; conversation: string; message: Message }
    /** Messages are no longer shown: they were cleared, have disappeared, or were dropped. */
    | { type: "removed"; conversation: string; messages: readonly string[] }
    /** Something else about a conversation changed: its name, its members, what I have read of it. */
    | { type: "updated"; conversation: string }
    /** A conversation is gone. */
    | { type: "gone"; conversation: string };

const ranks: Record<DeliveryStatus, number> = { sending: 0, failed: 0, sent: 1, delivered: 2, read: 3 };

/** Returns the status after news of another one. The statuses that the server knows only go up. */
function advanced(known: DeliveryStatus, other: DeliveryStatus): DeliveryStatus {
    return ranks[other] > ranks[known] || (ranks[other] === 0 && ranks[known] === 0) ? other : known;
}

/** Holds all conversations and their messages in memory, and is the only one that changes them. */
export class View {
    readonly conversations = new Map<string, Conversation>();
    readonly listeners = new Set<(change: ConversationChange) => void>();
    /** What I did and the server does not have, which is shown on top of what it has. */
    outbox!: Outbox;
    /** My user id. */
    me: string | undefined;
    private isConfirmed = false;
    /** When the next message disappears that is shown, or earlier. */
    private nextExpiry = Infinity;

    constructor(private readonly parley: Parley) {}

    /** Returns the object of a conversation, always the same one. */
    conversation(id: string): Conversation {
        let known = this.conversations.get(id);
        if (!known) {
            known = new Conversation(id, this.parley);
            known.isFromCache = !this.isConfirmed;
            this.conversations.set(id, known);
        }
        return known;
    }

    private tell(change: ConversationChange): void {
        for (const listener of [...this.listeners]) guarded(() => listener(change));
    }

    /** Forgets everything. */
    close(): void {
        for (const conversation of this.conversations.values()) conversation.reset();
        this.conversations.clear();
        this.isConfirmed = false;
        this.me = undefined;
    }

    // MARK: Messages

    /** Shows a message that is new, if its place is loaded. One that is known already changes nothing. */
    append(message: Message): void {
        const conversation = this.conversation(message.conversation);
        if (conversation.held.byID(message.id)) return;
        if (message.seq !== undefined) conversation.meanwhile?.push(message);
        this.insert(message, conversation);
    }

    /** Shows a message, new or changed. A message of mine that was unsent takes its place among the others. */
    upsert(received: Message): void {
        const message = this.outbox.overlaid(received);
        const conversation = this.conversation(message.conversation);
        // What I do with it may have ended when it is shown again.
        if (received.seq !== undefined) conversation.meanwhile?.push(received);
        const known = conversation.held.byID(message.id);
        if (!known) return this.insert(message, conversation);
        // What the server has is not undone by what this browser remembers.
        if (known.seq !== undefined && message.seq === undefined) return;
        const merged = { ...message, status: advanced(known.status, this.statusOf(message, conversation)) };
        // One that shows an event or a decision comes again when that changes.
        if (sameMessage(merged, known) && !merged.note?.entity) return;
        this.noteExpiry(merged);
        if (known.seq === message.seq) {
            conversation.held.replace(merged);
        } else if (message.seq !== undefined && message.seq < (conversation.newestStored?.seq ?? 0) && conversation.isOpenAndEmpty) {
            // Newer ones are stored that are not shown yet. It takes its place when they are read.
            conversation.held.replace({ ...known, status: "sent", syncStatus: "synced" });
        } else {
            conversation.held.remove(known.id);
            if (message.seq !== undefined) this.place(merged, message.seq, conversation);
        }
        conversation.touch();
        this.tell({ type: "changed", conversation: conversation.id, message: merged });
    }

    /** Shows a message of mine that the server has now, if its place is loaded. */
    private place(message: Message, seq: number, conversation: Conversation): void {
        // Nothing else was there yet.
        if (conversation.isLoaded && conversation.loaded.isEmpty) conversation.loaded = LoadedRanges.startingAt(seq);
        if (conversation.loaded.contains(seq)) {
            const there = conversation.held.bySeq(seq);
            if (there) conversation.held.remove(there.id);
            conversation.held.insert(message);
        } else if (seq >= (conversation.newestStored?.seq ?? 0)) {
            conversation.newestStored = message;
        }
    }

    private insert(given: Message, conversation: Conversation): void {
        this.noteExpiry(given);
        const message = { ...given, status: this.statusOf(given, conversation) };
        const { seq } = message;
        if (seq !== undefined) {
            if (!conversation.loaded.contains(seq)) {
                const newest = conversation.newestStored?.seq ?? 0;
                if (seq < newest) return;
                conversation.newestStored = message;
                conversation.touch();
                if (seq > newest) this.tell({ type: "appended", conversation: conversation.id, message });
                return;
            }
            // The server's history was replaced: another message has the number now.
            const there = conversation.held.bySeq(seq);
            if (there) conversation.held.remove(there.id);
        }
        conversation.held.insert(message);
        conversation.touch();
        this.tell({ type: "appended", conversation: conversation.id, message });
    }

    /** Shows a message that is not sent yet under a new id. */
    renew(old: string, message: Message): void {
        this.remove(old, message.conversation);
        this.append(message);
    }

    /** Returns the status of a message of mine, as far as the others' receipts say. */
    private statusOf({ seq, sender, status }: Message, { reached }: Conversation): DeliveryStatus {
        if (seq === undefined || reached.delivered < seq || sender !== this.me) return status;
        return advanced(status, reached.read >= seq ? "read" : "delivered");
    }

    /** Notes that the server has a message, which is shown as unsent until it comes. */
    noteSent(id: string, conversation: string): void {
        const chat = this.conversations.get(conversation);
        const known = chat?.held.byID(id);
        if (chat && known) this.setStatus("sent", known, chat);
    }

    private setStatus(status: DeliveryStatus, known: Message, conversation: Conversation): void {
        const after = advanced(known.status, status);
        if (after === known.status) return;
        const isSent = known.status === "sending" || known.status === "failed";
        const message: Message = {
            ...known, status: after, ...(isSent ? { syncStatus: "synced", refusal: undefined } : {}),
        };
        conversation.held.replace(message);
        conversation.touch();
        this.tell({ type: "status", conversation: conversation.id, message });
    }

    /** Notes how far another member has read, and what that says of my messages. */
    setReceipt(receipt: Receipt, user: string, id: string): void {
        const conversation = this.conversation(id);
        conversation.setReceipt(user, receipt);
        if (user === this.me) return;
        const before = conversation.reached;
        if (receipt.readUpTo <= before.read && receipt.deliveredUpTo <= before.delivered) return;
        const reached = {
            read: Math.max(before.read, receipt.readUpTo),
            delivered: Math.max(before.delivered, receipt.deliveredUpTo, receipt.readUpTo),
        };
        conversation.reached = reached;
        const { held } = conversation;
        let index = held.place(Math.min(before.read, before.delivered) + 1);
        for (; index < held.confirmedCount; index++) {
            const message = held.at(index)!;
            if (message.seq! > reached.delivered) break;
            if (message.sender === this.me) {
                this.setStatus(reached.read >= message.seq! ? "read" : "delivered", message, conversation);
            }
        }
    }

    /** Notes how many have read a message of mine, in a large group. */
    takeReadCount({ conversation: id, seq, read, delivered }: ReadCount): void {
        const conversation = this.conversations.get(id);
        const message = conversation?.held.bySeq(seq);
        if (!conversation || !message || message.sender !== this.me || read + delivered === 0) return;
        this.setStatus(read > 0 ? "read" : "delivered", message, conversation);
    }

    /** Forgets how far others have read a conversation, which is read again. */
    dropReceipts(id: string): void {
        const conversation = this.conversations.get(id);
        if (!conversation || conversation.receipts.size === 0) return;
        conversation.forgetReceipts();
        conversation.touch();
    }

    /** Removes messages: all up to a number, which I cleared. */
    clear(id: string, upTo: number): void {
        const conversation = this.conversations.get(id);
        if (!conversation) return;
        this.removeFrom(conversation, ({ seq }) => seq !== undefined && seq <= upTo);
        conversation.own = { ...conversation.own, firstSeq: Math.max(conversation.own.firstSeq, upTo + 1) };
        conversation.loaded = conversation.loaded.without(upTo);
        conversation.touch();
    }

    /** Removes messages that have disappeared by now. It costs nothing before the next one does. */
    expire(now: Date): void {
        if (now.getTime() < this.nextExpiry) return;
        this.nextExpiry = Infinity;
        for (const conversation of this.conversations.values()) {
            this.removeFrom(conversation, ({ expiresAt }) => expiresAt !== undefined && expiresAt <= now);
            for (const message of conversation.messages) this.noteExpiry(message);
        }
    }

    private noteExpiry({ expiresAt }: Message): void {
        if (expiresAt && expiresAt.getTime() < this.nextExpiry) this.nextExpiry = expiresAt.getTime();
    }

    /** Removes a message that was never sent. */
    remove(id: string, conversation: string): void {
        const chat = this.conversations.get(conversation);
        if (chat?.held.byID(id)) this.removeFrom(chat, (message) => message.id === id);
    }

    /** Removes all messages that the server has, which are read again. */
    dropMessages(id: string): void {
        const conversation = this.conversations.get(id);
        if (!conversation) return;
        this.removeFrom(conversation, ({ seq }) => seq !== undefined);
        conversation.loaded = LoadedRanges.none;
        conversation.touch();
    }

    private removeFrom(conversation: Conversation, isRemoved: (message: Message) => boolean): void {
        const { newestStored } = conversation;
        if (newestStored && isRemoved(newestStored)) conversation.newestStored = undefined;
        const messages = conversation.held.removeWhere(isRemoved);
        if (messages.length === 0) return;
        conversation.touch();
        this.tell({ type: "removed", conversation: conversation.id, messages });
    }

    // MARK: Windows

    /** Notes that messages of a conversation are being read from the store: what arrives until then is newer. */
    beginReading(id: string): void {
        const conversation = this.conversation(id);
        conversation.readings += 1;
        if (conversation.readings === 1) conversation.meanwhile = [];
    }

    endReading(id: string): void {
        const conversation = this.conversation(id);
        const messages = conversation.meanwhile ?? [];
        conversation.meanwhile = undefined;
        for (const message of messages) {
            if (message.seq === undefined || conversation.loaded.contains(message.seq)) this.upsert(message);
        }
        conversation.readings -= 1;
        // What others read may be older still.
        if (conversation.readings > 0) conversation.meanwhile = messages;
    }

    /** Shows the newest messages, in ascending order, from a number on. */
    showNewest(messages: readonly Message[], first: number, id: string): void {
        const conversation = this.conversation(id);
        const shown = new Map(messages.map((message) => [message.id, this.shown(message, conversation)]));
        for (const message of conversation.held.messages) {
            // What arrived while these were read, and what is unsent.
            if (!shown.has(message.id) && (message.seq ?? Infinity) >= first) shown.set(message.id, message);
        }
        conversation.held.fill([...shown.values()]);
        conversation.loaded = LoadedRanges.startingAt(first);
        conversation.touch();
    }

    /** Shows older messages, in ascending order, which are all that exist in a range of numbers. */
    showRange(messages: readonly Message[], range: Span, id: string): void {
        const conversation = this.conversation(id);
        if (conversation.loaded.isEmpty) return;
        const { held } = conversation;
        const news = messages.filter((message) => held.byID(message.id)?.seq === undefined);
        const ids = new Set(news.map((message) => message.id));
        // One that was unsent takes its place.
        const others = held.messages.filter((message) => !ids.has(message.id));
        held.fill([...news.map((message) => this.shown(message, conversation)), ...others]);
        conversation.loaded = conversation.loaded.covering(range);
        conversation.touch();
    }

    private shown(message: Message, conversation: Conversation): Message {
        this.noteExpiry(message);
        const overlaid = this.outbox.overlaid(message);
        return { ...overlaid, status: this.statusOf(overlaid, conversation) };
    }

    // MARK: Conversations

    setTyping(users: readonly string[], id: string): void {
        const others = users.filter((user) => user !== this.me);
        const conversation = this.conversation(id);
        if (same(conversation.typing, others)) return;
        conversation.typing = others;
        conversation.touch();
    }

    setDraft(draft: string, id: string): void {
        const conversation = this.conversation(id);
        conversation.isDraftNewer = true;
        if (conversation.draft === draft) return;
        conversation.draft = draft;
        conversation.touch();
        this.tell({ type: "updated", conversation: id });
    }

    /** Takes over what the store says of a conversation. */
    take(summary: Summary): void {
        const conversation = this.conversation(summary.id);
        let isChanged = false;
        if (summary.facts && (!conversation.hasFacts || !same(conversation.facts, summary.facts))) {
            conversation.facts = summary.facts;
            isChanged = true;
        }
        if (!same(conversation.own, summary.own)) {
            conversation.own = summary.own;
            isChanged = true;
        }
        if (isChanged) this.tell({ type: "updated", conversation: summary.id });
        if (conversation.syncStatus !== summary.syncStatus) {
            [conversation.syncStatus, conversation.refusal] = [summary.syncStatus, summary.refusal];
            isChanged = true;
        }
        if (summary.draft !== undefined && summary.draft !== conversation.draft && !conversation.isDraftNewer) {
            conversation.draft = summary.draft;
            isChanged = true;
        }
        const isOther = summary.last?.id !== conversation.newestStored?.id || summary.isWhole;
        if (conversation.loaded.isEmpty && isOther && !same(conversation.newestStored, summary.last)) {
            conversation.newestStored = summary.last;
            isChanged = true;
        }
        if (isChanged) conversation.touch();
    }

    /** Forgets what was guessed of a conversation that was never created. */
    forgetFacts(id: string): void {
        const conversation = this.conversations.get(id);
        if (!conversation?.hasFacts) return;
        conversation.facts = undefined;
        conversation.touch();
        this.tell({ type: "gone", conversation: id });
    }

    /** Removes a conversation that is gone. */
    drop(id: string): void {
        const conversation = this.conversations.get(id);
        if (!conversation) return;
        this.dropMessages(id);
        const { facts } = conversation;
        conversation.facts = facts && { ...facts, section: undefined };
        conversation.own = nothingOwn;
        conversation.forgetReceipts();
        conversation.touch();
        this.tell({ type: "gone", conversation: id });
    }

    /** Notes that everything shown is what the server has. */
    confirm(): void {
        this.isConfirmed = true;
        for (const conversation of this.conversations.values()) {
            if (!conversation.isFromCache) continue;
            conversation.isFromCache = false;
            conversation.touch();
        }
    }

    /** Returns what is shown of a conversation; absent when nothing is known of it. */
    facts(id: string): Facts | undefined {
        return this.conversations.get(id)?.facts;
    }

    /** Returns how many messages are unread above one, as far as they are shown. */
    unread(id: string, above: number, known: Unread): Unread {
        const left = this.conversation(id).messages.filter(({ seq, sender, kind, isDeleted }) =>
            seq !== undefined && seq > above && sender !== this.me && kind !== "system" && !isDeleted);
        const mentions = left.filter((message) => this.me !== undefined && message.mentions.includes(this.me));
        return {
            messages: Math.min(known.messages, left.length), mentions: Math.min(known.mentions, mentions.length),
            isMarked: known.isMarked,
        };
    }
}

/** Whether two values show the same. */
export function same(one: unknown, other: unknown): boolean {
    if (one === other) return true;
    if (one instanceof Date || other instanceof Date) {
        return one instanceof Date && other instanceof Date && one.getTime() === other.getTime();
    }
    if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    for (const name of names) {
        if (!same((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name])) return false;
    }
    return true;
}

const sameMessage = (one: Message, other: Message) => same(one, other);
