// Several tabs: two Parley objects that hear each other, as tabs of one browser do.
import assert from "node:assert/strict";
import test from "node:test";
import { Parley } from "../../Sources/Clients/Web/api/index";
import { decode, encode } from "../../Sources/Clients/Web/protocol/codec";
import type { Credentials } from "../../Sources/Clients/Web/protocol/session-types";
import { until } from "./support/check";
import type { ServerSocket } from "./support/websocket";
import { nodeWebSocket, serve } from "./support/websocket";

/** What a test reaches of a Parley, to make a tab of it that another one leads. */
interface Tab {
    account: { tabs: object };
    hear(news: unknown): Promise<void>;
    disconnect(): void;
    set(state: object): void;
}

/** Makes two objects tabs of one browser, of which the first one leads: in memory each would be alone. */
function join(lead: Parley, follow: Parley): void {
    const [leading, following] = [lead, follow] as unknown as [Tab, Tab];
    const tells = (other: Tab, isLeading: boolean): object => ({
        isLeading, close: () => {}, leave: () => {},
        tell: (news: unknown) => void setTimeout(() => void other.hear(structuredClone(news))),
    });
    leading.account.tabs = tells(following, true);
    following.account.tabs = tells(leading, false);
    following.disconnect();
    following.set({ connection: "elsewhere" });
}

test("tabs that another one leads type through it, and close when one signs out", async () => {
    const requests: string[] = [];
    const watched: string[][] = [];
    const activities: { background: boolean; current_conversation: string }[] = [];
    const sockets: ServerSocket[] = [];
    const { url, close } = await serve((socket) => {
        sockets.push(socket);
        socket.on("message", (data) => {
            const frame = decode("ClientFrame", new Uint8Array(data));
            const server_time_us = Date.now() * 1000;
            const user = frame.hello?.token ? "a" : "";
            const session_ends_us = user === "" ? 0 : server_time_us + 3.6e9;
            const welcome = { version: 1, session: "s", user, device: "d", server_time_us, session_ends_us, cells: ["0"] };
            if (frame.hello) socket.send(encode("ServerFrame", { welcome }));
            if (frame.set_activity) activities.push(frame.set_activity);
            if (!frame.request) return;
            requests.push(frame.request.method);
            const { method, body } = frame.request;
            if (method === "presence.WatchPresence") watched.push(decode("WatchPresenceRequest", body).users);
            socket.send(encode("ServerFrame", { reply: { id: frame.request.id } }));
        });
    });
    let held: Credentials | null = {
        user: "a", device: "d", username: "alice", access_token: "t", access_ends_us: 9e15, refresh_token: "r",
        refresh_ends_us: 9e15, known_device: "",
    };
    const credentials = { load: async () => held, save: async (saved: Credentials | null) => { held = saved; } };
    const options = { storage: "memory", webSocket: nodeWebSocket, credentials } as const;
    const tabs = [await Parley.open(url, options), await Parley.open(url, options)] as const;
    join(...tabs);
    await until("one leads", () => tabs[0].connection === "online" && tabs[1].connection === "elsewhere");
    assert.equal(tabs[1].user, "a");
    tabs[1].conversation("a_b").typingNow();
    await until("the tab that leads tells who types", () => requests.includes("presence.SetTyping"));
    await tabs[0].watchPresence(["bob"]);
    const watches = (): number => requests.filter((method) => method === "presence.WatchPresence").length;
    const asked = watches();
    assert.ok(asked > 0);
    const restarted = { stream: "presence/u/a", kind: "PresenceRestarted" };
    for (const socket of sockets) socket.send(encode("ServerFrame", { update: restarted }));
    await until("presence is watched again when the server lost it", () => watches() > asked);
    await tabs[1].watchPresence(["eve"]);
    assert.deepEqual(watched[watched.length - 1], ["bob", "eve"], "a session has one watch");
    tabs[0].setActivity(false);
    tabs[1].setActivity(true, "a_b");
    const isThere = (): boolean => activities.some(({ background, current_conversation }) =>
        !background && current_conversation === "a_b");
    await until("what is done in the other tab is told", isThere);
    await tabs[1].signOut();
    assert.ok(requests.includes("conversations.SignOut"));
    await until("both show nobody", () => tabs.every((tab) => tab.user === undefined));
    assert.equal(held, null);
    for (const tab of tabs) await tab.close();
    close();
});
