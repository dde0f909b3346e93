// A page's subscription for pushes, in Parley's real processes. No browser's push service is reached.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { Parley, Pushes } from "../../Sources/Clients/Web/api/index";
import type { BrowserSubscription } from "../../Sources/Clients/Web/api/index";
import { until } from "./support/check";
import { Cluster } from "./support/cluster";
import { nodeWebSocket } from "./support/websocket";

let count = 0;

/** What a browser gives a page. Nothing is sent to it here: its key is no point of the curve. */
function subscription(): BrowserSubscription {
    const keys = { p256dh: Uint8Array.from({ length: 65 }, () => 4), auth: new Uint8Array(16) };
    return { endpoint: `https://push.example/${++count}`, getKey: (name) => keys[name].buffer };
}

const name = "T7 a page registers its subscription, chooses of what to be told, and ends it";
void test(name, { timeout: 300_000 }, async () => {
    const asked = ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"];
    const vapid = new TextDecoder().decode(execFileSync("openssl", asked));
    const cluster = await Cluster.start({
        PARLEY_PUSH_VAPID_KEY: vapid, PARLEY_PUSH_VAPID_CONTACT: "mailto:operator@chat.example",
    });
    const parley = await Parley.open(cluster.url, { storage: "memory", webSocket: nodeWebSocket });
    const friend = await Parley.open(cluster.url, { storage: "memory", webSocket: nodeWebSocket });
    try {
        await parley.register({ username: "ada", password: "correct horse battery" });
        const pushes = new Pushes(parley);
        const key = await pushes.serverKey();
        assert.ok(key?.length === 65 && key[0] === 4, "a point of P-256, uncompressed");
        assert.deepEqual(await pushes.pushDevices(), []);
        await assert.rejects(pushes.testPush(), { code: "not_found" });

        const first = subscription();
        for (const each of [first, first, subscription()]) await pushes.registerForPush(each, "en-GB");
        const [device, ...others] = await pushes.pushDevices();
        assert.ok(device?.isEncrypted && device.app === "" && others.length === 0, "one takes the place of the other");
        assert.ok(Math.abs(device.registered.getTime() - Date.now()) < 60_000 && device.lastSent === undefined);
        const broken = { ...first, getKey: () => null };
        await assert.rejects(pushes.registerForPush(broken, "en"), { code: "invalid" });
        const plain = { ...first, endpoint: "http://push.example" };
        await assert.rejects(pushes.registerForPush(plain, "en"), { code: "invalid" });

        const settings = await pushes.pushSettings();
        assert.deepEqual([settings.level, settings.content, settings.reactions], ["all", "fullText", false]);
        const hours = [{ weekday: 7, from: 1320, until: 420 }];
        const timeZone = "Europe/Zurich";
        const changed = await pushes.updatePushSettings({ level: "mentions", quietHours: hours, timeZone });
        assert.deepEqual([changed.level, changed.quietHours, changed.timeZone], ["mentions", hours, timeZone]);
        const later = await pushes.updatePushSettings({ content: "names", reactions: true, quietHours: [] });
        assert.deepEqual(later, { ...changed, content: "names", reactions: true, quietHours: [] });
        await assert.rejects(pushes.setPushLevel("none", "nowhere"), { code: "not_member" });
        await friend.register({ username: "bea", password: "correct horse battery" });
        const chat = await friend.startConversation(await friend.findUser("ada"));
        await chat.send("Hello");
        await until("the request came", () => parley.requests.conversations.some(({ id }) => id === chat.id));
        const quiet = await pushes.setPushLevel("none", chat.id);
        assert.deepEqual([...quiet.conversations], [[chat.id, "none"]]);
        assert.equal((await pushes.setPushLevel(undefined, chat.id)).conversations.size, 0);
        await pushes.unregisterForPush();
        assert.deepEqual(await pushes.pushDevices(), []);
    } finally {
        await parley.close();
        await friend.close();
        await cluster.stop();
    }
});
