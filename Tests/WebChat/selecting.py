"""What people do with several messages, and how they find an old one."""
import datetime
import re

from playwright.sync_api import expect

from person import befriend
from talking import choose


def selecting(world):
    """M8 M10 M13: several messages are selected by menu, mouse and keys, then forwarded, starred, copied, deleted."""
    zoe, bob, ada = (world.person(name).register() for name in ("Zoe", "Bob", "Ada"))
    befriend(zoe, ada)
    befriend(zoe, bob)
    zoe.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=world.cluster.page)
    for text in ("One", "Two", "Three", "Four"):
        zoe.write(text)
    expect(zoe.message("Four").get_by_role("img", name=re.compile("Sent|Delivered|Read"))).to_be_visible()
    bob.write("Five")
    expect(zoe.message("Five")).to_be_visible()
    bar = zoe.page.get_by_role("toolbar", name="Selected messages")

    def box(text):
        return zoe.message(text).get_by_role("checkbox", name="Selected")

    # By the menu, then by clicks; it stands where one writes.
    choose(zoe, "Three", "Select")
    expect(bar.get_by_role("status")).to_have_text("1 message selected")
    expect(zoe.page.get_by_role("form", name="Write")).to_have_count(0)
    zoe.message("One").get_by_text("One").click()
    box("Four").check()
    box("Four").uncheck()
    expect(box("One")).to_be_checked()
    expect(bar.get_by_role("status")).to_have_text("2 messages selected")
    bar.get_by_role("button", name="Copy").click()
    expect(bar).to_have_count(0)
    assert zoe.page.evaluate("navigator.clipboard.readText()") == "One\nThree"
    choose(zoe, "Three", "Select")
    zoe.message("One").get_by_text("One").click()
    bar.get_by_role("button", name="Forward …").click()
    dialog = zoe.page.get_by_role("dialog", name="Forward")
    expect(dialog).to_contain_text("2 messages, in their order.")
    dialog.get_by_role("listitem").filter(has_text="Ada").get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Forward", exact=True).click()
    expect(ada.message("Three")).to_be_visible()
    texts = ada.messages().all_inner_texts()
    assert texts.index(next(each for each in texts if "One" in each)) < len(texts) - 1, texts

    # By keys alone: X selects, the arrows go on, Escape ends it.
    feed = zoe.page.get_by_role("feed", name="Messages")
    feed.focus()
    zoe.page.keyboard.press("ArrowUp")
    expect(zoe.message("Five")).to_be_focused()
    for key in ("x", "ArrowUp", "x"):
        zoe.page.keyboard.press(key)
    expect(bar.get_by_role("status")).to_have_text("2 messages selected")
    expect(bar.get_by_role("button", name="Delete for everyone …")).to_have_count(0)
    zoe.page.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    zoe.message("Five").focus()
    for key in ("x", "ArrowUp", "x"):
        zoe.page.keyboard.press(key)
    bar.get_by_role("button", name="Star").click()
    for text in ("Four", "Five"):
        expect(zoe.message(text).get_by_role("img", name="Starred")).to_be_visible()

    # Deleting asks first.
    choose(zoe, "Two", "Select")
    zoe.message("One").get_by_text("One").click()
    bar.get_by_role("button", name="Delete for everyone …").click()
    sure = zoe.page.get_by_role("group", name="Delete 2 messages")
    sure.get_by_role("button", name="Cancel").click()
    expect(bob.message("Two")).to_be_visible()
    bar.get_by_role("button", name="Delete for everyone …").click()
    sure.get_by_role("button", name="Delete 2 messages").click()
    expect(bob.message("Message deleted")).to_have_count(2)
    choose(zoe, "Four", "Select")
    zoe.message("Five").get_by_text("Five").click()
    bar.get_by_role("button", name="Delete for me …").click()
    sure.get_by_role("button", name="Delete 2 messages").click()
    expect(zoe.message("Five")).to_have_count(0)
    expect(zoe.message("Four")).to_have_count(0)
    expect(bob.message("Four")).to_be_visible()


AGED = """
    UPDATE messaging.messages AS m
    SET sent_at = m.sent_at - (60 - substring(m.text FROM ' ([0-9]+) th')::bigint) * 86400000000
    WHERE m.text ~ '^{mark} [0-9]+ th'
"""


def dates(world):
    """M14: a date leads to its first message, or the next one, however far above; a date after all says so."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    mark = zoe.username
    for number in range(1, 61):
        zoe.write(f"{mark} {number} th")
    expect(bob.message(f"{mark} 60 th")).to_be_visible()
    world.cluster.query(AGED.format(mark=mark))
    # On a new device, which has kept nothing.
    zoe = world.person("Zoe").open_as(zoe.username)
    zoe.go(bob)
    expect(zoe.message(f"{mark} 60 th")).to_be_visible()

    def go(day):
        zoe.page.get_by_role("main").get_by_role("button", name="Conversation", exact=True).click()
        zoe.page.get_by_role("menuitem", name="Go to a date …").click()
        dialog = zoe.page.get_by_role("dialog", name="Go to a date")
        dialog.get_by_label("Date", exact=True).fill(day.isoformat())
        dialog.get_by_role("button", name="Go").click()
        return dialog

    today = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=1))).date()
    go(today - datetime.timedelta(days=55))
    expect(zoe.message(f"{mark} 5 th")).to_be_in_viewport()
    go(today - datetime.timedelta(days=5000))
    expect(zoe.message(f"{mark} 1 th")).to_be_in_viewport()
    dialog = go(today + datetime.timedelta(days=2))
    expect(dialog.get_by_role("alert")).to_have_text("Nobody has written on that day or later.")


ALL = [selecting, dates]
