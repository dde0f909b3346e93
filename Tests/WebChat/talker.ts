// Somebody who writes many messages, from the SDK in node: the figures of the chat count what a page does with them.
//
//   node talker.mjs URL USERNAME PASSWORD CONVERSATION FIRST_NUMBER COUNT PER_SECOND
import { Parley } from "../../Sources/Clients/Web/api/index";
import { nodeWebSocket } from "../Web/support/websocket";

const [url, username, password, id, first, count, perSecond] = process.argv.slice(2) as [
    string, string, string, string, string, string, string,
];
// It ends with the process that began it.
const parent = process.ppid;
setInterval(() => { if (process.ppid !== parent) process.exit(1); }, 1000).unref();

/** How many may be unsent: what waits is stored once more for each change. */
const unsentMax = 200;

const parley = await Parley.open(url, { storage: "memory", webSocket: nodeWebSocket });
await parley.signIn(username, password);
const chat = parley.conversation(id);
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));
const began = performance.now();
for (let sent = 0; sent < Number(count); sent++) {
    const number = Number(first) + sent;
    const ahead = (sent / Number(perSecond)) * 1000 - (performance.now() - began);
    if (ahead > 0) await pause(ahead);
    while (parley.unsent.length > unsentMax) await pause(2);
    await chat.send(`Said ${number}. ${"And so on. ".repeat(number % 7)}`);
}
while (parley.unsent.length > 0) await pause(5);
console.log((Number(count) * 1000) / (performance.now() - began));
await parley.close();
