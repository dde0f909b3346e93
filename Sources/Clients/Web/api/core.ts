import { Outbox } from "../outbox/outbox";
import type { ActionAnswer } from "../outbox/action";
import { UnsentRow, action, request, sending } from "../outbox/item";
import { Client } from "../protocol/client";
import { decode, encode } from "../protocol/codec";
import type { Given } from "../protocol/codec";
import type * as wire from "../protocol/generated/messages";
import type { Method, Methods } from "../protocol/generated/methods";
import type { KeyedKind } from "../protocol/generated/states";
import { serverAddress } from "../protocol/link";
import { methods } from "../protocol/methods";
import type { ClientState, CredentialStore } from "../protocol/session-types";
import { StoreProblem } from "../store/problem";
import type { Rows } from "../store/rows";
import type { Summary } from "../store/summary";
import { removeDatabase } from "../store/indexed";
import { Account, databaseName } from "./account";
import { BrowserCredentials, MemoryCredentials, ServerCredentials } from "./credentials";
import type { HistoryPage } from "./engine";
import { Farewells } from "./farewell";
import { fileAddress } from "./files";
import { ConversationList } from "./list";
import { Observable, together } from "./observable";
import { ParleyOptions, defaultOptions } from "./options";
import type { Parley } from "./parley";
import { Reader } from "./reader";
import { Refusal, endsSession, offline, refusalOf } from "./refusal";
import { Screen } from "./screen";
import { Connection, ParleyState, noAccount } from "./state";
import { TabCalls } from "./tab-calls";
import type { TabNews } from "./tabs";
import { ownPresenceOf } from "./values";
import { View, same } from "./view";

/** The connection, the account, and how they come together. */
export class ParleyCore extends Observable {
    protected state: ParleyState = { connection: "connecting", isSigningIn: false, ...noAccount };
    /** @internal */ readonly options: ParleyOptions;
    /** @internal */ readonly view: View;
    /** @internal */ readonly outbox: Outbox;
    /** @internal */ readonly reader: Reader;
    /** @internal */ readonly screen: Screen;
    /** @internal */ account: Account | undefined;
    /** @internal */ isClosed = false;
    protected client: Client | undefined;
    private credentials: CredentialStore = new MemoryCredentials();
    /** The address of the server under which all is stored here: its own, or one that it had before. */
    private storedAt: string;
    protected farewells!: Farewells;
    private isSuspended = false;
    /** @internal Whether the person is signing out: what is done now would be lost. */
    isLeaving = false;
    private leaveClient: (() => void)[] = [];
    private ticking: ReturnType<typeof setInterval> | undefined;
    private ticks = 0;
    private readonly drafts = new Map<string, string>();
    private readonly tabCalls: TabCalls;
    private ownPresenceVersion = 0;
    /** My conversations, apart from those that are archived. */
    readonly inbox = new ConversationList("inbox");
    /** Message requests to me, and invitations into groups. */
    readonly requests = new ConversationList("requests");
    /** My archived conversations. It is empty until `loadMore`. */
    readonly archived = new ConversationList("inbox", true);

    /** The server's URL, written in one way. */
    readonly server: string;

    protected constructor(server: string, options: Partial<ParleyOptions>) {
        super();
        this.server = this.storedAt = serverAddress(server);
        this.options = { ...defaultOptions, ...options };
        const self = this as unknown as Parley;
        this.view = new View(self);
        this.outbox = new Outbox(self);
        this.view.outbox = this.outbox;
        this.reader = new Reader(self);
        this.screen = new Screen(self);
        this.tabCalls = new TabCalls(self);
        for (const list of this.lists) list.loadPage = (after) => this.screen.loadPage(list, after);
    }

    // MARK: What is shown

    /** @internal */
    get lists(): readonly ConversationList[] {
        return [this.inbox, this.requests, this.archived];
    }

    /** @internal The person's id. */
    get me(): string | undefined {
        return this.account?.me;
    }

    /** Whether the server can be reached. */
    get connection(): Connection {
        return this.state.connection;
    }

    /** @internal The server's time in microseconds UTC. */
    get nowUs(): number {
        return this.account?.nowUs ?? this.client?.serverNowUs() ?? Date.now() * 1000;
    }

    /** @internal Changes what is shown. */
    set(parts: Partial<ParleyState>): void {
        const names = Object.keys(parts) as (keyof ParleyState)[];
        if (names.every((name) => !(parts[name] instanceof Map) && same(parts[name], this.state[name]))) return;
        this.state = { ...this.state, ...parts };
        this.touch();
    }

    /** @internal */
    noteUnsent(): void {
        this.set({ unsent: this.outbox.unsent });
    }

    /** @internal */
    show(kind: KeyedKind): void {
        this.screen.show(kind);
    }

    /** @internal */
    showSummary(summary: Summary): void {
        this.screen.showSummary(summary);
    }

    /** @internal */
    summaryOf(id: string): Summary {
        return this.screen.summaryOf(id);
    }

    /** @internal Shows what I say of myself, unless something newer is shown. */
    showOwnPresence(state: wire.OwnPresence): void {
        if (state.version < this.ownPresenceVersion) return;
        this.ownPresenceVersion = state.version;
        this.set({ ownPresence: ownPresenceOf(state) });
    }

    // MARK: Storage

    /** @internal Reads from the store of the person who is shown; absent when it cannot, or another person is shown. */
    async read<T>(body: (rows: Rows) => Promise<T>): Promise<T | undefined> {
        return this.attempt((account) => account.store.read(body));
    }

    /** @internal Changes rows of the store of the person who is shown. */
    async write(body: (rows: Rows) => Promise<unknown> | unknown): Promise<void> {
        await this.attempt((account) => account.store.write(body));
    }

    private async attempt<T>(body: (account: Account) => Promise<T>): Promise<T | undefined> {
        const { account } = this;
        if (!account) return undefined;
        try {
            const found = await body(account);
            return account === this.account ? found : undefined;
        } catch (error) {
            if (account === this.account) this.set({ storageProblem: StoreProblem.of(error).refusal });
            return undefined;
        }
    }

    // MARK: Opening

    protected async start(): Promise<void> {
        const { storage, database, credentials, formerServers } = this.options;
        try {
            if (credentials) this.credentials = new ServerCredentials(credentials, this.server, formerServers);
            else if (storage === "browser") await this.openCredentials();
        } catch (error) {
            this.set({ storageProblem: StoreProblem.of(error).refusal });
        }
        const lock = `${database} farewell ${this.storedAt}`;
        this.farewells = new Farewells(this.server, this.credentials, lock, this.options);
        try {
            const known = await this.credentials.load();
            if (known) await this.openAccount(known.user);
            void this.endFarewells(known?.user);
        } catch (error) {
            this.set({ problem: error instanceof Refusal ? error : StoreProblem.of(error).refusal });
        }
        if (this.state.problem?.code === "other_server") this.set({ connection: "offline", offlineSince: new Date() });
        else if (this.account?.isLeading ?? true) await this.connect();
        else this.set({ connection: "elsewhere" });
        this.ticking = setInterval(() => this.tick(), 1000);
    }

    private async openCredentials(): Promise<void> {
        const { database, user, formerServers } = this.options;
        let stored: BrowserCredentials | undefined;
        // What was stored before the server moved stays where it is.
        for (const address of [...formerServers.map(serverAddress), this.server]) {
            stored?.close();
            stored = await BrowserCredentials.open(database, address, user);
            this.storedAt = address;
            if ((await stored.people()).length > 0) break;
        }
        stored!.onProblem = (problem) => this.set({ storageProblem: problem.refusal });
        this.credentials = stored!;
    }

    /** Ends what signing out began before the page was closed. */
    private async endFarewells(me: string | undefined): Promise<void> {
        try {
            for (const { credentials: { user } } of await this.farewells.pending()) {
                if (user !== me) await this.removeStored(user);
            }
        } catch (error) {
            this.set({ storageProblem: StoreProblem.of(error).refusal });
        }
        if (!this.isClosed) await this.farewells.tell();
    }

    private get databases(): string {
        return `${this.options.database} ${this.storedAt}`;
    }

    /** Removes what is stored of a person. */
    protected async removeStored(user: string): Promise<void> {
        if (this.options.storage === "browser") await removeDatabase(databaseName(this.databases, user));
    }

    /** Opens what is stored of a person and shows the first screen. */
    protected async openAccount(me: string): Promise<void> {
        if (this.account?.me === me) return;
        await this.closeAccount();
        const { storage, lock, messagesKept } = this.options;
        const account = await Account.open(me, storage === "memory" ? undefined : this.databases,
            lock ?? this.databases, (news) => void this.hear(news), () => void this.lead());
        this.account = account;
        this.view.me = me;
        account.store.onProblem = () => {
            this.set({ storageProblem: account.store.problem?.refusal });
            // What other tabs store is not seen any longer: one of them leads.
            if (account.store.isInMemory) account.tabs.leave();
        };
        account.store.onEmptied = () => void this.outbox.keepAll();
        account.commit(messagesKept, (committed) => this.screen.take(committed),
            (problem) => this.set({ storageProblem: (problem ?? account.store.problem)?.refusal }));
        this.set({ user: me, ...(account.store.problem ? { storageProblem: account.store.problem.refusal } : {}) });
        await this.screen.open();
        const seen = await this.read((rows) => rows.changedSince(0));
        account.seenVersion = seen?.version ?? 0;
    }

    protected async closeAccount(): Promise<void> {
        const old = this.account;
        if (!old) return;
        await this.writeDrafts();
        this.drafts.clear();
        together(() => {
            this.outbox.close();
            this.account = undefined;
            this.ownPresenceVersion = 0;
            this.screen.forget();
            this.view.close();
            for (const list of this.lists) list.empty();
            this.set({ ...noAccount, storageProblem: undefined });
        });
        await old.close();
    }

    // MARK: Connecting

    /** Connects, with the person who is open, if anybody is. */
    protected async connect(): Promise<void> {
        if (this.client || this.isClosed) return;
        const { name, webSocket } = this.options;
        const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        const expected = this.account && { user: this.account.me, cells: ["0"] };
        let client: Client;
        try {
            client = new Client(this.server, {
                name, timeZone, store: this.credentials, ...(expected && { expected }), ...(webSocket && { webSocket }),
            });
        } catch (error) {
            this.set({ connection: "offline", offlineSince: new Date(), problem: refusalOf(error) });
            return;
        }
        this.client = client;
        this.leaveClient = [
            client.add({
                state: (state) => this.note(state, client),
                began: () => this.noteClock(client),
                update: ({ kind }) => {
                    if (kind === "PresenceRestarted") this.presenceRestarted();
                },
            }),
            client.listen(),
        ];
        await this.account?.follow(client);
        try {
            if (client === this.client) await client.connect();
        } catch (error) {
            // The tokens cannot be read.
            if (client === this.client) this.failed(refusalOf(error));
        }
    }

    private noteClock(client: Client): void {
        // What had not disappeared yet is shown again.
        if (this.account?.noteClock(client)) this.screen.showAgain();
    }

    private note(state: ClientState, client: Client): void {
        if (client !== this.client || this.isClosed) return;
        switch (state.phase) {
            case "idle": return;
            case "ready":
                this.noteClock(client);
                this.account?.connectionChanged();
                this.set({ connection: "online", offlineSince: undefined, problem: this.ending });
                this.outbox.sender.hurry();
                this.screen.delivered.tell();
                this.nowOnline();
                return;
            case "connecting":
                if (state.problem) this.failed(state.problem);
                else if (this.connection !== "offline") this.set({ connection: "connecting" });
                return;
            case "stopped":
                if (endsSession(state.problem)) void this.startAnew(state.problem);
                else this.failed(state.problem);
                return;
        }
    }

    /** Why the server signed this device out; absent: it did not. */
    protected get ending(): Refusal | undefined {
        const { problem } = this.state;
        return problem && endsSession(problem) ? problem : undefined;
    }

    /** Called with each session. */
    protected nowOnline(): void {}

    /** What the person does in another tab. */
    protected takeActivity(_isInForeground: boolean, _conversation: string): void {}

    /** The server lost who watches whom, and perhaps that I do. */
    protected presenceRestarted(): void {}
    private failed(problem: Refusal): void {
        this.set({ connection: "offline", offlineSince: this.state.offlineSince ?? new Date(), problem });
        for (const conversation of this.view.conversations.values()) {
            if (conversation.typing.length > 0) this.view.setTyping([], conversation.id);
        }
    }

    /** Goes on without a sign-in: what is stored stays, and the person can sign in again. */
    private async startAnew(why: Refusal): Promise<void> {
        this.disconnect();
        await this.credentials.save(null).catch((error: unknown) =>
            this.set({ storageProblem: StoreProblem.of(error).refusal }));
        this.set({ problem: why, connection: "connecting" });
        if (!this.isClosed && !this.isSuspended) await this.connect();
    }

    protected disconnect(): void {
        this.account?.stopFollowing();
        for (const leave of this.leaveClient) leave();
        this.leaveClient = [];
        this.client?.close();
        this.client = undefined;
        this.outbox.sender.pauseUploads();
    }

    /** Ends the connection for now, such as when the page is hidden for long. What is done meanwhile is stored. */
    suspend(): void {
        this.isSuspended = true;
        if (!this.client) return;
        this.disconnect();
        this.set({ connection: "offline", offlineSince: new Date() });
    }

    /** Connects again after {@link suspend}. */
    async resume(): Promise<void> {
        this.isSuspended = false;
        if (this.isClosed || this.client || !(this.account?.isLeading ?? true)) return;
        this.set({ connection: "connecting" });
        await this.connect();
    }

    /**
     * Stores what is on its way and ends the connection. The objects stay as they are and change no more. Another tab
     * takes over.
     */
    async close(): Promise<void> {
        if (this.isClosed) return;
        this.isClosed = true;
        clearInterval(this.ticking);
        await this.writeDrafts();
        this.farewells.close();
        this.disconnect();
        this.outbox.sender.close();
        this.screen.delivered.stop();
        const { account } = this;
        this.account = undefined;
        await account?.close();
        if (this.credentials instanceof BrowserCredentials) this.credentials.close();
    }

    private tick(): void {
        const { account } = this;
        this.ticks += 1;
        if (!account) return;
        const { nowUs } = account;
        this.view.expire(new Date(nowUs / 1000));
        const hasEnded = this.state.suggestions.some(({ expiresAt }) => expiresAt.getTime() <= nowUs / 1000);
        if (hasEnded) this.show("Suggestion");
        void this.writeDrafts();
        // A wrong clock must not remove what others still read.
        if (this.ticks % 60 === 0 && account.isLeading && account.isTimely) {
            // In the store they are not shown any more.
            void this.write(async (rows) => {
                for (const id of await rows.removeExpired(nowUs)) {
                    const row = await rows.row(id);
                    if (row) await rows.putRow(row, account.me, nowUs);
                }
            });
        }
    }

    // MARK: Requests

    /** @internal Whether the server can be asked now. */
    get canAsk(): boolean {
        return this.connection === "online" ? this.account?.engine !== undefined : this.connection === "elsewhere";
    }

    /**
     * @internal Whether the session is of the person who is shown. What one person did is never sent in a session of
     * another.
     */
    get isSessionOfAccount(): boolean {
        return this.client !== undefined && this.account !== undefined && this.client.user === this.account.me;
    }

    private get isOnline(): boolean {
        return this.connection === "online";
    }

    /** @internal */
    get fileAddress(): string {
        return fileAddress(this.server);
    }

    /** @internal Sends something that I did. */
    async transmit(item: UnsentRow): Promise<ActionAnswer> {
        const { client, me } = this;
        const found = action(item);
        if (!client || me === undefined || !this.isSessionOfAccount) throw offline();
        if (!found) throw new Refusal("invalid", `This version does not know ${item.method}. Reload the page.`);
        const sent = request(item);
        const reply = await client.send(item.method as Method, found.key(sent, me), item.body);
        return found.answer(reply as never, sent, me);
    }

    /** @internal Makes a request, here or by the tab that leads. */
    async ask<M extends Method>(
        method: M, key: string, given: Given<Methods[M]["request"]>,
    ): Promise<Methods[M]["reply"]> {
        const { client, account } = this;
        if (client) {
            if (this.connection === "offline") throw offline();
            if (this.account && this.isOnline && !this.isSessionOfAccount) throw this.ending ?? offline();
            try {
                return await client.call(method, key, given, { repeatsFor: 10_000 });
            } catch (error) {
                // It waited for a connection that did not come.
                const why = refusalOf(error);
                throw why.isRetriable && !this.isOnline ? offline() : why;
            }
        }
        if (!account || this.connection !== "elsewhere") throw offline();
        const [name, reply] = methods[method];
        const body = await this.tabCalls.ask((id) => ({ type: "ask", id, method, key, body: encode(name, given as never) }));
        return decode(reply, body ?? new Uint8Array()) as Methods[M]["reply"];
    }

    /** @internal Makes a request of another tab. */
    async transmitFor(method: Method, key: string, body: Uint8Array): Promise<Uint8Array> {
        if (!this.client || this.connection !== "online") throw offline();
        const reply = await this.client.send(method, key, body);
        return encode(methods[method][1], reply as never);
    }

    /** @internal Asks the tab that leads to drop something. */
    async askToDrop(unsent: string): Promise<void> {
        await this.tabCalls.ask((id) => ({ type: "drop", id, unsent }));
        await this.outbox.reload();
    }

    /** @internal Reads a page of messages into the store. */
    async readPage(page: HistoryPage, conversation: string, limit: number): Promise<number | undefined> {
        if (this.account?.engine) return this.account.engine.read(page, conversation, limit);
        await this.tabCalls.ask((id) => ({ type: "read", id, conversation, page, limit }));
        return undefined;
    }

    // MARK: Other tabs

    /** Takes what another tab tells. */
    private async hear(news: TabNews): Promise<void> {
        const { account } = this;
        if (!account) return;
        switch (news.type) {
            case "stored":
                if (!account.isLeading) await this.screen.showChanges();
                return;
            case "unsent": return this.outbox.reload();
            case "signedOut": return this.closeSignedOut();
            case "activity": return this.takeActivity(news.isInForeground, news.conversation);
            case "news": {
                const { presence, ownPresence, typing } = news;
                return together(() => this.screen.takeNews({ presence, ownPresence, typing: new Map(typing) }));
            }
            case "answer": return this.tabCalls.answered(news);
            default:
                if (account.isLeading) account.tabs.tell(await this.tabCalls.answer(news));
        }
    }

    /** Another tab signed out: what is stored of the person goes, and nobody is shown here either. */
    private async closeSignedOut(): Promise<void> {
        this.disconnect();
        await this.closeAccount();
        if (this.credentials instanceof BrowserCredentials) this.credentials.forgetUser();
        else await this.credentials.save(null).catch(() => undefined);
        this.set({ connection: "connecting" });
        if (!this.isClosed && !this.isSuspended) await this.connect();
    }

    /** The tab that led is gone: this one holds the connection from now on. */
    private async lead(): Promise<void> {
        if (this.isClosed || !this.account) return;
        this.set({ connection: "connecting" });
        await this.screen.showChanges();
        if (!this.isClosed && !this.isSuspended && !this.client) await this.connect();
    }

    // MARK: Writing

    /** @internal Refuses a file for which there is no room. */
    requireRoom(bytes: number): void {
        const max = this.options.unsentFileBytesMax;
        const taken = this.outbox.entries.reduce((sum, { item }) => sum + (sending(item)?.media?.size_bytes ?? 0), 0);
        if (taken + bytes <= max) return;
        throw new Refusal("outbox_full", `Files of ${taken} bytes are not sent yet, and there is room for ${max}. `
            + "Wait until some are, or drop some.");
    }

    /** @internal */
    setDraft(draft: string, id: string): void {
        this.view.setDraft(draft, id);
        this.drafts.set(id, draft);
    }

    private async writeDrafts(): Promise<void> {
        if (this.drafts.size === 0) return;
        const drafts = [...this.drafts];
        this.drafts.clear();
        await this.write((rows) => {
            for (const [id, draft] of drafts) rows.putDraft(draft, id);
        });
    }

    /** @internal Says that I write, or stopped. What is refused or lost is not worth repeating. */
    setTyping(typing: boolean, conversation: string): void {
        if (!this.canAsk) return;
        // Sent once: a later one would be about something that is over.
        const own = this.client?.call("presence.SetTyping", conversation, { conversation, typing });
        (own ?? this.ask("presence.SetTyping", conversation, { conversation, typing })).catch(() => undefined);
    }
}
