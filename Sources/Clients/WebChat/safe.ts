/** Names as they can be shown beside others, whatever they have: the server refuses odd ones, but old data has them. */

/** Controls, and what turns the text around it or cannot be seen. What joins letters and emoji stays. */
const odd = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
/** More marks on one letter than any script has. */
const stacked = /(\p{M}{8})\p{M}+/gu;

/** A text without stacks of marks that cover other lines. */
export function unstacked(text: string): string {
    return text.replace(stacked, "$1");
}

/** A name without what turns text around, and without stacks of marks that cover other lines. */
export function safe(name: string): string {
    return unstacked(name.replace(odd, ""));
}
