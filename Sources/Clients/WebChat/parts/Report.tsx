import { useState } from "react";
import type { ReportReason } from "../../Web/api/index";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import { ownOf, parleyOf } from "../kit";
import type { Chat, Conversation, Message, Person } from "../model";
import { Line, Pick } from "./Form";
import { nameOf } from "./Picker";

const reasons: readonly (readonly [ReportReason, string])[] = [
    ["spam", say.spam], ["harassment", say.harassment], ["violence", say.violence], ["sexual", say.sexualContent],
    ["impersonation", say.pretendsToBeSomebodyElse], ["other", say.somethingElse],
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
            <Dialog title={say.reported} close={close}>
                <p role="status">{say.reportedThanks(<bdi>{name}</bdi>)}</p>
                <div className="actions">
                    <button type="button" className="primary" onClick={close}>{say.close}</button>
                </div>
            </Dialog>
        );
    }
    return (
        <Dialog title={message ? say.reportAMessage : say.reportPerson(name)} close={close}>
            <form aria-label={say.report} onSubmit={(event) => {
                event.preventDefault();
                send();
            }}>
                {message && <blockquote className="quote">
                    <bdi>{message.text.slice(0, 300) || message.file}</bdi></blockquote>}
                <p className="hint">{(message ? say.reportMessageMeans : say.reportMeans)(<bdi>{name}</bdi>)}</p>
                <Pick label={say.whatIsWrong} value={reason} set={(value) => setReason(value as ReportReason)}
                    choices={reasons} />
                <Line label={say.moreAboutItOptional} value={note} set={setNote} refused={task.field === "note"} />
                {conversation.other && <label className="check">
                    <input type="checkbox" checked={isBlocked} onChange={() => setBlocked(!isBlocked)} />
                    {say.alsoBlock(<bdi>{name}</bdi>)}</label>}
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="button" onClick={close}>{say.cancel}</button>
                    <button type="submit" className="primary" disabled={task.isBusy}>{say.report}</button>
                </div>
            </form>
        </Dialog>
    );
}
