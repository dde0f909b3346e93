// What a page does without a server: what is shown, what is kept, what is refused.
import assert from "node:assert/strict";
import test from "node:test";
import { MemoryCredentials } from "../../Sources/Clients/Web/api/credentials";
import { Parley, ParleyOptions, Refusal, User } from "../../Sources/Clients/Web/api/index";
import { problemOf, sentType } from "../../Sources/Clients/Web/api/files";
import { findProof, sha256 } from "../../Sources/Clients/Web/api/proof";
import { actions } from "../../Sources/Clients/Web/outbox/actions";
import { isKnown, newItem, patched, request, resolved, sending, withoutReply } from "../../Sources/Clients/Web/outbox/item";
import { IDs, millisecondsOf } from "../../Sources/Clients/Web/outbox/uuid";
import { create, decode, encode } from "../../Sources/Clients/Web/protocol/codec";
import { methods } from "../../Sources/Clients/Web/protocol/methods";
import { newRecord } from "../../Sources/Clients/Web/sync/types";
import { hold } from "../../Sources/Clients/Web/sync/unread";
import { until } from "./support/check";
import { applyChanges } from "./support/store-cases";
import { nodeWebSocket } from "./support/websocket";

const bob: User = { id: "bob", username: "bob", displayName: "Bob", isDeleted: false };

/** A page of somebody who signed in before, at a server that does not answer. */
async function offlinePage(options: Partial<ParleyOptions> = {}): Promise<Parley> {
    const credentials = new MemoryCredentials();
    await credentials.save({
        user: "ada", device: "d", username: "ada", access_token: "a", access_ends_us: 0, refresh_token: "r", refresh_ends_us: 0,
        known_device: "",
    });
    const all = { storage: "memory", webSocket: nodeWebSocket, credentials, ...options } as const;
    const parley = await Parley.open("ws://127.0.0.1:9", all);
    opened.push(parley);
    return parley;
}

const opened: Parley[] = [];

/** A test whose pages are closed in any case. */
function check(name: string, body: () => void | Promise<void>): void {
    void test(name, { timeout: 60_000 }, async () => {
        try {
            await body();
        } finally {
            for (const parley of opened.splice(0)) await parley.close();
        }
    });
}

async function refused(promise: Promise<unknown>): Promise<string> {
    try {
        await promise;
    } catch (error) {
        assert.ok(error instanceof Refusal, String(error));
        assert.ok(error.message.length > 10, "it says what to do");
        return error.code;
    }
    return assert.fail("it was not refused");
}

check("a URL that cannot be used is said, and nothing crashes", async () => {
    for (const url of ["http://example.com", "wss://", "nonsense", "wss://a@b.example"]) {
        const parley = await Parley.open(url, { storage: "memory", webSocket: nodeWebSocket });
        assert.equal(parley.problem?.code, "unsupported_url", url);
        assert.equal(await refused(parley.signIn("a", "b")), "unsupported_url");
        await parley.close();
    }
});

check("before sign-in and after close everything is refused with a code", async () => {
    const parley = await Parley.open("ws://127.0.0.1:9", { storage: "memory", webSocket: nodeWebSocket });
    assert.equal(await refused(parley.conversation("a_b").send("Hi")), "unauthenticated");
    assert.equal(await refused(parley.addReminder("x", new Date())), "unauthenticated");
    assert.equal(await refused(parley.signOut()), "unauthenticated");
    await parley.close();
    assert.equal(await refused(parley.conversation("a_b").send("Hi")), "closed");
    assert.equal(await refused(parley.signIn("a", "b")), "closed");
    await parley.close();
});

check("what is done without a connection shows in the same turn, in order, and is kept", async () => {
    const parley = await offlinePage();
    const starting = parley.startConversation(bob);
    assert.deepEqual(parley.inbox.conversations.map((it) => it.title), ["Bob"]);
    const chat = await starting;
    let told = 0;
    const stop = chat.subscribe(() => (told += 1));
    const sending = chat.send("One");
    assert.deepEqual(chat.messages.map((it) => [it.text, it.syncStatus]), [["One", "pending"]]);
    assert.equal(told, 1);
    const one = await sending;
    const two = await chat.send("Two", { replyingTo: one });
    await chat.edit(one, "One, edited");
    await chat.react(one, "👍");
    assert.equal(chat.message(one.id)?.text, "One, edited");
    assert.deepEqual(chat.message(one.id)?.reactions, [{ emoji: "👍", count: 1, isMine: true }]);
    assert.deepEqual(parley.unsent.map((it) => it.kind.type), ["conversation", "message", "message", "edit", "reaction"]);
    // Deleting it drops what was done to it; the answer is sent all the same.
    await chat.delete(chat.message(one.id)!);
    assert.deepEqual(chat.messages.map((it) => it.text), ["Two"]);
    assert.deepEqual(parley.unsent.map((it) => it.kind.type), ["conversation", "message"]);
    await chat.pin();
    await chat.mute();
    assert.equal(chat.isPinned && chat.mutedUntil === "always", true);
    // Without the conversation nothing of it makes sense.
    await parley.drop(parley.unsent[0]!.id);
    assert.deepEqual([parley.unsent.length, parley.inbox.conversations.length, chat.messages.length], [0, 0, 0]);
    assert.ok(two.id > one.id);
    stop();
    await parley.close();
});

check("groups, profiles, entities and blocks are shown as they will be", async () => {
    const parley = await offlinePage();
    const group = await parley.createGroup("Trip", [bob]);
    await group.rename("Long trip");
    assert.deepEqual([group.title, group.kind, group.memberCount, group.syncStatus], ["Long trip", "group", 2, "pending"]);
    await group.remove("bob");
    assert.equal(group.memberCount, 1);
    await parley.block(bob);
    assert.deepEqual(parley.blocked.map((it) => it.username), ["bob"]);
    await parley.unblock(bob);
    assert.deepEqual(parley.blocked, []);
    const reminder = await parley.addReminder("Buy tickets", new Date(5000), { timeZone: "Europe/Zurich" });
    await parley.updateReminder(reminder, { title: "Buy two tickets" });
    await parley.completeReminder(reminder);
    assert.deepEqual(parley.reminders.map((it) => [it.title, it.isCompleted]), [["Buy two tickets", true]]);
    await parley.deleteReminder(reminder);
    assert.deepEqual(parley.reminders, []);
    const event = await parley.addEvent({ title: "Dinner", date: "2027-01-02", inviting: [group.id] });
    await parley.updateEvent(event, { title: "Late dinner", time: "21:30", timeZone: "Europe/Zurich", minutes: 90 });
    const shown = () => parley.events.map((it) => [it.title, it.date, it.time, it.timeZone, it.minutes, it.location]);
    assert.deepEqual(shown(), [["Late dinner", "2027-01-02", "21:30", "Europe/Zurich", 90, ""]]);
    await parley.updateEvent(event, { location: "At home", recurrence: "FREQ=WEEKLY" });
    await parley.updateEvent(event, { date: "2027-01-03", time: "", minutes: 0 });
    assert.deepEqual(shown(), [["Late dinner", "2027-01-03", undefined, "", 0, "At home"]]);
    assert.equal(parley.events[0]?.recurrence, "FREQ=WEEKLY");
    assert.equal(await refused(parley.updateEvent("00".repeat(16), { title: "Mine" })), "not_found");
    const moved = parley.outbox.entries.filter(({ item }) => item.method === "entities.UpdateEvent");
    assert.deepEqual(moved.map(({ item }) => (request(item) as { when?: object }).when !== undefined), [true, false, true]);
    await parley.drop(moved[2]!.item.id);
    assert.deepEqual(shown(), [["Late dinner", "2027-01-02", "21:30", "Europe/Zurich", 90, "At home"]]);
    await parley.cancelEvent(event);
    assert.equal(parley.events[0]?.isCancelled, true);
    const train = await parley.addDecision("By train", { conversation: group.id, isShared: true });
    assert.equal(parley.decisions[0]?.text, "By train");
    const bus = await parley.addDecision("By bus", { conversation: group.id, isShared: true, replacing: train });
    assert.deepEqual(parley.decisions.map((it) => [it.id, it.supersedes, it.supersededBy]),
        [[bus, train, undefined], [train, undefined, bus]]);
    await parley.drop(parley.unsent.find((it) => it.kind.type === "decision" && it.id === bus)!.id);
    assert.deepEqual(parley.decisions.map((it) => [it.id, it.supersededBy]), [[train, undefined]]);
    await parley.close();
});

check("a mark that waits is moved on, unless its conversation was marked as unread after it", async () => {
    const parley = await offlinePage();
    const { outbox } = parley;
    const chat = await parley.startConversation(bob);
    const marks = [{ conversation: chat.id, read_seq: 1 }];
    await outbox.add(outbox.item("messaging.UpdateMarks", { marks }));
    assert.notEqual(outbox.waitingMarks(chat.id), undefined);
    await chat.markUnread();
    assert.equal(outbox.waitingMarks(chat.id), undefined);
    await outbox.add(outbox.item("messaging.UpdateMarks", { marks }));
    assert.notEqual(outbox.waitingMarks(chat.id), undefined);
    await parley.close();
});

check("a clock that is ahead removes nothing, and what it hid is shown once the server tells the time", async () => {
    const parley = await offlinePage();
    const store = parley.account!.store;
    const day = 86_400_000_000;
    const serverUs = Date.now() * 1000 - 3 * day;
    const gone = create("Message", {
        conversation: "ada_bob", seq: 1, position: 1, id: "1".padStart(32, "0"), sender: "bob", kind: "TEXT", text: "For a day",
        sent_at_us: serverUs, expires_at_us: serverUs + day,
    });
    const facts = create("Conversation", { id: "ada_bob", section: "INBOX" });
    const record = newRecord("ada_bob");
    hold(record.unread, 1, 1);
    record.newest = { seq: 1, sentAtUs: serverUs };
    await applyChanges(store, [
        { type: "put", content: { kind: "Conversation", state: facts } }, { type: "message", message: gone, from: "reply" },
        { type: "record", record },
    ]);
    const chat = parley.conversation("ada_bob");
    await chat.load();
    assert.deepEqual(chat.messages, []);
    const inside = parley as unknown as { ticks: number; tick(): void; noteClock(client: object): void };
    inside.ticks = 59;
    inside.tick();
    const kept = async () => (await store.read((rows) => rows.messages("ada_bob", [1, 1], true, 9))).length;
    assert.equal(await kept(), 1);
    const client = { serverNowUs: () => serverUs, knowsTime: true };
    Object.assign(parley.account!, { client });
    inside.noteClock(client);
    await until("it is shown", () => chat.messages[0]?.text === "For a day");
    inside.ticks = 59;
    inside.tick();
    assert.equal(await kept(), 1);
});

check("no more is kept than there is room for, and 300 KB are", async () => {
    const parley = await offlinePage({ unsentMax: 30, unsentFileBytesMax: 1000 });
    const chat = await parley.startConversation(bob);
    for (let number = 0; number < 29; number++) await chat.send(`${number} ${"x".repeat(10_500)}`);
    assert.equal(parley.isOutboxNearlyFull, true);
    assert.equal(await refused(chat.send("one more")), "outbox_full");
    assert.equal(chat.messages.length, 29);
    assert.equal(await refused(chat.send("", { file: new Blob([new Uint8Array(1001)]) })), "outbox_full");
    await chat.markRead();
    assert.equal(await refused(parley.signOut()), "unsent_work");
    assert.equal(await refused(parley.findUser("bob")), "offline");
    await parley.close();
});

check("what a newer version of the page left unsent stays as it is", () => {
    const body = Uint8Array.of(8, 1);
    const row = {
        id: "01", lane: "x", method: "future.Do", body, target: "", targetSeq: 0, doneAtUs: 1, wasTried: false,
    };
    assert.equal(isKnown(row), false);
    assert.deepEqual(resolved(row, 7).body, body);
    // Of a request that is known, fields that are not known are still sent, also once the number of a message is put in.
    const item = newItem("02", "messaging.EditMessage", { conversation: "one", text: "Hi" }, "ada", 1, { target: "ab" });
    const newer = { ...item, body: Uint8Array.of(...item.body, 0xfa, 0x07, 1, 65) };
    const known = resolved(newer, 9);
    assert.equal((request(known) as { seq: number }).seq, 9);
    assert.ok([...known.body].join(" ").includes("250 7 1 65"), "the field of a newer version is there");
});

check("a number or an id that is put in later takes the place of the first one", () => {
    const id = "ab".repeat(16);
    const media = { attachment: "cd".repeat(16), name: "a.txt", size_bytes: 3 };
    const item = newItem("01", "messaging.SendMessage", { id, conversation: "one", text: "Hi", media, reply_to_seq: 4 }, "ada", 1);
    const renewed = patched(item, { id: "ef".repeat(16), media: { attachment: "12".repeat(16) } });
    const sent = sending(renewed)!;
    assert.deepEqual([sent.id, sent.text, sent.media?.attachment, sent.media?.name, sent.media?.size_bytes, sent.reply_to_seq],
        ["ef".repeat(16), "Hi", "12".repeat(16), "a.txt", 3, 4]);
    assert.equal(sending(withoutReply(renewed))?.reply_to_seq, 0);
    assert.equal(sending(withoutReply(renewed))?.text, "Hi");
});

check("a subscriber that throws breaks nothing", async () => {
    const parley = await offlinePage();
    const chat = await parley.startConversation(bob);
    const real = console.error;
    const told: unknown[] = [];
    console.error = (error: unknown) => told.push(error);
    const stops = [parley.onChange, parley.subscribe, chat.subscribe].map((hear) => hear.call(parley, () => {
        throw new Error("a bug of the app");
    }));
    try {
        await chat.send("One");
        await chat.send("Two");
    } finally {
        for (const stop of stops) stop();
        console.error = real;
    }
    assert.ok(told.length >= 3, "the page hears of it");
    assert.deepEqual(parley.unsent.map((it) => it.syncStatus), ["pending", "pending", "pending"]);
    assert.deepEqual(parley.outbox.entries.map((it) => it.state), ["waiting", "waiting", "waiting"]);
});

check("what another tab stored is shown although this one does something meanwhile", async () => {
    const parley = await offlinePage();
    const chat = await parley.startConversation(bob);
    const id = parley.outbox.nextID();
    const other = newItem(id, "messaging.SendMessage", { id, conversation: chat.id, kind: "TEXT", text: "Theirs" }, "ada", 1);
    await parley.account!.store.write((rows) => rows.putUnsent(other));
    const reloading = parley.outbox.reload();
    await chat.send("Mine");
    await reloading;
    assert.deepEqual(chat.messages.map((it) => it.text).sort(), ["Mine", "Theirs"]);
});

check("a message that send returned can be edited, answered and deleted once it has its number", async () => {
    const parley = await offlinePage();
    const chat = await parley.startConversation(bob);
    const sent = await chat.send("One");
    parley.outbox.sent(parley.outbox.unsentOf(sent.id)!.item.id, sent.id, 5);
    await chat.edit(sent, "Two");
    await chat.delete(sent);
    await chat.star(sent);
    const answer = await chat.send("Yes", { replyingTo: sent });
    const requests = parley.outbox.entries.slice(1).map(({ item }) => request(item) as unknown as Record<string, unknown>);
    assert.deepEqual(requests.map((it) => it["seq"] ?? it["seqs"] ?? it["reply_to_seq"]), [5, 5, [5], 5]);
    assert.equal(answer.replyTo, 5);
});

check("what is stored of an edit has the number that its message got while it was written", async () => {
    const parley = await offlinePage();
    const chat = await parley.startConversation(bob);
    const sent = await chat.send("One");
    const editing = chat.edit(sent, "Two");
    parley.outbox.sent(parley.outbox.unsentOf(sent.id)!.item.id, sent.id, 5);
    await editing;
    const stored = await parley.account!.store.read((rows) => rows.unsent());
    const edit = stored.find((row) => row.method === "messaging.EditMessage")!;
    assert.deepEqual([edit.targetSeq, (request(edit) as { seq: number }).seq], [5, 5]);
});

check("nobody signs in where somebody is signed in, and drafts stay with who wrote them", async () => {
    const parley = await offlinePage();
    assert.equal(await refused(parley.signIn("bob", "password")), "already_signed_in");
    assert.equal(await refused(parley.register({ username: "bob", password: "password" })), "already_signed_in");
    const chat = await parley.startConversation(bob);
    chat.setDraft("Dear Bob");
    const { store } = parley.account!;
    await parley.close();
    assert.equal(await store.read((rows) => rows.draft(chat.id)), "Dear Bob");
});

check("a draft that was sent does not come back with what the store still has", async () => {
    const parley = await offlinePage();
    const chat = await parley.startConversation(bob);
    chat.setDraft("Hello!");
    const { store } = parley.account!;
    await store.write((rows) => rows.putDraft("Hello!", chat.id));
    chat.setDraft("");
    const draft = await store.read((rows) => rows.draft(chat.id));
    assert.equal(draft, "Hello!");
    parley.view.take({ ...parley.outbox.overlaidSummaries.find(({ id }) => id === chat.id)!, draft });
    assert.equal(chat.draft, "");
    await parley.close();
});

check("what a browser would run as itself is sent as octets", () => {
    for (const type of ["text/html", "image/svg+xml", "text/xml; charset=utf-8", "text/javascript", "text/css", ""]) {
        assert.equal(sentType(type), "application/octet-stream", type);
    }
    for (const type of ["image/png", "text/plain", "application/pdf"]) assert.equal(sentType(type), type);
});

check("each action is registered by the method that it is", () => {
    for (const [method, action] of Object.entries(actions)) {
        const [name] = methods[method as keyof typeof actions];
        const empty = decode(name, encode(name, {} as never));
        assert.equal(typeof action.lane(empty as never, "ada"), "string", method);
        assert.equal(typeof action.unsent(empty as never).type, "string", method);
    }
    assert.equal(Object.keys(actions).length, 39);
});

check("ids ascend, also in one millisecond and when the clock goes back", () => {
    const ids = new IDs();
    let last = "";
    for (let at = 0; at < 20_000; at++) {
        const id = ids.next(1_700_000_000_000_000 + (at % 7) * 1000 - (at > 10_000 ? 9_000_000_000 : 0));
        assert.match(id, /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
        assert.ok(id > last, `${id} after ${last}`);
        last = id;
    }
    assert.ok(Math.abs(millisecondsOf(last) - 1_700_000_000_000) < 100);
});

check("the status of an answer without a body, as one to HEAD is, says what to do", async () => {
    for (const [status, code, isRetriable] of [
        [403, "link_expired", false], [404, "not_found", false], [408, "unavailable", true], [429, "unavailable", true],
        [503, "unavailable", true], [507, "no_room", false],
    ] as const) {
        const problem = await problemOf(new Response(null, { status }));
        assert.deepEqual([problem.code, problem.isRetriable], [code, isRetriable], `${status}`);
    }
});

check("the work of registering is done by SHA-256", async () => {
    const hex = (text: string) => [...sha256(new TextEncoder().encode(text))].map((it) => it.toString(16).padStart(8, "0")).join("");
    assert.equal(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert.equal(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert.equal(hex("a".repeat(200)), "c2a908d98f5df987ade41b5fce213067efbcc21ef2240212a41e54b5e7c28ae5");
    const proof = await findProof("challenge", 10, "zoe");
    const number = proof.split(":")[1]!;
    assert.ok(parseInt(hex(`challenge:zoe:${number}`).slice(0, 3), 16) < 4);
});
