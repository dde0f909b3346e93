// What happens while something else is under way: dropping and sending, two tabs, signing out, a full disk.
import assert from "node:assert/strict";
import test from "node:test";
import { Committer } from "../../Sources/Clients/Web/api/committer";
import { MemoryCredentials } from "../../Sources/Clients/Web/api/credentials";
import { Conversation, Parley, Refusal } from "../../Sources/Clients/Web/api/index";
import { Screen } from "../../Sources/Clients/Web/api/screen";
import { create, decode, encode } from "../../Sources/Clients/Web/protocol/codec";
import { newItem } from "../../Sources/Clients/Web/outbox/item";
import { MemoryDatabase } from "../../Sources/Clients/Web/store/memory";
import { StoreProblem } from "../../Sources/Clients/Web/store/problem";
import { Rows } from "../../Sources/Clients/Web/store/rows";
import { SearchQuery } from "../../Sources/Clients/Web/store/search";
import { Store } from "../../Sources/Clients/Web/store/store";
import type { Database, Query, TableName, Tables } from "../../Sources/Clients/Web/store/tables";
import { message } from "./support/figures";
import { until } from "./support/check";
import { Server, tokens } from "./support/server";
import { nodeWebSocket } from "./support/websocket";

const opened: Parley[] = [];

async function page(server: Server): Promise<Parley> {
    const credentials = new MemoryCredentials();
    await credentials.save(tokens("ada"));
    const parley = await Parley.open(server.url, { storage: "memory", webSocket: nodeWebSocket, credentials });
    opened.push(parley);
    await until("it is online", () => parley.connection === "online");
    return parley;
}

function check(name: string, body: (server: Server) => Promise<void>): void {
    void test(name, { timeout: 60_000 }, async () => {
        const server = await Server.start();
        try {
            await body(server);
        } finally {
            for (const parley of opened.splice(0)) await parley.close();
            for (const socket of server.sockets) socket.terminate();
            server.close();
        }
    });
}

async function refused(promise: Promise<unknown>): Promise<string> {
    return promise.then(() => assert.fail("it was not refused"), (error: unknown) => {
        assert.ok(error instanceof Refusal, String(error));
        return error.code;
    });
}

const stored = (parley: Parley) => parley.account!.store.read((rows) => rows.unsent());

/** A conversation with a message that the server has taken and not answered, and one that waits for it. */
async function busy(server: Server): Promise<{ parley: Parley; chat: Conversation; waiting: string }> {
    const parley = await page(server);
    const chat = parley.conversationWith("bob");
    server.holds = "messaging.SendMessage";
    await chat.send("first");
    await until("the server has the first one", () => server.heldCount === 1);
    const { id } = await chat.send("second");
    return { parley, chat, waiting: parley.outbox.unsentOf(id)!.item.id };
}

/** Lets the next write of a store end only after something else, or fail. */
function delayWrite(store: Store, before: () => Promise<void>): void {
    const real = store.write.bind(store);
    store.write = async (body) => {
        store.write = real;
        await before();
        return real(body);
    };
}

check("what is dropped while the message before it is answered is not sent, and does not come back", async (server) => {
    const { parley, chat, waiting } = await busy(server);
    delayWrite(parley.account!.store, async () => {
        server.release();
        await until("the first one is sent", () => parley.unsent.length === 1);
    });
    await parley.drop(waiting);
    assert.ok(!chat.messages.some((it) => it.text === "second"), "it is not shown any more");
    await chat.send("third");
    await until("all is sent", () => parley.unsent.length === 0);
    assert.deepEqual([server.taken, await stored(parley)], [["first", "third"], []]);
});

check("what cannot be dropped is sent all the same", async (server) => {
    const { parley, chat, waiting } = await busy(server);
    delayWrite(parley.account!.store, async () => {
        throw new StoreProblem("full");
    });
    await parley.drop(waiting).then(() => assert.fail("it was dropped"), () => undefined);
    assert.deepEqual(chat.messages.map((it) => it.text), ["first", "second"]);
    server.release();
    await until("all is sent", () => parley.unsent.length === 0);
    assert.deepEqual([server.taken, await stored(parley)], [["first", "second"], []]);
});

check("what names something new of another lane is sent after it, and everything else before", async (server) => {
    const parley = await page(server);
    const made = (): string[] => server.asked.filter((method) => /^entities[.](Create|Invite)/.test(method));
    const { id: known } = parley.conversationWith("bob");
    const walk = await parley.addEvent({ title: "Walk", date: "2027-01-02", inviting: [known] });
    await until("the event is sent", () => parley.unsent.length === 0);

    server.holds = "conversations.CreateGroup";
    const group = await parley.createGroup("Trip", []);
    await parley.addEvent({ title: "Dinner", date: "2027-01-02", inviting: [known, group.id] });
    await parley.addDecision("By train", { conversation: group.id, isShared: true });
    await parley.inviteToEvent(walk, group.id);
    await parley.conversation(known).send("See you");
    await until("the message is sent", () => server.taken.length === 1);
    assert.deepEqual(made(), ["entities.CreateEvent"]);
    server.release();
    await until("all is sent", () => parley.unsent.length === 0);
    assert.deepEqual(made().slice(1).sort(),
        ["entities.CreateDecision", "entities.CreateEvent", "entities.InviteConversation"]);

    server.holds = "entities.CreateDecision";
    const first = await parley.addDecision("By bus");
    await parley.addDecision("By train, after all", { replacing: first });
    await parley.conversation(known).send("Bye");
    await until("the second message is sent", () => server.taken.length === 2);
    assert.equal(server.heldCount, 1);
    server.release();
    await until("both decisions are sent", () => parley.unsent.length === 0);
});

check("what names something that the server refused rests, and is dropped with it", async (server) => {
    const parley = await page(server);
    server.refuse = (method) => (method === "conversations.CreateGroup" ? "limit_reached" : undefined);
    const group = await parley.createGroup("Trip", []);
    await until("the group is refused", () => parley.unsent[0]?.syncStatus === "failed");
    await parley.addDecision("By train", { conversation: group.id, isShared: true });
    await parley.addDecision("By bus");
    await until("the other decision is sent", () => parley.unsent.length === 2);
    server.refuse = () => undefined;
    await parley.retry(parley.unsent[0]!.id);
    await until("both are sent", () => parley.unsent.length === 0);

    server.refuse = (method) => (method === "conversations.CreateGroup" ? "limit_reached" : undefined);
    const other = await parley.createGroup("Other trip", []);
    await until("the other group is refused", () => parley.unsent[0]?.syncStatus === "failed");
    await parley.addDecision("By ship", { conversation: other.id, isShared: true });
    await parley.drop(parley.unsent[0]!.id);
    assert.deepEqual([parley.unsent, await stored(parley)], [[], []]);
    assert.equal(server.asked.filter((method) => method === "entities.CreateDecision").length, 2);
});

check("what was refused of a reminder holds up nothing that is done to it later", async (server) => {
    const parley = await page(server);
    const reminder = await parley.addReminder("Buy tickets", new Date(5000));
    await until("it is sent", () => parley.unsent.length === 0);
    server.refuse = (method) => (method === "entities.UpdateReminder" ? "invalid" : undefined);
    await parley.updateReminder(reminder, { title: "Buy two tickets" });
    await until("the change is refused", () => parley.unsent[0]?.syncStatus === "failed");
    await parley.completeReminder(reminder);
    await until("the other is sent", () => server.asked.includes("entities.CompleteReminder"));
    assert.deepEqual((await stored(parley)).map((row) => row.target), [""]);
});

check("a change of an event is one of the version that mine before it made, and of no other", async (server) => {
    const parley = await page(server);
    const versions = (): number[] => server.asked.flatMap((method, index) =>
        (method === "entities.UpdateEvent" ? [decode("UpdateEventRequest", server.bodies[index]!).version] : []));
    let version = 1;
    const answers = (method: string) => (method === "entities.UpdateEvent"
        ? encode("EventReply", { event: { version: (version += 1) } }) : undefined);
    server.answers = answers;
    server.holds = "entities.CreateEvent";
    const dinner = await parley.addEvent({ title: "Dinner", date: "2027-01-02" });
    for (const title of ["Supper", "Late supper", "Breakfast"]) await parley.updateEvent(dinner, { title });
    assert.equal(parley.events[0]?.title, "Breakfast");
    const kept = await stored(parley);
    assert.deepEqual(kept.map(({ method }) => method.split(".")[1]), ["CreateEvent", ...Array<string>(3).fill("UpdateEvent")]);
    server.release();
    await until("all is sent", () => parley.unsent.length === 0);
    assert.deepEqual(versions(), [1, 2, 3]);

    // Another host changed it after the first change of mine.
    server.answers = (method) => {
        version += 1;
        return answers(method);
    };
    version = 1;
    server.refuse = (method) => (method === "entities.UpdateEvent" && versions().length > 4 ? "event_changed" : undefined);
    server.holds = "entities.CreateEvent";
    const walk = await parley.addEvent({ title: "Walk", date: "2027-01-02" });
    await parley.updateEvent(walk, { title: "Long walk" });
    await parley.updateEvent(walk, { title: "Longer walk" });
    server.release();
    await until("the second is refused", () => parley.unsent[0]?.syncStatus === "failed");
    assert.deepEqual([versions().slice(3), parley.unsent[0]?.refusal?.code], [[1, 1], "event_changed"]);
});

/** A second tab over the same store, which the first one leads. */
async function follower(server: Server, lead: Parley): Promise<Parley> {
    const follow = await page(server);
    interface Tab { account: { tabs: object; store: Store }; hear(news: unknown): void; disconnect(): void; set(state: object): void }
    const [leading, following] = [lead, follow] as unknown as [Tab, Tab];
    const tells = (other: Tab, isLeading: boolean): object => ({
        isLeading, close: () => {}, leave: () => {},
        tell: (news: unknown) => void setTimeout(() => void other.hear(structuredClone(news))),
    });
    following.account.store = leading.account.store;
    leading.account.tabs = tells(following, true);
    following.account.tabs = tells(leading, false);
    following.disconnect();
    following.set({ connection: "elsewhere" });
    return follow;
}

check("a tab that is led does not drop what the other one is sending, and loses no mark", async (server) => {
    const lead = await page(server);
    const follow = await follower(server, lead);
    const own = follow.conversationWith("bob");
    server.holds = "messaging.SendMessage";
    const sent = await own.send("oops");
    await until("the tab that leads sends it", () => server.heldCount === 1);
    assert.equal(await refused(follow.drop(follow.outbox.unsentOf(sent.id)!.item.id)), "invalid");
    assert.deepEqual(own.messages.map((it) => it.text), ["oops"]);
    server.release();
    await until("both know that it is sent", () => lead.unsent.length + follow.unsent.length === 0);

    server.holds = "messaging.UpdateMarks";
    await follow.outbox.add(follow.outbox.item("messaging.UpdateMarks", { marks: [{ conversation: own.id, read_seq: 5 }] }));
    await until("the first mark is under way", () => server.heldCount === 1);
    assert.equal(follow.outbox.waitingMarks(own.id), undefined, "no row of a follower is written over");
    await follow.outbox.add(follow.outbox.item("messaging.UpdateMarks", { marks: [{ conversation: own.id, read_seq: 9 }] }));
    server.release();
    await until("both are sent", () => lead.unsent.length + follow.unsent.length === 0);
    assert.deepEqual([server.taken, await stored(lead)], [["oops", "read 5", "read 9"], []]);
});

check("nothing that is done while signing out is promised and lost", async (server) => {
    const parley = await page(server);
    const chat = parley.conversationWith("bob");
    const leaving = parley.signOut();
    assert.equal(await refused(chat.send("too late")), "unauthenticated");
    await leaving;
    assert.equal(parley.user, undefined);
    assert.deepEqual(server.taken, []);
});

check("what is still being written keeps a person from signing out", async (server) => {
    const parley = await page(server);
    delayWrite(parley.account!.store, async () => {
        assert.equal(await refused(parley.signOut()), "unsent_work");
    });
    await parley.conversationWith("bob").send("first");
    await until("all is sent", () => parley.unsent.length === 0);
    assert.deepEqual(server.taken, ["first"]);
    await parley.signOut();
});

check("a tab that takes over while it opens has one session, and leaves none behind", async (server) => {
    const real = Screen.prototype.open;
    Screen.prototype.open = async function (this: Screen): Promise<void> {
        Screen.prototype.open = real;
        const { parley } = this as unknown as { parley: { lead(): Promise<void> } };
        await Promise.all([real.call(this), parley.lead()]);
    };
    const parley = await page(server);
    await parley.conversationWith("bob").send("once");
    await until("it is sent", () => parley.unsent.length === 0);
    assert.deepEqual([server.sockets.size, server.hellos, server.taken], [1, ["token of ada"], ["once"]]);
    await parley.close();
    await until("no session is left", () => server.sockets.size === 0);
});

check("an id that is too old is renewed also if the message was written with a connection", async (server) => {
    const { parley, waiting } = await busy(server);
    const row = (await stored(parley)).find(({ id }) => id === waiting)!;
    assert.equal(row.wasTried, false, "it was not tried");
    server.release();
    await until("all is sent", () => parley.unsent.length === 0);
});

/** A disk without room: it refuses what is put, and takes what is removed. */
class FullDisk implements Database {
    readonly disk = new MemoryDatabase();
    isFull = false;

    read<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
        return this.disk.read(body);
    }

    write<T>(body: (tables: Tables) => Promise<T>): Promise<T> {
        return this.disk.write((tables) => body(new Proxy(tables, {
            get: (target, name: keyof Tables) => {
                if (name === "put" && this.isFull) throw new StoreProblem("full");
                return target[name].bind(target);
            },
        })));
    }

    async close(): Promise<void> {}
}

void test("what is sent, dropped or cleared without room does not come back when the page is opened again", async () => {
    const disk = new FullDisk();
    const store = new (Store as unknown as new (database: Database) => Store)(disk);
    const item = (text: string, id: string) =>
        newItem(id, "messaging.SendMessage", { id: "ab".repeat(16), conversation: "one", text }, "ada", 1, { file: `file of ${id}` });
    await store.write((rows) => {
        for (const id of ["01", "02"]) rows.putUnsent(item("I quit!", id));
        for (const id of ["01", "02"]) rows.putFile(`file of ${id}`, new Blob([id]));
        rows.putDraft("Dear Bob", "one");
        rows.putDraft("Dear Eve", "two");
    });
    disk.isFull = true;
    await store.write((rows) => rows.putUnsent(item("more", "03")));
    assert.ok(store.isInMemory && store.problem?.kind === "full");
    await store.write((rows) => {
        rows.removeUnsent("01");
        rows.removeFile("file of 01");
        rows.putDraft("", "one");
    });
    assert.deepEqual((await store.read((rows) => rows.unsent())).map(({ id }) => id), ["02", "03"]);
    await store.close();
    const again = new (Store as unknown as new (database: Database) => Store)(disk);
    await again.read(async (rows) => {
        assert.deepEqual((await rows.unsent()).map(({ id }) => id), ["02"]);
        assert.deepEqual([...(await rows.drafts())], [["two", "Dear Eve"]]);
        assert.deepEqual([await rows.file("file of 01"), (await rows.file("file of 02"))?.size], [undefined, 2]);
    });
});

void test("while nothing can be stored, whoever waits is told so, and closing comes to an end", async () => {
    const store = Store.inMemory();
    const write = store.write.bind(store);
    let isBroken = true;
    store.write = (body) => (isBroken ? Promise.reject(new StoreProblem("full")) : write(body));
    const committer = new Committer(store, "ada", 100, () => 0, () => {}, () => {});
    for (const seq of [1, 2]) {
        const problem = await committer.flush([
            { type: "change", change: { type: "message", message: message("one", seq), from: "update" } },
        ]);
        assert.equal(problem?.kind, "full");
    }
    isBroken = false;
    await committer.close();
    const found = await store.read((rows) => rows.messages("one", [1, 9], false, 9));
    assert.deepEqual(found.map(({ seq }) => seq), [1, 2]);
});

void test("a defect of what shows a commit is reported, and holds up nothing", async () => {
    const reported: unknown[] = [];
    const { error } = console;
    console.error = (defect: unknown) => void reported.push(defect);
    const shown: number[] = [];
    const committer = new Committer(Store.inMemory(), "ada", 100, () => 0, ({ effects }) => {
        shown.push(effects.length);
        if (shown.length === 1) throw new Error("a defect");
    }, () => {});
    for (const seq of [1, 2]) {
        assert.equal(await committer.flush([
            { type: "change", change: { type: "message", message: message("one", seq), from: "update" } },
        ]), undefined);
    }
    console.error = error;
    assert.equal(shown.length, 2);
    assert.deepEqual(reported.map(String), ["Error: a defect"]);
});

void test("a page of a search reads what it shows, and all pages read each message once", async () => {
    const store = Store.inMemory();
    const count = 6000;
    await store.write((rows) => {
        for (let seq = 1; seq <= count; seq++) {
            const text = seq % 100 === 0 ? "a rare word" : "nothing of it";
            rows.putMessage({ ...message(`c${seq % 7}`, seq), text }, "ada");
        }
    });
    let read = 0;
    const find = (words: string, after: Parameters<Rows["search"]>[2]) => store.read((rows) => {
        const tables = Object.create(rows.tables) as Tables;
        tables.all = async (table: TableName, group: string, query?: Query) => {
            const found = await rows.tables.all(table, group, query);
            read += found.length;
            return found;
        };
        return new Rows(tables).search(SearchQuery.of(words)!, undefined, after, 10, 1);
    });
    const first = await find("rare", undefined);
    assert.equal(first.found.length, 10);
    assert.ok(read <= 1200, `the first page read ${read} messages`);
    const seqs = first.found.map(({ seq }) => seq);
    for (let { next } = first; next !== undefined;) {
        const page = await find("rare", next);
        seqs.push(...page.found.map(({ seq }) => seq));
        next = page.next;
    }
    assert.deepEqual(seqs, Array.from({ length: 60 }, (_, at) => count - 100 * at));
    assert.ok(read <= count + 7 * 200, `all pages read ${read} messages of ${count}`);
    read = 0;
    const none = await find("absent", undefined);
    assert.deepEqual([none.found, read], [[], 5000]);
    assert.ok(none.next !== undefined, "one call reads no more at once than is bounded");
});

check("a page that was read before the first Sync says where its conversation stands is read again", async (server) => {
    let hasReaction = false;
    const now = () => ({
        ...message("ada_bob", 1, hasReaction ? 2 : 1), sender: "bob", text: "Hi", own: create("OwnMessageState", {}),
        reactions: hasReaction ? [create("ReactionCount", { emoji: "👍", count: 1 })] : [],
    });
    server.answers = (method) => {
        switch (method) {
            case "conversations.Sync":
                return encode("ConversationsSyncReply", {
                    epoch: "e", position: 1,
                    conversations: [{
                        id: "ada_bob", kind: "DIRECT", position: 1, section: "INBOX", conversation_status: "ACCEPTED",
                    }],
                });
            case "messaging.Sync":
                return encode("MessagingSyncReply", {
                    epoch: "e", cursor: "c",
                    entries: [{ conversation: "ada_bob", section: "INBOX", last_seq: 1, position: now().position }],
                });
            case "messaging.GetHistory": return encode("GetHistoryReply", { messages: [now()], last_seq: 1 });
            default: return undefined;
        }
    };
    server.holds = "messaging.Sync";
    const parley = await page(server);
    const chat = parley.conversation("ada_bob");
    await until("the page is shown", () => chat.messages.map((it) => it.text).join() === "Hi");
    // The Update of this comes before the reply to Sync, which has its position.
    hasReaction = true;
    server.release();
    await until("the reaction is shown", () => chat.messages[0]?.reactions[0]?.emoji === "👍");
});
