import { Avatar } from "../Avatar";
import type { Go } from "../shown";
import { briefly, fully } from "../times";
import type { Hit } from "./ask";
import { pieces } from "./pieces";

/** Messages that were found, each of which leads to where it stands. */
export function Hits({ label, hits, go, wanted = "" }: {
    label: string; hits: readonly Hit[]; go: Go; wanted?: string;
}) {
    const now = Date.now();
    return (
        <ul className="people tall" aria-label={label}>
            {hits.map(({ conversation, message }) => conversation && (
                <li key={message.id}>
                    <button type="button" className="row" onClick={() => go(conversation.id, message.seq)}>
                        <Avatar id={conversation.other?.id ?? conversation.id} name={conversation.title}
                            isGroup={conversation.isGroup} />
                        <span className="text">
                            <span className="line">
                                <bdi className="title">{conversation.title}</bdi>
                                <time dateTime={new Date(message.sentAt).toISOString()} title={fully(message.sentAt)}>
                                    {briefly(message.sentAt, now)}</time>
                            </span>
                            <span className="preview many"><bdi>
                                {conversation.name(message.sender)}:{" "}
                                {pieces(message.text || message.file, wanted).map(({ text, isFound }, number) =>
                                    isFound ? <mark key={number}>{text}</mark> : text)}
                            </bdi></span>
                        </span>
                    </button>
                </li>
            ))}
        </ul>
    );
}
