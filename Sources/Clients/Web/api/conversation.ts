import type { ActionName } from "../outbox/actions";
import { messageOfItem } from "../outbox/item";
import type { Given } from "../protocol/codec";
import type { Choice } from "../protocol/generated/messages";
import type { Methods } from "../protocol/generated/methods";
import { OwnState, nothingOwn } from "../store/summary";
import { HeldMessages, LoadedRanges } from "./held";
import { Observable } from "./observable";
import type { Parley } from "./parley";
import { Refusal, refusalOf, wasClosed } from "./refusal";
import { SendOptions, fileKind, sentType } from "./files";
import {
    Facts, Gap, Member, Message, Receipt, RequestState, Section, SyncStatus, Unread, User, microseconds,
} from "./values";

/** The server forgets that I am typing 3 s after the last signal. */
const typingLasts = 3000;
const typingEvery = 2000;

/**
 * A conversation, as an app shows it. There is one object for each id, for as long as Parley is open: `subscribe` tells
 * of its changes. What I do shows at once, in the same turn; the promise resolves when it is stored, and it is sent
 * sooner or later, even if the page is closed or the browser is killed.
 *
 * All functions that do something reject with `storage_failed` and `outbox_full`, after which nothing is shown of it,
 * and with `closed`. What the server says later is in `syncStatus` of messages and of the conversation, and in
 * `parley.unsent`.
 */
export class Conversation extends Observable {
    /** @internal */ readonly held = new HeldMessages();
    /** @internal */ facts: Facts | undefined;
    /** @internal */ own: OwnState = nothingOwn;
    /** @internal */ loaded = LoadedRanges.none;
    /** @internal */ newestStored: Message | undefined;
    /** @internal The newest messages that somebody else has read, and that reached somebody else. */
    reached = { read: 0, delivered: 0 };
    /** @internal Messages that arrive while others are read from the store. */
    meanwhile: Message[] | undefined;
    /** @internal How many readings are under way. */
    readings = 0;
    private allReceipts: ReadonlyMap<string, Receipt> = new Map();
    private signalledAt = -Infinity;

    /** The other members who are typing now, by their ids. In a large group only while I look at it. */
    typing: readonly string[] = [];
    /** What I have begun to write. */
    draft = "";
    /** @internal Whether it was set here: then what the store has is older, or is being read while it is written. */
    isDraftNewer = false;
    /** Whether what it shows has not been confirmed by the server since the page was opened. */
    isFromCache = true;
    /** Whether the server has what I did with the conversation itself. */
    syncStatus: SyncStatus = "synced";
    /** Why the server refused what I did with it. */
    refusal: Refusal | undefined;
    /** Whether {@link load} has shown what is stored. */
    isLoaded = false;

    /** @internal */
    constructor(readonly id: string, private readonly parley: Parley) {
        super();
    }

    /** @internal */
    get hasFacts(): boolean {
        return this.facts !== undefined;
    }

    /** @internal Whether it was loaded, and nothing was stored of it. */
    get isOpenAndEmpty(): boolean {
        return this.isLoaded && this.loaded.isEmpty;
    }

    /** @internal */
    setReceipt(user: string, receipt: Receipt): void {
        this.allReceipts = new Map(this.allReceipts).set(user, receipt);
        this.touch();
    }

    /** @internal */
    forgetReceipts(): void {
        this.allReceipts = new Map();
        this.reached = { read: 0, delivered: 0 };
    }

    /** @internal Forgets everything: another person signs in. */
    reset(): void {
        this.held.fill([]);
        [this.facts, this.own, this.loaded, this.newestStored] = [undefined, nothingOwn, LoadedRanges.none, undefined];
        [this.typing, this.draft, this.isLoaded, this.isFromCache] = [[], "", false, true];
        this.isDraftNewer = false;
        this.forgetReceipts();
        this.touch();
    }

    // MARK: What everyone sees

    /** `direct`: between two people, or my notes to myself. */
    get kind(): "direct" | "group" {
        return this.facts?.kind ?? "direct";
    }

    /** The name of a group; empty for a direct conversation. */
    get name(): string {
        return this.facts?.name ?? "";
    }

    get photo(): string | undefined {
        return this.facts?.photo;
    }

    /** The members: all of them up to 64, the first 16 of a larger group. */
    get members(): readonly Member[] {
        return this.facts?.members ?? noMembers;
    }

    get memberCount(): number {
        return this.facts?.memberCount ?? 0;
    }

    /** The list in which I see it; absent if it is not known yet. */
    get section(): Section | undefined {
        return this.facts?.section;
    }

    /** Where the message request stands that it began with. */
    get request(): RequestState {
        return this.facts?.request ?? "accepted";
    }

    /** Who asks or invites me, if `request` is `received`. */
    get requester(): string | undefined {
        return this.facts?.requester;
    }

    get createdAt(): Date {
        return this.facts?.createdAt ?? new Date(0);
    }

    /** Whether I left it or was removed. */
    get hasLeft(): boolean {
        return this.facts?.hasLeft ?? false;
    }

    /**
     * What to show as its title: the name of a group or, where it has none, its members; the other person of a direct
     * conversation, or me if it is my notes to myself. Empty while it is not known.
     */
    get title(): string {
        if (this.kind === "group" && this.name !== "") return this.name;
        const others = this.members.filter((member) => member.user.id !== this.parley.me);
        const named = others.length > 0 ? others : this.members.slice(0, 1);
        return named.map((member) => member.user.displayName).join(", ");
    }

    /** The other person of a direct conversation; absent for a group and for my notes to myself. */
    get other(): User | undefined {
        if (this.kind !== "direct") return undefined;
        return this.members.find((member) => member.user.id !== this.parley.me)?.user;
    }

    // MARK: What only I see

    /** How many messages I have not read. */
    get unread(): Unread {
        return this.own.unread;
    }

    /** Whether to show it as unread. */
    get isUnread(): boolean {
        return this.unread.messages > 0 || this.unread.isMarked;
    }

    /** The number of the newest message that I have read; 0: none. */
    get readUpTo(): number {
        return this.own.readUpTo;
    }

    get isPinned(): boolean {
        return this.own.pinnedAt > 0;
    }

    /** Until when it makes no noise; "always"; absent: it is not muted. */
    get mutedUntil(): Date | "always" | undefined {
        const until = this.own.mutedUntil;
        return until === 0 ? undefined : until === Infinity ? "always" : new Date(until / 1000);
    }

    get isArchived(): boolean {
        return this.own.isArchived;
    }

    /** How long after sending messages disappear, in seconds; absent: they stay. */
    get retention(): number | undefined {
        return this.own.retention || undefined;
    }

    // MARK: Messages

    /**
     * The messages that are loaded, in ascending order, then those that the server does not have yet. Between two of
     * them messages may be missing: `gaps`. A change makes another array.
     */
    get messages(): readonly Message[] {
        return this.held.messages;
    }

    /** How far the other members have read and received it, by their ids. */
    get receipts(): ReadonlyMap<string, Receipt> {
        return this.allReceipts;
    }

    /** The newest message. */
    get lastMessage(): Message | undefined {
        const { messages } = this;
        for (let index = messages.length - 1; index >= 0; index--) {
            if (!messages[index]!.isHidden) return messages[index];
        }
        return this.newestStored;
    }

    /** Whether there are older messages than those that are loaded. */
    get hasOlder(): boolean {
        const { first } = this.loaded;
        return first === undefined || first > this.own.firstSeq;
    }

    /** Where messages are missing between those that are loaded. */
    get gaps(): readonly Gap[] {
        return this.loaded.gaps;
    }

    /** Returns a loaded message. It costs the same however many there are. */
    message(id: string): Message | undefined {
        return this.held.byID(id);
    }

    /**
     * Shows the newest messages that are stored. The first use of `parley.conversation` begins this by itself; call it
     * to wait for the end. Without a connection it shows what is stored.
     */
    async load(): Promise<void> {
        await this.parley.reader.load(this.id);
    }

    /**
     * Loads older messages than those that are shown, from the browser's storage or from the server.
     * @throws Refusal `offline` when they are not stored and there is no connection; the server's refusal.
     */
    async loadOlder(count = 50): Promise<void> {
        const { first } = this.loaded;
        if (first === undefined) return this.parley.reader.loadNewest(this.id);
        if (this.hasOlder) await this.parley.reader.loadBefore(this.id, first, count);
    }

    /** Loads the newest messages of a gap. */
    async fill(gap: Gap, count = 50): Promise<void> {
        await this.parley.reader.loadBefore(this.id, gap.last + 1, count);
    }

    /**
     * Loads the messages around a number, half of them on each side. Those that are shown stay; between them there may
     * be a gap.
     */
    async loadAround(seq: number, count = 50): Promise<void> {
        await this.parley.reader.loadAround(this.id, seq, count);
    }

    /** Shows only the newest messages again, and forgets the others: call it when a screen closes, to free memory. */
    async loadNewest(): Promise<void> {
        await this.parley.reader.loadNewest(this.id);
    }

    // MARK: Writing

    /**
     * Sends a text, a file, or both.
     *
     *     await chat.send("Hi");
     *     await chat.send("From yesterday", { file: input.files[0] });
     *
     * @returns the message, as it is shown until the server has it.
     */
    async send(text: string, options: SendOptions = {}): Promise<Message> {
        const { outbox } = this.parley;
        const { replyingTo, mentions = [], file, media: facts = {} } = options;
        this.stopTyping();
        if (file) this.parley.requireRoom(file.size);
        const attachment = file ? outbox.nextID() : "";
        const id = outbox.nextID();
        const { width, height, durationMs: duration_ms, thumbnail, isVoice = false } = facts;
        const media = file && {
            attachment, name: options.fileName ?? (file as { name?: string }).name ?? "file",
            mime_type: sentType(file.type), size_bytes: file.size, width, height, duration_ms, thumbnail,
        };
        const kind = isVoice ? "VOICE" : file ? fileKind(sentType(file.type)) : "TEXT";
        const item = outbox.item("messaging.SendMessage", {
            id, conversation: this.id, kind, text, mentions,
            reply_to_seq: replyingTo ? outbox.seqOf(replyingTo) : 0, media,
        }, { id, target: replyingTo?.id ?? "", file: file && attachment });
        await outbox.add(item, file);
        const shown = this.message(id) ?? messageOfItem(item, this.parley.me ?? "");
        if (!shown) throw wasClosed();
        return shown;
    }

    /** Changes the text of a message of mine. */
    async edit(message: Message, text: string, mentions: readonly string[] = []): Promise<void> {
        await this.perform("messaging.EditMessage",
            { conversation: this.id, seq: this.parley.outbox.seqOf(message), text, mentions }, message);
    }

    /**
     * Deletes a message for everyone. One that the server cannot have yet is dropped; what I wrote in answer to it is
     * sent all the same, and answers nothing then.
     */
    async delete(message: Message): Promise<void> {
        const { outbox } = this.parley;
        const unsent = outbox.unsentOf(message.id);
        if (unsent && outbox.isHereAlone(unsent)) {
            try {
                return await outbox.sender.drop(unsent.item.id);
            } catch (error) {
                // It went out meanwhile: then it is deleted as others are.
                if (refusalOf(error).code !== "invalid") throw error;
            }
        }
        await this.perform("messaging.DeleteMessage", { conversation: this.id, seq: this.parley.outbox.seqOf(message) }, message);
    }

    /** Reacts to a message with an emoji. */
    async react(message: Message, emoji: string): Promise<void> {
        await this.perform("messaging.UpdateReaction",
            { conversation: this.id, seq: this.parley.outbox.seqOf(message), emoji }, message);
    }

    /** Removes a reaction of mine. */
    async removeReaction(message: Message, emoji: string): Promise<void> {
        await this.perform("messaging.UpdateReaction",
            { conversation: this.id, seq: this.parley.outbox.seqOf(message), emoji, remove: true }, message);
    }

    /** Stars a message, or the reverse, for me alone. */
    async star(message: Message, isStarred = true): Promise<void> {
        await this.perform("messaging.UpdateMessageState",
            { conversation: this.id, seqs: [this.parley.outbox.seqOf(message)], starred: choice(isStarred) }, message);
    }

    /** Deletes a message for me alone. It cannot be undone. */
    async hide(message: Message): Promise<void> {
        await this.perform("messaging.UpdateMessageState",
            { conversation: this.id, seqs: [this.parley.outbox.seqOf(message)], hide: true }, message);
    }

    /** Keeps what I have begun to write, also when the page is closed. */
    setDraft(draft: string): void {
        this.parley.setDraft(draft, this.id);
    }

    /**
     * Shows the others that I am writing. Call it with each keystroke; the server is told every 2 s at most. It ends at
     * most 3 s after the last call, with {@link stopTyping}, and when I send a message. Without a connection it does
     * nothing.
     */
    typingNow(): void {
        const now = Date.now();
        if (now - this.signalledAt < typingEvery) return;
        this.signalledAt = now;
        this.parley.setTyping(true, this.id);
    }

    /** Shows the others that I stopped writing, such as when the text is empty again or the screen closes. */
    stopTyping(): void {
        if (Date.now() - this.signalledAt < typingLasts) this.parley.setTyping(false, this.id);
        this.signalledAt = -Infinity;
    }

    // MARK: What only I see, changed

    /**
     * Marks it as read up to a message; absent: up to the newest one that is known. It does nothing when that is read.
     */
    async markRead(upTo?: Message): Promise<void> {
        const { messages, parley } = this;
        const newest = messages[this.held.confirmedCount - 1]?.seq ?? this.newestStored?.seq;
        const seq = upTo?.seq ?? newest ?? 0;
        if (seq <= this.readUpTo) {
            // The server forgets that I marked it as unread with a mark that moves, or when asked to.
            return this.unread.isMarked ? this.change({ marked_unread: "NO" }) : undefined;
        }
        // The later mark takes the place of one that still waits.
        const id = parley.outbox.waitingMarks(this.id);
        const marks = [{ conversation: this.id, read_seq: seq }];
        await parley.outbox.add(parley.outbox.item("messaging.UpdateMarks", { marks }, { id }));
    }

    /** Marks it as unread. */
    async markUnread(): Promise<void> {
        await this.change({ marked_unread: "YES" });
    }

    /** Pins it to the top of the inbox, or the reverse. */
    async pin(isPinned = true): Promise<void> {
        await this.change({ pinned: choice(isPinned) });
    }

    /** Mutes it until a time; absent: without end. */
    async mute(until?: Date): Promise<void> {
        await this.change({ muted: "YES", muted_until_us: BigInt(until ? microseconds(until) : 0) });
    }

    /** Ends muting it. */
    async unmute(): Promise<void> {
        await this.change({ muted: "NO" });
    }

    /** Archives it, or the reverse. A new message brings it back, unless it is muted. */
    async archive(isArchived = true): Promise<void> {
        await this.change({ archived: choice(isArchived) });
    }

    /**
     * Lets messages that are sent from now on disappear for everyone after a time, from a minute to a year; 0: they
     * stay. In a group whoever is no admin is refused.
     */
    async setRetention(seconds: number): Promise<void> {
        await this.perform("messaging.SetRetention", { conversation: this.id, seconds });
    }

    // MARK: Requests

    /** Accepts a message request or an invitation. */
    async accept(): Promise<void> {
        await this.perform("conversations.AcceptRequest", { conversation: this.id });
    }

    /** Declines a message request or an invitation. Nobody is told. */
    async decline(): Promise<void> {
        await this.perform("conversations.DeclineRequest", { conversation: this.id });
    }

    /** Withdraws a message request of mine. */
    async withdraw(): Promise<void> {
        await this.perform("conversations.WithdrawRequest", { conversation: this.id });
    }

    // MARK: Groups

    /** Changes the name of a group. */
    async rename(name: string): Promise<void> {
        await this.perform("conversations.UpdateGroup", { conversation: this.id, name });
    }

    /** Changes the photo of a group: an `https` URL; empty: none. */
    async setPhoto(photo: string): Promise<void> {
        await this.perform("conversations.UpdateGroup", { conversation: this.id, photo_url: photo });
    }

    /** Adds people to a group, by their ids. Those who do not know me are invited; the server decides. */
    async add(people: readonly string[]): Promise<void> {
        await this.perform("conversations.AddMembers", { conversation: this.id, users: people });
    }

    /** Removes a member of a group. */
    async remove(person: string): Promise<void> {
        await this.perform("conversations.RemoveMember", { conversation: this.id, user: person });
    }

    /** Leaves a group. I may still read it up to then. */
    async leave(): Promise<void> {
        await this.perform("conversations.LeaveGroup", { conversation: this.id });
    }

    /** Makes a member an admin, or an admin a member. */
    async setAdmin(person: string, isAdmin = true): Promise<void> {
        await this.perform("conversations.SetMemberRole",
            { conversation: this.id, user: person, role: isAdmin ? "ADMIN" : "MEMBER" });
    }

    /** Makes another member the owner of a group that I own. */
    async transferOwnership(person: string): Promise<void> {
        await this.perform("conversations.TransferOwnership", { conversation: this.id, user: person });
    }

    /** Withdraws a person's invitation into a group. */
    async withdrawInvitation(person: string): Promise<void> {
        await this.perform("conversations.WithdrawInvitation", { conversation: this.id, user: person });
    }

    private change(given: Partial<Given<Methods["messaging.UpdateInboxState"]["request"]>>): Promise<void> {
        return this.perform("messaging.UpdateInboxState", { ...given, conversation: this.id });
    }

    private perform<M extends ActionName>(
        method: M, given: Given<Methods[M]["request"]>, about?: Message,
    ): Promise<void> {
        const { outbox } = this.parley;
        return outbox.add(outbox.item(method, given, { target: about?.id ?? "" }));
    }
}

const noMembers: readonly Member[] = [];
const choice = (is: boolean): Choice => (is ? "YES" : "NO");
