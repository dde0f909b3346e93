import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Avatar } from "./Avatar";
import { Composer } from "./Composer";
import { useIsVisible, useMinute, useObserved, useTask } from "./hooks";
import { BackIcon, MoreIcon } from "./icons";
import { Menu } from "./Menu";
import type { Choice } from "./Menu";
import { MessageList } from "./MessageList";
import { MessageRow } from "./MessageRow";
import type { Chat, Conversation, Message } from "./model";
import { refusal } from "./model";
import { isSameDay } from "./times";

/** Messages by one person within this time are shown as one block. */
const blockTime = 5 * 60_000;
/** What the server takes unless it is configured otherwise. */
const textBytesMax = 16_384;

/** Runs what a person asked for, and shows why it was refused. */
type Try = (task: () => Promise<void>) => void;

/** One conversation: its messages, and where to write. */
export function Talk({ chat, conversation, back }: { chat: Chat; conversation: Conversation; back: () => void }) {
    useObserved(conversation);
    const { id, title, messages, isLoaded, section } = conversation;
    const [isAtEnd, setAtEnd] = useState(true);
    const [problem, setProblem] = useState("");
    const isVisible = useIsVisible();
    const attempt = useCallback<Try>((task) => {
        task().then(() => setProblem(""), (error) => setProblem(refusal(error).message));
    }, []);
    useEffect(() => attempt(() => conversation.load()), [id]);
    useEffect(() => chat.look(isVisible, isVisible ? id : ""), [isVisible, id]);
    const newest = messages[messages.length - 1]?.seq ?? 0;
    const isRead = isLoaded && isVisible && isAtEnd && section === "inbox";
    useEffect(() => {
        if (isRead) void conversation.markRead().catch(() => undefined);
    }, [id, isRead, newest]);

    return (
        <main className="talk" aria-label={`Conversation with ${title}`}>
            <Head conversation={conversation} back={back} attempt={attempt} />
            {problem && <p className="refused" role="alert">{problem}</p>}
            {isLoaded
                ? <Messages conversation={conversation} me={chat.me?.id ?? ""} setAtEnd={setAtEnd} attempt={attempt} />
                : <div className="list" aria-busy="true" />}
        </main>
    );
}

function Head({ conversation, back, attempt }: { conversation: Conversation; back: () => void; attempt: Try }) {
    const { id, title, isPinned, other } = conversation;
    const choices: Choice[] = [
        { name: isPinned ? "Unpin" : "Pin", choose: () => attempt(() => conversation.pin(!isPinned)) },
    ];
    if (other) {
        const name = `Block ${other.name || other.username}`;
        choices.push({ name, isDangerous: true, choose: () => attempt(() => conversation.block()) });
    }
    return (
        <header className="top">
            <button type="button" className="icon back" aria-label="Back to the list" onClick={back}>
                <BackIcon />
            </button>
            <Avatar id={other?.id ?? id} name={title} isGroup={conversation.isGroup} />
            <div className="who">
                <h2><bdi>{title}</bdi></h2>
                <small role="status">{about(conversation)}</small>
            </div>
            <Menu name="Conversation" icon={<MoreIcon />} choices={choices} />
        </header>
    );
}

function about({ typing, request, isGroup, memberCount, other }: Conversation): string {
    if (typing.length === 1) return `${typing[0]} is typing …`;
    if (typing.length > 1) return `${typing.length} people are typing …`;
    if (request === "sent") return "Has not answered your request yet";
    if (isGroup) return memberCount === 1 ? "1 member" : `${memberCount} members`;
    return other ? `@${other.username}` : "";
}

function Messages({ conversation, me, setAtEnd, attempt }: {
    conversation: Conversation; me: string; setAtEnd: (isAtEnd: boolean) => void; attempt: Try;
}) {
    const { id, messages } = conversation;
    const now = useMinute();
    const [text, setText] = useState(() => conversation.draft);
    const [edited, setEdited] = useState<Message | null>(null);
    const toEnd = useRef<() => void>(() => undefined);
    // The line stays where it was when the person came, whatever they read since.
    const firstNew = useMemo(() => firstUnread(conversation, me), [id]);
    const ids = useMemo(() => messages.map((message) => message.id), [messages]);

    const write = (to: string) => {
        setText(to);
        if (!edited) conversation.setDraft(to);
    };
    const edit = (message: Message) => {
        setEdited(message);
        setText(message.text);
    };
    const stopEditing = () => {
        setEdited(null);
        setText(conversation.draft);
    };
    const send = () => {
        const written = text.trim();
        attempt(() => edited ? conversation.edit(edited, written) : conversation.send(written));
        if (edited) return stopEditing();
        conversation.setDraft("");
        setText("");
        toEnd.current();
    };
    const editLast = () => {
        const last = [...messages].reverse().find((message) => isEditable(message, me));
        if (last) edit(last);
    };
    const choices = useCallback((message: Message): Choice[] => {
        const offered: Choice[] = [];
        if (message.text) {
            offered.push({ name: "Copy", choose: () => void navigator.clipboard?.writeText(message.text) });
        }
        if (isEditable(message, me)) offered.push({ name: "Edit", choose: () => edit(message) });
        if (message.sender === me && message.seq > 0) {
            offered.push(
                { name: "Delete", isDangerous: true, choose: () => attempt(() => conversation.delete(message)) });
        }
        return offered;
    }, [conversation, me]);
    const retry = useCallback((message: Message) => attempt(() => conversation.retry(message)), [conversation]);
    const drop = useCallback((message: Message) => attempt(() => conversation.drop(message)), [conversation]);

    const row = (number: number) => {
        const message = messages[number]!;
        const before = messages[number - 1];
        const isMine = message.sender === me;
        const beginsDay = !before || !isSameDay(before.sentAt, message.sentAt);
        const isSame = !beginsDay && !before.isNote && before.sender === message.sender
            && message.sentAt - before.sentAt < blockTime && message.id !== firstNew;
        const author = conversation.isGroup && !isMine && !isSame ? conversation.name(message.sender) : "";
        return <MessageRow message={message} isMine={isMine} isSame={isSame} author={author} beginsDay={beginsDay}
            beginsNew={message.id === firstNew} now={now} choices={choices} retry={retry} drop={drop} />;
    };
    return (
        <>
            <MessageList key={id} id={id} ids={ids} row={row} begin={firstNew ? ids.indexOf(firstNew) : -1}
                hasOlder={conversation.hasOlder} loadOlder={() => conversation.loadOlder()}
                unread={conversation.unread} atEnd={setAtEnd} label="Messages" toEnd={toEnd} />
            {conversation.request === "received" && <Answer conversation={conversation} />}
            {conversation.request !== "received" && (conversation.canWrite
                ? <Composer text={text} setText={write} send={send} editing={edited !== null}
                    cancelEdit={stopEditing} editLast={editLast} stop={() => conversation.stopTyping()}
                    bytesMax={textBytesMax} />
                : <p className="closed">You cannot write in this conversation.</p>)}
        </>
    );
}

function firstUnread({ messages, readUpTo, unread }: Conversation, me: string): string {
    if (unread === 0) return "";
    return messages.find(({ seq, sender, isNote }) => seq > readUpTo && sender !== me && !isNote)?.id ?? "";
}

function isEditable({ sender, seq, text, isDeleted }: Message, me: string): boolean {
    return sender === me && seq > 0 && text !== "" && !isDeleted;
}

/** The answer to somebody who was never written to before. */
function Answer({ conversation }: { conversation: Conversation }) {
    const task = useTask();
    const name = <b><bdi>{conversation.other?.name || conversation.title}</bdi></b>;
    return (
        <section className="answer" aria-label="Request">
            <p>{conversation.isGroup
                ? <>You are invited into {name}.</>
                : <>{name} would like to write with you. They do not see that you have read this.</>}</p>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <div className="actions">
                {conversation.other && <button type="button" className="danger" disabled={task.isBusy}
                    onClick={() => task.run(() => conversation.block())}>Block</button>}
                <button type="button" disabled={task.isBusy}
                    onClick={() => task.run(() => conversation.decline())}>Decline</button>
                <button type="button" className="primary" disabled={task.isBusy}
                    onClick={() => task.run(() => conversation.accept())}>Accept</button>
            </div>
        </section>
    );
}
