// Plays the web SDK for `parley-lab conformance`, which proto/CONFORMANCE.md describes: its client and its sync
// machine, with what they store in memory.
import { createInterface } from "node:readline";
import { Client } from "../../Sources/Clients/Web/protocol/client";
import { SyncMachine } from "../../Sources/Clients/Web/sync/machine";
import { SyncMemory } from "../../Sources/Clients/Web/sync/memory";
import { SyncShell } from "../../Sources/Clients/Web/sync/shell";
import { mustAsk } from "../../Sources/Clients/Web/sync/unread";
import type { Content } from "../../Sources/Clients/Web/protocol/states";
import type { MessageName } from "../../Sources/Clients/Web/protocol/schema";
import { fromJSON, toJSON } from "./support/json";
import { holdingsOf } from "./support/vectors";
import { nodeWebSocket } from "./support/websocket";

interface Command {
    do: string;
    now_us?: number;
    kind?: string;
    body?: object;
    conversation?: string;
    conversations?: string[];
}

const client = new Client(process.env["PARLEY_URL"] ?? "", {
    token: process.env["PARLEY_TOKEN"] ?? "", webSocket: nodeWebSocket,
});
const memory = new SyncMemory();
const shell = new SyncShell(client, new SyncMachine(), (actions) => {
    for (const action of actions) if (action.type === "store") memory.apply(action.change);
});
client.add({
    began: ({ user }) => {
        if (memory.me === "") memory.me = user;
    },
    state: (state) => {
        if (state.phase !== "stopped") return;
        console.error(`${state.problem.code}: ${state.problem.message}`);
        process.exit(1);
    },
});

function answer(command: Command): object {
    switch (command.do) {
        case "state":
            return contents(command.now_us ?? 0);
        case "own": {
            const kind = command.kind ?? "";
            if (!["Message", "Conversation", "InboxState", "MessageState"].includes(kind)) break;
            const content = { kind, state: fromJSON(kind as MessageName, command.body ?? {}) } as Content;
            shell.take((machine, now) => machine.learned(content, now));
            return { done: true };
        }
        case "open":
            shell.take((machine, now) => machine.look(command.conversation ?? "", now));
            return { done: true };
        case "recount":
            shell.take((machine, now) => machine.recount(command.conversations ?? [], now));
            return { done: true };
        default:
    }
    return { unsupported: true };
}

function contents(nowUs: number): object {
    const { positions, states, records, counts, badge } = holdingsOf(memory, nowUs);
    const typing = Object.entries(shell.machine.typing).flatMap(([conversation, users]) =>
        users.map((user): Content => ({ kind: "Typing", state: { conversation, user, typing: true } })));
    const unread = Object.fromEntries(records.map((record) => {
        const { unread, mentions } = counts[record.id]!;
        return [record.id, { unread, mentions, ask: mustAsk(record.unread, nowUs) }];
    }));
    return {
        positions, unread, badge,
        states: [...states, ...typing].map(({ kind, state }) => ({ kind, body: toJSON(kind, state) })),
    };
}

async function main(): Promise<void> {
    await client.connect();
    for await (const line of createInterface({ input: process.stdin })) {
        process.stdout.write(`${JSON.stringify(answer(JSON.parse(line) as Command))}\n`);
    }
    process.exit(0);
}

void main();
