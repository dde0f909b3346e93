import { useState } from "react";
import { Dialog } from "../Dialog";
import { useTask } from "../hooks";
import { Refusal } from "../../Web/api/index";
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
        if (seq === 0) throw new Refusal("message_not_found", "Nobody has written on that day or later.");
        go(conversation.id, seq);
    });
    return (
        <Dialog title="Go to a date" close={close}>
            <form aria-label="Go to a date" onSubmit={(event) => {
                event.preventDefault();
                if (date && !task.isBusy) find();
            }}>
                <Line label="Date" type="date" value={date} set={setDate} isPlain autoFocus
                    hint="It leads to the first message of that day, or of the next day that has one." />
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="button" onClick={close}>Cancel</button>
                    <button type="submit" className="primary" disabled={!date || task.isBusy}>Go</button>
                </div>
            </form>
        </Dialog>
    );
}
