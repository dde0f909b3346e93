import { useEffect } from "react";
import { Avatar } from "../Avatar";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useObserved, useTask } from "../hooks";
import { kitOf, parleyOf } from "../kit";
import type { Chat, Conversation } from "../model";
import type { Go } from "../shown";

/** Conversations that were put away. A new message brings one back, unless it is muted. */
export function Archived({ chat, close, go }: { chat: Chat; close: () => void; go: Go }) {
    const { archived } = parleyOf(chat);
    useObserved(archived);
    const task = useTask();
    useEffect(() => task.run(() => archived.loadMore()), []);
    const shown = kitOf(chat).list(archived);
    return (
        <Dialog title={say.archivedConversations} close={close}>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <ul className="people" aria-label={say.archivedConversations}>
                {shown.map((each) => <Row key={each.id} conversation={each} go={go} run={task.run} />)}
            </ul>
            {shown.length === 0 && <p className="hint" role="status">
                {task.isBusy ? say.loading : say.archiveEmpty}
            </p>}
            {archived.hasMore && shown.length > 0 && <div className="actions">
                <button type="button" disabled={task.isBusy} onClick={() => task.run(() => archived.loadMore())}>
                    {say.showMore}</button>
            </div>}
        </Dialog>
    );
}

function Row({ conversation, go, run }: {
    conversation: Conversation; go: Go; run: (task: () => Promise<void>) => void;
}) {
    useObserved(conversation);
    const { id, title, other, isGroup } = conversation;
    return (
        <li className="pair">
            <button type="button" className="row" onClick={() => go(id)}>
                <Avatar id={other?.id ?? id} name={title} isGroup={isGroup} />
                <span className="text"><bdi className="title">{title}</bdi></span>
            </button>
            <button type="button" className="link" aria-label={say.bringBackName(title)}
                onClick={() => run(() => conversation.archive(false))}>{say.bringBack}</button>
        </li>
    );
}
