import { create } from "../../../Sources/Clients/Web/protocol/codec";
import type { Message } from "../../../Sources/Clients/Web/protocol/generated/messages";
import { Random } from "../../../Sources/Clients/Web/protocol/random";
import type { Content } from "../../../Sources/Clients/Web/protocol/states";
import { ConversationRecord, SyncChange, newRecord, newStream } from "../../../Sources/Clients/Web/sync/types";
import { hold, noteNewest, takeState } from "../../../Sources/Clients/Web/sync/unread";

export const me = "me";
const people = ["me", "ada", "bob"];
const conversations = ["one", "two", "three"];
/** The cells of conversations; of another it is not known. */
const cells: Record<string, string> = { one: "0", two: "1" };
const idOf = (conversation: string, seq: number) =>
    `${conversation.charCodeAt(0).toString(16)}${seq.toString(16).padStart(30, "0")}`;

/** Random changes like those of a sync machine, of a server with two cells. */
export class RandomChanges {
    private readonly random: Random;
    private position = 0;
    private readonly records = new Map<string, ConversationRecord>();

    constructor(seed: number) {
        this.random = new Random(BigInt(seed));
    }

    number(first: number, last: number): number {
        return first + this.random.below(last - first + 1);
    }

    private any<T>(values: readonly T[]): T {
        return values[this.random.below(values.length)]!;
    }

    private maybe(part = 0.5): boolean {
        return this.random.fraction() < part;
    }

    next(): SyncChange {
        this.position += 1;
        const conversation = this.any(conversations);
        const position = this.position;
        const kind = this.number(0, 29);
        if (kind <= 10) return { type: "message", message: this.message(conversation), from: this.maybe() ? "update" : "reply" };
        if (kind <= 12) {
            return {
                type: "reactions",
                reactions: create("Reactions", {
                    conversation, seq: this.number(1, 40), position: this.number(1, 60),
                    counts: [{ emoji: "👍", count: this.number(1, 9) }],
                    changes: [{ user: this.any(people), emoji: "👍", removed: this.maybe() }],
                }),
            };
        }
        if (kind <= 14) {
            return {
                type: "messageState",
                state: create("MessageState", {
                    conversation, seq: this.number(1, 40), own_position: position, starred: this.maybe(), hidden: this.maybe(0.2),
                }),
            };
        }
        switch (kind) {
            case 15:
                return { type: "inboxState", state: this.inboxState(conversation) };
            case 16:
                return {
                    type: "receipt",
                    receipt: create("Receipt", {
                        conversation, user: this.any(people), read_seq: this.number(0, 20), delivered_seq: this.number(0, 40),
                    }),
                };
            case 17:
                return {
                    type: "readCount",
                    count: create("ReadCount", { conversation, seq: this.number(1, 40), read: this.number(1, 9) }),
                };
            case 18:
                return {
                    type: "inboxEntry",
                    entry: create("InboxEntry", {
                        conversation, last_seq: this.number(1, 40), section: "INBOX", last_message: this.message(conversation),
                    }),
                };
            case 19:
                return {
                    type: "blocks",
                    blocks: Array.from({ length: this.number(0, 2) }, (_, at) =>
                        create("Block", { user: { id: at === 0 ? "ada" : `b${at}` }, blocked: true })),
                };
            case 20:
                if (this.maybe(0.3)) return { type: "clear", conversation, upTo: this.number(1, 10) };
                break;
            case 21:
                if (this.maybe(0.2)) return { type: "dropMessages", conversation };
                break;
            case 22:
                if (this.maybe(0.2)) return { type: "dropConversation", conversation };
                break;
            case 23: {
                const stream = this.any(["conversations/u/me", "entities/u/me", "messaging/u/me/0", "messaging/u/me/1"]);
                if (this.maybe(0.3)) return { type: "startOver", stream };
                break;
            }
            case 24: {
                const stream = newStream(this.any(["messaging/c/one", "conversations/u/me"]));
                return { type: "stream", stream: { ...stream, position, epoch: "e", isBehind: this.maybe() } };
            }
            case 25:
                return { type: "forgetStream", name: this.any(["messaging/c/one", "conversations/u/me"]) };
            case 26:
            case 27:
                break;
            default:
                return { type: "put", content: this.state(conversation) };
        }
        return { type: "record", record: this.record(conversation) };
    }

    message(conversation: string): Message {
        const seq = this.number(1, 40);
        const message = create("Message", {
            conversation, seq, position: this.number(1, 60), id: idOf(conversation, seq), sender: this.any(people),
            text: `text ${this.position}`, kind: this.maybe(0.1) ? "SYSTEM" : "TEXT", sent_at_us: seq * 1_000_000,
        });
        if (this.maybe(0.1)) [message.deleted_at_us, message.text] = [this.position, ""];
        if (this.maybe(0.2)) message.edited_at_us = this.position;
        if (this.maybe(0.2)) message.mentions = [me];
        if (this.maybe(0.1)) message.own = create("OwnMessageState", { starred: this.maybe(), reactions: ["👍"] });
        if (message.kind === "SYSTEM" && this.maybe()) {
            message.system = create("SystemNote", { kind: "RETENTION_CHANGED", seconds: this.number(0, 9) });
        }
        if (this.maybe(0.1)) message.expires_at_us = this.number(1, 60_000_000);
        // What thread a message belongs to never changes.
        if (seq > 5 && seq % 3 === 0) message.thread_seq = (seq % 5) + 1;
        if (this.maybe() && (message.thread_seq !== 0 || seq <= 5)) {
            message.thread = create("Thread", { replies: this.position, position: this.position });
        }
        return message;
    }

    private inboxState(conversation: string) {
        return create("InboxState", {
            conversation, own_position: this.position, read_seq: this.number(0, 30),
            pinned_at_us: this.maybe() ? this.number(1, 1000) : 0, archived_at_us: this.maybe(0.2) ? this.number(1, 1000) : 0,
            counted_seq: this.number(0, 20), unread: this.number(0, 5), mentions: this.number(0, 2),
        });
    }

    private record(conversation: string): ConversationRecord {
        const before = this.records.get(conversation) ?? newRecord(conversation);
        const record = { ...before, unread: { ...before.unread }, newest: { ...before.newest } };
        record.position = this.position;
        record.section = this.any(["INBOX", "REQUESTS", "LEFT"] as const);
        if (this.maybe(0.8)) record.cell = cells[conversation] ?? "";
        [record.hasLeft, record.wasLost] = [this.maybe(), this.maybe()];
        noteNewest(record.newest, this.number(1, 40), this.number(1, 40_000_000));
        const first = this.number(1, 40);
        hold(record.unread, first, this.number(first, 40));
        takeState(record.unread, this.inboxState(conversation));
        this.records.set(conversation, record);
        return record;
    }

    private state(conversation: string): Content {
        const id = this.number(1, 5).toString(16).padStart(32, "0");
        const ended = this.maybe(0.3) ? this.position : 0;
        switch (this.number(0, 7)) {
            case 0:
                return {
                    kind: "Conversation",
                    state: create("Conversation", { id: conversation, section: "INBOX", name: `${this.position}`, position: this.position }),
                };
            case 1: return { kind: "Profile", state: create("Profile", { email: `${this.position}` }) };
            case 2: return { kind: "RequestCount", state: create("RequestCount", { total: this.number(0, 3) }) };
            case 3: return { kind: "Block", state: create("Block", { user: { id: this.any(people) }, blocked: ended === 0 }) };
            case 4: return { kind: "Reminder", state: create("Reminder", { id, title: `${this.position}`, deleted_at_us: ended }) };
            case 5: return { kind: "Decision", state: create("Decision", { id, text: `${this.position}`, deleted_at_us: ended }) };
            case 6: return { kind: "Event", state: create("Event", { id, title: `${this.position}`, deleted_at_us: ended }) };
            default:
                return { kind: "EventCounts", state: create("EventCounts", { id, position: this.position, accepted: this.number(0, 9) }) };
        }
    }
}
