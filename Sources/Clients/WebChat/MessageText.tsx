import type { ReactNode } from "react";
import { mentionsOf } from "./mentions";
import { parts } from "./text";

/** A message's text. It is never read as HTML: React makes text nodes of it, and links of addresses alone. */
export function MessageText({ text, mentioned }: { text: string; mentioned: readonly string[] }) {
    return (
        <div className="words" dir="auto">
            {parts(text).map((part, number) => typeof part === "string"
                ? marked(part, mentioned, number)
                : <a key={number} href={part.href} target="_blank" rel="noopener noreferrer" title={part.href}>
                    {part.text}{part.host && <span className="host"> ({part.host})</span>}
                </a>)}
        </div>
    );
}

/** A text with the names of those whom it mentions. */
function marked(text: string, names: readonly string[], key: number): ReactNode {
    const found = names.length > 0 ? mentionsOf(text, names) : [];
    if (found.length === 0) return text;
    const made: ReactNode[] = [];
    let done = 0;
    for (const { from, to } of found) {
        made.push(text.slice(done, from), <span key={`${key} ${from}`} className="name">{text.slice(from, to)}</span>);
        done = to;
    }
    return [...made, text.slice(done)];
}
