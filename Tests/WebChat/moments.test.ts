// Sizes, lengths and times as people read them.
import assert from "node:assert";
import test from "node:test";

import { commonTimes, fieldTime, momentText, weekOf } from "../../Sources/Clients/WebChat/moments";
import type { Attached } from "../../Sources/Clients/WebChat/model";
import { playingTime, room, size } from "../../Sources/Clients/WebChat/sizes";

test("a length and a size are short", () => {
    const lengths = [0, 4_400, 65_000, 3_599_600, 3_723_000].map(playingTime);
    assert.deepEqual(lengths, ["0:00", "0:04", "1:05", "1:00:00", "1:02:03"]);
    assert.deepEqual([0, 999, 1_200, 50_000_000, 2e9].map(size), ["0 bytes", "999 bytes", "1.2 KB", "50 MB", "2 GB"]);
});

test("a picture takes a bounded room of its shape, whatever is said of its size", () => {
    const of = (width: number, height: number) => room({ width, height } as Attached);
    assert.deepEqual(of(1600, 1200), { width: 320, height: 240 });
    assert.deepEqual(of(300, 200), { width: 300, height: 200 });
    for (const [width, height] of [[0, 0], [65_535, 1], [1, 65_535], [8, 8], [0, 500]] as const) {
        const { width: right, height: down } = of(width, height);
        assert.ok(right >= 96 && right <= 320 && down >= 96 && down <= 320, `${width}x${height}: ${right}x${down}`);
    }
});

test("a week begins with Monday, and whole days stay the same day in every zone", () => {
    const monday = new Date(2026, 10, 23).getTime();
    for (let day = 0; day < 7; day++) assert.equal(weekOf(new Date(2026, 10, 23 + day, 23, 59).getTime()), monday);
    assert.notEqual(weekOf(new Date(2026, 10, 30).getTime()), monday);
    const text = momentText({ at: Date.UTC(2026, 11, 4), isWholeDay: true, minutes: 1440 });
    assert.match(text, /4/);
    assert.doesNotMatch(text, /[35]/);
    assert.match(momentText({ at: new Date(2026, 11, 4, 19).getTime(), isWholeDay: false, minutes: 120 }), /4.*7|19/);
    assert.equal(fieldTime(new Date(2026, 0, 5, 7, 3).getTime()), "2026-01-05T07:03");
});

test("the times that are offered are ahead, on every day and at every hour", () => {
    for (let hour = 0; hour < 24 * 8; hour++) {
        const now = new Date(2026, 2, 25, hour, 30).getTime();
        const times = commonTimes(now);
        assert.ok(times.every(([, at]) => at > now), new Date(now).toString());
        assert.equal(new Set(times.map(([name]) => name)).size, times.length);
    }
});
