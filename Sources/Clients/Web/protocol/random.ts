/** Random numbers that a seed determines (SplitMix64), so that tests own the waits of machines. Never for secrets. */
export class Random {
    constructor(private state: bigint) {}

    /** From 0 up to, but not, 1. */
    fraction(): number {
        this.state = BigInt.asUintN(64, this.state + 0x9e37_79b9_7f4a_7c15n);
        let mixed = this.state;
        mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58_476d_1ce4_e5b9n);
        mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d0_49bb_1331_11ebn);
        return Number((mixed ^ (mixed >> 31n)) >> 11n) / 2 ** 53;
    }

    /** A whole number from 0 up to, but not, `end`. */
    below(end: number): number {
        return Math.floor(this.fraction() * end);
    }
}
