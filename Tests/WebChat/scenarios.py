"""What people do with the chat, over real processes."""
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import expect

from person import befriend


def first_words(world):
    """Somebody registers and writes to Alice, who accepts and answers; both see all of it live, with receipts."""
    zoe, alice = world.person("Zoe").register(), world.person("Alice").register()
    zoe.find(alice)
    zoe.write("Hello Alice!")
    expect(zoe.message("Hello Alice!").get_by_role("img", name="Sent")).to_be_visible()
    expect(alice.page.get_by_role("region", name="Requests").get_by_role("link", name="Zoe")).to_be_visible()
    expect(alice.page).to_have_title("(1) Parley")
    alice.row(zoe).click()
    expect(alice.message("Hello Alice!")).to_be_visible()
    alice.page.get_by_role("button", name="Accept").click()
    alice.write("Hello Zoe!")
    expect(zoe.message("Hello Zoe!")).to_be_visible()
    expect(zoe.message("Hello Alice!").get_by_role("img", name="Read")).to_be_visible()
    expect(alice.message("Hello Zoe!").get_by_role("img", name="Read")).to_be_visible()
    expect(alice.page).to_have_title("Parley")


def changes(world):
    """A message is edited and deleted where it stands, and the other sees it, and that somebody is typing."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.write("Dinner on Fridy?")
    expect(bob.message("Dinner on Fridy?")).to_be_visible()
    line = zoe.message("Dinner on Fridy?")
    line.hover()
    line.get_by_role("button", name="Message").click()
    zoe.page.get_by_role("menuitem", name="Edit").click()
    zoe.write("Dinner on Friday?")
    expect(bob.message("Dinner on Friday?")).to_contain_text("edited")
    expect(bob.message("Fridy")).to_have_count(0)
    bob.page.get_by_role("textbox", name="Message").press_sequentially("Yes", delay=40)
    expect(zoe.talk(bob).get_by_text("Bob is typing …")).to_be_visible()
    bob.page.get_by_role("textbox", name="Message").press("Enter")
    expect(zoe.message("Yes")).to_be_visible()
    expect(zoe.talk(bob).get_by_text("Bob is typing …")).to_have_count(0)
    line = zoe.message("Dinner on Friday?")
    line.hover()
    line.get_by_role("button", name="Message").click()
    zoe.page.get_by_role("menuitem", name="Delete for everyone").click()
    expect(bob.message("Message deleted")).to_be_visible()
    expect(bob.message("Dinner on Friday?")).to_have_count(0)


def requests(world):
    """A request is declined or blocked without the other learning of it."""
    zoe, ada, eve = (world.person(name).register() for name in ("Zoe", "Ada", "Eve"))
    for other in (ada, eve):
        other.find(zoe)
        other.write(f"Hi from {other.name}")
        expect(other.message("Hi from").get_by_role("img", name="Sent")).to_be_visible()
    zoe.row(ada).click()
    zoe.page.get_by_role("button", name="Decline").click()
    expect(zoe.row(ada)).to_have_count(0)
    zoe.row(eve).click()
    zoe.page.get_by_role("button", name="Block").click()
    expect(zoe.row(eve)).to_have_count(0)
    for other in (ada, eve):
        expect(other.talk(zoe).get_by_text("Has not answered your request yet")).to_be_visible()


def hostile_text(world):
    """Whatever a message says is shown as text, and a link says where it leads."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    marks = "a" + "\u0301" * 6
    texts = [
        "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>",
        "javascript:window.hacked=1 data:text/html,<script>1</script>", "&lt;b&gt;not bold&lt;/b&gt;",
        "مرحبا بالعالم https://example.com/path?q=1", "x" * 15_000, marks * 40,
        "https://user:word@evil.example/ http://EXAMPLE.com:80/a) https://xn--80ak6aa92e.com/",
    ]
    links = []
    for text in texts:
        zoe.write(text)
        for person in (zoe, bob):
            # Only what is in view is drawn, and a long one fills it.
            person.page.wait_for_function(LAST_TEXT, arg=text)
            assert person.page.evaluate("window.hacked") is None
            assert person.page.locator("[role=article] :is(script, img, b, iframe)").count() == 0
        feed = bob.page.get_by_role("feed", name="Messages")
        last = feed.get_by_role("article").last
        links += last.evaluate("(row) => [...row.querySelectorAll('a')].map((a) => [a.href, a.rel, a.target])")
    assert [link[0] for link in links] == [
        "https://example.com/path?q=1", "http://example.com/a", "https://xn--80ak6aa92e.com/"], links
    assert all(rel == "noopener noreferrer" and target == "_blank" for _, rel, target in links), links
    width = bob.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0, f"the page is {width} pixels too wide"


# Whether the newest message is a text, to the letter, and nothing else.
LAST_TEXT = """(text) => {
    const rows = [...document.querySelectorAll('[role=feed] [role=article]')];
    const words = rows.pop()?.querySelector("[dir]");
    return words && words.innerText.replace(/\\s/g, "") === text.replace(/\\s/g, "");
}"""


def refused_text(world):
    """A message that the server refuses stays, says why, and can be tried again."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.write("a" + "\u0301" * 300)
    expect(zoe.messages().get_by_role("alert")).to_contain_text("Try again")
    zoe.write("After it")
    expect(bob.message("After it")).to_be_visible()
    expect(zoe.messages().get_by_role("alert")).to_be_visible()
    zoe.page.get_by_role("textbox", name="Message").fill("y" * 20_000)
    warning = zoe.page.get_by_role("form", name="Write").get_by_role("alert")
    expect(warning).to_contain_text("longer than the server takes")
    expect(zoe.page.get_by_role("button", name="Send")).to_be_disabled()


def older(world):
    """Older messages come while somebody scrolls up, and what they look at stays where it is."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    for number in range(150):
        zoe.write(f"Message number {number}.")
    expect(bob.message("Message number 149.")).to_be_visible()
    bob.page.reload()
    expect(bob.message("Message number 149.")).to_be_visible()
    feed = bob.page.get_by_role("feed", name="Messages")
    jumps = feed.evaluate(WALK_UP)
    assert jumps["worst"] <= 1.5 and jumps["compared"] > 20, f"a row jumped by {jumps['worst']} pixels: {jumps}"
    expect(bob.message("Hello!")).to_be_visible()
    drawn = feed.evaluate("(feed) => feed.querySelectorAll('[role=article]').length")
    assert 5 < drawn < 120, f"{drawn} rows are drawn"
    zoe.write("Something new")
    button = bob.page.get_by_role("button", name="Go to the end, 1 unread")
    expect(button).to_be_visible()
    expect(bob.message("Hello!")).to_be_visible()
    button.click()
    expect(bob.message("Something new")).to_be_visible()


# Scrolls up step by step to the beginning. Between two steps, a row that is in view must not move.
WALK_UP = """
async (feed) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const report = { worst: 0, steps: 0, compared: 0 };
    let still = 0;
    while (still < 12 && report.steps < 400) {
        const before = feed.scrollTop;
        feed.scrollTop = before - 240;
        await frame();
        const middle = feed.getBoundingClientRect().top + feed.clientHeight / 2;
        const row = [...feed.querySelectorAll("[role=article]")].find((each) => each.getBoundingClientRect().bottom > middle);
        const text = row?.textContent;
        const top = row?.getBoundingClientRect().top;
        for (let wait = 0; wait < 4; wait++) await frame();
        const same = [...feed.querySelectorAll("[role=article]")].find((each) => each.textContent === text);
        if (same && text) report.compared += 1;
        if (same && text) report.worst = Math.max(report.worst, Math.abs(same.getBoundingClientRect().top - top));
        still = feed.scrollTop < 2 ? still + 1 : 0;
        report.steps += 1;
    }
    return report;
}
"""


# Some of many messages of two people, as an importer sends them: by the number of their conversation.
IMPORT = """
    WITH talk AS (
        SELECT conversation FROM conversations.conversation_ids WHERE conversation_id = '{talk}'
    ), people AS (
        SELECT array_agg(account ORDER BY account) AS accounts
        FROM conversations.access WHERE conversation = (SELECT conversation FROM talk)
    ), said AS (
        SELECT seq, (SELECT conversation FROM talk) AS conversation,
            (SELECT accounts[1 + seq / 7 % 2] FROM people) AS sender, {now} - ({count} - seq) * 1000 AS sent_at,
            'Line ' || seq || repeat(' and so on', (seq * 7919 % 23)::integer) || '.' AS text
        FROM generate_series({first}::bigint, {last}::bigint) AS seq
    )
    SELECT cardinality(messaging.import_messages({now}, array_agg(conversation ORDER BY seq),
        array_agg(gen_random_uuid() ORDER BY seq), array_agg(sender ORDER BY seq), array_agg(1::smallint),
        array_agg(text ORDER BY seq), array_agg(sent_at ORDER BY seq)))
    FROM said
"""

# How much of a page's machine it takes: rows that are drawn, nodes of the document, megabytes of JavaScript.
TAKEN = """(feed) => ({
    rows: feed.querySelectorAll("[role=article]").length, nodes: document.getElementsByTagName("*").length,
})"""


def long_conversation(world):
    """A conversation of 100,000 messages opens, scrolls and comes to its end with few rows drawn and little memory."""
    count, depth = 100_000, int(os.environ.get("PARLEY_TEST_DEPTH", "1500"))
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    talk = zoe.page.url.rsplit("/", 1)[-1]
    zoe.close()
    bob.close()
    now = time.time_ns() // 1000
    for first in range(1, count, 5000):
        last = first + 4999
        imported = world.cluster.query(IMPORT.format(talk=talk, count=count, first=first, last=last, now=now))
        assert imported == "5000", imported

    # On new devices: those from before would first read what they missed.
    zoe = world.person("Zoe").open_as(zoe.username)
    session = zoe.context.new_cdp_session(zoe.page)

    def taken(feed):
        session.send("HeapProfiler.collectGarbage")
        found = feed.evaluate(TAKEN)
        found["megabytes"] = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
        return found

    began = time.monotonic()
    zoe.go(bob)
    expect(zoe.message(f"Line {count}")).to_be_visible()
    opened = time.monotonic() - began
    feed = zoe.page.get_by_role("feed", name="Messages")
    first = taken(feed)
    assert first["rows"] < 120 and first["nodes"] < 4000, first
    assert first["megabytes"] < 60, first

    # Up through many pages: what is in view stays, what is drawn stays little, and memory grows by what was read alone.
    began = time.monotonic()
    walked = feed.evaluate(FAR_UP, depth)
    scrolled = time.monotonic() - began
    assert walked["read"] >= depth, walked
    assert walked["worst"] <= 1.5 and walked["compared"] > 20, f"a row jumped by {walked['worst']} pixels: {walked}"
    assert walked["rows"] < 120 and walked["nodes"] < 4000, walked
    far = taken(feed)
    assert far["rows"] < 120 and far["nodes"] < 4000, far
    grown = (far["megabytes"] - first["megabytes"]) * 1e6 / walked["read"]
    assert grown < 8000 and far["megabytes"] < 120, f"{grown} bytes for each message that was read: {far}"

    # What arrives meanwhile moves nothing; the way to the end is one click, and back at most what was read is drawn.
    bob = world.person("Bob").open_as(bob.username)
    bob.go(zoe)
    bob.write("The newest")
    button = zoe.page.get_by_role("button", name="Go to the end, 1 unread")
    expect(button).to_be_visible()
    began = time.monotonic()
    button.click()
    expect(zoe.message("The newest")).to_be_visible()
    jumped = time.monotonic() - began
    at_end = taken(feed)
    assert at_end["rows"] < 120 and at_end["nodes"] < 4000 and at_end["megabytes"] < 120, at_end

    # Opened again, it shows what is stored without reading it all.
    zoe.page.reload()
    expect(zoe.message("The newest")).to_be_visible()
    again = taken(zoe.page.get_by_role("feed", name="Messages"))
    assert again["rows"] < 120 and again["megabytes"] < 60, again
    print(f"  opened in {opened:.1f} s, {walked['read']} messages up in {scrolled:.1f} s, to the end in {jumped:.1f} s; "
          f"MB of JavaScript: {first['megabytes']:.1f}, {far['megabytes']:.1f}, {at_end['megabytes']:.1f}, "
          f"{again['megabytes']:.1f}; {grown:.0f} bytes a message; at most {walked['rows']} rows, "
          f"{walked['nodes']} nodes", flush=True)


# Scrolls up until so many messages are read. Between two steps a row that is in view must not move.
FAR_UP = """
async (feed, depth) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const rows = () => [...feed.querySelectorAll("[role=article]")];
    const number = (row) => Number(/Line (\d+)/.exec(row?.textContent ?? "")?.[1] ?? NaN);
    const newest = Math.max(...rows().map(number).filter((each) => !isNaN(each)));
    const report = { worst: 0, compared: 0, steps: 0, read: 0, rows: 0, nodes: 0 };
    const end = Date.now() + 240_000;
    while (report.read < depth && Date.now() < end) {
        feed.scrollTop -= feed.clientHeight * 0.8;
        await frame();
        const middle = feed.getBoundingClientRect().top + feed.clientHeight / 2;
        const row = rows().find((each) => each.getBoundingClientRect().bottom > middle);
        const [which, top] = [number(row), row?.getBoundingClientRect().top];
        for (let wait = 0; wait < 3; wait++) await frame();
        const same = rows().find((each) => number(each) === which);
        if (same) report.compared += 1;
        if (same) report.worst = Math.max(report.worst, Math.abs(same.getBoundingClientRect().top - top));
        report.rows = Math.max(report.rows, rows().length);
        report.nodes = Math.max(report.nodes, document.getElementsByTagName("*").length);
        report.read = newest - Math.min(...rows().map(number).filter((each) => !isNaN(each)));
        report.steps += 1;
    }
    return report;
}
"""


def killed_gateway(world):
    """A hundred messages are sent while the gateway is killed twice: all arrive, once and in order."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    for number in range(100):
        zoe.write(f"Number {number}!")
        if number in (30, 70):
            world.cluster.kill("gateway")
    expect(bob.message("Number 99!")).to_be_visible()
    expect(zoe.message("Number 99!").get_by_role("img", name="Read")).to_be_visible()
    seen = zoe.page.get_by_role("feed", name="Messages").evaluate(COLLECT)
    numbers = [line for line in seen if line.startswith("Number")]
    assert numbers == [f"Number {number}!" for number in range(100)], numbers


# The text of every row from the beginning to the end.
COLLECT = """
async (feed) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)));
    const found = new Map();
    const take = () => {
        for (const row of feed.querySelectorAll("[role=article]")) {
            const words = row.querySelector("[dir]");
            if (words) found.set(Number(row.getAttribute("aria-posinset")), words.textContent);
        }
    };
    for (let at = 0, tries = 0; tries < 30; tries++) {
        feed.scrollTop = 0;
        await frame();
        if (feed.querySelector('[aria-setsize]:not([aria-setsize="-1"])') && feed.scrollTop < 2) break;
    }
    for (let last = -1; feed.scrollTop !== last;) {
        last = feed.scrollTop;
        take();
        feed.scrollTop += feed.clientHeight / 2;
        await frame();
    }
    take();
    return [...found].sort((one, other) => one[0] - other[0]).map((each) => each[1]);
}
"""


def no_network(world):
    """Without a network the page opens, says so, keeps what is written, and sends it later."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.page.wait_for_function("navigator.serviceWorker?.controller || navigator.serviceWorker?.ready.then(() => true)")
    zoe.context.set_offline(True)
    expect(zoe.page.get_by_role("status").filter(has_text="You are offline.")).to_be_visible()
    zoe.write("Written on a train")
    expect(zoe.message("Written on a train").get_by_role("img", name="Waiting to be sent")).to_be_visible()
    expect(zoe.page.get_by_role("status").filter(has_text="1 message is not sent yet.")).to_be_visible()
    zoe.context.set_offline(False)
    expect(bob.message("Written on a train")).to_be_visible()
    zoe.context.set_offline(True)
    zoe.page.reload()
    expect(zoe.page.get_by_role("heading", name="Zoe")).to_be_visible()
    zoe.context.set_offline(False)


def half_sent(world):
    """Ten messages wait without a network when the tab is closed: opened again, each is sent once and in order."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.context.set_offline(True)
    for number in range(10):
        zoe.write(f"Unsent {number}.")
    expect(zoe.message("Unsent 9.").get_by_role("img", name="Waiting to be sent")).to_be_visible()
    address = zoe.page.url
    zoe.page.close()
    zoe.page = zoe.tab()
    zoe.context.set_offline(False)
    zoe.page.goto(address)
    expect(bob.message("Unsent 9.")).to_be_visible()
    seen = bob.page.get_by_role("feed", name="Messages").evaluate(COLLECT)
    assert [line for line in seen if line.startswith("Unsent")] == [f"Unsent {number}." for number in range(10)], seen


WRITE_FIVE = """(round) => {
    const field = document.querySelector("textarea");
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
    for (let number = 0; number < 5; number++) {
        set.call(field, `Round ${round}, ${number}.`);
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    }
}"""


def closed_at_once(world):
    """What is written in the moment before the tab is closed is there when it is opened again."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.page.wait_for_function("navigator.serviceWorker?.controller || navigator.serviceWorker?.ready.then(() => true)")
    zoe.context.set_offline(True)
    address = zoe.page.url
    for number in range(15):
        zoe.page.evaluate(WRITE_FIVE, number)
        zoe.page.close()
        zoe.page = zoe.tab()
        zoe.page.goto(address)
        expect(zoe.message(f"Round {number}, 4.")).to_be_visible()
    zoe.context.set_offline(False)
    expect(bob.message("Round 14, 4.")).to_be_visible()


def two_tabs(world):
    """Two tabs show the same; when the one that holds the connection is closed, the other takes over."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    first, second = zoe.page, zoe.tab()
    second.goto(first.url)
    expect(zoe.message("Hello!", second)).to_be_visible()
    zoe.write("From the second tab", second)
    expect(zoe.message("From the second tab", first)).to_be_visible()
    expect(bob.message("From the second tab")).to_be_visible()
    bob.write("To both")
    for tab in (first, second):
        expect(zoe.message("To both", tab)).to_be_visible()
    first.close()
    zoe.page = second
    bob.write("To the one that is left")
    expect(zoe.message("To the one that is left")).to_be_visible()
    zoe.write("And back")
    expect(bob.message("And back")).to_be_visible()


def draft(world):
    """What was begun is still there after the page was loaded anew, and in its own conversation alone."""
    zoe, bob, ada = (world.person(name).register() for name in ("Zoe", "Bob", "Ada"))
    befriend(zoe, bob)
    befriend(zoe, ada)
    zoe.page.get_by_role("textbox", name="Message").fill("Dear Ada, I")
    zoe.go(bob)
    expect(zoe.page.get_by_role("textbox", name="Message")).to_have_value("")
    zoe.page.reload()
    zoe.go(ada)
    expect(zoe.page.get_by_role("textbox", name="Message")).to_have_value("Dear Ada, I")


def signed_out_elsewhere(world):
    """Somebody who is signed out on this device is told so, and nothing of theirs stays."""
    zoe = world.person("Zoe").register()
    wrong = world.person("Bob").open()
    wrong.sign_in("nobody-at-all", "not the password")
    expect(wrong.page.get_by_role("alert")).to_be_visible()
    world.cluster.parley("login", zoe.username, profile=zoe.username)
    world.cluster.parley("logout", "--everywhere", profile=zoe.username)
    expect(zoe.page.get_by_role("alert")).to_contain_text("Sign in again")
    expect(zoe.page.get_by_role("form", name="Sign in")).to_be_visible()


def other_pages(world):
    """A page of another origin can use nothing of a session that is signed in."""
    zoe = world.person("Zoe").register()
    with Elsewhere(world.cluster.page) as address:
        page = zoe.tab()
        page.goto(address)
        page.wait_for_function("window.results?.done", timeout=90_000)
        results = page.evaluate("window.results")
        framed = [frame.url for frame in page.frames[1:]]
        opened = [each.url for each in zoe.context.pages if each not in (page, zoe.page)]
        zoe.problems.clear()
        page.close()
    assert results["socket"] == "closed", results
    assert results["fetch"] == "refused", results
    assert results["upload"] == "refused", results
    assert framed and not any(url.startswith(world.cluster.page) for url in framed), framed
    assert opened == [world.cluster.page + "/"], opened
    assert results["opener"] == "cut", results
    assert results["worker"] == "refused", results
    expect(zoe.page.get_by_role("heading", name="Zoe")).to_be_visible()


ATTACK = """<!doctype html><meta charset="utf-8"><title>elsewhere</title><script>
const at = "%s";
const results = window.results = {};
const soon = (promise) => Promise.race([promise, new Promise((done) => setTimeout(done, 4000, "silent"))]);
(async () => {
    results.socket = await soon(new Promise((done) => {
        const socket = new WebSocket(at.replace("http", "ws") + "/v1/socket", "parley.v1");
        socket.onopen = () => done("open");
        socket.onclose = () => done("closed");
    }));
    results.fetch = await fetch(at + "/health").then(() => "read", () => "refused");
    results.upload = await fetch(at + "/v1/files/x", { method: "PATCH", body: "x", headers: { "Upload-Offset": "0" } })
        .then(() => "read", () => "refused");
    await soon(new Promise((done) => {
        const frame = document.createElement("iframe");
        frame.onload = done;
        frame.src = at + "/";
        document.documentElement.append(frame);
    }));
    const opened = open(at + "/");
    await new Promise((done) => setTimeout(done, 2000));
    results.opener = !opened || opened.closed ? "cut" : "held";
    results.worker = await navigator.serviceWorker.register(at + "/worker.js").then(
        () => "registered", () => "refused");
    results.done = true;
})();
</script>"""


class Elsewhere:
    """A page on another port."""

    def __init__(self, target):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = (ATTACK % target).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def accessible(world):
    """axe finds nothing serious in any state, by day and by night."""
    from axe_playwright_python.sync_playwright import Axe
    axe, found = Axe(), []

    def check(person, state):
        report = axe.run(person.page).response
        found.extend(f"{state}: {each['id']} ({each['impact']}): {each['nodes'][0]['html'][:160]}"
                     for each in report["violations"] if each["impact"] in ("serious", "critical"))

    for dark in (False, True):
        zoe, bob = world.person("Zoe", dark=dark), world.person("Bob", dark=dark)
        zoe.open()
        expect(zoe.page.get_by_role("form", name="Sign in")).to_be_visible()
        check(zoe, "signing in")
        zoe.register()
        check(zoe, "empty")
        bob.register()
        zoe.find(bob)
        zoe.write("Hello Bob, see https://example.com")
        expect(bob.row(zoe)).to_be_visible()
        check(bob, "a request")
        bob.go(zoe)
        check(bob, "an answer")
        bob.page.get_by_role("button", name="Accept").click()
        bob.write("Hi!")
        expect(zoe.message("Hi!")).to_be_visible()
        check(zoe, "a conversation")
        zoe.page.get_by_role("button", name="New conversation").click()
        check(zoe, "finding")
        zoe.page.keyboard.press("Escape")
        zoe.page.get_by_role("main").get_by_role("button", name="Conversation", exact=True).click()
        check(zoe, "a menu")
        zoe.page.get_by_role("menuitem", name="New event").click()
        form = zoe.page.get_by_role("form", name="New event")
        check(zoe, "a new event")
        form.get_by_label("What").fill("Dinner")
        form.get_by_role("button", name="Invite").click()
        expect(bob.page.get_by_role("region", name="Event: Dinner").get_by_role("button", name="Maybe")).to_be_visible()
        check(bob, "an event")
        for name in ("Agenda", "Settings", "Keyboard", "Your profile"):
            zoe.page.get_by_role("button", name="Account").click()
            zoe.page.get_by_role("menuitem", name=name).click()
            expect(zoe.page.get_by_role("dialog", name=name)).to_be_visible()
            check(zoe, name)
            zoe.page.keyboard.press("Escape")
        zoe.page.get_by_role("button", name="Record a voice message").click()
        expect(zoe.page.get_by_role("timer")).to_have_text("0:01")
        check(zoe, "a voice message")
        zoe.page.keyboard.press("Escape")
        zoe.page.keyboard.press("Control+k")
        zoe.page.get_by_role("dialog", name="Search").get_by_text("By whom, what and when").click()
        check(zoe, "searching")
    assert not found, "\n".join(found)


def narrow(world):
    """At every width from 360 to 1,600 pixels nothing is cut off, and all can be reached."""
    zoe, bob = world.person("Zoe", width=360, height=640).register(), world.person("Bob").register()
    befriend(zoe, bob)
    expect(zoe.page.get_by_role("navigation", name="Conversations")).not_to_be_visible()
    zoe.page.get_by_role("button", name="Back to the list").click()
    expect(zoe.row(bob)).to_be_visible()
    zoe.go(bob)
    for width in (360, 480, 719, 720, 1024, 1600):
        zoe.page.set_viewport_size({"width": width, "height": 640})
        expect(zoe.page.get_by_role("textbox", name="Message")).to_be_in_viewport(ratio=1)
        expect(zoe.message("Hello!")).to_be_in_viewport()
        wide = zoe.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"at {width} the page is {wide} pixels too wide"
        # Nor from right to left.
        wide = zoe.page.evaluate("""() => {
            document.documentElement.dir = "rtl";
            const wide = document.documentElement.scrollWidth - innerWidth;
            document.documentElement.dir = "";
            return wide;
        }""")
        assert wide <= 0, f"at {width}, from right to left, the page is {wide} pixels too wide"


ALL = [
    first_words, changes, requests, hostile_text, refused_text, older, long_conversation, killed_gateway, no_network,
    half_sent, closed_at_once, two_tabs, draft, signed_out_elsewhere, other_pages, accessible, narrow,
]
