/** Stops hearing of changes. */
export type Unsubscribe = () => void;

const changed = new Set<Observable>();
let depth = 0;

/**
 * Makes several changes at once: whoever subscribed hears of them when all are made, so that nobody sees a state
 * between two of them.
 */
export function together<T>(body: () => T): T {
    depth += 1;
    try {
        return body();
    } finally {
        depth -= 1;
        if (depth === 0) tell();
    }
}

function tell(): void {
    while (changed.size > 0) {
        const all = [...changed];
        changed.clear();
        for (const observable of all) observable.tell();
    }
}

/** Calls a listener of the app, whose error is its own: nothing here fails by it. */
export function guarded(listener: () => void): void {
    try {
        listener();
    } catch (error) {
        // The page hears of it as of any error that nobody catches.
        if (typeof reportError === "function") reportError(error);
        else console.error(error);
    }
}

/** Something that an app shows, and that says when it changes. */
export abstract class Observable {
    private readonly listeners = new Set<() => void>();
    private changes = 0;

    /**
     * Calls a function after each change of this object, until the result is called. Changes of other objects do not
     * call it.
     */
    readonly subscribe = (listener: () => void): Unsubscribe => {
        const own = () => listener();
        this.listeners.add(own);
        return () => void this.listeners.delete(own);
    };

    /** Grows with each change. */
    get version(): number {
        return this.changes;
    }

    /** @internal Notes that it has changed. */
    touch(): void {
        this.changes += 1;
        changed.add(this);
        if (depth === 0) tell();
    }

    /** @internal */
    tell(): void {
        for (const listener of [...this.listeners]) guarded(listener);
    }
}

/**
 * The arguments of React's `useSyncExternalStore`: a component that reads an object, or a part of it, and is drawn
 * again when that changes. React itself is not imported.
 *
 *     const chat = parley.conversation(id);
 *     const messages = useSyncExternalStore(...forReact(chat, (chat) => chat.messages));
 *
 * @param select the part; absent: the component is drawn again after each change of the object.
 */
export function forReact<O extends Observable, T = number>(
    observable: O, select?: (observable: O) => T,
): [subscribe: (listener: () => void) => Unsubscribe, getSnapshot: () => T, getServerSnapshot: () => T] {
    const snapshot = () => (select ? select(observable) : (observable.version as unknown as T));
    return [observable.subscribe, snapshot, snapshot];
}
