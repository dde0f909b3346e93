import { Random } from "../protocol/random";
import type { SyncOptions } from "./options";
import type { SyncQuestion, SyncRequest } from "./types";

/**
 * What a request is about: "stream NAME", "receipts CONVERSATION", "inboxStates" or "blocks". Only one is under way of
 * each.
 */
export type Subject = string;

export const about = {
    stream: (name: string): Subject => `stream ${name}`,
    receipts: (conversation: string): Subject => `receipts ${conversation}`,
    inboxStates: "inboxStates" as Subject,
    blocks: "blocks" as Subject,
};

/** Takes a subject apart. */
export function parts(subject: Subject): { readonly what: string; readonly name: string } {
    const space = subject.indexOf(" ");
    return space < 0 ? { what: subject, name: "" } : { what: subject.slice(0, space), name: subject.slice(space + 1) };
}

export interface Asked {
    readonly subject: Subject;
    readonly request: SyncRequest;
    /** Whether to ask again after the answer: something may have changed since. */
    again: boolean;
}

/**
 * The requests of a SyncMachine: those to make, those under way and those to repeat, at most one about each subject.
 */
export class SyncAsking {
    readonly underWay = new Map<number, Asked>();
    private readonly numbers = new Map<Subject, number>();
    private readonly queue = new Set<Subject>();
    /** When to repeat a request that failed. */
    private readonly retries = new Map<Subject, number>();
    /** How often a request has failed since it last succeeded. */
    private readonly failures = new Map<Subject, number>();
    private last = 0;
    private readonly random: Random;
    /** When the next request is repeated, or earlier; null: none is. */
    nextRetry: number | null = null;
    /** Whether the app is told when the session has synced. */
    announces = false;

    constructor(private readonly options: SyncOptions) {
        this.random = new Random(BigInt(options.seed));
    }

    /** Whether nothing is to be requested or under way. */
    get isIdle(): boolean {
        return this.underWay.size === 0 && this.queue.size === 0 && this.retries.size === 0;
    }

    isUnderWay(subject: Subject): boolean {
        return this.numbers.has(subject);
    }

    /** Whether something is about to be requested, now or when a refusal lets it. */
    isPlanned(subject: Subject): boolean {
        return this.queue.has(subject) || this.retries.has(subject);
    }

    /** Requests something, if it is not about to be. */
    add(subject: Subject): void {
        this.retries.delete(subject);
        const number = this.numbers.get(subject);
        if (number === undefined) {
            this.queue.add(subject);
            return;
        }
        const asked = this.underWay.get(number);
        if (asked) asked.again = true;
    }

    retry(subject: Subject, at: number): void {
        if (this.queue.has(subject) || this.isUnderWay(subject)) return this.add(subject);
        this.plan(subject, Math.min(this.retries.get(subject) ?? at, at));
    }

    private plan(subject: Subject, at: number): void {
        this.retries.set(subject, at);
        this.nextRetry = Math.min(this.nextRetry ?? at, at);
    }

    /** Returns the next subject to ask about. */
    next(): Subject | undefined {
        for (const subject of this.queue) {
            this.queue.delete(subject);
            return subject;
        }
        return undefined;
    }

    begin(subject: Subject, request: SyncRequest): SyncQuestion {
        this.last++;
        this.underWay.set(this.last, { subject, request, again: false });
        this.numbers.set(subject, this.last);
        return { number: this.last, request };
    }

    /** Ends a request; undefined: it is of an earlier session. */
    end(number: number): Asked | undefined {
        const asked = this.underWay.get(number);
        if (asked) {
            this.underWay.delete(number);
            this.numbers.delete(asked.subject);
        }
        return asked;
    }

    succeeded(asked: Asked): void {
        this.failures.delete(asked.subject);
        if (asked.again) this.add(asked.subject);
    }

    /**
     * Repeats a request later.
     * @param wait what the server asks for; zero: nothing.
     */
    failed(subject: Subject, wait: number, now: number): void {
        const count = this.failures.get(subject) ?? 0;
        this.failures.set(subject, count + 1);
        const backoff = Math.min(this.options.retryFirst * 2 ** Math.min(count, 16), this.options.retryLast);
        this.plan(subject, now + Math.max(wait, backoff) * (1 + 0.5 * this.random.fraction()));
    }

    /** Moves a request that is about to be made to a later time, as after a failure. */
    postpone(subject: Subject, now: number): void {
        this.queue.delete(subject);
        this.failed(subject, 0, now);
    }

    /** Forgets a subject that is no longer of interest. The reply to a request under way changes nothing. */
    forget(subject: Subject): void {
        this.retries.delete(subject);
        this.failures.delete(subject);
        const number = this.numbers.get(subject);
        if (number === undefined) return;
        this.numbers.delete(subject);
        this.underWay.delete(number);
    }

    /** Moves the requests whose time has come to the queue. */
    wake(now: number): void {
        if (this.nextRetry === null || this.nextRetry > now) return;
        const due = [...this.retries].filter(([, at]) => at <= now).sort((a, b) => a[1] - b[1]);
        for (const [subject] of due) this.add(subject);
        this.nextRetry = least(this.retries.values());
    }

    /** Forgets everything, since another session begins with its own. */
    forgetAll(): void {
        for (const known of [this.underWay, this.numbers, this.queue, this.retries, this.failures]) known.clear();
        this.nextRetry = null;
        this.announces = true;
    }
}

/** The least of some numbers; null: there is none. */
export function least(values: Iterable<number>): number | null {
    let least: number | null = null;
    for (const value of values) if (least === null || value < least) least = value;
    return least;
}
