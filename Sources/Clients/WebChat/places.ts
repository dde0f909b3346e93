/** Where somebody was in a list, and where to draw. Pure. */
import type { Heights } from "./heights";

/** A row, and how far below the upper edge it was; null: the end. */
export type Place = { readonly id: string; readonly below: number } | null;

/** How near the end counts as the end, in pixels. */
const nearEnd = 24;
/** How much is free below the last row. */
export const foot = 12;

export interface View {
    readonly top: number;
    readonly height: number;
}

/** Rows to draw: those in view and as much again on both sides. */
export function drawn(heights: Heights, view: View): { first: number; last: number } {
    const extra = Math.max(400, view.height);
    return { first: heights.at(view.top - extra), last: heights.at(view.top + view.height + extra) };
}

/** What to hold on to: the end if it is in view, else the first row that is seen whole, apart from that of the list. */
export function place(heights: Heights, ids: readonly string[], view: View): Place {
    if (view.top + view.height >= heights.total + foot - nearEnd) return null;
    let row = heights.at(view.top);
    if (heights.top(row) < view.top && heights.top(row + 1) < view.top + view.height) row += 1;
    // The first row shows its day, which another row shows when older ones come: then what is below it stays.
    else if (row === 0 && ids.length > 1 && heights.top(1) < view.top + view.height) row = 1;
    const id = ids[row];
    return id === undefined ? null : { id, below: heights.top(row) - view.top };
}

/** Where to scroll to so that a place is where it was; null: its row is gone. */
export function scrolled(
    heights: Heights, numbers: ReadonlyMap<string, number>, place: Place, height: number
): number | null {
    if (!place) return Math.max(0, heights.total + foot - height);
    const row = numbers.get(place.id);
    return row === undefined ? null : Math.max(0, heights.top(row) - place.below);
}
