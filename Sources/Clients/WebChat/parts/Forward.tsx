import { useState } from "react";
import { Avatar } from "../Avatar";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import { ownOf } from "../kit";
import type { Chat, Conversation, Message } from "../model";
import { forward } from "./ask";

/** Sends messages on to other conversations, with the names of who wrote them first. */
export function Forward({ chat, conversation, messages, close }: {
    chat: Chat; conversation: Conversation; messages: readonly Message[]; close: () => void;
}) {
    const [text, setText] = useState("");
    const [chosen, setChosen] = useState<readonly string[]>([]);
    const task = useTask();
    const [first] = messages;
    const wanted = text.trim().toLocaleLowerCase();
    const shown = chat.inbox.filter(({ canWrite, title }) => canWrite && title.toLocaleLowerCase().includes(wanted));
    const toggle = (id: string) =>
        setChosen((old) => old.includes(id) ? old.filter((each) => each !== id) : [...old, id]);
    const send = () => task.run(async () => {
        const own = messages.flatMap(({ id }) => ownOf(conversation).message(id) ?? []);
        for (const id of chosen) for (const each of own) await forward(chat, each, id);
        close();
    });
    return (
        <Dialog title={say.forward} close={close}>
            <form aria-label={say.forward} onSubmit={(event) => {
                event.preventDefault();
                if (chosen.length > 0 && !task.isBusy) send();
            }}>
                {first && messages.length === 1
                    ? <blockquote className="quote"><bdi>{first.text.slice(0, 300) || first.file}</bdi></blockquote>
                    : <p className="hint">{say.messagesInTheirOrder(messages.length)}</p>}
                <div className="field">
                    <label htmlFor="forward">{say.to}</label>
                    <input id="forward" type="search" value={text} placeholder={say.nameOfAConversation}
                        autoComplete="off"
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
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="button" onClick={close}>{say.cancel}</button>
                    <button type="submit" className="primary" disabled={chosen.length === 0 || task.isBusy}>
                        {say.forwardTo(Math.max(1, chosen.length))}</button>
                </div>
            </form>
        </Dialog>
    );
}
