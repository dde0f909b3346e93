import { useState } from "react";
import type { Event, Reminder } from "../../Web/api/index";
import { EventCard, Refused } from "../cards";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useMinute, useObserved, useTask } from "../hooks";
import { BellIcon } from "../icons";
import { momentOf, parleyOf } from "../kit";
import { locale } from "../language";
import type { Chat } from "../model";
import { momentText, weekOf } from "../moments";
import type { Go, Show } from "../shown";
import { calendarLink, endCalendarLink } from "./plans";
import { Decisions } from "./Decisions";
import { Sure } from "./Form";

type Entry =
    | { readonly at: number; readonly event: Event; readonly reminder?: undefined }
    | { readonly at: number; readonly reminder: Reminder; readonly event?: undefined };

const week = 7 * 86_400_000;
const range = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long" });

/** What the person has before them, week by week: events and reminders. */
export function Agenda({ chat, close, go, show }: { chat: Chat; close: () => void; go: Go; show: Show }) {
    useObserved(chat);
    const now = useMinute();
    const [hasDone, setDone] = useState(false);
    const { events, reminders } = parleyOf(chat);
    const entries: Entry[] = [
        ...events.map((event) => ({ at: momentOf(event)?.at ?? 0, event }))
            .filter(({ at, event }) => at + Math.max(event.minutes, 1440) * 60_000 > now || event.recurrence),
        ...reminders.filter(({ isCompleted }) => hasDone || !isCompleted)
            .map((reminder) => ({ at: reminder.dueAt.getTime(), reminder })),
    ];
    entries.sort((one, other) => one.at - other.at);
    const weeks = new Map<number, Entry[]>();
    for (const entry of entries) {
        const start = Math.max(weekOf(entry.at), weekOf(now) - week);
        weeks.set(start, [...weeks.get(start) ?? [], entry]);
    }
    return (
        <Dialog title={say.agenda} close={close}>
            {entries.length === 0 && <p className="hint">{say.agendaEmpty}</p>}
            {[...weeks].map(([start, list]) => <section key={start} aria-label={weekName(start, now)}>
                <h3 className="part">{weekName(start, now)}</h3>
                <ul className="agenda">{list.map((entry) => <li key={(entry.event ?? entry.reminder).id}>
                    {entry.event
                        ? <EventCard chat={chat} event={entry.event} conversation="" show={show} />
                        : <ReminderCard chat={chat} reminder={entry.reminder} go={go} now={now} />}
                </li>)}</ul>
            </section>)}
            <label className="check"><input type="checkbox" checked={hasDone} onChange={() => setDone(!hasDone)} />{" "}
                {say.showDone}</label>
            <Decisions chat={chat} go={go} />
            <Link chat={chat} />
        </Dialog>
    );
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
