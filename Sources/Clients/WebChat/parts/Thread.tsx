import { useEffect, useMemo, useRef, useState } from "react";
import { Composer } from "../Composer";
import { say } from "../english/parts";
import { useMinute } from "../hooks";
import { CloseIcon } from "../icons";
import { MessageRow } from "../MessageRow";
import type { Acts } from "../MessageRow";
import { attachedActs, textBytesMax } from "../Messages";
import type { Try } from "../Messages";
import type { Chat, Conversation, Message } from "../model";
import type { Show } from "../shown";
import { isSameDay } from "../times";
import { thread as ask } from "./ask";
import { useAnswer } from "./Loaded";

/** A thread beside its conversation: the first message, all answers, and where to answer. */
export function Thread({ chat, conversation, start, attempt, show, jump, close }: {
    chat: Chat; conversation: Conversation; start: number; attempt: Try; show: Show; jump: (seq: number) => void;
    close: () => void;
}) {
    const me = chat.me?.id ?? "";
    const { messages } = conversation;
    const [text, setText] = useState("");
    const now = useMinute();
    const answer = useAnswer(() => ask(chat, conversation, start), [start]);
    // What is shown of the conversation changes as it is looked at, and is newer than what was asked for.
    const shown = useMemo(() => {
        const found = new Map((answer.value ?? []).map((message) => [message.id, message]));
        for (const message of messages) {
            const isHere = message.seq === start || message.thread === start || message.replyTo === start;
            if (isHere || found.has(message.id)) found.set(message.id, message);
        }
        const order = (message: Message) => message.seq || Infinity;
        return [...found.values()].sort((one, other) => order(one) - order(other) || one.sentAt - other.sentAt);
    }, [answer.value, messages, start]);
    const first = shown[0]?.seq === start ? shown[0] : conversation.at(start);
    const end = useRef<HTMLLIElement>(null);
    // Scrolling returns a promise in newer browsers, which is nothing for React to call.
    useEffect(() => { void end.current?.scrollIntoView({ block: "nearest" }); }, [shown.length]);
    const acts = useMemo<Acts>(() => ({
        choices: (message) => message.seq > 0
            ? [{ name: say.showInTheConversation, choose: () => jump(message.seq) }] : [],
        retry: (message) => attempt(() => conversation.retry(message)),
        drop: (message) => attempt(() => conversation.drop(message)),
        react: (message, emoji, isMine) => attempt(() => conversation.react(message, emoji, isMine)),
        pick: (message) => show({
            of: "emoji", choose: (emoji) => attempt(() => conversation.react(message, emoji, true)),
        }),
        jump, thread: () => undefined, select: () => undefined, ...attachedActs(chat, conversation, attempt, show),
    }), [conversation, jump]);
    const people = conversation.members.map(({ person }) => person).filter(({ id }) => id !== me);
    return (
        <aside className="thread" aria-label={say.thread}
            onKeyDown={(event) => { if (event.key === "Escape") close(); }}>
            <header className="top">
                <div className="who"><h2>{say.thread}</h2><small>{conversation.title}</small></div>
                <button type="button" className="icon" aria-label={say.closeTheThread}
                    onClick={close}><CloseIcon /></button>
            </header>
            {answer.problem && <p className="hint" role="status">
                {say.threadKept(answer.problem)}{" "}
                <button type="button" className="link" onClick={answer.again}>{say.tryAgain}</button></p>}
            <ul className="box lines" aria-label={say.messagesOfTheThread} tabIndex={0}>
                {shown.map((message, number) => <li key={message.id}
                    ref={number === shown.length - 1 ? end : undefined}>
                    <MessageRow message={message} isMine={message.sender === me} isSame={false} isFound={false}
                        selection="none"
                        author={message.sender === me ? "" : conversation.name(message.sender)} quoted="" quote=""
                        beginsDay={number === 0 || !isSameDay(shown[number - 1]!.sentAt, message.sentAt)}
                        beginsNew={false} isOpen={conversation.canWrite} now={now} acts={acts} />
                </li>)}
                {!answer.value && !answer.problem && <li className="hint" role="status">{say.loading}</li>}
            </ul>
            {conversation.canWrite && first && <Composer text={text} setText={setText} label={say.answer} about=""
                isEdit={false} cancel={close} editLast={() => undefined} stop={() => undefined} people={people}
                bytesMax={textBytesMax} pickEmoji={(choose) => show({ of: "emoji", choose })}
                send={(mentions) => {
                    attempt(() => conversation.send(text.trim(), mentions, first));
                    setText("");
                }} />}
        </aside>
    );
}
