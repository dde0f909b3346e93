"""What nobody wishes for: odd names, wrong clocks, lost storage, a server that takes nothing."""
import re
import time

from playwright.sync_api import expect

from files import drop, slowed
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
    expect(bob.page.get_by_role("button", name="Save film.bin, 8 MB")).to_be_visible(timeout=60_000)


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
        expect(bob.message(text)).to_have_count(1, timeout=60_000)
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
    expect(bob.message("Is anybody there?")).to_have_count(1, timeout=60_000)
    expect(line).to_have_count(0)


ALL = [odd_names, wrong_clock, revoked_upload, emptied_storage, takes_nothing]
