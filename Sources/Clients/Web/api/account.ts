import type { Client } from "../protocol/client";
import { Store } from "../store/store";
import { SyncMachine } from "../sync/machine";
import { syncOptions } from "../sync/options";
import { Committed, Committer } from "./committer";
import { Engine } from "./engine";
import type { StoreProblem } from "../store/problem";
import { TabNews, Tabs } from "./tabs";

/** What belongs to one person in this browser: their store, and what keeps it equal to what the server has. */
export class Account {
    committer!: Committer;
    engine: Engine | undefined;
    /** The version of the store that is shown, when another tab changes it. */
    seenVersion = 0;
    /** How far the server's clock is ahead of this device's, in microseconds, as it last was. */
    private offsetUs = 0;
    /** Whether the server told the time to a client that this account followed. */
    private wasTold = false;
    /** Whether it was seen whether the clock was ahead when the page was opened. */
    private isSettled = false;
    private client: Client | undefined;
    /** The conversations that are on a screen, or were a moment ago. */
    private lookedAt: string[] = [];
    /** Those looked at since the connection last changed. */
    private readonly shown = new Set<string>();

    private constructor(readonly me: string, readonly store: Store, readonly tabs: Tabs) {}

    /**
     * Opens what is stored of a person.
     * @param name that of the database; absent: everything is kept in memory.
     */
    static async open(
        me: string, name: string | undefined, lock: string, hear: (news: TabNews) => void, onLead: () => void,
    ): Promise<Account> {
        const store = name === undefined ? Store.inMemory() : await Store.open(databaseName(name, me));
        const tabs = store.isInMemory ? Tabs.alone() : await Tabs.join(`${lock} ${me}`, hear, onLead);
        const account = new Account(me, store, tabs);
        account.offsetUs = await store.read((rows) => rows.clockOffset()).catch(() => 0);
        return account;
    }

    /** Whether this tab keeps the store equal to what the server has. */
    get isLeading(): boolean {
        return this.tabs.isLeading;
    }

    /** The server's time in microseconds UTC, as far as is known. */
    get nowUs(): number {
        return this.client?.knowsTime ? this.client.serverNowUs() : Date.now() * 1000 + this.offsetUs;
    }

    /** Whether the server has told the time since the page was opened. */
    get isTimely(): boolean {
        this.wasTold = this.wasTold || this.client?.knowsTime === true;
        return this.wasTold;
    }

    /**
     * Notes the server's time, also for the next start without a connection.
     * @returns whether by the clock until now messages disappeared too early.
     */
    noteClock(client: Client): boolean {
        const offset = client.serverNowUs() - Date.now() * 1000;
        const wasAhead = !this.isSettled && this.offsetUs - offset > 60_000_000;
        this.isSettled = true;
        if (Math.abs(offset - this.offsetUs) >= 1_000_000) {
            this.offsetUs = offset;
            void this.store.write((rows) => rows.putClockOffset(offset)).catch(() => undefined);
        }
        return wasAhead;
    }

    /** Tells the other tabs that something is to be sent, or no longer. */
    tellUnsent(): void {
        this.tabs.tell({ type: "unsent" });
    }

    /** Begins to bring changes into the store. */
    commit(messagesMax: number, shown: (committed: Committed) => void, failed: (problem?: StoreProblem) => void): void {
        const tell = (committed: Committed) => {
            const { effects, presence, ownPresence, typing } = committed;
            if (effects.length > 0) this.tabs.tell({ type: "stored" });
            if (presence.length + ownPresence.length + typing.size > 0) {
                this.tabs.tell({ type: "news", presence, ownPresence, typing: [...typing] });
            }
            shown(committed);
        };
        this.committer = new Committer(this.store, this.me, messagesMax, () => this.nowUs, tell, failed);
    }

    /** Goes on from where the store stands. */
    async follow(client: Client): Promise<void> {
        if (this.client) return;
        this.client = client;
        const [streams, records, paged] = await this.store.read((rows) =>
            Promise.all([rows.streams(), rows.records(), rows.paged()]));
        if (this.client !== client) return;
        // A conversation's messages are read when it is looked at.
        const seed = Math.floor(Math.random() * 2 ** 32);
        const options = { ...syncOptions, loading: 0, readsWhenLookedAt: true, seed } as const;
        const machine = new SyncMachine(streams, records, options);
        this.engine = new Engine(client, machine, this.committer, paged);
        for (const id of this.lookedAt) void this.engine.look(id);
    }

    /** Reads what was missed of a conversation, now and after each reconnect. */
    async look(id: string): Promise<void> {
        this.noteLook(id);
        await this.engine?.look(id);
    }

    /** A conversation that was shown before is shown again. Once in each session it counts as looked at. */
    lookAgain(id: string): void {
        if (!this.shown.has(id)) void this.look(id);
    }

    /** Another session begins, or none is left: nothing was looked at in it yet. */
    connectionChanged(): void {
        this.shown.clear();
    }

    private noteLook(id: string): void {
        this.shown.add(id);
        this.lookedAt = [...this.lookedAt.filter((other) => other !== id).slice(-49), id];
    }

    /** Keeps the store as it is. */
    stopFollowing(): void {
        this.engine?.stop();
        if (this.client && this.isTimely) this.offsetUs = this.client.serverNowUs() - Date.now() * 1000;
        [this.engine, this.client] = [undefined, undefined];
    }

    async close(): Promise<void> {
        this.stopFollowing();
        await this.committer.close();
        await this.store.close();
        this.tabs.close();
    }
}

/** The name of a person's database. */
export function databaseName(name: string, me: string): string {
    return `${name} ${me}`;
}
