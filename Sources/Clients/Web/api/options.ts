import type { CredentialStore } from "../protocol/session-types";
import type { OpenWebSocket } from "../protocol/link";

/** Settings of Parley. */
export interface ParleyOptions {
    /** The app's name and version, for the server's logs. */
    name: string;
    /**
     * Where messages and tokens are kept: `browser` in IndexedDB, where tabs of the same origin share them; `memory`
     * nowhere, so that each start begins anew.
     */
    storage: "browser" | "memory";
    /** The name of the databases, so that two apps of one origin do not share them. */
    database: string;
    /**
     * The name of the lock by which tabs agree on which of them holds the connection; absent: of the databases. The
     * others show what it stores, and hand it what they do.
     */
    lock?: string;
    /** The id of the person to open, of several who are signed in; absent: the one who was opened last. */
    user?: string;
    /** Keeps the tokens of the signed-in device in the place of IndexedDB. */
    credentials?: CredentialStore;
    /**
     * Addresses at which the server was before. What is stored, and tokens, belong to one server: no other one gets
     * them, unless it is the same one at another address.
     */
    formerServers: readonly string[];
    /**
     * Whether what is stored of a person whose sign-in the server ended stays when somebody else signs in; otherwise it
     * is removed then.
     */
    keepsEndedAccounts: boolean;
    /** Opens WebSockets, where there is no global one, as in node before version 22. */
    webSocket?: OpenWebSocket;
    /** How many messages are kept of each conversation: the newest, and those that are not read yet. */
    messagesKept: number;
    /** How much may wait to be sent: messages, edits, reactions and all else that I do. More is refused. */
    unsentMax: number;
    /** How many bytes of files may wait to be sent. */
    unsentFileBytesMax: number;
    /** How many bytes of files that were opened are kept: those opened last. */
    fileBytesKept: number;
    /** How many messages of a conversation, and how many conversations of a list, are shown at first. */
    pageSize: number;
}

export const defaultOptions: ParleyOptions = {
    name: "parley-web", storage: "browser", database: "parley", formerServers: [], keepsEndedAccounts: false,
    messagesKept: 2000, unsentMax: 1000, unsentFileBytesMax: 200_000_000, fileBytesKept: 100_000_000, pageSize: 50,
};
