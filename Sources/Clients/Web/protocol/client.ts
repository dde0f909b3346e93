import { decode, encode, overLimit } from "./codec";
import type { Given } from "./codec";
import { ParleyError } from "./errors";
import type { Activity, Messages, SignedIn, Update, Welcome } from "./generated/messages";
import type { Method, Methods } from "./generated/methods";
import { methods } from "./methods";
import { doubt, learn } from "./learning";
import type { OpenWebSocket } from "./link";
import { Link, linkAddress, openWebSocket } from "./link";
import { SessionMachine } from "./session";
import type {
    ClientState, Credentials, CredentialStore, SessionAction, SessionCall, SessionOptions,
} from "./session-types";
import type { Content } from "./states";
import { IDs } from "./uuid";

/** While the browser says that there is no network, a server has this long to show that it is there; milliseconds. */
const pongWithinOffline = 2_000;

/** What a client tells. Each is called while the client handles what happened, in order. */
export interface Observer {
    state(state: ClientState): void;
    /**
     * A session began. Updates before it may have been missed. From the second one of a person on it is not welcomed
     * yet, and may still fail: requests with `early` are sent already.
     */
    began(welcome: Welcome): void;
    /** The session that began has ended. */
    ended(): void;
    update(update: Update): void;
    /** A state from a reply to this session, of which no Update comes. */
    learned(content: Content): void;
    /** This conversation may have changed, or, null, my own state: there was no reply, or an incomplete one. */
    unsure(conversation: string | null): void;
    /** The store does not take the credentials: they go with the page, unless a later attempt works. */
    unsaved(error: unknown): void;
}

export interface ClientOptions extends Partial<SessionOptions> {
    readonly store?: CredentialStore;
    /** An access token, for a session without credentials that are stored. */
    readonly token?: string;
    readonly timeZone?: string;
    /** What the first welcome is expected to say, as stored of the one before: it saves a round trip. */
    readonly expected?: { readonly user: string; readonly cells: readonly string[] };
    readonly webSocket?: OpenWebSocket;
    /** How long each attempt of a request may take, in milliseconds. */
    readonly deadline?: number;
    /** How long after a failure credentials are given to the store again, in milliseconds. */
    readonly saveAgainAfter?: number;
}

export interface CallOptions {
    /** How long each attempt may take, in milliseconds. */
    readonly deadline?: number;
    /** How long it is repeated, with the same id, while that may help, in milliseconds; 0: it is sent once. */
    readonly repeatsFor?: number;
    /** Whether it may go with a hello: the requests of a sync. What its reply says is learned by nobody else. */
    readonly early?: boolean;
}

/** A request that somebody waits for. */
interface Call extends SessionCall {
    readonly request: object;
    readonly resolve: (reply: never) => void;
    readonly reject: (error: ParleyError) => void;
}

/** A username as it is meant: every request that takes one reads it so. */
function asMeant(username: string): string {
    return username.normalize("NFKC").trim().toLowerCase();
}

/** The time in milliseconds, on a clock that only goes forward. */
export function monotonic(): number {
    return performance.now();
}

/**
 * The connection of one device to a Parley server: a SessionMachine with a WebSocket, timers and a store of
 * credentials.
 *
 *     const client = new Client("wss://chat.example.com");
 *     await client.connect();
 *     await client.signIn("alice", password, "Firefox");
 *     const { user } = await client.call("conversations.FindUser", "bob", { username: "bob" });
 */
export class Client {
    private readonly machine: SessionMachine;
    private readonly address: string;
    private readonly open: OpenWebSocket;
    private readonly store: CredentialStore | undefined;
    private readonly token: string;
    private readonly deadline: number;
    private link: Link | null = null;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private readonly observers = new Set<Partial<Observer>>();
    /** Ends the lock of a refresh. */
    private release: (() => void) | null = null;
    private saving: Promise<void> = Promise.resolve();
    private readonly saveAgainAfter: number;
    private savingAgain: ReturnType<typeof setTimeout> | undefined;
    private readonly ids = new IDs();
    /** The ids of registrations that got no reply, by username: the same id again signs in. */
    private readonly registering = new Map<string, string>();
    /** Those who wait until the session is signed in. */
    private signingIn: { resolve(): void; reject(error: ParleyError): void }[] = [];
    private queue: SessionAction[] = [];
    private isPerforming = false;
    /** What shows that people signed in on this device before, by their usernames. */
    private readonly known = new Map<string, string>();

    /** @throws ParleyError `unsupported_url`. */
    constructor(url: string, options: ClientOptions = {}) {
        const { store, token = "", timeZone = "", expected, webSocket = openWebSocket, deadline = 10_000 } = options;
        this.saveAgainAfter = options.saveAgainAfter ?? 5_000;
        this.address = linkAddress(url);
        this.store = store;
        this.token = token;
        this.open = webSocket;
        this.deadline = deadline;
        const seed = options.seed ?? Math.floor(Math.random() * 2 ** 32);
        this.machine = new SessionMachine({ ...options, seed }, Date.now() * 1000, monotonic());
        this.machine.setTimeZone(timeZone);
        if (expected) this.machine.expect(expected.user, expected.cells);
    }

    // ------------------------------------------------------------ looking

    get state(): ClientState {
        return this.machine.state;
    }

    /** The user id that the session is signed in as; empty: nobody is. */
    get user(): string {
        return this.machine.user;
    }

    get welcome(): Welcome {
        return this.machine.welcome;
    }

    get credentials(): Credentials | null {
        return this.machine.credentials;
    }

    /** Whether the server has told it the time. */
    get knowsTime(): boolean {
        return this.machine.clock.isKnown;
    }

    /** The server's time in microseconds UTC. */
    serverNowUs(): number {
        return this.machine.serverNowUs(monotonic());
    }

    /** Adds somebody to tell. Returns what ends that. */
    add(observer: Partial<Observer>): () => void {
        this.observers.add(observer);
        return () => this.observers.delete(observer);
    }

    // ------------------------------------------------------------ connecting

    /** Connects, and keeps connected. It resolves once the credentials are read, not with the first session. */
    async connect(): Promise<void> {
        const credentials = (await this.store?.load()) ?? this.machine.credentials;
        this.machine.restore(credentials, this.token);
        this.perform(this.machine.open(monotonic()));
    }

    /** Ends the session for good. Requests under way fail with `closed`. */
    close(): void {
        this.perform(this.machine.close());
        clearTimeout(this.timer);
        clearTimeout(this.savingAgain);
    }

    /**
     * The page is visible again, or the network is said to be back: tries at once, or looks whether the server is
     * there.
     */
    hint(): void {
        const isOffline = typeof navigator !== "undefined" && navigator.onLine === false;
        this.perform(this.machine.hint(monotonic(), isOffline ? pongWithinOffline : undefined));
    }

    /** Takes the hints of a page: visible again, online. Returns what ends that. */
    listen(): () => void {
        if (typeof document === "undefined" || typeof window === "undefined") return () => {};
        const visible = (): void => {
            if (document.visibilityState === "visible") this.hint();
        };
        const online = (): void => this.hint();
        document.addEventListener("visibilitychange", visible);
        window.addEventListener("online", online);
        window.addEventListener("offline", online);
        return () => {
            document.removeEventListener("visibilitychange", visible);
            window.removeEventListener("online", online);
            window.removeEventListener("offline", online);
        };
    }

    /** Names the person's time zone, after they have travelled. */
    setTimeZone(name: string): void {
        this.perform(this.machine.setTimeZone(name));
    }

    /** Says what the person does. In the foreground, call it also while they go on. */
    setActivity(activity: Given<Activity>): void {
        this.perform(this.machine.setActivity(activity, monotonic()));
    }

    // ------------------------------------------------------------ requests

    /**
     * Sends a request and waits for its reply. While the client connects, it waits for a session.
     * @param key the conversation or user that it concerns.
     */
    async call<M extends Method>(
        method: M, key: string, request: Given<Methods[M]["request"]>, options: CallOptions = {}
    ): Promise<Methods[M]["reply"]> {
        const name = methods[method][0];
        const body = encode(name, request as Given<Messages[typeof name]>);
        const field = overLimit(name, request as Given<Messages[typeof name]>);
        if (field !== undefined) throw new ParleyError("invalid", `${field} is longer than allowed.`, field);
        return this.begin(method, key, request, body, options);
    }

    /** Sends a request that is encoded already. */
    async send<M extends Method>(
        method: M, key: string, body: Uint8Array, options: CallOptions = {}
    ): Promise<Methods[M]["reply"]> {
        const request = decode(methods[method][0], body);
        return this.begin(method, key, request, body, options);
    }

    private begin<M extends Method>(
        method: M, key: string, request: object, body: Uint8Array, options: CallOptions
    ): Promise<Methods[M]["reply"]> {
        const { deadline = this.deadline, repeatsFor = 0, early = false } = options;
        const now = monotonic();
        const repeatsUntil = repeatsFor > 0 ? now + repeatsFor : 0;
        return new Promise((resolve, reject) => {
            const call: Call = { method, key, body, request, deadline, repeatsUntil, early, resolve, reject };
            this.perform(this.machine.request(call, now));
        });
    }

    // ------------------------------------------------------------ signing in

    /** Signs in on this device, and stores the tokens. */
    async signIn(username: string, password: string, deviceName: string): Promise<SignedIn> {
        const known_device = await this.knownDevice(asMeant(username));
        const request = { username, password, device_name: deviceName, known_device };
        return this.adopt(await this.call("conversations.SignIn", username, request));
    }

    /**
     * Creates an account, and signs in. After a lost reply, the same call again signs in: without an id it has the one
     * of the attempt before.
     */
    async register(request: Given<Methods["conversations.Register"]["request"]>): Promise<SignedIn> {
        const username = asMeant(request.username ?? "");
        const id = request.id || this.registering.get(username) || this.ids.next(this.serverNowUs());
        this.registering.set(username, id);
        let signedIn: SignedIn;
        try {
            signedIn = await this.call("conversations.Register", request.username ?? "", { ...request, id });
        } catch (error) {
            // An id that is not good makes the next attempt no better.
            if (/^id_|^username_taken$/.test((error as ParleyError).code)) this.registering.delete(username);
            throw error;
        }
        this.registering.delete(username);
        return this.adopt(signedIn);
    }

    /** Takes tokens: stores them, and resolves once the session is signed in with them. */
    async adopt(signedIn: SignedIn): Promise<SignedIn> {
        const done = new Promise<void>((resolve, reject) => this.signingIn.push({ resolve, reject }));
        done.catch(() => {});
        this.perform(this.machine.adopt(signedIn));
        await this.keepKnownDevice(asMeant(signedIn.user?.username ?? ""), signedIn.known_device);
        await this.saving;
        await done;
        return signedIn;
    }

    private async knownDevice(username: string): Promise<string> {
        // What cannot be read is not needed: without it, the person may have to wait.
        const stored = await this.store?.knownDevice?.(username).catch(() => "");
        return stored || (this.known.get(username) ?? "");
    }

    private async keepKnownDevice(username: string, known: string): Promise<void> {
        if (username === "" || known === "") return;
        this.known.set(username, known);
        await this.store?.keepKnownDevice?.(username, known).catch(() => {});
    }

    /** Signs this device out, or with `everywhere` all of them, and forgets the tokens. */
    async signOut(everywhere = false): Promise<void> {
        await this.call("conversations.SignOut", this.user, { everywhere });
        await this.forget();
    }

    /** Forgets the tokens, also those stored, and ends the session. */
    async forget(): Promise<void> {
        this.perform(this.machine.forget());
        this.close();
        await this.saving;
    }

    // ------------------------------------------------------------ doing what the machine says

    private perform(actions: readonly SessionAction[]): void {
        this.queue.push(...actions);
        if (this.isPerforming) return;
        this.isPerforming = true;
        try {
            for (let action = this.queue.shift(); action; action = this.queue.shift()) this.carryOut(action);
        } finally {
            this.isPerforming = false;
        }
    }

    private tell(body: (observer: Partial<Observer>) => void): void {
        for (const observer of [...this.observers]) {
            try {
                body(observer);
            } catch (error) {
                // A fault of the app's ends neither the session nor what others are told. The console shows it.
                setTimeout(() => {
                    throw error;
                });
            }
        }
    }

    private carryOut(action: SessionAction): void {
        switch (action.type) {
            case "connect":
                return this.openLink(action.link);
            case "disconnect":
                this.link?.close();
                this.link = null;
                return;
            case "send":
                return this.link?.send(action.frame);
            case "greet":
                return this.perform(this.machine.greet(monotonic()));
            case "wake":
                return this.wake(action.at);
            case "state":
                if (action.state.phase === "stopped") {
                    for (const { reject } of this.signingIn.splice(0)) reject(action.state.problem);
                }
                return this.tell((observer) => observer.state?.(action.state));
            case "began":
                if (action.welcome.user !== "") this.isSignedIn();
                return this.tell((observer) => observer.began?.(action.welcome));
            case "ended":
                return this.tell((observer) => observer.ended?.());
            case "update":
                return this.tell((observer) => observer.update?.(action.update));
            case "reply":
                return this.takeReply(action.call as Call, action.body, action.late);
            case "failed":
                return this.takeFailure(action.call as Call, action.error, action.final);
            case "lock":
                return this.lock();
            case "save":
                this.saving = this.save(action.credentials);
                return;
            case "unlock":
                this.release?.();
                this.release = null;
                return;
            case "authenticated":
                return this.isSignedIn();
        }
    }

    private wake(at: number): void {
        clearTimeout(this.timer);
        // A browser knows no longer wait. Waking early does no harm.
        const wait = Math.min(Math.max(at - monotonic(), 0), 2 ** 31 - 1);
        this.timer = setTimeout(() => this.perform(this.machine.woke(monotonic())), wait);
    }

    private isSignedIn(): void {
        for (const { resolve } of this.signingIn.splice(0)) resolve();
    }

    private openLink(number: number): void {
        this.link?.close();
        this.link = new Link(this.address, this.open, {
            opened: () => this.perform(this.machine.opened(number, monotonic())),
            received: (frame) => this.perform(this.machine.received(number, frame, monotonic())),
            lost: (code, reason) => this.perform(this.machine.lost(number, code, reason, monotonic())),
        });
    }

    private takeReply(call: Call, body: Uint8Array, isLate: boolean): void {
        let reply: Messages[keyof Messages];
        try {
            reply = decode(methods[call.method][1], body);
        } catch (error) {
            return this.takeFailure(call, error as ParleyError, !isLate);
        }
        if (!call.early) {
            const { learned, unsure } = learn(call.method, call.request, reply, this.user);
            for (const content of learned) this.tell((observer) => observer.learned?.(content));
            for (const conversation of unsure) this.tell((observer) => observer.unsure?.(conversation));
        }
        if (!isLate) call.resolve(reply as never);
    }

    private takeFailure(call: Call, error: ParleyError, isFinal: boolean): void {
        if (error.isUncertain && !call.early) {
            for (const conversation of doubt(call.method, call.request)) {
                this.tell((observer) => observer.unsure?.(conversation));
            }
        }
        if (isFinal) call.reject(error);
    }

    private lock(): void {
        const refresh = async (): Promise<void> => {
            const saved = this.store ? await this.store.load().catch(() => null) : null;
            await new Promise<void>((resolve) => {
                this.release = resolve;
                this.perform(this.machine.mayRefresh(saved, monotonic()));
            });
        };
        const done = this.store?.exclusively ? this.store.exclusively(refresh) : refresh();
        // Without the lock, the refresh goes on: two that refresh within a minute both stay signed in.
        done.catch(() => refresh().catch(() => {}));
    }

    private async save(credentials: Credentials | null): Promise<void> {
        clearTimeout(this.savingAgain);
        try {
            await this.store?.save(credentials);
        } catch (error) {
            // The session goes on with them, since nothing else signs in any more.
            this.tell((observer) => observer.unsaved?.(error));
            this.saveAgain(credentials);
        }
        this.perform(this.machine.saved(monotonic()));
    }

    private saveAgain(credentials: Credentials | null): void {
        this.savingAgain = setTimeout(async () => {
            // Others took their place meanwhile.
            if (this.machine.credentials !== credentials) return;
            await this.store?.save(credentials).catch(() => this.saveAgain(credentials));
        }, this.saveAgainAfter);
    }
}
