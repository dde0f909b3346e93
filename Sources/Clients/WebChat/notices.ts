/** The browser's notices of new messages, while the page is open and nobody looks at it. */
import { useEffect } from "react";
import type { Chat, Conversation, Message } from "./model";
import { isSubscribed } from "./subscribed";

/** `refused`: the browser does not let the page show any; `impossible`: this browser has none for pages. */
export type NoticeState = "on" | "off" | "refused" | "impossible";

const stored = "notices";
/** A message is told of within this time after it was sent: what was missed for longer is in the list. */
const fresh = 120_000;

export function noticeState(): NoticeState {
    if (typeof Notification === "undefined") return "impossible";
    if (Notification.permission === "denied") return "refused";
    return Notification.permission === "granted" && isWanted() ? "on" : "off";
}

function isWanted(): boolean {
    try {
        return localStorage.getItem(stored) === "on";
    } catch {
        return false;
    }
}

/** Turns them on, for which the browser asks the person the first time, or off. */
export async function setNotices(isOn: boolean): Promise<void> {
    try {
        localStorage.setItem(stored, isOn ? "on" : "off");
    } catch {
        // A private window, which forgets it.
    }
    if (isOn && Notification.permission === "default") await Notification.requestPermission();
}

export function useNotices(chat: Chat, go: (conversation: string) => void) {
    useEffect(() => chat.onMessage((conversation, message) => {
        // What is pushed, the service worker shows.
        if (!document.hidden || noticeState() !== "on" || isSubscribed(chat)) return;
        if (!isWorthIt(chat, conversation, message)) return;
        show(conversation, message, () => go(conversation.id));
    }), [chat]);
}

function isWorthIt(chat: Chat, conversation: Conversation, message: Message): boolean {
    const { section, isMuted } = conversation;
    if (section !== "inbox" || isMuted || chat.isDoNotDisturb) return false;
    const isOthers = message.sender !== "" && message.sender !== chat.me?.id;
    return isOthers && !message.isNote && !message.isDeleted && Date.now() - message.sentAt < fresh;
}

function show(conversation: Conversation, message: Message, open: () => void) {
    const text = message.text || message.file;
    const body = (conversation.isGroup ? `${conversation.name(message.sender)}: ${text}` : text).slice(0, 200);
    try {
        // One for each conversation: a later one takes its place.
        const notice = new Notification(conversation.title, { body, tag: conversation.id, icon: "/icon.svg" });
        notice.onclick = () => {
            window.focus();
            open();
            notice.close();
        };
    } catch {
        // Phones show a page's notices by Web Push alone.
    }
}
