import { decode, encode } from "./codec";
import type { Given } from "./codec";
import type { ParleyError } from "./errors";
import type { Request, SignedIn } from "./generated/messages";
import { credentialsOf } from "./session-types";
import type { Credentials, SessionAction } from "./session-types";

/** An access token that ends sooner, in microseconds, is exchanged before it is used. */
const accessLeastUs = 15_000_000;

/** New tokens under way. */
interface Refresh {
    step: "locking" | "asking" | "saving" | "authenticating";
    /** The id of the request. */
    id: number;
    /** When the server should have answered; null: it is not asked. */
    due: number | null;
}

/**
 * The tokens of a session machine, and how they are exchanged: under a lock that all tabs share, stored before they are
 * used. A part of the machine.
 */
export class Tokens {
    credentials: Credentials | null = null;
    /** The access token. */
    access = "";
    private refresh: Refresh | null = null;
    private isLocked = false;

    /** @param within how long the server has to answer, in milliseconds. */
    constructor(private readonly push: (action: SessionAction) => void, private readonly within: number) {}

    /** When the server should have answered; null: it is not asked. */
    get due(): number | null {
        return this.refresh?.due ?? null;
    }

    restore(credentials: Credentials | null, access: string): void {
        this.credentials = credentials;
        this.access = credentials?.access_token ?? access;
    }

    /** Whether the access token is of no use any more, or soon. */
    endSoon(nowUs: number): boolean {
        return this.credentials !== null && this.credentials.access_ends_us < nowUs + accessLeastUs;
    }

    /** Begins to exchange the tokens. */
    begin(): void {
        if (this.refresh || this.credentials === null) return;
        this.refresh = { step: "locking", id: 0, due: null };
        this.push({ type: "lock" });
    }

    /**
     * The lock is held.
     * @param saved what the store has.
     * @param id of the request, if one is made.
     */
    locked(saved: Credentials | null, id: number, nowUs: number, now: number): void {
        this.isLocked = true;
        const held = this.credentials;
        if (this.refresh?.step !== "locking" || held === null) return this.unlock();
        if (saved !== null && saved.device === held.device && saved.refresh_token !== held.refresh_token) {
            // Another tab exchanged them meanwhile.
            this.restore(saved, "");
            if (saved.access_ends_us > held.access_ends_us && !this.endSoon(nowUs)) {
                this.unlock();
                return this.authenticate(now);
            }
        }
        this.refresh = { step: "asking", id, due: now + this.within };
        const { user, refresh_token } = this.credentials!;
        const body = encode("RefreshTokensRequest", { refresh_token });
        const request: Given<Request> = { id, method: "conversations.RefreshTokens", key: user, body };
        this.push({ type: "send", frame: { request } });
    }

    /** Whether a reply is to the request for new tokens. */
    isAsking(id: number): boolean {
        return this.refresh?.step === "asking" && this.refresh.id === id;
    }

    /** Takes the reply. Returns what is wrong with it; null: nothing. */
    replied(body: Uint8Array): ParleyError | null {
        try {
            this.take(decode("SignedIn", body));
            return null;
        } catch (error) {
            return error as ParleyError;
        }
    }

    /** Takes new tokens, to be stored. */
    take(signedIn: SignedIn): void {
        const fresh = credentialsOf(signedIn);
        const before = this.credentials;
        // What shows that the person was here before stays.
        const known_device = fresh.known_device || (before?.user === fresh.user ? before.known_device : "");
        this.restore({ ...fresh, username: fresh.username || (before?.username ?? ""), known_device }, "");
        this.refresh = { step: "saving", id: 0, due: null };
        this.push({ type: "save", credentials: this.credentials });
    }

    /**
     * The tokens are durable.
     * @param isGreeted whether there is a session to sign in with them. The next one says hello with them otherwise.
     */
    saved(isGreeted: boolean, now: number): void {
        this.unlock();
        if (this.refresh?.step !== "saving") return;
        if (isGreeted) this.authenticate(now);
        else this.refresh = null;
    }

    private authenticate(now: number): void {
        this.refresh = { step: "authenticating", id: 0, due: now + this.within };
        this.push({ type: "send", frame: { authenticate: { token: this.access } } });
    }

    /** The session is signed in with them, or it failed. */
    end(): void {
        this.refresh = null;
        this.unlock();
    }

    /** The session ended. What is being saved is saved all the same. */
    leave(): void {
        if (this.refresh?.step !== "saving") this.unlock();
        this.refresh = null;
    }

    private unlock(): void {
        if (!this.isLocked) return;
        this.isLocked = false;
        this.push({ type: "unlock" });
    }
}
