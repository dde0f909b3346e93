// Three people with two devices each, one of this SDK and one of ParleyKit, act at random in Parley's real processes:
// they lose their connection, and are killed. When all is quiet, each device has what a new one reads.
//
// PARLEY_TEST_SEED repeats what is done, PARLEY_TEST_ACTIONS makes it longer.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { MemoryCredentials } from "../../Sources/Clients/Web/api/credentials";
import { Conversation, Message, Parley } from "../../Sources/Clients/Web/api/index";
import { decode } from "../../Sources/Clients/Web/protocol/codec";
import type { Message as WireMessage } from "../../Sources/Clients/Web/protocol/generated/messages";
import { unhex } from "../../Sources/Clients/Web/protocol/hex";
import { Random } from "../../Sources/Clients/Web/protocol/random";
import { text, until } from "./support/check";
import { Cluster } from "./support/cluster";
import { nodeWebSocket } from "./support/websocket";

const root = process.env["PARLEY_ROOT"] ?? process.cwd();
const binaries = process.env["PARLEY_BINARIES"] ?? join(root, ".build/debug");
const password = "correct horse battery";

/** A device of this SDK. */
class Page {
    isAway = false;

    private constructor(readonly parley: Parley) {}

    static async open(url: string): Promise<Page> {
        return new Page(await Parley.open(url, { storage: "memory", webSocket: nodeWebSocket, messagesKept: 100_000 }));
    }

    async setAway(isAway: boolean): Promise<void> {
        this.isAway = isAway;
        if (isAway) this.parley.suspend();
        else await this.parley.resume();
    }

    /** Looks at all of some conversations. */
    async look(ids: readonly string[]): Promise<void> {
        for (const id of ids) {
            const chat = this.parley.conversation(id);
            await chat.load();
            while (chat.hasOlder && this.parley.connection === "online") await chat.loadOlder(200);
        }
    }

    async isQuiet(): Promise<boolean> {
        for (const { id, syncStatus } of this.parley.unsent) if (syncStatus === "failed") await this.parley.drop(id);
        return this.parley.unsent.length === 0 && this.parley.connection === "online";
    }

    screen(ids: readonly string[]): string[] {
        const { parley } = this;
        return ids.map((id) => parley.conversation(id)).flatMap((chat) => [
            `${chat.id} ${chat.title} ${chat.memberCount} ${chat.isPinned} ${text(chat.mutedUntil)} ${chat.readUpTo} `
                + `${text(chat.unread)} ${chat.isArchived} ${chat.retention ?? 0} ${chat.photo ?? ""} ${chat.syncStatus}`,
            ...chat.members.map((it) => `${it.user.id} ${it.user.displayName} ${it.role}`).sort(),
            ...chat.messages.map(line),
        ]).concat(
            parley.reminders.map((it) => `${it.title} ${it.isCompleted} ${it.syncStatus}`).sort(),
            parley.decisions.map((it) => `${it.text} ${it.syncStatus}`).sort(),
            parley.events.map((it) => `${it.title} ${it.isCancelled} ${it.answer} ${it.syncStatus}`).sort(),
        );
    }
}

function line(message: Message): string {
    const reactions = message.reactions.map(({ emoji, count, isMine }) => `${emoji}${count}${isMine}`).sort().join(" ");
    return `${message.seq} ${message.text} ${message.isDeleted} ${message.editedAt !== undefined} ${message.isStarred} `
        + `${reactions} ${message.syncStatus} ${message.status} ${message.replyTo ?? ""}`;
}

/** A device of ParleyKit: its program kit-client, which writes, edits and reacts until it is killed. */
class Kit {
    /** What its intents returned for, and the numbers that it wrote. */
    readonly said: string[] = [];
    private running: { kill(): void; ended: Promise<void> } | undefined;
    private round = 0;

    constructor(private readonly url: string, readonly folder: string, private readonly chat: string, readonly first: number) {}

    /** Signs a device in as its file of tokens says it. */
    static async create(page: Page, username: string, url: string, folder: string, chat: string, first: number): Promise<Kit> {
        const credentials = new MemoryCredentials();
        const parley = await Parley.open(url, { storage: "memory", webSocket: nodeWebSocket, credentials });
        await parley.signIn(username, password, "ParleyKit");
        const held = (await credentials.load())!;
        await parley.close();
        assert.equal(held.user, page.parley.user);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, "credentials.json"), JSON.stringify({
            user: held.user, device: held.device, accessToken: held.access_token, accessEndsUs: held.access_ends_us,
            refreshToken: held.refresh_token, refreshEndsUs: held.refresh_ends_us, knownDevice: held.known_device,
        }), { mode: 0o600 });
        return new Kit(url, folder, chat, first);
    }

    get isRunning(): boolean {
        return this.running !== undefined;
    }

    start(more: string[] = []): void {
        const number = this.first + this.round++ * 1000;
        const child = spawn(join(binaries, "kit-client"), [this.url, this.folder, this.chat, `${number}`, ...more], {
            stdio: ["ignore", "pipe", "inherit"],
        });
        const decoder = new TextDecoder();
        let rest = "";
        child.stdout.on("data", (chunk) => {
            const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
            rest = lines.pop()!;
            this.said.push(...lines);
        });
        const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
        this.running = { kill: () => void child.kill("SIGKILL"), ended };
    }

    async kill(): Promise<void> {
        this.running?.kill();
        await this.running?.ended;
        this.running = undefined;
    }

    /** Sends all that is unsent, then one file, and ends. */
    async finish(file: string): Promise<void> {
        const before = this.said.filter((it) => it === "done").length;
        this.start([file, "101"]);
        const isDone = () => this.said.filter((it) => it === "done").length > before;
        await until("ParleyKit has sent everything", isDone, 60).finally(() => {
            if (!isDone()) this.running?.kill();
        });
        await this.running!.ended;
        this.running = undefined;
    }

    /** What it keeps of the conversation. */
    stored(): { held: [number, number]; spans: [number, number][]; messages: [number, string][]; unsent: number } {
        const printed = execFileSync("python3", [`${root}/Tests/Web/support/kit_store.py`, this.folder, this.chat],
            { maxBuffer: 1 << 28 });
        return JSON.parse(new TextDecoder().decode(printed)) as ReturnType<Kit["stored"]>;
    }
}

/** Whether a line that kit-client printed is of an intent that returned. */
function isIntent(line: string): boolean {
    return /^(sent|edited|reacted) /.test(line);
}

/** Does something at random. */
async function act(number: number, page: Page, ids: readonly string[], random: Random): Promise<void> {
    const { parley } = page;
    const one = <T>(all: readonly T[]): T | undefined => all[random.below(all.length)];
    const chat: Conversation = parley.conversation(one(ids)!);
    // What ParleyKit's device writes it also edits: without the message that would be refused.
    const mine = chat.messages.filter((it) => it.sender === parley.user && !it.isDeleted && it.text.startsWith("page"));
    const message = one(mine);
    const any = one(chat.messages.filter((it) => !it.isDeleted));
    const event = one(parley.events);
    const member = one(chat.members);
    switch (random.below(22)) {
        case 0: return message && chat.edit(message, `page edit ${number}`);
        case 1: return message && chat.delete(message);
        case 2: return any && chat.react(any, one(["👍", "❤️"])!);
        case 3: return any?.seq === undefined ? undefined : chat.star(any, !any.isStarred);
        case 4: return chat.markRead();
        case 5: return chat.pin(!chat.isPinned);
        case 6: return chat.mutedUntil === undefined ? chat.mute() : chat.unmute();
        case 7: return chat.kind === "group" ? chat.rename(`Crew ${number}`) : undefined;
        case 8: return void await parley.addReminder(`${number}`, new Date(4e12));
        case 9: return chat.markUnread();
        case 10: return chat.archive(!chat.isArchived);
        case 11: return message?.seq === undefined ? undefined : chat.hide(message);
        case 12: return chat.setRetention(chat.retention === undefined ? 86_400 : 0);
        case 13: return chat.kind === "group" ? chat.setPhoto(`https://example.com/${number}.jpg`) : undefined;
        case 14: return chat.kind === "group" ? chat.setAdmin(member!.user.id, member!.role === "member") : undefined;
        case 15: return void await parley.addDecision(`${number}`, { conversation: chat.id });
        case 16:
            if (event === undefined) return void await parley.addEvent({ title: `${number}`, date: "2040-05-06", inviting: [chat.id] });
            return random.below(3) === 0 && event.creator === parley.user ? parley.cancelEvent(event.id)
                : parley.answerEvent(event.id, one(["accepted", "tentative", "declined"] as const)!);
        default: return void await chat.send(`page ${number}`, { replyingTo: random.below(3) === 0 ? message : undefined });
    }
}

/** What differs between the messages that ParleyKit keeps, which are the newest, and those of a new device; empty:
 * nothing. */
function difference(kit: Kit, fresh: ReadonlyMap<number, WireMessage>): string {
    const { held: [from, to], messages, unsent } = kit.stored();
    const own = messages.map(([seq]) => seq).filter((seq) => seq >= from && seq <= to);
    if (unsent > 0) return `${unsent} are unsent`;
    const isWhole = own.length === to - from + 1 && own.length >= 10 && to >= fresh.size - 3;
    if (!isWhole) return `it holds ${own.length} from ${from} to ${to} of ${fresh.size}`;
    for (const [seq, body] of messages) {
        const wanted = fresh.get(seq);
        const found = { ...decode("Message", unhex(body)!), conversation: wanted?.conversation ?? "" };
        if (wanted && text(found) !== text(wanted)) return `${text(found)} is not ${text(wanted)}`;
    }
    return "";
}

void test("devices of two SDKs that act at random end equal", { timeout: 1_200_000 }, async () => {
    const seed = Number(process.env["PARLEY_TEST_SEED"] ?? 46);
    const count = Number(process.env["PARLEY_TEST_ACTIONS"] ?? 60);
    const random = new Random(BigInt(seed));
    const folder = mkdtempSync(join(tmpdir(), "parley-mixed-"));
    const file = join(folder, "note.txt");
    writeFileSync(file, "a file");
    const cluster = await Cluster.start();
    const pages: Page[] = [];
    const kits: Kit[] = [];
    const fresh: Page[] = [];
    try {
        const names = ["ada", "bob", "eve"];
        for (const username of names) {
            pages.push(await Page.open(cluster.url));
            await pages[pages.length - 1]!.parley.register({ username, password, displayName: username });
        }
        const people = await Promise.all(names.map((name) => pages[0]!.parley.findUser(name)));
        // Those who know each other are members at once.
        const direct: string[] = [];
        for (const [one, other] of [[0, 1], [0, 2], [1, 2]] as const) {
            const chat = await pages[one]!.parley.startConversation(people[other]!);
            await chat.send("Hello");
            const { requests } = pages[other]!.parley;
            await until("the request arrives", () => requests.conversations.some(({ id }) => id === chat.id));
            await requests.conversations.find(({ id }) => id === chat.id)!.accept();
            direct.push(chat.id);
        }
        for (const page of pages) await until("nothing is unsent", () => page.parley.unsent.length === 0);
        const group = (await pages[0]!.parley.createGroup("Crew", people.slice(1))).id;
        const ids = [[group, direct[0]!, direct[1]!], [group, direct[0]!, direct[2]!], [group, direct[1]!, direct[2]!]];
        for (const [at, page] of pages.entries()) {
            await until("the group is there", () => page.parley.inbox.conversations.some(({ id }) => id === group));
            await page.look(ids[at]!);
            const place = join(folder, names[at]!);
            kits.push(await Kit.create(page, names[at]!, cluster.url, place, group, (at + 1) * 1_000_000));
        }

        for (let number = 0; number < count; number++) {
            const at = random.below(3);
            const [page, kit] = [pages[at]!, kits[at]!];
            const dice = random.below(20);
            // It writes hundreds of messages in a second.
            for (const it of kits) if (it.isRunning && random.below(2) === 0) await it.kill();
            if (dice < 3) await page.setAway(!page.isAway);
            else if (dice < 7 && !kit.isRunning) {
                const before = kit.said.length;
                kit.start();
                await until("ParleyKit writes", () => kit.said.length > before, 60);
            } else await act(number, page, ids[at]!, random);
            if (number === Math.floor(count / 2)) void cluster.kill("gateway");
        }

        // On a slow machine the kills leave ParleyKit little time: it goes on until it has done enough to compare.
        for (const kit of kits) {
            const enough = () => kit.said.filter(isIntent).length > 10;
            if (enough()) continue;
            if (!kit.isRunning) kit.start();
            await until("ParleyKit has done 10 things", enough, 60);
        }
        for (const kit of kits) await kit.kill();
        for (const page of pages) await page.setAway(false);
        for (const page of pages) await until("everything is sent", () => page.isQuiet(), 60);
        for (const kit of kits) await kit.finish(file);
        for (const [at, name] of names.entries()) {
            const device = await Page.open(cluster.url);
            fresh.push(device);
            await device.parley.signIn(name, password);
            await until("the new device is synced", () => !device.parley.isFromCache);
            await device.look(ids[at]!);
        }
        let written = 0;
        for (const [at, kit] of kits.entries()) {
            const device = fresh[at]!;
            const chat = device.parley.conversation(group);
            // What ParleyKit's intents returned for is there once, in order, with its edit and its reaction.
            const all = chat.messages.filter((it) => it.sender === device.parley.user && /^\d+( |$)/.test(it.text));
            const numbers = all.map((it) => parseInt(it.text));
            assert.deepEqual(numbers, [...new Set(numbers)].sort((one, other) => one - other), "once, and in order");
            const byNumber = new Map(all.map((it) => [parseInt(it.text), it]));
            for (const told of kit.said.filter(isIntent)) {
                const [what, number] = told.split(" ");
                const message = byNumber.get(Number(number));
                assert.ok(message, told);
                if (what === "edited") assert.ok(message.text.endsWith("edited"), told);
                if (what === "reacted") assert.ok(message.reactions.some((it) => it.emoji === "👍"), told);
                written += 1;
            }
            // Its store says what a new device of the person reads: it is opened, and sends a file, until it has caught
            // up and holds enough to compare.
            let problem = "";
            for (let attempt = 0; attempt < 15; attempt++) {
                await kit.finish(file);
                const newest = kit.stored().held[1];
                await until("the new device has as much", () => (chat.messages[chat.messages.length - 1]?.seq ?? 0) >= newest);
                const rows = await device.parley.read((it) => it.messages(group, [1, Number.MAX_SAFE_INTEGER], true, 1e6));
                problem = difference(kit, new Map(rows!.map((it) => [it.seq, it])));
                if (problem === "") break;
            }
            assert.equal(problem, "", `seed ${seed}, ${count} actions: ParleyKit's device of ${names[at]}`);
        }
        for (const [at, page] of pages.entries()) {
            await page.look(ids[at]!);
            const equal = () => text(page.screen(ids[at]!)) === text(fresh[at]!.screen(ids[at]!));
            await until("the devices are equal", equal, 30).catch(() => assert.deepEqual(
                page.screen(ids[at]!), fresh[at]!.screen(ids[at]!), `seed ${seed}, ${count} actions: ${names[at]}`));
            assert.ok(page.screen(ids[at]!).length > 10);
        }
        const shown = fresh[0]!.parley.conversation(group).messages.length;
        console.log(`# seed ${seed}, ${count} actions: ${shown} messages in the group, ${written} of ParleyKit's intents`);
        assert.ok(written > 20, `ParleyKit did ${written} things`);
    } finally {
        for (const kit of kits) await kit.kill();
        for (const { parley } of [...pages, ...fresh]) await parley.close();
        await cluster.stop();
        rmSync(folder, { recursive: true, force: true });
    }
});
