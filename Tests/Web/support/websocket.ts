// WebSockets in node: node-ws of Debian, as client and as server. Browsers have their own.
import { createRequire } from "node:module";
import type { WebSocketLike } from "../../../Sources/Clients/Web/protocol/link";

export interface ServerSocket {
    on(event: "message", body: (data: Uint8Array, isBinary: boolean) => void): void;
    on(event: "close", body: (code: number) => void): void;
    send(data: Uint8Array | string): void;
    close(code?: number, reason?: string): void;
    terminate(): void;
}

interface SocketServer {
    on(event: "connection", body: (socket: ServerSocket) => void): void;
    on(event: "listening", body: () => void): void;
    address(): { port: number };
    close(): void;
}

interface Module {
    new (url: string, protocols: string[], options: object): WebSocketLike;
    WebSocketServer: new (options: object) => SocketServer;
}

/** Debian's package is where node of another origin does not look. */
function load(): Module {
    const require = createRequire(`${process.cwd()}/`);
    try {
        return require("ws") as Module;
    } catch {
        return require("/usr/share/nodejs/ws") as Module;
    }
}

const Socket = load();

/** Opens a WebSocket. */
export function nodeWebSocket(url: string, subprotocol: string): WebSocketLike {
    return new Socket(url, [subprotocol], { maxPayload: 2 << 20, perMessageDeflate: false });
}

/** A server on this machine, on a port that is free. */
export async function serve(connected: (socket: ServerSocket) => void): Promise<{ url: string; close(): void }> {
    const options = { host: "127.0.0.1", port: 0, handleProtocols: () => "parley.v1" };
    const server = new Socket.WebSocketServer(options);
    server.on("connection", connected);
    await new Promise<void>((resolve) => server.on("listening", resolve));
    return { url: `ws://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
