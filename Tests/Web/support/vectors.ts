// Runs the cases of proto/vectors (their README has the format) against the sync machine over any store.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { create, encode } from "../../../Sources/Clients/Web/protocol/codec";
import { ParleyError } from "../../../Sources/Clients/Web/protocol/errors";
import { methods } from "../../../Sources/Clients/Web/protocol/methods";
import type { Kind } from "../../../Sources/Clients/Web/protocol/generated/states";
import { states as kinds } from "../../../Sources/Clients/Web/protocol/generated/states";
import type { MessageName } from "../../../Sources/Clients/Web/protocol/schema";
import type { Content } from "../../../Sources/Clients/Web/protocol/states";
import { SyncMachine } from "../../../Sources/Clients/Web/sync/machine";
import { SyncMemory } from "../../../Sources/Clients/Web/sync/memory";
import type {
    ConversationRecord, StoredStream, SyncAction, SyncChange, SyncQuestion, SyncReply, SyncRequest,
} from "../../../Sources/Clients/Web/sync/types";
import { newRecord, newStream } from "../../../Sources/Clients/Web/sync/types";
import { hold, mustAsk, noteNewest, takeState } from "../../../Sources/Clients/Web/sync/unread";
import { fromJSON, toJSON } from "./json";

interface State { kind: string; body?: object }
type Failure = { to: string; code: string; retry_after_ms?: number };

interface Step {
    connect?: { cells?: string[] };
    disconnect?: object;
    update?: { stream: string; position?: number; kind: string; body?: object };
    reply?: { to: string; body?: object };
    fail?: Failure;
    own?: State;
    open?: string;
    recount?: string[];
    wait_ms?: number;
    asks?: { method: string; request?: object }[];
}

interface Stored {
    streams?: Record<
        string, { position?: number; epoch?: string; cursor?: string; behind?: boolean; kinds?: string[] }
    >;
    states?: State[];
    held?: Record<string, { from: number; to: number }>;
}

export interface Vector {
    id: string;
    about: string;
    stored: Stored;
    connected?: boolean;
    now_us?: number;
    steps: Step[];
    after: {
        positions?: Record<string, number | null>;
        states?: State[];
        unread?: Record<string, { unread?: number; mentions?: number; ask?: boolean }>;
        badge?: number;
    };
}

/** Where the changes of a run are stored. */
export interface VectorStore {
    apply(changes: readonly SyncChange[]): void | Promise<void>;
    holdings(nowUs: number): Holdings | Promise<Holdings>;
}

/** What is stored. */
export interface Holdings {
    positions: Record<string, number>;
    states: readonly Content[];
    records: readonly ConversationRecord[];
    counts: Record<string, { unread: number; mentions: number }>;
    badge: number;
}

/** All cases of all files. */
export function vectors(): Vector[] {
    const folder = `${process.env["PARLEY_ROOT"] ?? process.cwd()}/proto/vectors`;
    const files = readdirSync(folder).filter((name) => name.endsWith(".json")).sort();
    const read = (name: string): unknown => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
    return files.flatMap((name) => (read(name) as { vectors: Vector[] }).vectors);
}

function isKind(kind: string): kind is Kind {
    return kind in kinds;
}

function contentOf({ kind, body }: State): Content {
    assert.ok(isKind(kind), `${kind} is no state`);
    return { kind, state: fromJSON(kind as MessageName, body ?? {}) } as Content;
}

/** What a vector says is stored, as changes, and as what the machine remembers. */
function restore(stored: Stored): { changes: SyncChange[]; streams: StoredStream[]; records: ConversationRecord[] } {
    const records = new Map<string, ConversationRecord>();
    const record = (id: string): ConversationRecord => {
        const known = records.get(id) ?? newRecord(id);
        records.set(id, known);
        return known;
    };
    const changes = (stored.states ?? []).map((state): SyncChange => {
        const content = contentOf(state);
        switch (content.kind) {
            case "Message": {
                const { unread, newest } = record(content.state.conversation);
                hold(unread, 1, content.state.seq);
                noteNewest(newest, content.state.seq, content.state.sent_at_us);
                return { type: "message", message: content.state, from: "reply" };
            }
            case "Conversation": {
                const known = record(content.state.id);
                [known.position, known.section] = [content.state.position, content.state.section];
                known.hasLeft = content.state.left_at_us !== 0;
                return { type: "put", content };
            }
            case "InboxState":
                takeState(record(content.state.conversation).unread, content.state);
                return { type: "inboxState", state: content.state };
            case "MessageState": return { type: "messageState", state: content.state };
            case "Receipt": return { type: "receipt", receipt: content.state };
            case "ReadCount": return { type: "readCount", count: content.state };
            default: return { type: "put", content };
        }
    });
    const streams = Object.entries(stored.streams ?? {}).map(([name, fields]): StoredStream => ({
        ...newStream(name), position: fields.position ?? 0, epoch: fields.epoch ?? "", cursor: fields.cursor ?? "",
        isBehind: fields.behind ?? false, kinds: fields.kinds?.join(" ") ?? null,
    }));
    for (const [id, { from, to }] of Object.entries(stored.held ?? {})) hold(record(id).unread, from, to);
    for (const stream of streams) changes.push({ type: "stream", stream });
    for (const each of records.values()) changes.push({ type: "record", record: structuredClone(each) });
    return { changes, streams, records: [...records.values()] };
}

/** A request in one line, without what is the client's own choice. */
function line(method: string, message: string, request: object): string {
    const compared = toJSON(message, create(message as MessageName, request as never));
    delete compared["limit"];
    delete compared["held"];
    // Zero is the same as absent: of a member of a oneof, too.
    if (compared["before_seq"] === 0) delete compared["before_seq"];
    return `${method} ${JSON.stringify(sorted(compared))}`;
}

function sorted(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** A state in one line; empty: it is none. */
export function stateLine(content: Content): string {
    const json = toJSON(content.kind, content.state);
    return Object.keys(json).length === 0 ? "" : `${content.kind} ${JSON.stringify(sorted(json))}`;
}

/** One vector under way. */
export class VectorRun {
    private readonly machine: SyncMachine;
    private readonly open: SyncQuestion[] = [];
    private readonly problems: string[] = [];
    private readonly stored: ReturnType<typeof restore>;
    private now = 0;
    private wakesAt: number | null = null;

    /** @param store empty, of the person "a". */
    constructor(private readonly vector: Vector, private readonly store: VectorStore) {
        this.stored = restore(vector.stored);
        this.machine = new SyncMachine(this.stored.streams, this.stored.records);
    }

    /** Returns what is wrong, one line each. */
    async run(): Promise<string[]> {
        await this.store.apply(this.stored.changes);
        if (this.vector.connected !== false) await this.connectQuietly();
        for (const [at, step] of this.vector.steps.entries()) {
            const requests = await this.take(step);
            const asked = requests.map(({ method, request }) => line(method, methods[method][0], request)).sort();
            const wanted = (step.asks ?? []).map(({ method, request }) => {
                const message = methods[method as keyof typeof methods][0];
                return line(method, message, fromJSON(message, request ?? {}));
            }).sort();
            if (asked.join("\n") === wanted.join("\n")) continue;
            this.problems.push(`step ${at + 1}: asked ${asked}, not ${wanted}`);
        }
        await this.compare();
        return this.problems;
    }

    /** Connects, and each Sync brings nothing. */
    private async connectQuietly(): Promise<void> {
        await this.perform(this.machine.connected("a", ["0"], this.now));
        for (const { number, request } of [...this.open]) {
            const reply = quietReply(request);
            if (!reply) continue;
            this.open.splice(this.open.findIndex((question) => question.number === number), 1);
            await this.perform(this.machine.replied(number, reply, this.now));
        }
    }

    private async perform(actions: readonly SyncAction[]): Promise<SyncRequest[]> {
        const [changes, asked]: [SyncChange[], SyncRequest[]] = [[], []];
        for (const action of actions) {
            if (action.type === "store") changes.push(action.change);
            else if (action.type === "wake") this.wakesAt = action.at;
            else if (action.type === "ask") {
                // What is asked can be sent.
                encode(methods[action.question.request.method][0], action.question.request.request as never);
                this.open.push(action.question);
                asked.push(action.question.request);
            }
        }
        await this.store.apply(changes);
        return asked;
    }

    private async take(step: Step): Promise<SyncRequest[]> {
        const { machine, now } = this;
        if (step.connect) return this.perform(machine.connected("a", step.connect.cells ?? ["0"], now));
        if (step.disconnect) {
            this.open.length = 0;
            return this.perform(machine.disconnected(now));
        }
        if (step.update) {
            const { stream, kind, body, position = 0 } = step.update;
            const update = create("Update", { stream, position, kind });
            const name = kind as MessageName;
            if (isKind(kind)) update.body = encode(name, fromJSON(name, body ?? {}) as never);
            return this.perform(machine.received(update, now));
        }
        if (step.own) return this.perform(machine.learned(contentOf(step.own), now));
        if (step.open !== undefined) return this.perform(machine.look(step.open, now));
        if (step.recount) return this.perform(machine.recount(step.recount, now));
        if (step.wait_ms !== undefined) return this.wait(step.wait_ms);
        if (step.reply) {
            const question = this.question(step.reply.to);
            const reply = fromJSON(methods[question.request.method][1], step.reply.body ?? {}) as SyncReply;
            return this.perform(machine.replied(question.number, reply, now));
        }
        const { to, code, retry_after_ms } = step.fail!;
        const error = new ParleyError(code, "", "", retry_after_ms);
        return this.perform(machine.failed(this.question(to).number, error, now));
    }

    private async wait(ms: number): Promise<SyncRequest[]> {
        this.now += ms;
        if (this.wakesAt === null || this.wakesAt > this.now) return [];
        this.wakesAt = null;
        return this.perform(this.machine.woke(this.now));
    }

    /** Removes and returns the oldest open question with this method. */
    private question(method: string): SyncQuestion {
        const at = this.open.findIndex((question) => question.request.method === method);
        assert.ok(at >= 0, `${this.vector.id}: ${method} was not requested`);
        return this.open.splice(at, 1)[0]!;
    }

    private async compare(): Promise<void> {
        const { after, now_us = 1000 } = this.vector;
        const held = await this.store.holdings(now_us);
        const same = (what: string, seen: unknown, wanted: unknown): void => {
            if (seen !== wanted) this.problems.push(`${what}: ${String(seen)}, not ${String(wanted)}`);
        };
        for (const [name, position] of Object.entries(after.positions ?? {})) {
            same(name, held.positions[name] ?? null, position);
        }
        if (after.states) {
            const typing = Object.entries(this.machine.typing).flatMap(([conversation, users]) =>
                users.map((user): Content => ({ kind: "Typing", state: { conversation, user, typing: true } })));
            const seen = [...held.states, ...typing].map(stateLine).filter((text) => text !== "").sort();
            const memory = new MemoryVectorStore();
            memory.apply(restore({ states: after.states.filter(({ kind }) => kind !== "Typing") }).changes);
            const typed = after.states.filter(({ kind }) => kind === "Typing").map(contentOf);
            const wanted = [...memory.holdings(0).states, ...typed].map(stateLine).filter((text) => text !== "").sort();
            for (const text of seen) if (!wanted.includes(text)) this.problems.push(`held: ${text}`);
            for (const text of wanted) if (!seen.includes(text)) this.problems.push(`not held: ${text}`);
        }
        for (const [id, count] of Object.entries(after.unread ?? {})) {
            same(`unread of ${id}`, held.counts[id]?.unread ?? 0, count.unread ?? 0);
            same(`mentions of ${id}`, held.counts[id]?.mentions ?? 0, count.mentions ?? 0);
            const record = held.records.find((each) => each.id === id);
            same(`whether to ask for ${id}`, record && mustAsk(record.unread, now_us), count.ask);
        }
        if (after.badge !== undefined) same("badge", held.badge, after.badge);
    }
}

function quietReply(asked: SyncRequest): SyncReply | null {
    switch (asked.method) {
        case "conversations.Sync":
            return create("ConversationsSyncReply", { epoch: "e1", position: asked.request.since_position });
        case "entities.Sync":
            return create("EntitiesSyncReply", { epoch: "e1", position: asked.request.since_position });
        case "messaging.Sync": {
            const { cursor, own_position } = asked.request;
            return create("MessagingSyncReply", { epoch: "e1", cursor, own_position });
        }
        default: return null;
    }
}

/** A SyncMemory. */
export class MemoryVectorStore implements VectorStore {
    private readonly memory = new SyncMemory("a");

    apply(changes: readonly SyncChange[]): void {
        for (const change of changes) this.memory.apply(change);
    }

    holdings(nowUs: number): Holdings {
        return holdingsOf(this.memory, nowUs);
    }
}

/** What a SyncMemory holds. */
export function holdingsOf(memory: SyncMemory, nowUs: number): Holdings {
    const states: Content[] = [...memory.contents()];
    for (const held of memory.receipts.values()) {
        for (const state of held.values()) states.push({ kind: "Receipt", state });
    }
    for (const held of memory.readCounts.values()) {
        for (const state of held.values()) states.push({ kind: "ReadCount", state });
    }
    return {
        positions: Object.fromEntries([...memory.streams].map(([name, stream]) => [name, stream.position])),
        states,
        records: memory.records,
        counts: Object.fromEntries(memory.records.map(({ id }) => [id, memory.unread(id, nowUs)])),
        badge: memory.badge(nowUs).badge,
    };
}
