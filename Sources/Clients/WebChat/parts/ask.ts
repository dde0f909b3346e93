/** Requests that the SDK makes for no app of its own accord: what only these parts of the page show. */
import type * as sdk from "../../Web/api/index";
import { messageOf, memberOf, userOf } from "../../Web/api/values";
import { knowWholeContract } from "../../Web/protocol/whole";
import { say } from "../english/parts";
import { kitOf, ownOf, parleyOf, personOf } from "../kit";
import type { Chat, Conversation, Member, Message, Person } from "../model";

knowWholeContract();

/** The most pages that are read of a list: 4,000 people, more than a group may have. */
const pagesMax = 20;

const milliseconds = (us: number) => us / 1000;

/** The names of people who may have left the conversation since. */
async function names(chat: Chat, conversation: Conversation, ids: readonly string[]): Promise<Map<string, string>> {
    const known = new Map(conversation.members.map(({ person }) => [person.id, conversation.name(person.id)]));
    known.set(chat.me?.id ?? "", say.you);
    const others = [...new Set(ids)].filter((id) => !known.has(id)).slice(0, 200);
    const users = others.length > 0 ? await parleyOf(chat).users(others) : [];
    for (const { id, displayName, username, isDeleted } of users) {
        known.set(id, isDeleted ? say.deletedUser : displayName || username);
    }
    return known;
}

export interface Revision {
    readonly text: string;
    /** When the next text took its place, in milliseconds. */
    readonly until: number;
}

/** The earlier texts of a message, the oldest first. */
export async function revisions(chat: Chat, conversation: Conversation, { seq }: Message): Promise<Revision[]> {
    const { id } = conversation;
    const { revisions } = await parleyOf(chat).ask("messaging.ListRevisions", id, { conversation: id, seq });
    return revisions.map(({ text, until_us }) => ({ text, until: milliseconds(until_us) }));
}

export interface Reader {
    readonly id: string;
    readonly name: string;
    readonly isDelivered: boolean;
    /** In milliseconds; 0: not read. */
    readonly readAt: number;
}

export async function readers(chat: Chat, conversation: Conversation, { seq }: Message): Promise<Reader[]> {
    const { id } = conversation;
    const page = await parleyOf(chat).ask("messaging.ListReaders", id, { conversation: id, seq, limit: 200 });
    const known = await names(chat, conversation, page.readers.map(({ user }) => user));
    return page.readers.map(({ user, delivered, read_at_us }) => ({
        id: user, name: known.get(user) ?? say.somebody, isDelivered: delivered, readAt: milliseconds(read_at_us),
    }));
}

export interface Reacted {
    readonly id: string;
    readonly name: string;
    readonly emoji: string;
}

export async function reactions(chat: Chat, conversation: Conversation, { seq }: Message): Promise<Reacted[]> {
    const { id } = conversation;
    const page = await parleyOf(chat).ask("messaging.ListReactions", id, { conversation: id, seq, limit: 200 });
    const known = await names(chat, conversation, page.reactions.map(({ user }) => user));
    return page.reactions.map(({ user, emoji }) => ({ id: user, name: known.get(user) ?? say.somebody, emoji }));
}

/** Sends a message on to another conversation. Without a network, it waits as every other message does. */
export async function forward(chat: Chat, message: sdk.Message, conversation: string): Promise<void> {
    const { outbox } = parleyOf(chat);
    const id = outbox.nextID();
    const from = { conversation: message.conversation, seq: message.seq ?? 0 };
    await outbox.add(outbox.item("messaging.SendMessage", { id, conversation, forward: from }, { id }));
}

/** The messages of a thread, its first one first. */
export async function thread(chat: Chat, conversation: Conversation, seq: number): Promise<Message[]> {
    const { id } = conversation;
    const made = kitOf(chat).of(ownOf(conversation));
    const found: Message[] = [];
    for (let page = 0, after = 0; page < pagesMax; page++) {
        const { messages, more_after } = await parleyOf(chat).ask("messaging.GetThread", id,
            { conversation: id, thread_seq: seq, after_seq: after, limit: 200 });
        found.push(...messages.map((each) => made.messageOf(messageOf(each))));
        after = messages[messages.length - 1]?.seq ?? 0;
        if (!more_after || messages.length === 0) break;
    }
    return found;
}

/** The number of the first message that was sent at a time or later; 0: there is none. It halves what is left. */
export async function seqAt(chat: Chat, { id }: Conversation, time: Date): Promise<number> {
    const first = async (after: number) => {
        const page = await parleyOf(chat).ask("messaging.GetHistory", id,
            { conversation: id, after_seq: after, limit: 1 });
        return { message: page.messages[0], last: page.last_seq };
    };
    const { last } = await first(0);
    let [low, high] = [0, last];
    while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const { message } = await first(middle);
        if (!message || messageOf(message).sentAt >= time) high = middle;
        else low = message.seq;
    }
    return (await first(low)).message?.seq ?? 0;
}

/** A message that was found, wherever it is. */
export interface Hit {
    readonly conversation: Conversation | null;
    readonly message: Message;
}

export interface HitPage {
    readonly hits: readonly Hit[];
    /** Where to go on; empty: that was all. */
    readonly cursor: string;
}

/** What mentions the person, or what they starred, the newest first. */
export async function marked(chat: Chat, kind: "MENTIONS" | "STARRED", cursor: string): Promise<HitPage> {
    const key = chat.me?.id ?? "";
    const page = await parleyOf(chat).ask("messaging.ListMentionsAndStars", key, { kind, cursor, limit: 50 });
    const hits = page.messages.flatMap((message) => hit(chat, messageOf(message)) ?? []);
    return { hits, cursor: page.more ? page.cursor : "" };
}

/** A message of the SDK, with its conversation; null where the page cannot show it. */
export function hit(chat: Chat, message: ReturnType<typeof messageOf>): Hit | null {
    if (message.isDeleted || message.isHidden) return null;
    const own = parleyOf(chat).conversation(message.conversation);
    const made = kitOf(chat).of(own);
    return { conversation: chat.conversation(message.conversation), message: made.messageOf(message) };
}

export async function members(chat: Chat, { id }: Conversation): Promise<Member[]> {
    const found: Member[] = [];
    for (let page = 0, cursor = ""; page < pagesMax; page++) {
        const reply = await parleyOf(chat).ask("conversations.ListMembers", id,
            { conversation: id, cursor, limit: 200 });
        found.push(...reply.members.map(memberOf).map(({ user, role }) => ({ person: personOf(user), role })));
        cursor = reply.cursor;
        if (!reply.more) break;
    }
    return found;
}

/** Who is invited into a group and has not joined: for its admins. */
export async function invited(chat: Chat, { id }: Conversation): Promise<Person[]> {
    const reply = await parleyOf(chat).ask("conversations.ListInvitations", id, { conversation: id, limit: 200 });
    return reply.invitations.map(({ user }) => personOf(userOf(user)));
}

/** The id of the conversation with exactly these people and oneself; empty: there is none. */
export async function exactly(chat: Chat, people: readonly Person[]): Promise<string> {
    const users = people.map(({ id }) => id);
    const reply = await parleyOf(chat).ask("conversations.FindConversation", chat.me?.id ?? "", { users });
    return reply.conversation?.id ?? "";
}

/** Says that the person has looked at a request. Whoever asks does not learn of it. */
export async function markRequestRead(chat: Chat, conversation: Conversation): Promise<void> {
    await parleyOf(chat).ask("conversations.MarkRequestsRead", chat.me?.id ?? "", { conversations: [conversation.id] });
}

export interface Usage {
    readonly fileBytes: number;
    readonly fileBytesMax: number;
    readonly messages: number;
    readonly messagesMax: number;
}

/** How much of the server the person uses, and may use. */
export async function usage(chat: Chat): Promise<Usage> {
    const reply = await parleyOf(chat).ask("messaging.GetUsage", chat.me?.id ?? "", {});
    return {
        fileBytes: reply.file_bytes, fileBytesMax: reply.file_bytes_max, messages: reply.messages,
        messagesMax: reply.messages_max,
    };
}
