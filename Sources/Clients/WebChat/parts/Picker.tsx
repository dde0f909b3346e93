import { useEffect, useId, useMemo, useState } from "react";
import { Avatar } from "../Avatar";
import { say } from "../english/parts";
import { handleOf } from "../handle";
import type { Chat, Person } from "../model";
import { refusal } from "../model";

/** How a person is called where there is room for one name. */
export const nameOf = ({ name, username, isDeleted }: Person) => isDeleted ? say.deletedUser : name || username;

/**
 * Finds people as one types. With nothing typed it offers those whom the person writes with. Whom they block is never
 * among them.
 */
export function Picker({ chat, leftOut, choose, isBusy = false, isMany = false }: {
    chat: Chat; leftOut: readonly string[]; choose: (person: Person) => void; isBusy?: boolean; isMany?: boolean;
}) {
    const id = useId();
    const [text, setText] = useState("");
    const [found, setFound] = useState<{ people: readonly Person[]; problem: string; isDone: boolean }>(
        { people: [], problem: "", isDone: false });
    const known = useMemo(
        () => chat.inbox.flatMap(({ other }) => other && !other.isDeleted ? [other] : []), [chat.inbox]);
    const wanted = text.trim().replace(/^@/, "");
    useEffect(() => {
        if (!wanted) return setFound({ people: [], problem: "", isDone: false });
        setFound((old) => ({ ...old, isDone: false }));
        let isCurrent = true;
        const timer = setTimeout(() => {
            chat.search(wanted).then(
                (people) => { if (isCurrent) setFound({ people, problem: "", isDone: true }); },
                (error) => { if (isCurrent) setFound({ people: [], problem: refusal(error).message, isDone: true }); });
        }, 200);
        return () => {
            isCurrent = false;
            clearTimeout(timer);
        };
    }, [wanted, chat]);
    const people = (wanted ? found.people : known).filter((person) => !leftOut.includes(person.id));
    const pick = (person: Person) => {
        choose(person);
        setText("");
    };
    return (
        <>
            <div className="field">
                <label htmlFor={id}>{say.nameOrUsername}</label>
                <input id={id} type="search" value={text} autoFocus autoComplete="off" spellCheck={false}
                    autoCapitalize="none" onChange={(event) => setText(event.target.value)}
                    onKeyDown={(event) => {
                        const first = people[0];
                        if (event.key !== "Enter" || !wanted || !found.isDone || !first || isBusy) return;
                        event.preventDefault();
                        pick(first);
                    }} />
            </div>
            {found.problem && <p className="refused" role="alert">{found.problem}</p>}
            {!wanted && people.length > 0 && <h3 className="part">
                {isMany ? say.peopleYouWriteWith : say.writeAgain}</h3>}
            <ul className="people" aria-label={say.people} aria-busy={wanted !== "" && !found.isDone}>
                {people.slice(0, 50).map((person) => (
                    <li key={person.id}>
                        <button type="button" className="row" disabled={isBusy} onClick={() => pick(person)}>
                            <Avatar id={person.id} name={nameOf(person)} />
                            <span className="text">
                                <bdi className="title">{nameOf(person)}</bdi>
                                <span className="preview">{handleOf(person)}</span>
                            </span>
                        </button>
                    </li>
                ))}
            </ul>
            <p className="hint" role="status">
                {wanted && found.isDone && people.length === 0 && !found.problem ? say.nobodyHasThisName : ""}
            </p>
        </>
    );
}

/** People who were chosen, each of whom can be taken away again. */
export function Chosen({ people, remove }: { people: readonly Person[]; remove: (person: Person) => void }) {
    if (people.length === 0) return null;
    return (
        <ul className="chosen" aria-label={say.chosen}>
            {people.map((person) => (
                <li key={person.id}>
                    <bdi>{nameOf(person)}</bdi>
                    <button type="button" aria-label={say.takeAway(nameOf(person))} onClick={() => remove(person)}>
                        ×</button>
                </li>
            ))}
        </ul>
    );
}
