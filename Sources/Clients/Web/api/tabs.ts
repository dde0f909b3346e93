import type { OwnPresence, PresenceState } from "../protocol/generated/messages";

/** What one tab tells the others with the same storage. */
export type TabNews =
    /** It has stored something. */
    | { type: "stored" }
    /** Something is to be sent, or no longer. */
    | { type: "unsent" }
    /** What the person does in it. */
    | { type: "activity"; isInForeground: boolean; conversation: string }
    /** It signed out, and removes what is stored of the person. */
    | { type: "signedOut" }
    /** What is not stored: who is online, and who is typing. */
    | { type: "news"; presence: readonly PresenceState[]; ownPresence: readonly OwnPresence[];
        typing: readonly (readonly [conversation: string, users: readonly string[]])[] }
    /** The tab that leads is asked to make a request. */
    | { type: "ask"; id: string; method: string; key: string; body: Uint8Array }
    /** The tab that leads is asked to drop something that is not sent: it knows what is under way. */
    | { type: "drop"; id: string; unsent: string }
    /** The tab that leads is asked to read a page of messages into the storage. */
    | { type: "read"; id: string; conversation: string; page: unknown; limit: number }
    | { type: "answer"; id: string; body?: Uint8Array; problem?: { code: string; message: string; field: string } };

/**
 * The tabs of a browser that share what is stored of a person. One leads: it holds the connection, and sends what all
 * of them did. When it is closed or killed, another one takes over.
 */
export class Tabs {
    private channel: BroadcastChannel | undefined;
    private release: (() => void) | undefined;
    private readonly abort = new AbortController();
    private leads = false;

    private constructor() {}

    /** Whether this tab leads. */
    get isLeading(): boolean {
        return this.leads;
    }

    /** A tab that shares nothing. */
    static alone(): Tabs {
        const tabs = new Tabs();
        tabs.leads = true;
        return tabs;
    }

    /**
     * Joins the tabs with a name.
     * @param onLead called when this tab takes over later.
     */
    static async join(name: string, hear: (news: TabNews) => void, onLead: () => void): Promise<Tabs> {
        const locks = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
        // Without locks nobody knows of other tabs; the server takes what each sends once.
        if (!locks || !globalThis.BroadcastChannel) return Tabs.alone();
        const tabs = new Tabs();
        tabs.channel = new BroadcastChannel(name);
        tabs.channel.onmessage = (event: MessageEvent<TabNews>) => hear(event.data);
        await new Promise<void>((resolve) => {
            void locks.request(name, { ifAvailable: true }, (lock) => {
                if (!lock) {
                    resolve();
                    return undefined;
                }
                tabs.leads = true;
                resolve();
                return tabs.held();
            });
        });
        if (!tabs.leads) {
            locks.request(name, { signal: tabs.abort.signal }, () => {
                tabs.leads = true;
                onLead();
                return tabs.held();
            }).catch(() => {
                // It was closed while it waited.
            });
        }
        return tabs;
    }

    private held(): Promise<void> {
        return new Promise((resolve) => (this.release = resolve));
    }

    /** Tells the other tabs. */
    tell(news: TabNews): void {
        this.channel?.postMessage(news);
    }

    /** Shares nothing any longer, and goes on alone. */
    leave(): void {
        this.close();
        this.leads = true;
    }

    /** Lets another tab lead. */
    close(): void {
        this.abort.abort();
        this.release?.();
        if (this.channel) this.channel.onmessage = null;
        this.channel?.close();
        this.channel = undefined;
        this.leads = false;
    }
}
