import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Observed } from "./model";
import { refusal } from "./model";

/** Draws the component anew whenever an object changes. */
export function useObserved(object: Observed) {
    useSyncExternalStore(object.subscribe, () => object.version);
}

export interface Route {
    readonly conversation: string;
    /** Of the message to go to; 0: none. */
    readonly seq: number;
}

/** What follows `#` in the address: which conversation is open, and where. */
export function useRoute(): [Route, (conversation: string, seq?: number) => void] {
    const [route, setRoute] = useState(read);
    useEffect(() => {
        const changed = () => setRoute(read());
        addEventListener("hashchange", changed);
        return () => removeEventListener("hashchange", changed);
    }, []);
    return [route, (conversation, seq = 0) => {
        const address = `#/${conversation ? encodeURIComponent(conversation) : ""}${seq > 0 ? `/${seq}` : ""}`;
        location.hash = address;
        // At once: a link that is clicked before the browser says so leads from there. Who goes to the same message
        // twice is led there twice.
        setRoute(read());
    }];
}

function read(): Route {
    const [conversation = "", seq = ""] = location.hash.replace(/^#\/?/, "").split("/");
    return { conversation: decode(conversation), seq: Math.max(0, Math.trunc(Number(seq)) || 0) };
}

function decode(text: string): string {
    try {
        return decodeURIComponent(text);
    } catch {
        return "";
    }
}

/** Runs what a person asked for: whether it is under way, and what came of it if it was refused. */
export function useTask(): { isBusy: boolean; problem: string; field: string; run: (task: () => Promise<void>) => void;
    clear: () => void } {
    const [state, setState] = useState({ isBusy: false, problem: "", field: "" });
    const isMounted = useRef(true);
    useEffect(() => {
        isMounted.current = true;
        return () => { isMounted.current = false; };
    }, []);
    const run = (task: () => Promise<void>) => {
        setState({ isBusy: true, problem: "", field: "" });
        task().then(
            () => isMounted.current && setState({ isBusy: false, problem: "", field: "" }),
            (error) => {
                const { message, field } = refusal(error);
                if (isMounted.current) setState({ isBusy: false, problem: message, field: field ?? "" });
            });
    };
    return { ...state, run, clear: () => setState({ isBusy: false, problem: "", field: "" }) };
}

/** The time now, in milliseconds, as of the last full minute. */
export function useMinute(): number {
    const [now, setNow] = useState(Date.now);
    useEffect(() => {
        const timer = setInterval(() => setNow(Date.now()), 60_000);
        return () => clearInterval(timer);
    }, []);
    return now;
}

/** Whether the person looks at the page. */
export function useIsVisible(): boolean {
    const [isVisible, setVisible] = useState(() => !document.hidden);
    useEffect(() => {
        const changed = () => setVisible(!document.hidden && document.hasFocus());
        document.addEventListener("visibilitychange", changed);
        addEventListener("focus", changed);
        addEventListener("blur", changed);
        changed();
        return () => {
            document.removeEventListener("visibilitychange", changed);
            removeEventListener("focus", changed);
            removeEventListener("blur", changed);
        };
    }, []);
    return isVisible;
}

const known = new Map<() => Promise<unknown>, unknown>();

/**
 * Loads a part of the page when it is used for the first time. Without a network it comes from what the service worker
 * keeps. What could not be loaded, a browser remembers until the page is loaded anew.
 */
export function useLoaded<Part>(load: () => Promise<Part>): { loaded: Part | null; isFailed: boolean } {
    const [loaded, setLoaded] = useState((known.get(load) ?? null) as Part | null);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
        let isCurrent = true;
        if (!known.has(load)) {
            load().then(
                (found) => {
                    known.set(load, found);
                    if (isCurrent) setLoaded(found);
                },
                () => { if (isCurrent) setFailed(true); });
        }
        return () => { isCurrent = false; };
    }, [load]);
    return { loaded, isFailed };
}
