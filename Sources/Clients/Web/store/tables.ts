/** The second part of a key, which orders the rows of a group as IndexedDB orders keys. */
export type Sort = number | string | readonly (number | string)[];

/** A key: the group, such as a conversation, and the place in it. */
export type Key = readonly [group: string, sort: Sort];

/** A row of a table. Apart from the key and the value it has the keys of the indexes that it is in. */
export interface Row {
    readonly key: Key;
    readonly value: unknown;
}

/** The tables and their indexes. A change is a new version of the database (`indexed.ts`). */
export const schema = {
    /** What there is one of: the version that grows with each change. */
    meta: [],
    /** Where each stream of the server stands. */
    streams: [],
    /** Conversations, with what lists show of them; `list` is their place in a list, `changed` the version. */
    conversations: ["list", "changed"],
    /** The ranges of numbers of which everything that I may read is stored. */
    spans: [],
    /** Messages by conversation, the newest first; `sent` has those of all conversations in that order. */
    messages: ["unread", "mention", "thread", "star", "expires", "sent"],
    /** My states of messages that are not stored yet. */
    early: [],
    receipts: [],
    readCounts: [],
    /** States that take the place of the earlier one, by kind: my profile, blocks, reminders … */
    states: [],
    /** What I did and the server does not have, by id. */
    unsent: [],
    /** The files of it. */
    files: [],
    drafts: [],
} as const;

export type TableName = keyof typeof schema;
export const tableNames = Object.keys(schema) as TableName[];

/** Which rows of a group are asked for. */
export interface Query {
    /** The index whose keys count; absent: the table's own. */
    index?: string;
    from?: Sort;
    to?: Sort;
    /** Begins at the end. */
    reverse?: boolean;
    limit?: number;
}

/** The tables as one transaction sees them. */
export interface Tables {
    get(table: TableName, group: string, sort: Sort): Promise<unknown>;
    /** Returns the values of a group in the order of the keys. */
    all(table: TableName, group: string, query?: Query): Promise<unknown[]>;
    /** Returns the rows of all groups. */
    every(table: TableName): Promise<Row[]>;
    count(table: TableName, group: string, query: Query): Promise<number>;
    put(table: TableName, row: Row): void;
    remove(table: TableName, key: Key): void;
    /** Removes the rows of a group from one place to another; without a group those of all. */
    removeAll(table: TableName, group?: string, from?: Sort, to?: Sort): void;
}

/** Where tables are kept: in memory or in IndexedDB. */
export interface Database {
    /** Reads. What is read is of one moment. The body awaits nothing but the tables. */
    read<T>(body: (tables: Tables) => Promise<T>): Promise<T>;
    /** Changes rows: all of it, or nothing when the body throws. */
    write<T>(body: (tables: Tables) => Promise<T>): Promise<T>;
    close(): Promise<void>;
}

/** Orders the second parts of keys as IndexedDB does. */
export function compareSorts(one: Sort, other: Sort): number {
    if (typeof one === "number") return typeof other === "number" ? one - other : -1;
    if (typeof one === "string") {
        if (typeof other === "number") return 1;
        return typeof other === "string" ? (one < other ? -1 : one > other ? 1 : 0) : -1;
    }
    if (typeof other !== "object") return 1;
    const count = Math.min(one.length, other.length);
    for (let index = 0; index < count; index++) {
        const order = compareSorts(one[index] as Sort, other[index] as Sort);
        if (order !== 0) return order;
    }
    return one.length - other.length;
}
