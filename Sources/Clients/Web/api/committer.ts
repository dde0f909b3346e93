import type { OwnPresence, PresenceState } from "../protocol/generated/messages";
import { StoreBatch, StoreEffect, StoreInput } from "../store/batch";
import { StoreProblem } from "../store/problem";
import type { Store } from "../store/store";
import { mustAsk } from "../sync/unread";

/** What goes into the store and then to the app, in order. */
export type CommitItem =
    | StoreInput
    /** All Updates missed before are stored. */
    | { type: "confirmed" }
    | { type: "presence"; state: PresenceState }
    | { type: "ownPresence"; state: OwnPresence }
    /** These people are typing in a conversation. */
    | { type: "typing"; users: readonly string[]; conversation: string }
    /** Called when everything queued before it is stored and shown; with the error if storing failed. */
    | { type: "done"; body: (problem: StoreProblem | undefined) => void };

/** What a commit makes different for an app. */
export interface Committed {
    effects: readonly StoreEffect[];
    presence: readonly PresenceState[];
    /** Who is typing, by conversation. */
    typing: ReadonlyMap<string, readonly string[]>;
    ownPresence: readonly OwnPresence[];
    isConfirmed: boolean;
    /** Conversations whose unread counts may be wrong. */
    doubtful: readonly string[];
}

/** The most changes of one transaction, apart from those of one input. */
const changesMax = 1000;
const retryEvery = 1000;

/**
 * Brings changes into a store, then to the app, in order and together with all that gathered meanwhile. The changes of
 * one input stay in one transaction.
 */
export class Committer {
    private waiting: (readonly CommitItem[])[] = [];
    private isCommitting = false;
    private isClosed = false;
    /** How many messages each conversation got since it was last shortened. */
    private readonly stored = new Map<string, number>();

    /**
     * @param messagesMax the messages kept of each conversation.
     * @param shown called with each commit.
     * @param failed called when the store cannot be written, and with nothing when it can again.
     */
    constructor(
        private readonly store: Store, private readonly me: string, private readonly messagesMax: number,
        private readonly nowUs: () => number, private readonly shown: (committed: Committed) => void,
        private readonly failed: (problem: StoreProblem | undefined) => void,
    ) {}

    /** Adds the changes of one input. After `close` they are ignored. */
    add(items: readonly CommitItem[]): void {
        if (items.length === 0) return;
        if (this.isClosed) {
            for (const item of items) if (item.type === "done") item.body(new StoreProblem("other", "it was closed"));
            return;
        }
        this.waiting.push(items);
        if (!this.isCommitting) void this.run();
    }

    /** Adds changes, and waits until they and all that was added before are stored and shown. */
    flush(items: readonly CommitItem[] = []): Promise<StoreProblem | undefined> {
        return new Promise((resolve) => this.add([...items, { type: "done", body: resolve }]));
    }

    /** Waits until all that was added is stored and shown, then takes nothing more. */
    async close(): Promise<void> {
        await this.flush();
        this.isClosed = true;
    }

    private next(): CommitItem[] {
        const items: CommitItem[] = [];
        let count = 0;
        for (const group of this.waiting) {
            if (count > 0 && items.length >= changesMax) break;
            items.push(...group);
            count += 1;
        }
        this.waiting.splice(0, count);
        return items;
    }

    private async run(): Promise<void> {
        this.isCommitting = true;
        for (let items = this.next(); items.length > 0; items = this.next()) await this.commitUntilStored(items);
        this.isCommitting = false;
    }

    private async commitUntilStored(given: CommitItem[]): Promise<void> {
        let items = given;
        let wasFailing = false;
        while (items.length > 0) {
            let problem: StoreProblem | undefined;
            let committed: Committed | undefined;
            try {
                committed = await this.commit(items);
            } catch (error) {
                problem = StoreProblem.of(error);
            }
            if (committed) {
                try {
                    this.shown(committed);
                } catch (defect) {
                    // It holds up nothing that follows.
                    console.error(defect);
                }
            } else {
                // What came meanwhile waits for the same.
                items = [...items, ...this.waiting.splice(0).flat()];
            }
            for (const item of items) if (item.type === "done") item.body(problem);
            if (!problem) {
                if (wasFailing) this.failed(undefined);
                return;
            }
            wasFailing = true;
            this.failed(problem);
            // Each is told once, and waits no more.
            items = items.filter((item) => item.type !== "done");
            if (this.isClosed) return;
            if (items.length > 0) await new Promise((resolve) => setTimeout(resolve, retryEvery));
        }
    }

    /** Stores changes in one transaction. */
    private async commit(items: readonly CommitItem[]): Promise<Committed> {
        const inputs = items.filter((item): item is StoreInput =>
            ["change", "span", "forgetSpans", "sent"].includes(item.type));
        const all = <Type extends CommitItem["type"]>(type: Type) =>
            items.filter((item): item is Extract<CommitItem, { type: Type }> => item.type === type);
        const presence = all("presence").map(({ state }) => state);
        const ownPresence = all("ownPresence").map(({ state }) => state);
        const typing = new Map(all("typing").map(({ conversation, users }) => [conversation, users]));
        const isConfirmed = all("confirmed").length > 0;
        const rest = { presence, ownPresence, typing, isConfirmed };
        if (inputs.length === 0) return { effects: [], doubtful: [], ...rest };
        const nowUs = this.nowUs();
        const trims = this.trims();
        const { effects, stored } = await this.store.write(async (rows) => {
            const batch = new StoreBatch(rows, this.me);
            await batch.load(inputs);
            for (const input of inputs) batch.apply(input);
            return { effects: await batch.finish(nowUs, trims), stored: batch.stored };
        });
        for (const id of trims.keys()) this.stored.delete(id);
        for (const [id, count] of stored) this.stored.set(id, (this.stored.get(id) ?? 0) + count);
        const doubtful = inputs.flatMap((input) => {
            if (input.type !== "change" || input.change.type !== "record") return [];
            return mustAsk(input.change.record.unread, nowUs) ? [input.change.record.id] : [];
        });
        return { effects, doubtful, ...rest };
    }

    /** Returns the conversations that got a tenth of what is kept since they were last shortened. */
    private trims(): Map<string, number> {
        const grown = [...this.stored].filter(([, count]) => count > this.messagesMax / 10);
        return new Map(grown.map(([id]) => [id, this.messagesMax]));
    }
}
