import { useEffect, useState } from "react";
import type { Chat } from "./model";
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
                A new version of this page is ready. <button type="button" onClick={update}>Reload</button>
            </div>}
        </>
    );
}

function words(chat: Chat, isLate: boolean, isHeldUp: boolean): string {
    const { unsent, problem, connection, clockOff } = chat;
    const many = unsent === 1 ? "1 message is" : `${unsent} messages are`;
    const waiting = unsent === 0 ? "" : ` ${many} not sent yet.`;
    if (problem) return problem + waiting;
    if (connection === "offline") return `You are offline.${waiting}`;
    if (connection === "connecting" && isLate) return `Connecting …${waiting}`;
    if (isHeldUp) return `The server takes no messages at the moment.${waiting}`;
    if (connection === "connected" && clockOff !== 0) {
        return `The clock of this device is ${length(Math.abs(clockOff))} ${clockOff > 0 ? "ahead" : "behind"}. `
            + "Days and times may look wrong until you set it.";
    }
    return "";
}

function length(milliseconds: number): string {
    const [count, unit] = [86_400_000, 3_600_000, 60_000].map((each, at) =>
        [Math.round(milliseconds / each), ["day", "hour", "minute"][at]] as const).find(([many]) => many > 0)!;
    return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
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
