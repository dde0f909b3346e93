import type { Presence } from "./model";
import { statusNames } from "./presence";

/** The first letters of a name on a colour of its own, and a dot for whoever is there. */
export function Avatar({ id, name, isGroup, status = "offline" }: {
    id: string; name: string; isGroup?: boolean; status?: Presence["status"];
}) {
    const kind = `avatar tint${tint(id)}${isGroup ? " group" : ""}`;
    const picture = <span className={kind} aria-hidden="true">{initials(name)}</span>;
    if (status === "offline") return picture;
    return <span className="present">{picture}
        <span className={`here ${status}`} role="img" aria-label={statusNames[status]} title={statusNames[status]} />
    </span>;
}

function tint(id: string): number {
    let hash = 7;
    for (const letter of id) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
    return hash % 8;
}

function initials(name: string): string {
    const words = name.split(/\s+/).filter((word) => /\p{L}|\p{N}/u.test(word));
    const chosen = words.length > 1 ? [words[0]!, words[words.length - 1]!] : words;
    return chosen.map((word) => first(word)).join("").toLocaleUpperCase() || first(name) || "?";
}

/** The first letter as people see one, which may be several code points. */
function first(word: string): string {
    const plain = [...word][0] ?? "";
    if (typeof Intl.Segmenter !== "function") return plain;
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    const letter = segmenter.segment(word)[Symbol.iterator]().next().value?.segment ?? "";
    return letter !== "" && letter.length <= 16 ? letter : plain;
}
