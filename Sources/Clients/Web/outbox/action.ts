import type { Event, Listed } from "../api/entities";
import type { Message, Profile, User } from "../api/values";
import type { Methods } from "../protocol/generated/methods";
import type { KeyedKind } from "../protocol/generated/states";
import type { Summary } from "../store/summary";
import type { UnsentKind } from "./unsent";

/** A request that a person's action is. */
export type MethodName = keyof Methods;
type Request<M extends MethodName> = Methods[M]["request"];
type Reply<M extends MethodName> = Methods[M]["reply"];

/** What shows that the server's answer is stored. Until then the optimistic state stays. */
export type Confirmation =
    /** It shows already. */
    | { type: "now" }
    /** In a stream, at a position. */
    | { type: "at"; stream: string; position: number }
    /** In my stream of the cell of a conversation. */
    | { type: "own"; conversation: string; position: number }
    /** In what the next Sync returns. */
    | { type: "nextSync" };

/** What the server said. */
export interface ActionAnswer {
    confirmation: Confirmation;
    /** The number of the message that was sent, or the version that `about` has by it. */
    seq?: number;
    /** What has a version: an event, by its id. */
    about?: string;
}

/** What an action changes of a list without an order of its own. */
export type ListChange =
    | { add: Listed; /** An earlier one that it changes. */ replaces?: { id: string; parts: object } }
    | { id: string; change: (thing: never) => Listed }
    | { remove: string };

/**
 * Something that a person does and that is sent sooner or later: a request of the contract, with all that the outbox
 * must know of its kind. Each kind stands once in `actions.ts`; there is no other list.
 */
export interface Action<M extends MethodName> {
    /**
     * What it is about: a conversation, "me", or an entity, by its id. Of each lane, one thing is sent after another.
     */
    lane(request: Request<M>, me: string): string;
    /** What gateways take as the key of the request. */
    key(request: Request<M>, me: string): string;
    /** What a list of unsent things says of it. */
    unsent(request: Request<M>): UnsentKind;
    /** Returns what the server's reply says of it. */
    answer(reply: Reply<M>, request: Request<M>, me: string): ActionAnswer;
    /** Whether all that comes later in its lane is about what it creates. */
    creates?: boolean;
    /** Whether a refusal of it is dropped: nothing of what the person did is lost with it, as with a read mark. */
    dropsRefusals?: boolean;
    /**
     * Fields with the number of the message that it is about or answers, or with the version of the event that it
     * changes, which are put into the request later.
     */
    numbered?(seq: number): Partial<Request<M>>;

    // What it changes on the screen until the server's answer is stored.
    /** Whether it adds the message that it sends. */
    sends?: boolean;
    /** Changes the message that it is about. */
    message?(message: Message, request: Request<M>, at: Date): Message;
    /** Whether it moves how far I have read. */
    marks?: boolean;
    /** Changes what lists and headers show of a conversation. */
    summary?(summary: Summary, request: Request<M>, atUs: number, me: string): Summary;
    /** Changes whom I block. */
    blocked?(blocked: readonly User[], person: User): readonly User[];
    profile?(profile: Profile, request: Request<M>): Profile;
    /** Changes a list of reminders, decisions, events or suggestions. */
    list?: { kind: KeyedKind; change(request: Request<M>, atUs: number, me: string): ListChange };
}

/** Makes a change of a list. One that was refused is made undone: the thing says so, and one to be added stays. */
export function changeList<T extends Listed>(
    things: readonly T[], change: ListChange, status: Pick<Listed, "syncStatus" | "refusal">,
): readonly T[] {
    const isRefused = status.syncStatus === "failed";
    if ("add" in change) {
        const { add, replaces } = change;
        if (things.some((thing) => thing.id === add.id)) return things;
        const others = things.map((thing) =>
            (thing.id === replaces?.id && !isRefused ? { ...thing, ...replaces.parts } : thing));
        return [...others, { ...(add as T), ...status }];
    }
    if ("remove" in change) {
        if (!isRefused) return things.filter((thing) => thing.id !== change.remove);
        return things.map((thing) => (thing.id === change.remove ? { ...thing, ...status } : thing));
    }
    return things.map((thing) => {
        if (thing.id !== change.id) return thing;
        return { ...(isRefused ? thing : (change.change as (thing: T) => T)(thing)), ...status };
    });
}

/** A change of an event. */
export function eventChange(id: string, change: (event: Event) => Partial<Event>): ListChange {
    return { id, change: (event: Event) => ({ ...event, ...change(event) }) };
}
