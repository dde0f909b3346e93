// What pushes say, and what stands on the screen of them: no browser is needed.
import assert from "node:assert";
import test from "node:test";

import { after, read, said } from "../../Sources/Clients/WebChat/pushed";
import type { Told } from "../../Sources/Clients/WebChat/pushed";

/** A payload as `WebPushPayload.swift` makes it. */
function pushed(seq: number, body: string, kind = "message", id = `id ${seq} ${body}`): string {
    return JSON.stringify({
        web_push: 8030,
        notification: {
            title: "Bob", body, navigate: "/#/a_b", tag: `a_b/${seq}`, data: { id, kind, conversation: "a_b", seq },
        },
        app_badge: 3, mutable: true,
    });
}

function silent(kind: string, seq: number): string {
    return JSON.stringify({ data: { id: "x", kind, conversation: "a_b", seq }, app_badge: 0 });
}

/** What is shown after several pushes. */
function shown(...payloads: string[]): string[] {
    const told = payloads.reduce<Told | null>((before, payload) => after(read(payload), before), null);
    return told!.lines.length === 0 ? [] : Object.values(said(told!));
}

test("T7 one notice has a conversation's newest messages; edits, deletions and reading elsewhere change it", () => {
    const two = [pushed(1, "Hello"), pushed(2, "Are you there?")];
    assert.equal(read(two[0]!).tag, read(two[1]!).tag);
    assert.deepEqual(shown(...two), ["Bob", "Hello\nAre you there?"]);
    assert.deepEqual(shown(...two, pushed(1, "Hello!")), ["Bob", "Hello!\nAre you there?"]);
    assert.deepEqual(shown(...two, silent("withdrawn", 2)), ["Bob", "Hello"]);
    assert.deepEqual(shown(...two, silent("read", 1)), ["Bob", "Are you there?"]);
    assert.deepEqual(shown(...two, silent("read", 2)), []);
    assert.deepEqual(shown(silent("read", 2)), []);
    assert.deepEqual(shown(pushed(1, "👍 Hi", "reaction", "one"), pushed(1, "🎉 Hi", "reaction", "two")),
        ["Bob", "👍 Hi\n🎉 Hi"], "two reactions to one message are two");
    const many = Array.from({ length: 80 }, (_, number) => pushed(number + 1, `${number}`));
    assert.deepEqual(shown(...many), ["Bob (50)", "75\n76\n77\n78\n79"]);
    assert.deepEqual([read(two[0]!).badge, read(silent("read", 1)).badge], [3, 0]);
});

test("T7 a push that cannot be read shows that there is something new, and nothing throws", () => {
    const odd = ["", "{", "null", "[]", "5", '"x"', "{}", '{"notification":5}', '{"notification":{"data":null}}',
        '{"notification":{"title":{},"data":{"kind":1}}}', '{"data":{"kind":"read"}}', "\u0000", "x".repeat(5000)];
    for (const payload of odd) {
        const push = read(payload);
        assert.deepEqual([push.tag, push.line?.title, push.badge], ["parley", "Parley", -1], payload);
        assert.ok(said(after(push, null)).body.startsWith("There is something new"), payload);
    }
    const strange = read(JSON.stringify({
        notification: { title: 7, body: ["x"], silent: 1, tag: {}, data: { kind: "message", id: "i", seq: -4 } },
        app_badge: 1e99,
    }));
    assert.deepEqual([strange.line?.title, strange.line?.body, strange.badge, strange.isQuiet], ["Parley", "", -1, false]);
    const long = read(pushed(1, "y".repeat(9000))).line!;
    assert.equal(long.body.length, 1000);
});
