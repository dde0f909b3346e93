import { useState } from "react";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import { ownOf } from "../kit";
import type { Chat, Conversation, Message } from "../model";
import { forward } from "./ask";
import { Choice } from "./Choice";

/** Sends messages on to other conversations, with the names of who wrote them first. */
export function Forward({ chat, conversation, messages, close }: {
    chat: Chat; conversation: Conversation; messages: readonly Message[]; close: () => void;
}) {
    const [chosen, setChosen] = useState<readonly string[]>([]);
    const task = useTask();
    const [first] = messages;
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
                <Choice chat={chat} chosen={chosen} set={setChosen} />
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
