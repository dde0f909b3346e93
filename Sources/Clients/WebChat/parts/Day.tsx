import { useState } from "react";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import type { Chat, Conversation } from "../model";
import type { Go } from "../shown";
import { seqAt } from "./ask";
import { Line } from "./Form";

/** Leads to the first message of a day, or of the next one on which somebody wrote. */
export function Day({ chat, conversation, close, go }: {
    chat: Chat; conversation: Conversation; close: () => void; go: Go;
}) {
    const [date, setDate] = useState("");
    const task = useTask();
    const find = () => task.run(async () => {
        const seq = await seqAt(chat, conversation, new Date(`${date}T00:00`));
        if (seq === 0) throw new Error(say.nobodyWroteLater);
        go(conversation.id, seq);
    });
    return (
        <Dialog title={say.goToDate} close={close}>
            <form aria-label={say.goToDate} onSubmit={(event) => {
                event.preventDefault();
                if (date && !task.isBusy) find();
            }}>
                <Line label={say.date} type="date" value={date} set={setDate} isPlain autoFocus
                    hint={say.dateHint} />
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="button" onClick={close}>{say.cancel}</button>
                    <button type="submit" className="primary" disabled={!date || task.isBusy}>{say.go}</button>
                </div>
            </form>
        </Dialog>
    );
}
