/** From whom the person hides: everybody, or all whom they have not accepted. The server knows no single person. */
import { useState } from "react";
import type { OwnPresence } from "../../Web/api/index";
import { Avatar } from "../Avatar";
import { say } from "../english/parts";
import { handleOf } from "../handle";
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
        <section aria-label={say.whatTheySeeOfYou}>
            <h3 className="part">{say.whatTheySeeOfYou}</h3>
            <p className="hint" role="status">{isHidden
                ? say.hidesFromAll(name)
                : ownPresence.hiding === "fromAllButAccepted"
                    ? say.seesAmongAccepted(name)
                    : say.sees(name)}</p>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {isAsked
                ? <Sure name={isHidden ? say.hideFromNobody : say.hideFromEverybody} isBusy={task.isBusy}
                    cancel={() => setAsked(false)}
                    question={isHidden
                        ? say.showMeans
                        : say.hideMeans(name)}
                    act={() => set(isHidden ? "fromNobody" : "fromAll")} />
                : <div className="actions start">
                    <button type="button" onClick={() => setAsked(true)}>
                        {isHidden ? say.showAgainAsk : say.hideAsk}</button>
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
            <Pick label={say.hiddenFrom} value={hiding} isDisabled={task.isBusy}
                hint={say.hidingHint}
                choices={[
                    ["fromNobody", say.nobody], ["fromAllButAccepted", say.notAccepted],
                    ["fromAll", say.everybody],
                ]}
                set={(value) => set(value as OwnPresence["hiding"])} />
            {hiding !== "fromNobody" && <section aria-label={say.peopleYouHideFrom}>
                {people.length > 0 && <ul className="people" aria-label={say.peopleYouHideFrom}>
                    {people.slice(0, listedMax).map((person) => <li key={person.id} className="row">
                        <Avatar id={person.id} name={nameOf(person)} />
                        <span className="text"><bdi className="title">{nameOf(person)}</bdi>
                            <span className="preview">{handleOf(person)}</span></span>
                    </li>)}
                </ul>}
                <p className="hint">{hiding === "fromAll"
                    ? say.hiddenFromRest
                    : say.hiddenFromOthers}</p>
                <div className="actions start">
                    <button type="button" disabled={task.isBusy} onClick={() => set("fromNobody")}>
                        {say.hideFromNobody}</button>
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
