import { useState } from "react";
import type { Attendee, Event } from "../../Web/api/index";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useObserved, useTask } from "../hooks";
import { ownOf, parleyOf } from "../kit";
import type { Chat, Conversation, Message } from "../model";
import { commonTimes, fieldTime } from "../moments";
import { Choice } from "./Choice";
import { Line, Pick } from "./Form";
import { Loaded, useAnswer } from "./Loaded";

interface OfMessage {
    chat: Chat;
    conversation: Conversation;
    message: Message;
    close: () => void;
}

/** Reminds the person of a message. */
export function Remind({ chat, conversation, message, close }: OfMessage) {
    const [title, setTitle] = useState(message.text.replace(/\s+/g, " ").slice(0, 200));
    const [own, setOwn] = useState(() => fieldTime(Date.now() + 2 * 3_600_000));
    const task = useTask();
    const add = (at: number) => task.run(async () => {
        const from = ownOf(conversation).message(message.id);
        await parleyOf(chat).addReminder(title.trim(), new Date(at), { from });
        close();
    });
    const isEmpty = title.trim() === "";
    return (
        <Dialog title={say.remindMe} close={close}>
            <Line label={say.ofWhat} value={title} set={setTitle} maxLength={200} />
            <div className="actions start" role="group" aria-label={say.when}>
                {commonTimes(Date.now()).map(([name, at]) => <button key={name} type="button"
                    disabled={isEmpty || task.isBusy} onClick={() => add(at)}>{name}</button>)}
            </div>
            <form onSubmit={(event) => { event.preventDefault(); add(new Date(own).getTime()); }}>
                <Line label={say.atAnotherTime} type="datetime-local" value={own} set={setOwn} isPlain />
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="submit" className="primary"
                        disabled={isEmpty || task.isBusy || !(new Date(own).getTime() > Date.now())}>
                        {say.remindMe}</button>
                </div>
            </form>
        </Dialog>
    );
}

/** Records what was decided, for the person alone or for all in the conversation. */
export function Decide({ chat, conversation, message, close }: OfMessage) {
    const [text, setText] = useState(message.text.slice(0, 2000));
    const [isShared, setShared] = useState(true);
    const task = useTask();
    return (
        <Dialog title={say.recordDecision} close={close}>
            <form onSubmit={(event) => {
                event.preventDefault();
                task.run(async () => {
                    const from = ownOf(conversation).message(message.id);
                    await parleyOf(chat).addDecision(text.trim(), { conversation: conversation.id, isShared, from });
                    close();
                });
            }}>
                <Line label={say.whatWasDecided} value={text} set={setText} maxLength={2000} autoFocus />
                <label className="check"><input type="checkbox" checked={isShared}
                    onChange={() => setShared(!isShared)} /> {say.allSeeIt}</label>
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="submit" className="primary"
                        disabled={text.trim() === "" || task.isBusy}>{say.record}</button>
                </div>
            </form>
        </Dialog>
    );
}

const lengths = [
    ["0", say.notSaid], ["30", say.halfAnHour], ["60", say.anHour], ["90", say.anHourAndAHalf], ["120", say.twoHours],
    ["180", say.threeHours], ["240", say.fourHours], ["480", say.eightHours],
] as const;
const series = [
    ["", say.once], ["FREQ=DAILY", say.everyDay], ["FREQ=WEEKLY", say.everyWeek], ["FREQ=MONTHLY", say.everyMonth],
    ["FREQ=YEARLY", say.everyYear],
] as const;

interface EventForm {
    title: string;
    date: string;
    time: string;
    minutes: string;
    location: string;
    notes: string;
    recurrence: string;
}

/** What and when an event is. */
function EventDialog({ name, submit, start, zone = "", close, save }: {
    /** What the dialog and its button are called. */
    name: string; submit: string; start: EventForm;
    /** In which the time is meant, if not that of this device. */
    zone?: string;
    close: () => void; save: (values: EventForm) => Promise<void>;
}) {
    const [values, setValues] = useState(start);
    const task = useTask();
    const set = (field: keyof EventForm) => (value: string) => setValues((old) => ({ ...old, [field]: value }));
    return (
        <Dialog title={name} close={close}>
            <form aria-label={name} onSubmit={(event) => {
                event.preventDefault();
                task.run(async () => {
                    const { title, location, notes } = values;
                    // What takes whole days has no length of some hours.
                    const minutes = values.time || !start.time ? values.minutes : "0";
                    await save({
                        ...values, title: title.trim(), location: location.trim(), notes: notes.trim(), minutes,
                    });
                    close();
                });
            }}>
                <Line label={say.what} value={values.title} set={set("title")} maxLength={200} autoFocus />
                <div className="pairs">
                    <Line label={say.day} type="date" value={values.date} set={set("date")} isPlain />
                    <Line label={say.time} type="time" value={values.time} set={set("time")} isPlain />
                </div>
                {values.time
                    ? <Pick label={say.howLong} value={values.minutes} set={set("minutes")}
                        choices={withCurrent(lengths, start.minutes)} />
                    : <p className="hint">{say.wholeDayHint}</p>}
                {values.time && zone && <p className="hint">{say.timeIn(zone)}</p>}
                <Pick label={say.howOften} value={values.recurrence} set={set("recurrence")}
                    choices={withCurrent(series, start.recurrence)} />
                <Line label={say.where} value={values.location} set={set("location")} maxLength={200} />
                <Line label={say.notes} value={values.notes} set={set("notes")} maxLength={1000} />
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="button" onClick={close}>{say.cancel}</button>
                    <button type="submit" className="primary"
                        disabled={values.title.trim() === "" || values.date === "" || task.isBusy}>{submit}</button>
                </div>
            </form>
        </Dialog>
    );
}

/** The choices, and what was chosen otherwise before. */
function withCurrent(choices: readonly (readonly [string, string])[], current: string) {
    return choices.some(([value]) => value === current) ? choices : [[current, say.asNow] as const, ...choices];
}

/** An event to which all in a conversation are invited. */
export function NewEvent({ chat, conversation, close }: { chat: Chat; conversation: Conversation; close: () => void }) {
    const date = fieldTime(new Date().setHours(24, 0, 0, 0)).slice(0, 10);
    const start = { title: "", date, time: "19:00", minutes: "0", location: "", notes: "", recurrence: "" };
    return <EventDialog name={say.newEvent} submit={say.invite} start={start} close={close}
        save={async ({ time, minutes, ...values }) => {
            await parleyOf(chat).addEvent({
                ...values, ...(time ? { time, minutes: Number(minutes) } : {}), inviting: [conversation.id],
            });
        }} />;
}

/** Changes an event that I host, all dates of a series. What stays is not sent: somebody else may change it. */
export function ChangeEvent({ chat, event, close }: { chat: Chat; event: Event; close: () => void }) {
    const { id, title, date, time = "", minutes, timeZone, location, notes, recurrence = "" } = event;
    const start = { title, date, time, minutes: String(minutes), location, notes, recurrence };
    const isElsewhere = timeZone !== Intl.DateTimeFormat().resolvedOptions().timeZone;
    return <EventDialog name={say.changeEvent} submit={say.save} start={start} zone={isElsewhere ? timeZone : ""}
        close={close} save={async (values) => {
            const changed = Object.entries(values)
                .filter(([field, value]) => value !== start[field as keyof EventForm]);
            const changes = Object.fromEntries(changed.map(([field, value]) =>
                [field, field === "minutes" ? Number(value) : value]));
            if (changed.length > 0) await parleyOf(chat).updateEvent(id, changes);
        }} />;
}

/** Invites conversations to an event that I host, or withdraws their invitations. */
export function Inviting({ chat, event, close }: { chat: Chat; event: Event; close: () => void }) {
    const { id, title, conversations } = event;
    const [chosen, setChosen] = useState(conversations);
    const task = useTask();
    const save = () => task.run(async () => {
        const parley = parleyOf(chat);
        for (const each of chosen) if (!conversations.includes(each)) await parley.inviteToEvent(id, each);
        for (const each of conversations) if (!chosen.includes(each)) await parley.uninviteFromEvent(id, each);
        close();
    });
    const name = say.inviteTo(title);
    return (
        <Dialog title={name} close={close}>
            <form aria-label={name} onSubmit={(event) => {
                event.preventDefault();
                save();
            }}>
                <Choice chat={chat} chosen={chosen} set={setChosen} />
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="button" onClick={close}>{say.cancel}</button>
                    <button type="submit" className="primary" disabled={task.isBusy}>{say.save}</button>
                </div>
            </form>
        </Dialog>
    );
}

const said = { accepted: say.going, tentative: say.maybe, declined: say.notGoing, pending: say.asked } as const;

function answered({ isHost, isAskedToHost, answer }: Attendee): string {
    if (isAskedToHost) return say.askedToHost(said[answer]);
    return isHost && answer === "accepted" ? say.host : said[answer];
}

/** Who answered an event, and how. Its creator asks them to host it, too. */
export function Attendees({ chat, id, title, close }: { chat: Chat; id: string; title: string; close: () => void }) {
    useObserved(chat);
    const parley = parleyOf(chat);
    const event = parley.events.find((each) => each.id === id);
    const task = useTask();
    // Again when hosts changed and once the server has what the person did, but not with each answer of others.
    const answer = useAnswer(async () => {
        const attendees = await parley.attendees(id);
        const users = await parley.users(attendees.slice(0, 200).map((each) => each.id));
        const names = new Map(users.map((user) => [user.id, user.displayName || user.username]));
        return attendees.map((each) => ({
            ...each, name: each.id === chat.me?.id ? say.you : names.get(each.id) || say.somebody,
        }));
    }, [id, event?.hosts.join(), event?.syncStatus]);
    const askToHost = (user: string, asks: boolean) => task.run(() => parley.askToHost(id, user, asks));
    return (
        <Dialog title={say.whoIsComingTo(title)} close={close}>
            <Loaded answer={answer}>{(people) => people.length === 0
                ? <p className="hint">{say.nobodyHasAnsweredYet}</p>
                : <ul className="plain" aria-label={say.answersTitle}>
                    {people.map((each) => <li key={each.id}><bdi>{each.name}</bdi>
                        <span>{each.guests > 0 ? say.withMore(answered(each), each.guests) : answered(each)}</span>
                        {event?.creator === chat.me?.id && each.id !== chat.me?.id && <button type="button"
                            className="link" disabled={task.isBusy}
                            onClick={() => askToHost(each.id, !each.isHost && !each.isAskedToHost)}>
                            {each.isHost ? say.noLongerHost : each.isAskedToHost ? say.doNotAsk : say.askToHost}
                        </button>}
                    </li>)}
                </ul>}</Loaded>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </Dialog>
    );
}
