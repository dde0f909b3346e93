import type { Conversation, InboxState, Message } from "../protocol/generated/messages";
import type { Content } from "../protocol/states";
import { about } from "./asking";
import { forgetReceipts, isOfKnownEpoch, readReceipts, wake } from "./looking";
import type { SyncMachine } from "./machine";
import { readAgain } from "./replies";
import { SyncStream } from "./stream";
import type { StoredStream, SyncChange, SyncSource } from "./types";
import { cellOf, conversationOf, isMine, messageStream, newRecord, newStream } from "./types";
import { blankBasis, hold, isAsNew, noteMessage, noteNewest, readUpTo, takeState } from "./unread";

// Updates: the gap rule, and what each kind changes. A part of SyncMachine.

/**
 * Takes an Update with a position, and applies it and those that follow it, unless an earlier one is missing.
 * @param content null: of a kind that is not known, so that only the position counts.
 */
export function receive(
    machine: SyncMachine, content: Content | null, name: string, position: number, now: number
): void {
    if (position <= 0 || !machine.follows(name)) return;
    // Until it comes back, nothing of a conversation that is gone is held.
    const conversation = conversationOf(name);
    if (conversation !== null && machine.records.get(conversation)?.section === "GONE") return;
    follow(machine, name).hold(content, position, machine.options.heldMax);
    wake(machine, name);
    advance(machine, name, now);
}

/** Takes the state in a reply to a request of the app's own. */
export function learn(machine: SyncMachine, content: Content, now: number): void {
    switch (content.kind) {
        case "Message": {
            const { conversation, position } = content.state;
            return receive(machine, content, messageStream(conversation), position, now);
        }
        case "InboxState":
            // Of one that was only read, the position is reached already.
            take(machine, content.state);
            return learnOwn(machine, null, content.state.conversation, content.state.own_position, now);
        case "MessageState":
            return learnOwn(machine, content, content.state.conversation, content.state.own_position, now);
        case "Conversation":
            return receive(machine, content, `conversations/u/${machine.me}`, content.state.position, now);
        default:
            return;
    }
}

/** Takes a state of my own stream in the cell of a conversation. */
function learnOwn(machine: SyncMachine, content: Content | null, of: string, position: number, now: number): void {
    const name = machine.ownStream(of);
    if (name !== null) return receive(machine, content, name, position, now);
    for (const each of machine.ownStreams) machine.asking.add(about.stream(each));
}

/** Follows a stream from its beginning, if it is not followed. */
function follow(machine: SyncMachine, name: string): SyncStream {
    let stream = machine.streams.get(name);
    if (!stream) {
        const stored = newStream(name);
        const conversation = conversationOf(name);
        const own = conversation === null ? null : machine.ownStream(conversation);
        if (own !== null) stored.epoch = machine.streams.get(own)?.stored.epoch ?? "";
        machine.streams.set(name, (stream = new SyncStream(stored)));
    }
    return stream;
}

/** Whether Updates of a stream are held, since a reply is on its way that has what came before. */
function mustWait(machine: SyncMachine, { stored }: SyncStream): boolean {
    const isSyncing =
        conversationOf(stored.name) === null
            ? machine.unsynced.has(stored.name)
            : machine.ownStreams.some((own) => machine.unsynced.has(own));
    // Between two pages too: reactions may be to a message that the next page brings.
    return isSyncing || stored.isBehind || machine.asking.isUnderWay(about.stream(stored.name));
}

/** Applies the held Updates that follow without a gap. If some remain, the missing ones are requested in a moment. */
export function advance(machine: SyncMachine, name: string, now: number): void {
    const stream = machine.streams.get(name);
    if (!stream) return;
    const hadGap = machine.gaps.has(name);
    if (stream.hasGap) machine.gaps.add(name);
    if (mustWait(machine, stream)) return;
    let moved = false;
    for (let next = stream.next(); next; next = stream.next()) {
        const { content } = next;
        if (content?.kind === "Reactions" && content.state.changes.length === 0) {
            // Published again: only a reply has my own reactions.
            stream.putBack(content);
            stream.stored.isBehind = true;
            machine.changedStreams.add(name);
            return machine.asking.add(about.stream(name));
        }
        moved = true;
        if (content) apply(machine, content, stream.stored);
        // What was applied may have ended the stream.
        if (machine.streams.get(name) !== stream) break;
    }
    if (moved) machine.changedStreams.add(name);
    const left = machine.streams.get(name);
    if (!left?.hasGap) {
        machine.gaps.delete(name);
        if (left) left.dueAt = null;
        return;
    }
    // After a refusal the request is repeated when it may be. After a step the next missing one gets the full wait.
    if (machine.asking.isPlanned(about.stream(name)) || (!moved && hadGap && left.dueAt !== null)) return;
    left.dueAt = now + machine.options.patience;
    machine.nextDue = Math.min(machine.nextDue ?? left.dueAt, left.dueAt);
}

/** Applies the Updates that waited until a service was synced. */
export function advanceGaps(machine: SyncMachine, now: number): void {
    for (const name of [...machine.gaps].sort()) advance(machine, name, now);
}

// ---------------------------------------------------------------- applying

export function applyUnordered(machine: SyncMachine, content: Content, now: number): void {
    switch (content.kind) {
        case "Receipt":
            if (!isOfKnownEpoch(machine, content.state)) return;
            return machine.store({ type: "receipt", receipt: content.state });
        case "ReadCount":
            if (!isOfKnownEpoch(machine, content.state)) return;
            return machine.store({ type: "readCount", count: content.state });
        case "PresenceState":
            return machine.tell({ type: "presence", state: content.state });
        case "Typing":
            return machine.takeTyping(content.state, now);
        case "OwnPresence":
            return machine.tell({ type: "ownPresence", state: content.state });
        default:
            return;
    }
}

function apply(machine: SyncMachine, content: Content, stream: StoredStream): void {
    switch (content.kind) {
        case "Conversation":
            return applyConversation(machine, content.state);
        case "Message":
            return storeMessage(machine, content.state, "update");
        case "Reactions": {
            const { conversation, seq } = content.state;
            if (seq <= cleared(machine, conversation)) return;
            return storeOf(machine, { type: "reactions", reactions: content.state }, conversation);
        }
        case "MessageState":
            return storeOf(machine, { type: "messageState", state: content.state }, content.state.conversation);
        case "InboxState":
            take(machine, content.state);
            return noteCell(machine, cellOf(stream.name), content.state.conversation);
        case "Receipt":
            return machine.store({ type: "receipt", receipt: content.state });
        case "ReadCount":
            return machine.store({ type: "readCount", count: content.state });
        case "PresenceState":
        case "OwnPresence":
        case "Typing":
            return;
        case "Block":
            machine.store({ type: "put", content });
            return doubtMentions(machine);
        default:
            return machine.store({ type: "put", content });
    }
}

function cleared(machine: SyncMachine, conversation: string): number {
    return machine.records.get(conversation)?.unread.state.cleared_seq ?? 0;
}

/** Stores what belongs to a message. A reply that is on its way may bring the message as it was before. */
export function storeOf(machine: SyncMachine, change: SyncChange, conversation: string): void {
    machine.store(change);
    const name = messageStream(conversation);
    if (machine.asking.isUnderWay(about.stream(name))) machine.streams.get(name)?.meanwhile.push(change);
}

/** Stores a message, new or changed, unless I cleared it. */
export function storeMessage(machine: SyncMachine, message: Message, from: SyncSource): void {
    if (message.seq <= cleared(machine, message.conversation)) return;
    machine.endTypingBy(message);
    machine.store({ type: "message", message, from });
    machine.change(message.conversation, ({ unread, newest }) => {
        noteMessage(unread, message, machine.me);
        noteNewest(newest, message.seq, message.sent_at_us);
        // Without an earlier one, the stream is followed from its beginning.
        if (message.seq > unread.heldTo) hold(unread, unread.heldFrom ?? 1, message.seq);
    });
}

/** Notes the cell that a conversation is in. */
export function noteCell(machine: SyncMachine, cell: string, conversation: string): void {
    if ((machine.records.get(conversation)?.cell ?? "") === cell) return;
    machine.change(conversation, (record) => (record.cell = cell));
}

/** Takes my state of a conversation, unless the held one is newer. */
export function take(machine: SyncMachine, state: InboxState): void {
    const record = machine.records.get(state.conversation);
    const before = (record?.unread ?? blankBasis()).state;
    if (record?.section === "GONE" || !isAsNew(state, before)) return;
    machine.change(state.conversation, ({ unread }) => takeState(unread, state));
    machine.store({ type: "inboxState", state });
    if (state.cleared_seq > before.cleared_seq) {
        machine.store({ type: "clear", conversation: state.conversation, upTo: state.cleared_seq });
    }
    if (state.renewed_position > before.renewed_position) readAgain(machine, state.conversation);
}

/** Takes a conversation: it may become mine, stop being mine, or be gone. */
export function applyConversation(machine: SyncMachine, conversation: Conversation): void {
    const { id } = conversation;
    const before = { ...(machine.records.get(id) ?? newRecord(id)) };
    if (conversation.position <= before.position) return;
    machine.unseen?.delete(id);
    machine.change(id, (record) => {
        record.position = conversation.position;
        record.section = conversation.section;
        record.hasLeft = conversation.left_at_us !== 0;
    });
    if (conversation.section === "GONE") {
        drop(machine, id);
        machine.change(id, (record) => (record.wasLost = true));
        machine.store({ type: "dropConversation", conversation: id });
        return machine.tell({ type: "gone", conversation });
    }
    machine.store({ type: "put", content: { kind: "Conversation", state: conversation } });
    if (!machine.options.services.includes("messaging")) return;
    const isMineNow = isMine(machine.records.get(id)!);
    if (isMineNow && machine.looking.last === id) readReceipts(machine, id);
    // Whether it went and came back unseen, perhaps while its service starts over.
    const wasShown =
        before.section !== "CONVERSATION_SECTION_UNSPECIFIED" && before.section !== "GONE" && !before.hasLeft;
    const hasReturned = isMineNow && wasShown && conversation.returned_position > before.position;
    const wasMine = isMine(before);
    if (isMineNow && (!wasMine || hasReturned)) {
        becomeMine(machine, id, before, hasReturned);
    } else if (wasMine && !isMineNow) {
        // No more of its Updates arrive, but earlier messages may still be missing.
        machine.change(id, (record) => {
            record.wasLost = true;
            record.unread.hasNewWindow = true;
        });
        const name = messageStream(id);
        if (machine.streams.has(name)) requestChanges(machine, name);
    }
}

type Before = Readonly<ReturnType<typeof newRecord>>;

function becomeMine(machine: SyncMachine, id: string, before: Before, hasReturned: boolean): void {
    const name = messageStream(id);
    const holdsNothing = !machine.streams.has(name);
    // Of one that has gone, the position may be of another epoch.
    const isBack = before.position !== 0 || before.section === "GONE";
    if (isBack) {
        // Mine again: what I may read starts anew. No Update brings back a dropped inbox state.
        drop(machine, id);
        machine.store({ type: "dropMessages", conversation: id });
    }
    if (hasReturned || (isBack && before.wasLost)) machine.uncounted.add(id);
    if (machine.uncounted.size > 0) machine.asking.add(about.inboxStates);
    // At the very first sync, the pages of the inbox say where each conversation stands.
    if (isBack || (holdsNothing && !isFirstSync(machine))) requestChanges(machine, name);
}

/** Whom I block has changed, and whose mentions count with it. */
export function doubtMentions(machine: SyncMachine): void {
    for (const [id, record] of machine.records) {
        if (record.newest.seq <= readUpTo(record.unread)) continue;
        machine.change(id, ({ unread }) => (unread.hasNewWindow = true));
    }
}

/** Whether the inbox is being listed, page after page, as nothing was held. */
export function isFirstSync(machine: SyncMachine): boolean {
    return machine.ownStreams.some((name) => {
        const stream = machine.streams.get(name);
        return machine.unsynced.has(name) && (!stream || stream.stored.cursor === "" || stream.isListing);
    });
}

/** Requests the changes of a stream of messages after its position. */
export function requestChanges(machine: SyncMachine, name: string): void {
    follow(machine, name).stored.isBehind = true;
    machine.changedStreams.add(name);
    machine.asking.add(about.stream(name));
}

/** Forgets what is known of a conversation's messages. */
function drop(machine: SyncMachine, id: string): void {
    forget(machine, messageStream(id));
    forgetReceipts(machine, id);
    machine.change(id, (record) => {
        record.unread = blankBasis();
        record.newest = { seq: 0, sentAtUs: 0 };
    });
}

/** Stops following a stream. */
export function forget(machine: SyncMachine, name: string): void {
    machine.asking.forget(about.stream(name));
    machine.gaps.delete(name);
    if (machine.streams.delete(name)) machine.store({ type: "forgetStream", name });
}
