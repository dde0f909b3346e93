import type {
    ConversationsSyncReply, EntitiesSyncReply, GetChangesReply, GetHistoryReply, InboxEntry, ListBlockedReply,
    ListReceiptsReply, MessagingSyncReply, UpdateMarksReply,
} from "../protocol/generated/messages";
import type { KeyedKind } from "../protocol/generated/states";
import { syncStates } from "../protocol/generated/states";
import type { Content } from "../protocol/states";
import type { Asked, Subject } from "./asking";
import { about, parts } from "./asking";
import { forgetReceipts, miss, takeReceipts } from "./looking";
import type { SyncMachine } from "./machine";
import {
    advance, advanceGaps, applyConversation, doubtMentions, forget, isFirstSync, noteCell, requestChanges, storeMessage,
    storeOf, take as takeInboxState,
} from "./receiving";
import { SyncStream } from "./stream";
import type { StoredStream, SyncReply, SyncRequest } from "./types";
import { cellOf, conversationOf, isIn, isMine, messageStream, newRecord, newStream, serviceOf } from "./types";
import { dropMessages, forgetState, hold, noteNewest, noteRetention } from "./unread";

// Requests and their replies. A part of SyncMachine.

/** Returns the request about a subject, as things stand now; null: there is nothing to request. */
export function request(machine: SyncMachine, subject: Subject): SyncRequest | null {
    const { what, name } = parts(subject);
    switch (what) {
        case "stream": {
            const stream = machine.streams.get(name);
            return stream ? stream.reading?.request ?? requestOfStream(machine, stream) : null;
        }
        case "inboxStates": {
            const marks = [...machine.uncounted].sort().slice(0, 100).map((conversation) => ({ conversation }));
            if (marks.length === 0) return null;
            return { method: "messaging.UpdateMarks", key: machine.me, request: { marks } };
        }
        case "receipts": {
            const request = { conversation: name, cursor: machine.looking.cursors.get(name) ?? "" };
            return { method: "messaging.ListReceipts", key: name, request };
        }
        default:
            return { method: "conversations.ListBlocked", key: machine.me, request: { cursor: machine.blocksCursor } };
    }
}

function requestOfStream(machine: SyncMachine, stream: SyncStream): SyncRequest | null {
    const { stored } = stream;
    const since = stored.epoch === "" ? 0 : stored.position;
    const conversation = conversationOf(stored.name);
    if (conversation !== null) {
        // The position of another epoch, or of none, is the beginning.
        const request = { conversation, epoch: since === 0 ? "" : stored.epoch, since_position: since };
        return { method: "messaging.GetChanges", key: conversation, request };
    }
    const { epoch, cursor, name } = stored;
    switch (serviceOf(name)) {
        case "conversations":
            return { method: "conversations.Sync", key: machine.me, request: { epoch, since_position: since } };
        case "entities":
            return { method: "entities.Sync", key: machine.me, request: { epoch, since_position: since } };
        case "messaging": {
            const own_position = stream.pageSince ?? since;
            const request = { epoch, cursor, own_position, cell: cellOf(name), held: held(machine, stored) };
            return { method: "messaging.Sync", key: machine.me, request };
        }
        default:
            return null;
    }
}

type Page = { readonly before_seq: number; readonly limit: number } | { readonly after_seq: number };

function history(conversation: string, page: Page): SyncRequest {
    return { method: "messaging.GetHistory", key: conversation, request: { conversation, ...page } };
}

/** Returns what is held of the conversations in a cell, those with the latest news first. */
function held(machine: SyncMachine, own: StoredStream): { conversation: string; position: number }[] {
    if (own.epoch === "" || (own.position === 0 && own.cursor === "")) return [];
    const returned = machine.streams.get(own.name)!.pageEntries;
    const cell = cellOf(own.name);
    const known: { conversation: string; position: number; sentAtUs: number }[] = [];
    for (const { stored, reading } of machine.streams.values()) {
        const conversation = conversationOf(stored.name);
        if (conversation === null || stored.position === 0 || stored.epoch !== own.epoch || reading) continue;
        const record = machine.records.get(conversation);
        if (returned.has(conversation) || !record || !isIn(record, cell)) continue;
        known.push({ conversation, position: stored.position, sentAtUs: record.newest.sentAtUs });
    }
    known.sort((a, b) => b.sentAtUs - a.sentAtUs || (a.conversation < b.conversation ? 1 : -1));
    return known.slice(0, machine.options.heldSent).map(({ conversation, position }) => ({ conversation, position }));
}

/** Takes the reply to a request. */
export function take(machine: SyncMachine, asked: Asked, reply: SyncReply, now: number): void {
    const { name } = parts(asked.subject);
    const { method, request } = asked.request;
    switch (method) {
        case "conversations.Sync":
            return takeConversations(machine, name, reply as ConversationsSyncReply, request.epoch ?? "", now);
        case "entities.Sync":
            return takeEntities(machine, name, reply as EntitiesSyncReply, request.epoch ?? "", now);
        case "messaging.Sync":
            return takeInbox(machine, name, reply as MessagingSyncReply, request, now);
        case "messaging.GetChanges":
            return takeChanges(machine, conversationOf(name)!, reply as GetChangesReply, request, now);
        case "messaging.GetHistory":
            return takeHistory(machine, request, reply as GetHistoryReply, now);
        case "messaging.UpdateMarks":
            return takeMarks(machine, request.marks ?? [], reply as UpdateMarksReply);
        case "messaging.ListReceipts":
            return takeReceipts(machine, reply as ListReceiptsReply, name);
        case "conversations.ListBlocked":
            return takeBlocks(machine, reply as ListBlockedReply, now);
    }
}

/** Drops the messages of a conversation that is not mine to read. */
export function lose(machine: SyncMachine, name: string): void {
    const conversation = conversationOf(name)!;
    forget(machine, name);
    machine.change(conversation, ({ unread }) => dropMessages(unread));
    machine.store({ type: "dropMessages", conversation });
}

// ---------------------------------------------------------------- Sync

/** Begins to take a page of a Sync: it may be of another history, or the first of a stream that is read anew. */
function beginPage(
    machine: SyncMachine, name: string, reply: { start_over: boolean; epoch: string }, asked: string
): void {
    if (reply.start_over || (asked !== "" && asked !== reply.epoch)) startOver(machine, name, reply.epoch);
    if (machine.streams.get(name)?.isReadAnew) forgetStates(machine, name, reply.epoch);
}

function takeConversations(
    machine: SyncMachine, name: string, reply: ConversationsSyncReply, asked: string, now: number
): void {
    beginPage(machine, name, reply, asked);
    for (const conversation of reply.conversations) applyConversation(machine, conversation);
    if (reply.requests) machine.store({ type: "put", content: { kind: "RequestCount", state: reply.requests } });
    if (reply.profile) machine.store({ type: "put", content: { kind: "Profile", state: reply.profile } });
    if (reply.blocks_changed) {
        // A page that is on its way is of a list that begins anew.
        machine.asking.forget(about.blocks);
        [machine.blocksChanged, machine.blocks, machine.blocksCursor] = [true, [], ""];
        if (asked !== "" && !reply.start_over) doubtMentions(machine);
    }
    reach(machine, name, reply.position, reply.epoch);
    if (reply.more) return machine.asking.add(about.stream(name));
    machine.streams.get(name)!.stored.isBehind = machine.blocksChanged;
    // One that is under way lists those of now: a second one would come after Updates that nothing held.
    if (machine.blocksChanged && !machine.asking.isUnderWay(about.blocks)) machine.asking.add(about.blocks);
    for (const id of [...(machine.unseen ?? [])].sort()) {
        forget(machine, messageStream(id));
        machine.records.set(id, { ...newRecord(id), section: "GONE", wasLost: true });
        forgetReceipts(machine, id);
        machine.change(id, () => {});
        machine.store({ type: "dropConversation", conversation: id });
        machine.tell({ type: "lost", conversation: id });
    }
    machine.unseen = null;
    isSynced(machine, name, now);
}

function takeBlocks(machine: SyncMachine, reply: ListBlockedReply, now: number): void {
    if (!machine.blocksChanged) return;
    machine.blocks.push(...reply.blocks);
    machine.blocksCursor = reply.cursor;
    if (reply.more) return machine.asking.add(about.blocks);
    machine.store({ type: "blocks", blocks: machine.blocks });
    [machine.blocksChanged, machine.blocks, machine.blocksCursor] = [false, [], ""];
    const name = `conversations/u/${machine.me}`;
    const stream = machine.streams.get(name);
    if (stream) stream.stored.isBehind = false;
    machine.changedStreams.add(name);
    advance(machine, name, now);
}

function takeEntities(machine: SyncMachine, name: string, reply: EntitiesSyncReply, asked: string, now: number): void {
    beginPage(machine, name, reply, asked);
    for (const [field, kind] of syncStates["entities.Sync"]!) {
        for (const state of reply[field as keyof EntitiesSyncReply] as unknown as Content["state"][]) {
            machine.store({ type: "put", content: { kind: kind as KeyedKind, state } as Content });
        }
    }
    reach(machine, name, reply.position, reply.epoch);
    if (reply.more) machine.asking.add(about.stream(name));
    else isSynced(machine, name, now);
}

function takeInbox(
    machine: SyncMachine, name: string, reply: MessagingSyncReply,
    request: { readonly epoch?: string | undefined; readonly cursor?: string | undefined }, now: number
): void {
    const asked = request.epoch ?? "";
    beginPage(machine, name, reply, asked);
    const stream = machine.streams.get(name)!;
    if ((request.cursor ?? "") === "") stream.isListing = true;
    // What came before the first page was not kept.
    if (asked === "") for (const id of [...machine.looking.asked]) forgetReceipts(machine, id);
    for (const entry of reply.entries) {
        noteCell(machine, cellOf(name), entry.conversation);
        takeEntry(machine, entry, reply.epoch, now);
        stream.pageEntries.add(entry.conversation);
    }
    for (const state of reply.message_states) storeOf(machine, { type: "messageState", state }, state.conversation);
    stream.stored.epoch = reply.epoch;
    stream.stored.cursor = reply.cursor;
    machine.changedStreams.add(name);
    // The position holds only after all pages.
    if (reply.more) {
        stream.pageSince = reply.own_position;
        return machine.asking.add(about.stream(name));
    }
    const { isListing } = stream;
    stream.endPages();
    reach(machine, name, Math.max(reply.own_position, stream.stored.position), reply.epoch);
    isSynced(machine, name, now);
    if (isListing && !isFirstSync(machine)) requestUnlisted(machine);
}

/** Requests the changes of conversations that became mine while the inbox was listed, and are in no page of it. */
function requestUnlisted(machine: SyncMachine): void {
    for (const [id, record] of machine.records) {
        const name = messageStream(id);
        if (isMine(record) && !machine.streams.has(name)) requestChanges(machine, name);
    }
}

function reach(machine: SyncMachine, name: string, position: number, epoch: string): void {
    machine.streams.get(name)?.reach(position, epoch);
    machine.changedStreams.add(name);
}

function isSynced(machine: SyncMachine, name: string, now: number): void {
    machine.unsynced.delete(name);
    if (machine.streams.get(name)?.dropsLaterUpdates()) machine.asking.add(about.stream(name));
    advance(machine, name, now);
    advanceGaps(machine, now);
}

/**
 * The server has another history than the one of which a stream was held. All services are restored together, so
 * everything else is checked, too.
 */
function startOver(machine: SyncMachine, name: string, epoch: string): void {
    forgetStates(machine, name, epoch);
    for (const other of [...machine.streams.keys()].sort()) {
        if (other === name) continue;
        const stream = machine.streams.get(other)!;
        if (stream.reading) stream.reading.continues = true;
        if (stream.stored.position === 0) continue;
        if (conversationOf(other) !== null) requestChanges(machine, other);
        else machine.asking.add(about.stream(other));
    }
}

/** Drops the states of a stream of mine, which is read from its beginning. */
function forgetStates(machine: SyncMachine, name: string, epoch: string): void {
    machine.store({ type: "startOver", stream: name });
    machine.streams.get(name)?.startOver();
    machine.endReadingAnew(name);
    machine.gaps.delete(name);
    if (serviceOf(name) === "conversations") {
        const known = [...machine.records.values()];
        const shown = known.filter(({ position, section }) => position !== 0 && section !== "GONE");
        machine.unseen = new Set(shown.map(({ id }) => id));
        for (const id of [...machine.records.keys()]) machine.change(id, (record) => (record.position = 0));
        // Pages of the other epoch are of another list.
        machine.asking.forget(about.blocks);
        [machine.blocksChanged, machine.blocks, machine.blocksCursor] = [false, [], ""];
    } else if (serviceOf(name) === "messaging") forgetOwnStates(machine, cellOf(name), epoch);
}

function forgetOwnStates(machine: SyncMachine, cell: string, epoch: string): void {
    // A reply that is on its way may be of the other epoch.
    if (machine.asking.isUnderWay(about.inboxStates)) {
        machine.asking.forget(about.inboxStates);
        machine.asking.add(about.inboxStates);
    }
    for (const record of [...machine.records.values()]) {
        if (!isIn(record, cell)) continue;
        machine.change(record.id, ({ unread }) => forgetState(unread));
        forgetReceipts(machine, record.id);
    }
    for (const { stored } of machine.streams.values()) {
        const conversation = conversationOf(stored.name);
        const record = conversation === null ? undefined : machine.records.get(conversation);
        if (conversation === null || stored.position !== 0 || (record && !isIn(record, cell))) continue;
        if (stored.epoch !== "") stored.epoch = epoch;
    }
}

function takeEntry(machine: SyncMachine, entry: InboxEntry, epoch: string, now: number): void {
    if (entry.section === "GONE") return;
    const id = entry.conversation;
    const name = messageStream(id);
    if (entry.state) takeInboxState(machine, entry.state);
    machine.change(id, (record) => {
        noteRetention(record.unread, entry.retention_seconds);
        noteNewest(record.newest, entry.last_seq, entry.last_message?.sent_at_us ?? 0);
    });
    machine.store({ type: "inboxEntry", entry: { ...entry, missed: [], caught_up: false } });
    // A stream that is followed from its beginning is held, although nothing has happened in it yet.
    const isHeld = machine.records.get(id)?.unread.heldFrom === 1;
    const stream = machine.streams.get(name);
    if (!stream || !(stream.stored.position > 0 || stream.stored.isBehind || isHeld)) {
        return read(machine, id, entry.position, epoch, entry.last_seq);
    }
    const { stored, reading } = stream;
    const hasCaughtUp = entry.caught_up && stored.position > 0 && stored.epoch === epoch;
    if (reading) {
        if (reading.position < entry.position || reading.epoch !== epoch) reading.continues = true;
    } else if (hasCaughtUp && !machine.asking.isUnderWay(about.stream(name))) {
        // Not of one that was dropped since the request: then what was missed is after a position of before.
        for (const message of entry.missed) storeMessage(machine, message, "reply");
        if (machine.options.readsWhenLookedAt && stored.isBehind) {
            stored.isBehind = false;
            machine.changedStreams.add(name);
        }
        if (stored.position >= entry.position) return;
        reach(machine, name, entry.position, epoch);
        advance(machine, name, now);
    } else if (!stored.isBehind && (stored.position < entry.position || stored.epoch !== epoch)) miss(machine, name);
}

// ---------------------------------------------------------------- messages

/** Begins to follow a conversation of which nothing is held, or nothing that is valid, from a position on. */
function read(machine: SyncMachine, id: string, position: number, epoch: string, newest: number): void {
    const name = messageStream(id);
    const stream = machine.streams.get(name) ?? new SyncStream(newStream(name));
    machine.streams.set(name, stream);
    const { loading } = machine.options;
    if (loading === 0) {
        stream.reach(position, epoch);
        machine.changedStreams.add(name);
        return machine.change(id, ({ unread }) => hold(unread, newest + 1, newest));
    }
    const page = loading === "all" ? { after_seq: 0 } : { before_seq: 0, limit: loading };
    stream.reading = { position, epoch, request: history(id, page), continues: false };
    requestChanges(machine, name);
}

function takeChanges(
    machine: SyncMachine, id: string, reply: GetChangesReply,
    request: { readonly epoch?: string | undefined; readonly since_position?: number | undefined }, now: number
): void {
    const name = messageStream(id);
    const since = request.since_position ?? 0;
    const asked = since === 0 ? "" : request.epoch ?? "";
    if (!machine.streams.has(name)) return;
    noteEpoch(machine, reply.epoch, id);
    const stream = machine.streams.get(name);
    if (!stream) return;
    if (reply.start_over || (asked !== "" && asked !== reply.epoch)) return restart(machine, id, reply, now);
    stream.restarts = 0;
    if (since === 0) {
        machine.endReadingAnew(name);
        // What was read of it before may be of another epoch, or lacks what this version knows.
        if ((machine.records.get(id)?.unread.heldFrom ?? null) !== null) {
            machine.store({ type: "dropMessages", conversation: id });
        }
        machine.change(id, ({ unread }) => {
            dropMessages(unread);
            hold(unread, 1, 0);
        });
    }
    for (const message of reply.messages) storeMessage(machine, message, "reply");
    reapplyMeanwhile(machine, name);
    reach(machine, name, Math.max(reply.position, since), reply.epoch);
    stream.stored.isBehind = reply.more;
    if (reply.more) machine.asking.add(about.stream(name));
    else advance(machine, name, now);
}

/**
 * If messages are of another epoch than my states of them are, starts those over: what I cleared in the other epoch
 * hides none of this one. A Sync under way says so itself.
 */
function noteEpoch(machine: SyncMachine, epoch: string, conversation: string): void {
    const own = machine.ownStream(conversation);
    const stream = own === null ? undefined : machine.streams.get(own);
    if (own === null || !stream || stream.stored.epoch === "" || stream.stored.epoch === epoch) return;
    startOver(machine, own, epoch);
    stream.endPages();
    stream.stored.epoch = epoch;
    machine.changedStreams.add(own);
    machine.unsynced.add(own);
    if (!machine.asking.isUnderWay(about.stream(own))) machine.asking.add(about.stream(own));
}

/** Drops the messages of a conversation and reads them again. */
function restart(machine: SyncMachine, id: string, reply: GetChangesReply, now: number): void {
    const name = messageStream(id);
    const count = machine.streams.get(name)?.restarts ?? 0;
    machine.store({ type: "dropMessages", conversation: id });
    machine.tell({ type: "startedOver", conversation: id });
    machine.change(id, ({ unread }) => dropMessages(unread));
    const stream = new SyncStream(newStream(name));
    stream.restarts = count + 1;
    machine.streams.set(name, stream);
    machine.gaps.delete(name);
    read(machine, id, reply.position, reply.epoch, reply.last_seq);
    if (stream.reading) stream.reading.continues = true;
    else requestChanges(machine, name);
    // A server that says so again and again is asked less and less often.
    if (count > 0) machine.asking.postpone(about.stream(name), now);
}

/**
 * Drops the messages of a conversation that I left and reads them again: some of them were deleted since. The position
 * holds.
 */
export function readAgain(machine: SyncMachine, id: string): void {
    const name = messageStream(id);
    const before = machine.streams.get(name);
    if (!before) return;
    forget(machine, name);
    machine.store({ type: "dropMessages", conversation: id });
    machine.change(id, ({ unread }) => dropMessages(unread));
    const { position, epoch } = before.reading ?? before.stored;
    // One that is read from its beginning begins again.
    if (position === 0) return requestChanges(machine, name);
    read(machine, id, position, epoch, machine.records.get(id)?.newest.seq ?? 0);
    const isBehind = before.reading?.continues ?? before.stored.isBehind;
    const reading = machine.streams.get(name)?.reading;
    if (reading) reading.continues = isBehind;
    else if (isBehind) requestChanges(machine, name);
}

function takeHistory(
    machine: SyncMachine,
    request: { readonly conversation?: string | undefined; readonly after_seq?: number | undefined },
    page: GetHistoryReply, now: number
): void {
    const id = request.conversation!;
    const after = request.after_seq;
    const name = messageStream(id);
    const stream = machine.streams.get(name);
    if (!stream) return;
    const last = page.messages[page.messages.length - 1]?.seq ?? 0;
    machine.change(id, ({ unread }) => {
        const isWhole = after === 0 || (after === undefined && (!page.more_before || page.messages.length === 0));
        const first = isWhole ? 1 : after === undefined ? page.messages[0]!.seq : unread.heldFrom ?? 1;
        hold(unread, first, page.more_after ? last : Math.max(last, page.last_seq));
    });
    for (const message of page.messages) storeMessage(machine, message, "reply");
    reapplyMeanwhile(machine, name);
    const { reading } = stream;
    if (!reading) return;
    if (after !== undefined && page.more_after && last > 0) {
        reading.request = history(id, { after_seq: last });
        return machine.asking.add(about.stream(name));
    }
    stream.reading = null;
    reach(machine, name, reading.position, reading.epoch);
    stream.stored.isBehind = reading.continues;
    if (reading.continues) machine.asking.add(about.stream(name));
    else advance(machine, name, now);
}

function reapplyMeanwhile(machine: SyncMachine, name: string): void {
    const stream = machine.streams.get(name);
    if (!stream) return;
    for (const change of stream.meanwhile) machine.store(change);
    stream.meanwhile = [];
}

function takeMarks(
    machine: SyncMachine, marks: readonly { readonly conversation?: string | undefined }[], reply: UpdateMarksReply
): void {
    for (const state of reply.states) takeInboxState(machine, state);
    for (const { conversation: id = "" } of marks) {
        if (machine.records.has(id)) machine.change(id, ({ unread }) => (unread.hasNewWindow = false));
        machine.uncounted.delete(id);
    }
    if (machine.uncounted.size > 0) machine.asking.add(about.inboxStates);
}
