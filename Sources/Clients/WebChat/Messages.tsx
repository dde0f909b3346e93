import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Composer } from "./Composer";
import { say } from "./english/shell";
import { useMinute } from "./hooks";
import { Later } from "./Later";
import type { Choice } from "./Menu";
import { MessageList } from "./MessageList";
import type { Moves } from "./MessageList";
import { MessageRow } from "./MessageRow";
import type { Acts } from "./MessageRow";
import type { Chat, Conversation, Message } from "./model";
import type { Show } from "./shown";
import { isSameDay } from "./times";

/** Messages by one person within this time are shown as one block. */
const blockTime = 5 * 60_000;
/** What the server takes unless it is configured otherwise. */
export const textBytesMax = 16_384;

/** Runs what a person asked for, and shows why it was refused. */
export type Try = (task: () => Promise<void>) => void;

/** The messages of a conversation, and where to write. */
export function Messages({ chat, conversation, found, setAtEnd, attempt, show, jump, thread }: {
    chat: Chat; conversation: Conversation;
    /** The id of the message that the person came to see; empty: none. */
    found: string;
    setAtEnd: (isAtEnd: boolean) => void; attempt: Try; show: Show; jump: (seq: number) => void;
    thread: (seq: number) => void;
}) {
    const { id, messages, members } = conversation;
    const me = chat.me?.id ?? "";
    const now = useMinute();
    const [text, setText] = useState(() => conversation.draft);
    const [edited, setEdited] = useState<Message | null>(null);
    const [answered, setAnswered] = useState<Message | null>(null);
    /** The ids of what the person selects; null: they do not. */
    const [selected, setSelected] = useState<ReadonlySet<string> | null>(null);
    const moves = useRef<Moves>({ toEnd: () => undefined, to: () => undefined });
    // The line stays where it was when the person came, whatever they read since.
    const firstNew = useMemo(() => firstUnread(conversation, me), [id]);
    const ids = useMemo(() => messages.map((message) => message.id), [messages]);
    const people = useMemo(() => members.map(({ person }) => person).filter((each) => each.id !== me), [members, me]);
    useEffect(() => { if (found && ids.includes(found)) moves.current.to(found); }, [found]);

    const write = (to: string) => {
        setText(to);
        if (!edited) conversation.setDraft(to);
    };
    const edit = (message: Message) => {
        setAnswered(null);
        setEdited(message);
        setText(message.text);
    };
    const cancel = () => {
        setAnswered(null);
        if (edited) setText(conversation.draft);
        setEdited(null);
    };
    const send = (mentions: readonly string[]) => {
        const written = text.trim();
        attempt(() => edited
            ? conversation.edit(edited, written, mentions) : conversation.send(written, mentions, answered));
        if (edited) return cancel();
        setAnswered(null);
        conversation.setDraft("");
        setText("");
        moves.current.toEnd();
    };
    const editLast = () => {
        const last = [...messages].reverse().find((message) => isEditable(message, me));
        if (last) edit(last);
    };
    const reply = (message: Message) => {
        setEdited(null);
        setAnswered(message);
    };
    const select = useCallback((message: Message) => setSelected((old) => {
        const chosen = new Set(old);
        if (!chosen.delete(message.id)) chosen.add(message.id);
        return chosen;
    }), []);
    const canWrite = conversation.canWrite && conversation.request !== "received";
    const choices = useCallback(
        (message: Message) => choicesFor(message, { conversation, me, attempt, show, edit, reply, thread, select }),
        [conversation, me, canWrite]);
    const acts = useMemo<Acts>(() => ({
        choices, jump, thread, select, ...attachedActs(chat, conversation, attempt, show),
        retry: (message) => attempt(() => conversation.retry(message)),
        drop: (message) => attempt(() => conversation.drop(message)),
        react: (message, emoji, isMine) => attempt(() => conversation.react(message, emoji, isMine)),
        pick: (message) => show({
            of: "emoji", choose: (emoji) => attempt(() => conversation.react(message, emoji, true)),
        }),
    }), [choices, conversation]);
    const press = (number: number, key: string): boolean => {
        const message = messages[number];
        const star = message?.isStarred ? say.unstar : say.star;
        const name = { r: say.reply, t: say.thread, e: say.edit, s: star, x: say.select }[key.toLowerCase()];
        if (key === "+" && message && canWrite && message.seq > 0) acts.pick(message);
        const choice = message && !message.isDeleted && !message.isNote
            ? choices(message).find((each) => each.name === name) : undefined;
        choice?.choose();
        return choice !== undefined || key === "+";
    };

    const row = (number: number) => {
        const message = messages[number]!;
        const before = messages[number - 1];
        const gap = conversation.gaps.get(message.seq);
        const isMine = message.sender === me;
        const beginsDay = !before || !isSameDay(before.sentAt, message.sentAt);
        const isSame = !beginsDay && !before.isNote && before.sender === message.sender && gap === undefined
            && message.sentAt - before.sentAt < blockTime && message.id !== firstNew && message.replyTo === 0;
        const author = conversation.isGroup && !isMine && !isSame ? conversation.name(message.sender) : "";
        return <>
            {gap !== undefined && <Gap conversation={conversation} first={gap} attempt={attempt} />}
            <MessageRow message={message} isMine={isMine} isSame={isSame} author={author} beginsDay={beginsDay}
                beginsNew={message.id === firstNew} isFound={message.id === found} isOpen={canWrite} now={now}
                selection={!selected || !isSelectable(message) ? "none" : selected.has(message.id) ? "on" : "off"}
                acts={acts} {...quoteOf(conversation, message)} />
        </>;
    };
    const about = edited ? say.editingYourMessage
        : answered ? say.answering(conversation.name(answered.sender), short(answered)) : "";
    return (
        <>
            <MessageList key={id} id={id} ids={ids} row={row} begin={firstNew ? ids.indexOf(firstNew) : -1}
                hasOlder={conversation.hasOlder} loadOlder={() => conversation.loadOlder()}
                unread={conversation.unread} atEnd={setAtEnd} label={say.messages} moves={moves} press={press} />
            {selected && <Later close={() => setSelected(null)}>{(parts) =>
                <parts.Selection conversation={conversation} me={me} show={show} end={() => setSelected(null)}
                    messages={messages.filter((message) => selected.has(message.id) && isSelectable(message))} />}
            </Later>}
            {!selected && conversation.request !== "received" && (canWrite
                ? <Composer text={text} setText={write} send={send} about={about} isEdit={edited !== null}
                    cancel={cancel} editLast={editLast} stop={() => conversation.stopTyping()} people={people}
                    bytesMax={textBytesMax} pickEmoji={(choose) => show({ of: "emoji", choose })}
                    attach={(files) => show({ of: "attach", conversation, files })}
                    record={() => show({ of: "voice", conversation })} />
                : <p className="closed">
                    {conversation.hasLeft ? say.noMemberReads : say.youCannotWriteInThis}</p>)}
        </>
    );
}

/** Messages that are missing between those that are shown: they are loaded once somebody comes near. */
function Gap({ conversation, first, attempt }: { conversation: Conversation; first: number; attempt: Try }) {
    const load = () => attempt(() => conversation.loadAround(first + 20));
    useEffect(load, [first]);
    return (
        <p className="gap">
            <button type="button" className="link" onClick={load}>{say.loadTheMessagesBetween}</button>
        </p>
    );
}

function firstUnread({ messages, readUpTo, unread }: Conversation, me: string): string {
    if (unread === 0) return "";
    return messages.find(({ seq, sender, isNote }) => seq > readUpTo && sender !== me && !isNote)?.id ?? "";
}

function isSelectable({ seq, isDeleted, isNote }: Message): boolean {
    return seq > 0 && !isDeleted && !isNote;
}

function isEditable({ sender, status, text, isDeleted }: Message, me: string): boolean {
    return sender === me && status !== "failed" && text !== "" && !isDeleted;
}

/** What can be done with what comes with a message: its file, its card, what is suggested under it. */
export function attachedActs(
    chat: Chat, conversation: Conversation, attempt: Try, show: Show,
): Pick<Acts, "file" | "card" | "accept" | "dismiss"> {
    return {
        file: {
            open: (message) => conversation.openFile(message),
            cancel: (message) => attempt(() => conversation.delete(message)),
            view: (message) => show({ of: "viewer", conversation, message }),
        },
        card: { chat, conversation: conversation.id, show },
        accept: (suggestion) => attempt(() => chat.accept(suggestion)),
        dismiss: (suggestion) => attempt(() => chat.dismiss(suggestion)),
    };
}

/** A message in a line. */
export function short(message: Message): string {
    return message.isDeleted ? say.messageDeleted : (message.text || message.file).replace(/\s+/g, " ").slice(0, 120);
}

/** What a message answers. What is not loaded is still answered. */
export function quoteOf(conversation: Conversation, message: Message): { quoted: string; quote: string } {
    if (message.replyTo === 0) return { quoted: "", quote: "" };
    const answered = conversation.at(message.replyTo);
    return answered
        ? { quoted: conversation.name(answered.sender), quote: short(answered) }
        : { quoted: say.anEarlierMessage, quote: "" };
}

interface ChoiceContext {
    conversation: Conversation;
    me: string;
    attempt: Try;
    show: Show;
    edit: (message: Message) => void;
    reply: (message: Message) => void;
    thread: (seq: number) => void;
    select: (message: Message) => void;
}

/** What can be done with a message, the most common first. */
function choicesFor(message: Message, context: ChoiceContext): Choice[] {
    const { conversation, me, attempt, show, edit, reply, thread, select } = context;
    const { sender, seq, text, isStarred } = message;
    const isMine = sender === me;
    const canWrite = conversation.canWrite && conversation.request !== "received";
    const isAdmin = conversation.isGroup && conversation.role !== "member";
    const offered: Choice[] = [];
    const offer = (name: string, choose: () => void, isDangerous = false) => {
        offered.push({ name, choose, isDangerous });
    };
    if (canWrite) offer(say.reply, () => reply(message));
    if (seq > 0 && canWrite) offer(say.thread, () => thread(message.thread || seq));
    if (text) offer(say.copy, () => void navigator.clipboard?.writeText(text));
    if (seq > 0) offer(isStarred ? say.unstar : say.star, () => attempt(() => conversation.star(message, !isStarred)));
    if (seq > 0) offer(say.forwardAsk, () => show({ of: "forward", conversation, messages: [message] }));
    if (isSelectable(message)) offer(say.select, () => select(message));
    if (canWrite && isEditable(message, me)) offer(say.edit, () => edit(message));
    if (seq > 0 && text) offer(say.remindMeAsk, () => show({ of: "remind", conversation, message }));
    if (seq > 0 && text) offer(say.recordDecisionAsk, () => show({ of: "decide", conversation, message }));
    if (seq > 0) offer(say.details, () => show({ of: "details", conversation, message }));
    const person = conversation.members.find((member) => member.person.id === sender)?.person;
    if (!isMine && person && seq > 0) {
        offer(say.reportAsk, () => show({ of: "report", person, conversation, message }), true);
    }
    if (seq > 0) offer(say.deleteForMe, () => attempt(() => conversation.hide(message)), true);
    if (isMine || (isAdmin && seq > 0)) {
        offer(say.deleteForEveryone, () => attempt(() => conversation.delete(message)), true);
    }
    return offered;
}
