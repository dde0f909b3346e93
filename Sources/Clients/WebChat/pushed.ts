/** What a push from the server says, and what stands on the screen of it. Pure: the service worker shows it. */

/** A message, or something else that one push told of. */
interface Line {
    /** The same for the edit of a message and for the message. */
    readonly key: string;
    /** Of a message; 0: of something else. */
    readonly seq: number;
    readonly title: string;
    readonly body: string;
}

/** What belongs to a notice on the screen: it is kept with it. */
export interface Told {
    /** Empty: of no conversation. */
    readonly conversation: string;
    readonly lines: readonly Line[];
}

export interface Push {
    /** Under which notices take each other's place. */
    readonly tag: string;
    readonly conversation: string;
    /** What is shown; null: it only takes something back. */
    readonly line: Line | null;
    readonly isQuiet: boolean;
    /** The message that was deleted; 0: none. */
    readonly withdrawn: number;
    /** How far the conversation was read elsewhere; 0: it was not. */
    readonly readUpTo: number;
    /** What the app's icon shows; -1: as before. */
    readonly badge: number;
}

/** What the worker tells a page. */
export type WorkerNews =
    /** The person clicked a notice; empty: of no conversation. */
    | { type: "open"; conversation: string }
    /** The browser has another subscription, of which the server is to learn. */
    | { type: "subscription" };

/** The most things that one notice is about, and how many of them it shows. */
const linesMax = 50;
const linesShown = 5;

/** What is shown of a push that cannot be read: a browser ends a subscription that shows nothing. */
const unreadable: Push = {
    tag: "parley", conversation: "", isQuiet: false, withdrawn: 0, readUpTo: 0, badge: -1,
    line: { key: "parley", seq: 0, title: "Parley", body: "There is something new. Open the chat to see it." },
};

type Members = { readonly [name: string]: unknown };

function members(value: unknown): Members {
    return typeof value === "object" && value !== null ? value as Members : {};
}

function text(value: unknown, max: number): string {
    return typeof value === "string" ? value.slice(0, max) : "";
}

function whole(value: unknown, otherwise = 0): number {
    return Number.isSafeInteger(value) && (value as number) >= 0 ? value as number : otherwise;
}

/** Reads what a push has, as `WebPushPayload.swift` makes it. What is none of it is shown in a general way. */
export function read(payload: string): Push {
    let found: Members;
    try {
        found = members(JSON.parse(payload));
    } catch {
        return unreadable;
    }
    const shown = members(found["notification"]);
    const about = members(found["notification"] ? shown["data"] : found["data"]);
    const [kind, id] = [text(about["kind"], 64), text(about["id"], 64)];
    if (!kind || !id) return unreadable;
    const [conversation, seq] = [text(about["conversation"], 200), whole(about["seq"])];
    const isMessage = kind === "message" || kind === "mention" || kind === "event";
    const ofMessage = isMessage ? seq : 0;
    const line = found["notification"] ? {
        key: ofMessage > 0 ? `message ${ofMessage}` : id, seq: ofMessage,
        title: text(shown["title"], 200) || "Parley", body: text(shown["body"], 1000),
    } : null;
    return {
        tag: conversation || (isMessage ? "parley" : text(shown["tag"], 200) || id), conversation, line,
        isQuiet: shown["silent"] === true, withdrawn: kind === "withdrawn" ? seq : 0,
        readUpTo: kind === "read" ? seq : 0, badge: whole(found["app_badge"], -1),
    };
}

/** What a notice is about after a push; without lines, it goes. */
export function after(push: Push, before: Told | null): Told {
    const { conversation, line, withdrawn, readUpTo } = push;
    let lines = before?.lines ?? [];
    if (withdrawn > 0) lines = lines.filter(({ seq }) => seq !== withdrawn);
    if (readUpTo > 0) lines = lines.filter(({ seq }) => seq > readUpTo);
    if (line) {
        const isKnown = lines.some(({ key }) => key === line.key);
        lines = isKnown ? lines.map((each) => each.key === line.key ? line : each) : [...lines, line];
    }
    return { conversation, lines: lines.slice(-linesMax) };
}

/** What a notice says: its newest lines under the name that the last of them has. */
export function said({ lines }: Told): { title: string; body: string } {
    const last = lines[lines.length - 1];
    const body = lines.slice(-linesShown).map((line) => line.body).filter((each) => each !== "").join("\n");
    const count = lines.length > linesShown ? ` (${lines.length})` : "";
    return { title: (last?.title ?? "Parley") + count, body };
}
