import { decode, encode } from "./codec";
import type { Given } from "./codec";
import { ParleyError } from "./errors";
import type { ClientFrame, ServerFrame } from "./generated/messages";

/** The WebSocket subprotocol. */
export const subprotocol = "parley.v1";

/** What a link needs of a WebSocket: that of a browser has it, and so has the one of node-ws. */
export interface WebSocketLike {
    binaryType: string;
    onopen: ((event: never) => void) | null;
    onmessage: ((event: { data: unknown } & never) => void) | null;
    onclose: ((event: { code: number; reason: string } & never) => void) | null;
    onerror: ((event: never) => void) | null;
    send(data: Uint8Array): void;
    close(code?: number, reason?: string): void;
}

/** Opens a WebSocket. */
export type OpenWebSocket = (url: string, subprotocol: string) => WebSocketLike;

/** The WebSocket of a browser. */
export function openWebSocket(url: string, protocol: string): WebSocketLike {
    if (typeof WebSocket === "undefined") {
        const advice = "There is no WebSocket here. Pass the option webSocket, such as that of node-ws.";
        throw new ParleyError("unavailable", advice);
    }
    return new WebSocket(url, protocol) as unknown as WebSocketLike;
}

/**
 * The address of a server's WebSocket: wss://host:port, or ws://host:port without TLS. Without a path it is /v1/socket.
 * @throws ParleyError `unsupported_url`.
 */
export function linkAddress(url: string): string {
    const refuse = (why: string): ParleyError =>
        new ParleyError("unsupported_url", `Cannot use the URL ${url}. ${why}`);
    let parsed: URL;
    try {
        parsed = new URL(url);
    } catch {
        throw refuse("It must begin with wss:// or ws:// and name a host.");
    }
    if (parsed.protocol !== "wss:" && parsed.protocol !== "ws:") throw refuse("It must begin with wss:// or ws://.");
    const hasMore = parsed.username !== "" || parsed.password !== "" || parsed.hash !== "";
    if (hasMore) throw refuse("It must not have @ or #.");
    if (parsed.pathname === "/") parsed.pathname = "/v1/socket";
    return parsed.href;
}

/** A server's URL, written in one way: what is stored of a server is found by it. */
export function serverAddress(url: string): string {
    try {
        return linkAddress(url).replace(/\/v1\/socket$/, "");
    } catch {
        return url;
    }
}

/** The callbacks of a link. Each link calls `lost` once, and nothing after it. */
export interface LinkEvents {
    opened(): void;
    received(frame: ServerFrame): void;
    /** The code is the server's, 1006 if there was none, or 1007 if it sent what cannot be read. */
    lost(code: number, reason: string): void;
}

/** The largest frame that a server sends. */
const frameBytesMax = 2 << 20;

/** One WebSocket that sends and receives frames. */
export class Link {
    private socket: WebSocketLike | null = null;
    private isOpen = false;

    constructor(address: string, open: OpenWebSocket, private readonly events: LinkEvents) {
        let socket: WebSocketLike;
        try {
            socket = open(address, subprotocol);
        } catch (error) {
            // A page of https may not open ws://, a URL may be refused: never at once, since the caller waits for it.
            void Promise.resolve().then(() => events.lost(1006, String((error as Error)?.message ?? error)));
            return;
        }
        this.socket = socket;
        socket.binaryType = "arraybuffer";
        socket.onopen = () => {
            if (this.socket !== socket) return;
            this.isOpen = true;
            events.opened();
        };
        socket.onmessage = (event: { data: unknown }) => {
            if (this.socket === socket) this.take(event.data);
        };
        socket.onclose = (event: { code: number; reason: string }) => {
            if (this.socket === socket) this.end(event.code || 1006, event.reason ?? "");
        };
        // A close follows, which says more.
        socket.onerror = () => {};
    }

    /** Sends a frame. Does nothing unless the link is open. */
    send(frame: Given<ClientFrame>): void {
        if (!this.socket || !this.isOpen) return;
        try {
            this.socket.send(encode("ClientFrame", frame));
        } catch (error) {
            this.fail(1006, String((error as Error)?.message ?? error));
        }
    }

    /** Closes without a word to the events. */
    close(code = 1000, reason = "closed by the client"): void {
        const { socket } = this;
        this.socket = null;
        try {
            socket?.close(code, reason);
        } catch {
            // One that never opened may refuse it, and is of no use all the same.
        }
    }

    private take(data: unknown): void {
        if (!(data instanceof ArrayBuffer)) return this.fail(1003, "The server sent a text message.");
        if (data.byteLength > frameBytesMax) return this.fail(1009, "The server sent a frame that is too large.");
        let frame: ServerFrame;
        try {
            frame = decode("ServerFrame", new Uint8Array(data));
        } catch (error) {
            return this.fail(1007, (error as ParleyError).message);
        }
        this.events.received(frame);
    }

    private fail(code: number, reason: string): void {
        // A page may close with codes of its own only.
        this.close(4000, "unreadable");
        this.events.lost(code, reason);
    }

    private end(code: number, reason: string): void {
        this.socket = null;
        this.events.lost(code, reason);
    }
}
