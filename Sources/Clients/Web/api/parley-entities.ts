import type { ActionName } from "../outbox/actions";
import type { Given } from "../protocol/codec";
import type { Methods } from "../protocol/generated/methods";
import { ParleyEntering } from "./entering";
import { Answer, Attendee, Decision, Event, Reminder, Suggestion, attendeeOf, statusOf } from "./entities";
import { OpenedFile, exchange, problemOf } from "./files";
import { Refusal, refusalOf, signedOut } from "./refusal";
import { Message, attachmentOf, microseconds } from "./values";

/** An event to be created. */
export interface NewEvent {
    title: string;
    /** The day on which it begins, "2026-12-01". */
    date: string;
    /** "19:30"; absent: whole days. */
    time?: string;
    /** The zone in which the time is meant; absent: that of this device. */
    timeZone?: string;
    /** How long it takes; of whole days a multiple of 1,440. Zero: it has no end, or is one day. */
    minutes?: number;
    location?: string;
    notes?: string;
    /** A rule by RFC 5545, "FREQ=WEEKLY;COUNT=10"; absent: it takes place once. */
    recurrence?: string;
    /** The conversations to invite, by their ids, in which it is shown. */
    inviting?: readonly string[];
}

/** What is changed of an event. What is absent stays as it is; an empty time makes it one of whole days. */
export type EventChanges = Partial<Omit<NewEvent, "inviting">>;

const here = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function timeOf({ date, time, timeZone, minutes = 0 }: Pick<NewEvent, "date" | "time" | "timeZone" | "minutes">) {
    return { date, time: time ?? "", time_zone: time ? timeZone || here() : "", duration_minutes: minutes };
}

/** Reminders, decisions, events, suggestions and files. */
export class ParleyEntities extends ParleyEntering {
    /** My reminders, the next one first. */
    get reminders(): readonly Reminder[] {
        return this.state.reminders;
    }

    /** The decisions that I recorded, the newest first. */
    get decisions(): readonly Decision[] {
        return this.state.decisions;
    }

    /** The events that I created, host or answered, in order of their beginnings. */
    get events(): readonly Event[] {
        return this.state.events;
    }

    /** What messages suggest to me, the newest first. */
    get suggestions(): readonly Suggestion[] {
        return this.state.suggestions;
    }

    /** Does something: it shows at once, and the promise resolves when it is stored. */
    protected async perform<M extends ActionName>(
        method: M, given: Given<Methods[M]["request"]>, id?: string, target = "",
    ): Promise<void> {
        if (this.me === undefined) throw signedOut();
        await this.outbox.add(this.outbox.item(method, given, { id, target }));
    }

    // MARK: Reminders

    /**
     * Adds a reminder.
     * @param options `timeZone`: the zone in which the time is meant; `from`: the message that it comes from.
     * @returns its id.
     */
    async addReminder(title: string, dueAt: Date, options: { timeZone?: string; from?: Message } = {}): Promise<string> {
        const id = this.outbox.nextID();
        await this.perform("entities.CreateReminder", {
            id, title, due_at_us: microseconds(dueAt), time_zone: options.timeZone ?? here(),
            conversation: options.from?.conversation ?? "", source_message: options.from?.id ?? "",
        }, id);
        return id;
    }

    /** Changes the title or the time of a reminder. What is absent stays as it is. */
    async updateReminder(id: string, changes: { title?: string; dueAt?: Date }): Promise<void> {
        const due_at_us = changes.dueAt && microseconds(changes.dueAt);
        await this.perform("entities.UpdateReminder", { id, title: changes.title, due_at_us });
    }

    /** Marks a reminder as completed, or as open again. */
    async completeReminder(id: string, completed = true): Promise<void> {
        await this.perform("entities.CompleteReminder", { id, completed });
    }

    /** Deletes a reminder. */
    async deleteReminder(id: string): Promise<void> {
        await this.perform("entities.DeleteReminder", { id });
    }

    // MARK: Decisions

    /**
     * Records a decision.
     * @param options `conversation`: where it was decided; `isShared`: whether the conversation sees it; `from`: the
     *     message that it comes from; `replacing`: the id of an earlier decision.
     * @returns its id.
     */
    async addDecision(
        text: string,
        options: { conversation?: string; isShared?: boolean; from?: Message; replacing?: string } = {},
    ): Promise<string> {
        const id = this.outbox.nextID();
        const { conversation, isShared = false, from, replacing = "" } = options;
        await this.perform("entities.CreateDecision", {
            id, text, shared: isShared, conversation: conversation ?? from?.conversation ?? "",
            source_message: from?.id ?? "", supersedes: replacing,
        }, id);
        return id;
    }

    /** Deletes a decision of mine, also where it is shared. */
    async deleteDecision(id: string): Promise<void> {
        await this.perform("entities.DeleteDecision", { id });
    }

    // MARK: Events

    /** Creates an event, which I accept, and returns its id. */
    async addEvent(event: NewEvent): Promise<string> {
        const id = this.outbox.nextID();
        const { title, location = "", notes = "", recurrence = "", inviting = [] } = event;
        await this.perform("entities.CreateEvent", {
            id, title, location, notes, recurrence, conversations: inviting, when: timeOf(event),
        }, id);
        return id;
    }

    /**
     * Changes an event that I host, all dates of a series. If another host changed it meanwhile, that is refused with
     * `event_changed`: `retry` then changes what is shown.
     * @throws Refusal `not_found`
     */
    async updateEvent(id: string, changes: EventChanges): Promise<void> {
        const event = this.events.find((it) => it.id === id);
        if (!event) throw new Refusal("not_found", "This event is not among yours. Only its hosts change it.");
        const { title, location, notes, recurrence, date = event.date, time = event.time, ...rest } = changes;
        const { timeZone = event.timeZone, minutes = event.minutes } = rest;
        const when = timeOf({ date, time, timeZone, minutes });
        const isMoved = JSON.stringify(when) !== JSON.stringify(timeOf(event));
        await this.perform("entities.UpdateEvent", {
            id, version: event.version, title, location, notes, recurrence, when: isMoved ? when : undefined,
        }, undefined, id);
    }

    /**
     * Answers an event of mine, or one that a message shows, for all its dates. A later answer replaces it.
     * @param options `guests`: how many I bring; `conversation`: the invited one in which I answer.
     */
    async answerEvent(
        id: string, answer: Answer, options: { guests?: number; conversation?: string } = {},
    ): Promise<void> {
        const { guests = 0, conversation = "" } = options;
        await this.perform("entities.AnswerEvent", { id, status: statusOf(answer), guests, conversation });
    }

    /** Accepts or declines to host an event, which its creator asked me to. Who hosts it can also cease to. */
    async hostEvent(id: string, host = true): Promise<void> {
        await this.perform("entities.AnswerEvent", { id, host });
    }

    /** Invites a conversation of mine to an event of which I am a host. It is shown there. */
    async inviteToEvent(id: string, conversation: string): Promise<void> {
        await this.perform("entities.InviteConversation", { id, conversation });
    }

    /** Withdraws the invitation of a conversation to an event of which I am a host. */
    async uninviteFromEvent(id: string, conversation: string): Promise<void> {
        await this.perform("entities.UninviteConversation", { id, conversation });
    }

    /** Asks a person who sees my event to host it too; or makes them a guest again. */
    async askToHost(id: string, user: string, asks = true): Promise<void> {
        await this.perform("entities.SetEventHost", { id, user, host: asks });
    }

    /** Calls off an event of which I am a host. It stays in `events`, as cancelled. */
    async cancelEvent(id: string): Promise<void> {
        await this.perform("entities.CancelEvent", { id });
    }

    /** Deletes an event that I created, also where it is shown. */
    async deleteEvent(id: string): Promise<void> {
        await this.perform("entities.DeleteEvent", { id });
    }

    /** Returns the people who answered an event that I see, in the order of their answers. Asks the server. */
    async attendees(event: string): Promise<Attendee[]> {
        const found: Attendee[] = [];
        let cursor = "";
        do {
            const page = await this.ask("entities.ListAttendees", this.me ?? "", { id: event, cursor, limit: 200 });
            found.push(...page.attendees.map(attendeeOf));
            cursor = page.cursor;
        } while (cursor !== "");
        return found;
    }

    // MARK: Suggestions

    /**
     * Makes what a suggestion says: an event, into which its conversation is invited, a reminder or a decision of mine.
     * The suggestion is gone at once; what it makes is shown once the server has it.
     */
    async acceptSuggestion(id: string, title?: string): Promise<void> {
        await this.perform("entities.AcceptSuggestion", { id, title });
    }

    /** Dismisses a suggestion on all my devices. */
    async dismissSuggestion(id: string): Promise<void> {
        await this.perform("entities.DismissSuggestion", { id });
    }

    // MARK: Files

    /**
     * Returns the file of a message: what is kept here, or from the server.
     *
     *     image.src = URL.createObjectURL((await parley.openFile(message)).blob);
     *
     * @throws Refusal `offline` when it is not kept and there is no connection.
     */
    async openFile(message: Message): Promise<OpenedFile> {
        const { attachment, conversation, seq } = message;
        if (!attachment) throw new Refusal("not_found", "The message has no file.");
        const entry = this.outbox.unsentOf(message.id);
        const unsent = entry?.item.file === undefined ? undefined : await this.read((rows) => rows.file(entry.item.file!));
        if (unsent) return { attachment, blob: unsent };
        if (seq === undefined) throw new Refusal("not_found", "The file is no longer there.");
        const kept = await this.read((rows) => rows.keptFile(conversation, seq));
        if (kept) return { attachment, blob: kept };
        const found = await this.ask("messaging.GetAttachment", conversation, { conversation, seq });
        const response = await exchange(this.fileAddress + found.download_path, { method: "GET" });
        if (!response.ok) throw await problemOf(response);
        let blob: Blob;
        try {
            blob = await response.blob();
        } catch (error) {
            throw new Refusal("connection_lost", `The transfer was interrupted: ${refusalOf(error).message}`);
        }
        const typed = new Blob([blob], { type: found.media?.mime_type ?? attachment.mimeType });
        const { fileBytesKept } = this.options;
        await this.write((rows) => rows.keepFile(conversation, seq, typed, Date.now(), fileBytesKept, this.nowUs));
        return { attachment: found.media ? attachmentOf(found.media) : attachment, blob: typed };
    }
}
