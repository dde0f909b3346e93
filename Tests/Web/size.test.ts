// What a page loads: no more bytes than are committed here, and no tables that the SDK does not use.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { identityMessages, identityMethods } from "../../Sources/Clients/Web/protocol/generated/identities";
import { moreMessages, moreMethods } from "../../Sources/Clients/Web/protocol/generated/more";
import { messageTables, methodTables } from "../../Sources/Clients/Web/protocol/generated/tables";
import { readMethods } from "../../Sources/Clients/Web/protocol/methods";

const folder = `${process.env["PARLEY_ROOT"] ?? process.cwd()}/Sources/Clients/Web`;

/** The bytes of the SDK, minified and by gzip. Whoever makes it larger says why beside the new number. */
// The last 23 (42 by gzip): a defect of what shows a commit holds up nothing that follows. Before: 2,023 (666): changes
// of events, offline too, to the version that the change before made; a card is asked again when its message says so; a
// decision shows at once that another replaces it; what is written is stored at once, also if the tab is closed; what
// names something new of another lane is sent after it; whoever waits is told when nothing can be stored; the work of
// registering is a file of its own where a page splits its files. Before: 9 fewer (22 more): one function says who
// signs people in and whether guests may come; what an answer to HEAD says, which has no body. Before: 60 (15): a draft
// that was sent does not come back. Before: 640 (288): a wrong clock removes no message, and what it hid is shown
// again; what was cleared does not come back; what two issuers' pages brought back is sent together; whether guests may
// come. Before: 7,237 (2,358): other ways to sign in, as ParleyKit has them. A page that does not import `Identities`
// loads nothing of it. Before: 1,110 fewer (328): pages before and after those held are read by the engine alone.
// Before: 365 (119): on a new device the pages of the inbox say where each conversation stands; refusals of a moment
// before. Before: 3,439 (1,176): pushes, as ParleyKit has them. A page that does not import `Pushes` loads their tables
// alone. Before: 1,442 (507): a hint that there is no network, what is known of a file that is sent, searching by
// person, kind and time; what was read of a conversation before it was followed is read again; the order of marks.
// Before: 1,890 (600) for marks of delivery, the tables of PushSettings, and guests.
const minifiedMax = 230_907;
const gzippedMax = 71_915;

/** The SDK's own sources, apart from what is generated. */
function sources(at = folder): string {
    return readdirSync(at, { withFileTypes: true }).map((entry) => {
        const path = `${at}/${entry.name}`;
        if (entry.isDirectory()) return entry.name === "generated" ? "" : sources(path);
        return entry.name.endsWith(".ts") ? readFileSync(path, "utf8") : "";
    }).join("\n");
}

function bundled(entry: string): Uint8Array {
    return execFileSync("esbuild", [entry, "--bundle", "--minify", "--format=esm", "--target=es2020", "--charset=utf8",
        "--log-level=warning"], { maxBuffer: 1 << 24 });
}

test("the SDK has no more bytes than before", () => {
    const bundle = bundled(`${folder}/api/index.ts`);
    const gzipped = gzipSync(bundle, { level: 9 }).length;
    const found = `${bundle.length} bytes, ${gzipped} by gzip`;
    const fits = bundle.length <= minifiedMax && gzipped <= gzippedMax;
    assert.ok(fits, `${found}: more than ${minifiedMax}, ${gzippedMax}`);
    // A bound that is far away holds nothing.
    const isNear = bundle.length > minifiedMax * 0.97 && gzipped > gzippedMax * 0.97;
    assert.ok(isNear, `${found}: lower the bounds in this test`);
    assert.ok(!new TextDecoder().decode(bundle).includes("ListRevisionsRequest"), "more.ts is in the bundle");
});

test("a page that imports a part loads that part alone", () => {
    const whole = bundled(`${folder}/api/index.ts`).length;
    const codec = bundled(`${folder}/protocol/codec.ts`).length;
    const client = bundled(`${folder}/protocol/client.ts`).length;
    const list = bundled(`${folder}/api/observable.ts`).length;
    assert.ok(codec < whole / 6 && client < whole / 3 && list < 2000, `${codec}, ${client} and ${list} of ${whole}`);
});

test("the tables are those of the requests that the SDK makes", () => {
    const text = sources();
    const isNamed = (method: string): boolean => text.includes(`"${method}"`);
    const [own, more] = [readMethods(methodTables), readMethods(moreMethods)];
    const identities = readMethods(identityMethods);
    const unnamed = Object.keys({ ...own, ...identities }).filter((method) => !isNamed(method));
    assert.deepEqual(unnamed, [], "put these into LATER of the generator");
    assert.deepEqual(Object.keys(more).filter(isNamed), [], "take these out of LATER of the generator");
    assert.ok(Object.keys(own).length > 50 && Object.keys(more).length > 10);
    const known = { ...messageTables, ...identityMessages };
    for (const [request, reply] of [...Object.values(own), ...Object.values(identities)]) {
        assert.ok(known[request] !== undefined && known[reply] !== undefined, `${request}, ${reply}`);
    }
    const calls = text.matchAll(/\b(?:decode|encode|create|overLimit)\("(\w+)"/g);
    const named = [...calls].map((found) => found[1]!);
    assert.ok(named.length > 10);
    assert.deepEqual(named.filter((name) => known[name] === undefined), []);
    for (const words of Object.values(known)) {
        for (const [, name] of words.matchAll(/ (?:\*\d*)?\.(\w+)/g)) {
            assert.ok(known[name!] !== undefined && moreMessages[name!] === undefined, name);
        }
    }
});
