import { useState } from "react";
import { Dialog } from "../Dialog";
import { useTask } from "../hooks";
import { ownOf, parleyOf } from "../kit";
import type { Chat, Conversation, Message } from "../model";
import { commonTimes, fieldTime } from "../moments";
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
        <Dialog title="Remind me" close={close}>
            <Line label="Of what" value={title} set={setTitle} maxLength={200} />
            <div className="actions start" role="group" aria-label="When">
                {commonTimes(Date.now()).map(([name, at]) => <button key={name} type="button"
                    disabled={isEmpty || task.isBusy} onClick={() => add(at)}>{name}</button>)}
            </div>
            <form onSubmit={(event) => { event.preventDefault(); add(new Date(own).getTime()); }}>
                <Line label="At another time" type="datetime-local" value={own} set={setOwn} isPlain />
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="submit" className="primary"
                        disabled={isEmpty || task.isBusy || !(new Date(own).getTime() > Date.now())}>Remind me</button>
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
        <Dialog title="Record a decision" close={close}>
            <form onSubmit={(event) => {
                event.preventDefault();
                task.run(async () => {
                    const from = ownOf(conversation).message(message.id);
                    await parleyOf(chat).addDecision(text.trim(), { conversation: conversation.id, isShared, from });
                    close();
                });
            }}>
                <Line label="What was decided" value={text} set={setText} maxLength={2000} autoFocus />
                <label className="check"><input type="checkbox" checked={isShared}
                    onChange={() => setShared(!isShared)} /> All in this conversation see it</label>
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="submit" className="primary"
                        disabled={text.trim() === "" || task.isBusy}>Record</button>
                </div>
            </form>
        </Dialog>
    );
}

const lengths = [
    ["0", "Not said"], ["30", "Half an hour"], ["60", "An hour"], ["90", "An hour and a half"], ["120", "Two hours"],
    ["180", "Three hours"], ["240", "Four hours"], ["480", "Eight hours"],
] as const;
const series = [
    ["", "Once"], ["FREQ=DAILY", "Every day"], ["FREQ=WEEKLY", "Every week"], ["FREQ=MONTHLY", "Every month"],
    ["FREQ=YEARLY", "Every year"],
] as const;

/** An event to which all in a conversation are invited. */
export function NewEvent({ chat, conversation, close }: { chat: Chat; conversation: Conversation; close: () => void }) {
    const tomorrow = fieldTime(new Date().setHours(24, 0, 0, 0)).slice(0, 10);
    const [values, setValues] = useState(
        { title: "", date: tomorrow, time: "19:00", minutes: "0", location: "", notes: "", recurrence: "" });
    const task = useTask();
    const set = (name: keyof typeof values) => (value: string) => setValues((old) => ({ ...old, [name]: value }));
    const create = () => task.run(async () => {
        const { title, date, time, minutes, location, notes, recurrence } = values;
        await parleyOf(chat).addEvent({
            title: title.trim(), date, ...(time ? { time, minutes: Number(minutes) } : {}), location: location.trim(),
            notes: notes.trim(), recurrence, inviting: [conversation.id],
        });
        close();
    });
    return (
        <Dialog title="New event" close={close}>
            <form aria-label="New event" onSubmit={(event) => { event.preventDefault(); create(); }}>
                <Line label="What" value={values.title} set={set("title")} maxLength={200} autoFocus />
                <div className="pairs">
                    <Line label="Day" type="date" value={values.date} set={set("date")} isPlain />
                    <Line label="Time" type="time" value={values.time} set={set("time")} isPlain />
                </div>
                {values.time
                    ? <Pick label="How long" value={values.minutes} set={set("minutes")} choices={lengths} />
                    : <p className="hint">Without a time it takes the whole day.</p>}
                <Pick label="How often" value={values.recurrence} set={set("recurrence")} choices={series} />
                <Line label="Where" value={values.location} set={set("location")} maxLength={200} />
                <Line label="Notes" value={values.notes} set={set("notes")} maxLength={1000} />
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="button" onClick={close}>Cancel</button>
                    <button type="submit" className="primary"
                        disabled={values.title.trim() === "" || values.date === "" || task.isBusy}>Invite</button>
                </div>
            </form>
        </Dialog>
    );
}

const said = { accepted: "Going", tentative: "Maybe", declined: "Not going", pending: "Asked" } as const;

/** Who answered an event, and how. */
export function Attendees({ chat, id, title, close }: { chat: Chat; id: string; title: string; close: () => void }) {
    const answer = useAnswer(async () => {
        const parley = parleyOf(chat);
        const attendees = await parley.attendees(id);
        const users = await parley.users(attendees.slice(0, 200).map((each) => each.id));
        const names = new Map(users.map((user) => [user.id, user.displayName || user.username]));
        return attendees.map((each) => ({
            ...each, name: each.id === chat.me?.id ? "You" : names.get(each.id) || "Somebody",
        }));
    }, [id]);
    return (
        <Dialog title={`Who is coming to ${title}`} close={close}>
            <Loaded answer={answer}>{(people) => people.length === 0
                ? <p className="hint">Nobody has answered yet.</p>
                : <ul className="plain" aria-label="Answers">
                    {people.map((each) => <li key={each.id}><bdi>{each.name}</bdi>
                        <span>{each.isHost && each.answer === "accepted" ? "Host" : said[each.answer]}
                            {each.guests > 0 && ` with ${each.guests} more`}</span></li>)}
                </ul>}</Loaded>
        </Dialog>
    );
}
