/** From whom the person hides. The server knows everybody, and all whom they have not accepted, and no single person. */
import { useState } from "react";
import type { OwnPresence } from "../../Web/api/index";
import { Avatar } from "../Avatar";
import { useObserved, useTask } from "../hooks";
import { parleyOf } from "../kit";
import type { Chat, Person } from "../model";
import { Pick, Sure } from "./Form";
import { nameOf } from "./Picker";

/** How many people are listed of those from whom the person hides. */
const listedMax = 100;

/** What the other one of an accepted conversation sees of the person, who can hide, and show themselves again. */
export function Seen({ chat, other }: { chat: Chat; other: Person }) {
    useObserved(chat);
    const parley = parleyOf(chat);
    const [isAsked, setAsked] = useState(false);
    const task = useTask();
    const { ownPresence } = parley;
    if (!ownPresence) return null;
    const name = nameOf(other);
    const isHidden = ownPresence.hiding === "fromAll";
    const set = (hiding: OwnPresence["hiding"]) => task.run(async () => {
        await parley.setHiding(hiding);
        setAsked(false);
    });
    return (
        <section aria-label="What they see of you">
            <h3 className="part">What they see of you</h3>
            <p className="hint" role="status">{isHidden
                ? `You hide from everybody. ${name} sees you as offline, and is offline to you.`
                : ownPresence.hiding === "fromAllButAccepted"
                    ? `${name} sees when you are online. You hide from all whom you have not accepted.`
                    : `${name} sees when you are online, and what your status says.`}</p>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {isAsked
                ? <Sure name={isHidden ? "Hide from nobody" : "Hide from everybody"} isBusy={task.isBusy}
                    cancel={() => setAsked(false)}
                    question={isHidden
                        ? "All with whom you share a conversation see again when you are online, and you see them."
                        : `The server hides you from everybody, and not from one person alone: ${name} and all others `
                            + "see you as offline, last seen now, and are offline to you. Messages come and go as "
                            + `before. To keep out ${name} alone, block them.`}
                    act={() => set(isHidden ? "fromNobody" : "fromAll")} />
                : <div className="actions start">
                    <button type="button" onClick={() => setAsked(true)}>
                        {isHidden ? "Show yourself again …" : "Hide …"}</button>
                </div>}
        </section>
    );
}

/** From whom the person hides, who that is among those with whom they write, and the way back. */
export function Hiding({ chat, ownPresence }: { chat: Chat; ownPresence: OwnPresence }) {
    const { hiding } = ownPresence;
    const task = useTask();
    const set = (value: OwnPresence["hiding"]) => task.run(() => parleyOf(chat).setHiding(value));
    const people = hiding === "fromNobody" ? [] : hiddenFrom(chat, hiding);
    return (
        <>
            <Pick label="Hidden from" value={hiding} isDisabled={task.isBusy}
                hint="Whom you hide from sees you as offline, last seen when you hid, and is offline to you."
                choices={[
                    ["fromNobody", "Nobody"], ["fromAllButAccepted", "All whom you have not accepted"],
                    ["fromAll", "Everybody"],
                ]}
                set={(value) => set(value as OwnPresence["hiding"])} />
            {hiding !== "fromNobody" && <section aria-label="People you hide from">
                {people.length > 0 && <ul className="people" aria-label="People you hide from">
                    {people.slice(0, listedMax).map((person) => <li key={person.id} className="row">
                        <Avatar id={person.id} name={nameOf(person)} />
                        <span className="text"><bdi className="title">{nameOf(person)}</bdi>
                            <span className="preview">@{person.username}</span></span>
                    </li>)}
                </ul>}
                <p className="hint">{hiding === "fromAll"
                    ? "And from everybody else."
                    : "And from everybody else whom you have not accepted in a conversation of two."}</p>
                <div className="actions start">
                    <button type="button" disabled={task.isBusy} onClick={() => set("fromNobody")}>
                        Hide from nobody</button>
                </div>
            </section>}
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </>
    );
}

/** Those from whom the person hides among the people of the conversations that the page knows. */
function hiddenFrom(chat: Chat, hiding: OwnPresence["hiding"]): Person[] {
    const found = new Map<string, Person>();
    for (const { other, isGroup, members } of chat.inbox) {
        if (other) found.set(other.id, other);
        if (isGroup) for (const { person } of members) found.set(person.id, person);
    }
    found.delete(chat.me?.id ?? "");
    if (hiding === "fromAllButAccepted") {
        for (const { other, request } of chat.inbox) if (other && request === "none") found.delete(other.id);
    }
    return [...found.values()].filter(({ isDeleted }) => !isDeleted)
        .sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
}
