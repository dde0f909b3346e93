/** Shows what the server pushes while no page is looked at, takes it back, and leads to the conversation. */
import { after, read, said } from "./pushed";
import type { Push, Told, WorkerNews } from "./pushed";

/** What a browser may do that the library of types does not know. */
type Badge = { setAppBadge?: (count: number) => Promise<void> };
type Changed = ExtendableEvent & { oldSubscription?: PushSubscription; newSubscription?: PushSubscription };

export function takePushes(worker: ServiceWorkerGlobalScope) {
    // One after the other: two at once would not see what the other shows.
    let last: Promise<unknown> = Promise.resolve();
    worker.addEventListener("push", (event) => {
        const payload = textOf(event.data);
        last = last.then(() => show(worker, read(payload))).catch(() => undefined);
        event.waitUntil(last);
    });
    worker.addEventListener("notificationclick", (event) => {
        const { conversation = "" } = (event.notification.data ?? {}) as Partial<Told>;
        event.notification.close();
        event.waitUntil(open(worker, conversation).catch(() => undefined));
    });
    worker.addEventListener("pushsubscriptionchange", (event) => {
        (event as Changed).waitUntil(renew(worker, event as Changed).catch(() => undefined));
    });
}

function textOf(data: PushMessageData | null): string {
    try {
        return data?.text() ?? "";
    } catch {
        return "";
    }
}

async function show(worker: ServiceWorkerGlobalScope, push: Push) {
    const { registration } = worker;
    const [shown] = await registration.getNotifications({ tag: push.tag });
    const before = (shown?.data ?? null) as Told | null;
    const now = after(push, before);
    const isOf = (told: Told | null) => told?.lines.some(({ key }) => key === push.line?.key) ?? false;
    if (now.lines.length === 0) shown?.close();
    else if (push.line || now.lines.length < (before?.lines.length ?? 0)) {
        // What only loses a line, or an edit, makes no sound.
        const isQuiet = push.isQuiet || !push.line || isOf(before);
        const { title, body } = said(now);
        const options = { body, tag: push.tag, icon: "/icon.svg", data: now, silent: isQuiet, renotify: !isQuiet };
        await registration.showNotification(title, options);
    }
    const { navigator } = worker as unknown as { navigator: Badge };
    if (push.badge >= 0) await navigator.setAppBadge?.(push.badge);
}

function tell(page: Client, news: WorkerNews) {
    page.postMessage(news);
}

/** Leads to a conversation, in a page that is open if there is one. */
async function open(worker: ServiceWorkerGlobalScope, conversation: string) {
    const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = pages.find(({ focused }) => focused) ?? pages.find((each) => each.visibilityState === "visible")
        ?? pages.find(({ url }) => new URL(url).pathname === "/");
    if (!page) return worker.clients.openWindow(conversation ? `/#/${encodeURIComponent(conversation)}` : "/");
    tell(page, { type: "open", conversation });
    return page.focus();
}

/** Subscribes anew. The server learns of it by a page: at once, or when one is opened again. */
async function renew(worker: ServiceWorkerGlobalScope, { oldSubscription, newSubscription }: Changed) {
    const { applicationServerKey } = oldSubscription?.options ?? {};
    if (!newSubscription && applicationServerKey) {
        await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    }
    for (const page of await worker.clients.matchAll({ type: "window", includeUncontrolled: true })) {
        tell(page, { type: "subscription" });
    }
}
