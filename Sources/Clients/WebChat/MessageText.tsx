import { parts } from "./text";

/** A message's text. It is never read as HTML: React makes text nodes of it, and links of addresses alone. */
export function MessageText({ text }: { text: string }) {
    return (
        <div className="words" dir="auto">
            {parts(text).map((part, number) => typeof part === "string"
                ? part
                : <a key={number} href={part.href} target="_blank" rel="noopener noreferrer" title={part.href}>
                    {part.text}{part.host && <span className="host"> ({part.host})</span>}
                </a>)}
        </div>
    );
}
