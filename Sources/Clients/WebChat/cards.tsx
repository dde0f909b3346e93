import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import type { Event, Listed } from "../Web/api/index";
import { say } from "./english/attached";
import { keep } from "./files";
import { useObserved, useTask } from "./hooks";
import { CalendarIcon, DecisionIcon, MoreIcon } from "./icons";
import { momentOf, parleyOf } from "./kit";
import { why } from "./language";
import { Menu } from "./Menu";
import type { Answer, Chat, Message, Moment } from "./model";
import { momentText } from "./moments";
import { Loaded, useAnswer } from "./parts/Loaded";
import { calendarFile, decision, event } from "./parts/plans";
import type { Show } from "./shown";

export interface CardProps {
    chat: Chat;
    message: Message;
    conversation: string;
    show: Show;
}

/** An event or a decision, as a message of a conversation shows it. */
export function Card({ card, ...props }: CardProps & { card: NonNullable<Message["card"]> }) {
    const { id } = card;
    return card.kind === "event" ? <EventByID {...props} id={id} /> : <DecisionCard {...props} id={id} />;
}

/**
 * An event by its id.
 * @param at one of the dates of a series.
 */
export function EventByID({ chat, id, message, conversation, show, at }: Omit<CardProps, "message"> & {
    id: string; message?: Message; at?: Moment;
}) {
    useObserved(chat);
    // One that was answered is kept up to date. Of others the server is asked, and again when the message changes: it
    // does when they do.
    const known = parleyOf(chat).events.find((each) => each.id === id);
    const answer = useAnswer(() => event(chat, id), [id, known ? null : message]);
    const shown = known ?? answer.value;
    return shown
        ? <EventCard chat={chat} event={shown} conversation={conversation} show={show} at={at} />
        : <div className="card"><Loaded answer={answer}>{() => null}</Loaded></div>;
}

const answers: readonly (readonly [Answer, string])[] = [
    ["accepted", say.going], ["tentative", say.maybe], ["declined", say.notGoing],
];

/** An event, which is answered by one click. */
function EventCard({ chat, event, conversation, show, at }: {
    chat: Chat; event: Event; conversation: string; show: Show; at?: Moment | undefined;
}) {
    const { id, title, location, notes, isCancelled, isHost, coming, tentative, recurrence } = event;
    const [said, setSaid] = useState(event.answer);
    useEffect(() => setSaid(event.answer), [event.answer]);
    const task = useTask();
    const when = at ?? momentOf(event);
    const parley = parleyOf(chat);
    const reply = (to: Answer) => {
        setSaid(to);
        task.run(() => parley.answerEvent(id, to, { conversation }));
    };
    const host = (hosts: boolean) => task.run(() => parley.hostEvent(id, hosts));
    const choices = [
        { name: say.whoIsComing, choose: () => show({ of: "attendees", id, title }) },
        {
            name: say.saveForACalendar,
            choose: () => task.run(async () => keep(await calendarFile(chat, id), "event.ics")),
        },
        ...(isHost && !isCancelled ? [{ name: say.changeAsk, choose: () => show({ of: "change", event }) }, {
            name: say.inviteConversationsAsk, choose: () => show({ of: "inviting", event }),
        }, {
            name: say.callItOff, isDangerous: true, choose: () => task.run(() => parley.cancelEvent(id)),
        }] : []),
    ];
    return (
        <section className={isCancelled ? "card off" : "card"} aria-label={say.event(title)}>
            <header>
                <CalendarIcon />
                <h4><bdi>{title}</bdi></h4>
                <Menu name={say.forEvent(title)} icon={<MoreIcon />} choices={choices} />
            </header>
            {when && <p>{(recurrence && !at ? say.repeated : (time: ReactNode) => time)(
                <time dateTime={new Date(when.at).toISOString()}>{momentText(when)}</time>)}</p>}
            {location && <p><bdi>{location}</bdi></p>}
            {notes && <p className="words"><bdi>{notes}</bdi></p>}
            {isCancelled
                ? <p className="hint" role="status">{say.itWasCalledOff}</p>
                : <>
                    <p className="hint">{comingText(coming, tentative)}</p>
                    <div className="answers" role="group" aria-label={say.yourAnswer}>
                        {answers.map(([each, name]) => <button key={each} type="button" aria-pressed={said === each}
                            onClick={() => reply(each)}>{name}</button>)}
                    </div>
                    {event.isAskedToHost && <div role="group" aria-label={say.askedToHostIt}>
                        <p>{say.askedToHostIt}</p>
                        <div className="answers">
                            <button type="button" onClick={() => host(true)}>{say.hostIt}</button>
                            <button type="button" onClick={() => host(false)}>{say.stayAGuest}</button>
                        </div>
                    </div>}
                </>}
            <Refused chat={chat} of={event} />
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </section>
    );
}

/** Why the server refused what the person did with it, until they try it again or discard it. */
export function Refused({ chat, of: { id, refusal } }: { chat: Chat; of: Listed }) {
    const task = useTask();
    const parley = parleyOf(chat);
    const all = (what: (unsent: string) => Promise<void>) => task.run(async () => {
        const failed = parley.unsent.filter(({ entity, syncStatus }) => entity === id && syncStatus === "failed");
        for (const each of failed) await what(each.id);
    });
    return <>
        {refusal && <p className="refused" role="alert">{why(refusal)} <button type="button" className="link"
            onClick={() => all(parley.retry.bind(parley))}>{say.tryAgain}</button> <button type="button"
            className="link" onClick={() => all(parley.drop.bind(parley))}>{say.discard}</button></p>}
        {task.problem && <p className="refused" role="alert">{task.problem}</p>}
    </>;
}

function comingText(coming: number, tentative: number): string {
    const sure = coming === 0 ? say.nobodyIsComingYet : say.areComing(coming);
    return tentative === 0 ? sure : say.comingAndMaybe(sure, tentative);
}

function DecisionCard({ chat, id, message }: CardProps & { id: string }) {
    useObserved(chat);
    const known = parleyOf(chat).decisions.find((each) => each.id === id);
    const answer = useAnswer(() => known ? Promise.resolve(known) : decision(chat, id), [id, known ?? message]);
    return (
        <section className="card" aria-label={say.decision}>
            <header><DecisionIcon /><h4>{say.decided}</h4></header>
            <Loaded answer={answer}>{({ text, supersededBy }) => <>
                <p className="words"><bdi>{text}</bdi></p>
                {supersededBy && <p className="hint">{say.decisionReplaced}</p>}
            </>}</Loaded>
            {known && <Refused chat={chat} of={known} />}
        </section>
    );
}
