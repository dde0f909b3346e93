import { useCallback, useEffect, useState } from "react";
import { Avatar } from "./Avatar";
import { say } from "./english/shell";
import { handleOf } from "./handle";
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
        if (!message) return setProblem(say.messageNotHere);
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
            <main className={thread ? "talk beside" : "talk"} aria-label={say.conversationWith(title)}
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
            name: isGroup ? say.aboutTheGroup : say.aboutTheConversation,
            choose: () => show({ of: "about", conversation }),
        },
        ...(conversation.canWrite && conversation.request !== "received"
            ? [{ name: say.newEventAsk, choose: () => show({ of: "event", conversation }) }] : []),
        { name: say.goToDateAsk, choose: () => show({ of: "date", conversation }) },
        { name: isPinned ? say.unpin : say.pin, choose: () => attempt(() => conversation.pin(!isPinned)) },
        {
            name: isMuted ? say.unmute : say.mute, choose: () => attempt(() => conversation.mute(isMuted ? null : 0)),
        },
        {
            name: isArchived ? say.bringBackFromTheArchive : say.archive, choose: () => {
                attempt(() => conversation.archive(!isArchived));
                if (!isArchived) back();
            },
        },
        {
            name: say.markAsUnread, choose: () => {
                attempt(() => conversation.markUnread());
                back();
            },
        },
    ];
    if (other) {
        choices.push({
            name: say.reportAsk, isDangerous: true, choose: () => show({ of: "report", person: other, conversation }),
        });
        const name = say.blockPerson(other.name || other.username);
        choices.push({ name, isDangerous: true, choose: () => attempt(() => conversation.block()) });
    }
    return (
        <header className="top">
            <button type="button" className="icon back" aria-label={say.backToTheList} onClick={back}>
                <BackIcon />
            </button>
            <Avatar id={other?.id ?? id} name={title} isGroup={isGroup} status={presence?.status} />
            <div className="who">
                <h2><bdi>{title}</bdi></h2>
                <small role="status"><bdi>{about(conversation, now)}</bdi></small>
            </div>
            <button type="button" className="icon" aria-label={say.searchInThisConversation}
                onClick={() => show({ of: "search", conversation })}><SearchIcon /></button>
            <Menu name={say.conversation} icon={<MoreIcon />} choices={choices} />
        </header>
    );
}

function about(
    { typing, request, isGroup, memberCount, other, hasLeft, presence }: Conversation, now: number,
): string {
    if (typing.length === 1) return say.personIsTyping(typing[0]!);
    if (typing.length > 1) return say.peopleAreTyping(typing.length);
    if (request === "sent") return say.notAnsweredYet;
    if (isGroup && hasLeft) return say.noMember;
    if (isGroup && request === "received") return say.youAreInvited;
    if (isGroup) return say.members(memberCount);
    if (!other) return "";
    return presence && presenceLine(presence, now) || handleOf(other);
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
        <section className="answer" aria-label={say.request}>
            <p>{isGroup
                ? say.invitesYou(<b><bdi>{inviter || say.somebody}</bdi></b>, name)
                : say.wouldLikeToWrite(name)}</p>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <div className="actions">
                {other && <button type="button" className="danger" disabled={task.isBusy}
                    onClick={() => show({ of: "report", person: other, conversation })}>{say.reportAsk}</button>}
                {other && <button type="button" className="danger" disabled={task.isBusy}
                    onClick={() => task.run(() => conversation.block())}>{say.block}</button>}
                <button type="button" disabled={task.isBusy}
                    onClick={() => task.run(() => conversation.decline())}>{say.decline}</button>
                <button type="button" className="primary" disabled={task.isBusy}
                    onClick={() => task.run(() => conversation.accept())}>{say.accept}</button>
            </div>
        </section>
    );
}
