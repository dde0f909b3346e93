import { backoff } from "./backoff";
import type { Given } from "./codec";
import { notConnected, ParleyError } from "./errors";
import { repetition } from "./generated/codes";
import type { Request } from "./generated/messages";
import type { Random } from "./random";
import type { SessionAction, SessionCall, SessionOptions } from "./session-types";

/** A request under way. */
interface Attempt {
    readonly call: SessionCall;
    /** When this attempt ends without a reply. */
    ends: number;
    /** How many attempts failed before. */
    failed: number;
    /** How many of them inside the server. */
    internal: number;
    /** Whether the session was signed in anew for it. */
    wasRefreshed: boolean;
}

const late = (): ParleyError =>
    new ParleyError("deadline", "No reply arrived in time. The request may have taken effect.");

/** The requests of a session machine: those that wait for a session, those sent, and those to repeat. A part of it. */
export class SessionCalls {
    private readonly waiting = new Set<Attempt>();
    private readonly sent = new Map<number, Attempt>();
    /** Ids of requests that were answered, or given up, from which a reply may still come. */
    private readonly late = new Map<number, SessionCall>();
    private readonly resting = new Map<Attempt, number>();
    /** Refused since nobody was signed in: they wait for new tokens. */
    private readonly unsigned = new Set<Attempt>();
    private lastId = 0;
    /** Whether the times of some changed, so that the shell may have to be woken earlier. */
    haveChanged = false;

    constructor(private readonly options: SessionOptions, private readonly random: Random) {}

    nextId(): number {
        return ++this.lastId;
    }

    /** The times at which something is to be done. */
    *times(): Iterable<number> {
        for (const attempt of this.waiting) yield attempt.ends;
        for (const attempt of this.sent.values()) yield attempt.ends;
        for (const attempt of this.unsigned) yield attempt.ends;
        yield* this.resting.values();
    }

    add(call: SessionCall, now: number): void {
        this.waiting.add({ call, ends: now + call.deadline, failed: 0, internal: 0, wasRefreshed: false });
        this.haveChanged = true;
    }

    /**
     * Returns the requests that may be sent now.
     * @param inFlight the most requests under way.
     * @param early whether only those are meant that may go before a welcome.
     */
    take(inFlight: number, early: boolean, now: number): Given<Request>[] {
        const taken: Given<Request>[] = [];
        for (const attempt of this.waiting) {
            if (this.sent.size >= inFlight) break;
            const { method, key, body } = attempt.call;
            if (early && !attempt.call.early) continue;
            this.waiting.delete(attempt);
            const id = this.nextId();
            this.sent.set(id, attempt);
            const left = Math.min(Math.max(Math.ceil(attempt.ends - now), 1), 60_000);
            taken.push({ id, method, key, body, deadline_ms: left });
        }
        return taken;
    }

    /** Takes a reply. Returns whether the session has to be signed in anew. */
    reply(id: number, error: ParleyError | null, body: Uint8Array, now: number, actions: SessionAction[]): boolean {
        const attempt = this.sent.get(id);
        if (!attempt) {
            const call = this.late.get(id);
            this.late.delete(id);
            if (call && !error) actions.push({ type: "reply", call, body, late: true });
            return false;
        }
        this.sent.delete(id);
        if (!error) {
            actions.push({ type: "reply", call: attempt.call, body, late: false });
            return false;
        }
        const isUnsigned = repetition(error.code) === "onceSignedIn";
        if (isUnsigned && !attempt.wasRefreshed && attempt.call.repeatsUntil >= now) {
            attempt.wasRefreshed = true;
            this.unsigned.add(attempt);
            return true;
        }
        this.fail(attempt, error, now, actions);
        return false;
    }

    private fail(attempt: Attempt, error: ParleyError, now: number, actions: SessionAction[]): void {
        const { call } = attempt;
        const wait = this.waitAfter(attempt, error);
        const final = wait === null || now + wait > call.repeatsUntil;
        if (!final) this.resting.set(attempt, now + wait);
        this.haveChanged = true;
        actions.push({ type: "failed", call, error, final });
    }

    /** How long to wait before the next attempt; null: there is none. */
    private waitAfter(attempt: Attempt, error: ParleyError): number | null {
        const isInternal = repetition(error.code) === "aFewTimes";
        if (isInternal) attempt.internal++;
        if (isInternal ? attempt.internal > this.options.internalMax : !error.isRetriable) return null;
        // A random wait is added so that clients refused together do not return together.
        const { backoffFirst, backoffLast } = this.options;
        return error.retryAfterMs + backoff(backoffFirst, backoffLast, attempt.failed++, this.random);
    }

    /** The connection ended: no reply comes any more. */
    lost(error: ParleyError, now: number, actions: SessionAction[]): void {
        const ended = [...this.sent.values()];
        this.sent.clear();
        this.late.clear();
        for (const attempt of ended) this.fail(attempt, error, now, actions);
        // With another session they are refused again, or not.
        for (const attempt of this.unsigned) this.waiting.add(attempt);
        this.unsigned.clear();
    }

    /** The session was signed in anew; or that failed. */
    signedIn(error: ParleyError | null, now: number, actions: SessionAction[]): void {
        for (const attempt of this.unsigned) {
            if (error) this.fail(attempt, error, now, actions);
            else this.waiting.add(attempt);
        }
        this.unsigned.clear();
    }

    /** Ends the attempts whose time is over, and begins those whose wait is. */
    wake(now: number, actions: SessionAction[]): void {
        for (const [id, attempt] of [...this.sent]) {
            if (attempt.ends > now) continue;
            this.sent.delete(id);
            this.late.set(id, attempt.call);
            this.fail(attempt, late(), now, actions);
        }
        for (const waiting of [this.waiting, this.unsigned]) {
            for (const attempt of [...waiting]) {
                if (attempt.ends > now) continue;
                waiting.delete(attempt);
                this.fail(attempt, notConnected(), now, actions);
            }
        }
        for (const [attempt, at] of [...this.resting]) {
            if (at > now) continue;
            this.resting.delete(attempt);
            attempt.ends = now + attempt.call.deadline;
            this.waiting.add(attempt);
        }
    }

    /** Ends everything for good. */
    stop(error: ParleyError, actions: SessionAction[]): void {
        const all = [...this.waiting, ...this.sent.values(), ...this.unsigned, ...this.resting.keys()];
        for (const known of [this.waiting, this.sent, this.unsigned, this.resting, this.late]) known.clear();
        for (const { call } of all) actions.push({ type: "failed", call, error, final: true });
    }
}
