import type { Client } from "../protocol/client";
import type { SignedIn } from "../protocol/generated/messages";
import { ParleyCore } from "./core";
import { Refusal, offline } from "./refusal";

/** Signing in. */
export class ParleyEntering extends ParleyCore {
    private isEntering = false;

    /** The client that signs in; it is there unless another tab leads. */
    protected async entrance(): Promise<Client> {
        if (this.isClosed) throw new Refusal("closed", "Parley was closed. Open it again.");
        if (this.client?.state.phase === "stopped") this.disconnect();
        if (!this.client) await this.connect();
        if (!this.client) throw this.state.problem ?? offline();
        return this.client;
    }

    /**
     * Signs in over the client. Until the person who signs in is shown, nothing is sent or stored for the one who is.
     * @throws Refusal `already_signed_in`
     */
    protected async enter(body: (client: Client) => Promise<SignedIn>): Promise<void> {
        if (this.isEntering || (this.account && !this.ending)) {
            throw new Refusal("already_signed_in", "Somebody is signed in here. Sign out first, or open Parley with "
                + "the option user or database for another person.");
        }
        this.isEntering = true;
        try {
            const client = await this.entrance();
            this.account?.stopFollowing();
            const signedIn = await body(client);
            await this.entered(client, signedIn.user?.id ?? "");
        } finally {
            this.isEntering = false;
        }
    }

    /** Shows the person who has signed in. */
    protected async entered(client: Client, user: string): Promise<void> {
        this.set({ problem: undefined });
        if (this.account?.me !== user) this.account?.stopFollowing();
        await this.openAccount(user);
        if (!this.account?.isLeading) {
            this.disconnect();
            this.set({ connection: "elsewhere" });
            return;
        }
        await this.account.follow(client);
        this.outbox.sender.drain();
    }
}
