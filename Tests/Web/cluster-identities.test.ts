// Other ways to sign in than by a username and a password, in Parley's real processes. Those that take a browser are in
// Tests/WebChat/ways.py.
import assert from "node:assert/strict";
import test from "node:test";
import { MemoryCredentials } from "../../Sources/Clients/Web/api/credentials";
import { Identities, Parley, Refusal } from "../../Sources/Clients/Web/api/index";
import { until } from "./support/check";
import { Cluster } from "./support/cluster";
import { nodeWebSocket } from "./support/websocket";

const password = "correct horse battery";
const refusedWith = (code: string) => (error: unknown): boolean => error instanceof Refusal && error.code === code;

void test("A6 guests, passwords, and devices that sign in others", { timeout: 300_000 }, async () => {
    const cluster = await Cluster.start({
        PARLEY_GUESTS: "on", PARLEY_REGISTRATION_CHALLENGE: "proof-of-work", PARLEY_REGISTRATION_WORK_BITS: "8",
    });
    const opened: Parley[] = [];
    const open = async (): Promise<[Parley, Identities]> => {
        const parley = await Parley.open(cluster.url, {
            storage: "memory", webSocket: nodeWebSocket, credentials: new MemoryCredentials(),
        });
        opened.push(parley);
        return [parley, new Identities(parley)];
    };
    try {
        const [ada, ways] = await open();
        assert.equal((await ways.offers()).guests, true);
        await ways.continueAsGuest({ displayName: "Ada", deviceName: "laptop" });
        await until("the profile is there", () => ada.profile?.isGuest === true);
        assert.deepEqual(await ways.waysIn(), { identities: [], hasPassword: false });
        await assert.rejects(ways.upgrade("ada", "short"), refusedWith("invalid"));
        await ways.upgrade("ada", password);
        await until("the profile says so", () => ada.profile?.isGuest === false && ada.profile.user.username === "ada");
        assert.equal((await ways.waysIn()).hasPassword, true);

        // Another device shows a code, which this one looks at and lets in.
        const [phone, phoneWays] = await open();
        const link = await phoneWays.beginDeviceLink("phone");
        const waits = phoneWays.finishDeviceLink(link);
        await assert.rejects(ways.deviceToApprove("nobody's"), refusedWith("code_refused"));
        assert.equal((await ways.deviceToApprove(link.code)).name, "phone");
        await ways.approveDevice(link.code);
        await waits;
        assert.equal(phone.user, ada.user);
        await assert.rejects(phoneWays.finishDeviceLink(link), refusedWith("already_signed_in"));

        // Who stops waiting is not signed in by it later.
        const [third, thirdWays] = await open();
        const left = new AbortController();
        const given = await thirdWays.beginDeviceLink("third");
        const stopped = thirdWays.finishDeviceLink(given, left.signal);
        left.abort(new Error("the person went back"));
        await assert.rejects(stopped, /the person went back/);
        assert.equal(third.user, undefined);

        await assert.rejects(ways.changePassword("another horse", { password: "a guess" }),
            refusedWith("wrong_credentials"));
        await ways.changePassword("another horse", { password }, { endingOtherDevices: true });
        await until("the phone is signed out", () => phone.accountState === "ended", 60);
        await assert.rejects(third.signIn("ada", password), refusedWith("wrong_credentials"));
        await third.signIn("ada", "another horse");

        // What this server does not do is refused with a word.
        await assert.rejects(ways.requestEmailCode(), refusedWith("mail_off"));
        await assert.rejects(thirdWays.requestPasswordReset("ada@example.com"), refusedWith("mail_off"));
        assert.deepEqual((await ways.offers()).issuers, []);
        await assert.rejects(ways.unlink("nothing", { password: "another horse" }), refusedWith("not_found"));
        const [, ways4] = await open();
        await assert.rejects(ways4.signInWithToken("no.token.here"), refusedWith("token_malformed"));
    } finally {
        for (const parley of opened) await parley.close();
        await cluster.stop();
    }
});
