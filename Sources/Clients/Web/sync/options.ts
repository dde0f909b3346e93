import { streamKinds } from "../protocol/generated/states";

/** Settings of a SyncMachine. Times are milliseconds. */
export interface SyncOptions {
    /**
     * The messages that are read of a conversation of which nothing is held: "all", from the first one on, or a number
     * of the newest, at most 200.
     */
    readonly loading: "all" | number;
    /**
     * Whether what was missed of a conversation between sessions is only read once somebody looks at it (`look`), or
     * something else happens there. Sync says how many messages are unread, and which is the newest.
     */
    readonly readsWhenLookedAt: boolean;
    /** The services to follow, by the first part of their streams' names. */
    readonly services: readonly string[];
    /** How long a later Update waits for the earlier ones before they are requested. */
    readonly patience: number;
    /** The most Updates held for one stream. When one more arrives they are dropped; the request brings them again. */
    readonly heldMax: number;
    /** The most conversations of which a Sync says what is held, at most 200: those with the latest news. */
    readonly heldSent: number;
    /** The most requests under way. */
    readonly askedMax: number;
    /**
     * The wait after the first failure of a request; each further one doubles it, up to `retryLast`. The waits are up
     * to half as long again, at random.
     */
    readonly retryFirst: number;
    readonly retryLast: number;
    /** The kinds of Updates that are known, by how the names of their streams begin; with spaces between them. */
    readonly kinds: Readonly<Record<string, string>>;
    /** Seeds the random part of waits. */
    readonly seed: number;
}

export const syncOptions: SyncOptions = {
    loading: "all", readsWhenLookedAt: false, services: ["conversations", "entities", "messaging"], patience: 250,
    heldMax: 1000, heldSent: 100, askedMax: 4, retryFirst: 500, retryLast: 30_000, kinds: streamKinds, seed: 1,
};
