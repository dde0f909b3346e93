import { useCallback, useEffect, useState } from "react";
import { Avatar } from "./Avatar";
import { useIsVisible, useMinute, useObserved, useTask } from "./hooks";
import { BackIcon, MoreIcon, SearchIcon } from "./icons";
import { Later } from "./Later";
import { Menu } from "./Menu";
import type { Choice } from "./Menu";
import { Messages } from "./Messages";
import type { Try } from "./Messages";
import type { Chat, Conversation } from "./model";
import { refusal } from "./model";
import { presenceLine } from "./presence";
import type { Show } from "./shown";

/** One conversation: its messages, and where to write. Beside it a thread. */
export function Talk({ chat, conversation, seq, back, show }: {
    chat: Chat; conversation: Conversation;
    /** Of the message to go to; 0: none. */
    seq: number; back: () => void; show: Show;
}) {
    useObserved(conversation);
    const { id, title, messages, isLoaded, section } = conversation;
    const [isAtEnd, setAtEnd] = useState(true);
    const [problem, setProblem] = useState("");
    const [wanted, setWanted] = useState(seq);
    const [found, setFound] = useState("");
    const [thread, setThread] = useState(0);
    const isVisible = useIsVisible();
    const attempt = useCallback<Try>((task) => {
        task().then(() => setProblem(""), (error) => setProblem(refusal(error).message));
    }, []);
    useEffect(() => attempt(() => conversation.load()), [id]);
    useEffect(() => setWanted(seq), [seq]);
    const newest = messages[messages.length - 1]?.seq ?? 0;
    const isRead = isLoaded && isVisible && isAtEnd && section === "inbox";
    useEffect(() => {
        if (isRead) void conversation.markRead().catch(() => undefined);
    }, [id, isRead, newest]);
    useEffect(() => {
        if (section === "requests" && isVisible && isLoaded) {
            import("./parts").then((parts) => parts.markRequestRead(chat, conversation)).catch(() => undefined);
        }
    }, [section, isVisible, isLoaded]);

    const goTo = useCallback(async (to: number) => {
        if (!conversation.at(to)) await conversation.loadAround(to);
        const message = conversation.at(to);
        if (!message) return setProblem("This message is no longer here.");
        setProblem("");
        setFound("");
        requestAnimationFrame(() => setFound(message.id));
    }, [conversation]);
    const jump = useCallback((to: number) => attempt(() => goTo(to)), [goTo]);
    useEffect(() => {
        if (wanted === 0 || !isLoaded) return;
        setWanted(0);
        jump(wanted);
    }, [wanted, isLoaded]);

    const canAttach = isLoaded && conversation.canWrite && conversation.request !== "received";
    const [isOver, drop] = useDrop(useCallback((files) => show({ of: "attach", conversation, files }), [conversation]));

    return (
        <>
            <main className={thread ? "talk beside" : "talk"} aria-label={`Conversation with ${title}`}
                data-drop={isOver || undefined} {...(canAttach ? drop : {})}>
                <Head conversation={conversation} back={back} attempt={attempt} show={show} />
                {problem && <p className="refused" role="alert">{problem}</p>}
                {isLoaded
                    ? <Messages chat={chat} conversation={conversation} found={found} setAtEnd={setAtEnd}
                        attempt={attempt} show={show} jump={jump} thread={setThread} />
                    : <div className="list" aria-busy="true" />}
                {isLoaded && conversation.request === "received"
                    && <Answer chat={chat} conversation={conversation} show={show} />}
            </main>
            {thread > 0 && <Later close={() => setThread(0)}>{(parts) =>
                <parts.Thread key={thread} chat={chat} conversation={conversation} start={thread} attempt={attempt}
                    show={show} jump={jump} close={() => setThread(0)} />}</Later>}
        </>
    );
}

/** Takes files that are dragged over an element and dropped: whether some are over it, and what the element gets. */
function useDrop(take: (files: readonly File[]) => void): [boolean, React.DOMAttributes<HTMLElement>] {
    const [isOver, setOver] = useState(false);
    const hasFiles = ({ dataTransfer }: React.DragEvent) => dataTransfer.types.includes("Files");
    return [isOver, {
        onDragOver: (event) => {
            if (!hasFiles(event)) return;
            event.preventDefault();
            setOver(true);
        },
        onDragLeave: (event) => {
            if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
        },
        onDrop: (event) => {
            setOver(false);
            if (!hasFiles(event)) return;
            event.preventDefault();
            const files = [...event.dataTransfer.files];
            if (files.length > 0) take(files);
        },
    }];
}

function Head({ conversation, back, attempt, show }: {
    conversation: Conversation; back: () => void; attempt: Try; show: Show;
}) {
    const { id, title, isPinned, isMuted, isArchived, isGroup, other, presence } = conversation;
    const now = useMinute();
    const choices: Choice[] = [
        {
            name: isGroup ? "About the group" : "About the conversation",
            choose: () => show({ of: "about", conversation }),
        },
        ...(conversation.canWrite && conversation.request !== "received"
            ? [{ name: "New event …", choose: () => show({ of: "event", conversation }) }] : []),
        { name: "Go to a date …", choose: () => show({ of: "date", conversation }) },
        { name: isPinned ? "Unpin" : "Pin", choose: () => attempt(() => conversation.pin(!isPinned)) },
        {
            name: isMuted ? "Unmute" : "Mute", choose: () => attempt(() => conversation.mute(isMuted ? null : 0)),
        },
        {
            name: isArchived ? "Bring back from the archive" : "Archive", choose: () => {
                attempt(() => conversation.archive(!isArchived));
                if (!isArchived) back();
            },
        },
        {
            name: "Mark as unread", choose: () => {
                attempt(() => conversation.markUnread());
                back();
            },
        },
    ];
    if (other) {
        choices.push({
            name: "Report …", isDangerous: true, choose: () => show({ of: "report", person: other, conversation }),
        });
        const name = `Block ${other.name || other.username}`;
        choices.push({ name, isDangerous: true, choose: () => attempt(() => conversation.block()) });
    }
    return (
        <header className="top">
            <button type="button" className="icon back" aria-label="Back to the list" onClick={back}>
                <BackIcon />
            </button>
            <Avatar id={other?.id ?? id} name={title} isGroup={isGroup} status={presence?.status} />
            <div className="who">
                <h2><bdi>{title}</bdi></h2>
                <small role="status"><bdi>{about(conversation, now)}</bdi></small>
            </div>
            <button type="button" className="icon" aria-label="Search in this conversation"
                onClick={() => show({ of: "search", conversation })}><SearchIcon /></button>
            <Menu name="Conversation" icon={<MoreIcon />} choices={choices} />
        </header>
    );
}

function about(
    { typing, request, isGroup, memberCount, other, hasLeft, presence }: Conversation, now: number,
): string {
    if (typing.length === 1) return `${typing[0]} is typing …`;
    if (typing.length > 1) return `${typing.length} people are typing …`;
    if (request === "sent") return "Has not answered your request yet";
    if (isGroup && hasLeft) return "You are no longer a member";
    if (isGroup && request === "received") return "You are invited";
    if (isGroup) return memberCount === 1 ? "1 member" : `${memberCount} members`;
    if (!other) return "";
    return presence && presenceLine(presence, now) || `@${other.username}`;
}

/** The answer to somebody who was never written to before, or who invites into a group. */
function Answer({ chat, conversation, show }: { chat: Chat; conversation: Conversation; show: Show }) {
    const { other, isGroup, requester, title } = conversation;
    const [inviter, setInviter] = useState("");
    const task = useTask();
    useEffect(() => {
        if (!isGroup || !requester) return;
        chat.person(requester).then(
            (person) => setInviter(person?.name || person?.username || ""), () => undefined);
    }, [requester]);
    const name = <b><bdi>{other?.name || title}</bdi></b>;
    return (
        <section className="answer" aria-label="Request">
            <p>{isGroup
                ? <><b><bdi>{inviter || "Somebody"}</bdi></b> invites you into the group {name}. You see its messages
                    once you accept.</>
                : <>{name} would like to write with you. They do not see that you have read this.</>}</p>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <div className="actions">
                {other && <button type="button" className="danger" disabled={task.isBusy}
                    onClick={() => show({ of: "report", person: other, conversation })}>Report …</button>}
                {other && <button type="button" className="danger" disabled={task.isBusy}
                    onClick={() => task.run(() => conversation.block())}>Block</button>}
                <button type="button" disabled={task.isBusy}
                    onClick={() => task.run(() => conversation.decline())}>Decline</button>
                <button type="button" className="primary" disabled={task.isBusy}
                    onClick={() => task.run(() => conversation.accept())}>Accept</button>
            </div>
        </section>
    );
}
