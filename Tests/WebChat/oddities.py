"""What nobody wishes for: odd names, wrong clocks, lost storage, a server that takes nothing."""
import re
import time

from playwright.sync_api import expect

from files import attach, drop, picture, slowed
from person import befriend
from present import settings

NAME = "Bob\u202egnp.exe\u2066\u200f" + "a" + "\u0301" * 50
TEXT = "\u202eturned " + "a" + "\u0301" * 300
# The server refuses both today.
RENAMED = "UPDATE conversations.accounts SET display_name = '{name}' WHERE username = '{username}'"
REWRITTEN = "UPDATE messaging.messages SET text = '{text}' WHERE text = '{mark}'"


def odd_names(world):
    """A3 C9: an old name with overrides, and a text with 300 marks, turn nothing around and cover no other line."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    bob.write(f"Old {bob.username}")
    expect(zoe.message(f"Old {bob.username}")).to_be_visible()
    bob.write("New")
    expect(zoe.message("New")).to_be_visible()
    world.cluster.query(RENAMED.format(name=NAME, username=bob.username))
    world.cluster.query(REWRITTEN.format(text=TEXT, mark=f"Old {bob.username}"))
    # On a new device, which has kept nothing.
    zoe = world.person("Zoe").open_as(zoe.username)
    row = zoe.page.get_by_role("navigation", name="Conversations").get_by_role("link", name=re.compile("Bobgnp.exe"))
    row.click()
    heading = zoe.page.get_by_role("main").get_by_role("heading", name=re.compile("Bobgnp.exe"))
    expect(heading).to_be_visible()
    shown = heading.inner_text()
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200f]", shown), ascii(shown)
    assert shown.count("\u0301") <= 8, ascii(shown)
    old = zoe.message("turned")
    expect(old).to_be_visible()
    assert 1 <= old.inner_text().count("\u0301") <= 8, ascii(old.inner_text())
    for each in (row, heading, old):
        assert each.bounding_box()["height"] < 100, each.bounding_box()


def wrong_clock(world):
    """T5: a clock that is two days ahead, or behind, is said so, and messages are sent and in order all the same."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    for days, word in ((2, "ahead"), (-2, "behind")):
        ada = world.person("Zoe")
        ada.context.clock.install(time=time.time() + days * 86_400)
        ada.open_as(zoe.username)
        expect(ada.page.get_by_role("status").filter(has_text="clock")).to_contain_text(
            f"The clock of this device is 2 days {word}.")
        ada.go(bob)
        ada.write(f"Two days {word}")
        expect(bob.message(f"Two days {word}")).to_be_visible()
        bob.write(f"Not here, {word}")
        expect(ada.messages().last).to_contain_text(f"Not here, {word}")
    assert zoe.page.get_by_role("status").filter(has_text="clock").count() == 0


def disguised(world):
    """M17 S9: a page in the dress of a picture, which the server takes for one, is saved or seen, and never runs."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    run = b"<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>" * 3
    dialog = attach(zoe, ("cat.gif", "image/gif", b"GIF89a\x40\x00\x40\x00\x00\x00\x00" + run),
                    ("dog.png", "image/png", picture(64, 64)[:37] + run))
    dialog.get_by_role("button", name="Send", exact=True).click()
    for each in (zoe, bob):
        # A browser may show the first as an empty picture; the second it cannot read at all.
        expect(each.page.get_by_role("button", name=re.compile("^(Picture: |Save )cat.gif"))).to_be_visible()
        expect(each.page.get_by_role("button", name="Save dog.png")).to_be_visible()
        expect(each.page.get_by_role("button", name="Picture: dog.png")).to_have_count(0)
        expect(each.page.get_by_role("status").filter(has_text="storage")).to_have_count(0)
    for name, file in (("cat.gif", b"GIF89a"), ("dog.png", b"\x89PNG")):
        button = bob.page.get_by_role("button", name=re.compile(f"^(Picture: |Save ){name}"))
        is_shown = button.get_attribute("aria-label").startswith("Picture")
        with bob.page.expect_download() as download:
            button.click()
            if is_shown:
                bob.page.get_by_role("dialog", name=name).get_by_role("button", name="Save").click()
        assert download.value.suggested_filename == name, download.value.suggested_filename
        with open(download.value.path(), "rb") as saved:
            assert saved.read().startswith(file)
        bob.page.keyboard.press("Escape")
    assert len(bob.context.pages) == 1
    assert bob.page.evaluate("window.hacked") is None and zoe.page.evaluate("window.hacked") is None


# Groups of two people, as an importer makes them, each with a message.
GROUPS = """
    WITH people AS (
        SELECT array_agg(account ORDER BY username = '{owner}' DESC) AS accounts
        FROM conversations.accounts WHERE username IN ('{owner}', '{other}')
    ), made AS (
        SELECT conversations.import_conversations(
            array_agg(replace(gen_random_uuid()::text, '-', '') ORDER BY n), array_agg(2::smallint),
            array_agg('Talk ' || n ORDER BY n), array_agg(accounts[1]), array_agg({now} - 86400000000 + n),
            (SELECT array_agg(o ORDER BY o, m)
             FROM generate_series(1, {count}) AS o, generate_series(1, 2) AS m),
            (SELECT array_agg(accounts[m] ORDER BY o, m)
             FROM people, generate_series(1, {count}) AS o, generate_series(1, 2) AS m)) AS ids
        FROM people, generate_series(1, {count}) AS n
    )
    SELECT cardinality(messaging.import_messages({now}, ids, array_agg(gen_random_uuid()),
        array_agg(accounts[1]), array_agg(1::smallint), array_agg('Message ' || n ORDER BY n),
        array_agg({now} - 86400000000 + n * 1000000::bigint ORDER BY n)))
    FROM made, people, generate_series(1, {count}) AS n GROUP BY ids
"""

# Goes down through the list until so many conversations were loaded, and says how long the longest step took.
DOWN = """async (list, count) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const report = { loaded: 0, rows: 0, slowest: 0 };
    for (const end = Date.now() + 150_000; report.loaded < count && Date.now() < end;) {
        const before = performance.now();
        list.scrollTop = list.scrollHeight;
        await frame();
        report.slowest = Math.max(report.slowest, performance.now() - before);
        const rows = [...list.querySelectorAll("li")];
        report.rows = Math.max(report.rows, rows.length);
        report.loaded = Math.max(report.loaded, rows.length, ...rows.map((row) => row.ariaSetSize ?? 0));
    }
    return report;
}"""


def many_conversations(world):
    """C2 T5: of 10,001 conversations the page has those that are seen, opens at once, and leads to any of them."""
    count = 10_000
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.close()
    made = world.cluster.query(GROUPS.format(
        owner=zoe.username, other=bob.username, count=count, now=time.time_ns() // 1000))
    assert made == str(count), made
    zoe, username = world.person("Zoe"), zoe.username
    asked = []
    zoe.page.on("websocket", lambda socket: socket.on(
        "framesent", lambda frame: asked.append(b"messaging.GetChanges" in frame)))
    began = time.monotonic()
    zoe.open_as(username)
    # The newest first: the one that was imported last has yesterday's time, and the friend's today's.
    expect(zoe.row(bob)).to_be_visible()
    opened = time.monotonic() - began
    list = zoe.page.get_by_role("navigation", name="Conversations")
    down = list.evaluate(DOWN, count + 1)
    assert down["loaded"] == count + 1 and down["rows"] < 150, down
    list.evaluate("(list) => { list.scrollTop = list.scrollHeight; }")
    expect(list.get_by_role("link", name=re.compile("Talk 1 "))).to_be_visible()
    list.get_by_role("link", name=re.compile("Talk 1 ")).click()
    # While a new device reads what it missed, a conversation may be empty for some seconds.
    expect(zoe.message("Message 1")).to_be_visible(timeout=90_000)
    # Rows that are not drawn take the room of those that are.
    for part in (0, 0.5, 1):
        list.evaluate("(list, part) => { list.scrollTop = part * list.scrollHeight; }", part)
        zoe.page.wait_for_timeout(200)
        height, row = list.evaluate(
            "(list) => ['ul', 'li'].map((kind) => list.querySelector(kind).getBoundingClientRect().height)")
        assert abs(height - (count + 1) * row) < row, (part, height, row)
    # Something new is shown in a list of this length, once the device has read what it missed.
    list.evaluate("(list) => { list.scrollTop = 0; }")
    expect(zoe.row(bob)).to_be_visible()
    bob.write("Still here?")
    expect(list.get_by_role("listitem").first).to_contain_text("Still here?", timeout=120_000)
    # The pages of the inbox say where each conversation stands: only what is looked at is asked about.
    assert len(asked) > 50 and sum(asked) < 20, f"{sum(asked)} of {len(asked)} requests ask about one conversation"
    zoe.page.reload()
    began = time.monotonic()
    expect(zoe.row(bob)).to_be_visible()
    again = time.monotonic() - began
    print(f"  opened in {opened:.1f} s, all loaded with steps of at most {down['slowest']:.0f} ms and {down['rows']} "
          f"rows, opened again in {again:.1f} s", flush=True)


def revoked_upload(world):
    """A1 S7: who is signed out during an upload is told so, and after signing in again the file arrives."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    session = zoe.context.new_cdp_session(zoe.page)
    session.send("Network.enable")
    slowed(session, 500_000)
    drop(zoe, bob, "film.bin", 8_000_000)
    expect(zoe.page.get_by_role("progressbar", name="Sending film.bin")).to_be_visible()
    zoe.page.wait_for_function("() => document.querySelector('progress')?.value > 0.05")
    laptop = world.person("Zoe").open_as(zoe.username)
    dialog = settings(laptop)
    dialog.get_by_role("button", name=re.compile("^Sign out ")).click()
    dialog.get_by_role("button", name="Sign it out").click()
    expect(zoe.page.get_by_role("alert")).to_contain_text("You were signed out on this device. Sign in again.")
    slowed(session, -1)
    zoe.sign_in()
    expect(bob.page.get_by_role("button", name="Save film.bin, 8 MB")).to_be_visible()


def emptied_storage(world):
    """S4 T5: the browser empties its storage under an open page: what is unsent is kept, and arrives."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.context.set_offline(True)
    zoe.write("Before it was emptied")
    expect(zoe.page.get_by_role("status").filter(has_text="not sent yet")).to_be_visible()
    session = zoe.context.new_cdp_session(zoe.page)
    session.send("Storage.clearDataForOrigin", {"origin": world.cluster.page, "storageTypes": "indexeddb"})
    zoe.write("After it was emptied")
    expect(zoe.message("Before it was emptied")).to_be_visible()
    line = zoe.page.get_by_role("status").filter(has_text="storage cannot be used")
    expect(line).to_contain_text("What you do is lost when the page closes. Reload the page.")
    zoe.context.set_offline(False)
    for text in ("Before it was emptied", "After it was emptied"):
        expect(bob.message(text)).to_have_count(1)
    expect(line).to_be_visible()
    # The tokens went, too: who signs in again has everything.
    zoe.page.reload()
    zoe.sign_in()
    zoe.go(bob)
    expect(zoe.message("After it was emptied")).to_have_count(1)


def takes_nothing(world):
    """M1 T5: while the server answers that it is unavailable, the page says so, and sends all once it is back."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    world.cluster.freeze("messaging", True)
    try:
        zoe.write("Is anybody there?")
        line = zoe.page.get_by_role("status").filter(has_text="takes no messages")
        expect(line).to_have_text("The server takes no messages at the moment. 1 message is not sent yet.")
        expect(zoe.message("Is anybody there?").get_by_role("img", name="Waiting to be sent")).to_be_visible()
        # The minute of a server that is started again.
        zoe.page.wait_for_timeout(45_000)
        expect(line).to_be_visible()
    finally:
        world.cluster.freeze("messaging", False)
    expect(bob.message("Is anybody there?")).to_have_count(1)
    expect(line).to_have_count(0)


ALL = [odd_names, wrong_clock, disguised, many_conversations, revoked_upload, emptied_storage, takes_nothing]
