// The pure parts of the chat: no browser is needed.
import assert from "node:assert";
import test from "node:test";

import { Heights } from "../../Sources/Clients/WebChat/heights";
import { drawn, foot, place, scrolled } from "../../Sources/Clients/WebChat/places";
import { parts } from "../../Sources/Clients/WebChat/text";

/** Random numbers from a seed (mulberry32). */
function random(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
    };
}

test("tops and rows are those of plain sums, whatever changes", () => {
    const next = random(7);
    for (const count of [0, 1, 2, 3, 64, 65, 1000]) {
        const plain = Array.from({ length: count }, () => 1 + next(200));
        const heights = Heights.of(count, (row) => plain[row]!);
        for (let step = 0; step < 300; step++) {
            if (count > 0) {
                const row = next(count);
                plain[row] = next(300);
                heights.set(row, plain[row]!);
            }
            const row = next(count + 1);
            const top = plain.slice(0, row).reduce((sum, height) => sum + height, 0);
            assert.equal(heights.top(row), top);
            if (row < count && plain[row]! > 0) {
                assert.equal(heights.at(top), row);
                assert.equal(heights.at(top + plain[row]! - 0.5), row);
            }
        }
        assert.equal(heights.total, plain.reduce((sum, height) => sum + height, 0));
        assert.equal(heights.at(-50), 0);
        assert.equal(heights.at(1e9), Math.max(0, count - 1));
        assert.equal(heights.set(count, 10) || heights.set(-1, 10), false);
    }
});

test("what is looked at stays where it is while older and newer rows come and rows grow", () => {
    const next = random(11);
    let ids = Array.from({ length: 60 }, (_, number) => `m${number}`);
    const known = new Map<string, number>();
    const height = (id: string) => known.get(id) ?? 56;
    let heights = Heights.of(ids.length, (row) => height(ids[row]!));
    const view = { top: 900, height: 600 };
    for (let step = 0; step < 500; step++) {
        const held = place(heights, ids, view);
        const before = held && { id: held.id, at: heights.top(ids.indexOf(held.id)) - view.top };
        if (step % 3 === 0) ids = [...Array.from({ length: 1 + next(50) }, (_, number) => `o${step}-${number}`), ...ids];
        if (step % 3 === 1) ids = [...ids, `n${step}`];
        for (let change = 0; change < 5; change++) known.set(ids[next(ids.length)]!, 20 + next(400));
        heights = Heights.of(ids.length, (row) => height(ids[row]!));
        const numbers = new Map(ids.map((id, number) => [id, number]));
        const top = scrolled(heights, numbers, held, view.height);
        assert.notEqual(top, null);
        view.top = top!;
        if (before) assert.equal(heights.top(numbers.get(before.id)!) - view.top, before.at);
        else assert.equal(view.top + view.height, heights.total + foot);
        const { first, last } = drawn(heights, view);
        assert.ok(heights.top(first) <= view.top && heights.top(last + 1) >= Math.min(heights.total, view.top + view.height));
        if (next(4) === 0) view.top = next(Math.max(1, Math.floor(heights.total - view.height)));
    }
});

test("whoever is at the end stays there, and a row that is gone is not held", () => {
    const ids = Array.from({ length: 30 }, (_, number) => `m${number}`);
    const heights = Heights.of(ids.length, () => 50);
    assert.equal(place(heights, ids, { top: 1500 + foot - 400, height: 400 }), null);
    assert.equal(place(heights, ids, { top: 0, height: 5000 }), null);
    assert.equal(scrolled(heights, new Map(), { id: "gone", below: 3 }, 400), null);
    assert.equal(place(Heights.of(0, () => 50), [], { top: 0, height: 400 }), null);
});

test("the first row may lose its day to an older one, and its text stays where it is", () => {
    const [ids, view] = [["c", "d", "e"], { top: 0, height: 120 }];
    const heights = Heights.of(3, (row) => (row === 0 ? 98 : 50));
    const held = place(heights, ids, view);
    assert.deepEqual(held, { id: "d", below: 98 });
    const [more, after] = [["a", "b", ...ids], Heights.of(5, (row) => (row === 0 ? 98 : 50))];
    const top = scrolled(after, new Map(more.map((id, number) => [id, number])), held, view.height)!;
    assert.equal(after.top(3) - top, heights.top(1) - view.top, "the lower edge of c is where it was");
    assert.deepEqual(place(Heights.of(1, () => 500), ["a"], view), { id: "a", below: 0 });
});

test("a hundred thousand rows cost steps, not a walk", () => {
    const heights = Heights.of(100_000, () => 56);
    for (let step = 0; step < 100_000; step++) heights.set((step * 7919) % 100_000, 40 + (step % 90));
    for (let step = 0; step < 100_000; step++) assert.ok(heights.at(heights.top(step) + 1) === step);
});

const links = (text: string) => parts(text).filter((part) => typeof part !== "string") as Exclude<ReturnType<typeof parts>[number], string>[];

test("only plain addresses of the web are links, and each says which host it asks", () => {
    for (const [text, href, host] of [
        ["see https://example.com/a?b=1#c.", "https://example.com/a?b=1#c", ""],
        ["(http://example.com/a_(b))", "http://example.com/a_(b)", ""],
        ["https://EXAMPLE.com", "https://example.com/", ""],
        ["https://example.com:443/x", "https://example.com/x", ""],
        ["https://exаmple.com/", "https://xn--exmple-4nf.com/", "xn--exmple-4nf.com"],
        ["https://0x7f.1/", "https://127.0.0.1/", "127.0.0.1"],
        ["http:///x", "http://x/", "x"],
        ["**https://example.com**", "https://example.com/", ""],
    ] as const) {
        const [link, ...more] = links(text);
        assert.deepEqual([link?.href, link?.host, more.length], [href, host, 0], text);
    }
    for (const text of [
        "javascript:alert(1)", "data:text/html,x", "https://user@example.com/", "https://a:b@example.com", "https://",
        "xhttps://example.com", "ftp://example.com", "https://[::1", "//example.com", `https://example.com/${"x".repeat(3000)}`,
        "https://exam\u202eple.com\u202c".slice(0, 8),
    ]) assert.deepEqual(links(text), [], text);
});

test("the parts of a text are the text, whatever it is", () => {
    const next = random(23);
    const pieces = ["https://", "http://a.b", ")", "(", ".", " ", "\u202e", "\n", "<", "é", "👍", "@", "/", "javascript:", "x", "\ud800"];
    for (let run = 0; run < 5000; run++) {
        const text = Array.from({ length: next(30) }, () => pieces[next(pieces.length)]).join("");
        assert.equal(parts(text).map((part) => typeof part === "string" ? part : part.text).join(""), text);
    }
    const long = `https://a.b/${")".repeat(2000)} `.repeat(8);
    assert.equal(parts(long).map((part) => typeof part === "string" ? part : part.text).join(""), long);
});
