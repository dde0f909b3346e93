import type { Conversation, Message, Person } from "./model";

/** What a person opens on top of the chat. */
export type Shown =
    | { readonly of: "new" | "profile" | "setUp" | "settings" | "archived" | "mentions" | "starred" | "keys" }
    | { readonly of: "search"; readonly conversation: Conversation | null }
    | { readonly of: "about"; readonly conversation: Conversation }
    | {
        readonly of: "report"; readonly person: Person; readonly conversation: Conversation; readonly message?: Message;
    }
    | { readonly of: "details" | "forward"; readonly conversation: Conversation; readonly message: Message }
    | { readonly of: "emoji"; readonly choose: (emoji: string) => void };

export type Show = (shown: Shown | null) => void;

/** Goes to a conversation, or to one of its messages. */
export type Go = (conversation: string, seq?: number) => void;
