/** Whether this browser is to be pushed to, and what the page does about it without being asked. */
import { useEffect } from "react";
import type { Chat, Conversation } from "./model";
import type { WorkerNews } from "./pushed";

const stored = "pushes";

/** Whether the person turned pushes on in this browser. */
export function isSubscribed(chat: Chat): boolean {
    try {
        return chat.me !== null && localStorage.getItem(stored) === chat.me.id;
    } catch {
        return false;
    }
}

export function noteSubscribed(person: string) {
    try {
        if (person) localStorage.setItem(stored, person);
        else localStorage.removeItem(stored);
    } catch {
        // A private window, which forgets it.
    }
}

const workers = () => navigator.serviceWorker as ServiceWorkerContainer | undefined;

/** Tells the server of a changed subscription, and follows clicks on what was pushed. */
export function useSubscription(chat: Chat, go: (conversation: string) => void) {
    const isConnected = chat.connection === "connected";
    useEffect(() => {
        const renew = () => {
            if (!isSubscribed(chat)) return;
            // A subscription that cannot be renewed now is renewed when the page connects again.
            void import("./parts").then(({ renewPushes }) => renewPushes(chat)).catch(() => undefined);
        };
        if (isConnected) renew();
        const heard = ({ data }: MessageEvent<WorkerNews>) => {
            if (data.type === "open") go(data.conversation);
            else renew();
        };
        workers()?.addEventListener("message", heard);
        return () => workers()?.removeEventListener("message", heard);
    }, [isConnected]);
}

/** Takes back what was shown of the conversation that the person reads. */
export function useTakenBack(open: Conversation | null, isVisible: boolean) {
    const isRead = open !== null && open.unread === 0 && isVisible;
    useEffect(() => { if (isRead) void takeBack(open.id).catch(() => undefined); }, [isRead, open?.id]);
}

/** Closes what pushes showed of a conversation, or of all. */
export async function takeBack(conversation = "") {
    const registration = await workers()?.getRegistration();
    const shown = await registration?.getNotifications(conversation ? { tag: conversation } : {});
    for (const notice of shown ?? []) notice.close();
}

/** Ends pushes to this browser, of somebody who signed out: the server has forgotten them already. */
export async function unsubscribe() {
    noteSubscribed("");
    const registration = await workers()?.getRegistration();
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
    await takeBack();
}
