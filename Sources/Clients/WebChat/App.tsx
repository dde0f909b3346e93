import { useEffect } from "react";
import { useBadge } from "./badge";
import { Banner } from "./Banner";
import { Inbox } from "./Inbox";
import type { Chat } from "./model";
import { useObserved, useRoute } from "./hooks";
import { SignIn } from "./SignIn";
import { Talk } from "./Talk";

export function App({ chat }: { chat: Chat }) {
    useObserved(chat);
    const [route, go] = useRoute();
    const open = chat.me && route ? chat.conversation(route) : null;
    useBadge(chat);
    useEffect(() => {
        // A conversation that ended leaves the list, and the list alone is what there is to see.
        if (chat.me && open?.section === "gone") go("");
    }, [chat.me, open?.section]);

    if (!chat.isOpen) return <main className="wait" aria-busy="true"><Mark /></main>;
    if (!chat.me) return <SignIn chat={chat} />;
    return (
        <div className={open ? "shell open" : "shell"}>
            <Banner chat={chat} />
            <div className="panes">
                <Inbox chat={chat} selected={open?.id ?? ""} go={go} />
                {open
                    ? <Talk key={open.id} chat={chat} conversation={open} back={() => go("")} />
                    : <main className="nothing" aria-label="No conversation is open">
                        <Mark />
                        <p>{chat.inbox.length > 0 ? "Choose a conversation." : "Find somebody to write to."}</p>
                    </main>}
            </div>
        </div>
    );
}

function Mark() {
    return <img className="mark" src="/icon.svg" alt="" width="56" height="56" />;
}
