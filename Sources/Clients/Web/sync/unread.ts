import { create } from "../protocol/codec";
import type { ConversationSection, InboxState, Message } from "../protocol/generated/messages";
import { isGone } from "./message";

/** The number of unread messages of a conversation, and of those that mention me. 1,000 means 1,000 or more. */
export interface UnreadCount {
    unread: number;
    mentions: number;
}

/** The server counts up to this number. */
export const countedMax = 1000;

/**
 * How long a count without the messages may be shown in a conversation whose messages disappear: as long as the
 * shortest time after which one may disappear.
 */
const countedForUs = 60_000_000;

/** The largest seq. */
export const lastSeq = Number.MAX_SAFE_INTEGER;

/**
 * What the count of a conversation's unread messages starts from (proto/REFERENCE.md, "Unread"). The messages are with
 * whoever holds them.
 */
export interface UnreadBasis {
    /**
     * The newest state from the server; without one, nothing is read and nothing was counted. Never changed in place.
     */
    state: InboxState;
    /** The first of the newest messages that are held without a gap; null: none are held. */
    heldFrom: number | null;
    /** The newest message held; 0: none is known. */
    heldTo: number;
    /** Of the other people's messages known to be edited or deleted, the lowest seq and the highest position. */
    changedSeq: number;
    changedPosition: number;
    /** Whether the conversation's messages disappear, as far as is known. */
    disappears: boolean;
    /** Whether what counts changed, since I left or came back, or blocked or unblocked somebody. */
    hasNewWindow: boolean;
}

/** The newest message of a conversation, as far as it decides whether the conversation is archived. */
export interface Newest {
    seq: number;
    /** When it was sent, in microseconds UTC. */
    sentAtUs: number;
}

const noState: InboxState = Object.freeze(create("InboxState"));

/** The basis of a conversation of which nothing is known. */
export function blankBasis(): UnreadBasis {
    return {
        state: noState, heldFrom: null, heldTo: 0, changedSeq: lastSeq, changedPosition: 0, disappears: false,
        hasNewWindow: false,
    };
}

// ---------------------------------------------------------------- counting

/** Messages up to this seq are read, deleted for me, or not mine to read. */
export function readUpTo({ state }: UnreadBasis): number {
    return Math.max(state.read_seq, state.cleared_seq, state.first_seq - 1);
}

/** Whether all messages that may be unread are held, so that they can be counted. */
function holdsAll(basis: UnreadBasis): boolean {
    return basis.heldFrom !== null && basis.heldFrom <= readUpTo(basis) + 1 && basis.heldTo >= basis.state.counted_seq;
}

/** The messages above this seq are counted; those up to it are in the number of the state. */
export function countsAbove(basis: UnreadBasis): number {
    const read = readUpTo(basis);
    return holdsAll(basis) ? read : Math.max(read, basis.state.counted_seq);
}

/**
 * Returns the count.
 * @param messages those held above `countsAbove`, in order of seq.
 * @param isBlocked whether I block a person, whose mentions do not count.
 * @param nowUs the server's time.
 */
export function countUnread(
    basis: UnreadBasis, messages: Iterable<Message>, me: string, isBlocked: (user: string) => boolean, nowUs: number
): UnreadCount {
    const count = holdsAll(basis)
        ? { unread: 0, mentions: 0 }
        : { unread: basis.state.unread, mentions: basis.state.mentions };
    for (const message of messages) {
        if (!isUnread(message, me, nowUs)) continue;
        if (count.unread >= countedMax) break;
        count.unread++;
        if (message.mentions.includes(me) && !isBlocked(message.sender)) count.mentions++;
    }
    return count;
}

/** Whether a message counts as unread above my read mark. */
export function isUnread(message: Message, me: string, nowUs: number): boolean {
    return message.sender !== me && message.kind !== "SYSTEM" && !isGone(message, nowUs);
}

/** Whether the count may be wrong, so that the state must be requested again. */
export function mustAsk(basis: UnreadBasis, nowUs: number): boolean {
    if (basis.hasNewWindow) return true;
    if (holdsAll(basis)) return false;
    const { heldFrom, state } = basis;
    return (
        (heldFrom !== null && heldFrom > state.counted_seq + 1 && heldFrom > readUpTo(basis) + 1) ||
        (basis.changedPosition > state.counted_position && basis.changedSeq <= state.counted_seq) ||
        (basis.disappears && state.unread > 0 && nowUs >= state.counted_at_us + countedForUs)
    );
}

// ---------------------------------------------------------------- what arrives

/** Takes a state of an Update or a reply. An older one than the held changes nothing. */
export function takeState(basis: UnreadBasis, newer: InboxState): void {
    if (!isAsNew(newer, basis.state)) return;
    // A state without a change of my own was requested.
    if (newer.own_position === basis.state.own_position) basis.hasNewWindow = false;
    basis.state = newer;
    if (basis.changedPosition <= newer.counted_position) [basis.changedSeq, basis.changedPosition] = [lastSeq, 0];
}

/** Whether a state is not older: of two with the same own position, the one counted further is newer. */
export function isAsNew(state: InboxState, than: InboxState): boolean {
    return state.own_position === than.own_position
        ? state.counted_position >= than.counted_position
        : state.own_position > than.own_position;
}

/** Takes a message that is new, has changed or was read from the history: what it says about the state's numbers. */
export function noteMessage(basis: UnreadBasis, message: Message, me: string): void {
    if (message.expires_at_us !== 0) basis.disappears = true;
    const isChanged = message.edited_at_us !== 0 || message.deleted_at_us !== 0;
    if (!isChanged || message.sender === me || message.seq <= readUpTo(basis)) return;
    basis.changedSeq = Math.min(basis.changedSeq, message.seq);
    basis.changedPosition = Math.max(basis.changedPosition, message.position);
}

/** Notes how long after sending new messages disappear; zero: never. */
export function noteRetention(basis: UnreadBasis, seconds: number): void {
    if (seconds !== 0) basis.disappears = true;
}

/** Notes that each message that I may read from one seq to another is held. */
export function hold(basis: UnreadBasis, first: number, last: number): void {
    basis.heldFrom = Math.min(basis.heldFrom ?? first, first);
    basis.heldTo = Math.max(basis.heldTo, last);
}

/** Notes that the messages before a seq are no longer held. */
export function dropBefore(basis: UnreadBasis, seq: number): void {
    if (basis.heldFrom !== null) basis.heldFrom = Math.max(basis.heldFrom, seq);
}

/** Notes that no message is held. */
export function dropMessages(basis: UnreadBasis): void {
    [basis.heldFrom, basis.heldTo] = [null, 0];
}

/** Forgets the state, which the server gives again. */
export function forgetState(basis: UnreadBasis): void {
    [basis.state, basis.changedSeq, basis.changedPosition] = [noState, lastSeq, 0];
}

// ---------------------------------------------------------------- archive and badge

/** Takes a message; sent at zero: not known. */
export function noteNewest(newest: Newest, seq: number, sentAtUs: number): void {
    newest.seq = Math.max(newest.seq, seq);
    newest.sentAtUs = Math.max(newest.sentAtUs, sentAtUs);
}

/**
 * Whether a conversation with this state is archived. A new message brings it back, unless it was sent while the
 * conversation was muted.
 */
export function isArchived(newest: Newest, state: InboxState): boolean {
    if (state.archived_at_us === 0) return false;
    return newest.seq <= state.archived_seq || (state.muted_until_us !== 0n && newest.sentAtUs <= state.muted_until_us);
}

/** The numbers for an app's icon. */
export interface Badge {
    /**
     * Unread messages of the conversations in my inbox that are neither archived nor muted. A conversation that is only
     * marked unread counts as one.
     */
    badge: number;
    /** The number of conversations counted. */
    conversations: number;
    /** The unread messages that mention me. */
    mentions: number;
}

/** Adds a conversation to the numbers for the icon. */
export function addToBadge(
    badge: Badge, count: UnreadCount, state: InboxState, section: ConversationSection, archived: boolean, nowUs: number
): void {
    if (section !== "INBOX" || archived || state.muted_until_us > nowUs) return;
    const shown = count.unread === 0 && state.marked_unread ? 1 : count.unread;
    badge.badge += shown;
    badge.mentions += count.mentions;
    if (shown > 0) badge.conversations++;
}
