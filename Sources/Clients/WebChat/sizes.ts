/** How large a file is, how long it plays, and how much room its picture takes. Pure. */
import { say } from "./english/shell";
import { locale } from "./language";
import type { Attached } from "./model";

const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

export function size(bytes: number): string {
    if (bytes < 1000) return say.bytes(bytes);
    if (bytes < 1e6) return say.kilobytes(number.format(bytes / 1000));
    return bytes < 1e9 ? say.megabytes(number.format(bytes / 1e6)) : say.gigabytes(number.format(bytes / 1e9));
}

/** "1:05", "1:02:03". */
export function playingTime(milliseconds: number): string {
    const seconds = Math.round(milliseconds / 1000);
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return parts.slice(parts[0] ? 0 : 1).map((part, at) => at > 0 ? String(part).padStart(2, "0") : part).join(":");
}

/** The longest side of a picture in a conversation, and the shortest, in pixels. */
const longest = 320;
const shortest = 96;

/** How much room a picture or a film takes before it is there, so that nothing moves once it is. */
export function room({ width, height }: Attached): { width: number; height: number } {
    if (width <= 0 || height <= 0) return { width: 240, height: 180 };
    const scale = Math.min(1, longest / width, longest / height);
    const fit = (side: number) => Math.round(Math.min(longest, Math.max(shortest, side * scale)));
    return { width: fit(width), height: fit(height) };
}
