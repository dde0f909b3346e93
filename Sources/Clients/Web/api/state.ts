import type { Unsent } from "../outbox/unsent";
import type { Decision, Event, Reminder, Suggestion } from "./entities";
import type { Refusal } from "./refusal";
import type { OwnPresence, Presence, Profile, User } from "./values";

/** How many message requests and invitations there are. */
export interface RequestCount {
    readonly total: number;
    readonly unread: number;
}

/**
 * Whether the server can be reached. `elsewhere`: another tab has the connection; what it receives is shown here, and
 * what is done here is sent by it.
 */
export type Connection = "connecting" | "online" | "offline" | "elsewhere";

/**
 * Whether somebody is signed in here. `ended`: the server signed this device out, `problem` says why; what is stored
 * stays until somebody signs in.
 */
export type AccountState = "signedOut" | "signingIn" | "signedIn" | "ended";

/** What an app shows of a person. */
export interface ParleyState {
    connection: Connection;
    offlineSince?: Date;
    problem?: Refusal;
    storageProblem?: Refusal;
    user?: string;
    isSigningIn: boolean;
    profile?: Profile;
    requestCount: RequestCount;
    reminders: readonly Reminder[];
    decisions: readonly Decision[];
    events: readonly Event[];
    suggestions: readonly Suggestion[];
    blocked: readonly User[];
    presence: ReadonlyMap<string, Presence>;
    ownPresence?: OwnPresence;
    isFromCache: boolean;
    unsent: readonly Unsent[];
}

/** What is shown while nobody is signed in. */
export const noAccount = {
    user: undefined, profile: undefined, requestCount: { total: 0, unread: 0 }, reminders: [], decisions: [],
    events: [], suggestions: [], blocked: [], presence: new Map<string, Presence>(), ownPresence: undefined,
    isFromCache: true, unsent: [],
};
