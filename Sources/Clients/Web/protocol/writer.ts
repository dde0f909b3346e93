const encoder = new TextEncoder();

/** Writes the bytes of a message into one buffer that grows. */
export class Writer {
    private bytes = new Uint8Array(256);
    private length = 0;

    /** What was written. */
    done(): Uint8Array {
        return this.bytes.slice(0, this.length);
    }

    private room(count: number): void {
        if (this.length + count <= this.bytes.length) return;
        const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.length + count));
        larger.set(this.bytes.subarray(0, this.length));
        this.bytes = larger;
    }

    byte(value: number): void {
        this.room(1);
        this.bytes[this.length++] = value;
    }

    /** Writes a whole number from -2^53 to 2^53. */
    number(value: number): void {
        if (value >= 0 && value < 0x80) return this.byte(value);
        const low = value >>> 0;
        this.halves(low, Math.floor((value - low) / 0x1_0000_0000) >>> 0);
    }

    bigint(value: bigint): void {
        const bits = BigInt.asUintN(64, value);
        this.halves(Number(bits & 0xffff_ffffn), Number(bits >> 32n));
    }

    private halves(low: number, high: number): void {
        this.room(10);
        while (high !== 0 || low >= 0x80) {
            this.bytes[this.length++] = (low & 0x7f) | 0x80;
            low = ((low >>> 7) | (high << 25)) >>> 0;
            high >>>= 7;
        }
        this.bytes[this.length++] = low;
    }

    double(value: number): void {
        this.room(8);
        new DataView(this.bytes.buffer).setFloat64(this.length, value, true);
        this.length += 8;
    }

    raw(value: Uint8Array): void {
        this.number(value.length);
        this.room(value.length);
        this.bytes.set(value, this.length);
        this.length += value.length;
    }

    text(value: string): void {
        this.raw(encoder.encode(value));
    }

    /** Writes what `body` writes, after its length. */
    nested(body: () => void): void {
        this.byte(0);
        const begin = this.length;
        body();
        const count = this.length - begin;
        if (count < 0x80) {
            this.bytes[begin - 1] = count;
            return;
        }
        let extra = 0;
        for (let rest = count; rest >= 0x80; rest = Math.floor(rest / 0x80)) extra++;
        // Room for the length, too: what is beyond `length` would not be kept.
        this.room(extra + 10);
        this.bytes.copyWithin(begin + extra, begin, begin + count);
        this.length = begin - 1;
        this.number(count);
        this.length += count;
    }
}
