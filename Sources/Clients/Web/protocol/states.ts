import { decode } from "./codec";
import type { Messages, Update } from "./generated/messages";
import type { KeyedKind, Kind, States } from "./generated/states";
import { keyedKinds, states } from "./generated/states";

/** The state that an Update carries, with its kind. */
export type Content = { [K in Kind]: { readonly kind: K; readonly state: States[K] } }[Kind];

/** A state of a kind of which a client holds one for each key. */
export type KeyedContent = Extract<Content, { kind: KeyedKind }>;

/**
 * The state of an Update; null: its kind is not known, or its body cannot be read, so that only its position counts.
 */
export function content(update: Update): Content | null {
    if (!isKind(update.kind)) return null;
    try {
        return { kind: update.kind, state: decode(update.kind as keyof Messages, update.body) } as Content;
    } catch {
        return null;
    }
}

function isKind(name: string): name is Kind {
    return Object.prototype.hasOwnProperty.call(states, name);
}

const keyed = new Set<string>(keyedKinds);

/** Whether a client holds one state of this kind for each key. */
export function isKeyed(content: Content): content is KeyedContent {
    return keyed.has(content.kind);
}

/** What tells a state from the others of its kind: the values of its key fields; empty: there is one. */
export function stateKey(content: Content): string {
    return states[content.kind].keys.map((path) => String(field(content.state, path))).join(" ");
}

function field(state: object, path: string): unknown {
    let value: unknown = state;
    for (const name of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[name];
    return value;
}
