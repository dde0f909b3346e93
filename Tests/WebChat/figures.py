"""What the chat costs a browser, as JSON: see `make bench-web`. Nothing here passes or fails."""
import json
import os
import re
import statistics
import subprocess
import sys
import time

from playwright.sync_api import expect

from cluster import PASSWORD
from oddities import GROUPS
from person import befriend
from scenarios import IMPORT

CONVERSATIONS, LONG, THROUGH = 1000, 100_000, 50_000
VISITS = 11

# Notes when the page was first painted, and when a row of the list or a message first stood in it.
NOTE = """
window.__shown = {};
new MutationObserver(() => {
    for (const [name, what] of [["row", "nav li"], ["message", "[role=feed] [role=article]"], ["form", "form"]])
        if (!(name in window.__shown) && document.querySelector(what)) window.__shown[name] = performance.now();
}).observe(document, { childList: true, subtree: true });
"""
PAINTED = """() => new Promise((done) => {
    const paint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    const wait = () => paint() === undefined ? setTimeout(wait, 5) : done(paint());
    wait();
})"""

ROW = """() => new Promise((done) => {
    const wait = () => window.__shown?.row === undefined ? setTimeout(wait, 5) : done(window.__shown.row);
    wait();
})"""

# The work of each frame, while a feed of messages is scrolled up: from the frame's begin until it is handed on to be
# shown.
SCROLL = """async (feed, frames) => {
    const works = [];
    const port = new MessageChannel();
    for (let index = 0; index < frames; index++) {
        await new Promise((done) => requestAnimationFrame((began) => {
            feed.scrollTop -= 120;
            port.port1.onmessage = () => { works.push(performance.now() - began); done(); };
            port.port2.postMessage(0);
        }));
        if (feed.scrollTop < 2) await new Promise((done) => setTimeout(done, 50));
    }
    return works;
}"""

# From a key until the frame that shows it is handed on.
TYPED = """() => {
    window.__typed = [];
    document.addEventListener("input", (event) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.__typed.push(performance.now() - event.timeStamp);
        port2.postMessage(0);
    }), true);
}"""

# From a click on a row until a message of its conversation is shown.
OPEN = """(row) => new Promise((done) => {
    const name = row.querySelector("[dir], bdi, strong")?.textContent ?? row.textContent;
    const began = performance.now();
    row.click();
    const look = () => {
        const main = document.querySelector("[role=main], main");
        const isOpen = main?.querySelector("[role=feed] [role=article]") && main.textContent.includes(name);
        if (!isOpen) return requestAnimationFrame(look);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(performance.now() - began);
        port2.postMessage(0);
    };
    requestAnimationFrame(look);
})"""

# The times at which messages stand in the page, by their number.
ARRIVALS = """() => {
    window.__arrived = new Map();
    new MutationObserver(() => {
        for (const row of document.querySelectorAll("[role=feed] [role=article]")) {
            const number = /Said (\\d+)\\./.exec(row.textContent)?.[1];
            if (number && !window.__arrived.has(number)) window.__arrived.set(number, Date.now());
        }
    }).observe(document, { childList: true, subtree: true, characterData: true });
}"""


def part(values, share):
    """The value below which a share of them lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def rounded(value):
    return round(value, 1 if value < 100 else None)


def say(text):
    print(f"figures: {text}", file=sys.stderr, flush=True)


class Talker:
    """Somebody who writes from another process, with a number in each message."""

    def __init__(self, world, person, conversation, first, count, per_second):
        script = os.path.join(os.getcwd(), ".build-web", "talker.mjs")
        self.process = subprocess.Popen(
            ["node", script, world.cluster.url, person.username, PASSWORD, conversation, str(first), str(count),
             str(per_second)],
            stdout=subprocess.PIPE, text=True)

    def wait(self, limit):
        """Waits until all is sent, and returns how many messages there were in a second."""
        printed, _ = self.process.communicate(timeout=limit)
        if self.process.returncode:
            raise RuntimeError(f"the talker ended with {self.process.returncode}")
        return float(printed)


def talk_of(person):
    return person.page.url.rsplit("/", 1)[-1]


def said(person, page, numbers):
    """One of the messages with these numbers: they pass quickly."""
    return person.messages(page).filter(has_text=re.compile(rf"Said {numbers}\.")).first


def json_rate(person):
    """How often this machine parses a text of 100 KB in a second, so that machines can be compared."""
    return person.page.evaluate("""() => {
        const text = JSON.stringify(Array.from({ length: 1000 }, (_, n) => ({ n, text: "x".repeat(80) })));
        const began = performance.now();
        let count = 0;
        while (performance.now() - began < 1000) { JSON.parse(text); count++; }
        return count;
    }""")


def first_visits(world):
    """The bytes that a first visit loads, and the time until it is painted."""
    paints, bytes_loaded = [], 0
    for number in range(VISITS):
        person = world.person(f"Visitor {number}")
        session = person.context.new_cdp_session(person.page)
        session.send("Network.enable")
        loaded = []
        session.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
        person.open()
        expect(person.page.get_by_role("form", name="Sign in")).to_be_visible()
        paints.append(person.page.evaluate(PAINTED))
        bytes_loaded = sum(loaded)
        person.close()
        world.people.remove(person)
    return {"first_visit_bytes": bytes_loaded, "first_paint_ms_p50": rounded(statistics.median(paints))}


def without_network(world, zoe):
    """The time until a page that was open before is painted, and shows conversations, without a network."""
    zoe.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    zoe.page.reload()
    assert zoe.page.evaluate("!!navigator.serviceWorker.controller")
    zoe.context.set_offline(True)
    paints, rows = [], []
    for _ in range(VISITS):
        zoe.page.reload()
        rows.append(zoe.page.evaluate(ROW))
        paints.append(zoe.page.evaluate(PAINTED))
    zoe.context.set_offline(False)
    return {"offline_paint_ms_p50": rounded(statistics.median(paints)),
            "offline_first_row_ms_p50": rounded(statistics.median(rows))}


def opening(zoe):
    """The time from a click in the list until messages of the conversation are shown, the second time it is opened."""
    rows = zoe.page.get_by_role("navigation", name="Conversations").get_by_role("link")
    times = []
    for again in (False, True):
        for index in range(12):
            taken = rows.nth(index).evaluate(OPEN)
            if again:
                times.append(taken)
            zoe.page.wait_for_timeout(150)
    return {"open_conversation_ms_p50": rounded(statistics.median(times)),
            "open_conversation_ms_max": rounded(max(times))}


def scrolling(world, zoe, bob):
    """The work of frames while somebody scrolls through 100,000 messages."""
    now, talk = time.time_ns() // 1000, talk_of(zoe)
    for first in range(1, LONG, 5000):
        world.cluster.query(IMPORT.format(talk=talk, count=LONG, first=first, last=first + 4999, now=now))
    reader = world.person(zoe.name).open_as(zoe.username)
    reader.go(bob)
    expect(reader.message(f"Line {LONG}")).to_be_visible()
    works = reader.page.get_by_role("feed", name="Messages").evaluate(SCROLL, 1200)
    return {"scroll_frame_ms_p50": rounded(part(works, 0.5)), "scroll_frame_ms_p95": rounded(part(works, 0.95)),
            "scroll_frame_ms_max": rounded(max(works)), "scroll_frames_over_50_ms": sum(work > 50 for work in works)}


def typing(world, zoe, bob):
    """The time from a key to its frame while a hundred messages a second arrive."""
    talker = Talker(world, bob, talk_of(zoe), 1, 2000, 100)
    expect(said(zoe, zoe.page, r"\d{3,}")).to_be_visible(timeout=30_000)
    zoe.page.evaluate(TYPED)
    field = zoe.page.get_by_role("textbox", name="Message")
    field.press_sequentially("What I write while all of them write, too. " * 3, delay=60)
    typed = zoe.page.evaluate("window.__typed")
    field.fill("")
    rate = talker.wait(120)
    return {"typing_messages_per_second": rounded(rate), "typing_ms_p50": rounded(part(typed, 0.5)),
            "typing_ms_p95": rounded(part(typed, 0.95))}


def tabs(world, zoe, bob):
    """How soon a second tab shows what came, and how long it shows nothing after the first one was closed."""
    first, second = zoe.page, zoe.tab()
    second.goto(first.url)
    expect(zoe.messages(second).last).to_be_visible()
    for tab in (first, second):
        tab.evaluate(ARRIVALS)
    talker = Talker(world, bob, talk_of(zoe), 10_001, 200, 10)
    expect(said(zoe, second, r"10(0[6-9]|1\d)\d")).to_be_visible(timeout=60_000)
    arrived = dict(first.evaluate("[...window.__arrived]"))
    first.close()
    zoe.page = second
    expect(said(zoe, second, "10200")).to_be_visible(timeout=60_000)
    talker.wait(60)
    seen = {number: at for number, at in second.evaluate("[...window.__arrived]") if int(number) > 10_000}
    behind = [seen[number] - at for number, at in arrived.items() if number in seen]
    times = sorted(seen.values())
    gap = max(later - earlier for earlier, later in zip(times, times[1:]))
    return {"second_tab_behind_ms_p50": part(behind, 0.5), "second_tab_behind_ms_p95": part(behind, 0.95),
            "take_over_ms": gap}


def through(world, zoe, bob):
    """The memory of a page after 50,000 messages came while it was open, as on a long day."""
    session = zoe.context.new_cdp_session(zoe.page)

    def heap():
        session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"] / 1e6

    before = heap()
    rate = Talker(world, bob, talk_of(zoe), 100_001, THROUGH, 1000).wait(900)
    expect(said(zoe, zoe.page, f"{100_000 + THROUGH}")).to_be_visible(timeout=120_000)
    return {"through_messages_per_second": rounded(rate), "heap_mb_before": rounded(before),
            "heap_mb_after_50000_messages": rounded(heap())}


def idle(world, zoe, address):
    """The processor time that a browser takes with one idle page: an empty one, and the chat."""
    for person in [each for each in world.people if each is not zoe]:
        person.close()
        world.people.remove(person)
    session = world.browser.new_browser_cdp_session()

    def used():
        return sum(each["cpuTime"] for each in session.send("SystemInfo.getProcessInfo")["processInfo"])

    def percent(page):
        zoe.page.goto(page)
        zoe.page.wait_for_timeout(5000)
        before, began = used(), time.monotonic()
        zoe.page.wait_for_timeout(20_000)
        return round(100 * (used() - before) / (time.monotonic() - began), 2)

    return {"idle_empty_page_cpu_percent": percent("about:blank"), "idle_cpu_percent": percent(address)}


def write(world):
    """Measures everything and prints it, also if it does not come to its end."""
    found = {}
    try:
        measure(world, found)
    finally:
        print(json.dumps(found, indent=4), flush=True)


def measure(world, found):
    say("first visits")
    found.update(first_visits(world))
    zoe, bob = world.person("Zoe"), world.person("Bob").register()
    zoe.context.add_init_script(NOTE)
    zoe.register()
    befriend(zoe, bob)
    talk = talk_of(zoe)
    found["json_parse_per_second"] = json_rate(zoe)
    say(f"{CONVERSATIONS} conversations")
    now = time.time_ns() // 1000
    world.cluster.query(GROUPS.format(owner=zoe.username, other=bob.username, count=CONVERSATIONS - 1, now=now))
    username = zoe.username
    zoe.close()
    zoe = world.person("Zoe")
    zoe.context.add_init_script(NOTE)
    zoe.open_as(username)
    expect(zoe.row(bob)).to_be_visible()
    zoe.page.get_by_role("navigation", name="Conversations").evaluate(
        "(list, count) => { list.scrollTop = list.scrollHeight; }", CONVERSATIONS)
    zoe.page.wait_for_timeout(8000)
    found.update(opening(zoe))
    say("without a network")
    zoe.page.goto(world.cluster.page + "/")
    found.update(without_network(world, zoe))
    say("typing")
    zoe.go(bob)
    found.update(typing(world, zoe, bob))
    say("two tabs")
    found.update(tabs(world, zoe, bob))
    say(f"{THROUGH} messages through an open page")
    found.update(through(world, zoe, bob))
    say("an idle page")
    found.update(idle(world, zoe, f"{world.cluster.page}/#/{talk}"))
    say(f"{LONG} messages")
    ada, eve = world.person("Ada").register(), world.person("Eve").register()
    befriend(ada, eve)
    found.update(scrolling(world, ada, eve))
