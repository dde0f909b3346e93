import { IndexedDatabase } from "./indexed";
import { MemoryDatabase } from "./memory";
import { StoreProblem } from "./problem";
import { Rows } from "./rows";
import { Database, tableNames } from "./tables";

/**
 * Where a client keeps what it knows: in IndexedDB, or in memory when the browser keeps nothing or has no room. It goes
 * on in memory by itself, and says so.
 */
export class Store {
    /** Why what is stored is lost when the page closes, or what was lost; absent: all is kept. */
    problem: StoreProblem | undefined;
    /** Called when the problem changes. */
    onProblem: (() => void) | undefined;
    /** Called when it goes on in memory, without some of what was stored. */
    onEmptied: (() => void) | undefined;
    private moving: Promise<void> | undefined;
    /** The database that was left for memory. */
    private left: Database | undefined;

    private constructor(private database: Database, problem?: StoreProblem) {
        this.problem = problem;
    }

    /** A store in memory. */
    static inMemory(problem?: StoreProblem): Store {
        return new Store(new MemoryDatabase(), problem);
    }

    /** Opens what is stored under a name. It never fails: `problem` says what could not be opened. */
    static async open(name: string): Promise<Store> {
        let store: Store | undefined;
        const onLost = (problem: StoreProblem) => void store?.move(problem);
        try {
            const { database, problem } = await IndexedDatabase.openOrRepair(name, onLost);
            store = new Store(database, problem);
        } catch (error) {
            store = Store.inMemory(StoreProblem.of(error));
        }
        return store;
    }

    /** Whether it keeps nothing. */
    get isInMemory(): boolean {
        return this.database instanceof MemoryDatabase;
    }

    /** Reads. What is read is of one moment. The body awaits nothing but the rows. */
    read<T>(body: (rows: Rows) => Promise<T>): Promise<T> {
        return this.attempt((database) => database.read((tables) => body(new Rows(tables))));
    }

    /** Changes rows: all of it, or nothing when the body throws. The body awaits nothing but the rows. */
    write<T>(body: (rows: Rows) => Promise<T> | T): Promise<T> {
        return this.attempt(async (database) => {
            let removed: Rows["removed"] = [];
            const result = await database.write(async (tables) => {
                const rows = new Rows(tables);
                removed = rows.removed;
                return body(rows);
            });
            if (database instanceof MemoryDatabase) await this.removeBehind(removed);
            return result;
        });
    }

    /**
     * What is sent or dropped from now on, and drafts that are, must not come back from the database when the page is
     * opened again.
     */
    private async removeBehind(removed: Rows["removed"]): Promise<void> {
        if (removed.length === 0 || !this.left) return;
        try {
            // Removing takes no room.
            await this.left.write(async (tables) => {
                for (const { table, key } of removed) tables.remove(table, key);
            });
        } catch {
            // It cannot be written at all. The server takes what was sent once.
        }
    }

    private async attempt<T>(body: (database: Database) => Promise<T>): Promise<T> {
        const { database } = this;
        try {
            return await body(database);
        } catch (error) {
            // The page's own errors are no problems of the storage.
            if (!(error instanceof StoreProblem) || database instanceof MemoryDatabase) throw error;
            await this.move(error);
            return body(this.database);
        }
    }

    /** Goes on in memory, with all that can be read. */
    private move(problem: StoreProblem): Promise<void> {
        if (this.isInMemory) return Promise.resolve();
        this.moving ??= this.copy(problem);
        return this.moving;
    }

    private async copy(problem: StoreProblem): Promise<void> {
        const from = this.database;
        const memory = new MemoryDatabase();
        let isWhole = true;
        try {
            const found = await from.read((tables) =>
                Promise.all(tableNames.map(async (name) => ({ name, rows: await tables.every(name) }))));
            await memory.write(async (copy) => {
                for (const { name, rows } of found) for (const row of rows) copy.put(name, row);
            });
        } catch {
            // It is read from the server again.
            isWhole = false;
        }
        this.database = memory;
        this.problem = problem;
        this.onProblem?.();
        this.left = from;
        if (!isWhole) this.onEmptied?.();
    }

    /** Ends what is under way. */
    async close(): Promise<void> {
        await this.database.close();
        await this.left?.close();
    }
}
