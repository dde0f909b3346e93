import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { ownOf } from "../kit";
import type { Chat, Conversation, Message } from "../model";
import { fully } from "../times";
import { reactions, readers, revisions } from "./ask";
import type { Reader } from "./ask";
import { Loaded, useAnswer } from "./Loaded";

/** What became of a message: who read it, who reacted, and how it read before it was edited. */
export function Details({ chat, conversation, message, close }: {
    chat: Chat; conversation: Conversation; message: Message; close: () => void;
}) {
    const isMine = message.sender === chat.me?.id;
    return (
        <Dialog title={say.aboutThisMessage} close={close}>
            <blockquote className="quote"><bdi>{message.text.slice(0, 300) || message.file}</bdi></blockquote>
            <p className="hint">{isMine ? say.youWroteIt(fully(message.sentAt))
                : say.wroteIt(conversation.name(message.sender), fully(message.sentAt))}</p>
            {message.seq === 0
                ? <p className="hint">{say.itIsNotSentYet}</p>
                : <>
                    <Readers chat={chat} conversation={conversation} message={message} />
                    {message.reactions.length > 0
                        && <Reactions chat={chat} conversation={conversation} message={message} />}
                    {message.isEdited && <Earlier chat={chat} conversation={conversation} message={message} />}
                </>}
        </Dialog>
    );
}

interface OfMessage {
    chat: Chat;
    conversation: Conversation;
    message: Message;
}

function Readers({ chat, conversation, message }: OfMessage) {
    const answer = useAnswer(() => readers(chat, conversation, message), [message.id, ownOf(conversation).receipts]);
    const list = (name: string, people: readonly Reader[]) => people.length > 0 && <section aria-label={name}>
        <h3 className="part">{name}</h3>
        <ul className="plain" aria-label={name}>
            {people.map(({ id, name: who, readAt }) => <li key={id}>
                <bdi>{who}</bdi>{readAt > 0 && <time dateTime={new Date(readAt).toISOString()}>{fully(readAt)}</time>}
            </li>)}
        </ul>
    </section>;
    return <Loaded answer={answer}>{(people) => <>
        {list(say.readBy, people.filter(({ readAt }) => readAt > 0))}
        {list(say.deliveredTo, people.filter(({ readAt, isDelivered }) => readAt === 0 && isDelivered))}
        {list(say.notDeliveredYetTo, people.filter(({ readAt, isDelivered }) => readAt === 0 && !isDelivered))}
        {people.length === 0 && <p className="hint">{say.nobodyReads}</p>}
    </>}</Loaded>;
}

function Reactions({ chat, conversation, message }: OfMessage) {
    const answer = useAnswer(() => reactions(chat, conversation, message), [message.id, message.reactions]);
    return (
        <section aria-label={say.reactions}>
            <h3 className="part">{say.reactions}</h3>
            <Loaded answer={answer}>{(people) => <ul className="plain" aria-label={say.reactions}>
                {people.map(({ id, name, emoji }) => <li key={id + emoji}><bdi>{name}</bdi><span>{emoji}</span></li>)}
            </ul>}</Loaded>
        </section>
    );
}

function Earlier({ chat, conversation, message }: OfMessage) {
    const answer = useAnswer(() => revisions(chat, conversation, message), [message.id, message.text]);
    return (
        <section aria-label={say.earlierTexts}>
            <h3 className="part">{say.howItReadBefore}</h3>
            <Loaded answer={answer}>{(texts) => <ol className="earlier" aria-label={say.earlierTexts}>
                {texts.map(({ text, until }, number) => <li key={number}>
                    <bdi className="words">{text}</bdi><small>{say.until(fully(until))}</small>
                </li>)}
            </ol>}</Loaded>
        </section>
    );
}
