/** Who is mentioned in a text: an @, then a name as people are shown, or a username. Pure. */

export interface Mentionable {
    readonly id: string;
    readonly name: string;
    readonly username: string;
}

export interface Mention {
    readonly from: number;
    readonly to: number;
    readonly name: string;
}

/** Where names stand behind an @. Of two names that begin alike, the longer one counts. */
export function mentionsOf(text: string, names: readonly string[]): Mention[] {
    const longestFirst = [...new Set(names)].filter((name) => name !== "");
    longestFirst.sort((one, other) => other.length - one.length);
    const found: Mention[] = [];
    for (let at = text.indexOf("@"); at >= 0 && longestFirst.length > 0; at = text.indexOf("@", at + 1)) {
        if (at > 0 && /[\p{L}\p{N}]/u.test(text[at - 1]!)) continue;
        const name = longestFirst.find((each) => text.startsWith(each, at + 1)
            && !/^[\p{L}\p{N}]/u.test(text.slice(at + 1 + each.length)));
        if (name) found.push({ from: at, to: at + 1 + name.length, name });
    }
    return found;
}

/**
 * The ids of those whom a text mentions.
 * @param chosen ids of those who were chosen by hand, by their names: of two people with one name it says whom.
 */
export function mentioned(
    text: string, people: readonly Mentionable[], chosen: ReadonlyMap<string, string>,
): string[] {
    const names = people.flatMap(({ name, username }) => [name, username]);
    const ids = mentionsOf(text, names).flatMap(({ name }) => {
        const one = chosen.get(name);
        return one ? [one] : people.filter((each) => each.name === name || each.username === name).map(({ id }) => id);
    });
    return [...new Set(ids)];
}

/** What is being written behind an @ before the cursor; null: nothing. */
export function begun(text: string, cursor: number): { from: number; wanted: string } | null {
    const found = /(?:^|[^\p{L}\p{N}@])@([\p{L}\p{N}][^@\n]{0,40}|)$/u.exec(text.slice(0, cursor));
    const wanted = found?.[1] ?? "";
    return found ? { from: cursor - wanted.length - 1, wanted } : null;
}

/** Who may be meant: those with a name, or a word of one, that begins so. */
export function candidates<T extends Mentionable>(people: readonly T[], wanted: string): T[] {
    const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const start = plain(wanted);
    const fits = (name: string) => plain(name).startsWith(start) || plain(name).includes(` ${start}`);
    return people.filter(({ name, username }) => fits(name) || fits(username)).slice(0, 8);
}
