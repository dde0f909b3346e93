/** Requests about events, decisions and reminders that the SDK makes for no app of its own accord. */
import type { Decision, Event } from "../../Web/api/index";
import { decisionOf, eventOf } from "../../Web/api/entities";
import { knowWholeContract } from "../../Web/protocol/whole";
import { parleyOf } from "../kit";
import type { Chat, Moment } from "../model";
import { fieldTime } from "../moments";

knowWholeContract();

/** An event that the person sees, also one that they have not answered. */
export async function event(chat: Chat, id: string): Promise<Event> {
    const parley = parleyOf(chat);
    const found = parley.events.find((each) => each.id === id);
    if (found) return found;
    const reply = await parley.ask("entities.GetEvent", chat.me?.id ?? "", { id });
    return eventOf(reply.event!);
}

export async function decision(chat: Chat, id: string): Promise<Decision> {
    const reply = await parleyOf(chat).ask("entities.GetDecision", chat.me?.id ?? "", { id });
    return decisionOf(reply.decision!);
}

/** A date on which an event takes place. */
export interface EventDate {
    readonly event: string;
    readonly moment: Moment;
}

/**
 * The dates of events from yesterday on, the first thousand: also of those that the person has not answered, but of none
 * that they declined.
 */
export async function eventDates(chat: Chat, days: number): Promise<EventDate[]> {
    const day = (offset: number) => fieldTime(Date.now() + offset * 86_400_000).slice(0, 10);
    const { dates } = await parleyOf(chat).ask("entities.ListEvents", chat.me?.id ?? "", {
        from_date: day(-1), to_date: day(days), time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, limit: 1000,
    });
    const wanted = dates.filter(({ own }) => own !== "ATTENDANCE_STATUS_DECLINED");
    return wanted.map(({ event, starts_at_us, ends_at_us, starts_local, time_zone }) => {
        const isWholeDay = time_zone === "";
        const at = isWholeDay ? Date.parse(`${starts_local}T00:00Z`) : starts_at_us / 1000;
        return { event, moment: { at, isWholeDay, minutes: Math.round((ends_at_us - starts_at_us) / 60_000_000) } };
    });
}

/** An event as calendars read it. */
export async function calendarFile(chat: Chat, id: string): Promise<Blob> {
    const { calendar } = await parleyOf(chat).ask("entities.ExportEvent", chat.me?.id ?? "", { id });
    return new Blob([calendar], { type: "text/calendar" });
}

/** The address at which a calendar finds all events of the person. The one before ends. */
export async function calendarLink(chat: Chat): Promise<string> {
    const { path } = await parleyOf(chat).ask("entities.CreateCalendarLink", chat.me?.id ?? "", {});
    return new URL(path, location.href).href;
}

export async function endCalendarLink(chat: Chat): Promise<void> {
    await parleyOf(chat).ask("entities.DeleteCalendarLink", chat.me?.id ?? "", {});
}

/** Whether messages make suggestions for the person. */
export async function areSuggestionsOff(chat: Chat): Promise<boolean> {
    return (await parleyOf(chat).ask("entities.GetSuggestionSettings", chat.me?.id ?? "", {})).off;
}

export async function setSuggestionsOff(chat: Chat, off: boolean): Promise<void> {
    await parleyOf(chat).ask("entities.UpdateSuggestionSettings", chat.me?.id ?? "", { conversation: "", off });
}

/** Whether a language model reads a conversation, and what the person says to that. */
export interface ModelReading {
    readonly isAvailable: boolean;
    readonly isOn: boolean;
    readonly isAllowed: boolean;
}

export async function modelReading(chat: Chat, conversation: string): Promise<ModelReading> {
    const reply = await parleyOf(chat).ask("entities.GetModelReading", chat.me?.id ?? "", { conversation });
    return { isAvailable: reply.available, isOn: reply.on, isAllowed: reply.allowed };
}
