/** What a message's text consists of: words, and addresses of the web. Pure. */

export interface Link {
    /** As it was written. */
    readonly text: string;
    readonly href: string;
    /** The host as the browser will ask for it, if that differs from what is written; empty otherwise. */
    readonly host: string;
}

const address = /\bhttps?:\/\/[^\s<>"'`\u0000-\u0020\u007f-\u009f\u200b-\u200f\u2028-\u202f\u2066-\u2069\ufeff]+/giu;
const longest = 2048;

/** Divides a text. What is no plain address of the web, such as one with a name and password, stays text. */
export function parts(text: string): (string | Link)[] {
    const found: (string | Link)[] = [];
    let done = 0;
    for (const match of text.matchAll(address)) {
        const whole = match[0] ?? "";
        if (whole.length > longest) continue;
        const written = trimmed(whole);
        const link = read(written);
        if (!link) continue;
        if (match.index! > done) found.push(text.slice(done, match.index));
        found.push(link);
        done = match.index! + written.length;
    }
    if (done < text.length) found.push(text.slice(done));
    return found;
}

/** Without what ends the sentence rather than the address. */
function trimmed(written: string): string {
    let end = written;
    for (;;) {
        const last = end.slice(-1);
        const opens = end.split("(").length;
        const closes = end.split(")").length;
        if (/[.,;:!?*_~\]}]/.test(last) || (last === ")" && closes > opens)) end = end.slice(0, -1);
        else return end;
    }
}

function read(written: string): Link | null {
    try {
        const url = new URL(written);
        if ((url.protocol !== "https:" && url.protocol !== "http:") || url.username || url.password) return null;
        const named = written.replace(/^https?:\/\//i, "").split(/[/?#]/)[0]!.toLowerCase();
        const isAsWritten = named === url.host || named === `${url.host}:${url.protocol === "https:" ? 443 : 80}`;
        return { text: written, href: url.href, host: isAsWritten ? "" : url.host };
    } catch {
        return null;
    }
}
