// A server of the tests, which answers what they say, and a network that can be taken away.
import { decode, encode } from "../../../Sources/Clients/Web/protocol/codec";
import type { Request } from "../../../Sources/Clients/Web/protocol/generated/messages";
import type { WebSocketLike } from "../../../Sources/Clients/Web/protocol/link";
import type { Credentials } from "../../../Sources/Clients/Web/protocol/session-types";
import type { ServerSocket } from "./websocket";
import { nodeWebSocket, serve } from "./websocket";

export const tokens = (user: string): Credentials => ({
    user, device: `device of ${user}`, username: user, access_token: `token of ${user}`, access_ends_us: 9e15,
    refresh_token: "r", refresh_ends_us: 9e15, known_device: "",
});

/** Takes everybody, and everything that is not refused. It notes what it takes. */
export class Server {
    url = "";
    /** The people who signed out. */
    readonly left: string[] = [];
    /** The tokens of each session. */
    readonly hellos: string[] = [];
    /** What was taken: the method, and the text or the number that it is about. */
    readonly taken: string[] = [];
    /** The methods of all requests, in the order in which they came. */
    readonly asked: string[] = [];
    readonly bodies: Uint8Array[] = [];
    readonly sockets = new Set<ServerSocket>();
    /** Returns the code with which a request is refused. */
    refuse: (method: string, user: string) => string | undefined = () => undefined;
    /** Returns the body of the answer to a request, when it is sent; absent: what is built in. */
    answers: (method: string) => Uint8Array | undefined = () => undefined;
    /** Requests of this kind are answered once `release` is called. */
    holds = "";
    private held: (() => void)[] = [];
    private lastSeq = 0;
    close: () => void = () => {};

    static async start(): Promise<Server> {
        const server = new Server();
        Object.assign(server, await serve((socket) => server.take(socket)));
        return server;
    }

    get heldCount(): number {
        return this.held.length;
    }

    release(): void {
        this.holds = "";
        for (const answer of this.held.splice(0)) answer();
    }

    private take(socket: ServerSocket): void {
        let user = "";
        this.sockets.add(socket);
        socket.on("close", () => this.sockets.delete(socket));
        socket.on("message", (data) => {
            const frame = decode("ClientFrame", new Uint8Array(data));
            if (frame.hello) {
                this.hellos.push(frame.hello.token);
                user = frame.hello.token.replace(/^token of /, "");
                const server_time_us = Date.now() * 1000;
                const session_ends_us = user === "" ? 0 : server_time_us + 3.6e9;
                const welcome = { version: 1, session: "s", user, device: "d", server_time_us, session_ends_us, cells: ["0"] };
                socket.send(encode("ServerFrame", { welcome }));
            }
            for (const request of [...(frame.hello?.requests ?? []), ...(frame.request ? [frame.request] : [])]) {
                this.asked.push(request.method);
                this.bodies.push(request.body);
                const code = this.refuse(request.method, user);
                const error = code === undefined ? {} : { error: { code, message: "It is refused by the test." } };
                const noted = code === undefined ? this.note(request, user) : new Uint8Array();
                const answer = () => {
                    const body = (code === undefined ? this.answers(request.method) : undefined) ?? noted;
                    socket.send(encode("ServerFrame", { reply: { id: request.id, body, ...error } }));
                };
                if (request.method === this.holds) this.held.push(answer);
                else answer();
            }
        });
    }

    private note({ method, body }: Request, user: string): Uint8Array {
        switch (method) {
            case "conversations.SignOut":
                this.left.push(decode("SignOutRequest", body).everywhere ? `${user} everywhere` : user);
                break;
            case "messaging.SendMessage":
                this.taken.push(decode("SendMessageRequest", body).text);
                return encode("SendMessageReply", { seq: ++this.lastSeq, sent_at_us: Date.now() * 1000 });
            case "messaging.UpdateMarks":
                this.taken.push(`read ${decode("UpdateMarksRequest", body).marks[0]?.read_seq}`);
                break;
        }
        return new Uint8Array();
    }
}

/** A network that can be taken away. */
export class Network {
    isDown = false;
    attempts = 0;
    readonly open = (url: string, protocol: string): WebSocketLike => {
        this.attempts += 1;
        if (this.isDown) throw new Error("there is no network");
        return nodeWebSocket(url, protocol);
    };
}
