/** Times as people read them. */
import { say } from "./english/shell";
import { locale } from "./language";

const clock = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(locale, { weekday: "long" });
const shortDay = new Intl.DateTimeFormat(locale, { weekday: "short" });
const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const longDate = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" });
const fullDate = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric" });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });

function days(from: number, to: number): number {
    const start = (time: number) => new Date(time).setHours(0, 0, 0, 0);
    return Math.round((start(to) - start(from)) / 86_400_000);
}

export function isSameDay(one: number, other: number): boolean {
    return days(one, other) === 0;
}

export function time(at: number): string {
    return clock.format(at);
}

export function fully(at: number): string {
    return moment.format(at);
}

/** For a list: as short as it is still clear. */
export function briefly(at: number, now: number): string {
    const ago = days(at, now);
    if (ago <= 0) return clock.format(at);
    if (ago === 1) return say.yesterday;
    if (ago < 7) return shortDay.format(at);
    return date.format(at);
}

/** For the line above a day's messages. */
export function day(at: number, now: number): string {
    const ago = days(at, now);
    if (ago === 0) return say.today;
    if (ago === 1) return say.yesterday;
    if (ago > 0 && ago < 7) return weekday.format(at);
    return new Date(at).getFullYear() === new Date(now).getFullYear() ? longDate.format(at) : fullDate.format(at);
}
