/** When something is, in words. Pure. */
import { say } from "./english/shell";
import { locale } from "./language";
import type { Moment } from "./model";

const day = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "short" });
const wholeDay = new Intl.DateTimeFormat(
    locale, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
const clock = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });

/** "Fri, 4 Dec", "Fri, 4 Dec, 19:00–21:00": as it is where the person is. */
export function momentText({ at, isWholeDay, minutes }: Moment): string {
    if (isWholeDay) {
        const last = at + Math.max(0, minutes - 1440) * 60_000;
        return last > at ? wholeDay.formatRange(at, last) : wholeDay.format(at);
    }
    const until = at + minutes * 60_000;
    if (minutes === 0) return `${day.format(at)}, ${clock.format(at)}`;
    const isSameDay = day.format(at) === day.format(until);
    const end = isSameDay ? clock.format(until) : `${day.format(until)}, ${clock.format(until)}`;
    return `${day.format(at)}, ${clock.format(at)}–${end}`;
}

/** The beginning of the week that a time is in, which begins with Monday. */
export function weekOf(at: number): number {
    const start = new Date(at);
    start.setHours(0, 0, 0, 0);
    start.setDate(start.getDate() - (start.getDay() + 6) % 7);
    return start.getTime();
}

/** A time as `<input type="datetime-local">` has it. */
export function fieldTime(at: number): string {
    const two = (part: number) => String(part).padStart(2, "0");
    const time = new Date(at);
    const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
    return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** Times that people often want to be reminded at. */
export function commonTimes(now: number): readonly (readonly [string, number])[] {
    const at = (days: number, hour: number) => {
        const time = new Date(now);
        time.setDate(time.getDate() + days);
        return time.setHours(hour, 0, 0, 0);
    };
    const toMonday = (8 - new Date(now).getDay()) % 7 || 7;
    const evening = at(0, 18);
    return [
        [say.inAnHour, now + 3_600_000],
        ...(evening > now + 3_600_000 ? [[say.thisEvening, evening] as const] : []),
        [say.tomorrowMorning, at(1, 9)],
        [say.onMonday, at(toMonday, 9)],
    ];
}
