// Runs in a browser: the cases of every store, and those that need IndexedDB.
import { create } from "../../../Sources/Clients/Web/protocol/codec";
import { IndexedDatabase, databaseVersion, removeDatabase } from "../../../Sources/Clients/Web/store/indexed";
import { Store } from "../../../Sources/Clients/Web/store/store";
import { newStream } from "../../../Sources/Clients/Web/sync/types";
import { Case, equal, ok } from "../support/check";
import { schema, tableNames } from "../../../Sources/Clients/Web/store/tables";
import { storeCases, applyChanges, search } from "../support/store-cases";
import { publish } from "./page";

async function empty(name: string): Promise<Store> {
    await removeDatabase(name);
    return Store.open(name);
}

/** Opens a database as some other version of the page would make it. */
function openRaw(name: string, version: number, upgrade: (database: IDBDatabase) => void): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
        const request = indexedDB.open(name, version);
        request.onupgradeneeded = () => upgrade(request.result);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

/** All rows of a database, by table. */
async function allRows(database: IDBDatabase): Promise<Map<string, object[]>> {
    const transaction = database.transaction(tableNames);
    const rows = (name: string) => new Promise<object[]>((resolve, reject) => {
        const request = transaction.objectStore(name).getAll();
        request.onsuccess = () => resolve(request.result as object[]);
        request.onerror = () => reject(request.error);
    });
    return new Map(await Promise.all(tableNames.map(async (name) => [name, await rows(name)] as const)));
}

const unsent = (id: string) => ({
    id, lane: "one", method: "messaging.SendMessage", body: Uint8Array.of(1), target: "", targetSeq: 0, doneAtUs: 1, wasTried: false,
});

const own: Case[] = [
    {
        name: "what was stored is there when it is opened again",
        async run() {
            const first = await empty("again");
            ok(!first.isInMemory && !first.problem, "it is in IndexedDB");
            const message = create("Message", { conversation: "one", seq: 7, id: "ab".repeat(16), text: "Hi", position: 3 });
            await applyChanges(first, [
                { type: "message", message, from: "reply" },
                { type: "inboxState", state: create("InboxState", { conversation: "one", muted_until_us: 2n ** 63n - 1n }) },
                { type: "stream", stream: { ...newStream("messaging/c/one"), position: 3, epoch: "e" } },
            ]);
            await first.write((rows) => rows.putUnsent(unsent("01")));
            await first.close();
            const second = await Store.open("again");
            equal(await second.read((rows) => rows.message("one", 7)), message);
            equal((await second.read((rows) => rows.row("one")))?.inboxState?.muted_until_us, 2n ** 63n - 1n);
            equal((await second.read((rows) => rows.unsent())).length, 1);
            equal((await second.read((rows) => rows.streams()))[0]?.position, 3);
            await second.close();
        },
    },
    {
        name: "a damaged database begins anew with what was unsent",
        async run() {
            const store = await empty("damaged");
            await store.write((rows) => {
                rows.putUnsent(unsent("01"));
                rows.putDraft("Hello", "one");
            });
            await store.close();
            const raw = await openRaw("damaged", databaseVersion, () => undefined);
            raw.close();
            // A database of the same version without all of its tables.
            const kept = await IndexedDatabase.open("damaged");
            const rows = await kept.read((tables) => tables.every("unsent"));
            await kept.close();
            await removeDatabase("damaged");
            const broken = await openRaw("damaged", databaseVersion, (database) => {
                const table = database.createObjectStore("unsent", { keyPath: "key" });
                for (const row of rows) table.put(row);
            });
            broken.close();
            const repaired = await Store.open("damaged");
            equal(repaired.problem?.kind, "damaged");
            ok(!repaired.isInMemory, "it goes on in IndexedDB");
            equal((await repaired.read((all) => all.unsent())).map((it) => it.id), ["01"]);
            await repaired.close();
            const again = await Store.open("damaged");
            equal(again.problem, undefined);
            await again.close();
        },
    },
    {
        name: "a damaged database without what was unsent says so",
        async run() {
            await removeDatabase("lost");
            (await openRaw("lost", databaseVersion, (database) => void database.createObjectStore("meta"))).close();
            const repaired = await Store.open("lost");
            equal(repaired.problem?.kind, "lost_unsent");
            await repaired.write((rows) => rows.putDraft("kept", "one"));
            await repaired.close();
        },
    },
    {
        name: "a database of a newer version stays as it is, and the page goes on in memory",
        async run() {
            await removeDatabase("newer");
            (await openRaw("newer", databaseVersion + 1, (database) => void database.createObjectStore("future"))).close();
            const store = await Store.open("newer");
            ok(store.isInMemory, "it is in memory");
            equal(store.problem?.kind, "newer_version");
            await store.write((rows) => rows.putDraft("here", "one"));
            equal(await store.read((rows) => rows.draft("one")), "here");
            const raw = await openRaw("newer", databaseVersion + 1, () => undefined);
            equal([...raw.objectStoreNames], ["future"]);
            raw.close();
        },
    },
    {
        name: "messages that version 1 of the database stored are found by version 2",
        async run() {
            const store = await empty("older");
            await applyChanges(store, [1, 2].map((seq) => {
                const message = { conversation: "one", seq, id: "ab".repeat(16), text: "tea", sent_at_us: seq };
                return { type: "message", message: create("Message", message), from: "reply" };
            }));
            await store.close();
            // As version 1 was: the same tables without the index, and rows without their places in it.
            const current = await openRaw("older", databaseVersion, () => undefined);
            const kept = await allRows(current);
            current.close();
            await removeDatabase("older");
            const old = await openRaw("older", 1, (database) => {
                for (const name of tableNames) {
                    const table = database.createObjectStore(name, { keyPath: "key" });
                    for (const index of schema[name]) if (index !== "sent") table.createIndex(index, index);
                    for (const row of kept.get(name)!) table.put({ ...row, sent: undefined });
                }
            });
            old.close();
            const again = await Store.open("older");
            equal(again.problem, undefined);
            equal((await search(again, "tea", undefined, 1)).map((it) => it.seq), [2, 1]);
            await again.close();
        },
    },
    {
        name: "a newer page takes the database: this one goes on in memory with what it has",
        async run() {
            const store = await empty("taken");
            let told = 0;
            store.onProblem = () => void (told += 1);
            await store.write((rows) => rows.putDraft("before", "one"));
            const newer = await openRaw("taken", databaseVersion + 1, (database) => void database.createObjectStore("future"));
            await store.write((rows) => rows.putDraft("after", "two"));
            equal(await store.read((rows) => rows.draft("two")), "after");
            equal([store.isInMemory, store.problem?.kind, told], [true, "newer_version", 1]);
            newer.close();
        },
    },
    {
        name: "without IndexedDB, as in a private window, the page goes on in memory and says so",
        async run() {
            const real = globalThis.indexedDB;
            Object.defineProperty(globalThis, "indexedDB", { value: undefined, configurable: true });
            try {
                const store = await Store.open("none");
                equal([store.isInMemory, store.problem?.kind], [true, "missing"]);
                equal(store.problem?.refusal.code, "storage_failed");
                await store.write((rows) => rows.putDraft("here", "one"));
                equal(await store.read((rows) => rows.draft("one")), "here");
            } finally {
                Object.defineProperty(globalThis, "indexedDB", { value: real, configurable: true });
            }
        },
    },
];

publish([
    ...storeCases(async () => Store.inMemory(), "in memory"), ...storeCases(empty, "in IndexedDB"), ...own,
]);

/** Fills the storage until the browser has no room; called once the test has made it small. */
async function fill(): Promise<unknown> {
    const store = await empty("full");
    await store.write((rows) => rows.putDraft("kept", "first"));
    const problems: (string | undefined)[] = [];
    store.onProblem = () => problems.push(store.problem?.kind);
    for (let number = 0; number < 400 && !store.isInMemory; number++) {
        // Random, so that nothing makes it smaller.
        const text = Array.from(crypto.getRandomValues(new Uint8Array(40_000)), (byte) => byte.toString(36)).join("");
        await store.write((rows) => rows.putDraft(text, `${number}`));
    }
    await store.write((rows) => rows.putDraft("after", "last"));
    const [first, last] = await store.read((rows) => Promise.all([rows.draft("first"), rows.draft("last")]));
    return { isInMemory: store.isInMemory, problems, first, last };
}

Object.assign(globalThis, { fill });
