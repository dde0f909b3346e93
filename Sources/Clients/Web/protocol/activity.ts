import { create } from "./codec";
import type { Given } from "./codec";
import type { Activity } from "./generated/messages";

/** In the foreground, a sign that the person still uses the client is sent once in this time, in milliseconds. */
const usedEvery = 60_000;
/** A session that begins longer after the last sign begins in the background. */
const usedFor = 300_000;

/** What a person does, as far as sessions tell it. */
export class SessionActivity {
    private said: Activity = create("Activity");
    private sentAt = -Infinity;

    constructor(private usedAt: number) {}

    /** Takes what the person does now. Returns what is to be sent if there is a session; null: nothing. */
    take(given: Given<Activity>, isGreeted: boolean, now: number): Activity | null {
        const activity = create("Activity", given);
        const { background, current_conversation } = this.said;
        const isSame = activity.background === background && activity.current_conversation === current_conversation;
        this.said = activity;
        if (!activity.background) this.usedAt = now;
        if (!isGreeted || (isSame && now - this.sentAt < usedEvery)) return null;
        this.sentAt = now;
        return activity;
    }

    /** What the hello of a new session says. */
    first(now: number): Activity {
        this.sentAt = now;
        return { ...this.said, background: this.said.background || now - this.usedAt > usedFor };
    }
}
