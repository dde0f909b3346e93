import type { Refusal } from "../api/refusal";
import type { Facts, Message, Section, SyncStatus, Unread } from "../api/values";

/** What only I see of a conversation. */
export interface OwnState {
    /** In microseconds UTC; 0: it is not pinned. */
    readonly pinnedAt: number;
    /** Until when it is muted, in microseconds UTC; 0: it is not; Infinity: without end. */
    readonly mutedUntil: number;
    readonly isArchived: boolean;
    readonly readUpTo: number;
    /** The first message that I may read and have not cleared. */
    readonly firstSeq: number;
    /** How long after sending messages disappear, in seconds; 0: never. */
    readonly retention: number;
    readonly unread: Unread;
}

/** The place of a conversation in a list: those pinned last come first, then those with the latest news. */
export interface Place {
    readonly pinnedAt: number;
    readonly activeAt: number;
    readonly id: string;
}

/** What lists and headers show of a conversation. */
export interface Summary {
    readonly id: string;
    /** Absent: they have not changed, or are not known. */
    readonly facts?: Facts;
    readonly own: OwnState;
    readonly last?: Message;
    /** Absent: it has not changed. */
    readonly draft?: string;
    /** Its list, together with whether it is archived; absent: none. */
    readonly section?: Section;
    readonly place: Place;
    /** Whether it was read as a whole. */
    readonly isWhole?: boolean;
    /** Whether the server has what I did with it. */
    readonly syncStatus: SyncStatus;
    readonly refusal?: Refusal;
}

export const nothingOwn: OwnState = {
    pinnedAt: 0, mutedUntil: 0, isArchived: false, readUpTo: 0, firstSeq: 1, retention: 0,
    unread: { messages: 0, mentions: 0, isMarked: false },
};

/** The key of a place in the index of a list: it ascends in the order of the list. */
export function placeKey(place: Place): readonly (number | string)[] {
    return [-place.pinnedAt, -place.activeAt, place.id];
}

export function comparePlaces(one: Place, other: Place): number {
    return other.pinnedAt - one.pinnedAt || other.activeAt - one.activeAt
        || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}
