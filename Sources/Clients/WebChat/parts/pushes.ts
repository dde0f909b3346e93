/** Turns pushes to this browser on and off. */
// From its own file: the first visit does not load it.
import { Pushes } from "../../Web/api/pushes";
import { say } from "../english/parts";
import { parleyOf } from "../kit";
import type { Chat } from "../model";
import { isSubscribed, noteSubscribed, unsubscribe } from "../subscribed";

/**
 * `noServer`: the server pushes to no browser; `noBrowser`: this browser takes no pushes for pages; `refused`: it does
 * not let this page show anything.
 */
export type PushState = "on" | "off" | "refused" | "noBrowser" | "noServer";

export const pushesOf = (chat: Chat) => new Pushes(parleyOf(chat));

async function manager(): Promise<PushManager | null> {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const registration = await workers?.getRegistration();
    if (!registration || typeof Notification === "undefined") return null;
    return (registration.pushManager as PushManager | undefined) ?? null;
}

export async function pushState(chat: Chat): Promise<PushState> {
    const found = await manager();
    if (!found) return "noBrowser";
    if (!await pushesOf(chat).serverKey()) return "noServer";
    if (Notification.permission === "denied") return "refused";
    return isSubscribed(chat) && Notification.permission === "granted" && await found.getSubscription() ? "on" : "off";
}

/** Turns pushes on, for which the browser asks the person the first time. */
export async function turnPushesOn(chat: Chat): Promise<void> {
    if (await Notification.requestPermission() !== "granted") {
        throw new Error(say.noNoticesAllowed);
    }
    await subscribe(chat);
}

export async function turnPushesOff(chat: Chat): Promise<void> {
    await pushesOf(chat).unregisterForPush();
    await unsubscribe();
}

/** Tells the server what the subscription is now. */
export async function renewPushes(chat: Chat): Promise<void> {
    if (isSubscribed(chat) && Notification.permission === "granted") await subscribe(chat);
}

async function subscribe(chat: Chat) {
    const [found, applicationServerKey] = await Promise.all([manager(), pushesOf(chat).serverKey()]);
    if (!found || !applicationServerKey) return;
    // One that was made for another key of the server gets nothing any more.
    const known = await found.getSubscription();
    const isOfKey = !known || isSame(known.options.applicationServerKey, applicationServerKey);
    if (!isOfKey) await known.unsubscribe();
    const options = { userVisibleOnly: true, applicationServerKey };
    let subscription: PushSubscription;
    try {
        subscription = await found.subscribe(options);
    } catch {
        throw new Error(say.noPushService);
    }
    await pushesOf(chat).registerForPush(subscription);
    noteSubscribed(chat.me?.id ?? "");
}

function isSame(one: ArrayBuffer | null, other: Uint8Array): boolean {
    const bytes = new Uint8Array(one ?? new ArrayBuffer(0));
    return bytes.length === other.length && bytes.every((byte, at) => byte === other[at]);
}
