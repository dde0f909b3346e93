// Sessions and syncing with Parley's real processes: tokens that end within a test, devices that are revoked, gateways
// that are killed.
import assert from "node:assert/strict";
import test from "node:test";
import { Client } from "../../Sources/Clients/Web/protocol/client";
import { ParleyError } from "../../Sources/Clients/Web/protocol/errors";
import type { Credentials, CredentialStore } from "../../Sources/Clients/Web/protocol/session-types";
import { IDs } from "../../Sources/Clients/Web/outbox/uuid";
import { SyncMachine } from "../../Sources/Clients/Web/sync/machine";
import { SyncMemory } from "../../Sources/Clients/Web/sync/memory";
import { SyncShell } from "../../Sources/Clients/Web/sync/shell";
import { until } from "./support/check";
import { Cluster } from "./support/cluster";
import { holdingsOf, stateLine } from "./support/vectors";
import { nodeWebSocket } from "./support/websocket";

const password = "correct horse battery";
/** Tokens end while a test runs. */
const settings = { PARLEY_TOKENS_ACCESS_SECONDS: "20" };

/** Credentials in memory, for several clients as for several tabs. */
class Store implements CredentialStore {
    held: Credentials | null = null;
    saves = 0;
    private last: Promise<void> = Promise.resolve();

    async load(): Promise<Credentials | null> {
        return this.held;
    }

    async save(credentials: Credentials | null): Promise<void> {
        this.held = credentials;
        this.saves++;
    }

    exclusively(refresh: () => Promise<void>): Promise<void> {
        const done = this.last.then(refresh);
        this.last = done.catch(() => {});
        return done;
    }
}

interface Device {
    client: Client;
    memory: SyncMemory;
    shell: SyncShell;
    store: Store;
    ended: number;
}

function device(url: string, store = new Store()): Device {
    const client = new Client(url, { store, webSocket: nodeWebSocket, name: "test" });
    opened.push(client);
    const memory = new SyncMemory();
    const shell = new SyncShell(client, new SyncMachine(), (actions) => {
        for (const action of actions) if (action.type === "store") memory.apply(action.change);
    });
    const made: Device = { client, memory, shell, store, ended: 0 };
    client.add({
        began: ({ user }) => { if (user !== "") memory.me = user; },
        ended: () => { made.ended++; },
    });
    return made;
}

const ids = new IDs();
const opened: Client[] = [];

/** Ends a cluster, and the clients of its test. */
async function end(cluster: Cluster): Promise<void> {
    for (const client of opened.splice(0)) client.close();
    await cluster.stop();
}

async function register(url: string, username: string): Promise<Device> {
    const made = device(url);
    await made.client.connect();
    await until("a session", () => made.client.state.phase === "ready");
    const id = ids.next(made.client.serverNowUs());
    await made.client.register({ id, username, password, display_name: username, device_name: "node" });
    await until("signed in", () => made.client.user !== "");
    return made;
}

/** All that a device holds, one line each. Counts are compared as they are shown, whatever they were counted from. */
function lines({ client, memory }: Device): string[] {
    const { states, counts } = holdingsOf(memory, client.serverNowUs());
    const held = states.flatMap((content) => {
        if (content.kind === "Receipt") return [];
        if (content.kind !== "InboxState") return [stateLine(content)];
        const counted = { unread: 0, mentions: 0, counted_at_us: 0, counted_position: 0, counted_seq: 0 };
        return [stateLine({ kind: "InboxState", state: { ...content.state, ...counted } })];
    });
    const shown = Object.entries(counts).map(([id, { unread, mentions }]) => `${id}: ${unread}, ${mentions}`);
    return [...held, ...shown].sort();
}

const patience = { timeout: 300_000 };

void test("sessions outlive their tokens, gateways that are killed, and tabs that share them", patience, async () => {
    const cluster = await Cluster.start(settings);
    try {
        const alice = await register(cluster.url, "alice");
        const tab = device(cluster.url, alice.store);
        await tab.client.connect();
        await until("the other tab is signed in", () => tab.client.user === alice.client.user);
        const first = alice.store.held!.refresh_token;
        // Three tokens end. Both stay signed in, in the same session.
        await until("the tokens were exchanged three times", () => alice.store.saves >= 4, 90);
        assert.notEqual(alice.store.held!.refresh_token, first);
        assert.equal(alice.ended + tab.ended, 0, "no session ended");

        // A gateway that is killed: requests are repeated in the next session.
        void cluster.kill("gateway");
        const asked = [alice, tab].map(({ client }) =>
            client.call("conversations.GetProfile", client.user, {}, { repeatsFor: 60_000 }));
        for (const profile of await Promise.all(asked)) assert.equal(profile.user?.username, "alice");
        await until("both are back", () => [alice, tab].every(({ client }) => client.state.phase === "ready"));

        // A device that is revoked is stopped, and says why.
        const other = device(cluster.url);
        await other.client.connect();
        await until("a session", () => other.client.state.phase === "ready");
        const wrong = other.client.signIn("alice", "wrong password", "node");
        await assert.rejects(wrong, (error: unknown) => error instanceof ParleyError && error.code === "wrong_credentials");
        await other.client.signIn("alice", password, "node");
        assert.notEqual(other.client.credentials?.known_device, "");
        const revoked = other.client.credentials!.device;
        const { client } = alice;
        await client.call("conversations.RevokeDevice", client.user, { device: revoked }, { repeatsFor: 60_000 });
        await until("the device is stopped", () => other.client.state.phase === "stopped");
        const { state } = other.client;
        const codes = ["revoked", "refresh_refused", "unauthenticated"];
        assert.ok(state.phase === "stopped" && codes.includes(state.problem.code));
    } finally {
        await end(cluster);
    }
});

void test("devices that lived through kills hold what a fresh one holds", patience, async () => {
    const cluster = await Cluster.start();
    try {
        const alice = await register(cluster.url, "alice");
        const bob = await register(cluster.url, "bob");
        const repeated = { repeatsFor: 60_000 };
        const { user } = await alice.client.call("conversations.FindUser", "bob", { username: "bob" }, repeated);
        const other = user!.id;
        const { conversation } = await alice.client.call("conversations.StartDirect", other, { user: other }, repeated);
        const chat = conversation!.id;
        const send = ({ client }: Device, text: string): Promise<{ seq: number }> => {
            const id = ids.next(client.serverNowUs());
            return client.call("messaging.SendMessage", chat, { id, conversation: chat, kind: "TEXT", text }, repeated);
        };
        await send(alice, "Hello");
        await until("the request arrives", () => bob.memory.row(chat).conversation !== undefined);
        await bob.client.call("conversations.AcceptRequest", chat, { conversation: chat }, repeated);
        const seqs: number[] = [];
        for (let number = 0; number < 120; number++) {
            if (number % 40 === 20) void cluster.kill("gateway");
            const from = number % 3 === 0 ? bob : alice;
            const { seq } = await send(from, `Message ${number}`);
            seqs.push(seq);
            const it = { conversation: chat, seq };
            if (number % 5 === 0) {
                await from.client.call("messaging.EditMessage", chat, { ...it, text: `Edited ${number}` }, repeated);
            }
            if (number % 7 === 0) {
                await bob.client.call("messaging.UpdateReaction", chat, { ...it, emoji: "👍" }, repeated);
            }
            if (number % 11 === 0) await from.client.call("messaging.DeleteMessage", chat, it, repeated);
        }
        assert.deepEqual(seqs, [...seqs].sort((a, b) => a - b));
        assert.equal(new Set(seqs).size, 120, "each was sent once");
        for (const [name, lived] of [["alice", alice], ["bob", bob]] as const) {
            const fresh = device(cluster.url);
            await fresh.client.connect();
            await until("a session", () => fresh.client.state.phase === "ready");
            await fresh.client.signIn(name, password, "node");
            const areQuiet = (): boolean => fresh.shell.machine.isQuiet && lived.shell.machine.isQuiet;
            const areEqual = (): boolean => lines(fresh).join("\n") === lines(lived).join("\n");
            await until(`${name}: both have synced`, areQuiet, 60);
            await until(`${name} holds what a fresh device holds`, areEqual, 20).catch(() => {
                const [one, other] = [lines(lived), lines(fresh)];
                assert.deepEqual(one.filter((line) => !other.includes(line)), other.filter((line) => !one.includes(line)));
            });
            assert.ok(lines(fresh).length > 120);
        }
    } finally {
        await end(cluster);
    }
});
