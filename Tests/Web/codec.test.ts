// The codec: against Python's protobuf, and against bytes that are no message.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { create, decode, encode, overLimit } from "../../Sources/Clients/Web/protocol/codec";
import { ParleyError } from "../../Sources/Clients/Web/protocol/errors";
import { messageTables } from "../../Sources/Clients/Web/protocol/generated/tables";
import type { MessageName } from "../../Sources/Clients/Web/protocol/schema";
import { fromBase64, toBase64, toJSON } from "./support/json";
import { Random } from "../../Sources/Clients/Web/protocol/random";

const root = process.env["PARLEY_ROOT"] ?? process.cwd();
const names = Object.keys(messageTables) as MessageName[];

function python(args: string[], input = ""): string {
    const output = execFileSync("/usr/bin/python3", [`${root}/Tests/Web/random_messages.py`, ...args], {
        input, maxBuffer: 1 << 28,
    });
    return new TextDecoder().decode(output);
}

/** JSON in which the order of fields says nothing, and a number of 64 bits may be a text. */
function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value === "object" && value !== null) {
        return Object.fromEntries(Object.entries(value).sort().map(([key, item]) => [key, plain(item)]));
    }
    return typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
}

test("5,000 random messages of Python's protobuf are read, and come back the same", () => {
    const lines = python(["make", "5000", "46"]).trimEnd().split("\n");
    assert.equal(lines.length, 5000);
    const back = lines.map((line) => {
        const [name, bytes, ...json] = line.split(" ");
        const message = decode(name as MessageName, fromBase64(bytes!));
        assert.deepEqual(plain(toJSON(name!, message)), plain(JSON.parse(json.join(" "))), `${name} ${bytes}`);
        return `${name} ${bytes} ${toBase64(encode(name as MessageName, message as never))}`;
    });
    assert.equal(python(["check"], back.join("\n") + "\n"), "");
});

test("50,000 random byte strings only ever throw invalid_frame", () => {
    const random = new Random(7n);
    const samples = names.map((name) => encode(name, sampleOf(name) as never));
    let read = 0;
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < 50_000; count++) {
        const at = random.below(names.length);
        const bytes = count % 2 === 0 ? garbage(random) : damaged(samples[at]!, random);
        try {
            decode(names[at]!, bytes);
            read++;
        } catch (error) {
            assert.ok(error instanceof ParleyError && error.code === "invalid_frame", String(error));
        }
    }
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(grown < 256 << 20, `the heap grew by ${grown} bytes`);
    // Some are messages by chance; most are not.
    assert.ok(read > 100 && read < 40_000, `${read} were read`);
});

function garbage(random: Random): Uint8Array {
    return Uint8Array.from({ length: random.below(64) }, () => random.below(256));
}

function damaged(sample: Uint8Array, random: Random): Uint8Array {
    const bytes = Uint8Array.from(sample);
    for (let count = random.below(4); count >= 0 && bytes.length > 0; count--) {
        bytes[random.below(bytes.length)] = random.below(256);
    }
    return random.below(3) === 0 ? bytes.slice(0, random.below(bytes.length + 1)) : bytes;
}

/** A message in which every field that can be is set. */
function sampleOf(name: MessageName): object {
    const value: Record<string, unknown> = {};
    for (const words of messageTables[name]!.split(",").filter((part) => part !== "" && !part.includes("?"))) {
        const [field, type] = words.split(" ") as [string, string];
        const found = /^(\*\d*)?([a-zA-Z.:])(\w*)/.exec(type)!;
        const one = found[2] === "." ? sampleOf(found[3] as MessageName) : scalar(found[2]!);
        value[field] = found[1] ? [one, one] : one;
    }
    return value;
}

function scalar(type: string): unknown {
    switch (type) {
        case "s": return "text ä";
        case "b": return Uint8Array.of(1, 2, 3);
        case "i": return "0190".padEnd(32, "a");
        case "o": return true;
        case "L": case "K": return 9_223_372_036_854_775_807n;
        default: return 7;
    }
}

function refused(code: string, field = "") {
    return (error: unknown) =>
        error instanceof ParleyError && error.code === code && (field === "" || error.field === field);
}

test("a field that is not known is left out, and an unknown word of an enum stays a number", () => {
    // Message: kind = 77, field 900 of each wire type, text "x".
    const bytes = Uint8Array.of(
        0x28, 77, 0xa0, 0x38, 1, 0xa1, 0x38, 1, 2, 3, 4, 5, 6, 7, 8, 0xa2, 0x38, 1, 9, 0xa5, 0x38, 1, 2, 3, 4,
        0x32, 1, 0x78);
    assert.deepEqual(decode("Message", bytes), create("Message", { kind: 77, text: "x" }));
    assert.deepEqual(encode("Message", decode("Message", bytes)), Uint8Array.of(0x28, 77, 0x32, 1, 0x78));
});

test("a known field of another wire type is one that is not known", () => {
    assert.deepEqual(decode("Ping", Uint8Array.of(0x0a, 1, 5)), { id: 0 });
    assert.deepEqual(decode("Problem", Uint8Array.of(0x08, 5)), create("Problem"));
});

test("numbers beyond 2^53 are refused, except where the contract has them", () => {
    const largest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    assert.throws(() => decode("Message", Uint8Array.of(0x10, ...largest)), refused("invalid_frame"));
    assert.equal(decode("InboxState", Uint8Array.of(0x58, ...largest)).muted_until_us, 9_223_372_036_854_775_807n);
    assert.equal(decode("Message", encode("Message", { seq: Number.MAX_SAFE_INTEGER })).seq, Number.MAX_SAFE_INTEGER);
    assert.equal(decode("Message", encode("Message", { seq: Number.MIN_SAFE_INTEGER })).seq, Number.MIN_SAFE_INTEGER);
    assert.throws(() => encode("Message", { seq: 2 ** 53 }), refused("invalid", "seq"));
    assert.throws(() => decode("Ping", Uint8Array.of(8, ...Array(10).fill(0xff), 1)), refused("invalid_frame"));
});

test("a text that is not UTF-8 is refused, and a mark at its beginning stays", () => {
    for (const wrong of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
        assert.throws(() => decode("Problem", Uint8Array.of(0x0a, wrong.length, ...wrong)), refused("invalid_frame"));
    }
    assert.equal(decode("Problem", Uint8Array.of(0x0a, 3, 0xef, 0xbb, 0xbf)).code, "\ufeff");
});

test("a frame of tiny messages is refused before it takes much memory", () => {
    const item = [0x12, 0]; // GetHistoryReply.messages is field 1: 0x0a
    const bytes = new Uint8Array(2 << 20);
    for (let at = 0; at < bytes.length; at += 2) bytes.set([0x0a, item[1]!], at);
    const before = process.memoryUsage().heapUsed;
    assert.throws(() => decode("GetHistoryReply", bytes), refused("invalid_frame"));
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(grown < 256 << 20, `the heap grew by ${grown} bytes`);
});

test("of a oneof the last member counts, and two cannot be sent", () => {
    const [first, second] = [encode("ServerFrame", { pong: { id: 1 } }), encode("ServerFrame", { reply: { id: 2 } })];
    const frame = decode("ServerFrame", Uint8Array.of(...first, ...second));
    assert.deepEqual(Object.keys(frame), ["reply"]);
    assert.throws(() => encode("ClientFrame", { ping: {}, hello: {} }), refused("invalid"));
    assert.deepEqual(encode("UpdateProfileRequest", { email: "" }), Uint8Array.of(0x22, 0), "an empty member is sent");
});

test("what cannot be encoded is refused with the path of the field", () => {
    const wrong: [object, string][] = [
        [{ text: 5 }, "text"], [{ seq: 1.5 }, "seq"], [{ seq: NaN }, "seq"], [{ id: "zz" }, "id"], [{ id: "00" }, "id"],
        [{ kind: "NO_SUCH" }, "kind"], [{ text: "\ud800" }, "text"], [{ mentions: ["a", 3] }, "mentions[1]"],
        [{ mentions: "a" }, "mentions"], [{ thread: 4 }, "thread"], [{ media: { thumbnail: [1] } }, "media.thumbnail"],
        [{ own: { starred: "yes" } }, "own.starred"], [{ reactions: [{}, { count: "2" }] }, "reactions[1].count"],
    ];
    for (const [given, field] of wrong) assert.throws(() => encode("Message", given), refused("invalid", field), field);
    assert.throws(() => encode("InboxState", { muted_until_us: 2n ** 63n }), refused("invalid", "muted_until_us"));
    assert.throws(() => encode("Message", null as never), refused("invalid"));
});

test("a limit of the contract is found before the server finds it", () => {
    const largest = { text: "x".repeat(16384), mentions: Array(1000).fill("u") as string[] };
    assert.equal(overLimit("SendMessageRequest", largest), undefined);
    assert.equal(overLimit("SendMessageRequest", { text: "é".repeat(8193) }), "text");
    assert.equal(overLimit("SendMessageRequest", { mentions: Array(1001).fill("u") }), "mentions");
    assert.equal(overLimit("SendMessageRequest", { media: { name: "n".repeat(256) } }), "media.name");
});

test("bytes of a part of a buffer are read, and what is decoded keeps none of it", () => {
    const inner = encode("Media", { thumbnail: Uint8Array.of(1, 2, 3), name: "a" });
    const outer = new Uint8Array(inner.length + 8);
    outer.set(inner, 4);
    const media = decode("Media", outer.subarray(4, 4 + inner.length));
    outer.fill(0);
    assert.deepEqual([...media.thumbnail], [1, 2, 3]);
});

test("the generated files are those of the contract", () => {
    const printed = new TextDecoder().decode(execFileSync("/bin/bash", [`${root}/Tests/Web/regenerated`]));
    const made = printed.split(/^==== (\w+\.ts)\n/m).slice(1);
    const folder = `${root}/Sources/Clients/Web/protocol/generated`;
    assert.equal(readdirSync(folder).length, made.length / 2);
    for (let at = 0; at < made.length; at += 2) {
        const [, , ...committed] = readFileSync(`${folder}/${made[at]}`, "utf8").split("\n");
        assert.equal(committed.join("\n"), made[at + 1], made[at]);
    }
});
