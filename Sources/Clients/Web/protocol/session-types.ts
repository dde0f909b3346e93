import type { Given } from "./codec";
import type { ParleyError } from "./errors";
import type { ClientFrame, SignedIn, Update, Welcome } from "./generated/messages";
import type { Method } from "./generated/methods";

/** The tokens of a signed-in device. Keep them secret: in IndexedDB, never in localStorage or a cookie. */
export interface Credentials {
    readonly user: string;
    readonly device: string;
    readonly username: string;
    /** Signs a session in. It expires after a few minutes. */
    readonly access_token: string;
    readonly access_ends_us: number;
    /** Is exchanged for new tokens. The old one signs the device out when it is used later. */
    readonly refresh_token: string;
    readonly refresh_ends_us: number;
    /** Shows that this person signed in on this device before. It gives no access. */
    readonly known_device: string;
    /** The server's address, which alone gets the tokens; absent: they are older than this field. */
    readonly server?: string;
}

/** Keeps the credentials of one device. */
export interface CredentialStore {
    /** Returns the credentials saved last; null: nobody is signed in. */
    load(): Promise<Credentials | null>;
    /**
     * Saves credentials in place of the earlier ones; null removes them. They must be durable when this resolves,
     * because the old refresh token can be used again for one minute only, and not after the new tokens were used.
     */
    save(credentials: Credentials | null): Promise<void>;
    /** Runs a refresh while no other tab with the same storage refreshes. Without it, there is one tab. */
    exclusively?(refresh: () => Promise<void>): Promise<void>;
    /**
     * Returns what shows that this person signed in on this device before; empty: nothing does. It gives no access, and
     * outlives the credentials: with it, nobody who tries wrong passwords elsewhere keeps the person from signing in.
     */
    knownDevice?(username: string): Promise<string>;
    keepKnownDevice?(username: string, known: string): Promise<void>;
    /**
     * Ends the sign-in on this device, in one step: `load` does not return it any more, `leaving` does. Without it, what
     * the server is still to be told is forgotten when the page closes.
     */
    leave?(everywhere: boolean): Promise<void>;
    /** Returns the sign-ins that ended on this device, of which the server is still to be told. */
    leaving?(): Promise<readonly EndedSignIn[]>;
    /** Removes one of them: the server knows. */
    forgetLeaving?(device: string): Promise<void>;
}

/** A sign-in that ended on this device, of which the server may not know. */
export interface EndedSignIn {
    readonly credentials: Credentials;
    /** Whether all devices of the person are signed out. */
    readonly everywhere: boolean;
}

/** The credentials in the reply to a sign-in. */
export function credentialsOf(signedIn: SignedIn): Credentials {
    const { device, access_token, access_ends_us, refresh_token, refresh_ends_us, known_device } = signedIn;
    const { id = "", username = "" } = signedIn.user ?? {};
    return { user: id, device, username, access_token, access_ends_us, refresh_token, refresh_ends_us, known_device };
}

/** The states of a session machine, and of a client. */
export type ClientState =
    /** Nothing was asked for. */
    | { readonly phase: "idle" }
    /**
     * Opening a session. `attempt` counts from 0 since the last one that lasted; `problem` is why the last one failed.
     */
    | { readonly phase: "connecting"; readonly attempt: number; readonly problem: ParleyError | null }
    /** A session exists. Its user is empty while nobody is signed in. */
    | { readonly phase: "ready"; readonly welcome: Welcome }
    /** It no longer connects: it was closed, or another attempt would end the same way. */
    | { readonly phase: "stopped"; readonly problem: ParleyError };

/** A request that a session machine sends. */
export interface SessionCall {
    readonly method: Method;
    /** The conversation or user that it concerns. */
    readonly key: string;
    readonly body: Uint8Array;
    /** How long each attempt may take, in milliseconds. */
    readonly deadline: number;
    /** No attempt begins after this time; 0: it is sent once. */
    readonly repeatsUntil: number;
    /** Whether it may go with a hello, before the welcome: the requests of a sync. */
    readonly early: boolean;
}

/** What a SessionMachine tells its shell to do, in this order. */
export type SessionAction =
    /** Open a WebSocket. Tell what becomes of it by its number. */
    | { readonly type: "connect"; readonly link: number }
    /** Close the WebSocket, if it is open. Nothing is to be told of it any more. */
    | { readonly type: "disconnect"; readonly link: number }
    | { readonly type: "send"; readonly frame: Given<ClientFrame> }
    /** Call `greet`, after the actions before this one are carried out. */
    | { readonly type: "greet" }
    /** Call `woke` at this time. It replaces the time set before; waking early does no harm. */
    | { readonly type: "wake"; readonly at: number }
    | { readonly type: "state"; readonly state: ClientState }
    /**
     * A session began: sync. It may be only greeted, if it is expected to be like the one before; then it may come
     * again.
     */
    | { readonly type: "began"; readonly welcome: Welcome }
    /** The session that began has ended. */
    | { readonly type: "ended" }
    | { readonly type: "update"; readonly update: Update }
    /** A request was answered. `late`: after its deadline, or again. */
    | { readonly type: "reply"; readonly call: SessionCall; readonly body: Uint8Array; readonly late: boolean }
    /** An attempt failed. `final`: it is not repeated. */
    | { readonly type: "failed"; readonly call: SessionCall; readonly error: ParleyError; readonly final: boolean }
    /** Take the lock that keeps others with the same store from refreshing, load what it has, and call `mayRefresh`. */
    | { readonly type: "lock" }
    /** Store these credentials, and call `saved` once they are durable. */
    | { readonly type: "save"; readonly credentials: Credentials | null }
    /** Give the lock back. */
    | { readonly type: "unlock" }
    /** The session was signed in, or extended. */
    | { readonly type: "authenticated" };

/** Settings of a session. Times are milliseconds. */
export interface SessionOptions {
    /** The app's name and version, for the server's logs. */
    readonly name: string;
    /** How long connecting may take, up to welcome. */
    readonly connectWithin: number;
    readonly pingEvery: number;
    /** The connection is dropped when nothing arrives within this time after a ping. */
    readonly pongWithin: number;
    /** The longest wait before the first retry; each further one doubles it, up to `backoffLast`. */
    readonly backoffFirst: number;
    readonly backoffLast: number;
    /** How often a request is repeated that failed inside the server. */
    readonly internalMax: number;
    /** Seeds the random waits. */
    readonly seed: number;
}

export const sessionOptions: SessionOptions = {
    name: "parley-web", connectWithin: 10_000, pingEvery: 20_000, pongWithin: 9_000, backoffFirst: 100,
    backoffLast: 30_000, internalMax: 3, seed: 1,
};
