/**
 * In which language the page speaks. Its words are those of the folder `english`, unless another one was chosen, whose
 * words are put in their place. Other languages are in `languages.ts`.
 */
import type { Attached } from "./english/attached";
import type { Door } from "./english/door";
import type { Parts } from "./english/parts";
import type { Shell } from "./english/shell";
import type { Ways } from "./english/ways";
import { languages } from "./languages";

interface Words {
    readonly door: Door;
    readonly shell: Shell;
    readonly attached: Attached;
    readonly parts: Parts;
    readonly ways: Ways;
}

export interface Language extends Words {
    /** What the server, or the SDK, refuses, by the code. What is not here is said in English. */
    readonly refusals: Readonly<Record<string, string>>;
}

/** Where a browser keeps the language that the person chose. */
export const stored = "language";
/** What the person's browser asks for, the most wanted first. */
const tags = (): readonly string[] => globalThis.navigator?.languages ?? [];

let chosen: Language | null = null;
/** How days and numbers are written: the person's own kind of the language that the page speaks. */
export let locale = kindOf("en");
const made = new Map<string, object>();

/** The words of a part of the page, in the language that it speaks. */
export function inLanguage<Part extends object>(part: keyof Words, english: Part): Part {
    const words = { ...english, ...chosen?.[part] };
    made.set(part, words);
    return words;
}

/** Begins to speak the language that the person chose, or that their browser asks for. It is called once, first. */
export async function speak(): Promise<void> {
    const wanted = language();
    const load = languages[wanted];
    if (!load) return;
    chosen = (await load()).language;
    locale = kindOf(wanted);
    document.documentElement.lang = wanted;
    for (const [part, words] of made) Object.assign(words, chosen[part as keyof Words]);
}

/** The language that the page speaks, such as "en". */
export function language(): string {
    const known = ["en", ...Object.keys(languages)];
    return [remembered(), ...tags().map((tag) => tag.split("-")[0]!)].find((each) => known.includes(each))
        ?? "en";
}

function remembered(): string {
    try {
        return localStorage.getItem(stored) ?? "";
    } catch {
        return "";
    }
}

function kindOf(language: string): string {
    return tags().find((tag) => tag.split("-")[0] === language) ?? (language === "en" ? "en-GB" : language);
}

/** Why something was refused, in the language of the page. */
export function why({ code, message }: { readonly code: string; readonly message: string }): string {
    return chosen?.refusals[code] ?? message;
}
