/**
 * What the page shows and does, in the words of ParleyKit. The components know nothing else of the SDK, so that each
 * can be read, and tried, without it.
 */
import { say } from "./english/door";
import { why } from "./language";

export interface Person {
    readonly id: string;
    readonly username: string;
    readonly name: string;
    readonly isDeleted: boolean;
    /** An address of the web; empty: none. */
    readonly photo: string;
}

export type Role = "member" | "admin" | "owner";

export interface Member {
    readonly person: Person;
    readonly role: Role;
}

/** A file that comes with a message. */
export interface Attached {
    /** How it is shown: what is none of these is saved, and never opened as a page. */
    readonly kind: "picture" | "film" | "voice" | "sound" | "other";
    readonly name: string;
    readonly bytes: number;
    /** In pixels; 0: not known. */
    readonly width: number;
    readonly height: number;
    /** How long it plays, in milliseconds; 0: not known. */
    readonly duration: number;
    /** The address of a small picture to show while it loads; empty: none. */
    readonly preview: string;
    /** Where it is, if another server has it; empty otherwise. The page loads nothing from there. */
    readonly elsewhere: string;
}

/** What is known of a file that is sent. */
export interface FileFacts {
    readonly width?: number;
    readonly height?: number;
    readonly durationMs?: number;
    readonly thumbnail?: Uint8Array;
    readonly isVoice?: boolean;
}

export type Answer = "pending" | "accepted" | "declined" | "tentative";

/** What a message seems to say, for this person alone until they accept it. */
export interface Suggestion {
    readonly id: string;
    readonly kind: "event" | "reminder" | "decision";
    readonly title: string;
    /** When it is: of an event a day, with a time or without; of a reminder a moment. */
    readonly when: Moment | null;
    /** Whether somebody else has made an event of the message: accepting it answers that. */
    readonly isAnswer: boolean;
}

/** A time as people agree on it. */
export interface Moment {
    /** In milliseconds. Of whole days midnight UTC. */
    readonly at: number;
    readonly isWholeDay: boolean;
    /** How long it takes; 0: not said. */
    readonly minutes: number;
}

/** A reminder that has fired, and is neither done nor moved. */
export interface Fired {
    readonly id: string;
    readonly title: string;
    /** Where it came from; empty: nowhere. */
    readonly conversation: string;
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
    readonly attached: Attached | null;
    /** An event or a decision that it shows. */
    readonly card: { readonly kind: "event" | "decision"; readonly id: string } | null;
    readonly suggestion: Suggestion | null;
    /** What stands for it in a line, where it has no text: the name of its file; empty: it has none. */
    readonly file: string;
    /** How much of its file has reached the server, from 0 to 1; -1: nothing is to be sent of it. */
    readonly progress: number;
    /** The seq of the message that it answers; 0: none. */
    readonly replyTo: number;
    /** How many answers its thread has, and the seq of the thread's first message; 0: it is in none. */
    readonly replies: number;
    readonly thread: number;
    readonly isStarred: boolean;
    /** Who wrote it first, if it was forwarded; empty otherwise. */
    readonly forwardedFrom: string;
    /** Names of those whom it mentions, as they stand in the text after an @. */
    readonly mentioned: readonly string[];
    readonly mentionsMe: boolean;
    readonly reactions: readonly { readonly emoji: string; readonly count: number; readonly isMine: boolean }[];
    readonly status: MessageStatus;
    /** Why it failed; empty otherwise. */
    readonly problem: string;
}

export interface Presence {
    readonly status: "online" | "away" | "doNotDisturb" | "offline";
    /** In milliseconds; 0: not known. */
    readonly lastSeen: number;
    /** The line that they wrote about themselves; empty: none. */
    readonly text: string;
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
    /** What the other person is doing; null: not known, or hidden. */
    readonly presence: Presence | null;
    readonly memberCount: number;
    readonly section: Section;
    /** A request of one's own that is not answered yet, or one by somebody else. */
    readonly request: "none" | "sent" | "received";
    readonly canWrite: boolean;
    readonly unread: number;
    readonly mentions: number;
    readonly isPinned: boolean;
    readonly isMuted: boolean;
    readonly isArchived: boolean;
    /** Whether the person marked it as unread. */
    readonly isMarkedUnread: boolean;
    /** All of up to 64, the first 16 of more. */
    readonly members: readonly Member[];
    /** What the person is in a group. */
    readonly role: Role;
    /** Whether it was left: what is there can be read, and no more comes. */
    readonly hasLeft: boolean;
    readonly photo: string;
    /** The id of whoever asks or invites; empty: nobody. */
    readonly requester: string;
    /** After how many seconds messages disappear; 0: they stay. */
    readonly retention: number;
    readonly lastMessage: Message | null;
    /** In order. A new array whenever something of it changes. */
    readonly messages: readonly Message[];
    readonly isLoaded: boolean;
    readonly hasOlder: boolean;
    /** Where messages are missing between those that are loaded: the first seq of each, by the seq that follows it. */
    readonly gaps: ReadonlyMap<number, number>;
    /** Up to which seq the person has read. */
    readonly readUpTo: number;
    /** What was begun and not sent. */
    readonly draft: string;
    /** Names of those who are writing. */
    readonly typing: readonly string[];
    name(of: string): string;
    /** A message that is loaded, by its seq. */
    at(seq: number): Message | null;

    load(): Promise<void>;
    loadOlder(): Promise<void>;
    /** Loads the messages around a seq. */
    loadAround(seq: number): Promise<void>;
    /** @param mentions ids of those whom the text mentions. */
    send(text: string, mentions?: readonly string[], replyTo?: Message | null): Promise<void>;
    sendFile(file: Blob, name: string, facts: FileFacts): Promise<void>;
    /** The file of a message: what this browser keeps, or from the server. */
    openFile(message: Message): Promise<Blob>;
    edit(message: Message, text: string, mentions?: readonly string[]): Promise<void>;
    /** Deletes it for everyone, or for the person alone. */
    delete(message: Message): Promise<void>;
    hide(message: Message): Promise<void>;
    star(message: Message, isStarred: boolean): Promise<void>;
    react(message: Message, emoji: string, isMine: boolean): Promise<void>;
    /** Sends one again that failed. */
    retry(message: Message): Promise<void>;
    markRead(): Promise<void>;
    /** Gives up one that failed. */
    drop(message: Message): Promise<void>;
    /** Keeps what was begun, and shows the others that the person is writing. */
    setDraft(text: string): void;
    stopTyping(): void;
    pin(isPinned: boolean): Promise<void>;
    /** @param until in milliseconds since 1970; 0: without end; null: no longer. */
    mute(until: number | null): Promise<void>;
    archive(isArchived: boolean): Promise<void>;
    markUnread(): Promise<void>;
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
    /** How many requests the person has, and has not looked at. */
    readonly requestCount: number;
    readonly unreadRequests: number;
    readonly fired: readonly Fired[];
    /** Ends a reminder, or lets it fire again after some minutes. */
    complete(reminder: string): Promise<void>;
    snooze(reminder: string, minutes: number): Promise<void>;
    accept(suggestion: Suggestion): Promise<void>;
    dismiss(suggestion: Suggestion): Promise<void>;
    /** Whether the person registered a moment ago, and others know no name of theirs. */
    readonly isNew: boolean;
    /** How many things the person did are not sent yet. */
    readonly unsent: number;
    /** Whether messages wait although there is a connection, and no file is on its way before them. */
    readonly isHeldUp: boolean;
    /** How far this device's clock is ahead of the server's, in milliseconds; 0: it is right. */
    readonly clockOff: number;

    /** Whether the person does not want to be disturbed. */
    readonly isDoNotDisturb: boolean;
    /** Calls back with each new message, of anybody. */
    onMessage(call: (conversation: Conversation, message: Message) => void): () => void;
    conversation(id: string): Conversation | null;
    signIn(username: string, password: string): Promise<void>;
    /** @param progress gets what takes long, such as work that the server asks for. */
    register(account: NewAccount, progress: (what: string) => void): Promise<void>;
    /** The page with a CAPTCHA that the server asks for before it registers anybody; empty: none. */
    registrationPage(): Promise<string>;
    signOut(evenUnsent: boolean): Promise<void>;
    search(text: string): Promise<readonly Person[]>;
    person(id: string): Promise<Person | null>;
    /** @returns the conversation's id. */
    start(person: Person): Promise<string>;
    /** Says what the person does: others see them online, and whether they look at a conversation. */
    look(isVisible: boolean, conversation: string): void;
    /** Keeps up to date what these people are doing. */
    watch(people: readonly string[]): void;
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
    if (isRefusal) return { ...error as RefusalLike, message: why(error as RefusalLike) };
    return { code: "internal", message: error instanceof Error ? error.message : say.failed };
}
