// The words of the page: no browser is needed.
import assert from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

import { lasting, plural } from "../../Sources/Clients/WebChat/plural";

const folder = `${process.env["PARLEY_ROOT"] ?? process.cwd()}/Sources/Clients/WebChat`;
const parts = ["door", "shell", "attached", "parts", "ways"];

function sources(at: string): string[] {
    return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
        if (entry.isDirectory()) return entry.name === "english" ? [] : sources(`${at}/${entry.name}`);
        const isOurs = /\.tsx?$/.test(entry.name) && entry.name !== "emoji.ts";
        return isOurs ? [readFileSync(`${at}/${entry.name}`, "utf8")] : [];
    });
}

test("a number has its form, and is written as people write it", () => {
    const forms = { one: "1 reply", other: "# replies" };
    assert.deepEqual([0, 1, 2, 1200].map((count) => plural(count, forms)),
        ["0 replies", "1 reply", "2 replies", "1,200 replies"]);
    assert.equal(plural(1, { other: "# new" }), "1 new");
    const day = 86_400_000;
    assert.deepEqual([2 * day, day, 3 * 3_600_000, 60_000, 7000].map(lasting),
        ["2 days", "1 day", "3 hours", "1 minute", "7 seconds"]);
});

test("each word of the page is used, and each that is used is there", () => {
    const named = parts.flatMap((part) =>
        [...readFileSync(`${folder}/english/${part}.tsx`, "utf8").matchAll(/^ {4}(\w+):/gm)].map((found) => found[1]!));
    const uses = sources(folder).flatMap((text) => [...text.matchAll(/\bsay\.(\w+)/g)]);
    const used = new Set(uses.map((found) => found[1]!));
    assert.ok(named.length > 450, String(named.length));
    assert.deepEqual(named.filter((name) => !used.has(name)), []);
    assert.deepEqual([...used].filter((name) => !named.includes(name)), []);
});

test("what people read stands in the folder of words, and nowhere else", () => {
    // What follows a tag, a label or a title, and begins as a sentence does.
    const literal =
        /(?:\b(?:aria-label|title|placeholder|label|hint|question|alt|name)=|^ *\? |^ *: )"[A-Z][a-z]+[ ."]/gm;
    const between = /<\w[^<>{}\n]*>\s*[A-Z][a-z]+ [^<>{}]*<\//g;
    const found = sources(folder).flatMap((text) => [...text.matchAll(literal), ...text.matchAll(between)]);
    assert.deepEqual(found.map(([all]) => all), []);
});
