import { useEffect, useState } from "react";
import { useBadge } from "./badge";
import { Banner } from "./Banner";
import { say } from "./english/shell";
import { Fired } from "./Fired";
import { useIsVisible, useRoute } from "./hooks";
import { Inbox } from "./Inbox";
import { notes } from "./kit";
import { Later } from "./Later";
import { Mark } from "./Mark";
import type { Chat } from "./model";
import { words } from "./notes";
import { useNotices } from "./notices";
import { hasReturned } from "./parts/returned";
import { usePresence } from "./presence";
import type { Shown } from "./shown";
import { useSubscription, useTakenBack } from "./subscribed";
import { Talk } from "./Talk";

notes.words = words;

/** The chat of somebody who is signed in. It is loaded after the page on which they sign in. */
export function Shell({ chat }: { chat: Chat }) {
    const [route, go] = useRoute();
    const [shown, show] = useState<Shown | null>(null);
    const open = route.conversation ? chat.conversation(route.conversation) : null;
    useBadge(chat);
    usePresence(chat, open);
    useNotices(chat, go);
    useSubscription(chat, go);
    useTakenBack(open, useIsVisible());
    useEffect(() => {
        // A conversation that ended leaves the list, and the list alone is what there is to see.
        if (open?.section === "gone") go("");
    }, [open?.section]);
    useEffect(() => { if (chat.isNew) show({ of: "setUp" }); }, [chat.isNew]);
    // An issuer's page was asked for there.
    useEffect(() => { if (hasReturned()) show({ of: "settings" }); }, []);
    useEffect(() => {
        const pressed = (event: KeyboardEvent) => {
            if (document.querySelector("dialog[open]")) return;
            const isControl = event.ctrlKey || event.metaKey;
            const key = event.key.toLowerCase();
            const isWriting = (event.target as Element).matches("input, textarea, select");
            if (isControl && key === "k") show({ of: "search", conversation: null });
            else if (isControl && event.shiftKey && key === "o") show({ of: "new" });
            else if (key === "?" && !isWriting) show({ of: "keys" });
            else if (event.altKey && (key === "arrowdown" || key === "arrowup")) {
                const list = [...chat.requests, ...chat.inbox];
                const at = list.findIndex(({ id }) => id === route.conversation);
                const next = list[key === "arrowdown" ? at + 1 : Math.max(0, at - 1)];
                if (next) go(next.id);
            } else return;
            event.preventDefault();
        };
        addEventListener("keydown", pressed);
        return () => removeEventListener("keydown", pressed);
    }, [chat, route.conversation]);

    return (
        <div className={open ? "shell open" : "shell"}>
            <Banner chat={chat} />
            <Fired chat={chat} go={go} />
            <div className="panes">
                <Inbox chat={chat} selected={open?.id ?? ""} show={show} />
                {open
                    ? <Talk key={open.id} chat={chat} conversation={open} seq={route.seq} back={() => go("")}
                        show={show} />
                    : <main className="nothing" aria-label={say.noConversationIsOpen}>
                        <Mark />
                        <p>{chat.inbox.length > 0 ? say.chooseAConversation : say.findSomebodyToWriteTo}</p>
                    </main>}
            </div>
            {shown && <Later close={() => show(null)}>{(parts) =>
                <parts.Part key={shown.of} chat={chat} shown={shown} show={show} go={go} />}</Later>}
        </div>
    );
}
