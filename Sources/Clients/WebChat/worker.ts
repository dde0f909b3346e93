/** Keeps the files of one version of the page, and shows pushes. Whatever else a page asks for goes to the server. */

import { takePushes } from "./worker-pushes";

/** What the build put here: paths of the page's files, and what changes with them. */
declare const FILES: readonly string[];
declare const VERSION: string;

const worker = self as unknown as ServiceWorkerGlobalScope;
const cacheName = `page-${VERSION}`;

worker.addEventListener("install", (event) => {
    // What has its content in its name may come from the browser's own cache.
    const requests = FILES.map((path) => new Request(path, { cache: path.startsWith("/app/") ? "default" : "reload" }));
    event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(requests)));
});

worker.addEventListener("activate", (event) => {
    event.waitUntil(
        caches.keys()
            .then((names) => Promise.all(names.filter((old) => old.startsWith("page-") && old !== cacheName)
                .map((old) => caches.delete(old))))
            .then(() => worker.clients.claim()));
});

worker.addEventListener("message", (event) => {
    if (event.data === "activate") void worker.skipWaiting();
});

worker.addEventListener("fetch", (event) => {
    const { method, url } = event.request;
    const address = new URL(url);
    if (method !== "GET" || address.origin !== worker.location.origin || !FILES.includes(address.pathname)) return;
    event.respondWith(caches.open(cacheName)
        .then((cache) => cache.match(address.pathname))
        .then((kept) => kept ?? fetch(event.request)));
});

takePushes(worker);
