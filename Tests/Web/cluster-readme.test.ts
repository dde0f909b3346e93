import test from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Parley } from "../../Sources/Clients/Web/api/index";
import { Cluster } from "./support/cluster";
import { until } from "./support/check";
import { nodeWebSocket } from "./support/websocket";

const root = process.env["PARLEY_ROOT"] ?? process.cwd();

/** The pieces of code of a page, in order. */
function snippets(path: string): string[] {
    return [...readFileSync(`${root}/${path}`, "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1]!);
}

/** A program of all pieces, each in a block of its own; what the first one declares, the others use. */
function program(pieces: readonly string[]): string {
    const [first, ...others] = pieces.map((piece) => piece.replace(/^import .*\n/gm, ""));
    return [
        'import { Identities, Parley, Pushes, Refusal, forReact } from "../../Sources/Clients/Web/api/index";',
        "declare function show(text: string): void;",
        `export async function run(): Promise<Parley> {\n${first}\n${others.map((it) => `{\n${it}}\n`).join("")}return parley;\n}`,
    ].join("\n");
}

void test("the README's pieces of code compile, and run against real processes", { timeout: 300_000 }, async () => {
    const pieces = snippets("Sources/Clients/Web/README.md");
    assert.ok(pieces.length >= 6, `there are ${pieces.length} pieces`);
    mkdirSync(`${root}/.build-web/readme`, { recursive: true });
    const cluster = await Cluster.start();
    let parley: Parley | undefined;
    const alice = await Parley.open(cluster.url, { storage: "memory", webSocket: nodeWebSocket });
    try {
        await alice.register({ username: "alice", password: "correct horse battery" });
        const source = program(pieces).split("ws://127.0.0.1:8080").join(cluster.url);
        writeFileSync(`${root}/.build-web/readme/snippets.ts`, source);
        writeFileSync(`${root}/.build-web/readme/tsconfig.json`, JSON.stringify({
            extends: "../../Sources/Clients/Web/tsconfig.json", include: ["snippets.ts"],
        }));
        try {
            execFileSync("tsc", ["-p", `${root}/.build-web/readme`], { encoding: "utf8" });
        } catch (error) {
            assert.fail((error as { stdout?: string }).stdout ?? String(error));
        }
        execFileSync("esbuild", [
            `${root}/.build-web/readme/snippets.ts`, "--bundle", "--platform=node", "--format=esm", "--log-level=warning",
            `--outfile=${root}/.build-web/readme/snippets.mjs`,
        ]);
        const shown: string[] = [];
        // A page has these.
        Object.assign(globalThis, {
            show: (text: string) => shown.push(text),
            WebSocket: function (url: string, protocol: string) {
                return nodeWebSocket(url, protocol);
            },
        });
        const name = `${root}/.build-web/readme/snippets.mjs`;
        parley = await ((await import(name)) as { run(): Promise<Parley> }).run();
        await until("the message arrives", () => alice.requests.conversations[0]?.lastMessage !== undefined);
        const chat = alice.requests.conversations[0]!;
        assert.ok(shown.some((text) => text.endsWith("Hello Alice! pending")), "it is shown at once");
        await until("it is shown as sent", () => shown.some((text) => text.endsWith("Hello Alice! synced")));
        assert.ok(shown.includes("1 messages"), "React's part is told");
        assert.ok(shown.includes("That is not the password."), "a wrong password is told");
        assert.ok(shown.includes("note.txt: Hello"), "the file is read");
        await chat.accept();
        await until("all is sent", () => parley!.unsent.length === 0, 60);
        await chat.load();
        await until("all arrives", () => chat.messages.length === 3);
        assert.deepEqual(chat.messages.map((it) => it.text), ["Hello Alice!", "Are you there?", "A note"]);
        const { blob } = await alice.openFile(chat.messages[2]!);
        assert.equal(await blob.text(), "Hello");
    } finally {
        await parley?.close();
        await alice.close();
        await cluster.stop();
    }
});
