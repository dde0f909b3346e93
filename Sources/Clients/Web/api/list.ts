import { Place, Summary, comparePlaces } from "../store/summary";
import type { Conversation } from "./conversation";
import { Observable } from "./observable";
import type { Section } from "./values";

/**
 * A list of my conversations, in the order in which an app shows them: those pinned last come first, then those with
 * the latest news. It changes when a conversation comes, goes or moves; what a conversation contains is observed on the
 * conversation.
 */
export class ConversationList extends Observable {
    private shown: readonly Conversation[] = [];
    private places: Place[] = [];
    private readonly known = new Map<string, Place>();
    private more = true;
    private cached = true;
    /** Up to where all is loaded. */
    private end: Place | undefined;
    /** @internal */
    loadPage: ((after: Place | undefined) => Promise<void>) | undefined;

    /** @internal */
    constructor(readonly section: Section, readonly isArchived = false) {
        super();
    }

    /** The conversations that are loaded; see {@link hasMore}. A change makes another array. */
    get conversations(): readonly Conversation[] {
        return this.shown;
    }

    /** Whether there are more than those that are loaded. */
    get hasMore(): boolean {
        return this.more;
    }

    /** Whether what it shows has not been confirmed by the server since the page was opened. */
    get isFromCache(): boolean {
        return this.cached;
    }

    /** Loads the next conversations, if there are more. */
    async loadMore(): Promise<void> {
        if (this.more) await this.loadPage?.(this.end);
    }

    /**
     * @internal Shows the next conversations.
     * @param end up to where they are all that the store has.
     */
    show(page: readonly [Conversation, Place][], end: Place | undefined, hasMore: boolean): void {
        this.more = hasMore;
        this.end = end ?? this.end;
        for (const [conversation, place] of page) this.place(conversation, place);
        this.touch();
    }

    /** @internal Whether a conversation belongs here. */
    has(summary: Summary): boolean {
        return summary.section === this.section && summary.own.isArchived === this.isArchived;
    }

    /** @internal Takes what changed about a conversation: it may come, go or move. */
    take(summary: Summary, conversation: Conversation): void {
        // What comes after the last one that is loaded is loaded with its page.
        const isLoaded = !this.more || (this.end !== undefined && comparePlaces(summary.place, this.end) <= 0);
        if (this.has(summary) && isLoaded) this.place(conversation, summary.place);
        else this.remove(summary.id);
    }

    /** @internal */
    confirm(): void {
        if (!this.cached) return;
        this.cached = false;
        this.touch();
    }

    /** @internal */
    empty(): void {
        [this.shown, this.places, this.more, this.cached, this.end] = [[], [], true, true, undefined];
        this.known.clear();
        this.touch();
    }

    /** @internal Returns the place of a conversation; absent if it is not here. */
    placeOf(id: string): Place | undefined {
        return this.known.get(id);
    }

    private place(conversation: Conversation, place: Place): void {
        const before = this.known.get(conversation.id);
        if (before && comparePlaces(before, place) === 0) return;
        this.remove(conversation.id);
        const index = this.index(place);
        this.known.set(conversation.id, place);
        this.places.splice(index, 0, place);
        this.shown = [...this.shown.slice(0, index), conversation, ...this.shown.slice(index)];
        this.touch();
    }

    private remove(id: string): void {
        const place = this.known.get(id);
        if (!place) return;
        const index = this.index(place);
        this.known.delete(id);
        this.places.splice(index, 1);
        this.shown = this.shown.filter((conversation) => conversation.id !== id);
        this.touch();
    }

    /** Returns where a place is, or belongs. */
    private index(place: Place): number {
        let low = 0;
        let high = this.places.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (comparePlaces(this.places[middle]!, place) < 0) low = middle + 1;
            else high = middle;
        }
        return low;
    }
}
