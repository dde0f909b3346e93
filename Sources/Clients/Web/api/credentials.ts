import type { CredentialStore, Credentials } from "../protocol/session-types";
import { StoreProblem } from "../store/problem";

export type { CredentialStore, Credentials } from "../protocol/session-types";

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

/** No user id has it. */
const knownMark = "_known";

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
        const factory = (globalThis as { indexedDB?: IDBFactory }).indexedDB;
        if (!factory) throw new StoreProblem("missing");
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
            const request = factory.open(`${name} accounts`, 1);
            request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: "key" });
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(StoreProblem.of(request.error));
        });
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
            await this.alter((before) => {
                // Signing in counts as opening, exchanging tokens does not.
                const isSame = before?.credentials.device === credentials.device;
                return { key, credentials, openedAt: isSame ? before!.openedAt : Date.now() };
            });
        } else if (this.user !== undefined) {
            const key = [this.server, this.user];
            this.user = undefined;
            await this.run("readwrite", (store) => store.delete(key));
        }
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
        return this.run("readwrite", (store) => {
            const request = store.get([this.server, this.user!]);
            request.onsuccess = () => {
                const after = body(request.result as StoredAccount | undefined);
                if (after) store.put(after);
            };
            return request;
        });
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

/** Tokens that are forgotten when the page closes. */
export class MemoryCredentials implements CredentialStore {
    private held: Credentials | null = null;

    async load(): Promise<Credentials | null> {
        return this.held;
    }

    async save(credentials: Credentials | null): Promise<void> {
        this.held = credentials;
    }
}
