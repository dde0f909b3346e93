import { Refusal } from "../api/refusal";

/** Why the browser's storage cannot be used, or not as it should. */
export type StoreProblemKind =
    /** There is no IndexedDB, as in some private windows. */
    | "missing"
    /** A newer version of the app wrote it, here or in another tab. */
    | "newer_version"
    /** Another tab removed it, such as when the person signed out there. */
    | "removed"
    /** It was damaged. A new database has begun. */
    | "damaged"
    /** It was damaged, and some of what was unsent is lost. */
    | "lost_unsent"
    /** The browser has no room. */
    | "full"
    | "other";

const sentences: Record<StoreProblemKind, string> = {
    missing: "This browser keeps nothing here, as in a private window. What you do is lost when the page closes.",
    newer_version: "A newer version of this page has written the browser's storage. Reload the page to use it.",
    removed: "What the browser kept of this page was removed in another tab. Reload the page.",
    damaged: "The browser's storage was damaged. Everything is read from the server again.",
    lost_unsent:
        "The browser's storage was damaged. Everything is read from the server again, but some of what you did and "
        + "was not sent yet may be lost.",
    full: "The browser has no room for this page. What you do is lost when the page closes. Free some room, then reload.",
    other: "The browser's storage cannot be used. What you do is lost when the page closes. Reload the page.",
};

/** An error of a database. */
export class StoreProblem extends Error {
    constructor(readonly kind: StoreProblemKind, why = "") {
        super(why ? `${sentences[kind]} (${why})` : sentences[kind]);
        this.name = "StoreProblem";
    }

    /** What an app is told. */
    get refusal(): Refusal {
        return new Refusal("storage_failed", this.message);
    }

    /** Says what an error of the browser means. */
    static of(error: unknown): StoreProblem {
        if (error instanceof StoreProblem) return error;
        const { name, message } = (error ?? {}) as { name?: string; message?: string };
        switch (name) {
            case "QuotaExceededError": return new StoreProblem("full");
            case "VersionError": return new StoreProblem("newer_version");
            case "DataError":
            case "NotFoundError":
            case "UnknownError": return new StoreProblem("damaged", message ?? name);
            default: return new StoreProblem("other", message ?? name ?? String(error));
        }
    }
}

/** Returns what an app is told of an error of the store. */
export function refusalOfStore(error: unknown): Refusal {
    return StoreProblem.of(error).refusal;
}
