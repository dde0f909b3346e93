import { useState } from "react";
import type { ReportReason } from "../../Web/api/index";
import { Dialog } from "../Dialog";
import { useTask } from "../hooks";
import { ownOf, parleyOf } from "../kit";
import type { Chat, Conversation, Message, Person } from "../model";
import { Line, Pick } from "./Form";
import { nameOf } from "./Picker";

const reasons: readonly (readonly [ReportReason, string])[] = [
    ["spam", "Spam"], ["harassment", "Harassment"], ["violence", "Violence"], ["sexual", "Sexual content"],
    ["impersonation", "Pretends to be somebody else"], ["other", "Something else"],
];

/** Tells whoever runs the server about somebody, or about what they wrote. */
export function Report({ chat, person, conversation, message, close }: {
    chat: Chat; person: Person; conversation: Conversation; message?: Message; close: () => void;
}) {
    const [reason, setReason] = useState<ReportReason>("spam");
    const [note, setNote] = useState("");
    const [isBlocked, setBlocked] = useState(false);
    const [isDone, setDone] = useState(false);
    const task = useTask();
    const name = nameOf(person);
    const send = () => task.run(async () => {
        const own = message && ownOf(conversation).message(message.id);
        await parleyOf(chat).report(own ?? person.id, reason, note.trim());
        if (isBlocked) await conversation.block();
        setDone(true);
    });
    if (isDone) {
        return (
            <Dialog title="Reported" close={close}>
                <p role="status">Thank you. Whoever runs this server looks at it. {name} is not told.</p>
                <div className="actions"><button type="button" className="primary" onClick={close}>Close</button></div>
            </Dialog>
        );
    }
    return (
        <Dialog title={message ? "Report a message" : `Report ${name}`} close={close}>
            <form aria-label="Report" onSubmit={(event) => {
                event.preventDefault();
                send();
            }}>
                {message && <blockquote className="quote">
                    <bdi>{message.text.slice(0, 300) || message.file}</bdi></blockquote>}
                <p className="hint">Whoever runs this server reads {message ? "this message" : "your report"}.
                    {" "}{name} is not told.</p>
                <Pick label="What is wrong" value={reason} set={(value) => setReason(value as ReportReason)}
                    choices={reasons} />
                <Line label="More about it (optional)" value={note} set={setNote} refused={task.field === "note"} />
                {conversation.other && <label className="check">
                    <input type="checkbox" checked={isBlocked} onChange={() => setBlocked(!isBlocked)} />
                    Also block <bdi>{name}</bdi></label>}
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="button" onClick={close}>Cancel</button>
                    <button type="submit" className="primary" disabled={task.isBusy}>Report</button>
                </div>
            </form>
        </Dialog>
    );
}
