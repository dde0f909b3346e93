import { invalidFrame } from "./errors";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads the bytes of a message. It throws a ParleyError alone, and never reads beyond the end. */
export class Reader {
    at = 0;
    /** The lower and the higher half of the last number, unsigned. */
    low = 0;
    high = 0;
    /** How many more messages inside may be read. Real ones have at least this many bytes for each. */
    left: number;
    private readonly view: DataView;

    constructor(readonly bytes: Uint8Array) {
        this.left = 1000 + Math.floor(bytes.length / 6);
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }

    /** Reads a number of at most 64 bits into both halves. */
    varint(end: number): void {
        const { bytes } = this;
        let low = 0;
        let high = 0;
        for (let shift = 0; shift < 70; shift += 7) {
            if (this.at >= end) throw invalidFrame("it ends within a number");
            const byte = bytes[this.at++]!;
            const part = byte & 0x7f;
            if (shift < 28) low |= part << shift;
            else if (shift === 28) {
                low |= part << 28;
                high = part >>> 4;
            } else high |= part << (shift - 32);
            if (byte < 0x80) {
                if (shift === 63 && byte > 1) break;
                this.low = low >>> 0;
                this.high = high >>> 0;
                return;
            }
        }
        throw invalidFrame("a number has more than 64 bits");
    }

    /** Reads a number of at most 32 bits, such as a length. */
    small(end: number): number {
        this.varint(end);
        if (this.high !== 0) throw invalidFrame("a number has more than 32 bits");
        return this.low;
    }

    /** Reads a length, and returns where what is so long ends. */
    end(end: number): number {
        const length = this.small(end);
        if (length > end - this.at) throw invalidFrame("a field is longer than what it is in");
        return this.at + length;
    }

    double(end: number): number {
        if (end - this.at < 8) throw invalidFrame("it ends within a number");
        this.at += 8;
        return this.view.getFloat64(this.at - 8, true);
    }

    text(end: number): string {
        const { bytes, at } = this;
        this.at = end;
        // Short texts of ASCII, which most are, are quicker this way.
        if (end - at <= 48) {
            let text = "";
            let from = at;
            while (from < end && bytes[from]! < 0x80) text += String.fromCharCode(bytes[from++]!);
            if (from === end) return text;
        }
        try {
            return decoder.decode(bytes.subarray(at, end));
        } catch {
            throw invalidFrame("a text is not UTF-8");
        }
    }

    /** Leaves out a field that is not known. */
    skip(wire: number, end: number): void {
        if (wire === 0) this.varint(end);
        else if (wire === 1) this.at += 8;
        else if (wire === 2) this.at = this.end(end);
        else if (wire === 5) this.at += 4;
        else throw invalidFrame(`there is no wire type ${wire}`);
        if (this.at > end) throw invalidFrame("it ends within a field");
    }
}
