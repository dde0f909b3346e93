// The client over real sockets of node-ws, with servers that do what none should.
import assert from "node:assert/strict";
import test from "node:test";
import { Client } from "../../Sources/Clients/Web/protocol/client";
import { create, decode, encode } from "../../Sources/Clients/Web/protocol/codec";
import type { Given } from "../../Sources/Clients/Web/protocol/codec";
import { ParleyError } from "../../Sources/Clients/Web/protocol/errors";
import type { ClientFrame, ServerFrame } from "../../Sources/Clients/Web/protocol/generated/messages";
import { linkAddress, serverAddress } from "../../Sources/Clients/Web/protocol/link";
import { Random } from "../../Sources/Clients/Web/protocol/random";
import type { Credentials } from "../../Sources/Clients/Web/protocol/session-types";
import type { ServerSocket } from "./support/websocket";
import { nodeWebSocket, serve } from "./support/websocket";

type Answer = (frame: ClientFrame, send: (frame: Given<ServerFrame>) => void, socket: ServerSocket) => void;

/** A server that answers frames, and how often it was connected to. */
async function server(answer: Answer): Promise<{ url: string; close(): void; sockets: ServerSocket[] }> {
    const sockets: ServerSocket[] = [];
    const { url, close } = await serve((socket) => {
        sockets.push(socket);
        const send = (frame: Given<ServerFrame>): void => socket.send(encode("ServerFrame", frame));
        socket.on("message", (data) => answer(decode("ClientFrame", new Uint8Array(data)), send, socket));
    });
    return { url, close: () => { for (const socket of sockets) socket.terminate(); close(); }, sockets };
}

const welcome = {
    version: 1, session: "s1", user: "a", device: "d1", server_time_us: Date.now() * 1000,
    session_ends_us: (Date.now() + 3_600_000) * 1000, cells: ["0"], limits: { requests_in_flight: 8 },
};

/** Waits for a condition, 10 s at most. */
async function until(what: string, holds: () => boolean): Promise<void> {
    for (const end = Date.now() + 10_000; !holds(); await new Promise((resolve) => setTimeout(resolve, 5))) {
        assert.ok(Date.now() < end, `waited 10 s: ${what}`);
    }
}

function refused(code: string) {
    return (error: unknown) => error instanceof ParleyError && error.code === code;
}

test("a request is answered, and a refusal has its code", async () => {
    const { url, close } = await server((frame, send) => {
        if (frame.hello) send({ welcome });
        const { request } = frame;
        if (request?.key === "no") send({ reply: { id: request.id, error: { code: "not_found", field: "user" } } });
        else if (request) {
            send({ reply: { id: request.id, body: encode("FindUserReply", { user: { id: request.key } }) } });
        }
    });
    const client = new Client(url, { token: "t", webSocket: nodeWebSocket });
    await client.connect();
    const [one, two] = await Promise.all(["bob", "eve"].map((name) =>
        client.call("conversations.FindUser", name, { username: name })));
    assert.equal(one?.user?.id, "bob");
    assert.equal(two?.user?.id, "eve");
    await assert.rejects(client.call("conversations.FindUser", "no", { username: "no" }), refused("not_found"));
    await assert.rejects(client.call("conversations.FindUser", "", { username: "x".repeat(129) }), refused("invalid"));
    await assert.rejects(client.call("conversations.FindUser", "", { username: 5 as never }), refused("invalid"));
    client.close();
    close();
});

test("a server that sends what cannot be read is left, and the client connects again", async () => {
    const random = new Random(3n);
    const wrong: ((socket: ServerSocket) => void)[] = [
        (socket) => socket.send("text"),
        (socket) => socket.send(Uint8Array.of(0xff, 0xff, 0xff)),
        (socket) => socket.send(new Uint8Array(3 << 20)),
        (socket) => socket.send(Uint8Array.from({ length: 300 }, () => random.below(256))),
        (socket) => socket.terminate(),
        (socket) => socket.close(1011, "failed"),
    ];
    let count = 0;
    const { url, close, sockets } = await server((frame, send, socket) => {
        if (!frame.hello) return;
        send({ welcome });
        wrong[count++]?.(socket);
    });
    const client = new Client(url, { token: "t", webSocket: nodeWebSocket, backoffFirst: 1 });
    let ended = 0;
    client.add({ ended: () => ended++ });
    await client.connect();
    await until("a session after each", () => sockets.length === wrong.length + 1 && client.state.phase === "ready");
    assert.equal(ended, wrong.length);
    client.close();
    close();
});

test("requests in hello are answered after welcome, and what a reply says is learned before it resolves", async () => {
    const { url, close } = await server((frame, send) => {
        if (frame.hello) send({ welcome });
        for (const { id, method } of [...(frame.hello?.requests ?? []), ...(frame.request ? [frame.request] : [])]) {
            if (method === "messaging.SendMessage") {
                send({ reply: { id, body: encode("SendMessageReply", { seq: 7, position: 9, sent_at_us: 5 }) } });
            } else send({ reply: { id, body: encode("MessagingSyncReply", { epoch: "e1" }) } });
        }
    });
    const client = new Client(url, { token: "t", webSocket: nodeWebSocket, expected: { user: "a", cells: ["0"] } });
    const seen: string[] = [];
    client.add({
        began: () => {
            const reply = client.call("messaging.Sync", "a", { cell: "0" }, { early: true });
            void reply.then(({ epoch }) => seen.push(epoch));
        },
        learned: ({ kind, state }) => seen.push(kind === "Message" ? `message ${state.seq} of ${state.sender}` : kind),
    });
    await client.connect();
    await until("the sync is answered", () => seen.length === 1);
    const message = { conversation: "a_b", id: "0".repeat(32), kind: "TEXT", text: "x" } as const;
    await client.call("messaging.SendMessage", "a_b", message);
    assert.deepEqual(seen, ["e1", "message 7 of a"]);
    client.close();
    close();
});

test("an old token is exchanged once, under the lock of the store, and stored before it is used", async () => {
    const log: string[] = [];
    const { url, close } = await server((frame, send) => {
        if (frame.hello) {
            log.push(`hello ${frame.hello.token}`);
            send({ welcome: { ...welcome, user: "" } });
        }
        if (frame.authenticate) {
            log.push(`authenticate ${frame.authenticate.token}`);
            send({ authenticated: { user: "a", device: "d1", session_ends_us: welcome.session_ends_us } });
        }
        const { request } = frame;
        if (request?.method === "conversations.RefreshTokens") {
            log.push(`refresh ${decode("RefreshTokensRequest", request.body).refresh_token}`);
            const body = encode("SignedIn", {
                user: { id: "a", username: "alice" }, device: "d1", access_token: "new", refresh_token: "r2",
                access_ends_us: welcome.session_ends_us,
            });
            send({ reply: { id: request.id, body } });
        }
    });
    let held: Credentials | null = {
        user: "a", device: "d1", username: "alice", access_token: "old", access_ends_us: 1, refresh_token: "r1",
        refresh_ends_us: welcome.session_ends_us, known_device: "k",
    };
    const store = {
        load: async () => held,
        save: async (credentials: Credentials | null) => {
            await new Promise((resolve) => setTimeout(resolve, 20));
            log.push(`save ${credentials?.refresh_token}`);
            held = credentials;
        },
        exclusively: async (refresh: () => Promise<void>) => {
            log.push("lock");
            await refresh();
            log.push("unlock");
        },
    };
    const client = new Client(url, { store, webSocket: nodeWebSocket });
    await client.connect();
    await until("ready", () => client.state.phase === "ready");
    const expected = ["hello ", "lock", "refresh r1", "save r2", "authenticate new"];
    assert.deepEqual(log.filter((line) => line !== "unlock"), expected);
    assert.ok(log.includes("unlock"));
    assert.equal(client.user, "a");
    client.close();
    close();
});

test("who signed in on this device before says so when they sign in again, also after signing out", async () => {
    const known: string[] = [];
    const { url, close } = await server((frame, send) => {
        if (frame.hello) send({ welcome: { ...welcome, user: "" } });
        const { session_ends_us } = welcome;
        if (frame.authenticate) send({ authenticated: { user: "a", device: "d1", session_ends_us } });
        const { request } = frame;
        if (request?.method === "conversations.SignOut") send({ reply: { id: request.id } });
        if (request?.method !== "conversations.SignIn") return;
        known.push(decode("SignInRequest", request.body).known_device);
        const body = encode("SignedIn", {
            user: { id: "a", username: "zoe" }, device: "d1", access_token: "new", refresh_token: "r2",
            known_device: "k1", access_ends_us: session_ends_us,
        });
        send({ reply: { id: request.id, body } });
    });
    const client = new Client(url, { webSocket: nodeWebSocket });
    await client.connect();
    await client.signIn("zoe", "password", "node");
    assert.equal(client.credentials?.user, "a");
    await client.signOut();
    assert.equal(client.credentials, null);
    assert.equal(client.state.phase, "stopped");
    await client.connect();
    await client.signIn(" Zoe", "password", "node");
    assert.deepEqual(known, ["", "k1"]);
    client.close();
    close();
});

test("tokens that cannot be stored are told of, and stored later", async () => {
    const { url, close } = await server((frame, send) => {
        if (frame.hello) send({ welcome: { ...welcome, user: "" } });
        const { session_ends_us } = welcome;
        if (frame.authenticate) send({ authenticated: { user: "a", device: "d1", session_ends_us } });
        const body = encode("SignedIn", {
            user: { id: "a", username: "zoe" }, device: "d1", access_token: "new", refresh_token: "r2",
            access_ends_us: session_ends_us,
        });
        if (frame.request) send({ reply: { id: frame.request.id, body } });
    });
    const saved: (string | undefined)[] = [];
    let failures = 2;
    const store = {
        load: async () => null,
        save: async (credentials: Credentials | null) => {
            if (failures-- > 0) throw new Error("QuotaExceededError");
            saved.push(credentials?.refresh_token);
        },
    };
    const client = new Client(url, { webSocket: nodeWebSocket, store, saveAgainAfter: 20 });
    const told: string[] = [];
    client.add({ unsaved: (error) => told.push(String(error)) });
    await client.connect();
    await client.signIn("zoe", "password", "node");
    assert.deepEqual(told, ["Error: QuotaExceededError"]);
    await until("they are stored", () => saved.length === 1);
    assert.deepEqual(saved, ["r2"]);
    client.close();
    close();
});

test("registering again after a lost reply has the same id", async () => {
    const ids: string[] = [];
    const { url, close } = await server((frame, send, socket) => {
        if (frame.hello) send({ welcome: { ...welcome, user: "" } });
        const { session_ends_us } = welcome;
        if (frame.authenticate) send({ authenticated: { user: "a", device: "d1", session_ends_us } });
        if (frame.request?.method !== "conversations.Register") return;
        ids.push(decode("RegisterRequest", frame.request.body).id);
        if (ids.length === 1) return socket.terminate();
        const body = encode("SignedIn", { user: { id: "a", username: "zoe" }, access_token: "t", refresh_token: "r" });
        send({ reply: { id: frame.request.id, body } });
    });
    const client = new Client(url, { webSocket: nodeWebSocket });
    await client.connect();
    await assert.rejects(client.register({ username: "zoe", password: "p" }), refused("connection_lost"));
    await client.register({ username: " Zoe", password: "p" });
    assert.equal(ids.length, 2);
    assert.equal(ids[0], ids[1]);
    assert.match(ids[0]!, /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    client.close();
    close();
});

test("a port where nothing answers is tried again, and a request waits no longer than its deadline", async () => {
    const { url, close } = await serve(() => {});
    close();
    const client = new Client(url, { token: "t", webSocket: nodeWebSocket });
    await client.connect();
    await assert.rejects(client.call("presence.GetOwnPresence", "a", {}, { deadline: 200 }), refused("unavailable"));
    const { state } = client;
    assert.equal(state.phase === "connecting" && state.problem?.code, "connection_lost");
    client.close();
    await assert.rejects(client.call("presence.GetOwnPresence", "a", {}), refused("closed"));
});

test("a URL of no server is refused with what to do", () => {
    const wrong = ["", "chat.example.com", "https://chat.example.com", "wss://u:p@host", "wss://", "ws://host:99999"];
    for (const url of wrong) {
        assert.throws(() => linkAddress(url), refused("unsupported_url"), url);
    }
    assert.equal(linkAddress("wss://chat.example.com"), "wss://chat.example.com/v1/socket");
    assert.equal(linkAddress("ws://[::1]:8080/other"), "ws://[::1]:8080/other");
    const same = ["wss://Chat.example.com", "wss://chat.example.com/", "wss://chat.example.com:443/v1/socket"];
    assert.deepEqual(new Set(same.map(serverAddress)), new Set(["wss://chat.example.com"]));
    assert.equal(serverAddress("nonsense"), "nonsense", "whoever connects to it says what is wrong");
});

test("a gateway of a newer version is understood as far as this one can", async () => {
    const { url, close } = await server((frame, send, socket) => {
        if (!frame.hello) return;
        // A frame of a kind that is not known, with its own fields.
        socket.send(Uint8Array.of(0xfa, 0x01, 2, 8, 1));
        const bytes = encode("ServerFrame", { welcome: { ...welcome, version: 2, capabilities: 2n ** 63n } });
        socket.send(bytes);
        send({ update: { stream: "polls/u/a", position: 1, kind: "Poll", body: Uint8Array.of(1, 2, 3) } });
    });
    const client = new Client(url, { token: "t", webSocket: nodeWebSocket });
    const kinds: string[] = [];
    client.add({ update: ({ kind }) => kinds.push(kind) });
    await client.connect();
    await until("its Update", () => kinds.length === 1);
    assert.equal(client.welcome.capabilities, 2n ** 63n);
    assert.deepEqual(create("ServerFrame"), {});
    client.close();
    close();
});
