/**
 * What the page shows and does, in the words of ParleyKit. The components know nothing else of the SDK, so that each
 * can be read, and tried, without it.
 */

export interface Person {
    readonly id: string;
    readonly username: string;
    readonly name: string;
    readonly isDeleted: boolean;
}

/** How far a message of one's own has come. */
export type MessageStatus = "waiting" | "failed" | "sent" | "delivered" | "read";

export interface Message {
    readonly id: string;
    /** 0 until the server has numbered it. */
    readonly seq: number;
    /** Empty: the server itself says it. */
    readonly sender: string;
    readonly text: string;
    /** Milliseconds since 1970. */
    readonly sentAt: number;
    readonly isEdited: boolean;
    readonly isDeleted: boolean;
    /** Whether it says what happened, such as that somebody joined. */
    readonly isNote: boolean;
    /** Name of a file that comes with it; empty: there is none. */
    readonly file: string;
    readonly mentionsMe: boolean;
    readonly reactions: readonly { readonly emoji: string; readonly count: number; readonly isMine: boolean }[];
    readonly status: MessageStatus;
    /** Why it failed; empty otherwise. */
    readonly problem: string;
}

/** Something that is shown, and says when it changes. */
export interface Observed {
    /** Grows with each change. */
    readonly version: number;
    readonly subscribe: (listener: () => void) => () => void;
}

export type Section = "inbox" | "requests" | "gone";

export interface Conversation extends Observed {
    readonly id: string;
    readonly isGroup: boolean;
    readonly title: string;
    /** The other person of a direct conversation. */
    readonly other: Person | null;
    readonly memberCount: number;
    readonly section: Section;
    /** A request of one's own that is not answered yet, or one by somebody else. */
    readonly request: "none" | "sent" | "received";
    readonly canWrite: boolean;
    readonly unread: number;
    readonly mentions: number;
    readonly isPinned: boolean;
    readonly isMuted: boolean;
    readonly lastMessage: Message | null;
    /** In order. A new array whenever something of it changes. */
    readonly messages: readonly Message[];
    readonly isLoaded: boolean;
    readonly hasOlder: boolean;
    /** Up to which seq the person has read. */
    readonly readUpTo: number;
    /** What was begun and not sent. */
    readonly draft: string;
    /** Names of those who are writing. */
    readonly typing: readonly string[];
    name(of: string): string;

    load(): Promise<void>;
    loadOlder(): Promise<void>;
    send(text: string): Promise<void>;
    edit(message: Message, text: string): Promise<void>;
    delete(message: Message): Promise<void>;
    /** Sends one again that failed. */
    retry(message: Message): Promise<void>;
    markRead(): Promise<void>;
    /** Gives up one that failed. */
    drop(message: Message): Promise<void>;
    /** Keeps what was begun, and shows the others that the person is writing. */
    setDraft(text: string): void;
    stopTyping(): void;
    pin(isPinned: boolean): Promise<void>;
    accept(): Promise<void>;
    decline(): Promise<void>;
    block(): Promise<void>;
}

export type Connection = "connecting" | "connected" | "offline" | "signedOut";

/** Changes when the lists do, or what is said of the person and the connection; not with each conversation. */
export interface Chat extends Observed {
    readonly connection: Connection;
    /** Why the chat cannot go on by itself; empty: it can. */
    readonly problem: string;
    /** Whether the first look at what this device keeps is over. */
    readonly isOpen: boolean;
    readonly me: Person | null;
    readonly inbox: readonly Conversation[];
    readonly requests: readonly Conversation[];
    /** How many things the person did are not sent yet. */
    readonly unsent: number;

    conversation(id: string): Conversation | null;
    signIn(username: string, password: string): Promise<void>;
    /** @param progress gets what takes long, such as work that the server asks for. */
    register(account: NewAccount, progress: (what: string) => void): Promise<void>;
    /** The page with a CAPTCHA that the server asks for before it registers anybody; empty: none. */
    registrationPage(): Promise<string>;
    signOut(evenUnsent: boolean): Promise<void>;
    search(text: string): Promise<readonly Person[]>;
    /** @returns the conversation's id. */
    start(person: Person): Promise<string>;
    /** Says what the person does: others see them online, and whether they look at a conversation. */
    look(isVisible: boolean, conversation: string): void;
    /** Whether the inbox has more conversations than it shows. */
    readonly hasMore: boolean;
    loadMore(): Promise<void>;
}

export interface NewAccount {
    readonly username: string;
    readonly password: string;
    readonly name: string;
    /** Of a server that asks for one; else empty. */
    readonly code: string;
    /** The token that the CAPTCHA page gave; else empty. */
    readonly proof: string;
}

/** What the server, or the SDK, says no to. */
export interface RefusalLike {
    readonly code: string;
    readonly message: string;
    readonly field?: string;
}

export function refusal(error: unknown): RefusalLike {
    const isRefusal = typeof error === "object" && error !== null && "code" in error && "message" in error;
    if (isRefusal) return error as RefusalLike;
    return { code: "internal", message: error instanceof Error ? error.message : "Something went wrong. Try again." };
}
