/** Words to search for: without case and accents; the last one may be unfinished. */
export class SearchQuery {
    private constructor(private readonly words: readonly string[]) {}

    /** Absent: the text has no words. */
    static of(text: string): SearchQuery | undefined {
        const words = wordsOf(fold(text));
        return words.length > 0 ? new SearchQuery(words) : undefined;
    }

    /** Whether a text has all the words. */
    matches(text: string): boolean {
        const found = wordsOf(fold(text));
        return this.words.every((word, index) =>
            index === this.words.length - 1 ? found.some((it) => it.startsWith(word)) : found.includes(word));
    }
}

function fold(text: string): string {
    return text.normalize("NFKD").toLowerCase().replace(/\p{M}+/gu, "");
}

function wordsOf(text: string): string[] {
    return text.match(/[\p{L}\p{N}\p{S}\p{Co}]+/gu) ?? [];
}
