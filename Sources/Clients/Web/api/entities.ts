import type * as wire from "../protocol/generated/messages";
import type { Refusal } from "./refusal";
import { SyncStatus, date, dateIfSet } from "./values";

/** What is shown in a list, and may not be what the server has yet. */
export interface Listed {
    readonly id: string;
    readonly syncStatus: SyncStatus;
    /** Why the server refused it, or a change of it. */
    readonly refusal?: Refusal;
}

/** Something to be reminded of, seen only by the person who made it. */
export interface Reminder extends Listed {
    readonly title: string;
    /** When it fires. */
    readonly dueAt: Date;
    /** The zone in which the time was meant: "Europe/Zurich". */
    readonly timeZone: string;
    readonly isCompleted: boolean;
    /** When it fired; absent: not yet. */
    readonly firedAt?: Date;
    readonly createdAt: Date;
    /** The conversation and the message that it came from. */
    readonly conversation?: string;
    readonly message?: string;
}

/** What was decided: for the person who recorded it, or shared with a conversation. */
export interface Decision extends Listed {
    readonly author: string;
    readonly text: string;
    readonly isShared: boolean;
    readonly createdAt: Date;
    readonly conversation?: string;
    readonly message?: string;
    /** The earlier decision that it replaces. */
    readonly supersedes?: string;
    /** The later decision that replaces it; absent: it holds. */
    readonly supersededBy?: string;
}

/** What a person answered to an invitation. */
export type Answer = "pending" | "accepted" | "declined" | "tentative";

/** An event that I created or host, am asked to host, or answered otherwise than by declining. */
export interface Event extends Listed {
    readonly creator: string;
    readonly title: string;
    /** The day on which it begins, "2026-12-01"; of a series its first date. */
    readonly date: string;
    /** "19:30"; absent: whole days. */
    readonly time?: string;
    readonly timeZone: string;
    /** How long it takes; zero: it has no end, or is one whole day. */
    readonly minutes: number;
    /** When it begins; of whole days midnight UTC. Absent until the server has it. */
    readonly startsAt?: Date;
    readonly location: string;
    readonly link?: string;
    readonly notes: string;
    /** The rule by RFC 5545 by which it recurs; absent: it takes place once. */
    readonly recurrence?: string;
    readonly isCancelled: boolean;
    /** How many people accepted, may come, declined, and come with those whom they bring. */
    readonly accepted: number;
    readonly tentative: number;
    readonly declined: number;
    readonly coming: number;
    /** My answer, and how many I bring. */
    readonly answer: Answer;
    readonly guests: number;
    /** Whether I host it: I created it, or accepted to. */
    readonly isHost: boolean;
    /** Whether I am asked to host it, and have not answered. */
    readonly isAskedToHost: boolean;
    /** The co-hosts. */
    readonly hosts: readonly string[];
    /** The conversations that are invited, if I am a host. */
    readonly conversations: readonly string[];
    readonly createdAt: Date;
    /** It grows with each change of what or when it is. */
    readonly version: number;
}

/** A person who answered an event. */
export interface Attendee {
    readonly id: string;
    readonly answer: Answer;
    /** How many they bring. */
    readonly guests: number;
    /** From where they answered, if I am a host. */
    readonly conversation?: string;
    readonly isHost: boolean;
    readonly isAskedToHost: boolean;
    readonly answeredAt: Date;
}

/** What a message seems to say, for me alone until I accept it. */
export interface Suggestion extends Listed {
    /** What accepting it makes. */
    readonly kind: "event" | "reminder" | "decision";
    readonly title: string;
    /** Of an event: the day, the time ("19:30"; absent: whole days) and how long it takes. */
    readonly date?: string;
    readonly time?: string;
    readonly minutes?: number;
    readonly location?: string;
    /** Of a reminder: when it fires. */
    readonly dueAt?: Date;
    readonly timeZone: string;
    /** Where the message is. */
    readonly conversation: string;
    readonly message: string;
    readonly seq: number;
    /** Whether another member has made an event of the message. Accepting answers it. */
    readonly isAnswer: boolean;
    readonly createdAt: Date;
    readonly expiresAt: Date;
}

export function reminderOf(reminder: wire.Reminder): Reminder {
    return {
        id: reminder.id, title: reminder.title, dueAt: date(reminder.due_at_us), timeZone: reminder.time_zone,
        isCompleted: reminder.completed, firedAt: dateIfSet(reminder.fired_at_us),
        createdAt: date(reminder.created_at_us), conversation: reminder.conversation || undefined,
        message: reminder.source_message || undefined, syncStatus: "synced",
    };
}

export function decisionOf(decision: wire.Decision): Decision {
    return {
        id: decision.id, author: decision.user, text: decision.text, isShared: decision.shared,
        createdAt: date(decision.created_at_us), conversation: decision.conversation || undefined,
        message: decision.source_message || undefined, supersedes: decision.supersedes || undefined,
        supersededBy: decision.superseded_by || undefined, syncStatus: "synced",
    };
}

const answers: Record<string, Answer> = {
    ATTENDANCE_STATUS_ACCEPTED: "accepted", ATTENDANCE_STATUS_DECLINED: "declined",
    ATTENDANCE_STATUS_TENTATIVE: "tentative",
};

export function answerOf(status: wire.AttendanceStatus | undefined): Answer {
    return answers[status ?? ""] ?? "pending";
}

export function statusOf(answer: Answer): wire.AttendanceStatus {
    return `ATTENDANCE_STATUS_${answer.toUpperCase()}` as wire.AttendanceStatus;
}

export function eventOf(event: wire.Event): Event {
    const { when, own } = event;
    return {
        id: event.id, creator: event.creator, title: event.title, date: when?.date ?? "",
        time: when?.time || undefined, timeZone: when?.time_zone ?? "", minutes: when?.duration_minutes ?? 0,
        startsAt: dateIfSet(event.starts_at_us), location: event.location, link: event.link || undefined,
        notes: event.notes, recurrence: event.recurrence || undefined, isCancelled: event.cancelled_at_us !== 0,
        accepted: event.accepted, tentative: event.tentative, declined: event.declined, coming: event.coming,
        answer: answerOf(own?.status), guests: own?.guests ?? 0, isHost: own?.host ?? false,
        isAskedToHost: own?.asked_to_host ?? false, hosts: event.hosts, conversations: event.conversations,
        createdAt: date(event.created_at_us), version: event.version, syncStatus: "synced",
    };
}

export function attendeeOf(attendance: wire.Attendance): Attendee {
    return {
        id: attendance.user, answer: answerOf(attendance.status), guests: attendance.guests,
        conversation: attendance.conversation || undefined, isHost: attendance.host,
        isAskedToHost: attendance.asked_to_host, answeredAt: date(attendance.answered_at_us),
    };
}

export function suggestionOf(suggestion: wire.Suggestion): Suggestion {
    const { when } = suggestion;
    const kind = suggestion.kind === "SUGGESTION_KIND_EVENT" ? "event"
        : suggestion.kind === "SUGGESTION_KIND_REMINDER" ? "reminder" : "decision";
    return {
        id: suggestion.id, kind, title: suggestion.title,
        ...(kind === "event" && when
            ? { date: when.date, time: when.time || undefined, minutes: when.duration_minutes, location: suggestion.location }
            : {}),
        dueAt: dateIfSet(suggestion.due_at_us), timeZone: suggestion.time_zone || when?.time_zone || "",
        conversation: suggestion.conversation, message: suggestion.source_message, seq: suggestion.source_seq,
        isAnswer: suggestion.entity !== "", createdAt: date(suggestion.created_at_us),
        expiresAt: date(suggestion.expires_at_us), syncStatus: "synced",
    };
}
