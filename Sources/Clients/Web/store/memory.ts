import { Database, Key, Query, Row, Sort, TableName, Tables, compareSorts, schema, tableNames } from "./tables";

/** Tables that are forgotten when the page closes: for private windows, for browsers without room, for tests. */
export class MemoryDatabase implements Database {
    private readonly tables = new Map<TableName, MemoryTable>();
    private writing: Promise<unknown> = Promise.resolve();

    constructor() {
        for (const name of tableNames) this.tables.set(name, new MemoryTable(schema[name]));
    }

    async read<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
        // A write that is under way ends first: what is read is of one moment.
        return this.queue(() => body(new MemoryTransaction(this.tables)));
    }

    async write<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
        return this.queue(async () => {
            const transaction = new MemoryTransaction(this.tables);
            try {
                return await body(transaction);
            } catch (error) {
                transaction.undo();
                throw error;
            }
        });
    }

    private queue<T>(body: () => Promise<T>): Promise<T> {
        const result = this.writing.then(body);
        this.writing = result.catch(() => undefined);
        return result;
    }

    async close(): Promise<void> {
        await this.writing;
    }
}

/** Rows in the order of a key's second part; of several with the same in that of their own keys. */
class SortedRows {
    readonly rows: { sort: Sort; row: Row }[] = [];

    /** Returns where the first row at a place or after it is. */
    place(sort: Sort, key?: Key): number {
        let low = 0;
        let high = this.rows.length;
        const last = this.rows[high - 1];
        // Most rows come after all others, or before them.
        if (last && this.isBefore(last, sort, key)) return high;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.isBefore(this.rows[middle]!, sort, key)) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    private isBefore(entry: { sort: Sort; row: Row }, sort: Sort, key?: Key): boolean {
        const order = compareSorts(entry.sort, sort);
        if (order !== 0 || !key) return order < 0;
        return compareKeys(entry.row.key, key) < 0;
    }

    add(sort: Sort, row: Row): void {
        this.rows.splice(this.place(sort, row.key), 0, { sort, row });
    }

    remove(sort: Sort, key: Key): void {
        const index = this.place(sort, key);
        const found = this.rows[index];
        if (found && compareKeys(found.row.key, key) === 0) this.rows.splice(index, 1);
    }

    range(from?: Sort, to?: Sort): [start: number, end: number] {
        const start = from === undefined ? 0 : this.place(from);
        let end = to === undefined ? this.rows.length : this.place(to);
        while (to !== undefined && end < this.rows.length && compareSorts(this.rows[end]!.sort, to) === 0) end++;
        return [start, end];
    }
}

function compareKeys(one: Key, other: Key): number {
    return one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : compareSorts(one[1], other[1]);
}

/** A table: its rows, and the same rows by each index. */
class MemoryTable {
    readonly groups = new Map<string, SortedRows>();
    private readonly indexes = new Map<string, Map<string, SortedRows>>();

    constructor(indexes: readonly string[]) {
        for (const index of indexes) this.indexes.set(index, new Map());
    }

    group(name: string, index?: string): SortedRows | undefined {
        return (index === undefined ? this.groups : this.indexes.get(index)!).get(name);
    }

    find([group, sort]: Key): Row | undefined {
        const rows = this.groups.get(group);
        const found = rows?.rows[rows.place(sort)];
        return found && compareSorts(found.sort, sort) === 0 ? found.row : undefined;
    }

    put(row: Row): void {
        this.remove(row.key);
        into(this.groups, row.key, row);
        for (const [name, groups] of this.indexes) {
            const key = indexKey(row, name);
            if (key) into(groups, key, row);
        }
    }

    remove(key: Key): void {
        const row = this.find(key);
        if (!row) return;
        from(this.groups, key, row);
        for (const [name, groups] of this.indexes) {
            const place = indexKey(row, name);
            if (place) from(groups, place, row);
        }
    }
}

function indexKey(row: Row, index: string): Key | undefined {
    return (row as unknown as Record<string, Key | undefined>)[index];
}

function into(groups: Map<string, SortedRows>, [group, sort]: Key, row: Row): void {
    let rows = groups.get(group);
    if (!rows) groups.set(group, (rows = new SortedRows()));
    rows.add(sort, row);
}

function from(groups: Map<string, SortedRows>, [group, sort]: Key, row: Row): void {
    const rows = groups.get(group);
    rows?.remove(sort, row.key);
    if (rows && rows.rows.length === 0) groups.delete(group);
}

/** The tables while they are read or changed. */
class MemoryTransaction implements Tables {
    /** What was there before each change, to undo it. */
    private readonly before: { table: MemoryTable; key: Key; row: Row | undefined }[] = [];

    constructor(private readonly tables: Map<TableName, MemoryTable>) {}

    async get(table: TableName, group: string, sort: Sort): Promise<unknown> {
        return this.tables.get(table)!.find([group, sort])?.value;
    }

    async all(table: TableName, group: string, query: Query = {}): Promise<unknown[]> {
        const rows = this.tables.get(table)!.group(group, query.index);
        if (!rows) return [];
        const [start, end] = rows.range(query.from, query.to);
        const count = Math.max(0, Math.min(end - start, query.limit ?? Infinity));
        const found: unknown[] = [];
        for (let index = 0; index < count; index++) {
            found.push(rows.rows[query.reverse ? end - 1 - index : start + index]!.row.value);
        }
        return found;
    }

    async every(table: TableName): Promise<Row[]> {
        return [...this.tables.get(table)!.groups.values()].flatMap((group) => group.rows.map((entry) => entry.row));
    }

    async count(table: TableName, group: string, query: Query): Promise<number> {
        const rows = this.tables.get(table)!.group(group, query.index);
        if (!rows) return 0;
        const [start, end] = rows.range(query.from, query.to);
        return Math.max(0, end - start);
    }

    put(name: TableName, row: Row): void {
        const table = this.tables.get(name)!;
        this.before.push({ table, key: row.key, row: table.find(row.key) });
        table.put(row);
    }

    remove(name: TableName, key: Key): void {
        const table = this.tables.get(name)!;
        const row = table.find(key);
        if (!row) return;
        this.before.push({ table, key, row });
        table.remove(key);
    }

    removeAll(name: TableName, group?: string, from?: Sort, to?: Sort): void {
        const table = this.tables.get(name)!;
        for (const id of group === undefined ? [...table.groups.keys()] : [group]) {
            const rows = table.group(id);
            if (!rows) continue;
            const [start, end] = rows.range(from, to);
            for (const { row } of rows.rows.slice(start, end)) this.remove(name, row.key);
        }
    }

    undo(): void {
        for (const { table, key, row } of this.before.reverse()) {
            if (row) table.put(row);
            else table.remove(key);
        }
    }
}
