import { Client } from "../protocol/client";
import type { Credentials, CredentialStore, EndedSignIn } from "../protocol/session-types";
import type { ParleyOptions } from "./options";
import { endsSession, refusalOf } from "./refusal";

/** How long a failure inside of the server is waited out, in milliseconds. */
const restsFor = 30_000;
/** A request is repeated as long as the page is open. */
const forever = 1e12;

/** Ends sign-ins on this device without waiting for the server, and tells it as soon as it can be told. */
export class Farewells {
    /** What is not stored, since the store cannot. */
    private unkept: EndedSignIn[] = [];
    private client: Client | undefined;
    private telling: Promise<void> | undefined;
    private mustLookAgain = false;
    private rest: (() => void) | undefined;
    private readonly abort = new AbortController();

    /** @param lock the name of the lock with which one tab alone tells the server. */
    constructor(
        private readonly server: string, private readonly store: CredentialStore, private readonly lock: string,
        private readonly options: Pick<ParleyOptions, "name" | "webSocket">,
    ) {}

    /** Ends the sign-in of this device. The server is told by {@link tell}, or at the next start. */
    async leave(everywhere: boolean): Promise<void> {
        const { store } = this;
        if (store.leave) return store.leave(everywhere);
        const credentials = await store.load();
        await store.save(null);
        if (credentials) this.unkept.push({ credentials, everywhere });
    }

    /** The sign-ins of which the server is still to be told. */
    async pending(): Promise<readonly EndedSignIn[]> {
        return [...this.unkept, ...((await this.store.leaving?.()) ?? [])];
    }

    /** Tells the server of all of them. Resolves once it knows, or the page closes. */
    tell(): Promise<void> {
        this.mustLookAgain = true;
        this.telling ??= this.tellAll().catch(() => {
            // What cannot be read is read again at the next start.
        }).then(() => (this.telling = undefined));
        return this.telling;
    }

    private async tellAll(): Promise<void> {
        const locks = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
        while (this.mustLookAgain && !this.abort.signal.aborted) {
            this.mustLookAgain = false;
            if ((await this.pending()).length === 0) continue;
            if (locks) await locks.request(this.lock, { signal: this.abort.signal }, () => this.tellEach());
            else await this.tellEach();
        }
    }

    private async tellEach(): Promise<void> {
        for (const ended of await this.pending()) {
            if (!(await this.say(ended))) return;
            const { device } = ended.credentials;
            this.unkept = this.unkept.filter(({ credentials }) => credentials.device !== device);
            await this.store.forgetLeaving?.(device);
        }
    }

    /** Resolves once the server knows, or no longer takes this device for signed in; to false when the page closes. */
    private async say({ credentials, everywhere }: EndedSignIn): Promise<boolean> {
        let held: Credentials | null = credentials;
        const store = { load: async () => held, save: async (saved: Credentials | null) => void (held = saved) };
        const { name, webSocket } = this.options;
        while (!this.abort.signal.aborted) {
            const client = new Client(this.server, { name, store, ...(webSocket && { webSocket }) });
            this.client = client;
            try {
                await client.connect();
                await client.call("conversations.SignOut", credentials.user, { everywhere }, { repeatsFor: forever });
                return true;
            } catch (error) {
                if (endsSession(refusalOf(error))) return true;
            } finally {
                client.close();
            }
            await this.waitAWhile();
        }
        return false;
    }

    private waitAWhile(): Promise<void> {
        if (this.abort.signal.aborted) return Promise.resolve();
        return new Promise((resolve) => {
            const timer = setTimeout(resolve, restsFor);
            this.rest = () => {
                clearTimeout(timer);
                resolve();
            };
        });
    }

    /** The page closes. What the server does not know is told at the next start. */
    close(): void {
        this.abort.abort();
        this.client?.close();
        this.rest?.();
    }
}
