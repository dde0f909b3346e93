import type { Client } from "../protocol/client";
import { identityEnums, identityMessages, identityMethods } from "../protocol/generated/identities";
import type { Given } from "../protocol/codec";
import type { ListIdentitiesReply, SignedIn } from "../protocol/generated/messages";
import { enumTables, messageTables } from "../protocol/generated/tables";
import type { Method, Methods } from "../protocol/generated/methods";
import { methods, readMethods } from "../protocol/methods";
import { IDs } from "../protocol/uuid";
import { beginPage, forgetPage, pageBegun } from "./identity-page";
import type { Parley } from "./parley";
import { findProof, sha256 } from "./proof";
import { Refusal, refusalOf, signedOut } from "./refusal";
import { date } from "./values";

/** Who says who people are here: a company's directory, or somebody with whom they have an account. */
export interface Issuer {
    /** The operator's word for it: "google". */
    name: string;
    /** Whether somebody new may come from it. */
    makesAccounts: boolean;
    /** Whether it signs people in on a page: `begin`. */
    hasPage: boolean;
}

/** Me as an issuer knows me, which signs me in. */
export interface Identity {
    id: string;
    /** The operator's word for the issuer; empty: it signs nobody in any more. */
    issuer: string;
    /** The address or name by which I know it. */
    label: string;
    linkedAt: Date;
    lastUsedAt: Date;
}

/** What signs me in. */
export interface WaysIn {
    /** The oldest first. */
    identities: Identity[];
    hasPassword: boolean;
}

/** What a new account takes besides, and what this device is called. */
export interface Newcomer {
    /** Of somebody of whom the issuer tells no name; of a guest empty: "Guest" and a number. */
    displayName?: string;
    deviceName?: string;
    /** The code with which a new account may register, where the server asks for one. */
    code?: string;
    /** The token of the server's page against programs, where it asks for one. Work is done without it. */
    proof?: string;
}

/**
 * What shows that I ask, and not somebody at my open computer: my password; a new token of one of my identities; or
 * the address to which the browser came back from an issuer's page. A guest has nothing to show: `{}`.
 */
export type Owner =
    | { password: string } | { token: string; nonce?: string } | { address: string } | Record<string, never>;

/** A sign-in of this device that waits for another one of mine. */
export interface DeviceLink {
    /** For the other device, to scan or to type. */
    code: string;
    endsAt: Date;
    /** @internal */
    secret: string;
}

/** A lost reply may be asked for again within a minute. */
const repeatsFor = 30_000;

/** Refusals after which what a page brought back may be sent again. */
const mayGoOn = ["registration_code_refused", "proof_required", "wrong_credentials", "owner_unproven", "offline",
    "connection_lost", "unavailable", "rate_limited"];

/**
 * Other ways to sign in than by a password that one remembers: issuers, mailed codes, other devices, none at all.
 *
 *     const identities = new Identities(parley);
 *     const [issuer] = (await identities.offers()).issuers.filter(({ hasPage }) => hasPage);
 *     location.href = await identities.begin(issuer.name, "https://chat.example.com/signed-in");
 *
 * The operator lists the address to which the browser comes back. There:
 *
 *     if (await identities.finish(location.href)) history.replaceState(null, "", "/");
 *
 * Make it in every tab that is open: the one that holds the connection asks for all of them.
 */
export class Identities {
    constructor(private readonly parley: Parley) {
        // Here, so that a page without this class has nothing of it.
        Object.assign(messageTables, identityMessages);
        Object.assign(enumTables, identityEnums);
        Object.assign(methods, readMethods(identityMethods));
    }

    // MARK: Issuers

    /** Returns whose tokens or pages sign people in here, and whether guests may come. */
    async offers(): Promise<{ issuers: Issuer[]; guests: boolean }> {
        const { issuers, guests } = await (await this.parley.entrance()).call("conversations.ListIssuers", "", {});
        return {
            guests, issuers: issuers.map(({ name, makes_accounts: makesAccounts, pages: hasPage }) =>
                ({ name, makesAccounts, hasPage })),
        };
    }

    /**
     * Signs in with an ID token of an issuer. It is good for one device, once.
     * @param nonce what the page chose when it asked for the token.
     */
    async signInWithToken(token: string, { nonce = "", ...more }: Newcomer & { nonce?: string } = {}): Promise<void> {
        const id = await this.newID();
        const hash = [...sha256(new TextEncoder().encode(token))];
        const work = hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
        await this.enterAs(work, more, (client, proof) => client.call("conversations.SignInWithToken", "", {
            id, token, nonce, device_name: more.deviceName ?? "", display_name: more.displayName ?? "",
            code: more.code ?? "", proof,
        }, { repeatsFor }));
    }

    /**
     * Returns the address of an issuer's page, to which this page goes next.
     * @param returnTo where the browser comes back: one of the addresses that the operator lists.
     * @throws Refusal `storage_failed` where the browser keeps nothing for this page.
     */
    async begin(issuer: string, returnTo: string): Promise<string> {
        return beginPage(this.parley.server, issuer, returnTo, await this.newID());
    }

    /** Whether the address is one to which the browser came back from a page that this tab began. */
    hasCome(address: string): boolean {
        return pageBegun(address) !== undefined;
    }

    /**
     * Signs in with what the address has to which the browser came back. When it is refused with
     * `registration_code_refused` or `proof_required`, call it again with what is asked for, within a minute.
     * @returns whether there was something: it is false for any other address, and in a tab that did not begin.
     * @throws Refusal `sign_in_refused` when I went back there, or the issuer refused; `link_expired`.
     */
    async finish(address: string, more: Newcomer = {}): Promise<boolean> {
        const begun = pageBegun(address);
        if (!begun) return false;
        await once(() => this.enterAs(begun.code, more, (client, proof) =>
            client.call("conversations.SignInWithCode", "", {
                id: begun.id, code: begun.code, verifier: begun.verifier, display_name: more.displayName ?? "",
                device_name: more.deviceName ?? "", registration_code: more.code ?? "", proof,
            }, { repeatsFor })));
        return true;
    }

    /** Signs in, or makes an account; where that takes work, it is done for `what`. */
    private async enterAs(
        what: string, { proof = "" }: Newcomer, send: (client: Client, proof: string) => Promise<SignedIn>,
    ): Promise<void> {
        await this.parley.enter(async (client) => {
            try {
                return await client.adopt(await send(client, proof));
            } catch (refusal) {
                if (refusalOf(refusal).code !== "proof_required" || proof !== "") throw refusal;
                const challenge = await client.call("conversations.GetChallenge", "", {});
                if (challenge.kind !== "WORK") throw refusal;
                return client.adopt(await send(client, await findProof(challenge.text, challenge.bits, what)));
            }
        });
    }

    // MARK: What signs me in

    /** Returns what signs me in. */
    async waysIn(): Promise<WaysIn> {
        return waysOf(await this.ask("conversations.ListIdentities", {}));
    }

    /**
     * Adds the identity whose page brought me back to this address. It signs me in from now on.
     * @throws Refusal `identity_in_use` if it signs somebody else in; `too_many_identities`; `wrong_credentials`.
     */
    async link(address: string, owner: Owner): Promise<WaysIn> {
        const begun = pageBegun(address);
        if (!begun) {
            throw new Refusal("link_expired", "This address was opened twice, or in another tab. Begin again.");
        }
        return once(async () => waysOf(await this.ask("conversations.LinkIdentity", {
            code: begun.code, verifier: begun.verifier, owner: proofOf(owner),
        })));
    }

    /** Removes an identity, which then signs nobody in. @throws Refusal `last_way_in`; `wrong_credentials`. */
    async unlink(identity: string, owner: Owner): Promise<void> {
        await this.ask("conversations.UnlinkIdentity", { identity, owner: proofOf(owner) });
    }

    /** Changes my password, or sets my first one. With `endingOtherDevices` all my devices but this one sign out. */
    async changePassword(
        newPassword: string, owner: Owner, { endingOtherDevices = false }: { endingOtherDevices?: boolean } = {},
    ): Promise<void> {
        await this.ask("conversations.ChangePassword", {
            new_password: newPassword, owner: proofOf(owner), end_other_devices: endingOtherDevices,
        });
    }

    // MARK: Guests

    /**
     * Signs in as a guest: at once, without username and password.
     * @throws Refusal `invalid` where the server takes no guests.
     */
    async continueAsGuest(more: Newcomer = {}): Promise<void> {
        const id = await this.newID();
        await this.enterAs(id, more, (client, proof) =>
            client.call("conversations.Register", "", {
                id, display_name: more.displayName ?? "", device_name: more.deviceName ?? "", code: more.code ?? "",
                proof,
            }, { repeatsFor }));
    }

    /** Gives me, a guest, a username and a password. I keep everything. */
    async upgrade(username: string, password: string): Promise<void> {
        await this.ask("conversations.ChangePassword", { new_password: password, username });
    }

    // MARK: Mailed codes

    /** Mails a code to a confirmed address, if it is somebody's: nobody learns whether it is. */
    async requestPasswordReset(email: string): Promise<void> {
        await (await this.parley.entrance()).call("conversations.RequestPasswordReset", "", { email });
    }

    /** Sets a new password with the code that was mailed, and signs all devices of the person out. */
    async resetPassword(email: string, code: string, newPassword: string): Promise<void> {
        await (await this.parley.entrance())
            .call("conversations.ResetPassword", "", { email, code, new_password: newPassword });
    }

    /** Mails a code to the address in my profile, with which I confirm that it is mine. */
    async requestEmailCode(): Promise<void> {
        await this.ask("conversations.RequestEmailCode", {});
    }

    /** Confirms the address in my profile with the code that was mailed to it. */
    async confirmEmail(code: string): Promise<void> {
        await this.ask("conversations.ConfirmEmail", { code });
    }

    // MARK: Another device

    /** Begins to sign this device in by another one of mine: show its code, then call `finishDeviceLink`. */
    async beginDeviceLink(deviceName = ""): Promise<DeviceLink> {
        const client = await this.parley.entrance();
        const begun = await client.call("conversations.BeginDeviceLink", "", { device_name: deviceName });
        return { code: begun.code, secret: begun.secret, endsAt: date(begun.ends_at_us) };
    }

    /**
     * Signs this device in as soon as I approve it on the other one.
     * @param signal ends waiting.
     * @throws Refusal `code_refused` when its two minutes are over.
     */
    async finishDeviceLink(link: DeviceLink, signal?: AbortSignal): Promise<void> {
        const { code, secret } = link;
        const client = await this.parley.entrance();
        for (;;) {
            signal?.throwIfAborted();
            try {
                const signedIn = await client.call("conversations.FinishDeviceLink", "", { code, secret });
                return await this.parley.enter((to) => to.adopt(signedIn));
            } catch (error) {
                const refusal = refusalOf(error);
                if (refusal.code !== "link_pending") throw error;
                await new Promise((done) => setTimeout(done, Math.max(500, refusal.retryAfterMs ?? 0)));
            }
        }
    }

    /** Returns the device that shows this code, to look at before I approve it. */
    async deviceToApprove(code: string): Promise<{ name: string; address: string; begunAt: Date }> {
        const found = await this.ask("conversations.GetDeviceLink", { code });
        return { name: found.device_name, address: found.address, begunAt: date(found.begun_at_us) };
    }

    /** Signs the device in that shows this code. */
    async approveDevice(code: string): Promise<void> {
        await this.ask("conversations.ApproveDeviceLink", { code });
    }

    private async newID(): Promise<string> {
        return new IDs().next((await this.parley.entrance()).serverNowUs());
    }

    private ask<M extends Method>(method: M, given: Given<Methods[M]["request"]>): Promise<Methods[M]["reply"]> {
        const { user } = this.parley;
        if (user === undefined) throw signedOut();
        return this.parley.ask(method, user, given);
    }
}

/** What a page brought back is good once: it is kept only while sending it again may help. */
async function once<T>(body: () => Promise<T>): Promise<T> {
    try {
        const done = await body();
        forgetPage();
        return done;
    } catch (error) {
        if (!mayGoOn.includes(refusalOf(error).code)) forgetPage();
        throw error;
    }
}

function proofOf(owner: Owner) {
    if (!("address" in owner)) return owner;
    const begun = pageBegun(owner.address);
    return begun ? { code: begun.code, verifier: begun.verifier } : {};
}

function waysOf(reply: ListIdentitiesReply): WaysIn {
    return {
        identities: reply.identities.map(({ id, issuer, label, linked_at_us: linked, last_used_us: used }) =>
            ({ id, issuer, label, linkedAt: date(linked), lastUsedAt: date(used) })),
        hasPassword: reply.with_password,
    };
}
