import type { Random } from "./random";

/** Returns the longest wait before retry number `attempt` (0, 1, 2 …). */
export function ceiling(first: number, last: number, attempt: number): number {
    return Math.min(last, first * 2 ** Math.min(Math.max(attempt, 0), 30));
}

/** Returns a random wait between zero and the ceiling, so that many clients do not return together. */
export function backoff(first: number, last: number, attempt: number, random: Random): number {
    return ceiling(first, last, attempt) * random.fraction();
}

/** The reaction to the end of a connection. */
export type Reaction =
    /** Reconnect after a random wait. */
    | "wait"
    /** Reconnect immediately, then sync. */
    | "atOnce"
    /** Reconnect with a new access token. */
    | "refresh"
    /** This device was signed out: the person has to sign in. */
    | "signInAgain"
    /** Do not reconnect: an unchanged attempt would end the same way. */
    | "never";

/** The reaction to a close code (proto/REFERENCE.md, "Close codes"). */
export function reaction(code: number): Reaction {
    switch (code) {
        case 1000:
        case 4001:
        case 4005:
        case 4006:
        case 4007:
            return "never";
        case 4002:
            return "refresh";
        case 4003:
            return "signInAgain";
        case 4004:
            return "atOnce";
        default:
            return "wait";
    }
}

/**
 * Returns how long to wait with refreshing the tokens, in microseconds: until a minute before the first of them ends,
 * or until a quarter of the time is left.
 */
export function refreshAfter(sessionEndsUs: number, accessEndsUs: number, nowUs: number): number {
    const left = Math.min(sessionEndsUs, accessEndsUs) - nowUs;
    return Math.max(left - Math.min(60_000_000, left / 4), 100_000);
}
