// A page that keeps a person's chats in IndexedDB, for the program that drives the browser.
import { Conversation, Parley, ParleyOptions } from "../../../Sources/Clients/Web/api/index";
import { until } from "../support/check";
import { publish } from "./page";

let parley: Parley;
const others: Parley[] = [];
const password = "correct horse battery";

/** What is told to the driver while the page runs, which may be killed. */
declare function note(what: string): Promise<void>;

async function open(url: string, options: Partial<ParleyOptions> = {}): Promise<unknown> {
    parley = await Parley.open(url, options);
    return shown();
}

function shown(): unknown {
    return {
        user: parley.user ?? null, connection: parley.connection, unsent: parley.unsent.length,
        inbox: parley.inbox.conversations.map((chat) => chat.title), storage: parley.storageProblem?.code ?? null,
    };
}

/** Registers a person in this page, and another one in memory, who accepts what the first one writes. */
async function meet(url: string, name: string): Promise<string> {
    await parley.register({ username: name, password, displayName: name });
    const friend = await Parley.open(url, { storage: "memory" });
    others.push(friend);
    await friend.register({ username: `${name}friend`, password, displayName: "Friend" });
    const chat = await parley.startConversation(await parley.findUser(`${name}friend`));
    await chat.send("Hello");
    await until("the request arrives", () => friend.requests.conversations.length === 1);
    await friend.requests.conversations[0]!.accept();
    await until("it is accepted", () => friend.unsent.length === 0 && chat.request === "accepted" && parley.unsent.length === 0);
    return chat.id;
}

/** Signs the friend in again, in memory. */
async function befriend(url: string, name: string): Promise<void> {
    const friend = await Parley.open(url, { storage: "memory" });
    others.push(friend);
    await friend.signIn(`${name}friend`, password);
}

async function all(chat: Conversation): Promise<{ text: string; seq: number | null; status: string }[]> {
    await chat.load();
    while (chat.hasOlder && chat.messages.length > 0 && chat.loaded.first! > 1) await chat.loadOlder(200);
    return chat.messages.map(({ text, seq, syncStatus }) => ({ text, seq: seq ?? null, status: syncStatus }));
}

const messages = (id: string) => all(parley.conversation(id));
const friendsMessages = (id: string) => all(others[others.length - 1]!.conversation(id));

/** Sends texts one after the other, and notes each whose promise has resolved. */
async function sendMany(id: string, prefix: string, count: number): Promise<void> {
    const chat = parley.conversation(id);
    for (let number = 0; number < count; number++) {
        await chat.send(`${prefix} ${number}`);
        void note(`${prefix} ${number}`);
    }
}

const sendOne = async (id: string, text: string) => (await parley.conversation(id).send(text)).syncStatus;

const quiet = () => until("nothing is unsent", () => parley.connection !== "connecting" && parley.unsent.length === 0, 60);

async function search(text: string): Promise<string[]> {
    const found = parley.search(text);
    await found.finish();
    if (found.problem) throw found.problem;
    return found.found.map((message) => message.text);
}

/** Sends a file, and returns what the friend reads of it. */
async function sendFile(id: string, size: number): Promise<unknown> {
    const bytes = new Uint8Array(size).map((_, at) => at % 251);
    const sent = await parley.conversation(id).send("A file", { file: new File([bytes], "numbers.bin") });
    await until("it is sent", () => parley.conversation(id).message(sent.id)?.seq !== undefined, 60);
    return { name: sent.attachment?.name, size: sent.attachment?.sizeBytes };
}

async function signOut(): Promise<unknown> {
    await parley.signOut();
    return { user: parley.user ?? null, databases: (await indexedDB.databases()).map(({ name }) => name).sort() };
}

const signIn = (username: string) => parley.signIn(username, password).then(shown);
const accounts = async (url: string) => (await Parley.accounts(url)).map(({ username }) => username);
const close = () => parley.close();
const devices = async () => (await parley.devices()).length;

/** What the database of tokens has: whose tokens, and who was here before. */
async function storedKeys(): Promise<string[]> {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open("parley accounts");
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
    const rows = await new Promise<{ key: string[]; credentials?: { username: string } }[]>((resolve) => {
        const request = database.transaction("accounts").objectStore("accounts").getAll();
        request.onsuccess = () => resolve(request.result as { key: string[]; credentials?: { username: string } }[]);
    });
    database.close();
    return rows.map(({ key, credentials }) => credentials?.username ?? key.slice(1).join(" ")).sort();
}

Object.assign(globalThis, {
    open, shown, meet, befriend, messages, friendsMessages, sendMany, sendOne, quiet, search, sendFile, signOut, signIn,
    accounts, close, devices, storedKeys,
});
publish([]);
