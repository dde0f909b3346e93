import { useEffect } from "react";
import { say } from "./english/shell";
import { useIsVisible } from "./hooks";
import type { Chat, Conversation, Presence } from "./model";
import { briefly } from "./times";

export const statusNames: Record<Presence["status"], string> = {
    online: say.online, away: say.away, doNotDisturb: say.doNotDisturb, offline: say.offline,
};

/** What somebody is doing, in a line; empty: it is not known. */
export function presenceLine({ status, lastSeen, text }: Presence, now: number): string {
    const seen = lastSeen > 0 ? say.lastSeen(briefly(lastSeen, now)) : "";
    const line = status === "offline" ? seen : statusNames[status];
    return text && line ? `${line} · ${text}` : text || line;
}

/** How many people the server tells about. */
const watchedMax = 200;
/** How often the server hears at most that somebody still uses the page, in milliseconds. */
const usedEvery = 20_000;

/** Keeps up to date what people in the list and in the open group do, and says what the person does. */
export function usePresence(chat: Chat, open: Conversation | null) {
    const isVisible = useIsVisible();
    const shown = isVisible ? open?.id ?? "" : "";
    useEffect(() => chat.look(isVisible, shown), [chat, isVisible, shown]);
    useEffect(() => {
        let last = 0;
        const used = () => {
            const now = Date.now();
            if (document.hidden || now - last < usedEvery) return;
            last = now;
            chat.look(true, shown);
        };
        addEventListener("pointerdown", used);
        addEventListener("keydown", used);
        return () => {
            removeEventListener("pointerdown", used);
            removeEventListener("keydown", used);
        };
    }, [chat, shown]);
    const group = open?.isGroup ? open.members.map(({ person }) => person.id) : [];
    const people = [...group, open?.other?.id ?? ""];
    // Of a long list the first ones: all beyond would be looked at for nothing.
    for (let at = 0; at < chat.inbox.length && people.length < watchedMax; at++) {
        people.push(chat.inbox[at]!.other?.id ?? "");
    }
    const others = [...new Set(people)].filter((id) => id !== "" && id !== chat.me?.id);
    const watched = others.slice(0, watchedMax).sort().join(" ");
    useEffect(() => chat.watch(watched ? watched.split(" ") : []), [chat, watched]);
}
