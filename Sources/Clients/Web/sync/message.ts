import { create } from "../protocol/codec";
import type {
    Event, EventCounts, Message, MessageState, OwnMessageState, Reactions, Receipt, Thread,
} from "../protocol/generated/messages";

// Merging later states into what a client holds. The result does not depend on the order of arrival. Nothing is changed
// in place: each function returns what holds then.

const noOwn: OwnMessageState = Object.freeze(create("OwnMessageState"));

/**
 * Merges another state of a message. Keeps the later of the two, and separately the later state of the thread.
 * @param other a message from a reply must have `own`, even if empty; one from an Update must not.
 */
export function mergeMessage(held: Message, other: Message): Message {
    const latest = (held.thread?.position ?? 0) > (other.thread?.position ?? 0) ? held.thread : other.thread;
    let merged = held;
    if (other.position >= held.position) {
        merged = { ...other };
        if (held.own && !other.own) merged.own = held.own;
        merged = emptyIfGone(merged);
    } else if (other.own && !held.own) {
        // So far it came in Updates only, which do not have it. What changed since comes in Updates of its own.
        merged = emptyIfGone({ ...held, own: other.own });
    }
    return latest && latest.position > 0 ? { ...merged, thread: latest } : merged;
}

/** Merges a state of the thread that a message begins or belongs to, from any message of the thread. */
export function mergeThread(held: Message, thread: Thread): Message {
    return thread.position > (held.thread?.position ?? 0) ? { ...held, thread } : held;
}

/**
 * Merges a change of a message's reactions. Merge the changes of a message in order of position.
 *
 * My own reactions are merged even if the message has this position or a later one: a message that was published again
 * has its newest state, but not my part in it.
 */
export function mergeReactions(held: Message, reactions: Reactions, me: string): Message {
    const merged = { ...held };
    if (reactions.position > held.position) {
        merged.position = reactions.position;
        merged.reactions = reactions.counts;
    }
    for (const change of reactions.changes) {
        if (change.user !== me) continue;
        const own = merged.own ?? noOwn;
        const mine = own.reactions.filter((emoji) => emoji !== change.emoji);
        if (!change.removed) mine.push(change.emoji);
        merged.own = { ...own, reactions: mine.sort(byBytes) };
    }
    return emptyIfGone(merged);
}

/** Orders texts by their UTF-8, as the server does: by code points. */
function byBytes(a: string, b: string): number {
    const [left, right] = [[...a], [...b]];
    for (let at = 0; at < left.length && at < right.length; at++) {
        const difference = left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
        if (difference !== 0) return difference;
    }
    return left.length - right.length;
}

/** Merges my state of a message: starred, hidden. */
export function mergeMessageState(held: Message, state: MessageState): Message {
    return emptyIfGone({ ...held, own: { ...(held.own ?? noOwn), starred: state.starred, hidden: state.hidden } });
}

/** Whether a message is gone: deleted for everyone or for me, or disappeared. */
export function isGone(message: Message, nowUs: number): boolean {
    return (
        message.deleted_at_us !== 0 ||
        (message.own?.hidden ?? false) ||
        (message.expires_at_us !== 0 && message.expires_at_us <= nowUs)
    );
}

/**
 * Empties a deleted or hidden message, as replies do. It keeps its conversation, seq, id, sender, times and thread.
 * @param message a copy.
 */
function emptyIfGone(message: Message): Message {
    const isHidden = message.own?.hidden ?? false;
    if (message.deleted_at_us === 0 && !isHidden) return message;
    Object.assign(message, { text: "", mentions: [], reactions: [], forwarded_from: "", edited_at_us: 0 });
    delete message.media;
    if (isHidden) message.own = { ...noOwn, hidden: true };
    else delete message.own;
    return message;
}

/** Without an own state that is empty, which is the same as none. */
export function withoutEmptyOwn(message: Message): Message {
    const { own } = message;
    if (!own || own.starred || own.hidden || own.reactions.length > 0) return message;
    const kept = { ...message };
    delete kept.own;
    return kept;
}

/** A message of a reply: without `own`, there is none. */
export function fromReply(message: Message): Message {
    return message.own ? message : { ...message, own: noOwn };
}

/** Merges how many people come after answers of others. An event that is as new has these counts, or later ones. */
export function mergeEventCounts(held: Event, counts: EventCounts): Event {
    if (counts.position <= held.position) return held;
    const { position, accepted, tentative, declined, coming } = counts;
    return { ...held, position, accepted, tentative, declined, coming };
}

/** Merges another receipt of the same person: the larger value of each field is valid. */
export function mergeReceipt(held: Receipt, other: Receipt): Receipt {
    return {
        ...held,
        read_seq: Math.max(held.read_seq, other.read_seq),
        delivered_seq: Math.max(held.delivered_seq, other.delivered_seq),
        read_at_us: Math.max(held.read_at_us, other.read_at_us),
        delivered_at_us: Math.max(held.delivered_at_us, other.delivered_at_us),
    };
}
