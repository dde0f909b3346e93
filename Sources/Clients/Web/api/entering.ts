import type { Client } from "../protocol/client";
import type { SignedIn } from "../protocol/generated/messages";
import { StoreProblem } from "../store/problem";
import { ParleyCore } from "./core";
import { Refusal, offline, wasClosed } from "./refusal";

/** Signing in. */
export class ParleyEntering extends ParleyCore {
    /** @internal The client that signs in; it is there unless another tab leads. */
    async entrance(): Promise<Client> {
        if (this.isClosed) throw wasClosed();
        const { problem } = this.state;
        if (problem?.code === "other_server") throw problem;
        if (this.client?.state.phase === "stopped") this.disconnect();
        if (!this.client) await this.connect();
        if (!this.client) throw this.state.problem ?? offline();
        return this.client;
    }

    /**
     * @internal Signs in over the client. Until the person who signs in is shown, nothing is sent or stored for the
     * one who is.
     * @throws Refusal `already_signed_in`
     */
    async enter(body: (client: Client) => Promise<SignedIn>): Promise<void> {
        if (this.state.isSigningIn || (this.account && !this.ending)) {
            throw new Refusal("already_signed_in", "Somebody is signed in here. Sign out first, or open Parley with "
                + "the option user or database for another person.");
        }
        this.set({ isSigningIn: true });
        try {
            const client = await this.entrance();
            this.account?.stopFollowing();
            const signedIn = await body(client);
            await this.entered(client, signedIn.user?.id ?? "");
        } finally {
            this.set({ isSigningIn: false });
        }
    }

    /** Shows the person who has signed in. */
    protected async entered(client: Client, user: string): Promise<void> {
        this.set({ problem: undefined });
        const before = this.account?.me;
        if (before !== user) this.account?.stopFollowing();
        await this.openAccount(user);
        if (before !== undefined && before !== user && !this.options.keepsEndedAccounts) {
            await this.removeStored(before).catch((error: unknown) =>
                this.set({ storageProblem: StoreProblem.of(error).refusal }));
        }
        if (!this.account?.isLeading) {
            this.disconnect();
            this.set({ connection: "elsewhere" });
            return;
        }
        await this.account.follow(client);
        this.outbox.sender.drain();
    }
}
