import type { Unsent } from "../outbox/unsent";
import { create, decode, encode } from "../protocol/codec";
import type { PresenceState, ReportReason as StoredReason } from "../protocol/generated/messages";
import type { Method } from "../protocol/generated/methods";
import { serverAddress } from "../protocol/link";
import type { Conversation } from "./conversation";
import { BrowserCredentials } from "./credentials";
import type { AccountState, RequestCount } from "./state";
import { ParleyEntities } from "./parley-entities";
import type { ParleyOptions } from "./options";
import type { Unsubscribe } from "./observable";
import { StoreProblem } from "../store/problem";
import { Refusal, offline, refusalOf, signedOut } from "./refusal";
import { MessageSearch, SearchFilter } from "./search";
import {
    Message, OwnPresence, Presence, Profile, ReportReason, SignedInDevice, User, deviceOf, directConversation,
    microseconds, presenceOf, userOf, wireUser,
} from "./values";
import type { ConversationChange } from "./view";

/** What registering takes. */
export interface Registration {
    username: string;
    password: string;
    /** Absent: the username. */
    displayName?: string;
    /** How I recognize this browser among my devices. */
    deviceName?: string;
    /** A code of whoever runs the server, where registering takes one. */
    code?: string;
    /** A token of {@link Parley.registrationPage}, where registering takes one. Work is done without it, in seconds. */
    proof?: string;
}

/** The server forgets whom I watch after 90 s. */
const watchEvery = 60_000;
const watchLasts = 90_000;
/** How long signing out waits until the server knows, in milliseconds. */
const toldWithin = 3_000;
/** The most people whom a session watches. */
const watchedMax = 200;

/**
 * A person's chats in this browser. It opens with what is stored, without waiting for the network, and keeps it equal
 * to what the server has. All that it shows can be observed: {@link Parley.subscribe}.
 *
 *     const parley = await Parley.open("wss://chat.example.com");
 *     if (!parley.user) await parley.signIn("alice", password);
 */
export class Parley extends ParleyEntities {
    private watched: readonly string[] = [];
    /** Whom other tabs watch, and until when, in milliseconds. */
    private readonly watchedElsewhere = new Map<string, number>();
    /** What I do in this tab, and in the foreground of another one, of those that this one leads. */
    private activity = { isInForeground: false, conversation: "" };
    private activityElsewhere: string | undefined;
    private watching: ReturnType<typeof setInterval> | undefined;

    /**
     * Opens what is stored of the person who signed in last, then connects in the background. It does not wait for the
     * network, and it never fails: {@link Parley.storageProblem} says what could not be opened.
     * @param server "wss://host:port", or "ws://host:port" without TLS.
     */
    static async open(server: string, options: Partial<ParleyOptions> = {}): Promise<Parley> {
        const parley = new Parley(server, options);
        await parley.start();
        return parley;
    }

    /** Returns the people who are signed in at a server in this browser, the one who was opened last first. */
    static async accounts(server: string, database = "parley"): Promise<{ user: string; username: string }[]> {
        const credentials = await BrowserCredentials.open(database, serverAddress(server));
        try {
            return await credentials.people();
        } finally {
            credentials.close();
        }
    }

    // MARK: What is shown

    /** Since when there is no connection, if `connection` is `offline`. */
    get offlineSince(): Date | undefined {
        return this.state.offlineSince;
    }

    /**
     * Why the last attempt to connect failed; absent after a success. If the server signed this device out, the reason,
     * until somebody signs in.
     */
    get problem(): Refusal | undefined {
        return this.state.problem;
    }

    /** Why what is shown is not kept in the browser, or not all of it; absent: it is. */
    get storageProblem(): Refusal | undefined {
        return this.state.storageProblem;
    }

    /** The id of the person who is signed in; absent: nobody. */
    get user(): string | undefined {
        return this.state.user;
    }

    /** Whether somebody is signed in here. */
    get accountState(): AccountState {
        if (this.state.isSigningIn) return "signingIn";
        if (this.ending) return "ended";
        return this.user === undefined ? "signedOut" : "signedIn";
    }

    /** My profile; absent until it is known. */
    get profile(): Profile | undefined {
        return this.state.profile;
    }

    get requestCount(): RequestCount {
        return this.state.requestCount;
    }

    /** The people whom I block. */
    get blocked(): readonly User[] {
        return this.state.blocked;
    }

    /** Who is online, of the people of {@link watchPresence}, by their ids. */
    get presence(): ReadonlyMap<string, Presence> {
        return this.state.presence;
    }

    /** What I say of myself on all my devices; absent until it is known. */
    get ownPresence(): OwnPresence | undefined {
        return this.state.ownPresence;
    }

    /** Whether what is shown has not been confirmed by the server since the page was opened. */
    get isFromCache(): boolean {
        return this.state.isFromCache;
    }

    /** What I did and the server does not have yet, in the order in which it was done. */
    get unsent(): readonly Unsent[] {
        return this.state.unsent;
    }

    /**
     * Whether nine tenths of the room for what is unsent are taken. When it is full, more is refused: `outbox_full`.
     */
    get isOutboxNearlyFull(): boolean {
        return this.unsent.length * 10 >= this.options.unsentMax * 9;
    }

    /** Calls a function with what happens in all conversations from now on, until the result is called. */
    onChange(listener: (change: ConversationChange) => void): Unsubscribe {
        this.view.listeners.add(listener);
        return () => void this.view.listeners.delete(listener);
    }

    /** Returns a conversation, always the same object for the same id, and begins to load its newest messages. */
    conversation(id: string): Conversation {
        const conversation = this.view.conversation(id);
        if (conversation.isLoaded) this.account?.lookAgain(id);
        else if (this.account && !this.reader.isLoading(id)) void this.reader.load(id);
        return conversation;
    }

    /** Returns the direct conversation with a person, by their id, whether it exists already or not. */
    conversationWith(person: string): Conversation {
        if (this.me === undefined) throw signedOut();
        return this.conversation(directConversation(this.me, person));
    }

    /**
     * Searches for messages that contain all the words, without case and accents; the last word may be unfinished.
     * Without a connection it finds those that are stored here.
     * @param where the id of a conversation, or what else leaves messages out; absent: all are searched.
     */
    search(text: string, where: string | SearchFilter = {}): MessageSearch {
        return new MessageSearch(text, typeof where === "string" ? { conversation: where } : where, this);
    }

    // MARK: My account

    /** Signs this browser in. */
    async signIn(username: string, password: string, deviceName = ""): Promise<void> {
        await this.enter((client) => client.signIn(username, password, deviceName));
    }

    /**
     * Returns the page to show to a person before they register, where registering takes a token from it, such as that
     * of a CAPTCHA; absent: it takes none.
     */
    async registrationPage(): Promise<string | undefined> {
        const client = await this.entrance();
        const challenge = await client.call("conversations.GetChallenge", "", {});
        return challenge.kind === "TOKEN" ? challenge.page : undefined;
    }

    /** Creates an account and signs this browser in. */
    async register(registration: Registration): Promise<void> {
        const { username, password, displayName = "", deviceName = "", code = "" } = registration;
        await this.enter(async (client) => {
            let { proof = "" } = registration;
            if (proof === "") {
                const challenge = await client.call("conversations.GetChallenge", "", {});
                if (challenge.kind === "WORK") {
                    // Few servers ask for it, so that a page need not load it before.
                    const { findProof } = await import("./proof").catch(() => { throw offline(); });
                    proof = await findProof(challenge.text, challenge.bits, username);
                }
            }
            return client.register({
                username, password, display_name: displayName, device_name: deviceName, code, proof,
            });
        });
    }

    /**
     * Signs this browser out and removes what it kept of me, also without a connection. With one, it resolves once the
     * server knows, or after a few seconds; otherwise the server is told as soon as it can be, also when the page is
     * opened again.
     * @param options `discardingUnsent`: also removes what is not sent yet; `everywhere`: signs all my devices out.
     * @throws Refusal `unsent_work` when something is not sent yet, unless it is to be discarded; `storage_failed`.
     */
    async signOut(options: { discardingUnsent?: boolean; everywhere?: boolean } = {}): Promise<void> {
        const { account } = this;
        if (!account) throw signedOut();
        // What is done from now on would be lost: it is refused.
        this.isLeaving = true;
        try {
            const stored = await account.store.read((rows) => rows.unsent());
            const unsent = Math.max(stored.length, this.outbox.entries.length);
            if (unsent > 0 && !options.discardingUnsent) {
                throw new Refusal("unsent_work", `Not sent yet: ${unsent} of your changes. Wait until they are, try `
                    + "refused ones again, or discard them.");
            }
            const couldTell = this.canAsk;
            await this.leave(options.everywhere ?? false);
            await this.removeAccount();
            const told = this.farewells.tell();
            if (couldTell) await Promise.race([told, new Promise((resolve) => setTimeout(resolve, toldWithin))]);
        } finally {
            this.isLeaving = false;
        }
    }

    private async leave(everywhere: boolean): Promise<void> {
        // Nothing is sent, and no tokens are exchanged, from now on.
        this.disconnect();
        try {
            await this.farewells.leave(everywhere);
        } catch (error) {
            if (this.account?.isLeading) await this.connect();
            throw new Refusal("storage_failed", refusalOf(error).message);
        }
    }

    /**
     * Erases my account on the server and removes what this browser kept of me. It cannot be undone: others keep the
     * messages that I sent them, without my name.
     */
    async eraseAccount(password: string): Promise<void> {
        await this.ask("conversations.EraseAccount", this.me ?? "", { password });
        await this.client?.forget();
        await this.removeAccount();
    }

    private async removeAccount(): Promise<void> {
        const { account } = this;
        if (!account) return;
        account.tabs.tell({ type: "signedOut" });
        this.disconnect();
        await this.closeAccount();
        this.set({ connection: "connecting", problem: undefined });
        try {
            await this.removeStored(account.me);
        } catch (error) {
            throw StoreProblem.of(error).refusal;
        } finally {
            await this.connect();
        }
    }

    /** Returns my devices, the one used last first. */
    async devices(): Promise<SignedInDevice[]> {
        return (await this.ask("conversations.ListDevices", this.me ?? "", {})).devices.map(deviceOf);
    }

    /** Signs one of my devices out. Its sessions end within two seconds. */
    async signOutDevice(device: string): Promise<void> {
        await this.ask("conversations.RevokeDevice", this.me ?? "", { device });
    }

    /** Changes my profile. What is absent stays as it is; an empty photo or email removes it. */
    async updateProfile(changes: {
        displayName?: string; username?: string; photo?: string; email?: string; isFindableByEmail?: boolean;
    }): Promise<void> {
        const { displayName, username, photo, email, isFindableByEmail } = changes;
        await this.perform("conversations.UpdateProfile", {
            display_name: displayName, username, photo_url: photo, email, findable_by_email: isFindableByEmail,
        });
    }

    // MARK: What is unsent

    /** Sends something again that was refused. What depends on it follows. */
    async retry(unsent: string): Promise<void> {
        await this.outbox.sender.retry(unsent);
    }

    /**
     * Drops something that is not sent, with what depends on it: the edits of a message, the messages of a new
     * conversation.
     * @throws Refusal `invalid` while it is being sent.
     */
    async drop(unsent: string): Promise<void> {
        await this.outbox.sender.drop(unsent);
    }

    // MARK: Conversations

    /** Starts a conversation with a person, or continues it. */
    async startConversation(person: User): Promise<Conversation> {
        const known = this.conversationWith(person.id);
        if (known.section !== undefined && known.request !== "received") return known;
        const guess = this.guess(known.id, "DIRECT", [person]);
        await this.outbox.add(this.outbox.item("conversations.StartDirect", { user: person.id }, { guess }));
        return known;
    }

    /** Creates a group. Those who do not know me are invited. */
    async createGroup(name: string, people: readonly User[]): Promise<Conversation> {
        const id = this.outbox.nextID();
        const users = people.map((person) => person.id);
        const guess = this.guess(id, "GROUP", people, name);
        const item = this.outbox.item("conversations.CreateGroup", { id, name, users }, { id, guess });
        // Nobody has written in it before.
        this.view.showNewest([], 1, id);
        await this.outbox.add(item);
        return this.conversation(id);
    }

    private guess(id: string, kind: "DIRECT" | "GROUP", people: readonly User[], name = "") {
        const { me = "" } = this;
        const own = this.profile?.user ?? { id: me, username: "", displayName: "", isDeleted: false };
        const members = [...people.filter((person) => person.id !== me), own].map((person) => ({
            user: wireUser(person), role: kind === "GROUP" && person.id === me ? "OWNER" : "MEMBER",
        }) as const);
        return create("Conversation", {
            id, kind, name, section: "INBOX", conversation_status: "ACCEPTED", created_at_us: this.nowUs, members,
            member_count: members.length,
        });
    }

    /** Blocks a person. Once it is sent, neither of us can write to the other. */
    async block(person: User): Promise<void> {
        const guess = create("Conversation", { members: [{ user: wireUser(person) }] });
        await this.outbox.add(this.outbox.item("conversations.BlockUser", { user: person.id }, { guess }));
    }

    /** Unblocks a person. */
    async unblock(person: User): Promise<void> {
        const guess = create("Conversation", { members: [{ user: wireUser(person) }] });
        await this.outbox.add(this.outbox.item("conversations.UnblockUser", { user: person.id }, { guess }));
    }

    // MARK: People

    /** Returns the person with exactly this username. */
    async findUser(username: string): Promise<User> {
        return userOf((await this.ask("conversations.FindUser", username, { username })).user);
    }

    /**
     * Returns people with a text in their names, ignoring case and accents; those who match best come first.
     * @param options `isPicker`: leaves out me and whom I blocked, since I cannot write to them; `limit`: at most 200.
     */
    async searchUsers(text: string, options: { isPicker?: boolean; limit?: number } = {}): Promise<User[]> {
        const { isPicker = false, limit = 50 } = options;
        const wanted = Math.min(Math.max(limit, 1), 200);
        const users: User[] = [];
        let cursor = "";
        // Pages may be short, or empty, although more follow.
        for (let page = 0; page < 20; page++) {
            const reply = await this.ask("conversations.SearchUsers", this.me ?? "", {
                query: text, cursor, limit: wanted - users.length, to_write_to: isPicker,
            });
            users.push(...reply.users.map(userOf));
            if (!reply.more || users.length >= wanted) break;
            cursor = reply.cursor;
        }
        return users;
    }

    /** Returns up to 200 people, by their ids. Unknown ids are left out. */
    async users(ids: readonly string[]): Promise<User[]> {
        return (await this.ask("conversations.GetUsers", this.me ?? "", { users: ids })).users.map(userOf);
    }

    /** Reports a person to the operator, or a message, which they read then, also if it is deleted meanwhile. */
    async report(about: string | Message, reason: ReportReason, note = ""): Promise<void> {
        const isMessage = typeof about !== "string";
        if (isMessage && (about.sender === undefined || about.seq === undefined)) {
            throw new Refusal("invalid", "Only a message that somebody sent can be reported.", "message");
        }
        await this.ask("conversations.CreateReport", this.me ?? "", {
            id: this.outbox.nextID(), user: isMessage ? about.sender! : about, note,
            ...(isMessage ? { conversation: about.conversation, seq: about.seq! } : {}),
            reason: reason.toUpperCase() as StoredReason,
        });
    }

    // MARK: Presence

    /**
     * Keeps {@link presence} up to date for up to 200 people, whenever there is a connection. It replaces the people of
     * the last call; none: nobody is watched.
     */
    async watchPresence(people: readonly string[]): Promise<void> {
        this.watched = [...people];
        this.set({ presence: new Map([...this.presence].filter(([user]) => people.includes(user))) });
        clearInterval(this.watching);
        if (people.length === 0) return;
        this.watching = setInterval(() => void this.watchAgain(), watchEvery);
        if (this.canAsk) await this.watchNow();
    }

    private async watchNow(): Promise<void> {
        const users = this.watched;
        const states = (await this.watchAll()).filter(({ user }) => users.includes(user));
        if (users !== this.watched) return;
        this.set({ presence: new Map(states.map((state) => [state.user, presenceOf(state)])) });
    }

    /** Watches for this tab and those that it leads: a session has one watch, and each replaces the one before. */
    private async watchAll(): Promise<readonly PresenceState[]> {
        const now = Date.now();
        for (const [user, until] of this.watchedElsewhere) if (until < now) this.watchedElsewhere.delete(user);
        const users = [...new Set([...this.watched, ...this.watchedElsewhere.keys()])].slice(0, watchedMax);
        return (await this.ask("presence.WatchPresence", this.me ?? "", { users })).states;
    }

    /** @internal Makes a request of another tab. */
    override async transmitFor(method: Method, key: string, body: Uint8Array): Promise<Uint8Array> {
        if (method !== "presence.WatchPresence") return super.transmitFor(method, key, body);
        const { users } = decode("WatchPresenceRequest", body);
        for (const user of users) this.watchedElsewhere.set(user, Date.now() + watchLasts);
        const states = await this.watchAll();
        return encode("PresenceReply", { states: states.filter(({ user }) => users.includes(user)) });
    }

    private async watchAgain(): Promise<void> {
        // It is asked again with the next session, or in a minute.
        if (this.canAsk && this.watched.length > 0) await this.watchNow().catch(() => undefined);
    }

    protected override presenceRestarted(): void {
        // Not all at once with everybody else.
        setTimeout(() => void this.watchAgain(), Math.random() * 1000);
    }

    protected override nowOnline(): void {
        void this.watchAgain();
        if (this.me !== undefined) void this.readOwnPresence();
    }

    protected override async entered(...given: Parameters<ParleyEntities["entered"]>): Promise<void> {
        await super.entered(...given);
        this.nowOnline();
    }

    private async readOwnPresence(): Promise<void> {
        try {
            this.showOwnPresence(await this.ask("presence.GetOwnPresence", this.me ?? "", {}));
        } catch {
            // It is read again with the next session.
        }
    }

    /** Says on all my devices whether I am away or do not want to be disturbed, as long as I am connected. */
    async setAvailability(availability: OwnPresence["availability"]): Promise<void> {
        const stored = { automatic: "AUTOMATIC", away: "SAYS_AWAY", doNotDisturb: "SAYS_DO_NOT_DISTURB" } as const;
        const given = { availability: stored[availability] };
        this.showOwnPresence(await this.ask("presence.SetPresence", this.me ?? "", given));
    }

    /** Sets the line that others read while I am connected, until a time; empty: none. */
    async setStatus(text: string, until?: Date): Promise<void> {
        const status = { text, ends_us: text !== "" && until ? microseconds(until) : 0 };
        this.showOwnPresence(await this.ask("presence.SetPresence", this.me ?? "", { status }));
    }

    /** Hides me: to these people I am offline, and they are to me. */
    async setHiding(hiding: OwnPresence["hiding"]): Promise<void> {
        const stored = { fromNobody: "FROM_NOBODY", fromAll: "FROM_ALL", fromAllButAccepted: "FROM_ALL_BUT_ACCEPTED" } as const;
        this.showOwnPresence(await this.ask("presence.SetPresence", this.me ?? "", { hiding: stored[hiding] }));
    }

    /**
     * Says what I do in the app: call it when the page is hidden or shown, when the conversation on the screen changes,
     * and whenever I use the app. Without it, others see me as away after a while.
     */
    setActivity(isInForeground: boolean, conversation = ""): void {
        this.activity = { isInForeground, conversation };
        if (this.client) this.tellActivity();
        else this.account?.tabs.tell({ type: "activity", isInForeground, conversation });
    }

    protected override takeActivity(isInForeground: boolean, conversation: string): void {
        this.activityElsewhere = isInForeground ? conversation : undefined;
        this.tellActivity();
    }

    private tellActivity(): void {
        const { isInForeground, conversation } = this.activity;
        const shown = isInForeground ? conversation : this.activityElsewhere;
        this.client?.setActivity({ background: shown === undefined, current_conversation: shown ?? "" });
    }

    override async close(): Promise<void> {
        clearInterval(this.watching);
        await super.close();
    }
}

