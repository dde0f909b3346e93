/** Shows where in a text the words stand that somebody looked for. Pure. */

export interface Piece {
    readonly text: string;
    readonly isFound: boolean;
}

const longest = 240;

/** Without case and marks, letter by letter, so that places stay the same. */
function plain(text: string): string {
    return [...text].map((letter) => {
        const folded = letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
        if (folded.length === letter.length) return folded;
        return letter.toLowerCase().slice(0, letter.length).padEnd(letter.length);
    }).join("");
}

/** Divides a text at the beginnings of words that were looked for, and cuts what is long around the first one. */
export function pieces(text: string, wanted: string): Piece[] {
    const words = plain(wanted).split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
    const folded = plain(text);
    const spots: [number, number][] = [];
    for (const match of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
        const from = match.index!;
        const fits = words.filter((each) => match[0]!.startsWith(each)).map((each) => each.length);
        if (fits.length > 0) spots.push([from, from + Math.max(...fits)]);
    }
    const first = spots[0]?.[0] ?? 0;
    const begin = first > longest / 2 ? folded.lastIndexOf(" ", first - longest / 4) + 1 : 0;
    const end = Math.min(text.length, begin + longest);
    const made: Piece[] = begin > 0 ? [{ text: "… ", isFound: false }] : [];
    let done = begin;
    for (const [from, to] of spots) {
        if (from < done || to > end) continue;
        if (from > done) made.push({ text: text.slice(done, from), isFound: false });
        made.push({ text: text.slice(from, to), isFound: true });
        done = to;
    }
    if (done < end) made.push({ text: text.slice(done, end) + (end < text.length ? " …" : ""), isFound: false });
    return made;
}
