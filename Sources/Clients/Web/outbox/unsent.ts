import type { Refusal } from "../api/refusal";
import type { SyncStatus } from "../api/values";

/** What was done. */
export type UnsentKind =
    | { type: "message"; text: string }
    /** A message with a file of this name. */
    | { type: "file"; name: string }
    | { type: "edit"; text: string }
    | { type: "deletion" }
    /** A reaction, or its removal. */
    | { type: "reaction"; emoji: string }
    /** Starring a message, or deleting it for myself. */
    | { type: "messageState" }
    /** Reading, pinning, muting, archiving. */
    | { type: "ownState" }
    /** Creating a conversation. */
    | { type: "conversation" }
    /** A group's name, photo, members, roles. */
    | { type: "group" }
    /** Accepting, declining, withdrawing, blocking. */
    | { type: "request" }
    | { type: "profile" } | { type: "reminder" } | { type: "decision" }
    /** Creating or changing an event, or answering an invitation. */
    | { type: "event" }
    /** Accepting or dismissing a suggestion. */
    | { type: "suggestion" }
    /** How long the messages of a conversation stay. */
    | { type: "retention" }
    /** Something that this version does not know, as a newer one did it. It waits for an update of the page. */
    | { type: "ofNewerVersion" };

/** Something that I did and that the server does not have yet: it waits, is on its way, or was refused. */
export interface Unsent {
    /** Names it in this browser. */
    readonly id: string;
    readonly kind: UnsentKind;
    /** The conversation that it is about. */
    readonly conversation?: string;
    /** The message that it is about. */
    readonly message?: string;
    /** The event, the reminder, the decision or the suggestion that it is about. */
    readonly entity?: string;
    readonly doneAt: Date;
    /** Pending; or failed, with the reason. What failed stays until it is tried again or dropped. */
    readonly syncStatus: SyncStatus;
    readonly refusal?: Refusal;
}
