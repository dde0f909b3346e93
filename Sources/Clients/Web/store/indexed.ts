import type { Message } from "../protocol/generated/messages";
import { StoreProblem } from "./problem";
import { databases, promised } from "./requests";
import { sentPlace } from "./rows";
import { Database, Key, Query, Row, Sort, TableName, Tables, schema, tableNames } from "./tables";

/** The version of the database. It grows with each change of the tables, which `upgrade` then makes. */
export const databaseVersion = 2;

/** Tables in IndexedDB: they stay when the page is closed or the browser is killed. */
export class IndexedDatabase implements Database {
    private problem: StoreProblem | undefined;

    private constructor(private readonly database: IDBDatabase, onLost?: (problem: StoreProblem) => void) {
        const lose = (problem: StoreProblem) => {
            this.problem ??= problem;
            database.close();
            onLost?.(this.problem);
        };
        // A newer version of the page wants to change the tables, or another tab removes them.
        database.onversionchange = ({ newVersion }) =>
            lose(new StoreProblem(newVersion === null ? "removed" : "newer_version"));
        database.onclose = () => lose(new StoreProblem("other", "the browser closed it"));
    }

    /**
     * Opens a database.
     * @param onLost called when the browser takes it away later.
     * @throws StoreProblem
     */
    static async open(
        name: string, onLost?: (problem: StoreProblem) => void, version = databaseVersion,
    ): Promise<IndexedDatabase> {
        const database = await openDatabase(name, version);
        if (isWhole(database)) return new IndexedDatabase(database, onLost);
        database.close();
        throw new StoreProblem("damaged", "tables are missing");
    }

    /**
     * Opens a database. A damaged one is removed, and a new one begins with what was unsent in it.
     * @returns also what was wrong; absent: nothing.
     */
    static async openOrRepair(
        name: string, onLost?: (problem: StoreProblem) => void,
    ): Promise<{ database: IndexedDatabase; problem?: StoreProblem }> {
        try {
            return { database: await IndexedDatabase.open(name, onLost) };
        } catch (error) {
            const problem = StoreProblem.of(error);
            if (problem.kind !== "damaged") throw problem;
        }
        const unsent = await salvage(name);
        await removeDatabase(name);
        const database = await IndexedDatabase.open(name, onLost);
        await database.write(async (tables) => {
            for (const [table, rows] of unsent ?? []) for (const row of rows) tables.put(table, row);
        });
        return { database, problem: new StoreProblem(unsent ? "damaged" : "lost_unsent") };
    }

    read<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
        return this.run("readonly", body);
    }

    write<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
        return this.run("readwrite", body);
    }

    private async run<T>(mode: IDBTransactionMode, body: (tables: Tables) => Promise<T>): Promise<T> {
        if (this.problem) throw this.problem;
        let transaction: IDBTransaction;
        try {
            transaction = this.database.transaction(tableNames, mode);
        } catch (error) {
            throw StoreProblem.of(error);
        }
        const ended = new Promise<void>((resolve, reject) => {
            transaction.oncomplete = () => resolve();
            transaction.onabort = () => reject(StoreProblem.of(transaction.error));
        });
        // It is heard below, unless the body fails first.
        ended.catch(() => undefined);
        let result: T;
        try {
            result = await body(new IndexedTransaction(transaction));
            // At once rather than when the answers are back: the tab may be closed meanwhile.
            if (mode === "readwrite") transaction.commit();
        } catch (error) {
            try {
                transaction.abort();
            } catch {
                // It has ended by itself.
            }
            // What aborted the transaction is the reason for what failed in the body.
            if (transaction.error) throw StoreProblem.of(transaction.error);
            throw error instanceof DOMException ? StoreProblem.of(error) : error;
        }
        await ended;
        return result;
    }

    async close(): Promise<void> {
        this.problem ??= new StoreProblem("other", "it was closed");
        this.database.onclose = null;
        // It ends the transactions that are under way first.
        this.database.close();
    }
}

async function openDatabase(name: string, version?: number): Promise<IDBDatabase> {
    const factory = databases();
    if (!factory) throw new StoreProblem("missing");
    let request: IDBOpenDBRequest;
    try {
        request = factory.open(name, version);
    } catch (error) {
        // Some private windows and frames throw.
        throw new StoreProblem("missing", (error as Error).message);
    }
    request.onupgradeneeded = () => upgrade(request.result, request.transaction!);
    // Another tab that has an older version open closes it when it is told so.
    return promised(request).catch((problem: StoreProblem) => {
        const { error } = request;
        const isForbidden = error?.name === "SecurityError" || error?.name === "InvalidStateError";
        throw isForbidden ? new StoreProblem("missing", error?.message) : problem;
    });
}

/** Makes the tables and the indexes that are not there. */
function upgrade(database: IDBDatabase, transaction: IDBTransaction): void {
    for (const name of tableNames) {
        const isNew = !database.objectStoreNames.contains(name);
        const table = isNew ? database.createObjectStore(name, { keyPath: "key" }) : transaction.objectStore(name);
        for (const index of schema[name]) {
            if (table.indexNames.contains(index)) continue;
            table.createIndex(index, index);
            // Since version 2 messages are in order of when they were sent.
            if (!isNew && index === "sent") addPlaces(table);
        }
    }
}

function addPlaces(messages: IDBObjectStore): void {
    const request = messages.openCursor();
    request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return;
        const row = cursor.value as Row;
        cursor.update({ ...row, sent: ["", sentPlace(row.value as Message)] });
        cursor.continue();
    };
}

function isWhole(database: IDBDatabase): boolean {
    return tableNames.every((name) => database.objectStoreNames.contains(name));
}

/** Reads what is unsent in a damaged database; absent: it cannot be read. */
async function salvage(name: string): Promise<[TableName, Row[]][] | undefined> {
    try {
        const database = await openDatabase(name);
        try {
            const kept = (["unsent", "files", "drafts"] as const).filter((table) =>
                database.objectStoreNames.contains(table));
            if (!kept.includes("unsent")) return undefined;
            const transaction = database.transaction(kept, "readonly");
            const tables = new IndexedTransaction(transaction);
            const found: [TableName, Row[]][] = [];
            for (const table of kept) found.push([table, await tables.every(table)]);
            return found;
        } finally {
            database.close();
        }
    } catch {
        return undefined;
    }
}

/** Removes a database. */
export async function removeDatabase(name: string): Promise<void> {
    const factory = databases();
    if (factory) await promised(factory.deleteDatabase(name));
}

/** Above every second part of a key: arrays come after strings and numbers, and an array after those that it begins. */
const top: IDBValidKey = [[[]]];

function keys(group: string, from?: Sort, to?: Sort): IDBKeyRange {
    const low = from === undefined ? [group] : [group, from as IDBValidKey];
    return IDBKeyRange.bound(low, [group, to === undefined ? top : (to as IDBValidKey)]);
}

/**
 * Files of what is unsent, by their names, that the browser did not take: a private window of Safari stores everything
 * but files. They are held while the page is open.
 */
const untaken = new Map<Sort, unknown>();

class IndexedTransaction implements Tables {
    private readonly stores = new Map<TableName, IDBObjectStore>();

    constructor(private readonly transaction: IDBTransaction) {}

    private store(table: TableName): IDBObjectStore {
        let store = this.stores.get(table);
        if (!store) this.stores.set(table, (store = this.transaction.objectStore(table)));
        return store;
    }

    async get(table: TableName, group: string, sort: Sort): Promise<unknown> {
        const row = await promised(this.store(table).get([group, sort as IDBValidKey]));
        return (row as Row | undefined)?.value ?? (table === "files" ? untaken.get(sort) : undefined);
    }

    async all(table: TableName, group: string, query: Query = {}): Promise<unknown[]> {
        const store = this.store(table);
        const source = query.index === undefined ? store : store.index(query.index);
        if (query.limit === 0 || isEmpty(query)) return [];
        const range = keys(group, query.from, query.to);
        if (query.reverse) return backwards(source, range, query.limit ?? Infinity);
        const rows = await promised(source.getAll(range, query.limit === Infinity ? undefined : query.limit));
        return (rows as Row[]).map((row) => row.value);
    }

    every(table: TableName): Promise<Row[]> {
        return promised(this.store(table).getAll());
    }

    async count(table: TableName, group: string, query: Query): Promise<number> {
        if (isEmpty(query)) return 0;
        const store = this.store(table);
        const source = query.index === undefined ? store : store.index(query.index);
        return promised(source.count(keys(group, query.from, query.to)));
    }

    put(table: TableName, row: Row): void {
        const request = this.store(table).put(row);
        if (table !== "files") return;
        request.onerror = (event) => {
            if (request.error?.name !== "UnknownError") return;
            event.preventDefault();
            if (row.key[0] === "") untaken.set(row.key[1], row.value);
        };
    }

    remove(table: TableName, key: Key): void {
        if (table === "files") untaken.delete(key[1]);
        this.store(table).delete(key as unknown as IDBValidKey);
    }

    removeAll(table: TableName, group?: string, from?: Sort, to?: Sort): void {
        if (group === undefined) this.store(table).clear();
        else if (!isEmpty({ from, to })) this.store(table).delete(keys(group, from, to));
    }
}

/** Whether a range has no room, which IndexedDB refuses. */
function isEmpty({ from, to }: Query): boolean {
    return typeof from === "number" && typeof to === "number" && from > to;
}

async function backwards(source: IDBObjectStore | IDBIndex, range: IDBKeyRange, limit: number): Promise<unknown[]> {
    const found: unknown[] = [];
    const request = source.openCursor(range, "prev");
    for (;;) {
        const cursor = await promised(request);
        if (!cursor) return found;
        found.push((cursor.value as Row).value);
        if (found.length >= limit) return found;
        cursor.continue();
    }
}
