import type { Gap, Message } from "./values";

/** A range of numbers, both ends included. */
export type Span = readonly [first: number, last: number];

/** Returns ranges, which ascend and do not touch, with another one. */
export function addSpan(spans: readonly Span[], span: Span | undefined): Span[] {
    if (!span) return [...spans];
    const merged: Span[] = [];
    for (const next of [...spans, span].sort((one, other) => one[0] - other[0])) {
        const last = merged[merged.length - 1];
        if (last && next[0] <= last[1] + 1) merged[merged.length - 1] = [last[0], Math.max(last[1], next[1])];
        else merged.push(next);
    }
    return merged;
}

/** Which messages of a conversation are loaded: all from a number on, and ranges of older ones. */
export class LoadedRanges {
    private constructor(readonly from: number | undefined, readonly islands: readonly Span[]) {}

    static readonly none = new LoadedRanges(undefined, []);

    static startingAt(first: number): LoadedRanges {
        return new LoadedRanges(first, []);
    }

    get isEmpty(): boolean {
        return this.from === undefined;
    }

    /** The lowest number that is loaded. */
    get first(): number | undefined {
        return this.islands[0]?.[0] ?? this.from;
    }

    /** What is missing between the ranges that are loaded. */
    get gaps(): Gap[] {
        const { from } = this;
        if (from === undefined) return [];
        return this.islands.map((island, index) => ({
            first: island[1] + 1, last: (this.islands[index + 1]?.[0] ?? from) - 1,
        }));
    }

    contains(seq: number): boolean {
        if (this.from === undefined) return false;
        return seq >= this.from || this.islands.some(([first, last]) => first <= seq && seq <= last);
    }

    /** Returns these with a range. */
    covering(range: Span): LoadedRanges {
        let { from } = this;
        if (from === undefined) return this;
        const merged = addSpan(this.islands, range);
        for (let last = merged[merged.length - 1]; last && last[1] + 1 >= from; last = merged[merged.length - 1]) {
            from = Math.min(from, last[0]);
            merged.pop();
        }
        return new LoadedRanges(from, merged);
    }

    /** Returns these without the ranges up to a number. */
    without(upTo: number): LoadedRanges {
        return new LoadedRanges(this.from, this.islands.filter((island) => island[1] > upTo));
    }
}

/**
 * The messages of a conversation that are in memory: those with numbers in ascending order, then those that the server
 * does not have yet. The list is never changed, so that whoever shows it sees at once that it is another one.
 */
export class HeldMessages {
    private copied = true;
    private list: Message[] = [];
    private ids = new Map<string, Message>();
    private unsent = 0;

    /** The messages, in order. A change makes another array. */
    get messages(): readonly Message[] {
        this.copied = false;
        return this.list;
    }

    get confirmedCount(): number {
        return this.list.length - this.unsent;
    }

    byID(id: string): Message | undefined {
        return this.ids.get(id);
    }

    bySeq(seq: number): Message | undefined {
        const found = this.list[this.place(seq)];
        return found?.seq === seq ? found : undefined;
    }

    at(index: number): Message | undefined {
        return this.list[index];
    }

    /** Returns where the message with a number is, or would be. */
    place(seq: number): number {
        let low = 0;
        let high = this.confirmedCount;
        // Most messages are newer than all others.
        if (high === 0 || this.list[high - 1]!.seq! < seq) return high;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.list[middle]!.seq! < seq) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** Inserts a message whose id is not here. One without a number goes to the end, another where its number says. */
    insert(message: Message): void {
        this.change();
        this.ids.set(message.id, message);
        if (message.seq === undefined) {
            this.unsent += 1;
            this.list.push(message);
        } else {
            this.list.splice(this.place(message.seq), 0, message);
        }
    }

    /** Puts a message in the place of the one with the same id, which has the same number. */
    replace(message: Message): void {
        const index = this.index(message.id);
        if (index < 0) return;
        this.change();
        this.ids.set(message.id, message);
        this.list[index] = message;
    }

    remove(id: string): void {
        const index = this.index(id);
        if (index < 0) return;
        this.change();
        this.ids.delete(id);
        const [removed] = this.list.splice(index, 1);
        if (removed?.seq === undefined) this.unsent -= 1;
    }

    /** Returns where a message is; -1: it is not here. */
    private index(id: string): number {
        const known = this.ids.get(id);
        if (!known) return -1;
        if (known.seq !== undefined) return this.place(known.seq);
        return this.list.indexOf(known, this.confirmedCount);
    }

    /** Removes messages. It costs as much as there are messages. */
    removeWhere(isRemoved: (message: Message) => boolean): string[] {
        const removed = this.list.filter(isRemoved).map((message) => message.id);
        if (removed.length > 0) this.fill(this.list.filter((message) => !isRemoved(message)));
        return removed;
    }

    /** Holds these messages instead of all, in any order. */
    fill(messages: readonly Message[]): void {
        const numbered = messages.filter((message) => message.seq !== undefined).sort((one, other) => one.seq! - other.seq!);
        const unsent = messages.filter((message) => message.seq === undefined);
        this.list = [...numbered, ...unsent];
        this.copied = true;
        this.unsent = unsent.length;
        this.ids = new Map(this.list.map((message) => [message.id, message]));
    }

    private change(): void {
        if (!this.copied) this.list = [...this.list];
        this.copied = true;
    }
}
