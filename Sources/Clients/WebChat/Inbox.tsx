import { memo, useState } from "react";
import { Avatar } from "./Avatar";
import { Dialog } from "./Dialog";
import { say } from "./english/shell";
import { handleOf } from "./handle";
import { useMinute, useObserved, useTask } from "./hooks";
import { MoreIcon, MutedIcon, NewIcon, PinIcon, SearchIcon } from "./icons";
import { Menu } from "./Menu";
import type { Chat, Conversation, Presence } from "./model";
import { refusal } from "./model";
import { Rows } from "./Rows";
import type { Show } from "./shown";
import { briefly } from "./times";

/** The list of conversations, with requests above it. */
export function Inbox({ chat, selected, show }: { chat: Chat; selected: string; show: Show }) {
    /** Why leaving is asked about. */
    const [leaving, setLeaving] = useState<"" | "unsent" | "guest">("");
    const now = useMinute();
    const signOut = () => {
        if (chat.me?.name && !chat.me.username) return setLeaving("guest");
        chat.signOut(false).catch((error) => { if (refusal(error).code === "unsent_work") setLeaving("unsent"); });
    };
    return (
        <div className="side">
            <header className="top">
                {chat.me && <Avatar id={chat.me.id} name={chat.me.name || chat.me.username} />}
                <div className="who">
                    <h1><bdi>{chat.me?.name || chat.me?.username}</bdi></h1>
                    <small>{chat.me?.name && handleOf(chat.me)}</small>
                </div>
                <button type="button" className="icon" aria-label={say.search}
                    onClick={() => show({ of: "search", conversation: null })}><SearchIcon /></button>
                <button type="button" className="icon" aria-label={say.newConversation}
                    onClick={() => show({ of: "new" })}>
                    <NewIcon /></button>
                <Menu name={say.account} icon={<MoreIcon />} choices={[
                    { name: say.yourProfile, choose: () => show({ of: "profile" }) },
                    { name: say.agenda, choose: () => show({ of: "agenda" }) },
                    { name: say.mentions, choose: () => show({ of: "mentions" }) },
                    { name: say.starredMessages, choose: () => show({ of: "starred" }) },
                    { name: say.archivedConversations, choose: () => show({ of: "archived" }) },
                    { name: say.settings, choose: () => show({ of: "settings" }) },
                    { name: say.keyboard, choose: () => show({ of: "keys" }) },
                    { name: say.stateOfTheServer, choose: () => { location.href = "/status"; } },
                    { name: say.signOut, isDangerous: true, choose: signOut },
                ]} />
            </header>
            <nav aria-label={say.conversations} onScroll={({ currentTarget: list }) => {
                const isNearEnd = list.scrollHeight - list.scrollTop < 3 * list.clientHeight;
                if (chat.hasMore && isNearEnd) void chat.loadMore();
            }}>
                {chat.requests.length > 0 && <section aria-label={say.requests}>
                    <h2>{say.requests} <span className="count">{chat.requestCount}</span>
                        {chat.unreadRequests > 0
                            && <span className="fresh">{say.newCount(chat.unreadRequests)}</span>}</h2>
                    <Rows list={chat.requests} row={(each) =>
                        <Row conversation={each} isSelected={each.id === selected} now={now} />} />
                </section>}
                {chat.requests.length > 0 && chat.inbox.length > 0 && <h2>{say.conversations}</h2>}
                {chat.inbox.length > 0
                    ? <Rows list={chat.inbox} row={(each) =>
                        <Row conversation={each} isSelected={each.id === selected} now={now}
                            status={each.presence?.status} />} />
                    : <div className="empty">
                        <p>{say.noConversationsYet}</p>
                        <button type="button" className="primary" onClick={() => show({ of: "new" })}>
                            {say.findSomebody}</button>
                    </div>}
            </nav>
            {leaving && <Leaving chat={chat} isGuest={leaving === "guest"} close={() => setLeaving("")} />}
        </div>
    );
}

function Leaving({ chat, isGuest, close }: { chat: Chat; isGuest: boolean; close: () => void }) {
    const task = useTask();
    return (
        <Dialog title={isGuest ? say.youAreAGuest : say.notAllSent} close={close}>
            <p>{isGuest ? say.goneBySigningOut : say.lostBySigningOut(chat.unsent)}</p>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <div className="actions">
                <button type="button" onClick={close}>{say.staySignedIn}</button>
                <button type="button" className="danger" disabled={task.isBusy}
                    onClick={() => task.run(() => chat.signOut(true))}>{say.signOut}</button>
            </div>
        </Dialog>
    );
}

interface RowProps {
    conversation: Conversation;
    isSelected: boolean;
    now: number;
    status?: Presence["status"];
}

const Row = memo(function Row({ conversation, isSelected, now, status }: RowProps) {
    useObserved(conversation);
    const { id, title, lastMessage, unread, mentions, isPinned, isMuted, isMarkedUnread, typing } = conversation;
    const at = lastMessage?.sentAt;
    return (
        <a href={`#/${encodeURIComponent(id)}`} className={unread > 0 || isMarkedUnread ? "row unread" : "row"}
            aria-current={isSelected ? "page" : undefined}>
            <Avatar id={conversation.other?.id ?? id} name={title} isGroup={conversation.isGroup} status={status} />
            <span className="text">
                <span className="line">
                    <bdi className="title">{title}</bdi>
                    {isMuted && <span className="sign" role="img" aria-label={say.muted}><MutedIcon /></span>}
                    {isPinned && <span className="sign" role="img" aria-label={say.pinned}><PinIcon /></span>}
                    {at ? <time dateTime={new Date(at).toISOString()}>{briefly(at, now)}</time> : null}
                </span>
                <span className="line">
                    {typing.length > 0
                        ? <span className="preview typing">{say.isTyping}</span>
                        : <Preview conversation={conversation} />}
                    {mentions > 0
                        && <span className="badge mention" role="img" aria-label={say.youAreMentioned}>@</span>}
                    {unread > 0 && <span className={isMuted ? "badge quiet" : "badge"}
                        role="img" aria-label={say.unread(unread)}>{unread > 999 ? "999+" : unread}</span>}
                    {unread === 0 && isMarkedUnread
                        && <span className="badge dot" role="img" aria-label={say.markedAsUnread} />}
                </span>
            </span>
        </a>
    );
});

function Preview({ conversation }: { conversation: Conversation }) {
    const message = conversation.lastMessage;
    if (!message) {
        const isInvited = conversation.isGroup && conversation.request === "received";
        return <span className="preview">{isInvited ? say.youAreInvited
            : conversation.isGroup ? say.aNewGroup : say.noMessagesYet}</span>;
    }
    const text = message.isDeleted ? say.messageDeleted : message.text || message.file;
    const who = !conversation.isGroup || message.isNote ? "" : `${conversation.name(message.sender)}: `;
    const kind = message.isDeleted ? "preview deleted" : "preview";
    return <span className={kind}><bdi>{who}{text.slice(0, 200)}</bdi></span>;
}
