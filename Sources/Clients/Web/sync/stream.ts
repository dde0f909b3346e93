import type { Content } from "../protocol/states";
import type { StoredStream, SyncChange, SyncRequest } from "./types";

/** The history that is read before a stream goes on from a position. */
export interface Reading {
    /** The stream's position and epoch once all is read. */
    readonly position: number;
    readonly epoch: string;
    request: SyncRequest;
    /** Whether later changes are requested afterwards. */
    continues: boolean;
}

/** A stream as a SyncMachine follows it: what it remembers, and the Updates that wait for earlier ones. */
export class SyncStream {
    /** Whether it is read from its beginning, since this version knows kinds that were not known when it was read. */
    isReadAnew = false;
    /** Later Updates by position; null: of a kind that is not known. */
    private readonly held = new Map<number, Content | null>();
    /** Up to which position Updates were dropped since a reply said to start over: they may be later than the reply. */
    private droppedTo = 0;
    /**
     * Up to which position Updates of this session were not new. If the server starts over they may have been: of the
     * new epoch, and faster than the reply.
     */
    private ignoredTo = 0;
    /** When the missing Updates are requested; null: none are. */
    dueAt: number | null = null;
    reading: Reading | null = null;
    /** How often the server has said to start over since the changes were last complete. */
    restarts = 0;
    /**
     * Of a stream of messaging's own states, the position that the next page of a Sync begins at; null: no page came.
     */
    pageSince: number | null = null;
    /** The conversations that the pages of this Sync have returned. */
    readonly pageEntries = new Set<string>();
    /** Whether this Sync lists all conversations, as nothing was held. */
    isListing = false;
    /**
     * My states of messages, and reactions to them, that came while a request for the messages was under way: they are
     * newer than the reply.
     */
    meanwhile: SyncChange[] = [];

    constructor(readonly stored: StoredStream) {}

    /** Whether later Updates are held. */
    get hasGap(): boolean {
        return this.held.size > 0;
    }

    /**
     * Holds an Update, unless it is applied or held already.
     * @param max when more are held they are dropped, since a request brings them again.
     */
    hold(content: Content | null, position: number, max: number): void {
        if (position <= this.stored.position) {
            this.ignoredTo = Math.max(this.ignoredTo, position);
            return;
        }
        if (this.held.size >= max) this.held.clear();
        this.held.set(position, content);
    }

    /** Returns the next Update if it has come, and moves the position. */
    next(): { readonly content: Content | null } | undefined {
        const position = this.stored.position + 1;
        const content = this.held.get(position);
        if (content === undefined) return undefined;
        this.held.delete(position);
        this.stored.position = position;
        return { content };
    }

    /** Puts an Update back that cannot be applied. */
    putBack(content: Content | null): void {
        this.held.set(this.stored.position, content);
        this.stored.position--;
    }

    /** Forgets the requests under way. */
    endSession(): void {
        this.meanwhile = [];
        this.ignoredTo = 0;
        this.endPages();
    }

    /** Ends a Sync of several pages. */
    endPages(): void {
        this.pageSince = null;
        this.pageEntries.clear();
        this.isListing = false;
    }

    /** Drops the Updates held, which a request brings again. */
    dropHeld(): void {
        this.held.clear();
        this.dueAt = null;
    }

    /** Drops the Updates held, which may be of another epoch, and goes back to the beginning. */
    startOver(): void {
        this.droppedTo = Math.max(this.ignoredTo, ...this.held.keys());
        this.dropHeld();
        this.stored.position = 0;
        this.stored.cursor = "";
    }

    /**
     * Returns whether it dropped Updates that are beyond its position, which a request brings again. It says so once.
     */
    dropsLaterUpdates(): boolean {
        const dropped = this.droppedTo;
        this.droppedTo = 0;
        return dropped > this.stored.position;
    }

    /** Moves to a position that a reply reached, in this epoch. */
    reach(position: number, epoch: string): void {
        this.stored.epoch = epoch;
        this.stored.position = position;
        for (const held of [...this.held.keys()]) if (held <= position) this.held.delete(held);
    }
}
