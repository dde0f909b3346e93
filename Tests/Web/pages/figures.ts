// The figures of the SDK in a browser: Tests/Web/bench asks for them.
import { Parley } from "../../../Sources/Clients/Web/api/index";
import { databaseName } from "../../../Sources/Clients/Web/api/account";
import { removeDatabase } from "../../../Sources/Clients/Web/store/indexed";
import { Store } from "../../../Sources/Clients/Web/store/store";
import { appendTime, bulkRate, decodeRate, fill, jsonRate, me, median, mergeRate, updates } from "../support/figures";
import { publish } from "./page";

async function empty(name: string): Promise<Store> {
    await removeDatabase(name);
    return Store.open(name);
}

/** How long opening takes until the first conversations are shown, with 1,000 conversations stored. */
async function firstScreen(server: string, runs: number): Promise<number> {
    const credentials = {
        load: async () => ({
            user: me, device: "d", username: me, access_token: "", access_ends_us: 0, refresh_token: "", refresh_ends_us: 0,
            known_device: "",
        }),
        save: async () => undefined,
    };
    return median(runs, async () => {
        const start = performance.now();
        const parley = await Parley.open(server, { database: "bench", credentials });
        const taken = performance.now() - start;
        if (parley.inbox.conversations.length !== 50) throw new Error(`${parley.inbox.conversations.length} are shown`);
        await parley.close();
        return taken;
    });
}

async function figures(): Promise<unknown> {
    const frames = updates(20_000);
    mergeRate(frames.slice(0, 5000));
    // Nobody listens there: the page opens without a connection.
    const server = "ws://127.0.0.1:9";
    const store = await empty(databaseName(`bench ${server}`, me));
    await fill(store, 1000);
    await store.close();
    return {
        json_parse_per_second: await median(5, () => jsonRate()),
        updates_decoded_per_second: await median(5, () => decodeRate(frames)),
        updates_merged_per_second: await median(5, () => mergeRate(frames)),
        append_in_memory_us: await median(5, () => appendTime(Store.inMemory(), 2000)),
        append_in_indexeddb_us: await median(5, async () => appendTime(await empty("append"), 300)),
        stored_in_indexeddb_per_second: await median(3, async () => bulkRate(await empty("bulk"), 5000)),
        first_screen_of_1000_ms: Math.round((await firstScreen(server, 11)) * 10) / 10,
    };
}

Object.assign(globalThis, { figures });
publish([]);
