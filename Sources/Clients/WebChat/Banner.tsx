import { useEffect, useState } from "react";
import { say } from "./english/shell";
import type { Chat } from "./model";
import { lasting } from "./plural";
import { onNewVersion } from "./update";

/** Says what the person cannot see otherwise: no connection, what waits to be sent, a newer page. */
export function Banner({ chat }: { chat: Chat }) {
    const [update, setUpdate] = useState<(() => void) | null>(null);
    useEffect(() => onNewVersion((reload) => setUpdate(() => reload)), []);
    const isLate = useLate(chat.connection === "connecting", 1500);
    const isHeldUp = useLate(chat.isHeldUp, 5000);
    const text = words(chat, isLate, isHeldUp);
    return (
        <>
            <div className={text ? "banner" : "banner none"} role="status">{text}</div>
            {update && <div className="banner update" role="status">
                {say.newVersion((words) => <button type="button" onClick={update}>{words}</button>)}
            </div>}
        </>
    );
}

function words(chat: Chat, isLate: boolean, isHeldUp: boolean): string {
    const { unsent, problem, connection, clockOff } = chat;
    const waiting = unsent === 0 ? "" : say.unsent(unsent);
    const line = (said: string) => `${said} ${waiting}`.trim();
    if (problem) return line(problem);
    if (connection === "offline") return line(say.youAreOffline);
    if (connection === "connecting" && isLate) return line(say.connecting);
    if (isHeldUp) return line(say.takesNoMessages);
    if (connection === "connected" && clockOff !== 0) {
        const length = lasting(Math.abs(clockOff));
        return clockOff > 0 ? say.clockAhead(length) : say.clockBehind(length);
    }
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
