// In which order a client asks for what it misses.
import assert from "node:assert/strict";
import test from "node:test";
import { SyncAsking, about } from "../../Sources/Clients/Web/sync/asking";
import { syncOptions } from "../../Sources/Clients/Web/sync/options";

test("the person's own streams are asked in their order, and before thousands of conversations", () => {
    const asking = new SyncAsking(syncOptions);
    const talks = Array.from({ length: 5000 }, (_, number) => about.stream(`messaging/c/${number}`));
    const own = ["conversations/u/zoe", "messaging/u/zoe"].map(about.stream);
    for (const subject of [...talks.slice(0, 2500), ...own, ...talks.slice(2500), about.receipts("7"), ...own,
        about.earlier("7")]) {
        asking.add(subject);
    }
    const asked: string[] = [];
    for (let next = asking.next(); next !== undefined; next = asking.next()) asked.push(next);
    assert.deepEqual(asked, [...own, ...talks, about.receipts("7"), about.earlier("7")]);
    assert.ok(asking.isIdle);
});
