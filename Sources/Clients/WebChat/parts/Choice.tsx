import { useId, useState } from "react";
import { Avatar } from "../Avatar";
import { say } from "../english/parts";
import type { Chat } from "../model";

/** The conversations in which the person may write, several of which are chosen. */
export function Choice({ chat, chosen, set }: {
    chat: Chat; chosen: readonly string[]; set: (chosen: readonly string[]) => void;
}) {
    const id = useId();
    const [text, setText] = useState("");
    const wanted = text.trim().toLocaleLowerCase();
    const shown = chat.inbox.filter(({ canWrite, title }) => canWrite && title.toLocaleLowerCase().includes(wanted));
    const toggle = (id: string) => set(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
    return <>
        <div className="field">
            <label htmlFor={id}>{say.to}</label>
            <input id={id} type="search" value={text} placeholder={say.nameOfAConversation} autoComplete="off"
                onChange={(event) => setText(event.target.value)} />
        </div>
        <ul className="people" aria-label={say.conversations}>
            {shown.slice(0, 100).map(({ id, title, other, isGroup }) => (
                <li key={id}><label className="row">
                    <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
                    <Avatar id={other?.id ?? id} name={title} isGroup={isGroup} />
                    <span className="text"><bdi className="title">{title}</bdi></span>
                </label></li>
            ))}
        </ul>
        {shown.length === 0 && <p className="hint" role="status">{say.noConversationHasThisName}</p>}
    </>;
}
