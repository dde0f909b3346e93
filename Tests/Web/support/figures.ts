import { create, decode, encode } from "../../../Sources/Clients/Web/protocol/codec";
import type { Message } from "../../../Sources/Clients/Web/protocol/generated/messages";
import type { Store } from "../../../Sources/Clients/Web/store/store";
import { StoreBatch, StoreInput } from "../../../Sources/Clients/Web/store/batch";
import { SyncMachine } from "../../../Sources/Clients/Web/sync/machine";
import { SyncMemory } from "../../../Sources/Clients/Web/sync/memory";
import { syncOptions } from "../../../Sources/Clients/Web/sync/options";
import { SyncChange, newRecord } from "../../../Sources/Clients/Web/sync/types";
import { hold } from "../../../Sources/Clients/Web/sync/unread";

export const me = "me";

/** Returns the median of several runs, each with a warm-up before. */
export async function median(runs: number, body: (run: number) => number | Promise<number>): Promise<number> {
    const found: number[] = [];
    for (let run = 0; run < runs; run++) found.push(await body(run));
    return found.sort((one, other) => one - other)[runs >> 1]!;
}

/** How often this machine parses the JSON of a message in a second. */
export function jsonRate(): number {
    const text = JSON.stringify(message("c0", 1));
    const start = performance.now();
    let count = 0;
    while (performance.now() - start < 300) {
        for (let at = 0; at < 1000; at++) JSON.parse(text);
        count += 1000;
    }
    return Math.round((count * 1000) / (performance.now() - start));
}

export function message(conversation: string, seq: number, position = seq): Message {
    return create("Message", {
        conversation, seq, position, id: seq.toString(16).padStart(32, "0"), sender: seq % 3 === 0 ? me : "ada", kind: "TEXT",
        text: `Message ${seq} of the bench, as long as most are`, sent_at_us: 1_700_000_000_000_000 + seq,
    });
}

/** Updates of new messages in 100 conversations, encoded as they come in frames. */
export function updates(count: number): Uint8Array[] {
    return Array.from({ length: count }, (_, at) => {
        const conversation = `c${at % 100}`;
        const seq = Math.floor(at / 100) + 1;
        const update = {
            stream: `messaging/c/${conversation}`, position: seq, kind: "Message", body: encode("Message", message(conversation, seq)),
        };
        return encode("ServerFrame", { update });
    });
}

/** Decodes frames, and brings what they say into memory by the sync machine. Returns the Updates in a second. */
export function mergeRate(frames: readonly Uint8Array[]): number {
    const machine = new SyncMachine([], [], { ...syncOptions, services: [], loading: 0 });
    const memory = new SyncMemory(me);
    machine.connected(me, ["0"], 0);
    const start = performance.now();
    for (const frame of frames) {
        const { update } = decode("ServerFrame", frame);
        if (!update) throw new Error("not an Update");
        for (const action of machine.received(update, 0)) if (action.type === "store") memory.apply(action.change);
    }
    return Math.round((frames.length * 1000) / (performance.now() - start));
}

/** Decodes frames with Updates. Returns the frames in a second. */
export function decodeRate(frames: readonly Uint8Array[]): number {
    const start = performance.now();
    for (const frame of frames) decode("Message", decode("ServerFrame", frame).update!.body);
    return Math.round((frames.length * 1000) / (performance.now() - start));
}

const put = (conversation: string, seq: number): StoreInput[] => {
    const record = newRecord(conversation);
    hold(record.unread, 1, seq);
    record.newest = { seq, sentAtUs: 1_700_000_000_000_000 + seq };
    return [
        { type: "change", change: { type: "message", message: message(conversation, seq), from: "update" } },
        { type: "change", change: { type: "record", record } },
    ];
};

async function commit(store: Store, inputs: readonly StoreInput[]): Promise<void> {
    await store.write(async (rows) => {
        const batch = new StoreBatch(rows, me);
        await batch.load(inputs);
        for (const input of inputs) batch.apply(input);
        await batch.finish(Date.now() * 1000);
    });
}

/** Stores messages one by one, each in a transaction of its own. Returns microseconds for each. */
export async function appendTime(store: Store, count: number): Promise<number> {
    for (let seq = 1; seq <= 20; seq++) await commit(store, put("warm", seq));
    const start = performance.now();
    for (let seq = 1; seq <= count; seq++) await commit(store, put("one", seq));
    return Math.round(((performance.now() - start) * 1000) / count);
}

/** Stores messages 500 at once, as after a night. Returns messages in a second. */
export async function bulkRate(store: Store, count: number): Promise<number> {
    const start = performance.now();
    for (let done = 0; done < count; done += 500) {
        const inputs: StoreInput[] = [];
        for (let at = 0; at < 500; at++) inputs.push(...put(`c${at % 50}`, Math.floor((done + at) / 50) + 1));
        await commit(store, inputs);
    }
    return Math.round((count * 1000) / (performance.now() - start));
}

/** Fills a store with conversations of a few messages each. */
export async function fill(store: Store, conversations: number): Promise<void> {
    for (let done = 0; done < conversations; done += 100) {
        const inputs: StoreInput[] = [];
        for (let at = done; at < done + 100; at++) {
            const id = `c${at}`;
            const members = [{ user: { id: me, display_name: "Me" } }, { user: { id: `u${at}`, display_name: `Person ${at}` } }];
            const conversation = create("Conversation", {
                id, kind: "DIRECT", section: "INBOX", conversation_status: "ACCEPTED", position: at + 1, members, member_count: 2,
            });
            const change: SyncChange = { type: "put", content: { kind: "Conversation", state: conversation } };
            inputs.push({ type: "change", change });
            for (let seq = 1; seq <= 5; seq++) inputs.push(...put(id, seq));
        }
        await commit(store, inputs);
    }
}
