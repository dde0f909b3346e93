import test from "node:test";
import assert from "node:assert/strict";
import { Conversation, Message, Parley, ParleyOptions } from "../../Sources/Clients/Web/api/index";
import { Cluster } from "./support/cluster";
import { until } from "./support/check";
import { nodeWebSocket } from "./support/websocket";

const options: Partial<ParleyOptions> = { storage: "memory", webSocket: nodeWebSocket };
const password = "correct horse battery";
let people = 0;

async function device(url: string): Promise<Parley> {
    return Parley.open(url, options);
}

/** A person with two devices. */
async function person(url: string, name: string): Promise<{ name: string; one: Parley; other: Parley }> {
    people += 1;
    const username = `${name}${people}`;
    const one = await device(url);
    await one.register({ username, password, displayName: name });
    const other = await device(url);
    await other.signIn(username, password);
    return { name: username, one, other };
}

/** Looks at each state that a subscriber sees: nothing may vanish, come twice, or go back. */
function watch(chat: Conversation): { stop(): string[] } {
    const problems: string[] = [];
    const seen = new Map<string, Message>();
    let states = 0;
    const unsubscribe = chat.subscribe(() => {
        states += 1;
        const ids = new Set<string>();
        let last = 0;
        for (const message of chat.messages) {
            if (ids.has(message.id)) problems.push(`${message.text} is shown twice`);
            ids.add(message.id);
            const before = seen.get(message.id);
            if (before?.syncStatus === "synced" && message.syncStatus !== "synced") problems.push(`${message.text} went back`);
            if (before?.seq !== undefined && before.seq !== message.seq) problems.push(`${message.text} lost its number`);
            if (message.seq !== undefined && message.seq <= last) problems.push(`${message.text} is out of order`);
            last = message.seq ?? Infinity;
            seen.set(message.id, message);
        }
        for (const [id, { text }] of seen) if (!ids.has(id)) problems.push(`${text} vanished`);
    });
    return {
        stop() {
            unsubscribe();
            if (states < 100) problems.push(`only ${states} states were seen`);
            return problems;
        },
    };
}

void test("two people with two devices each, in Parley's real processes", { timeout: 400_000 }, async () => {
    const cluster = await Cluster.start();
    const opened: Parley[] = [];
    try {
        const alice = await person(cluster.url, "alice");
        const bob = await person(cluster.url, "bob");
        opened.push(alice.one, alice.other, bob.one, bob.other);
        for (const parley of opened) await until("it is online", () => parley.connection === "online" && !parley.isFromCache);

        // A message request, accepted on the other device.
        const found = await alice.one.findUser(bob.name);
        const chat = await alice.one.startConversation(found);
        const first = await chat.send("Hello Bob!");
        assert.equal(first.syncStatus, "pending");
        await until("the request arrives", () => bob.other.requests.conversations.length === 1);
        const asked = bob.other.requests.conversations[0]!;
        assert.equal(asked.request, "received");
        assert.equal(asked.title, "alice");
        await asked.accept();
        assert.equal(bob.other.inbox.conversations[0], asked);
        await until("it is accepted", () => bob.one.inbox.conversations.length === 1 && chat.request === "accepted");

        // Everything of one device is seen on the other three, once and in order, also when the gateway is killed.
        const chats = opened.map((parley) => parley.conversation(chat.id));
        await Promise.all(chats.map((it) => it.load()));
        const sent: string[] = ["Hello Bob!"];
        const flicker = watch(chats[0]!);
        for (let number = 0; number < 100; number++) {
            const text = `Message ${number}`;
            await chats[0]!.send(text);
            sent.push(text);
            if (number === 30) void cluster.kill("gateway");
        }
        await until("all is sent", () => opened[0]!.unsent.length === 0, 60);
        for (const it of chats) {
            await until("all messages arrive", () => it.messages.length >= sent.length, 60);
            assert.deepEqual(it.messages.map((message) => message.text), sent);
            assert.deepEqual(it.messages.map((message) => message.seq), sent.map((_, index) => index + 1));
        }

        assert.deepEqual(flicker.stop(), []);

        // What is done to messages.
        const about = chats[0]!.messages[50]!;
        const mine = chats[2]!;
        await mine.react(mine.messages[50]!, "👍");
        await chats[0]!.edit(about, "Edited");
        await chats[0]!.delete(chats[0]!.messages[51]!);
        await chats[0]!.star(chats[0]!.messages[52]!);
        for (const it of chats) {
            await until("the edit arrives", () => it.messages[50]?.text === "Edited");
            await until("the reaction arrives", () => it.messages[50]?.reactions[0]?.count === 1);
            await until("the deletion arrives", () => it.messages[51]?.isDeleted === true);
        }
        await until("my star is on my other device", () => chats[1]!.messages[52]?.isStarred === true);
        assert.equal(chats[2]!.messages[52]!.isStarred, false);

        // Reading: the count falls on both devices, and the sender sees it.
        assert.equal(chats[3]!.unread.messages, 100);
        await until("the sender sees that it was delivered", () => chats[0]!.messages[100]?.status === "delivered");
        await chats[2]!.markRead();
        await until("nothing is unread on the other device", () => chats[3]!.unread.messages === 0);
        await until("the sender sees that it was read", () => chats[0]!.messages[100]?.status === "read");
        await chats[2]!.markUnread();
        await until("the other device shows that it is marked as unread", () => chats[3]!.unread.isMarked);
        await chats[2]!.markRead();
        await until("and that it no longer is", () => !chats[3]!.unread.isMarked);

        // What only I see.
        await chats[0]!.pin();
        await chats[0]!.mute();
        await until("it is pinned and muted", () => chats[1]!.isPinned && chats[1]!.mutedUntil === "always");
        chats[0]!.typingNow();
        await until("typing is seen", () => chats[2]!.typing.length === 1);
        chats[0]!.stopTyping();
        await until("the end of typing is seen", () => chats[2]!.typing.length === 0);

        // A group, a reminder, an event.
        const group = await alice.one.createGroup("Trip", [found]);
        await group.send("Who is coming?");
        await until("the group arrives", () => bob.one.inbox.conversations.some((it) => it.title === "Trip"));
        const reminder = await alice.one.addReminder("Buy tickets", new Date(Date.now() + 3_600_000));
        assert.equal(alice.one.reminders[0]?.syncStatus, "pending");
        await until("the reminder arrives", () => alice.other.reminders[0]?.id === reminder);
        const event = await alice.one.addEvent({ title: "Dinner", date: "2027-01-02", time: "19:30", inviting: [group.id] });
        await until("the event is there", () => alice.other.events[0]?.id === event);
        await until("nothing is unsent", () => alice.one.unsent.length === 0);
        const invited = bob.one.conversation(group.id);
        await until("the invitation is shown", () => invited.messages.some((it) => it.note?.entity === event));
        await bob.one.answerEvent(event, "accepted", { guests: 1 });
        await until("the answer arrives", () => alice.other.events[0]?.coming === 3);
        await alice.one.updateEvent(event, { title: "Late dinner", time: "21:30" });
        await alice.one.updateEvent(event, { location: "At home" });
        await until("both changes arrive", () =>
            alice.other.events[0]?.location === "At home" && bob.one.events[0]?.time === "21:30");
        assert.deepEqual([alice.other.events[0]?.version, bob.one.events[0]?.title], [3, "Late dinner"]);

        // What is done without a connection for groups that are new, too, arrives after them.
        const restarted = cluster.kill("gateway");
        await until("there is no connection", () => alice.one.connection !== "online");
        for (let number = 1; number <= 4; number++) {
            const { id } = await alice.one.createGroup(`New ${number}`, [found]);
            const made = await alice.one.addEvent({ title: "Event", date: "2027-01-02", inviting: [id] });
            await alice.one.updateEvent(made, { title: `Event ${number}` });
            const first = await alice.one.addDecision(`First ${number}`, { conversation: id, isShared: true });
            await alice.one.addDecision(`Second ${number}`, { conversation: id, isShared: true, replacing: first });
        }
        await restarted;
        await until("all of it is sent, and nothing refused", () => alice.one.unsent.length === 0, 60);
        await until("it is on the other device", () =>
            alice.other.events.filter((it) => /^Event [0-9]$/.test(it.title)).length === 4
            && alice.other.decisions.filter((it) => it.supersededBy).length === 4);

        // Search, on the device and on the server.
        for (const parley of opened) await until("it is online again", () => parley.connection === "online", 60);
        const search = bob.one.search("edited");
        await search.finish();
        assert.equal(search.problem, undefined);
        assert.deepEqual(search.found.map((message) => message.text), ["Edited"]);

        // A device that signs in later reads it all from the server.
        const fresh = await device(cluster.url);
        opened.push(fresh);
        await fresh.signIn(alice.name, password);
        await until("the inbox is there", () => fresh.inbox.conversations.length === 6);
        const again = fresh.conversation(chat.id);
        await again.load();
        while (again.hasOlder) await again.loadOlder();
        assert.equal(again.messages.length, sent.length);
        assert.equal(again.isPinned, true);
        assert.equal(again.messages[52]?.isStarred, true);

        await bob.one.block(await bob.one.findUser(alice.name));
        assert.deepEqual(bob.one.blocked.map((it) => it.username), [alice.name]);
        await until("the block arrives", () => bob.other.blocked.length === 1);
        const refused = await chats[0]!.send("Are you there?");
        await until("it is refused", () => chats[0]!.message(refused.id)?.syncStatus === "failed");
        assert.equal(chats[0]!.message(refused.id)?.refusal?.code, "user_blocked");
        await alice.one.drop(alice.one.unsent[0]!.id);
        assert.equal(chats[0]!.message(refused.id), undefined);
        await alice.other.signOut();
        assert.equal(alice.other.user, undefined);
    } finally {
        for (const parley of opened) await parley.close();
        await cluster.stop();
    }
});
