import { useEffect, useState } from "react";
import { Avatar } from "./Avatar";
import { Dialog } from "./Dialog";
import { useTask } from "./hooks";
import type { Chat, Person } from "./model";
import { refusal } from "./model";

/** Finds somebody by name or username, and opens the conversation with them. */
export function FindPerson({ chat, close, start }: { chat: Chat; close: () => void; start: (id: string) => void }) {
    const [text, setText] = useState("");
    const [found, setFound] = useState<{ people: readonly Person[]; problem: string; isDone: boolean }>(
        { people: [], problem: "", isDone: false });
    const task = useTask();
    useEffect(() => {
        const wanted = text.trim().replace(/^@/, "");
        setFound((old) => ({ ...old, isDone: false }));
        if (!wanted) return setFound({ people: [], problem: "", isDone: false });
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
    }, [text, chat]);
    const choose = (person: Person) => task.run(async () => start(await chat.start(person)));
    return (
        <Dialog title="New conversation" close={close}>
            <div className="field">
                <label htmlFor="find">Name or username</label>
                <input id="find" type="search" value={text} autoFocus autoComplete="off" spellCheck={false}
                    autoCapitalize="none" onChange={(event) => setText(event.target.value)} />
            </div>
            {(task.problem || found.problem) && <p className="refused" role="alert">{task.problem || found.problem}</p>}
            <ul className="people" aria-label="People" aria-busy={!!text && !found.isDone}>
                {found.people.map((person) => (
                    <li key={person.id}>
                        <button type="button" className="row" disabled={task.isBusy} onClick={() => choose(person)}>
                            <Avatar id={person.id} name={person.name || person.username} />
                            <span className="text">
                                <bdi className="title">{person.name || person.username}</bdi>
                                <span className="preview">@{person.username}</span>
                            </span>
                        </button>
                    </li>
                ))}
            </ul>
            <p className="hint" role="status">
                {found.isDone && found.people.length === 0 && !found.problem ? "Nobody has this name." : ""}
            </p>
        </Dialog>
    );
}
