/** A case that runs in node and in a browser. */
export interface Case {
    readonly name: string;
    run(): Promise<void>;
}

/** Fails unless a condition holds. */
export function ok(value: unknown, what: string): asserts value {
    if (!value) throw new Error(what);
}

/** Fails unless two values are the same, in depth. Properties that are undefined count as absent. */
export function equal(actual: unknown, expected: unknown, what = ""): void {
    const [one, other] = [text(actual), text(expected)];
    if (one !== other) throw new Error(`${what ? `${what}: ` : ""}${shortened(one, other)} is not ${shortened(other, one)}`);
}

function shortened(whole: string, than: string): string {
    let first = 0;
    while (first < whole.length && whole[first] === than[first]) first++;
    const from = Math.max(0, first - 80);
    return `${from > 0 ? "…" : ""}${whole.slice(from, from + 400)}`;
}

/** A value as a text that is the same for equal values. */
export function text(value: unknown): string {
    return JSON.stringify(value, (_, part: unknown) => {
        if (typeof part === "bigint") return `${part}n`;
        if (part === Infinity) return "∞";
        if (part instanceof Uint8Array) return `bytes ${[...part].join(" ")}`;
        if (part instanceof Map) return [...part.entries()];
        if (part instanceof Set) return [...part].sort();
        if (part && typeof part === "object" && !Array.isArray(part) && !(part instanceof Date)) {
            return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
        }
        return part;
    }) ?? "undefined";
}

/** Fails unless a promise fails; returns why it did. */
export async function rejected(promise: Promise<unknown>, what: string): Promise<Error & { code?: string; kind?: string }> {
    try {
        await promise;
    } catch (error) {
        return error as Error & { code?: string };
    }
    throw new Error(`${what} did not fail`);
}

/** Waits until a condition holds, at most so many seconds. */
export async function until(what: string, condition: () => unknown | Promise<unknown>, seconds = 20): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (!(await condition())) {
        if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
}
