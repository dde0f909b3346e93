import { serverAddress } from "../protocol/link";
import type { CredentialStore, Credentials, EndedSignIn } from "../protocol/session-types";
import { databases, promised } from "../store/requests";
import { StoreProblem } from "../store/problem";
import { Refusal } from "./refusal";

export type { CredentialStore, Credentials, EndedSignIn } from "../protocol/session-types";

const table = "accounts";

interface StoredAccount {
    /** The server and the person. */
    key: [server: string, user: string];
    credentials: Credentials;
    /** When it was last the one that opens, in milliseconds. */
    openedAt: number;
}

/** What shows that a person signed in here before. */
interface KnownDevice {
    key: [server: string, mark: typeof knownMark, username: string];
    known: string;
}

/** A sign-in that ended, of which the server is still to be told. */
interface LeftDevice {
    key: [server: string, mark: typeof leftMark, device: string];
    ended: EndedSignIn;
}

/** No user id has them. */
const knownMark = "_known";
const leftMark = "_left";

/**
 * Tokens of signed-in devices in IndexedDB, for each server and person: several accounts are side by side. They are
 * never in localStorage, where each script of the page's origin would find them by looking, nor in a cookie.
 */
export class BrowserCredentials implements CredentialStore {
    private constructor(
        private readonly database: IDBDatabase, private readonly server: string, private user: string | undefined,
        private readonly lock: string,
    ) {}

    /**
     * Opens the tokens that are stored for a server.
     * @param user the person; absent: the one who was last opened.
     * @throws StoreProblem
     */
    static async open(name: string, server: string, user?: string): Promise<BrowserCredentials> {
        const request = databases()?.open(`${name} accounts`, 1);
        if (!request) throw new StoreProblem("missing");
        request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: "key" });
        const database = await promised(request);
        const credentials = new BrowserCredentials(database, server, user, `${name} tokens ${server}`);
        if (user === undefined) credentials.user = (await credentials.accounts())[0]?.credentials.user;
        if (credentials.user !== undefined) {
            await credentials.alter((before) => before && { ...before, openedAt: Date.now() });
        }
        return credentials;
    }

    /** The accounts of the server, the one that was opened last first. */
    private async accounts(): Promise<StoredAccount[]> {
        const range = IDBKeyRange.bound([this.server], [this.server, []]);
        const found = (await this.run("readonly", (store) => store.getAll(range))) as (StoredAccount | KnownDevice)[];
        const accounts = found.filter((row): row is StoredAccount => "credentials" in row);
        return accounts.sort((one, other) => other.openedAt - one.openedAt);
    }

    /** The people who are signed in at the server, the one who was opened last first. */
    async people(): Promise<{ user: string; username: string }[]> {
        return (await this.accounts()).map(({ credentials: { user, username } }) => ({ user, username }));
    }

    async load(): Promise<Credentials | null> {
        if (this.user === undefined) return null;
        const key = [this.server, this.user];
        return ((await this.run("readonly", (store) => store.get(key))) as StoredAccount | undefined)?.credentials ?? null;
    }

    /** Called when tokens cannot be stored: they go with the page. */
    onProblem: ((problem: StoreProblem) => void) | undefined;

    async save(credentials: Credentials | null): Promise<void> {
        try {
            await this.saveNow(credentials);
        } catch (error) {
            this.onProblem?.(StoreProblem.of(error));
            throw error;
        }
    }

    private async saveNow(credentials: Credentials | null): Promise<void> {
        if (credentials) {
            this.user = credentials.user;
            const key: StoredAccount["key"] = [this.server, credentials.user];
            await this.run("readwrite", (store) => {
                const found = store.get([this.server, leftMark, credentials.device]);
                found.onsuccess = () => {
                    const left = found.result as LeftDevice | undefined;
                    // Another tab signed out while this one exchanged the tokens: nobody is signed in by them.
                    if (left) store.put({ ...left, ended: { ...left.ended, credentials } });
                    else alterRow(store, key, (before) => {
                        // Signing in counts as opening, exchanging tokens does not.
                        const isSame = before?.credentials.device === credentials.device;
                        return { key, credentials, openedAt: isSame ? before!.openedAt : Date.now() };
                    });
                };
                return found;
            });
        } else if (this.user !== undefined) {
            const key = [this.server, this.user];
            this.user = undefined;
            await this.run("readwrite", (store) => store.delete(key));
        }
    }

    /** Another tab signed the person out: this one has no part in what becomes of the row. */
    forgetUser(): void {
        this.user = undefined;
    }

    async leave(everywhere: boolean): Promise<void> {
        if (this.user === undefined) return;
        const key = [this.server, this.user];
        await this.run("readwrite", (store) => {
            const found = store.get(key);
            found.onsuccess = () => {
                const account = found.result as StoredAccount | undefined;
                if (!account) return;
                const { credentials } = account;
                const left: LeftDevice = {
                    key: [this.server, leftMark, credentials.device], ended: { credentials, everywhere },
                };
                store.put(left);
                store.delete(key);
            };
            return found;
        });
        this.user = undefined;
    }

    async leaving(): Promise<readonly EndedSignIn[]> {
        const range = IDBKeyRange.bound([this.server, leftMark], [this.server, leftMark, []]);
        return ((await this.run("readonly", (store) => store.getAll(range))) as LeftDevice[]).map(({ ended }) => ended);
    }

    async forgetLeaving(device: string): Promise<void> {
        await this.run("readwrite", (store) => store.delete([this.server, leftMark, device]));
    }

    async knownDevice(username: string): Promise<string> {
        const key = [this.server, knownMark, username];
        return ((await this.run("readonly", (store) => store.get(key))) as KnownDevice | undefined)?.known ?? "";
    }

    async keepKnownDevice(username: string, known: string): Promise<void> {
        const row: KnownDevice = { key: [this.server, knownMark, username], known };
        await this.run("readwrite", (store) => store.put(row));
    }

    /** Does something while no other tab refreshes the same tokens. */
    async exclusively<T>(body: () => Promise<T>): Promise<T> {
        const locks = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
        if (!locks) return body();
        return (await locks.request(this.lock, body)) as T;
    }

    /** Changes the row of the person, in one transaction: another tab may exchange the tokens. */
    private alter(body: (before: StoredAccount | undefined) => StoredAccount | undefined): Promise<unknown> {
        return this.run("readwrite", (store) => alterRow(store, [this.server, this.user!], body));
    }

    private run<T>(mode: IDBTransactionMode, body: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
        return new Promise((resolve, reject) => {
            const transaction = this.database.transaction(table, mode);
            const request = body(transaction.objectStore(table));
            transaction.oncomplete = () => resolve(request.result);
            transaction.onabort = () => reject(StoreProblem.of(transaction.error));
        });
    }

    close(): void {
        this.database.close();
    }
}

/** Changes a row, within a transaction. */
function alterRow(
    store: IDBObjectStore, key: StoredAccount["key"], body: (before: StoredAccount | undefined) => StoredAccount | undefined,
): IDBRequest {
    const request = store.get(key);
    request.onsuccess = () => {
        const after = body(request.result as StoredAccount | undefined);
        if (after) store.put(after);
    };
    return request;
}

/**
 * The tokens of a store that an app gave. They belong to one server: no other one gets them, and no other sign-in takes
 * their place.
 */
export class ServerCredentials implements CredentialStore {
    exclusively?: CredentialStore["exclusively"];
    knownDevice?: CredentialStore["knownDevice"];
    keepKnownDevice?: CredentialStore["keepKnownDevice"];
    leave?: CredentialStore["leave"];
    leaving?: CredentialStore["leaving"];
    forgetLeaving?: CredentialStore["forgetLeaving"];
    private readonly servers: readonly string[];

    /** @param formerServers addresses at which the same server was before. */
    constructor(
        private readonly store: CredentialStore, private readonly server: string, formerServers: readonly string[],
    ) {
        this.servers = [server, ...formerServers.map(serverAddress)];
        const names = ["exclusively", "knownDevice", "keepKnownDevice", "leave", "leaving", "forgetLeaving"] as const;
        // What the store does not have, this does not have either.
        for (const name of names) this[name] = store[name]?.bind(store) as never;
    }

    /** @throws Refusal `other_server` */
    async load(): Promise<Credentials | null> {
        const found = await this.store.load();
        const owner = found?.server;
        if (owner === undefined || this.servers.includes(owner)) return found;
        throw new Refusal("other_server", `The stored sign-in is that of ${owner}, and no other server gets its tokens. `
            + "Use a store of its own for each server; if that server has moved here, name its address in formerServers.");
    }

    async save(credentials: Credentials | null): Promise<void> {
        await this.load();
        await this.store.save(credentials && { ...credentials, server: this.server });
    }
}

/** Tokens that are forgotten when the page closes. */
export class MemoryCredentials implements CredentialStore {
    private held: Credentials | null = null;
    private left: EndedSignIn[] = [];

    async leave(everywhere: boolean): Promise<void> {
        if (this.held) this.left.push({ credentials: this.held, everywhere });
        this.held = null;
    }

    async leaving(): Promise<readonly EndedSignIn[]> {
        return this.left;
    }

    async forgetLeaving(device: string): Promise<void> {
        this.left = this.left.filter(({ credentials }) => credentials.device !== device);
    }

    async load(): Promise<Credentials | null> {
        return this.held;
    }

    async save(credentials: Credentials | null): Promise<void> {
        this.held = credentials;
    }
}
