/** The server's time, taken from the last Welcome or Pong and kept up to date with this machine's monotonic clock. */
export class ServerClock {
    /** Whether the server has told the time. */
    isKnown = false;

    /**
     * A clock that starts from this machine's time.
     * @param us this machine's time, in microseconds UTC.
     * @param at the same on its monotonic clock, in milliseconds.
     */
    constructor(private us: number, private at: number) {}

    /** The server's time in microseconds UTC. */
    now(at: number): number {
        return this.us + Math.round((at - this.at) * 1000);
    }

    /** Sets the server's time. Zero and negative values are ignored. */
    set(us: number, at: number): void {
        if (us <= 0) return;
        this.isKnown = true;
        this.us = us;
        this.at = at;
    }
}
