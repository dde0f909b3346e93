import { StoreBatch, StoreInput } from "../../../Sources/Clients/Web/store/batch";
import { SearchQuery } from "../../../Sources/Clients/Web/store/search";
import type { Store } from "../../../Sources/Clients/Web/store/store";
import type { Sort } from "../../../Sources/Clients/Web/store/tables";
import { create } from "../../../Sources/Clients/Web/protocol/codec";
import { keyedKinds } from "../../../Sources/Clients/Web/protocol/generated/states";
import type { Message } from "../../../Sources/Clients/Web/protocol/generated/messages";
import { SyncMemory } from "../../../Sources/Clients/Web/sync/memory";
import { SyncChange, newRecord, newStream } from "../../../Sources/Clients/Web/sync/types";
import { hold, takeState } from "../../../Sources/Clients/Web/sync/unread";
import { Case, equal, ok, rejected } from "./check";
import { RandomChanges, me } from "./random-changes";

/** Makes a store that is empty; opens the same again by the same name. */
export type MakeStore = (name: string) => Promise<Store>;

const now = 50_000_000;

export async function applyChanges(store: Store, changes: readonly SyncChange[], trims?: ReadonlyMap<string, number>) {
    const inputs = changes.map((change): StoreInput => ({ type: "change", change }));
    return store.write(async (rows) => {
        const batch = new StoreBatch(rows, me);
        await batch.load(inputs);
        for (const input of inputs) batch.apply(input);
        return batch.finish(now, trims);
    });
}

function message(conversation: string, seq: number, given: object = {}): Message {
    return create("Message", {
        conversation, seq, position: seq, id: seq.toString(16).padStart(32, "0"), sender: "ada", kind: "TEXT",
        text: `Message ${seq}`, sent_at_us: seq * 1000, ...given,
    });
}

const put = (conversation: string, seq: number, given: object = {}): SyncChange =>
    ({ type: "message", message: message(conversation, seq, given), from: "reply" });

/** A record that says that messages are held, and which are read. */
function record(conversation: string, from: number, to: number, read = 0): SyncChange {
    const made = newRecord(conversation);
    hold(made.unread, from, to);
    takeState(made.unread, create("InboxState", { conversation, read_seq: read, own_position: 1 }));
    made.newest = { seq: to, sentAtUs: to * 1000 };
    return { type: "record", record: made };
}

const conversation = (id: string, given: object = {}): SyncChange =>
    ({ type: "put", content: { kind: "Conversation", state: create("Conversation", { id, section: "INBOX", ...given }) } });

/** Reads all pages of a search. */
export async function search(store: Store, words: string, id: string | undefined, limit: number): Promise<Message[]> {
    const all: Message[] = [];
    for (let after: Sort | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
        const from = after;
        const page = await store.read((rows) => rows.search(SearchQuery.of(words)!, id, from, limit, now));
        ok(page.found.length <= limit, "a page is not longer than was asked for");
        all.push(...page.found);
        after = page.next;
    }
    return all;
}

/** The cases that every store passes. */
export function storeCases(make: MakeStore, label: string): Case[] {
    const cases: Case[] = [];
    const add = (name: string, body: (store: Store) => Promise<void>) => {
        const number = cases.length;
        cases.push({
            name: `${label}: ${name}`,
            async run() {
                const store = await make(`${label} ${number}`);
                try {
                    await body(store);
                } finally {
                    await store.close();
                }
            },
        });
    };

    add("a change that fails leaves nothing", async (store) => {
        await store.write((rows) => rows.putDraft("kept", "one"));
        const error = await rejected(store.write(async (rows) => {
            rows.putDraft("lost", "one");
            rows.putDraft("lost", "two");
            rows.removeUnsent("x");
            await rows.draft("one");
            throw new Error("no");
        }), "the change");
        equal(error.message, "no");
        equal(await store.read((rows) => rows.drafts()), new Map([["one", "kept"]]));
    });

    add("pages of messages are the newest or the oldest of a range, in order", async (store) => {
        await applyChanges(store, [1, 2, 3, 5, 8, 9, 10].map((seq) => put("one", seq)));
        await applyChanges(store, [put("two", 4)]);
        const seqs = async (from: number, to: number, newest: boolean, limit: number) =>
            (await store.read((rows) => rows.messages("one", [from, to], newest, limit))).map((it) => it.seq);
        equal(await seqs(1, Number.MAX_SAFE_INTEGER, true, 3), [8, 9, 10]);
        equal(await seqs(1, 9, true, 2), [8, 9]);
        equal(await seqs(4, 9, false, 2), [5, 8]);
        equal(await seqs(1, Number.MAX_SAFE_INTEGER, false, 100), [1, 2, 3, 5, 8, 9, 10]);
        equal(await seqs(6, 7, true, 5), []);
        equal(await seqs(7, 6, true, 5), []);
        equal(await seqs(1, 10, true, 0), []);
    });

    add("ranges with gaps are kept, and joined when the gap is filled", async (store) => {
        const spans = () => store.read((rows) => rows.spans("one"));
        await applyChanges(store, [put("one", 1), put("one", 2), record("one", 1, 2)]);
        equal(await spans(), [[1, 2]]);
        const effects = await applyChanges(store, [put("one", 9), record("one", 9, 9)]);
        equal(await spans(), [[1, 2], [9, 9]]);
        ok(effects.some((effect) => effect.type === "gap"), "the gap is told");
        await store.write(async (rows) => {
            const batch = new StoreBatch(rows, me);
            const inputs: StoreInput[] = [{ type: "span", span: [3, 8], conversation: "one" }];
            await batch.load(inputs);
            for (const input of inputs) batch.apply(input);
            await batch.finish(now);
        });
        equal(await spans(), [[1, 9]]);
        await applyChanges(store, [{ type: "dropMessages", conversation: "one" }]);
        equal(await spans(), []);
    });

    add("lists are in order and in pages: pinned ones first, then the latest news", async (store) => {
        await applyChanges(store, [
            ...["a", "b", "c", "d", "e"].map((id, at) => conversation(id, { created_at_us: 100 + at })),
            { type: "inboxState", state: create("InboxState", { conversation: "b", pinned_at_us: 7, own_position: 1 }) },
            conversation("r", { section: "REQUESTS" }),
        ]);
        await applyChanges(store, [put("c", 1, { sent_at_us: 900 }), (() => {
            const change = record("c", 1, 1) as Extract<SyncChange, { type: "record" }>;
            return { ...change, record: { ...change.record, newest: { seq: 1, sentAtUs: 900 } } };
        })()]);
        const list = await store.read((rows) => rows.list("INBOX", false, undefined, 3, me, now));
        equal(list.map((it) => it.id), ["b", "c", "e"]);
        const rest = await store.read((rows) => rows.list("INBOX", false, list[2]!.place, 10, me, now));
        equal(rest.map((it) => it.id), ["d", "a"]);
        const requests = await store.read((rows) => rows.list("REQUESTS", false, undefined, 10, me, now));
        equal(requests.map((it) => it.id), ["r"]);
        equal(list[1]!.last?.text, "Message 1");
    });

    add("unread messages are counted as the server counts them", async (store) => {
        const shown = async () => (await store.read((rows) => rows.summary("one", me, now)))?.own.unread;
        await applyChanges(store, [
            put("one", 1), put("one", 2, { sender: me }), put("one", 3, { kind: "SYSTEM" }), put("one", 4, { mentions: [me] }),
            put("one", 5, { deleted_at_us: 1 }), put("one", 6), record("one", 1, 6),
        ]);
        equal(await shown(), { messages: 3, mentions: 1, isMarked: false });
        await applyChanges(store, [record("one", 1, 6, 4)]);
        equal(await shown(), { messages: 1, mentions: 0, isMarked: false });
        await applyChanges(store, [
            put("one", 7, { mentions: [me] }), { type: "blocks", blocks: [create("Block", { user: { id: "ada" }, blocked: true })] },
            record("one", 1, 7, 4),
        ]);
        equal(await shown(), { messages: 2, mentions: 0, isMarked: false }, "mentions by somebody blocked do not count");
    });

    add("1,000 unread messages are the most that is counted", async (store) => {
        await applyChanges(store, Array.from({ length: 1200 }, (_, at) => put("one", at + 1)));
        await applyChanges(store, [record("one", 1, 1200)]);
        equal((await store.read((rows) => rows.summary("one", me, now)))?.own.unread.messages, 1000);
    });

    add("trimming keeps the newest messages and those that are not read", async (store) => {
        await applyChanges(store, [...Array.from({ length: 30 }, (_, at) => put("one", at + 1)), record("one", 1, 30, 12)]);
        await applyChanges(store, [put("one", 30)], new Map([["one", 10]]));
        const left = await store.read((rows) => rows.messages("one", [1, 100], false, 100));
        equal([left[0]?.seq, left.length], [13, 18]);
        equal(await store.read((rows) => rows.spans("one")), [[13, 30]]);
        await applyChanges(store, [record("one", 1, 30, 30)]);
        await applyChanges(store, [put("one", 30)], new Map([["one", 10]]));
        equal((await store.read((rows) => rows.messages("one", [1, 100], false, 100))).map((it) => it.seq)[0], 21);
        equal(await store.read((rows) => rows.spans("one")), [[21, 30]]);
    });

    add("threads, stars and states that came early are found", async (store) => {
        await applyChanges(store, [
            { type: "messageState", state: create("MessageState", { conversation: "one", seq: 3, starred: true, own_position: 1 }) },
        ]);
        await applyChanges(store, [
            put("one", 1), put("one", 2, { thread_seq: 1, thread: { replies: 1, last_seq: 2, position: 2 } }),
            { type: "message", message: message("one", 3), from: "update" },
        ]);
        equal((await store.read((rows) => rows.thread("one", 1))).map((it) => [it.seq, it.thread?.replies]), [[1, 1], [2, 1]]);
        equal((await store.read((rows) => rows.starred())).map((it) => it.seq), [3]);
        equal(await store.read((rows) => rows.earlyKeys()), []);
    });

    add("messages that have disappeared are removed", async (store) => {
        await applyChanges(store, [put("one", 1, { expires_at_us: 100 }), put("one", 2, { expires_at_us: 200 }), put("one", 3)]);
        equal(await store.write((rows) => rows.removeExpired(150)), ["one"]);
        equal((await store.read((rows) => rows.messages("one", [1, 9], true, 9))).map((it) => it.seq), [2, 3]);
        equal(await store.write((rows) => rows.removeExpired(150)), []);
    });

    add("another reader learns what changed", async (store) => {
        await applyChanges(store, [conversation("a"), conversation("b")]);
        const seen = await store.read((rows) => rows.changedSince(0));
        equal(seen.conversations.sort(), ["a", "b"]);
        equal((await store.read((rows) => rows.changedSince(seen.version))).conversations, []);
        await applyChanges(store, [put("b", 1)]);
        equal((await store.read((rows) => rows.changedSince(seen.version))).conversations, ["b"]);
    });

    add("streams, drafts and what is unsent are kept in order", async (store) => {
        await applyChanges(store, [{ type: "stream", stream: { ...newStream("x/c/one"), position: 3 } }]);
        const item = (id: string) => ({
            id, lane: "one", method: "some.Method", body: Uint8Array.of(1, 2), target: "", targetSeq: 0, doneAtUs: 1, wasTried: false,
        });
        await store.write((rows) => {
            for (const id of ["03", "01", "02"]) rows.putUnsent(item(id));
            rows.putDraft("Hello", "one");
            rows.putDraft("", "two");
        });
        equal((await store.read((rows) => rows.unsent())).map((it) => it.id), ["01", "02", "03"]);
        equal((await store.read((rows) => rows.unsent()))[0]?.body, Uint8Array.of(1, 2));
        equal(await store.read((rows) => rows.draft("one")), "Hello");
        equal((await store.read((rows) => rows.streams())).map((it) => [it.name, it.position]), [["x/c/one", 3]]);
        await store.write((rows) => rows.removeUnsent("01"));
        equal((await store.read((rows) => rows.unsent())).map((it) => it.id), ["02", "03"]);
    });

    add("words are found without case and accents, the last one unfinished", async (store) => {
        await applyChanges(store, [
            put("one", 1, { text: "Café au lait" }), put("two", 2, { text: "CAFE noir" }), put("one", 3, { text: "Tee" }),
            put("one", 4, { text: "café", deleted_at_us: 1 }), conversation("one"), conversation("two"),
        ]);
        const find = async (words: string, id?: string) =>
            (await search(store, words, id, 10)).map((it) => it.seq);
        equal(await find("cafe"), [2, 1]);
        equal(await find("café au la"), [1]);
        equal(await find("caf", "two"), [2]);
        equal(await find("af"), []);
        ok(SearchQuery.of("…") === undefined, "a text without words is none");
    });

    add("a file that was opened goes with its message: deleted, hidden, cleared or disappeared", async (store) => {
        const kept = async (): Promise<number[]> => {
            const seqs = [1, 2, 3, 4, 5, 6, 7];
            const found = await Promise.all(seqs.map((seq) => store.read((rows) => rows.keptFile("one", seq))));
            return seqs.filter((_, at) => found[at] !== undefined);
        };
        const keep = (seq: number) => store.write((rows) => rows.keepFile("one", seq, new Blob(["x"]), seq, 1000, now));
        await applyChanges(store, [1, 2, 3, 4, 5, 6].map((seq) => put("one", seq, seq === 6 ? { expires_at_us: now + 5 } : {})));
        for (const seq of [1, 2, 3, 4, 5, 6, 7]) await keep(seq);
        equal(await kept(), [1, 2, 3, 4, 5, 6], "of a message that is not there nothing is kept");
        await applyChanges(store, [put("one", 5, { position: 10, deleted_at_us: now })]);
        const hidden = create("MessageState", { conversation: "one", seq: 4, own_position: 1, hidden: true });
        await applyChanges(store, [{ type: "messageState", state: hidden }]);
        await store.write((rows) => rows.removeExpired(now + 5));
        equal(await kept(), [1, 2, 3]);
        await keep(5);
        equal(await kept(), [1, 2, 3], "of a deleted one, either");
        await applyChanges(store, [{ type: "clear", conversation: "one", upTo: 2 }]);
        equal(await kept(), [3]);
        await applyChanges(store, [{ type: "dropConversation", conversation: "one" }]);
        equal(await kept(), []);
    });

    add("pages of a search come to all that is stored, the newest first, also of one moment", async (store) => {
        const at = (id: string, seq: number, sent_at_us: number, text = "tea") => put(id, seq, { text, sent_at_us });
        await applyChanges(store, [
            at("one", 1, 10), at("one", 2, 20), at("one", 3, 20), at("two", 4, 20), at("one", 5, 30), at("two", 5, 40, "no"),
            at("two", 6, 50),
        ]);
        for (const limit of [1, 2, 3, 10]) {
            const names = (found: Message[]) => found.map((it) => `${it.conversation} ${it.seq}`);
            const everywhere = names(await search(store, "tea", undefined, limit));
            equal(everywhere, ["two 6", "one 5", "one 3", "one 2", "two 4", "one 1"], `${limit} at a time`);
            equal(names(await search(store, "tea", "one", limit)), ["one 5", "one 3", "one 2", "one 1"]);
        }
    });

    for (const seed of [1, 2, 3]) {
        add(`600 random changes come to what merging in memory comes to (seed ${seed})`, async (store) => {
            const random = new RandomChanges(seed);
            const memory = new SyncMemory(me);
            for (let done = 0; done < 600;) {
                const changes = Array.from({ length: random.number(1, 9) }, () => random.next());
                for (const change of changes) memory.apply(change);
                await applyChanges(store, changes);
                done += changes.length;
                await compare(store, memory, `after ${done}`);
            }
        });
    }
    return cases;
}

/** Compares what a store has with what merging in memory came to. */
async function compare(store: Store, memory: SyncMemory, when: string): Promise<void> {
    await store.read(async (rows) => {
        for (const id of ["one", "two", "three"]) {
            const held = [...(memory.messages.get(id)?.values() ?? [])].sort((one, other) => one.seq - other.seq);
            equal(await rows.messages(id, [1, 100], false, 100), held, `${when}: messages of ${id}`);
            const row = await rows.row(id);
            const { keptFrom: _, ...expected } = memory.row(id);
            equal(row && { ...row, keptFrom: undefined }, memory.rows.has(id) ? expected : row && { id }, `${when}: ${id}`);
            const receipts = [...(memory.receipts.get(id)?.values() ?? [])].sort((one, other) => (one.user < other.user ? -1 : 1));
            equal(await rows.receipts(id), receipts, `${when}: receipts of ${id}`);
            const counts = [...(memory.readCounts.get(id)?.values() ?? [])].sort((one, other) => one.seq - other.seq);
            equal(await rows.readCounts(id), counts, `${when}: read counts of ${id}`);
            const summary = await rows.summary(id, me, now);
            if (row?.record) {
                const { unread, mentions } = memory.unread(id, now);
                equal(summary?.own.unread, { messages: unread, mentions, isMarked: row.inboxState?.marked_unread ?? false },
                    `${when}: unread of ${id}`);
            }
        }
        for (const kind of keyedKinds) {
            const held = [...(memory.states.get(kind)?.entries() ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
            equal(await rows.states(kind), held.map(([, content]) => content.state), `${when}: ${kind}`);
        }
        const streams = [...memory.streams.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
        equal(await rows.streams(), streams, `${when}: streams`);
    });
}
