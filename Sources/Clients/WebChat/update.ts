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
    let isControlled = !!workers.controller;
    workers.addEventListener("controllerchange", () => {
        if (isControlled) location.reload();
        isControlled = true;
    });
    workers.register("/worker.js", { updateViaCache: "none" }).then(
        (registration) => {
            // A busy page of WebKit hears that its first worker was installed when that one has taken it over.
            const isNewer = (worker: ServiceWorker) => workers.controller && workers.controller !== worker;
            const { waiting } = registration;
            if (waiting && isNewer(waiting)) offer(waiting);
            registration.addEventListener("updatefound", () => {
                const worker = registration.installing;
                worker?.addEventListener("statechange", () => {
                    if (worker.state === "installed" && isNewer(worker)) offer(worker);
                });
            });
            // Whoever leaves the page open for days gets newer versions, too.
            setInterval(() => void registration.update().catch(() => undefined), 3_600_000);
        },
        () => undefined);
}
