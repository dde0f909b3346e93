/** Makes ids that ascend: UUIDv7 as 32 hexadecimal digits. */
export class IDs {
    private last = 0;
    private count = 0;

    /**
     * Returns an id that is above all others of this object.
     * @param us the server's time in microseconds UTC.
     */
    next(us: number): string {
        const ms = Math.floor(us / 1000);
        if (ms > this.last) {
            this.last = ms;
            // Room for more in the same millisecond.
            this.count = randomNumber() % 0x400;
        } else if (++this.count > 0xfff) {
            this.last += 1;
            this.count = 0;
        }
        const time = this.last.toString(16).padStart(12, "0");
        const variant = (0x8 | (randomNumber() & 0x3)).toString(16);
        return `${time}7${this.count.toString(16).padStart(3, "0")}${variant}${randomDigits(15)}`;
    }

    /** Ids from now on are above this one. */
    noteUsed(id: string): void {
        const ms = millisecondsOf(id);
        if (ms > this.last) {
            this.last = ms;
            this.count = 0xfff;
        }
    }
}

/** Returns the time of an id, in milliseconds UTC. */
export function millisecondsOf(id: string): number {
    return parseInt(id.slice(0, 12), 16) || 0;
}

function randomNumber(): number {
    return parseInt(randomDigits(8), 16);
}

/** Returns up to 16 random hexadecimal digits. */
function randomDigits(count: number): string {
    const bytes = new Uint8Array(8);
    if (globalThis.crypto) globalThis.crypto.getRandomValues(bytes);
    // Old versions of node. Ids are no secrets.
    else for (let index = 0; index < 8; index++) bytes[index] = Math.random() * 256;
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, count);
}
