import type { Attachment, Message } from "./values";
import type { MessageKind } from "../protocol/generated/messages";
import { Refusal } from "./refusal";

/** What a message that is sent may have besides its text. */
export interface SendOptions {
    /** The message that it answers. */
    replyingTo?: Message;
    /** The people whom the text mentions, by their ids. */
    mentions?: readonly string[];
    /** A file, such as one of an `<input type="file">`. It is stored before the promise resolves, then uploaded. */
    file?: Blob;
    /** The file's name; absent: its own. */
    fileName?: string;
    /** What is known of the file. */
    media?: FileFacts;
}

/** What others see of a file before they have it. */
export interface FileFacts {
    /** In pixels, of a picture or a film. */
    width?: number;
    height?: number;
    /** How long it plays. */
    durationMs?: number;
    /** A small JPEG, PNG or WebP to show while it loads, of at most 4,096 bytes. */
    thumbnail?: Uint8Array;
    /** Whether it is a voice recording: its type begins with "audio/". */
    isVoice?: boolean;
}

/** Returns as what kind of message a file is sent. */
export function fileKind(mimeType: string): MessageKind {
    // The server takes these pictures and films as files.
    if (/^image\/(bmp|tiff|svg)|^video\/(x-msvideo|avi)/.test(mimeType)) return "FILE";
    if (mimeType.startsWith("image/")) return "IMAGE";
    if (mimeType.startsWith("video/")) return "VIDEO";
    return "FILE";
}

/**
 * Returns as what type a file is sent. The server takes nothing that a browser would run as itself: such a file goes as
 * octets, by its name.
 */
export function sentType(mimeType: string): string {
    const [type = ""] = mimeType.toLowerCase().split(";");
    const isActive = /html|xml|svg|script|css|wasm/.test(type);
    return type === "" || isActive ? "application/octet-stream" : type.trim();
}

/** Returns the address at which the server's files are, of that of its WebSocket. */
export function fileAddress(server: string): string {
    return new URL("/", server.replace(/^ws/, "http")).href.replace(/\/$/, "");
}

/** The error that an unsuccessful answer over HTTP stands for. */
export async function problemOf(response: Response): Promise<Refusal> {
    let problem: { code?: string; message?: string } = {};
    try {
        problem = (await response.json()) as typeof problem;
    } catch {
        // An answer of something between the page and the server.
    }
    // Answers to HEAD have no body either: then the status says what it is.
    const { status } = response;
    const code = problem.code ?? (status === 403 ? "link_expired"
        : /^(5|408|429)/.test(`${status}`) ? "unavailable" : "not_found");
    const wait = Number(response.headers.get("Retry-After") ?? 0) * 1000;
    // A full disk is not temporary: its operator has to act.
    return new Refusal(status === 507 ? "no_room" : code,
        problem.message ?? `The server answered with HTTP status ${status}.`, "", wait);
}

/** Makes a request over HTTP. */
export async function exchange(url: string, init: RequestInit): Promise<Response> {
    try {
        return await fetch(url, { ...init, credentials: "omit", cache: "no-store", redirect: "error" });
    } catch (error) {
        if ((error as Error).name === "AbortError") throw new Refusal("cancelled", "It was cancelled.");
        throw new Refusal("connection_lost", `The transfer was interrupted: ${(error as Error).message}`);
    }
}

/** A file of a message, and where it can be read. */
export interface OpenedFile {
    readonly attachment: Attachment;
    readonly blob: Blob;
}
