import type { Choice, PushSettings as StoredSettings } from "../protocol/generated/messages";
import type { Parley } from "./parley";
import { Refusal, signedOut } from "./refusal";
import { date } from "./values";

/** What the browser's `PushManager.subscribe` returns. */
export interface BrowserSubscription {
    readonly endpoint: string;
    getKey(name: "p256dh" | "auth"): ArrayBuffer | null;
}

/** One of my devices that is registered for pushes. */
export interface PushDevice {
    id: string;
    /** The bundle id or project of an app; empty: a browser. */
    app: string;
    /** Whether pushes to it are encrypted, so that the push service cannot read them. */
    isEncrypted: boolean;
    registered: Date;
    /** When a push was last sent to it; absent: never. */
    lastSent?: Date;
    /** What became of that: "accepted", or a word for the problem. */
    lastResult: string;
}

/** Of which messages I am told; `mentions`: those that mention me or answer a message of mine. */
export type PushLevel = "all" | "mentions" | "none";

/** A time of the week in which no push shows. */
export interface QuietHours {
    /** On which day it begins: 1 is Monday, 7 Sunday. */
    weekday: number;
    /** Minutes after midnight. */
    from: number;
    /** Not above `from`: on the next day. */
    until: number;
}

/** Of what I am told by pushes, on all my devices. */
export interface PushSettings {
    level: PushLevel;
    /** What a push says of a message; `names`: who wrote, and where. */
    content: "fullText" | "names" | "none";
    /** Conversations with a level of their own, by their ids. */
    conversations: ReadonlyMap<string, PushLevel>;
    reactions: boolean;
    requests: boolean;
    reminders: boolean;
    events: boolean;
    mentionsWhenMuted: boolean;
    quietHours: readonly QuietHours[];
    /** The time zone of the quiet hours, by its IANA name; empty: UTC. */
    timeZone: string;
}

/**
 * Pushes to this browser while no page is open. The page's service worker shows them; `WebPushPayload.swift` is what
 * they look like, decrypted.
 *
 *     const pushes = new Pushes(parley);
 *     const applicationServerKey = await pushes.serverKey();
 *     const { pushManager } = await navigator.serviceWorker.ready;
 *     const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
 *     await pushes.registerForPush(subscription);
 */
export class Pushes {
    constructor(private readonly parley: Parley) {}

    private get me(): string {
        const { user } = this.parley;
        if (user === undefined) throw signedOut();
        return user;
    }

    private get list() {
        return this.parley.ask("notifications.ListPushDevices", this.me, {});
    }

    /** Returns what `PushManager.subscribe` takes as `applicationServerKey`; absent: the server pushes to no browser. */
    async serverKey(): Promise<Uint8Array | undefined> {
        const { web_push_key: key } = await this.list;
        return key.length > 0 ? key : undefined;
    }

    /**
     * Registers this browser. Call it at each start, since the browser may change the subscription; repeating it changes
     * nothing. It ends when I sign out.
     * @param language BCP 47 tag of the language of pushes.
     */
    async registerForPush(subscription: BrowserSubscription, language = navigator.language): Promise<void> {
        const [key, secret] = [subscription.getKey("p256dh"), subscription.getKey("auth")];
        if (!key || !secret) throw new Refusal("invalid", "The subscription has no keys.", "content_key");
        await this.parley.ask("notifications.RegisterPush", this.me, {
            transport: "WEB_PUSH", token: subscription.endpoint, language, content_key: new Uint8Array(key),
            auth_secret: new Uint8Array(secret),
        });
    }

    /** Ends pushes to this browser. */
    async unregisterForPush(): Promise<void> {
        await this.parley.ask("notifications.UnregisterPush", this.me, {});
    }

    /** Returns my devices that are registered for pushes, the last registered first. */
    async pushDevices(): Promise<PushDevice[]> {
        return (await this.list).devices.map((device) => ({
            id: device.device, app: device.app, isEncrypted: device.encrypted,
            registered: date(device.registered_at_us), lastResult: device.last_result,
            ...(device.last_sent_us > 0 ? { lastSent: date(device.last_sent_us) } : {}),
        }));
    }

    /** Sends a push to this browser that says so. */
    async testPush(): Promise<void> {
        await this.parley.ask("notifications.TestPush", this.me, {});
    }

    /** Returns of what I am told. */
    async pushSettings(): Promise<PushSettings> {
        return settingsOf(await this.parley.ask("notifications.GetPushSettings", this.me, {}));
    }

    /** Changes of what I am told, on all my devices, and returns that. What is absent stays as it is. */
    async updatePushSettings(changes: Partial<Omit<PushSettings, "conversations">>): Promise<PushSettings> {
        const { level, content, reactions, requests, reminders, events, mentionsWhenMuted, quietHours, timeZone } =
            changes;
        const choice = (value: boolean | undefined): Choice =>
            value === undefined ? "CHOICE_UNSPECIFIED" : value ? "YES" : "NO";
        const quiet = quietHours || timeZone !== undefined ? { ...await this.pushSettings(), ...changes } : undefined;
        return settingsOf(await this.parley.ask("notifications.UpdatePushSettings", this.me, {
            ...(level && { level: levels[level] }), ...(content && { content: contents[content] }),
            reactions: choice(reactions), requests: choice(requests), reminders: choice(reminders),
            events: choice(events), mentions_when_muted: choice(mentionsWhenMuted),
            ...(quiet && { quiet: {
                time_zone: quiet.timeZone,
                hours: quiet.quietHours.map(({ weekday, from, until }) =>
                    ({ weekday, from_minute: from, until_minute: until })),
            } }),
        }));
    }

    /** Sets of which messages of one conversation I am told; absent: as of all others. Returns all settings. */
    async setPushLevel(level: PushLevel | undefined, conversation: string): Promise<PushSettings> {
        return settingsOf(await this.parley.ask("notifications.UpdatePushSettings", this.me, {
            conversation: { conversation, level: level ? levels[level] : "PUSH_LEVEL_UNSPECIFIED" },
        }));
    }
}

const levels = { all: "ALL_MESSAGES", mentions: "MENTIONS_ONLY", none: "NO_MESSAGES" } as const;
const contents = { fullText: "FULL_TEXT", names: "NAMES_ONLY", none: "NO_CONTENT" } as const;

/** Which word of ours stands for a stored one. */
function wordOf<Word extends string>(words: Record<Word, string>, stored: unknown): Word | undefined {
    return (Object.keys(words) as Word[]).find((word) => words[word] === stored);
}

function settingsOf(stored: StoredSettings): PushSettings {
    const { reactions, requests, reminders, events, quiet } = stored;
    const own = stored.conversations.map(({ conversation, level }) =>
        [conversation, wordOf(levels, level) ?? "all"] as const);
    return {
        level: wordOf(levels, stored.level) ?? "all", content: wordOf(contents, stored.content) ?? "fullText",
        conversations: new Map(own), reactions, requests, reminders, events,
        mentionsWhenMuted: stored.mentions_when_muted, timeZone: quiet?.time_zone ?? "",
        quietHours: (quiet?.hours ?? []).map(({ weekday, from_minute: from, until_minute: until }) =>
            ({ weekday, from, until })),
    };
}
