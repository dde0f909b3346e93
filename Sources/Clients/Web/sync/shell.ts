import type { Client, Observer } from "../protocol/client";
import { monotonic } from "../protocol/client";
import type { ParleyError } from "../protocol/errors";
import type { SyncMachine } from "./machine";
import type { SyncAction, SyncQuestion, SyncReply, SyncRequest } from "./types";

/** The entries per page of a request that does not say how many. */
const pageSize = 200;

/**
 * The I/O around a SyncMachine: it hears what a client hears, makes the requests that the machine asks for, and wakes
 * it. What is to be stored and told goes to `apply`, for each input at once.
 */
export class SyncShell {
    private timer: ReturnType<typeof setTimeout> | undefined;
    private readonly leave: () => void;
    private isStopped = false;

    constructor(
        private readonly client: Client, readonly machine: SyncMachine,
        private readonly apply: (actions: readonly SyncAction[]) => void
    ) {
        const observer: Partial<Observer> = {
            began: (welcome) => this.take((sync, now) => sync.connected(welcome.user, welcome.cells, now)),
            ended: () => this.take((sync, now) => sync.disconnected(now)),
            update: (update) => this.take((sync, now) => sync.received(update, now)),
            learned: (content) => this.take((sync, now) => sync.learned(content, now)),
            unsure: (conversation) => this.take((sync, now) => sync.unsure(conversation, now)),
        };
        this.leave = client.add(observer);
    }

    /** Gives the machine an input, and does what it says. */
    take(input: (machine: SyncMachine, now: number) => readonly SyncAction[]): void {
        if (this.isStopped) return;
        const actions = input(this.machine, monotonic());
        for (const action of actions) {
            if (action.type === "ask") void this.ask(action.question);
            else if (action.type === "wake") this.wake(action.at);
        }
        if (actions.some((action) => action.type === "store" || action.type === "tell")) this.apply(actions);
    }

    /** Hears nothing more. */
    stop(): void {
        this.isStopped = true;
        clearTimeout(this.timer);
        this.leave();
    }

    private async ask({ number, request }: SyncQuestion): Promise<void> {
        let reply: SyncReply;
        try {
            reply = await this.client.call(request.method, request.key, withLimit(request) as never, { early: true });
        } catch (error) {
            return this.take((sync, now) => sync.failed(number, error as ParleyError, now));
        }
        this.take((sync, now) => sync.replied(number, reply, now));
    }

    private wake(at: number): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.take((sync, now) => sync.woke(now)), Math.max(0, at - monotonic()));
    }
}

/** The request with a size of pages, if it has pages and does not say. */
function withLimit({ method, request }: SyncRequest): SyncRequest["request"] {
    if (method === "messaging.UpdateMarks" || "limit" in request) return request;
    return { limit: pageSize, ...request };
}
