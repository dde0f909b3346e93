import type { Summary } from "../store/summary";
import type { Parley } from "./parley";

/** So many conversations fit into a request. */
const marksMax = 100;

/**
 * Tells the server which messages of others have reached this device, of all conversations together and at most once a
 * second: then their authors see that they were delivered. What could not be told is told with what arrives later.
 */
export class DeliveredMarks {
    private readonly told = new Map<string, number>();
    private readonly waiting = new Map<string, number>();
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(private readonly parley: Parley) {}

    /** Notes what a conversation has now. Requests of people whom I have not accepted learn nothing. */
    note({ id, section, last, own }: Summary): void {
        const { account, me } = this.parley;
        const seq = last?.seq;
        // The tab that leads tells.
        if (!account?.engine || section !== "inbox" || seq === undefined || !last?.sender || last.sender === me) return;
        if (seq <= Math.max(this.told.get(id) ?? 0, this.waiting.get(id) ?? 0, own.readUpTo)) return;
        this.waiting.set(id, seq);
        this.tell();
    }

    /** Tells what waits, a second later. */
    tell(): void {
        if (this.timer !== undefined || this.waiting.size === 0) return;
        this.timer = setTimeout(() => void this.tellAll(), 1000);
    }

    private async tellAll(): Promise<void> {
        const { parley, timer } = this;
        const marks = [...this.waiting].slice(0, marksMax);
        try {
            if (parley.connection !== "online") return;
            await parley.ask("messaging.UpdateMarks", parley.me ?? "", {
                marks: marks.map(([conversation, delivered_seq]) => ({ conversation, delivered_seq })),
            });
            if (timer !== this.timer) return;
            for (const [id, seq] of marks) {
                this.told.set(id, seq);
                if (this.waiting.get(id) === seq) this.waiting.delete(id);
            }
        } catch {
            // The next session tells.
            return;
        } finally {
            if (timer === this.timer) this.timer = undefined;
        }
        this.tell();
    }

    /** The messages of a conversation are numbered anew, or it came back. */
    forget(id: string): void {
        this.told.delete(id);
        this.waiting.delete(id);
    }

    /** Forgets everything: somebody else may sign in. */
    stop(): void {
        clearTimeout(this.timer);
        this.timer = undefined;
        this.told.clear();
        this.waiting.clear();
    }
}
