import { SessionActivity } from "./activity";
import { backoff, reaction, refreshAfter } from "./backoff";
import type { Reaction } from "./backoff";
import { SessionCalls } from "./calls";
import { ServerClock } from "./clock";
import { create } from "./codec";
import type { Given } from "./codec";
import { lostBy, notConnected, ParleyError, revoked, unauthenticated } from "./errors";
import type { Activity, Authenticated, ClientFrame, Reply, ServerFrame, SignedIn, Welcome } from "./generated/messages";
import { Random } from "./random";
import { sessionOptions } from "./session-types";
import type { ClientState, Credentials, SessionAction, SessionCall, SessionOptions } from "./session-types";
import { Tokens } from "./tokens";

/** A session that lasted longer than this, in milliseconds, counts as one that worked. */
const lastingFrom = 5_000;
/** After a hint, attempts are at least this far apart. */
const hintedEvery = 1_000;
/** Hello carries at most this many requests. */
const helloRequestsMax = 4;
/** What a session may have under way before its welcome says so. */
const inFlightBefore = 4;

type Phase = "idle" | "resting" | "opening" | "opened" | "greeted" | "ready" | "stopped";

/**
 * One device's sessions with a server, one after the other: when to connect, what to say first, how to stay signed in,
 * when to send a request again. It does no I/O: it takes what happened with the time, in milliseconds of a clock that
 * only goes forward, and returns what to do. `Client` is the shell around it.
 *
 *     perform(machine.open(now));                  // "connect": then opened, and received for each frame, or lost
 *     perform(machine.request(call, now));         // "reply" or "failed" with the same call
 *     perform(machine.hint(now));                  // the page is visible again, or the network came back
 */
export class SessionMachine {
    readonly options: SessionOptions;
    readonly clock: ServerClock;
    /** The Welcome of the current or last session, kept up to date when it is signed in or extended. */
    welcome: Welcome = create("Welcome");
    private phase: Phase = "idle";
    private readonly tokens: Tokens;
    private timeZone = "";
    private readonly random: Random;
    private readonly calls: SessionCalls;

    private link = 0;
    private attempt = 0;
    private problem: ParleyError | null = null;
    private goodbye: ParleyError | null = null;
    /** Whether the next session begins with new tokens. */
    private refreshFirst = false;
    private mustRefresh = false;
    /** Of the session after this one, what its welcome is expected to say; null: nothing is expected. */
    private expected: Welcome | null = null;
    /** Whether the shell was told that the session began; and whether before its welcome. */
    private hasBegun = false;
    private beganEarly = false;
    private beganAt = 0;
    private triedAt = -Infinity;
    private lastFrameAt = 0;
    // Times at which something is to be done; null: none.
    private reconnectAt: number | null = null;
    private openDue: number | null = null;
    private pingAt: number | null = null;
    private pongDue: { at: number; sentAt: number } | null = null;
    private refreshAt: number | null = null;
    private wakesAt: number | null = null;

    private readonly activity: SessionActivity;
    private actions: SessionAction[] = [];
    /**
     * @param nowUs this machine's time in microseconds UTC, until the server says its own.
     * @param now the same on the clock of all inputs.
     */
    constructor(options: Partial<SessionOptions>, nowUs: number, now: number) {
        this.options = { ...sessionOptions, ...options };
        this.clock = new ServerClock(nowUs, now);
        this.random = new Random(BigInt(Math.floor(this.options.seed)));
        this.calls = new SessionCalls(this.options, this.random);
        this.tokens = new Tokens((action) => this.actions.push(action), this.options.connectWithin);
        this.activity = new SessionActivity(now);
    }

    // ------------------------------------------------------------ looking

    get credentials(): Credentials | null {
        return this.tokens.credentials;
    }

    /** The user id that the session is signed in as; empty: nobody is. */
    get user(): string {
        return this.welcome.user;
    }

    get state(): ClientState {
        switch (this.phase) {
            case "idle":
                return { phase: "idle" };
            case "ready":
                return { phase: "ready", welcome: this.welcome };
            case "stopped":
                return { phase: "stopped", problem: this.problem! };
            default:
                return { phase: "connecting", attempt: this.attempt, problem: this.problem };
        }
    }

    /** The server's time in microseconds UTC. */
    serverNowUs(now: number): number {
        return this.clock.now(now);
    }

    // ------------------------------------------------------------ inputs of the app

    /** Gives the machine what was stored, before it opens: the credentials, or an access token alone. */
    restore(credentials: Credentials | null, token = ""): void {
        this.tokens.restore(credentials, token);
    }

    /** What the first welcome is expected to say, as stored: the requests of a sync then go with hello. */
    expect(user: string, cells: readonly string[]): void {
        if (this.phase === "idle" && user !== "") this.expected = create("Welcome", { user, cells });
    }

    /** Connects, and keeps connected until `close` or until the server ends it for good. */
    open(now: number): SessionAction[] {
        if (this.phase !== "idle" && this.phase !== "stopped") return [];
        this.attempt = 0;
        this.problem = null;
        this.connect(now);
        return this.finish();
    }

    /** Ends the session for good. */
    close(): SessionAction[] {
        this.stop(new ParleyError("closed", "This client was closed."));
        return this.finish();
    }

    /** Sends a request, now or once there is a session. */
    request(call: SessionCall, now: number): SessionAction[] {
        if (this.phase === "idle" || this.phase === "stopped") {
            const error = this.phase === "stopped" ? this.problem! : notConnected();
            this.actions.push({ type: "failed", call, error, final: true });
            return this.finish();
        }
        this.calls.add(call, now);
        this.flush(now);
        return this.finish();
    }

    /** Takes the tokens of a reply to a sign-in: they are stored, and sign the session in. */
    adopt(signedIn: SignedIn): SessionAction[] {
        this.tokens.take(signedIn);
        return this.finish();
    }

    /** Forgets the credentials, also those stored, and opens sessions that are not signed in from now on. */
    forget(): SessionAction[] {
        this.tokens.restore(null, "");
        this.expected = null;
        this.welcome = { ...this.welcome, user: "", device: "" };
        this.actions.push({ type: "save", credentials: null });
        return this.finish();
    }

    /** The page is visible again, or the network is said to be back: a good moment to try, or to look. */
    hint(now: number, pongWithin = this.options.pongWithin): SessionAction[] {
        if (this.phase === "resting") {
            this.reconnectAt = Math.min(this.reconnectAt ?? now, Math.max(now, this.triedAt + hintedEvery));
            if (this.reconnectAt <= now) this.connect(now);
            else this.plan(this.reconnectAt);
        } else if (this.phase === "ready" && this.pongDue === null) this.ping(now, pongWithin);
        return this.finish();
    }

    /** Names the person's time zone: for the requests after this, and for later sessions. Empty: not known. */
    setTimeZone(name: string): SessionAction[] {
        if (this.timeZone === name) return [];
        this.timeZone = name;
        if (this.isGreeted) this.send({ set_time_zone: { time_zone: name } });
        return this.finish();
    }

    /** Says what the person does. In the foreground, call it also while they go on: not each call is sent. */
    setActivity(given: Given<Activity>, now: number): SessionAction[] {
        const activity = this.activity.take(given, this.isGreeted, now);
        if (activity) this.send({ set_activity: activity });
        return this.finish();
    }

    // ------------------------------------------------------------ inputs of the connection

    /** The WebSocket is open. */
    opened(link: number, now: number): SessionAction[] {
        if (link !== this.link || this.phase !== "opening") return [];
        this.phase = "opened";
        this.lastFrameAt = now;
        this.goodbye = null;
        this.deadline(now);
        const isVoid = this.refreshFirst || this.tokens.endSoon(this.serverNowUs(now));
        this.mustRefresh = this.credentials !== null && isVoid;
        this.beganEarly = false;
        // Saves a round trip: what a sync requests is answered right after the welcome.
        if (!this.mustRefresh && this.tokens.access !== "" && this.expected) {
            this.beganEarly = true;
            this.begin(this.expected);
        }
        this.actions.push({ type: "greet" });
        return this.finish();
    }

    /** Says hello, with up to four of the requests that were made since the action "began". */
    greet(now: number): SessionAction[] {
        if (this.phase !== "opened") return [];
        this.phase = "greeted";
        const requests = this.beganEarly ? this.calls.take(Math.min(helloRequestsMax, this.inFlight), true, now) : [];
        const token = this.mustRefresh ? "" : this.tokens.access;
        const activity = this.activity.first(now);
        const hello = { version: 1, client: this.options.name, token, requests, time_zone: this.timeZone, activity };
        this.send({ hello });
        this.flush(now);
        return this.finish();
    }

    /** A frame arrived. */
    received(link: number, frame: ServerFrame, now: number): SessionAction[] {
        if (link !== this.link || !this.isGreeted) return [];
        this.lastFrameAt = now;
        if (frame.update) this.actions.push({ type: "update", update: frame.update });
        else if (frame.reply) this.takeReply(frame.reply, now);
        else if (frame.welcome) this.takeWelcome(frame.welcome, now);
        else if (frame.authenticated) this.takeAuthenticated(frame.authenticated, now);
        else if (frame.pong) this.clock.set(frame.pong.server_time_us, now);
        else if (frame.goodbye?.error) this.goodbye = ParleyError.from(frame.goodbye.error);
        return this.finish();
    }

    /** The WebSocket ended, or could not be opened. */
    lost(link: number, code: number, reason: string, now: number): SessionAction[] {
        if (link !== this.link || this.phase === "stopped" || this.phase === "resting") return [];
        this.end(reaction(code), code, reason, now);
        return this.finish();
    }

    /**
     * The lock is held.
     * @param saved the credentials that are stored.
     */
    mayRefresh(saved: Credentials | null, now: number): SessionAction[] {
        this.tokens.locked(saved, this.calls.nextId(), this.serverNowUs(now), now);
        return this.finish();
    }

    /** What "save" asked for is durable. */
    saved(now: number): SessionAction[] {
        this.tokens.saved(this.isGreeted, now);
        return this.finish();
    }

    /** The time of the action "wake" has come. */
    woke(now: number): SessionAction[] {
        // A timer may be early: then it is set again.
        this.wakesAt = null;
        if (this.reconnectAt !== null && this.reconnectAt <= now) this.connect(now);
        if (this.openDue !== null && this.openDue <= now) this.drop("The server did not answer in time.", now);
        if (this.pongDue !== null && this.pongDue.at <= now) {
            const isSilent = this.lastFrameAt < this.pongDue.sentAt;
            this.pongDue = null;
            if (isSilent) this.drop("The server went silent.", now);
        }
        if (this.pingAt !== null && this.pingAt <= now) this.ping(now);
        if (this.refreshAt !== null && this.refreshAt <= now) this.beginRefresh();
        if (this.tokens.due !== null && this.tokens.due <= now) {
            this.refreshFailed(new ParleyError("deadline", "The server did not answer in time."), now);
        }
        this.calls.wake(now, this.actions);
        this.flush(now);
        for (const time of this.times()) this.plan(time);
        return this.finish();
    }

    // ------------------------------------------------------------ connecting

    private get isGreeted(): boolean {
        return this.phase === "greeted" || this.phase === "ready";
    }

    private get inFlight(): number {
        return this.welcome.limits?.requests_in_flight || inFlightBefore;
    }

    private connect(now: number): void {
        this.phase = "opening";
        this.reconnectAt = null;
        this.triedAt = now;
        if (this.refreshFirst && this.credentials === null) return this.stop(unauthenticated());
        this.link++;
        this.deadline(now);
        this.actions.push({ type: "connect", link: this.link });
        this.tellState();
    }

    private deadline(now: number): void {
        this.openDue = now + this.options.connectWithin;
        this.plan(this.openDue);
    }

    /** Ends a connection that is of no use any more. */
    private drop(why: string, now: number): void {
        this.actions.push({ type: "disconnect", link: this.link });
        this.end("wait", 1006, why, now);
    }

    private end(reacting: Reaction, code: number, reason: string, now: number): void {
        const wasReady = this.phase === "ready";
        const isRevoked = reacting === "signInAgain";
        const problem = this.goodbye ?? (isRevoked ? revoked() : lostBy(`${code} ${reason}`.trim()));
        this.leave();
        if (wasReady && now - this.beganAt > lastingFrom) this.attempt = 0;
        if (reacting === "never" || isRevoked) return this.stop(problem);
        const { backoffFirst, backoffLast } = this.options;
        const isAtOnce = reacting === "atOnce" && this.attempt === 0;
        // A gateway may say how long it wants no other session.
        const wait = problem.retryAfterMs + backoff(backoffFirst, backoffLast, this.attempt, this.random);
        this.attempt++;
        this.problem = problem;
        this.phase = "resting";
        if (reacting === "refresh") this.refreshFirst = true;
        this.calls.lost(lostBy(`${code} ${reason}`.trim()), now, this.actions);
        if (isAtOnce) return this.connect(now);
        this.reconnectAt = now + wait;
        this.plan(this.reconnectAt);
        this.tellState();
    }

    /** Forgets what was of a session. */
    private leave(): void {
        this.tokens.leave();
        [this.openDue, this.pingAt, this.pongDue, this.refreshAt] = [null, null, null, null];
        if (this.hasBegun) this.actions.push({ type: "ended" });
        this.hasBegun = false;
    }

    private stop(problem: ParleyError): void {
        if (this.phase === "stopped") return;
        if (this.phase !== "idle") this.actions.push({ type: "disconnect", link: this.link });
        this.leave();
        this.phase = "stopped";
        this.reconnectAt = null;
        this.refreshFirst = false;
        this.problem = problem;
        this.calls.stop(problem, this.actions);
        this.tellState();
    }

    // ------------------------------------------------------------ the session

    private takeWelcome(welcome: Welcome, now: number): void {
        if (this.phase !== "greeted") return;
        this.clock.set(welcome.server_time_us, now);
        this.welcome = welcome;
        if (this.mustRefresh) {
            this.openDue = null;
            this.beginRefresh();
        } else this.isReady(now);
    }

    private isReady(now: number): void {
        const expected = this.beganEarly ? this.expected : null;
        this.phase = "ready";
        this.beganAt = now;
        this.openDue = null;
        this.problem = null;
        this.refreshFirst = false;
        this.expected = this.welcome.user === "" ? null : this.welcome;
        this.pingAt = now + this.options.pingEvery;
        this.plan(this.pingAt);
        this.tellState();
        if (!expected || !isSame(expected, this.welcome)) this.begin(this.welcome);
        this.scheduleRefresh(now);
        this.flush(now);
    }

    private begin(welcome: Welcome): void {
        this.hasBegun = true;
        this.actions.push({ type: "began", welcome });
    }

    private takeAuthenticated(answer: Authenticated, now: number): void {
        const isNew = this.welcome.user === "";
        this.welcome = { ...this.welcome, ...answer };
        this.tokens.end();
        this.actions.push({ type: "authenticated" });
        this.calls.signedIn(null, now, this.actions);
        if (this.phase !== "ready") return this.isReady(now);
        this.expected = this.welcome;
        if (isNew) {
            this.tellState();
            this.begin(this.welcome);
        }
        this.scheduleRefresh(now);
        this.flush(now);
    }

    private takeReply(reply: Reply, now: number): void {
        const error = reply.error ? ParleyError.from(reply.error) : null;
        if (this.tokens.isAsking(reply.id)) {
            const problem = error ?? this.tokens.replied(reply.body);
            return problem ? this.refreshFailed(problem, now) : undefined;
        }
        if (this.calls.reply(reply.id, error, reply.body, now, this.actions)) {
            if (this.credentials === null) this.calls.signedIn(unauthenticated(), now, this.actions);
            else this.beginRefresh();
        }
        this.flush(now);
    }

    // ------------------------------------------------------------ tokens

    private scheduleRefresh(now: number): void {
        this.refreshAt = null;
        if (this.credentials === null || this.welcome.session_ends_us === 0) return;
        const nowUs = this.serverNowUs(now);
        const wait = refreshAfter(this.welcome.session_ends_us, this.credentials.access_ends_us, nowUs);
        this.refreshAt = now + wait / 1000;
        this.plan(this.refreshAt);
    }

    private beginRefresh(): void {
        this.refreshAt = null;
        if (this.isGreeted) this.tokens.begin();
    }

    private refreshFailed(error: ParleyError, now: number): void {
        this.tokens.end();
        this.calls.signedIn(error, now, this.actions);
        if (error.code === "refresh_refused" || error.code === "revoked") return this.stop(error);
        if (this.phase !== "ready") {
            this.goodbye = error;
            return this.drop(error.message, now);
        }
        // After any other error the session ends with its token, and the next attempt tells why.
        if (!error.isRetriable) return;
        this.refreshAt = now + Math.max(this.options.connectWithin / 2, error.retryAfterMs);
        this.plan(this.refreshAt);
    }

    // ------------------------------------------------------------ doing

    private ping(now: number, pongWithin = this.options.pongWithin): void {
        this.pingAt = now + this.options.pingEvery;
        this.pongDue = { at: now + pongWithin, sentAt: now };
        this.plan(Math.min(this.pingAt, this.pongDue.at));
        this.send({ ping: { id: Math.max(1, Math.floor(this.serverNowUs(now))) } });
    }

    /** Sends the requests that wait, as many as may be under way. */
    private flush(now: number): void {
        const isEarly = this.phase === "greeted" && this.beganEarly;
        if (this.phase !== "ready" && !isEarly) return;
        for (const request of this.calls.take(this.inFlight, isEarly, now)) this.send({ request });
    }

    private send(frame: Given<ClientFrame>): void {
        this.actions.push({ type: "send", frame });
    }

    private tellState(): void {
        this.actions.push({ type: "state", state: this.state });
    }

    private *times(): Iterable<number> {
        const known = [
            this.reconnectAt, this.openDue, this.pingAt, this.pongDue?.at ?? null, this.refreshAt, this.tokens.due,
        ];
        for (const time of known) if (time !== null) yield time;
        yield* this.calls.times();
    }

    private plan(at: number): void {
        if (this.wakesAt !== null && this.wakesAt <= at) return;
        this.wakesAt = at;
        this.actions.push({ type: "wake", at });
    }

    private finish(): SessionAction[] {
        if (this.tokens.due !== null) this.plan(this.tokens.due);
        if (this.calls.haveChanged) for (const time of this.calls.times()) this.plan(time);
        this.calls.haveChanged = false;
        const { actions } = this;
        this.actions = [];
        return actions;
    }
}

/** Whether two sessions are of the same person in the same cells. */
function isSame(one: Welcome, other: Welcome): boolean {
    return one.user === other.user && one.cells.join(" ") === other.cells.join(" ");
}
