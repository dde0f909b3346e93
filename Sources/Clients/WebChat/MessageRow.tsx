import { memo } from "react";
import { FailedIcon, FileIcon, MoreIcon, ReceivedIcon, SentIcon, WaitingIcon } from "./icons";
import { Menu } from "./Menu";
import type { Choice } from "./Menu";
import { MessageText } from "./MessageText";
import type { Message } from "./model";
import { day, fully, time } from "./times";

export interface RowProps {
    message: Message;
    isMine: boolean;
    /** Who wrote it, where that is to be said; empty otherwise. */
    author: string;
    /** Whether it follows one by the same person, a moment before. */
    isSame: boolean;
    /** Whether it is the first of its day, and the first that the person has not read. */
    beginsDay: boolean;
    beginsNew: boolean;
    now: number;
    choices: (message: Message) => readonly Choice[];
    retry: (message: Message) => void;
    drop: (message: Message) => void;
}

export const MessageRow = memo(function MessageRow(props: RowProps) {
    const { message, isMine, author, isSame, beginsDay, beginsNew, now } = props;
    return (
        <>
            {beginsDay && <h3 className="day"><time dateTime={new Date(message.sentAt).toISOString()}>
                {day(message.sentAt, now)}</time></h3>}
            {beginsNew && <p className="new"><span>New</span></p>}
            {message.isNote
                ? <p className="note"><bdi>{message.text}</bdi></p>
                : <div className={`message${isMine ? " mine" : ""}${isSame ? " same" : ""}`}>
                    <Bubble {...props} author={author} />
                </div>}
        </>
    );
});

function Bubble({ message, isMine, author, choices, retry, drop }: RowProps) {
    const offered = message.isDeleted ? [] : choices(message);
    return (
        <>
            <div className={message.isDeleted ? "bubble deleted" : "bubble"}>
                {author && <div className="author"><bdi>{author}</bdi></div>}
                {message.isDeleted
                    ? <div className="words">Message deleted</div>
                    : <>
                        {message.file && <div className="file"><FileIcon /><bdi>{message.file}</bdi></div>}
                        {message.text && <MessageText text={message.text} />}
                    </>}
                <div className="foot">
                    {message.isEdited && !message.isDeleted && <span>edited</span>}
                    <time dateTime={new Date(message.sentAt).toISOString()} title={fully(message.sentAt)}>
                        {time(message.sentAt)}</time>
                    {isMine && !message.isDeleted && <Status message={message} />}
                </div>
            </div>
            {message.reactions.length > 0 && !message.isDeleted && <ul className="reactions" aria-label="Reactions">
                {message.reactions.map(({ emoji, count, isMine: mine }) =>
                    <li key={emoji} className={mine ? "own" : ""}>{emoji}{count > 1 && <span> {count}</span>}</li>)}
            </ul>}
            {message.status === "failed" && <p className="failed" role="alert">
                {message.problem || "Not sent."} <button type="button" className="link" onClick={() => retry(message)}>
                    Try again</button> <button type="button" className="link" onClick={() => drop(message)}>
                    Discard</button></p>}
            {offered.length > 0 && <Menu name="Message" icon={<MoreIcon />} choices={offered} />}
        </>
    );
}

const statuses = {
    waiting: ["Waiting to be sent", WaitingIcon], failed: ["Not sent", FailedIcon], sent: ["Sent", SentIcon],
    delivered: ["Delivered", ReceivedIcon], read: ["Read", ReceivedIcon],
} as const;

function Status({ message }: { message: Message }) {
    const [name, Picture] = statuses[message.status];
    return <span className={`status ${message.status}`} role="img" aria-label={name} title={name}><Picture /></span>;
}
