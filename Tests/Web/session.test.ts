// The session machine: what it does when, without a socket and on a clock that the test moves.
import assert from "node:assert/strict";
import test from "node:test";
import { create, encode } from "../../Sources/Clients/Web/protocol/codec";
import type { Given } from "../../Sources/Clients/Web/protocol/codec";
import { ParleyError } from "../../Sources/Clients/Web/protocol/errors";
import type { ClientFrame, ServerFrame } from "../../Sources/Clients/Web/protocol/generated/messages";
import { SessionMachine } from "../../Sources/Clients/Web/protocol/session";
import type { Credentials, SessionAction, SessionCall } from "../../Sources/Clients/Web/protocol/session-types";

const startUs = 1_800_000_000_000_000;

const credentials: Credentials = {
    user: "a", device: "d1", username: "alice", access_token: "access 1", access_ends_us: startUs + 900_000_000,
    refresh_token: "refresh 1", refresh_ends_us: startUs + 9e12, known_device: "known 1",
};

/** A machine with a shell that notes what it is told. */
class Stage {
    now = 1000;
    readonly machine: SessionMachine;
    readonly sent: Given<ClientFrame>[] = [];
    readonly seen: SessionAction[] = [];
    link = 0;
    wakesAt: number | null = null;
    saved: (Credentials | null)[] = [];
    locks = 0;
    /** What to do when a session begins. */
    began: (() => void) | null = null;

    constructor(held: Credentials | null = credentials, token = "") {
        this.machine = new SessionMachine({ seed: 7, name: "test 1" }, startUs, this.now);
        this.machine.restore(held, token);
    }

    do(actions: readonly SessionAction[]): this {
        for (const action of actions) {
            this.seen.push(action);
            if (action.type === "connect") this.link = action.link;
            else if (action.type === "send") this.sent.push(action.frame);
            else if (action.type === "greet") this.do(this.machine.greet(this.now));
            else if (action.type === "wake") this.wakesAt = action.at;
            else if (action.type === "save") this.saved.push(action.credentials);
            else if (action.type === "lock") this.locks++;
            else if (action.type === "unlock") this.locks--;
            else if (action.type === "began") this.began?.();
        }
        return this;
    }

    open(): this {
        return this.do(this.machine.open(this.now)).do(this.machine.opened(this.link, this.now));
    }

    frame(frame: Given<ServerFrame>): this {
        return this.do(this.machine.received(this.link, create("ServerFrame", frame), this.now));
    }

    welcome(user = "a", ends = 3_600_000_000): this {
        const server_time_us = startUs + 5_000_000;
        const session_ends_us = user === "" ? 0 : server_time_us + ends;
        const limits = { requests_in_flight: 16 };
        const welcome = { version: 1, user, device: "d1", server_time_us, session_ends_us, limits, cells: ["0"] };
        return this.frame({ welcome });
    }

    lost(code: number, reason = ""): this {
        return this.do(this.machine.lost(this.link, code, reason, this.now));
    }

    /** Lets time pass, and wakes the machine whenever it asked for it. */
    wait(ms: number): this {
        const end = this.now + ms;
        while (this.wakesAt !== null && this.wakesAt <= end) {
            this.now = Math.max(this.now, this.wakesAt);
            this.wakesAt = null;
            this.do(this.machine.woke(this.now));
        }
        this.now = end;
        return this;
    }

    call(fields: Partial<SessionCall> = {}): SessionCall {
        const call: SessionCall = {
            method: "presence.GetOwnPresence", key: "a", body: new Uint8Array(0), deadline: 10_000, repeatsUntil: 0,
            early: false, ...fields,
        };
        this.do(this.machine.request(call, this.now));
        return call;
    }

    /** The requests sent since the last time it was asked, also those in hello. */
    requests(): { id: number; method: string }[] {
        const frames = this.sent.splice(0);
        const requests = frames.flatMap(({ hello, request }) => [...(hello?.requests ?? []), ...(request ? [request] : [])]);
        return requests.map(({ id = 0, method = "" }) => ({ id, method }));
    }

    count(type: SessionAction["type"]): number {
        return this.seen.filter((action) => action.type === type).length;
    }

    phase(): string {
        return this.machine.state.phase;
    }

    /** As whom sessions began. */
    beganAs(): string[] {
        return this.seen.flatMap((action) => (action.type === "began" ? [action.welcome.user] : []));
    }

    /** The error with which a request failed for good. */
    failure(call: SessionCall): string | null {
        for (const action of this.seen) {
            if (action.type === "failed" && action.call === call && action.final) return action.error.code;
        }
        return null;
    }
}

function last<Item>(items: readonly Item[]): Item | undefined {
    return items[items.length - 1];
}

test("a session begins with hello and is ready with welcome, whose time is the clock", () => {
    const stage = new Stage();
    stage.do(stage.machine.setTimeZone("Europe/Zurich")).open();
    const hello = stage.sent[0]?.hello;
    assert.equal(hello?.version, 1);
    assert.equal(hello?.token, "access 1");
    assert.equal(hello?.time_zone, "Europe/Zurich");
    assert.equal(stage.phase(), "connecting");
    stage.welcome();
    assert.equal(stage.phase(), "ready");
    assert.equal(stage.count("began"), 1);
    assert.equal(stage.machine.serverNowUs(stage.now + 3), startUs + 5_003_000);
});

test("requests wait for welcome, and at most as many are under way as it allows", () => {
    const stage = new Stage();
    stage.open();
    for (let count = 0; count < 20; count++) stage.call();
    assert.equal(stage.requests().length, 0);
    stage.welcome();
    const sent = stage.requests();
    assert.equal(sent.length, 16);
    stage.frame({ reply: { id: sent[3]!.id } });
    assert.equal(stage.requests().length, 1);
    assert.equal(stage.count("reply"), 1);
});

test("who connects again sends the requests of a sync with hello, four at most", () => {
    const stage = new Stage();
    stage.open().welcome();
    stage.requests();
    stage.began = () => {
        for (let count = 0; count < 5; count++) stage.call({ method: "messaging.Sync", early: true });
    };
    stage.call({ method: "presence.GetOwnPresence", repeatsUntil: Infinity });
    stage.requests();
    stage.lost(4004).do(stage.machine.opened(stage.link, stage.now));
    const hello = stage.sent.find((frame) => frame.hello)!.hello!;
    assert.equal(hello.requests?.length, 4);
    assert.equal(stage.requests().filter(({ method }) => method === "messaging.Sync").length, 5);
    assert.equal(stage.count("began"), 2);
    stage.welcome();
    assert.equal(stage.count("began"), 2, "the welcome was as expected");
    stage.wait(200);
    assert.equal(stage.requests().length, 1, "the other request is repeated in the new session");
});

test("another person than expected begins a session of its own", () => {
    const stage = new Stage();
    stage.open().welcome().lost(4004).do(stage.machine.opened(stage.link, stage.now)).welcome("b");
    assert.deepEqual(stage.beganAs(), ["a", "a", "b"]);
    assert.equal(stage.count("ended"), 1);
});

test("each close code has its reaction", () => {
    for (const code of [1000, 4001, 4003, 4005, 4006, 4007]) {
        assert.equal(new Stage().open().welcome().lost(code).phase(), "stopped", String(code));
    }
    for (const code of [1001, 1006, 1011, 1013, 4999]) {
        const stage = new Stage().open().welcome().lost(code);
        assert.equal(stage.phase(), "connecting");
        assert.equal(stage.count("connect"), 1, String(code));
        stage.wait(101);
        assert.equal(stage.count("connect"), 2, String(code));
    }
    assert.equal(new Stage().open().welcome().lost(4004).count("connect"), 2, "at once");
});

test("a device that was signed out is told so, also without a goodbye", () => {
    const stage = new Stage().open().welcome();
    const call = stage.call({ repeatsUntil: Infinity });
    const { state } = stage.lost(4003).machine;
    assert.equal(state.phase === "stopped" && state.problem.code, "revoked");
    assert.equal(stage.failure(call), "revoked");
});

test("a refresh waits as long as the server asks for", () => {
    const stage = new Stage().open().welcome();
    const asks = (): number => stage.requests().filter(({ method }) => method === "conversations.RefreshTokens").length;
    const call = stage.call({ repeatsUntil: Infinity });
    stage.frame({ reply: { id: stage.requests()[0]!.id, error: { code: "unauthenticated" } } });
    stage.do(stage.machine.mayRefresh(null, stage.now));
    const id = last(stage.requests())!.id;
    stage.frame({ reply: { id, error: { code: "rate_limited", retry_after_ms: 60_000 } } });
    for (let second = 0; second < 59; second++) stage.wait(1_000).frame({ pong: {} });
    assert.equal(stage.locks, 0, "not before");
    for (let second = 0; second < 3; second++) stage.wait(1_000).frame({ pong: {} });
    assert.equal(stage.locks, 1);
    stage.do(stage.machine.mayRefresh(null, stage.now));
    assert.equal(asks(), 1);
    assert.equal(stage.failure(call), null, "what waits for it is repeated");
});

test("the waits grow at random up to 30 s, and a session that lasted begins them anew", () => {
    const stage = new Stage().open().welcome().wait(6000).lost(1001);
    let longest = 0;
    for (let attempt = 1; attempt < 14; attempt++) {
        const before = stage.now;
        while (stage.count("connect") === attempt) stage.wait(1);
        const waited = stage.now - before;
        assert.ok(waited <= Math.min(30_000, 100 * 2 ** (attempt - 1)) + 1, `${waited} ms before attempt ${attempt}`);
        longest = Math.max(longest, waited);
        stage.lost(1006);
    }
    assert.ok(longest > 5_000, `${longest}`);
    stage.wait(31_000).do(stage.machine.opened(stage.link, stage.now)).welcome().wait(6_000).lost(1006);
    const count = stage.count("connect");
    stage.wait(101);
    assert.equal(stage.count("connect"), count + 1);
});

test("a goodbye says why, and how long to stay away", () => {
    const stage = new Stage().open().welcome();
    const error = { code: "too_many_sessions", message: "Newer sessions.", retry_after_ms: 5000 };
    stage.frame({ goodbye: { error } }).lost(1013);
    const { state } = stage.machine;
    assert.equal(state.phase === "connecting" && state.problem?.code, "too_many_sessions");
    stage.wait(4_999);
    assert.equal(stage.count("connect"), 1);
    stage.wait(200);
    assert.equal(stage.count("connect"), 2);
});

test("a token that is refused is refreshed under the lock, stored, and then used", () => {
    const stage = new Stage().open().lost(4002).wait(101);
    stage.do(stage.machine.opened(stage.link, stage.now));
    assert.equal(last(stage.sent)?.hello?.token, "", "the session begins without it");
    stage.welcome("");
    assert.equal(stage.locks, 1);
    assert.equal(stage.count("began"), 0);
    stage.sent.length = 0;
    stage.do(stage.machine.mayRefresh(credentials, stage.now));
    const [asked] = stage.requests();
    assert.equal(asked?.method, "conversations.RefreshTokens");
    stage.frame({ reply: { id: asked!.id, body: encode("SignedIn", fresh) } });
    assert.equal(last(stage.saved)?.refresh_token, "refresh 2");
    assert.equal(last(stage.saved)?.known_device, "known 1", "what shows that the person was here stays");
    assert.equal(stage.sent.length, 0, "not used before it is stored");
    stage.do(stage.machine.saved(stage.now));
    assert.equal(stage.sent[0]?.authenticate?.token, "access 2");
    assert.equal(stage.locks, 0);
    stage.frame({ authenticated: { user: "a", device: "d1", session_ends_us: startUs + 1e9 } });
    assert.equal(stage.phase(), "ready");
    assert.equal(stage.count("began"), 1);
});

const fresh = {
    user: { id: "a", username: "alice" }, device: "d1", access_token: "access 2",
    access_ends_us: startUs + 1_800_000_000, refresh_token: "refresh 2", refresh_ends_us: startUs + 9e12,
};

test("tokens that another tab stored meanwhile are taken over", () => {
    const stage = new Stage().open().lost(4002).wait(101);
    stage.do(stage.machine.opened(stage.link, stage.now)).welcome("");
    const tokens = { access_token: "access 9", refresh_token: "refresh 9", access_ends_us: startUs + 2e9 };
    const other = { ...credentials, ...tokens };
    stage.sent.length = 0;
    stage.do(stage.machine.mayRefresh(other, stage.now));
    assert.equal(stage.sent[0]?.authenticate?.token, "access 9");
    assert.equal(stage.locks, 0);
});

test("refused tokens, and no tokens, end it for good", () => {
    const stage = new Stage().open().lost(4002).wait(101);
    stage.do(stage.machine.opened(stage.link, stage.now)).welcome("").do(stage.machine.mayRefresh(null, stage.now));
    const asked = last(stage.requests())!;
    const call = stage.call({ repeatsUntil: Infinity });
    stage.frame({ reply: { id: asked.id, error: { code: "refresh_refused", message: "Sign in again." } } });
    assert.equal(stage.phase(), "stopped");
    assert.equal(stage.failure(call), "refresh_refused");
    assert.equal(new Stage(null, "token").open().lost(4002).wait(101).phase(), "stopped");
});

test("the tokens of a running session are refreshed a minute before they end", () => {
    const stage = new Stage().open().welcome();
    const ends = stage.now + 895_000;
    while (stage.locks === 0) {
        assert.ok(stage.now < ends, "no refresh");
        stage.wait(1_000).frame({ pong: {} });
    }
    assert.ok(Math.abs(ends - 60_000 - stage.now) < 2_000, `${ends - stage.now} ms before the end`);
    assert.equal(stage.phase(), "ready");
});

test("a request is repeated where that is safe and may help, and not elsewhere", () => {
    const cases: [string, boolean][] = [
        ["rate_limited", true], ["unavailable", true], ["deadline", true], ["internal", true], ["invalid", false],
        ["not_member", false], ["some_new_code", false],
    ];
    for (const [code, isRepeated] of cases) {
        const stage = new Stage().open().welcome();
        const call = stage.call({ repeatsUntil: Infinity });
        const [first] = stage.requests();
        stage.frame({ reply: { id: first!.id, error: { code, retry_after_ms: code === "rate_limited" ? 3000 : 0 } } });
        assert.equal(stage.failure(call), isRepeated ? null : code);
        stage.wait(code === "rate_limited" ? 2_999 : 0);
        assert.equal(stage.requests().length, 0, `${code}: after its wait`);
        stage.wait(102);
        const again = stage.requests();
        assert.equal(again.length, isRepeated ? 1 : 0, code);
        assert.notEqual(again[0]?.id, first!.id);
    }
});

test("a failure inside the server is repeated three times", () => {
    const stage = new Stage().open().welcome();
    const call = stage.call({ repeatsUntil: Infinity });
    let attempts = 0;
    while (stage.failure(call) === null) {
        assert.ok(attempts++ < 10);
        stage.frame({ reply: { id: last(stage.requests())!.id, error: { code: "internal" } } }).wait(1000);
    }
    assert.equal(attempts, 4);
});

test("a request sent once fails with its first refusal, and when the connection ends", () => {
    const stage = new Stage().open().welcome();
    const calls = [stage.call(), stage.call()];
    stage.frame({ reply: { id: stage.requests()[0]!.id, error: { code: "unavailable" } } });
    assert.equal(stage.failure(calls[0]!), "unavailable");
    stage.lost(1006);
    assert.equal(stage.failure(calls[1]!), "connection_lost");
});

test("a reply after the deadline is noticed, and changes the outcome no more", () => {
    const stage = new Stage().open().welcome();
    const call = stage.call({ deadline: 500 });
    const [sent] = stage.requests();
    stage.wait(501);
    assert.equal(stage.failure(call), "deadline");
    stage.frame({ reply: { id: sent!.id } });
    assert.deepEqual(stage.seen.flatMap((action) => (action.type === "reply" ? [action.late] : [])), [true]);
    stage.frame({ reply: { id: sent!.id } });
    assert.equal(stage.count("reply"), 1);
});

test("a request that found nobody signed in is sent again after the tokens are refreshed, once", () => {
    const stage = new Stage().open().welcome();
    const call = stage.call({ repeatsUntil: Infinity });
    stage.frame({ reply: { id: last(stage.requests())!.id, error: { code: "unauthenticated" } } });
    assert.equal(stage.locks, 1);
    stage.do(stage.machine.mayRefresh(null, stage.now));
    stage.frame({ reply: { id: last(stage.requests())!.id, body: encode("SignedIn", fresh) } });
    stage.do(stage.machine.saved(stage.now));
    stage.frame({ authenticated: { user: "a", device: "d1", session_ends_us: startUs + 1e9 } });
    stage.frame({ reply: { id: last(stage.requests())!.id, error: { code: "unauthenticated" } } });
    assert.equal(stage.failure(call), "unauthenticated");
});

test("a server that is silent after a ping is left, and a hint pings at once", () => {
    const stage = new Stage().open().welcome();
    stage.wait(20_000);
    assert.equal(stage.sent.filter((frame) => frame.ping).length, 1);
    stage.wait(9_001);
    assert.equal(stage.count("disconnect"), 1);
    assert.equal(stage.phase(), "connecting");
    const other = new Stage().open().welcome();
    other.do(other.machine.hint(other.now));
    assert.equal(other.sent.filter((frame) => frame.ping).length, 1);
    other.now += 1;
    other.frame({ pong: { server_time_us: startUs + 9_000_000 } }).wait(9_500);
    assert.equal(other.phase(), "ready");
    assert.ok(Math.abs(other.machine.serverNowUs(other.now) - startUs - 18_500_000) < 2_000_000);
    // A hint that there is no network asks for a sooner answer.
    other.do(other.machine.hint(other.now, 2_000));
    other.wait(2_001);
    assert.equal(other.phase(), "connecting");
});

test("a hint ends a wait, at most once a second", () => {
    const stage = new Stage().open().welcome();
    for (let before = -1; stage.count("connect") !== before; ) {
        before = stage.lost(1006).count("connect");
        stage.wait(1_000);
    }
    const before = stage.count("connect");
    stage.do(stage.machine.hint(stage.now));
    assert.equal(stage.count("connect"), before + 1);
    stage.lost(1006);
    const count = stage.count("connect");
    for (let hints = 0; hints < 100; hints++) stage.do(stage.machine.hint(stage.now));
    assert.equal(stage.count("connect"), count);
    stage.wait(1_000);
    assert.equal(stage.count("connect"), count + 1);
});

test("a server that accepts and says nothing is left within 10 s", () => {
    const silent = new Stage();
    silent.do(silent.machine.open(silent.now)).wait(10_001);
    assert.equal(silent.count("disconnect"), 1);
    const unwelcoming = new Stage().open();
    unwelcoming.wait(10_001);
    assert.ok(unwelcoming.count("disconnect") >= 1);
    assert.equal(unwelcoming.phase(), "connecting");
});

test("signing in makes a session begin that had nobody", () => {
    const stage = new Stage(null).open().welcome("");
    assert.equal(stage.phase(), "ready");
    assert.equal(stage.machine.user, "");
    stage.do(stage.machine.adopt(create("SignedIn", fresh))).do(stage.machine.saved(stage.now));
    stage.frame({ authenticated: { user: "a", device: "d1", session_ends_us: startUs + 1e9 } });
    assert.deepEqual(stage.beganAs(), ["", "a"]);
    assert.equal(stage.machine.credentials?.refresh_token, "refresh 2");
});

test("what comes from an earlier connection changes nothing", () => {
    const stage = new Stage().open().welcome();
    const old = stage.link;
    stage.lost(4004);
    const count = stage.seen.length;
    stage.do(stage.machine.lost(old, 4003, "", stage.now));
    const goodbye = create("ServerFrame", { goodbye: { error: { code: "revoked" } } });
    stage.do(stage.machine.received(old, goodbye, stage.now));
    stage.do(stage.machine.opened(old, stage.now));
    assert.equal(stage.seen.length, count);
});

test("closing fails what is under way, and nothing happens after it", () => {
    const stage = new Stage().open().welcome();
    const calls = [stage.call(), stage.call({ repeatsUntil: Infinity })];
    stage.do(stage.machine.close());
    assert.deepEqual(calls.map((call) => stage.failure(call)), ["closed", "closed"]);
    const { length } = stage.sent;
    stage.wait(120_000);
    assert.equal(stage.sent.length, length);
    const after = stage.call();
    assert.equal(stage.failure(after), "closed");
    assert.ok(new ParleyError("closed", "").isRetriable === false);
});

test("random inputs in any order leave a machine that still connects", () => {
    for (let seed = 1; seed <= 300; seed++) {
        const stage = new Stage(seed % 3 === 0 ? null : credentials);
        let state = seed;
        const pick = (end: number): number => (state = (state * 48_271) % 2_147_483_647) % end;
        stage.do(stage.machine.open(stage.now));
        for (let step = 0; step < 80; step++) randomInput(stage, pick);
        if (stage.phase() === "stopped") stage.do(stage.machine.open(stage.now));
        for (let tries = 0; stage.phase() !== "ready"; tries++) {
            assert.ok(tries < 50, `seed ${seed}: ${stage.phase()}`);
            stage.wait(31_000).do(stage.machine.opened(stage.link, stage.now)).welcome();
            if (stage.locks > 0) stage.do(stage.machine.mayRefresh(null, stage.now));
            const refresh = stage.requests().find(({ method }) => method === "conversations.RefreshTokens");
            const body = encode("SignedIn", { ...fresh, access_ends_us: startUs * 2 });
            if (refresh) stage.frame({ reply: { id: refresh.id, body } });
            stage.do(stage.machine.saved(stage.now));
            stage.frame({ authenticated: { user: "a", device: "d1", session_ends_us: startUs * 2 } });
            if (stage.phase() === "stopped") stage.do(stage.machine.open(stage.now));
        }
        assert.ok(stage.locks === 0 || stage.locks === 1, `seed ${seed}: ${stage.locks} locks`);
    }
});

function randomInput(stage: Stage, pick: (end: number) => number): void {
    const { machine, link, now } = stage;
    switch (pick(14)) {
        case 0: stage.do(machine.opened(link, now)); break;
        case 1: stage.welcome(["", "a", "b"][pick(3)]); break;
        case 2: stage.lost([1000, 1001, 1006, 4002, 4003, 4004][pick(6)]!); break;
        case 3: stage.wait(pick(40_000)); break;
        case 4: stage.call({ repeatsUntil: pick(2) === 0 ? 0 : Infinity, early: pick(2) === 0 }); break;
        case 5: stage.frame({ reply: { id: pick(20), body: encode("SignedIn", fresh) } }); break;
        case 6: {
            const code = ["unauthenticated", "internal", "invalid"][pick(3)]!;
            stage.frame({ reply: { id: pick(20), error: { code } } });
            break;
        }
        case 7: stage.do(machine.hint(now)); break;
        case 8: stage.do(machine.saved(now)); break;
        case 9: if (stage.locks > 0) stage.do(machine.mayRefresh(null, now)); break;
        case 10: stage.frame({ authenticated: { user: "a", session_ends_us: startUs + 1e9 } }); break;
        case 11: stage.do(machine.setActivity({ background: pick(2) === 0 }, now)); break;
        case 12: stage.frame({}); break;
        default: stage.do(machine.open(now));
    }
}
