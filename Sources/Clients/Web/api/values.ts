import type * as wire from "../protocol/generated/messages";
import type { Refusal } from "./refusal";

/**
 * Whether the server has what is shown: it waits to be sent, the server has it, or the server refused it (then
 * `refusal` says why).
 */
export type SyncStatus = "pending" | "synced" | "failed";

/** How far a message of mine has come. Messages of others are `sent`. */
export type DeliveryStatus = "sending" | "failed" | "sent" | "delivered" | "read";

/** What kind of message it is. `other`: a kind that this version does not know; show the text. */
export type MessageKind = "text" | "image" | "video" | "file" | "voice" | "system" | "other";

/** An emoji with which people reacted. */
export interface Reaction {
    readonly emoji: string;
    readonly count: number;
    /** Whether I am one of them. */
    readonly isMine: boolean;
}

/** The conversation that starts with a message. */
export interface Thread {
    /** How many replies there are that nobody deleted. */
    readonly replies: number;
    /** The number of the newest reply. */
    readonly lastSeq: number;
}

/** A file in a message. */
export interface Attachment {
    /** The file name, without a path. */
    readonly name: string;
    readonly mimeType: string;
    readonly sizeBytes: number;
    /** In pixels; absent when it has no size. */
    readonly width?: number;
    readonly height?: number;
    /** How long it plays; absent when it does not. */
    readonly durationMs?: number;
    /** A small picture to show while the file loads. */
    readonly thumbnail?: Uint8Array;
    /** Where it is, if it is not stored by Parley. */
    readonly url?: string;
}

/** What happened in a conversation. An app puts it into words. */
export interface SystemNote {
    readonly kind:
        | "joined" | "left" | "removed" | "renamed" | "photoChanged" | "ownerChanged" | "adminsAdded" | "adminsRemoved"
        | "retentionChanged" | "decisionShared" | "eventShared" | "other";
    /** Who did it. */
    readonly by: string;
    /** Whom it is about. */
    readonly users: readonly string[];
    /** The new name of a group. */
    readonly name: string;
    /** How long after sending messages disappear, in seconds; 0: never. */
    readonly seconds: number;
    /** The id of a decision or an event. */
    readonly entity: string;
}

/** A message in a conversation. It is never changed: a changed message is another object. */
export interface Message {
    readonly id: string;
    readonly conversation: string;
    /** Its number in the conversation, 1, 2, 3 …; absent while the server does not have it. */
    readonly seq?: number;
    /** Who wrote it; absent for a system message. */
    readonly sender?: string;
    readonly kind: MessageKind;
    /** The text, or the caption of a file. Empty once the message is deleted. */
    readonly text: string;
    /** When the server accepted it, or when I wrote it. */
    readonly sentAt: Date;
    /** How far it has come. */
    readonly status: DeliveryStatus;
    /** Whether the server has it, and what I changed of it. */
    readonly syncStatus: SyncStatus;
    /** Why the server refused it, or a change of it. */
    readonly refusal?: Refusal;
    readonly isDeleted: boolean;
    /** Whether I deleted it for myself. */
    readonly isHidden: boolean;
    readonly isStarred: boolean;
    readonly editedAt?: Date;
    /** When it disappears; absent: it stays. */
    readonly expiresAt?: Date;
    /** The number of the message that it answers. */
    readonly replyTo?: number;
    /** The people whom it mentions. */
    readonly mentions: readonly string[];
    /** In the order in which the emoji were first used. */
    readonly reactions: readonly Reaction[];
    /** The state of the thread that it belongs to. */
    readonly thread?: Thread;
    /** The number of the first message of its thread; absent if it is in none, or itself the first. */
    readonly threadStart?: number;
    readonly attachment?: Attachment;
    /** What happened, if this is a system message. */
    readonly note?: SystemNote;
    /** How much of its file the server has, from 0 to 1; absent: nothing of it is to be uploaded. */
    readonly progress?: number;
    /** The original author, if it was forwarded. */
    readonly forwardedFrom?: string;
}

/** A person, as everyone may see them. */
export interface User {
    readonly id: string;
    readonly username: string;
    readonly displayName: string;
    /** An `https` URL. */
    readonly photo?: string;
    /** Whether the account was erased. Only the id is then still known. */
    readonly isDeleted: boolean;
}

/** My own profile, with what only I see of it. */
export interface Profile {
    readonly user: User;
    /** My email address, which nobody else sees. */
    readonly email?: string;
    /** Whether people who know the whole address can find me by it. */
    readonly isFindableByEmail: boolean;
    /** Whether I showed that the address is mine. */
    readonly isEmailConfirmed: boolean;
    /** Whether I am a guest, without username, password and identity. */
    readonly isGuest: boolean;
    readonly syncStatus: SyncStatus;
    readonly refusal?: Refusal;
}

/** A person in a conversation. */
export interface Member {
    readonly user: User;
    readonly role: "member" | "admin" | "owner";
    readonly joinedAt: Date;
}

/** How far another person has read a conversation. */
export interface Receipt {
    /** The number of the newest message that they have read; 0: none. */
    readonly readUpTo: number;
    readonly readAt?: Date;
    /** The number of the newest message that reached one of their devices; 0: none. */
    readonly deliveredUpTo: number;
    readonly deliveredAt?: Date;
}

/** How many messages I have not read. */
export interface Unread {
    /** 1,000 means 1,000 or more. */
    readonly messages: number;
    /** How many of them mention me. */
    readonly mentions: number;
    /** Whether I marked the conversation as unread myself. */
    readonly isMarked: boolean;
}

/** Messages that exist between those that are loaded. */
export interface Gap {
    /** The first number that is missing. */
    readonly first: number;
    /** The last number that is missing. The message after it is loaded. */
    readonly last: number;
}

/** The list in which I see a conversation. `requests`: a message request to me, or an invitation into a group. */
export type Section = "inbox" | "requests" | "blocked" | "left";

/** Where the message request stands that a conversation began with. */
export type RequestState = "accepted" | "sent" | "received" | "blocked";

/** Why a person or a message is reported. */
export type ReportReason = "spam" | "harassment" | "violence" | "sexual" | "impersonation" | "other";

/** A device on which I am signed in. */
export interface SignedInDevice {
    readonly id: string;
    readonly name: string;
    readonly signedInAt: Date;
    readonly lastUsedAt: Date;
    /** Whether it is this one. */
    readonly isCurrent: boolean;
}

/** What I see of another person's presence. */
export interface Presence {
    readonly status: "online" | "away" | "doNotDisturb" | "offline";
    readonly lastSeen?: Date;
    readonly statusText?: string;
    readonly statusEnds?: Date;
    /** The conversation of ours that they look at now. */
    readonly conversation?: string;
}

/** What I say of myself on all my devices, and from whom I hide. */
export interface OwnPresence {
    readonly availability: "automatic" | "away" | "doNotDisturb";
    readonly statusText?: string;
    readonly statusEnds?: Date;
    readonly hiding: "fromNobody" | "fromAll" | "fromAllButAccepted";
}

// MARK: From the contract

/** Returns a time of the server, in microseconds UTC. */
export const date = (us: number): Date => new Date(us / 1000);

/** Returns a time of the server; absent when it is zero. */
export const dateIfSet = (us: number): Date | undefined => (us === 0 ? undefined : date(us));

/** Returns a time in microseconds UTC. */
export const microseconds = (time: Date): number => Math.round(time.getTime() * 1000);

const messageKinds: Record<string, MessageKind> = {
    TEXT: "text", IMAGE: "image", VIDEO: "video", FILE: "file", VOICE: "voice", SYSTEM: "system",
};

export function kindOf(kind: wire.MessageKind): MessageKind {
    return messageKinds[kind] ?? "other";
}

/** Returns a message as the server has it. */
export function messageOf(message: wire.Message): Message {
    const { own } = message;
    const mine = own?.reactions ?? [];
    return {
        id: message.id,
        conversation: message.conversation,
        seq: message.seq,
        sender: message.sender || undefined,
        kind: kindOf(message.kind),
        text: message.text,
        sentAt: date(message.sent_at_us),
        status: "sent",
        syncStatus: "synced",
        isDeleted: message.deleted_at_us !== 0,
        isHidden: own?.hidden ?? false,
        isStarred: own?.starred ?? false,
        editedAt: dateIfSet(message.edited_at_us),
        expiresAt: dateIfSet(message.expires_at_us),
        replyTo: message.reply_to_seq || undefined,
        mentions: message.mentions,
        reactions: message.reactions.map(({ emoji, count }) => ({ emoji, count, isMine: mine.includes(emoji) })),
        thread: message.thread && { replies: message.thread.replies, lastSeq: message.thread.last_seq },
        threadStart: message.thread_seq || undefined,
        attachment: message.media && attachmentOf(message.media),
        note: message.system && noteOf(message.system),
        forwardedFrom: message.forwarded_from || undefined,
    };
}

export function attachmentOf(media: wire.Media): Attachment {
    return {
        name: media.name,
        mimeType: media.mime_type,
        sizeBytes: media.size_bytes,
        width: media.width || undefined,
        height: media.height || undefined,
        durationMs: media.duration_ms || undefined,
        thumbnail: media.thumbnail.length > 0 ? media.thumbnail : undefined,
        url: media.url || undefined,
    };
}

const noteKinds: Record<string, SystemNote["kind"]> = {
    MEMBERS_JOINED: "joined", MEMBER_LEFT: "left", MEMBER_REMOVED: "removed", GROUP_RENAMED: "renamed",
    GROUP_PHOTO_CHANGED: "photoChanged", OWNER_CHANGED: "ownerChanged", ADMIN_ADDED: "adminsAdded",
    ADMIN_REMOVED: "adminsRemoved", RETENTION_CHANGED: "retentionChanged", DECISION_SHARED: "decisionShared",
    EVENT_SHARED: "eventShared",
};

function noteOf(note: wire.SystemNote): SystemNote {
    const { actor, users, name, seconds, entity } = note;
    return { kind: noteKinds[note.kind] ?? "other", by: actor, users, name, seconds, entity };
}

export function userOf(user: wire.User | undefined): User {
    return {
        id: user?.id ?? "",
        username: user?.username ?? "",
        displayName: user?.display_name ?? "",
        photo: user?.photo_url || undefined,
        isDeleted: user?.deleted ?? false,
    };
}

export function wireUser(user: User): wire.User {
    return {
        id: user.id, username: user.username, display_name: user.displayName, photo_url: user.photo ?? "",
        created_at_us: 0, deleted: user.isDeleted,
    };
}

export function profileOf(profile: wire.Profile): Profile {
    return {
        user: userOf(profile.user), email: profile.email || undefined, isFindableByEmail: profile.findable_by_email,
        isEmailConfirmed: profile.email_confirmed, isGuest: profile.guest,
        syncStatus: "synced",
    };
}

export function memberOf(member: wire.Member): Member {
    const role = member.role === "OWNER" ? "owner" : member.role === "ADMIN" ? "admin" : "member";
    return { user: userOf(member.user), role, joinedAt: date(member.joined_at_us) };
}

export function receiptOf(receipt: wire.Receipt): Receipt {
    return {
        readUpTo: receipt.read_seq, readAt: dateIfSet(receipt.read_at_us),
        deliveredUpTo: receipt.delivered_seq, deliveredAt: dateIfSet(receipt.delivered_at_us),
    };
}

const presenceStatuses: Record<string, Presence["status"]> = {
    ONLINE: "online", AWAY: "away", DO_NOT_DISTURB: "doNotDisturb",
};

export function presenceOf(state: wire.PresenceState): Presence {
    return {
        status: presenceStatuses[state.status] ?? "offline",
        lastSeen: dateIfSet(state.last_seen_us),
        statusText: state.status_text || undefined,
        statusEnds: dateIfSet(state.status_ends_us),
        conversation: state.current_conversation || undefined,
    };
}

export function ownPresenceOf(state: wire.OwnPresence): OwnPresence {
    const { availability, hiding } = state;
    return {
        availability: availability === "SAYS_AWAY" ? "away"
            : availability === "SAYS_DO_NOT_DISTURB" ? "doNotDisturb" : "automatic",
        statusText: state.status_text || undefined,
        statusEnds: dateIfSet(state.status_ends_us),
        hiding: hiding === "FROM_ALL" ? "fromAll"
            : hiding === "FROM_ALL_BUT_ACCEPTED" ? "fromAllButAccepted" : "fromNobody",
    };
}

export function deviceOf(device: wire.Device): SignedInDevice {
    return {
        id: device.id, name: device.name, isCurrent: device.current, signedInAt: date(device.signed_in_us),
        lastUsedAt: date(device.last_used_us),
    };
}

// MARK: Conversations

/** What all members see of a conversation. */
export interface Facts {
    readonly kind: "direct" | "group";
    readonly name: string;
    readonly photo?: string;
    readonly members: readonly Member[];
    readonly memberCount: number;
    readonly section?: Section;
    readonly request: RequestState;
    /** Who asks or invites me. */
    readonly requester?: string;
    readonly createdAt: Date;
    readonly hasLeft: boolean;
}

const sections: Record<string, Section> = {
    INBOX: "inbox", REQUESTS: "requests", BLOCKED_PEOPLE: "blocked", LEFT: "left",
};

export function sectionOf(section: wire.ConversationSection): Section | undefined {
    return sections[section];
}

export function factsOf(conversation: wire.Conversation, me: string): Facts {
    const { section, conversation_status: status, requester_id: requester } = conversation;
    const request: RequestState =
        section === "BLOCKED_PEOPLE" || status === "BLOCKED" ? "blocked"
            : section === "REQUESTS" ? "received"
                : status === "PENDING" ? (requester === me ? "sent" : "received") : "accepted";
    const members = conversation.members.map(memberOf);
    return {
        kind: conversation.kind === "GROUP" ? "group" : "direct",
        name: conversation.name,
        photo: conversation.photo_url || undefined,
        members,
        memberCount: Math.max(conversation.member_count, members.length),
        section: sectionOf(section),
        request,
        requester: request === "received" ? requester : undefined,
        createdAt: date(conversation.created_at_us),
        hasLeft: conversation.left_at_us !== 0,
    };
}

/** Returns the id of the direct conversation of two people; of notes to oneself with the same person twice. */
export function directConversation(one: string, other: string): string {
    // User ids are ASCII: their order by code units is that by bytes.
    return one < other ? `${one}_${other}` : `${other}_${one}`;
}
