import { memo, useRef } from "react";
import type { CardProps } from "./cards";
import { say } from "./english/shell";
import type { FileProps } from "./files";
import { useLoaded } from "./hooks";
import { EmojiIcon, FailedIcon, MoreIcon, ReceivedIcon, SentIcon, StarIcon, WaitingIcon } from "./icons";
import { Menu } from "./Menu";
import type { Choice, MenuHandle } from "./Menu";
import { MessageText } from "./MessageText";
import type { Attached, Message, Suggestion } from "./model";
import { momentText } from "./moments";
import { room } from "./sizes";
import { day, fully, time } from "./times";

/** What can be done with a message. */
export interface Acts {
    readonly choices: (message: Message) => readonly Choice[];
    readonly retry: (message: Message) => void;
    readonly drop: (message: Message) => void;
    readonly react: (message: Message, emoji: string, isMine: boolean) => void;
    /** Shows all emoji, to react with one. */
    readonly pick: (message: Message) => void;
    readonly file: Omit<FileProps, "message" | "attached">;
    readonly card: Omit<CardProps, "message">;
    readonly accept: (suggestion: Suggestion) => void;
    readonly dismiss: (suggestion: Suggestion) => void;
    /** Goes to the message with a seq. */
    readonly jump: (seq: number) => void;
    readonly thread: (seq: number) => void;
    /** Selects the message, or no longer. */
    readonly select: (message: Message) => void;
}

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
    /** Who wrote what it answers, and what; empty: it answers nothing. */
    quoted: string;
    quote: string;
    /** Whether the person came to see this one. */
    isFound: boolean;
    /** Whether it can be answered, and reacted to. */
    isOpen: boolean;
    /** Whether it is selected; `none`: nothing is, or it cannot be. */
    selection: "none" | "off" | "on";
    now: number;
    acts: Acts;
}

export const MessageRow = memo(function MessageRow(props: RowProps) {
    const { message, isMine, isSame, beginsDay, beginsNew, isFound, selection, now, acts } = props;
    const isSelecting = selection !== "none";
    const select = (event: React.SyntheticEvent) => {
        event.preventDefault();
        event.stopPropagation();
        acts.select(message);
    };
    return (
        <>
            {beginsDay && <h3 className="day"><time dateTime={new Date(message.sentAt).toISOString()}>
                {day(message.sentAt, now)}</time></h3>}
            {beginsNew && <p className="new"><span>{say.newMessages}</span></p>}
            {message.isNote
                ? <>
                    <p className="note"><bdi>{message.text}</bdi></p>
                    {message.card && <CardOf card={message.card} {...acts.card} message={message} />}
                </>
                : <div className={isSelecting ? "selecting" : ""}>
                    {isSelecting && <input type="checkbox" checked={selection === "on"} aria-label={say.selected}
                        onChange={() => acts.select(message)} />}
                    <div className={`message${isMine ? " mine" : ""}${isSame ? " same" : ""}${isFound ? " found" : ""}`}
                        {...(isSelecting && { onClickCapture: select })}>
                        <Bubble {...props} />
                    </div>
                </div>}
        </>
    );
});

/** How long a finger rests on a message until its menu opens, in milliseconds. */
const longPress = 500;
const quick = ["👍", "❤️", "😂", "😮", "😢", "🙏"];

function Bubble({ message, isMine, author, quoted, quote, isOpen, acts }: RowProps) {
    const menu = useRef<MenuHandle>(null);
    const pressed = useRef(0);
    const offered = message.isDeleted ? [] : acts.choices(message);
    const open = (event: React.SyntheticEvent) => {
        // What is selected, and links, keep the browser's own menu.
        const isLink = (event.target as Element).closest("a") !== null;
        if (offered.length === 0 || isLink || getSelection()?.isCollapsed === false) return;
        event.preventDefault();
        menu.current?.open();
    };
    const release = () => clearTimeout(pressed.current);
    const canReact = isOpen && message.seq > 0 && !message.isDeleted;
    return (
        <>
            <div className={message.isDeleted ? "bubble deleted" : "bubble"} onContextMenu={open}
                onTouchStart={() => { pressed.current = window.setTimeout(() => menu.current?.open(), longPress); }}
                onTouchEnd={release} onTouchMove={release} onTouchCancel={release}>
                {author && <div className="author"><bdi>{author}</bdi></div>}
                {message.forwardedFrom && !message.isDeleted
                    && <div className="from">{say.forwarded(<bdi>{message.forwardedFrom}</bdi>)}</div>}
                {quoted && !message.isDeleted && <button type="button" className="quote"
                    aria-label={say.answers(quoted, quote)} onClick={() => acts.jump(message.replyTo)}>
                    <b><bdi>{quoted}</bdi></b><bdi>{quote}</bdi></button>}
                {message.isDeleted
                    ? <div className="words">{say.messageDeleted}</div>
                    : <>
                        {message.attached && <Attachment message={message} attached={message.attached} acts={acts} />}
                        {message.text && <MessageText text={message.text} mentioned={message.mentioned} />}
                        {!message.text && !message.file && <div className="words">{say.forwardedByYou}</div>}
                    </>}
                <div className="foot">
                    {message.isStarred && <span className="status" role="img" aria-label={say.starred}>
                        <StarIcon /></span>}
                    {message.isEdited && !message.isDeleted && <span>{say.edited}</span>}
                    <time dateTime={new Date(message.sentAt).toISOString()} title={fully(message.sentAt)}>
                        {time(message.sentAt)}</time>
                    {isMine && !message.isDeleted && <Status message={message} />}
                </div>
            </div>
            {offered.length > 0 && <Menu name={say.message} icon={<MoreIcon />} choices={offered} handle={menu}
                above={canReact ? (close) => <div className="quick" role="group" aria-label={say.react}>
                    {quick.map((emoji) => <button key={emoji} type="button" role="menuitem"
                        aria-label={say.reactWith(emoji)}
                        onClick={() => {
                            close();
                            const isMine = message.reactions.some((each) => each.emoji === emoji && each.isMine);
                            acts.react(message, emoji, !isMine);
                        }}>{emoji}</button>)}
                    <button type="button" role="menuitem" aria-label={say.reactWithAnotherEmoji}
                        onClick={() => { close(); acts.pick(message); }}><EmojiIcon /></button>
                </div> : undefined} />}
            {message.reactions.length > 0 && !message.isDeleted && <ul className="reactions" aria-label={say.reactions}>
                {message.reactions.map(({ emoji, count, isMine: mine }) => <li key={emoji}>
                    <button type="button" aria-pressed={mine} disabled={!isOpen} aria-label={`${emoji} ${count}`}
                        onClick={() => acts.react(message, emoji, !mine)}>
                        {emoji}{count > 1 && <span> {count}</span>}</button>
                </li>)}
            </ul>}
            {message.replies > 0 && message.thread === message.seq && <button type="button" className="link replies"
                onClick={() => acts.thread(message.seq)}>
                {say.replies(message.replies)}
            </button>}
            {message.suggestion && <Suggested suggestion={message.suggestion} acts={acts} />}
            {message.status === "failed" && <p className="failed" role="alert">
                {message.problem || say.notSentFull} <button type="button" className="link"
                    onClick={() => acts.retry(message)}>
                    {say.tryAgain}</button> <button type="button" className="link" onClick={() => acts.drop(message)}>
                    {say.discard}</button></p>}
        </>
    );
}

const files = () => import("./files");

/** A file, whose room is kept until it is shown. */
function Attachment({ message, attached, acts }: { message: Message; attached: Attached; acts: Acts }) {
    const { loaded } = useLoaded(files);
    if (loaded) return <loaded.FileView message={message} attached={attached} {...acts.file} />;
    const isSeen = attached.kind === "picture" || attached.kind === "film";
    const { width, height } = room(attached);
    return isSeen
        ? <div className="picture" style={{ width, aspectRatio: `${width} / ${height}` }} />
        : <div className="saved"><span className="called"><bdi>{message.file}</bdi></span></div>;
}

const cards = () => import("./cards");

function CardOf(props: CardProps & { card: NonNullable<Message["card"]> }) {
    const { loaded } = useLoaded(cards);
    return loaded ? <loaded.Card {...props} /> : <div className="card" aria-busy="true" />;
}

const kinds = { event: say.anEvent, reminder: say.aReminder, decision: say.aDecision } as const;

/** What a message seems to say: only this person sees it, and nothing comes of it unless they want it. */
function Suggested({ suggestion, acts }: { suggestion: Suggestion; acts: Acts }) {
    const { kind, title, when, isAnswer } = suggestion;
    const name = isAnswer ? say.going
        : kind === "event" ? say.invite : kind === "reminder" ? say.remindMe : say.recordIt;
    return (
        <div className="suggestion" role="group" aria-label={say.suggestion(title)}>
            <span>{kinds[kind](<b><bdi>{title}</bdi></b>, when ? momentText(when) : "")}</span>
            <button type="button" className="link" onClick={() => acts.accept(suggestion)}>{name}</button>
            <button type="button" className="link" onClick={() => acts.dismiss(suggestion)}>{say.dismiss}</button>
        </div>
    );
}

const statuses = {
    waiting: [say.waitingToBeSent, WaitingIcon], failed: [say.notSent, FailedIcon], sent: [say.sent, SentIcon],
    delivered: [say.delivered, ReceivedIcon], read: [say.read, ReceivedIcon],
} as const;

function Status({ message }: { message: Message }) {
    const [name, Picture] = statuses[message.status];
    return <span className={`status ${message.status}`} role="img" aria-label={name} title={name}><Picture /></span>;
}
