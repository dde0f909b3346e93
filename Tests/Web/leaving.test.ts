// Signing out without a connection, and whose tokens a server gets.
import assert from "node:assert/strict";
import test from "node:test";
import { MemoryCredentials, ServerCredentials } from "../../Sources/Clients/Web/api/credentials";
import { CredentialStore, Credentials, Parley, ParleyOptions, Refusal } from "../../Sources/Clients/Web/api/index";
import { until } from "./support/check";
import { Network, Server, tokens } from "./support/server";

async function signedIn(user: string): Promise<MemoryCredentials> {
    const store = new MemoryCredentials();
    await store.save(tokens(user));
    return store;
}

const opened: Parley[] = [];

async function page(url: string, network: Network, credentials: CredentialStore, more: Partial<ParleyOptions> = {}) {
    const parley = await Parley.open(url, { storage: "memory", webSocket: network.open, credentials, ...more });
    opened.push(parley);
    return parley;
}

function check(name: string, body: (server: Server, network: Network) => Promise<void>): void {
    void test(name, { timeout: 60_000 }, async () => {
        const server = await Server.start();
        try {
            await body(server, new Network());
        } finally {
            for (const parley of opened.splice(0)) await parley.close();
            for (const socket of server.sockets) socket.terminate();
            server.close();
        }
    });
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
    return promise.then(() => "", (error: unknown) => {
        assert.ok(error instanceof Refusal, String(error));
        return error.code;
    });
}

check("with a connection, signing out resolves once the server knows", async (server, network) => {
    const parley = await page(server.url, network, await signedIn("ada"));
    await until("it is online", () => parley.connection === "online");
    assert.equal(parley.accountState, "signedIn");
    await parley.signOut({ everywhere: true });
    assert.deepEqual(server.left, ["ada everywhere"]);
    assert.deepEqual([parley.user, parley.accountState], [undefined, "signedOut"]);
    await until("it is online without a person", () => parley.connection === "online");
    assert.deepEqual([...server.hellos].sort(), ["", "token of ada", "token of ada"]);
});

check("without a connection a person is signed out at once, and the server hears of it later", async (server, network) => {
    const store = await signedIn("ada");
    network.isDown = true;
    const parley = await page(server.url, network, store);
    await until("it is offline", () => parley.connection === "offline");
    await parley.signOut();
    assert.deepEqual([parley.user, await store.load(), (await store.leaving()).length], [undefined, null, 1]);
    assert.deepEqual(server.left, []);
    network.isDown = false;
    await until("the server is told", () => server.left.length > 0);
    await until("nothing is left to be told", async () => (await store.leaving()).length === 0);
    assert.deepEqual(server.left, ["ada"]);
});

check("what the server was not told is told when the page is opened again", async (server, network) => {
    const store = await signedIn("ada");
    network.isDown = true;
    const first = await page(server.url, network, store);
    await first.signOut();
    await first.close();
    const before = network.attempts;
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(network.attempts, before, "a page that was closed tries no more");
    assert.equal((await store.leaving()).length, 1);
    network.isDown = false;
    const second = await page(server.url, network, store);
    assert.deepEqual([second.user, second.accountState], [undefined, "signedOut"]);
    await until("the server is told", () => server.left.length > 0);
    await until("nothing is left to be told", async () => (await store.leaving()).length === 0);
    const third = await page(server.url, network, store);
    await until("it is online", () => third.connection === "online");
    assert.deepEqual(server.left, ["ada"]);
});

check("the next person signs in while the server is still to be told of the one before", async (server, network) => {
    const store = await signedIn("ada");
    network.isDown = true;
    const first = await page(server.url, network, store);
    await first.signOut();
    await first.close();
    await store.save(tokens("bob"));
    network.isDown = false;
    const second = await page(server.url, network, store);
    assert.equal(second.user, "bob");
    await until("the server is told", () => server.left.length > 0);
    await until("bob is online", () => second.connection === "online");
    assert.deepEqual([server.left, (await store.load())?.user], [["ada"], "bob"]);
});

check("two sign-ins that ended are both told, and one that is refused is not told again", async (server, network) => {
    const store = await signedIn("ada");
    network.isDown = true;
    for (const next of ["bob", "eve"]) {
        const parley = await page(server.url, network, store);
        await parley.signOut();
        await parley.close();
        await store.save(tokens(next));
    }
    assert.equal((await store.leaving()).length, 2);
    const asked: string[] = [];
    server.refuse = (method, user) => {
        if (method !== "conversations.SignOut") return undefined;
        asked.push(user);
        return user === "ada" ? "revoked" : undefined;
    };
    network.isDown = false;
    await page(server.url, network, store);
    await until("nothing is left to be told", async () => (await store.leaving()).length === 0);
    assert.deepEqual([asked, server.left], [["ada", "bob"], ["bob"]]);
});

check("signing out is told again after the server could not be asked", async (server, network) => {
    const store = await signedIn("ada");
    let refusals = 0;
    server.refuse = (method) => (method === "conversations.SignOut" && ++refusals < 3 ? "unavailable" : undefined);
    const parley = await page(server.url, network, store);
    await until("it is online", () => parley.connection === "online");
    await parley.signOut();
    await until("the server is told", () => server.left.length > 0);
    assert.equal(refusals, 3);
    await until("nothing is left to be told", async () => (await store.leaving()).length === 0);
});

check("a device whose sign-in the server ended can be signed out, and somebody else can sign in", async (server, network) => {
    server.refuse = (method) => (method === "conversations.Sync" ? "unauthenticated" : undefined);
    const store = await signedIn("ada");
    const parley = await page(server.url, network, store);
    await until("it is online", () => parley.connection === "online" || parley.accountState === "ended");
    for (const socket of server.sockets) socket.close(4003, "revoked");
    await until("its sign-in has ended", () => parley.accountState === "ended");
    assert.deepEqual([parley.user, parley.problem?.code], ["ada", "revoked"]);
    await parley.signOut();
    assert.deepEqual([parley.user, parley.accountState, parley.problem], [undefined, "signedOut", undefined]);
    assert.deepEqual([server.left, (await store.leaving()).length], [[], 0]);
});

check("tokens go to the server that gave them, and to no other one", async (server, network) => {
    const store = await signedIn("ada");
    const own = new ServerCredentials(store, "wss://first.example", []);
    await own.save(tokens("ada"));
    const parley = await page(server.url, network, store);
    assert.deepEqual([parley.user, parley.problem?.code, parley.connection], [undefined, "other_server", "offline"]);
    assert.match(parley.problem!.message, /wss:\/\/first\.example/);
    assert.equal(await codeOf(parley.signIn("ada", "password")), "other_server");
    assert.equal(await codeOf(parley.register({ username: "ada", password: "password" })), "other_server");
    await parley.resume();
    assert.deepEqual(server.hellos, [], "nothing was sent");
    assert.equal((await store.load())?.user, "ada", "they are still there");
    const moved = await page(server.url, network, store, { formerServers: ["wss://FIRST.example:443/"] });
    assert.deepEqual([moved.user, moved.problem], ["ada", undefined]);
    await until("it is online", () => moved.connection === "online");
    assert.deepEqual(server.hellos, ["token of ada"]);
});

check("a store without a memory of who left is enough while the page is open", async (server, network) => {
    let held: Credentials | null = tokens("ada");
    const store = { load: async () => held, save: async (saved: Credentials | null) => void (held = saved) };
    network.isDown = true;
    const parley = await page(server.url, network, store);
    await parley.signOut();
    assert.equal(held, null);
    network.isDown = false;
    await until("the server is told", () => server.left.length > 0);
    assert.deepEqual(server.left, ["ada"]);
});
