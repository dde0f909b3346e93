import type { Event } from "../Web/api/index";
import type { Conversation, Message, Person } from "./model";

/** What a person opens on top of the chat. */
export type Shown =
    | {
        readonly of: "new" | "profile" | "setUp" | "settings" | "archived" | "mentions" | "starred" | "keys" | "agenda";
    }
    | { readonly of: "search"; readonly conversation: Conversation | null }
    | { readonly of: "about"; readonly conversation: Conversation }
    | {
        readonly of: "report"; readonly person: Person; readonly conversation: Conversation; readonly message?: Message;
    }
    | { readonly of: "forward"; readonly conversation: Conversation; readonly messages: readonly Message[] }
    | { readonly of: "details" | "viewer"; readonly conversation: Conversation; readonly message: Message }
    | { readonly of: "attach"; readonly conversation: Conversation; readonly files: readonly File[] }
    | { readonly of: "voice" | "event" | "date"; readonly conversation: Conversation }
    | { readonly of: "remind" | "decide"; readonly conversation: Conversation; readonly message: Message }
    | { readonly of: "attendees"; readonly id: string; readonly title: string }
    | { readonly of: "change" | "inviting"; readonly event: Event }
    | { readonly of: "emoji"; readonly choose: (emoji: string) => void };

export type Show = (shown: Shown | null) => void;

/** Goes to a conversation, or to one of its messages. */
export type Go = (conversation: string, seq?: number) => void;
