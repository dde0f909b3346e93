import { useEffect } from "react";
import type { Chat } from "./model";

/** How many messages nobody has looked at, in the title and on the icon of the tab. */
export function useBadge(chat: Chat) {
    const count = chat.inbox.reduce((sum, { unread, isMuted }) => sum + (isMuted ? 0 : unread), 0)
        + chat.requests.length;
    useEffect(() => set(count), [count]);
    useEffect(() => () => set(0), []);
}

let current = 0;

function set(count: number) {
    current = count;
    // Of an installed page; a browser may refuse it.
    const { setAppBadge } = navigator as Navigator & { setAppBadge?: (count: number) => Promise<void> };
    setAppBadge?.call(navigator, count).catch(() => undefined);
    document.title = count > 0 ? `(${count > 99 ? "99+" : count}) Parley` : "Parley";
    void drawn(count).then((icon) => {
        const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
        if (current === count && link && icon) link.href = icon;
    });
}

async function drawn(count: number): Promise<string> {
    if (count === 0) return "/icon.svg";
    const image = new Image(64, 64);
    image.src = "/icon.svg";
    try {
        await image.decode();
        const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
        const pen = canvas.getContext("2d");
        if (!pen) return "";
        pen.drawImage(image, 0, 0, 64, 64);
        pen.fillStyle = "#d92d20";
        pen.beginPath();
        pen.arc(46, 18, 18, 0, 2 * Math.PI);
        pen.fill();
        pen.fillStyle = "#fff";
        pen.font = "bold 26px system-ui, sans-serif";
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        pen.fillText(count > 9 ? "9+" : String(count), 46, 20);
        return canvas.toDataURL("image/png");
    } catch {
        return "";
    }
}
