import { useState } from "react";
import type { Event, Reminder } from "../../Web/api/index";
import { EventByID, Refused } from "../cards";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useMinute, useObserved, useTask } from "../hooks";
import { BellIcon } from "../icons";
import { momentOf, parleyOf } from "../kit";
import { locale } from "../language";
import type { Chat, Moment } from "../model";
import { momentText, weekOf } from "../moments";
import type { Go, Show } from "../shown";
import { Decisions } from "./Decisions";
import { Sure } from "./Form";
import { useAnswer } from "./Loaded";
import { EventDate, calendarLink, endCalendarLink, eventDates } from "./plans";

interface Entry {
    readonly at: number;
    readonly reminder?: Reminder;
    /** The id of an event, and one of its dates; absent: what the event itself says. */
    readonly event?: string;
    readonly moment?: Moment;
}

// With yesterday within the 366 that the server lists at once, also where clocks change in between.
const days = 363;
const week = 7 * 86_400_000;
const range = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long" });

/** What the person has before them, week by week: events and reminders. */
export function Agenda({ chat, close, go, show }: { chat: Chat; close: () => void; go: Go; show: Show }) {
    useObserved(chat);
    const now = useMinute();
    const [hasDone, setDone] = useState(false);
    const [most, setMost] = useState(50);
    const { events, reminders, unsent } = parleyOf(chat);
    // Again once the server has what the person did, but not with each answer of others.
    const versions = [
        ...events.map(({ id, version, syncStatus }) => `${id} ${version} ${syncStatus}`),
        ...unsent.flatMap(({ entity }) => entity ?? []),
    ].join();
    const dates = useAnswer(() => eventDates(chat, days), [versions]).value;
    const entries: Entry[] = [
        ...eventEntries(events, dates, now),
        ...reminders.filter(({ isCompleted }) => hasDone || !isCompleted)
            .map((reminder) => ({ at: reminder.dueAt.getTime(), reminder })),
    ];
    entries.sort((one, other) => one.at - other.at);
    const weeks = new Map<number, Entry[]>();
    for (const entry of entries.slice(0, most)) {
        const start = Math.max(weekOf(entry.at), weekOf(now) - week);
        weeks.set(start, [...weeks.get(start) ?? [], entry]);
    }
    return (
        <Dialog title={say.agenda} close={close}>
            {entries.length === 0 && <p className="hint">{say.agendaEmpty}</p>}
            {[...weeks].map(([start, list]) => <section key={start} aria-label={weekName(start, now)}>
                <h3 className="part">{weekName(start, now)}</h3>
                <ul className="agenda">{list.map(({ at, event, moment, reminder }) => <li
                    key={`${event ?? reminder?.id} ${at}`}>
                    {event && <EventByID chat={chat} id={event} conversation="" show={show} at={moment} />}
                    {reminder && <ReminderCard chat={chat} reminder={reminder} go={go} now={now} />}
                </li>)}</ul>
            </section>)}
            {entries.length > most && <div className="actions start">
                <button type="button" onClick={() => setMost(most + 50)}>{say.showMore}</button>
            </div>}
            <label className="check"><input type="checkbox" checked={hasDone} onChange={() => setDone(!hasDone)} />{" "}
                {say.showDone}</label>
            <Decisions chat={chat} go={go} />
            <Link chat={chat} />
        </Dialog>
    );
}

/**
 * Where events stand: at each of their dates that the server says, of those that the person has not answered at the
 * next. Without a network, and with changes that the server does not have, at what they say themselves.
 */
function eventEntries(events: readonly Event[], dates: readonly EventDate[] | null, now: number): Entry[] {
    const isAhead = ({ at, minutes }: Moment) => at + Math.max(minutes, 1440) * 60_000 > now;
    const known = new Map(events.map((event) => [event.id, event]));
    const isDated = ({ recurrence, syncStatus }: Event) => recurrence !== undefined || syncStatus === "synced";
    const asked = new Set<string>();
    const dated = (dates ?? []).filter(({ event, moment }) => {
        if (!isAhead(moment)) return false;
        const own = known.get(event);
        if (own) return isDated(own);
        if (asked.has(event)) return false;
        asked.add(event);
        return true;
    });
    const shown = new Set(dates?.map(({ event }) => event));
    const others = events.flatMap((event): Entry[] => {
        if (shown.has(event.id) && isDated(event)) return [];
        const moment = momentOf(event);
        // Of a series more may be ahead.
        const isShown = moment && (isAhead(moment) || !dates && event.recurrence);
        return isShown ? [{ at: moment.at, event: event.id }] : [];
    });
    return [...dated.map(({ event, moment }) => ({ at: moment.at, event, moment })), ...others];
}

function weekName(start: number, now: number): string {
    const ahead = Math.round((start - weekOf(now)) / week);
    if (ahead < 0) return say.before;
    if (ahead < 2) return ahead === 0 ? say.thisWeek : say.nextWeek;
    return range.formatRange(start, start + week - 1);
}

function ReminderCard({ chat, reminder, go, now }: { chat: Chat; reminder: Reminder; go: Go; now: number }) {
    const { id, title, dueAt, isCompleted, conversation } = reminder;
    const task = useTask();
    const parley = parleyOf(chat);
    const later = (at: number) => task.run(() => parley.updateReminder(id, { dueAt: new Date(at) }));
    const due = { at: dueAt.getTime(), isWholeDay: false, minutes: 0 };
    return (
        <section className={isCompleted ? "card off" : "card"} aria-label={say.reminder(title)}>
            <header><BellIcon /><h4><bdi>{title}</bdi></h4></header>
            <p className={due.at < now && !isCompleted ? "late" : ""}>
                <time dateTime={dueAt.toISOString()}>{momentText(due)}</time></p>
            <div className="answers" role="group" aria-label={say.whatToDoWithIt}>
                <button type="button" aria-pressed={isCompleted}
                    onClick={() => task.run(() => parley.completeReminder(id, !isCompleted))}>{say.done}</button>
                {!isCompleted && <button type="button" onClick={() => later(now + 3_600_000)}>{say.inAnHour}</button>}
                {!isCompleted && <button type="button" onClick={() => later(Math.max(now, due.at) + 86_400_000)}>
                    {say.aDayLater}</button>}
                {conversation && <button type="button" onClick={() => go(conversation)}>{say.show}</button>}
                <button type="button" className="danger" onClick={() => task.run(() => parley.deleteReminder(id))}>
                    {say.delete}</button>
            </div>
            <Refused chat={chat} of={reminder} />
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </section>
    );
}

/** The address for the person's other calendars, which is as secret as what it shows. */
function Link({ chat }: { chat: Chat }) {
    const [address, setAddress] = useState("");
    const [isAsked, setAsked] = useState(false);
    const task = useTask();
    return (
        <section aria-label={say.inOtherCalendars}>
            <h3 className="part">{say.inOtherCalendars}</h3>
            <p className="hint">{say.calendarHint}{address === "" && ` ${say.newAddressHint}`}</p>
            {address && <p className="words"><a href={address}>{address}</a></p>}
            {isAsked
                ? <Sure name={say.endAddress} isBusy={task.isBusy} cancel={() => setAsked(false)}
                    question={say.endAddressMeans}
                    act={() => task.run(async () => {
                        await endCalendarLink(chat);
                        setAddress("");
                        setAsked(false);
                    })} />
                : <div className="actions start">
                    <button type="button" disabled={task.isBusy} onClick={() => task.run(async () => {
                        setAddress(await calendarLink(chat));
                    })}>{say.makeAnAddress}</button>
                    <button type="button" className="danger" onClick={() => setAsked(true)}>{say.endAddressAsk}</button>
                </div>}
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </section>
    );
}
