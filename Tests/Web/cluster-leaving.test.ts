// Signing out without a connection, in Parley's real processes.
import assert from "node:assert/strict";
import test from "node:test";
import { MemoryCredentials } from "../../Sources/Clients/Web/api/credentials";
import { Parley } from "../../Sources/Clients/Web/api/index";
import type { WebSocketLike } from "../../Sources/Clients/Web/protocol/link";
import { until } from "./support/check";
import { Cluster } from "./support/cluster";
import { nodeWebSocket } from "./support/websocket";

const password = "correct horse battery";

void test("a device that signs out offline is signed out at the server later", { timeout: 300_000 }, async () => {
    const cluster = await Cluster.start();
    const opened: Parley[] = [];
    let isDown = false;
    const webSocket = (url: string, protocol: string): WebSocketLike => {
        if (isDown) throw new Error("there is no network");
        return nodeWebSocket(url, protocol);
    };
    const open = async (credentials: MemoryCredentials, socket = nodeWebSocket): Promise<Parley> => {
        const parley = await Parley.open(cluster.url, { storage: "memory", webSocket: socket, credentials });
        opened.push(parley);
        return parley;
    };
    try {
        const one = await open(new MemoryCredentials());
        await one.register({ username: "ada", password, displayName: "Ada", deviceName: "one" });
        const store = new MemoryCredentials();
        const other = await open(store, webSocket);
        await other.signIn("ada", password, "other");
        const third = await open(new MemoryCredentials());
        await third.signIn("ada", password, "third");
        const devices = async (): Promise<string> => (await one.devices()).map(({ name }) => name).sort().join(" ");
        assert.equal(await devices(), "one other third");

        // The network goes, and the person signs out; then the page is closed, and opened with a network.
        isDown = true;
        other.suspend();
        await other.signOut();
        assert.deepEqual([other.user, await store.load()], [undefined, null]);
        await other.close();
        assert.equal(await devices(), "one other third", "the server does not know yet");
        isDown = false;
        const again = await open(store, webSocket);
        assert.equal(again.accountState, "signedOut");
        await until("the server knows", async () => (await devices()) === "one third");
        await until("nothing is left to be told", async () => (await store.leaving()).length === 0);

        // The gateway is killed while it is told of the next one, which signs out everywhere.
        await again.signIn("ada", password, "again");
        const held = (await store.load())!;
        const killing = cluster.kill("gateway");
        await again.signOut({ everywhere: true });
        assert.deepEqual([again.user, await store.load()], [undefined, null]);
        await killing;
        await until("nothing is left to be told", async () => (await store.leaving()).length === 0, 60);
        for (const parley of [one, third]) {
            await until("all devices are signed out", () => parley.accountState === "ended", 60);
        }

        // The tokens of the device that left are of no use to whoever finds them.
        const thief = new MemoryCredentials();
        await thief.save(held);
        const found = await open(thief);
        await until("they are refused", () => found.accountState === "ended", 60);
    } finally {
        for (const parley of opened) await parley.close();
        await cluster.stop();
    }
});
