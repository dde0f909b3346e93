import type { ListReceiptsReply } from "../protocol/generated/messages";
import { about } from "./asking";
import type { SyncMachine } from "./machine";
import { requestChanges } from "./receiving";
import { conversationOf, isMine, messageStream } from "./types";

/** How many conversations count as being looked at. */
const lookedAtMax = 50;

/** What a machine remembers of conversations that somebody looks at. */
export class Looking {
    /** The conversations that somebody looked at, the last one last. */
    readonly at = new Set<string>();
    /** The one looked at last; undefined: none. */
    last: string | undefined;
    /** The conversations of which the session has read the receipts, or is about to. */
    readonly asked = new Set<string>();
    /** Where the next page of receipts begins, of those of which one is read. */
    readonly cursors = new Map<string, string>();

    look(conversation: string): void {
        this.at.delete(conversation);
        this.at.add(conversation);
        this.last = conversation;
        for (const oldest of this.at) {
            if (this.at.size <= lookedAtMax) break;
            this.at.delete(oldest);
        }
    }

    /** Another session reads receipts anew. */
    endSession(): void {
        this.asked.clear();
        this.cursors.clear();
    }

    clear(): void {
        this.at.clear();
        this.last = undefined;
        this.endSession();
    }
}

// What is read of a conversation when it is looked at: its receipts, and what was missed (`readsWhenLookedAt`). A part
// of SyncMachine.

/** A conversation is looked at. */
export function look(machine: SyncMachine, conversation: string): void {
    machine.looking.look(conversation);
    wake(machine, messageStream(conversation));
    readReceipts(machine, conversation);
}

/**
 * Requests the receipts of a conversation that is looked at, once a session. They have no positions, so nothing else
 * brings those that came before it.
 */
export function readReceipts(machine: SyncMachine, conversation: string): void {
    const record = machine.records.get(conversation);
    if (!machine.isConnected || !machine.options.services.includes("messaging") || !record || !isMine(record)) return;
    if (machine.looking.asked.has(conversation)) return;
    machine.looking.asked.add(conversation);
    machine.asking.add(about.receipts(conversation));
}

/** Whether the epoch of what others read is known, so that it can be dropped with it. */
export function isOfKnownEpoch(machine: SyncMachine, state: { conversation: string }): boolean {
    const own = machine.ownStream(state.conversation);
    return (own ? [own] : machine.ownStreams).every((name) => machine.streams.get(name)?.stored.epoch);
}

/** Forgets which receipts are read of a conversation. Of the one looked at they are read again, if it is mine. */
export function forgetReceipts(machine: SyncMachine, conversation: string): void {
    machine.asking.forget(about.receipts(conversation));
    machine.looking.asked.delete(conversation);
    machine.looking.cursors.delete(conversation);
    if (machine.looking.last === conversation) readReceipts(machine, conversation);
}

export function takeReceipts(machine: SyncMachine, reply: ListReceiptsReply, conversation: string): void {
    for (const receipt of reply.receipts) machine.store({ type: "receipt", receipt });
    if (reply.more) {
        machine.looking.cursors.set(conversation, reply.cursor);
        machine.asking.add(about.receipts(conversation));
    } else machine.looking.cursors.delete(conversation);
}

/** Whether a stream is behind, and may stay so until somebody looks at its conversation. */
export function isDormant(machine: SyncMachine, name: string): boolean {
    const [stream, conversation] = [machine.streams.get(name), conversationOf(name)];
    if (!machine.options.readsWhenLookedAt || !stream || conversation === null) return false;
    return stream.reading === null && !stream.hasGap && !machine.looking.at.has(conversation);
}

/** Requests what is missing of a stream, if it is not about to be. */
export function wake(machine: SyncMachine, name: string): void {
    if (!machine.options.readsWhenLookedAt || !machine.streams.get(name)?.stored.isBehind) return;
    const subject = about.stream(name);
    if (!machine.asking.isUnderWay(subject) && !machine.asking.isPlanned(subject)) machine.asking.add(subject);
}

/** Notes that a stream has gone on, or is of another epoch: what was missed is requested now, or when looked at. */
export function miss(machine: SyncMachine, name: string): void {
    if (!isDormant(machine, name)) return requestChanges(machine, name);
    machine.streams.get(name)!.stored.isBehind = true;
    machine.changedStreams.add(name);
}
