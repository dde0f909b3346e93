/** More would keep a phone busy for minutes. */
const bitsMax = 28;

/**
 * Does the work that registering takes on some servers, so that no program creates accounts by the thousands: finds the
 * smallest number N such that the SHA-256 hash of `CHALLENGE:USERNAME:N` begins with so many zero bits.
 * @returns the proof, `CHALLENGE:N`; empty, which the server refuses, if it takes more work than a browser can do.
 */
export async function findProof(challenge: string, bits: number, username: string): Promise<string> {
    if (bits > bitsMax) return "";
    const encoder = new TextEncoder();
    let rested = Date.now();
    for (let number = 0; ; number++) {
        const digest = sha256(encoder.encode(`${challenge}:${username}:${number}`));
        if (zeroBits(digest) >= bits) return `${challenge}:${number}`;
        if (number % 1000 === 0 && Date.now() - rested > 20) {
            // The page goes on meanwhile.
            await new Promise((resolve) => setTimeout(resolve));
            rested = Date.now();
        }
    }
}

function zeroBits(digest: Uint32Array): number {
    let bits = 0;
    for (const word of digest) {
        bits += Math.clz32(word);
        if (word !== 0) break;
    }
    return bits;
}

/** The first bits of the fractional parts of roots of the first primes, of which SHA-256 is made (FIPS 180-4). */
function roots(count: number, power: number): Uint32Array {
    const found = new Uint32Array(count);
    for (let number = 2, index = 0; index < count; number++) {
        let isPrime = true;
        for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) isPrime = false;
        if (isPrime) found[index++] = (number ** power % 1) * 2 ** 32;
    }
    return found;
}

const start = roots(8, 1 / 2);
const constants = roots(64, 1 / 3);
const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Returns the hash as eight words. */
export function sha256(message: Uint8Array): Uint32Array {
    const padded = new Uint8Array(((message.length + 72) >> 6) << 6);
    padded.set(message);
    padded[message.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 4, message.length * 8);
    const state = start.slice();
    const words = new Uint32Array(64);
    for (let at = 0; at < padded.length; at += 64) {
        for (let index = 0; index < 16; index++) words[index] = view.getUint32(at + index * 4);
        for (let index = 16; index < 64; index++) {
            const [early, late] = [words[index - 15]!, words[index - 2]!];
            const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
            const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
            words[index] = words[index - 16]! + first + words[index - 7]! + second;
        }
        mix(state, words);
    }
    return state;
}

function mix(state: Uint32Array, words: Uint32Array): void {
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let index = 0; index < 64; index++) {
        const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[index]! + words[index]!;
        const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] += word));
}
