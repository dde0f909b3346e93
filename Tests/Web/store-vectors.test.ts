// The vectors of the contract over the store that a page has: what is merged goes through StoreBatch into its tables.
import assert from "node:assert/strict";
import test from "node:test";
import { keyedKinds } from "../../Sources/Clients/Web/protocol/generated/states";
import type { Content } from "../../Sources/Clients/Web/protocol/states";
import { StoreBatch, StoreInput } from "../../Sources/Clients/Web/store/batch";
import { Store } from "../../Sources/Clients/Web/store/store";
import { sectionOf } from "../../Sources/Clients/Web/sync/merge";
import type { SyncChange } from "../../Sources/Clients/Web/sync/types";
import { addToBadge, isArchived } from "../../Sources/Clients/Web/sync/unread";
import { Holdings, VectorRun, VectorStore, vectors } from "./support/vectors";

const me = "a";

class TableStore implements VectorStore {
    private readonly store = Store.inMemory();

    async apply(changes: readonly SyncChange[]): Promise<void> {
        const inputs = changes.map((change): StoreInput => ({ type: "change", change }));
        await this.store.write(async (rows) => {
            const batch = new StoreBatch(rows, me);
            await batch.load(inputs);
            for (const input of inputs) batch.apply(input);
            await batch.finish(0);
        });
    }

    async holdings(nowUs: number): Promise<Holdings> {
        // Counts depend on the time: they are made anew when a row is put.
        await this.store.write(async (rows) => {
            for (const row of await rows.rows()) await rows.putRow(row, me, nowUs);
        });
        return this.store.read(async (rows): Promise<Holdings> => {
            const states: Content[] = [];
            const badge = { badge: 0, conversations: 0, mentions: 0 };
            const counts: Record<string, { unread: number; mentions: number }> = {};
            for (const row of await rows.rows()) {
                if (row.conversation) states.push({ kind: "Conversation", state: row.conversation });
                if (row.inboxState) states.push({ kind: "InboxState", state: row.inboxState });
                const messages = await rows.messages(row.id, [1, Number.MAX_SAFE_INTEGER], false, Infinity);
                for (const state of messages) states.push({ kind: "Message", state });
                for (const state of await rows.receipts(row.id)) states.push({ kind: "Receipt", state });
                for (const state of await rows.readCounts(row.id)) states.push({ kind: "ReadCount", state });
                if (!row.record) continue;
                const shown = (await rows.summary(row.id, me, nowUs))!.own.unread;
                const count = { unread: shown.messages, mentions: shown.mentions };
                counts[row.id] = count;
                const { state } = row.record.unread;
                addToBadge(badge, count, state, sectionOf(row), isArchived(row.record.newest, state), nowUs);
            }
            for (const kind of keyedKinds) {
                for (const state of await rows.states(kind)) states.push({ kind, state } as Content);
            }
            const streams = await rows.streams();
            const positions = Object.fromEntries(streams.map(({ name, position }) => [name, position]));
            return { positions, states, records: await rows.records(), counts, badge: badge.badge };
        });
    }
}

void test("the tables of a page hold what every vector says", async () => {
    const all = vectors();
    assert.ok(all.length >= 102, `${all.length} vectors`);
    const problems: string[] = [];
    for (const vector of all) {
        for (const problem of await new VectorRun(vector, new TableStore()).run()) problems.push(`${vector.id}: ${problem}`);
    }
    assert.deepEqual(problems, []);
});
