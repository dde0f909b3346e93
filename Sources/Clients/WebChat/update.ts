/** The service worker: it makes the page open without a network, and brings newer versions of it. */

let offered: (() => void) | null = null;
let listener: ((reload: () => void) => void) | null = null;

/** Calls back when a newer version of the page is ready, with what changes to it. Drafts stay. */
export function onNewVersion(call: (reload: () => void) => void): () => void {
    listener = call;
    if (offered) call(offered);
    return () => { listener = null; };
}

function offer(worker: ServiceWorker) {
    offered = () => worker.postMessage("activate");
    listener?.(offered);
}

/** Does nothing where there are no service workers: in private windows of some browsers, or without TLS. */
export function register() {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    if (!workers) return;
    const isFirst = !workers.controller;
    workers.addEventListener("controllerchange", () => { if (!isFirst) location.reload(); });
    workers.register("/worker.js", { updateViaCache: "none" }).then(
        (registration) => {
            if (registration.waiting && workers.controller) offer(registration.waiting);
            registration.addEventListener("updatefound", () => {
                const worker = registration.installing;
                worker?.addEventListener("statechange", () => {
                    if (worker.state === "installed" && workers.controller) offer(worker);
                });
            });
            // Whoever leaves the page open for days gets newer versions, too.
            setInterval(() => void registration.update().catch(() => undefined), 3_600_000);
        },
        () => undefined);
}
