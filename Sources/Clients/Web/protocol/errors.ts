import { repetition } from "./generated/codes";
import type { Problem } from "./generated/messages";

/**
 * The refusal or failure of a request. The code is stable and for programs: one of `codes`, or of a newer server, or
 * one of this library: `connection_lost`, `cancelled`, `closed`, `invalid_frame`, `unsupported_url`. The message is for
 * people.
 */
export class ParleyError extends Error {
    override readonly name = "ParleyError";
    readonly code: string;
    /** The field of the request that is at fault; empty: none. */
    readonly field: string;
    /** How long to wait before the request is sent again; zero: there is no need to, or no point in it. */
    readonly retryAfterMs: number;

    constructor(code: string, message: string, field = "", retryAfterMs = 0) {
        super(message);
        this.code = code;
        this.field = field;
        this.retryAfterMs = retryAfterMs;
    }

    /** The error that a reply, or a goodbye, tells. */
    static from(problem: Problem): ParleyError {
        return new ParleyError(problem.code, problem.message, problem.field, problem.retry_after_ms);
    }

    /** Whether the same request, with the same id, may succeed later. */
    get isRetriable(): boolean {
        return repetition(this.code) === "afterWait" || this.isUncertain;
    }

    /** Whether the request may have taken effect although no reply came. */
    get isUncertain(): boolean {
        return this.code === "connection_lost" || repetition(this.code) === "uncertain";
    }
}

/** The server sent what cannot be read. The codec throws nothing else while it decodes. */
export function invalidFrame(why: string): ParleyError {
    return new ParleyError("invalid_frame", `The server sent what cannot be read: ${why}`);
}

/** A message cannot be encoded. The codec throws nothing else while it encodes. */
export function invalidField(field: string, why: string): ParleyError {
    return new ParleyError("invalid", `${field}: ${why}`, field);
}

export function notConnected(): ParleyError {
    return new ParleyError("unavailable", "The client is not connected to the server.");
}

export function unauthenticated(): ParleyError {
    return new ParleyError("unauthenticated", "Nobody is signed in. Sign in again.");
}

export function revoked(): ParleyError {
    return new ParleyError("revoked", "This device was signed out. Sign in again.");
}

export function lostBy(why: string): ParleyError {
    return new ParleyError("connection_lost", `The connection ended before the reply arrived: ${why}`);
}
