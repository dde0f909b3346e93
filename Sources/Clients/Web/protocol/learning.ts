import { create } from "./codec";
import type { Given } from "./codec";
import type {
    ConversationReply, InboxStateReply, Message, MessageReply, SendMessageReply, UpdateMarksReply,
    UpdateMessageStateReply,
} from "./generated/messages";
import type { Method, Methods } from "./generated/methods";
import { methods } from "./methods";
import type { Content } from "./states";

/** What a reply to a request of the app's own says of states. */
export interface Learned {
    /** States of which no Update comes to this session. */
    readonly learned: readonly Content[];
    /** What may have changed without the reply saying how: a conversation's messages, or, null, my own state. */
    readonly unsure: readonly (string | null)[];
}

const nothing: Learned = { learned: [], unsure: [] };

type Sent = Given<Methods["messaging.SendMessage"]["request"]>;

/** What the reply to a request that changes something says. */
export function learn(method: Method, request: object, reply: object, me: string): Learned {
    if (/\.(Get|List|Find|Search|Sync)/.test(method)) return nothing;
    switch (methods[method][1]) {
        case "SendMessageReply":
            return learnSent(request as Sent, reply as SendMessageReply, me);
        case "MessageReply":
            return all("Message", [(reply as MessageReply).message]);
        case "ConversationReply":
            return all("Conversation", [(reply as ConversationReply).conversation]);
        case "InboxStateReply":
            return all("InboxState", [(reply as InboxStateReply).state]);
        case "UpdateMarksReply":
            return all("InboxState", (reply as UpdateMarksReply).states);
        case "UpdateMessageStateReply":
            return all("MessageState", (reply as UpdateMessageStateReply).states);
        default:
            // Of all others the session gets Updates.
            return nothing;
    }
}

function all(kind: "Message" | "Conversation" | "InboxState" | "MessageState", states: readonly unknown[]): Learned {
    const known = states.filter((state) => state !== undefined);
    return { learned: known.map((state) => ({ kind, state }) as Content), unsure: [] };
}

/** The server does not send the Update of a message to the session that sent it. */
function learnSent(request: Sent, reply: SendMessageReply, me: string): Learned {
    const conversation = request.conversation ?? "";
    // The reply to a duplicate does not have later changes of the message.
    if (reply.duplicate) return { learned: [], unsure: [conversation] };
    const { id = "", kind = "TEXT", text = "" } = request;
    const { seq, position, sent_at_us } = reply;
    const given = { conversation, id, kind, text, seq, position, sent_at_us, sender: me };
    const message: Message = reply.message ?? create("Message", given);
    return { learned: [{ kind: "Message", state: message }], unsure: [] };
}

/** What a request may have changed that got no reply. */
export function doubt(method: Method, request: object): readonly (string | null)[] {
    switch (method) {
        case "messaging.SendMessage":
        case "messaging.EditMessage":
        case "messaging.DeleteMessage":
            return [(request as { conversation?: string }).conversation ?? ""];
        case "messaging.UpdateMarks":
        case "messaging.UpdateInboxState":
        case "messaging.ClearConversation":
        case "messaging.UpdateMessageState":
            return [null];
        default:
            // Of all others the session gets Updates.
            return [];
    }
}
