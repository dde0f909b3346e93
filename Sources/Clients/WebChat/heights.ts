/**
 * The heights of rows in a long list, of which few were ever measured. Finds the row at a place, and the place of a
 * row, in steps that grow with the logarithm of the list (a Fenwick tree). Pure.
 */
export class Heights {
    private sums: Float64Array;
    private own: Float64Array;

    private constructor(own: Float64Array) {
        this.own = own;
        this.sums = new Float64Array(own.length + 1);
        for (let at = 1; at <= own.length; at++) {
            this.sums[at]! += own[at - 1]!;
            const parent = at + (at & -at);
            if (parent <= own.length) this.sums[parent]! += this.sums[at]!;
        }
    }

    /** @param height of a row by its number, measured or guessed. */
    static of(count: number, height: (row: number) => number): Heights {
        return new Heights(Float64Array.from({ length: count }, (_, row) => height(row)));
    }

    get count(): number {
        return this.own.length;
    }

    get total(): number {
        return this.top(this.count);
    }

    height(row: number): number {
        return this.own[row] ?? 0;
    }

    /** @returns whether it was another one. */
    set(row: number, height: number): boolean {
        const change = height - this.height(row);
        if (row < 0 || row >= this.count || Math.abs(change) < 0.01) return false;
        this.own[row] = height;
        for (let at = row + 1; at <= this.count; at += at & -at) this.sums[at]! += change;
        return true;
    }

    /** Where a row begins. */
    top(row: number): number {
        let sum = 0;
        for (let at = Math.min(row, this.count); at > 0; at -= at & -at) sum += this.sums[at]!;
        return sum;
    }

    /** The row at a place; the first or last beyond the ends. */
    at(place: number): number {
        let row = 0;
        let rest = place;
        for (let step = 1 << Math.floor(Math.log2(Math.max(1, this.count))); step > 0; step >>= 1) {
            const next = row + step;
            if (next <= this.count && this.sums[next]! <= rest) {
                row = next;
                rest -= this.sums[next]!;
            }
        }
        return Math.max(0, Math.min(row, this.count - 1));
    }
}
