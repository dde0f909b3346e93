import { useEffect, useState } from "react";
import type { Chat } from "./model";
import { onNewVersion } from "./update";

/** Says what the person cannot see otherwise: no connection, what waits to be sent, a newer page. */
export function Banner({ chat }: { chat: Chat }) {
    const [update, setUpdate] = useState<(() => void) | null>(null);
    useEffect(() => onNewVersion((reload) => setUpdate(() => reload)), []);
    const isLate = useLate(chat.connection === "connecting", 1500);
    const text = words(chat, isLate);
    return (
        <>
            <div className={text ? "banner" : "banner none"} role="status">{text}</div>
            {update && <div className="banner update" role="status">
                A new version of this page is ready. <button type="button" onClick={update}>Reload</button>
            </div>}
        </>
    );
}

function words(chat: Chat, isLate: boolean): string {
    const { unsent, problem, connection } = chat;
    const many = unsent === 1 ? "1 message is" : `${unsent} messages are`;
    const waiting = unsent === 0 ? "" : ` ${many} not sent yet.`;
    if (problem) return problem + waiting;
    if (connection === "offline") return `You are offline.${waiting}`;
    if (connection === "connecting" && isLate) return `Connecting …${waiting}`;
    return "";
}

/** Whether something holds for so long that it is worth a word. */
function useLate(holds: boolean, after: number): boolean {
    const [isLate, setLate] = useState(false);
    useEffect(() => {
        if (!holds) return setLate(false);
        const timer = setTimeout(() => setLate(true), after);
        return () => clearTimeout(timer);
    }, [holds, after]);
    return isLate;
}
