import { Refusal } from "../api/refusal";
import type { Message } from "../api/values";
import { attachmentOf, date, kindOf } from "../api/values";
import { decode, encode } from "../protocol/codec";
import type { Given } from "../protocol/codec";
import type { Conversation, SendMessageRequest } from "../protocol/generated/messages";
import type { Methods } from "../protocol/generated/methods";
import { methods } from "../protocol/methods";
import type { Action, MethodName } from "./action";
import { ActionName, actionOf } from "./actions";
import { millisecondsOf } from "./uuid";

/** Why the server refused something, as it is stored. */
export interface StoredRefusal {
    code: string;
    message: string;
    field: string;
}

/** Something that I did and that the server does not have yet, as it is stored. */
export interface UnsentRow {
    /** A UUIDv7: ids ascend in the order in which things were done. */
    readonly id: string;
    readonly lane: string;
    /** What the request is called in the contract. */
    readonly method: string;
    /** The request, as it is stored and sent. */
    readonly body: Uint8Array;
    /** The id of the message that it is about or answers, which may have no number yet; empty: none. */
    readonly target: string;
    /** The number of that message, if it was sent after this was done; 0: it is not sent, or was before. */
    readonly targetSeq: number;
    /** The conversation that it creates, as it is shown until the server says how it is; or whom it blocks. */
    readonly guess?: Conversation;
    /** The name of the file that it sends. */
    readonly file?: string;
    /** In microseconds UTC. */
    readonly doneAtUs: number;
    /** Whether it may have been sent already. */
    readonly wasTried: boolean;
    /** Why the server refused it. */
    readonly failure?: StoredRefusal;
}

/** What this version knows of a stored row. */
interface Known {
    action?: Action<MethodName>;
    request?: Methods[MethodName]["request"];
}

const known = new WeakMap<UnsentRow, Known>();

function know(row: UnsentRow): Known {
    let found = known.get(row);
    if (!found) known.set(row, (found = read(row)));
    return found;
}

function read(row: UnsentRow): Known {
    const action = actionOf(row.method);
    if (!action) return {};
    try {
        const [name] = methods[row.method as MethodName];
        return { action, request: decode(name, row.body) as Methods[MethodName]["request"] };
    } catch {
        // Another version wrote what this one cannot read.
        return {};
    }
}

/** Creates what is to be stored and sent. */
export function newItem<M extends ActionName>(
    id: string, method: M, given: Given<Methods[M]["request"]>, me: string, doneAtUs: number,
    rest: Partial<Pick<UnsentRow, "target" | "guess" | "file">> = {},
): UnsentRow {
    const [name] = methods[method];
    const body = encode(name, given as never);
    const request = decode(name, body) as Methods[MethodName]["request"];
    const action = actionOf(method)!;
    const row: UnsentRow = {
        id, lane: action.lane(request as never, me), method, body, target: "", targetSeq: 0, doneAtUs, wasTried: false,
        ...rest,
    };
    known.set(row, { action, request });
    return row;
}

/** The action; absent: this version does not know it. Then it stays as it is until one that does is there. */
export const action = (row: UnsentRow): Action<MethodName> | undefined => know(row).action;

/** The request; absent with the action. */
export const request = (row: UnsentRow) => know(row).request as never;

export const isKnown = (row: UnsentRow): boolean => know(row).action !== undefined;

/** The request, if it sends a message. */
export function sending(row: UnsentRow): SendMessageRequest | undefined {
    const { action, request } = know(row);
    return action?.sends ? (request as SendMessageRequest) : undefined;
}

/** The id of the message that it sends. */
export const sends = (row: UnsentRow): string | undefined => sending(row)?.id;

/** The message that it changes, other than by sending it. */
export const changedMessage = (row: UnsentRow): string | undefined =>
    know(row).action?.message && row.target ? row.target : undefined;

/** Whether all that comes later in its lane is about what it creates. What is created has the id of what creates it. */
export function creates(row: UnsentRow): boolean {
    const { action } = know(row);
    return action ? action.creates === true : row.lane === row.id;
}

/** The id of the message that it sends, or may send: a message has the id of what sends it, until that is renewed. */
const sentID = (row: UnsentRow) => (isKnown(row) ? sends(row) : row.id);

/**
 * Whether this cannot be sent without the other, which was done before: it is about what that creates or sends, or
 * names what that creates, as an event names a group that is invited.
 */
export function depends(row: UnsentRow, earlier: UnsentRow): boolean {
    if (earlier.id >= row.id) return false;
    const { lane } = earlier;
    if (row.lane !== lane) return creates(earlier) && Object.values(know(row).request ?? {}).flat().includes(lane);
    return creates(earlier) || (row.target !== "" && sentID(earlier) === row.target);
}

/** Whether it is a message that answers the one that another sends. It can be sent without that, answering nothing. */
export function answers(row: UnsentRow, earlier: UnsentRow): boolean {
    return row.lane === earlier.lane && sends(row) !== undefined && row.target !== ""
        && sentID(earlier) === row.target;
}

/** Returns it with other values of some fields of its request. Fields of a newer version stay in it. */
export function patched(row: UnsentRow, given: object): UnsentRow {
    const [name] = methods[row.method as MethodName];
    // Of a field that comes twice, the last one counts.
    const addition = encode(name, given as never);
    const body = new Uint8Array(row.body.length + addition.length);
    body.set(row.body);
    body.set(addition, row.body.length);
    return { ...row, body };
}

/** Returns it with the number of the message that it is about or answers. */
export function resolved(row: UnsentRow, seq: number): UnsentRow {
    const { action } = know(row);
    const changed = action?.numbered ? patched(row, action.numbered(seq)) : { ...row };
    return { ...changed, targetSeq: seq };
}

/** Returns a stored row with the number that a version which did not know it could not put in. */
export function restored(row: UnsentRow): UnsentRow {
    const { action, request } = know(row);
    if (!action?.numbered || row.targetSeq === 0) return row;
    const wanted = Object.entries(action.numbered(row.targetSeq))[0]!;
    const is = (request as unknown as Record<string, unknown>)[wanted[0]];
    return String(is) === String(wanted[1]) ? row : patched(row, action.numbered(row.targetSeq));
}

/** The field `reply_to_seq` with the value zero, which is not encoded otherwise. */
const noReply = Uint8Array.of(5 << 3, 0);

/** Returns a message as one that answers nothing. */
export function withoutReply(row: UnsentRow): UnsentRow {
    const body = new Uint8Array(row.body.length + noReply.length);
    body.set(row.body);
    body.set(noReply, row.body.length);
    return { ...row, body, target: "", targetSeq: 0 };
}

const day = 86_400_000;

/** Whether the server would refuse the id of a message: it takes those of the last 30 days, and of the next day. */
export function mustRenew(row: UnsentRow, nowUs: number): boolean {
    const id = sends(row);
    if (id === undefined) return false;
    const age = nowUs / 1000 - millisecondsOf(id);
    return age > 29 * day || age < (-23 * day) / 24;
}

/** Why the server refused it. */
export function failureOf({ failure }: UnsentRow): Refusal | undefined {
    return failure && new Refusal(failure.code, failure.message, failure.field);
}

/** Whether the server has what it is about. */
export function statusOf(row: UnsentRow): { syncStatus: "pending" | "failed"; refusal?: Refusal } {
    const refusal = failureOf(row);
    return refusal ? { syncStatus: "failed", refusal } : { syncStatus: "pending" };
}

/**
 * Returns the message that it sends.
 * @param uploaded how many bytes of its file the server has.
 */
export function messageOfItem(row: UnsentRow, me: string, uploaded = 0): Message | undefined {
    const request = sending(row);
    if (!request) return undefined;
    const { media } = request;
    const status = statusOf(row);
    return {
        id: request.id, conversation: request.conversation, sender: me, kind: kindOf(request.kind), text: request.text,
        sentAt: date(row.doneAtUs), status: status.refusal ? "failed" : "sending", ...status, isDeleted: false,
        isHidden: false, isStarred: false, replyTo: request.reply_to_seq || undefined, mentions: request.mentions,
        reactions: [], attachment: media && attachmentOf(media),
        progress: media && row.file && !status.refusal ? uploaded / Math.max(media.size_bytes, 1) : undefined,
    };
}
