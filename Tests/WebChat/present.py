"""What people see of each other besides what they write."""
import json
import re

from playwright.sync_api import expect

from people import about, group, section
from person import befriend


def settings(person):
    person.page.get_by_role("button", name="Account").click()
    person.page.get_by_role("menuitem", name="Settings").click()
    return person.page.get_by_role("dialog", name="Settings")


def presence(world):
    """P1 P4 P5: who is there has a dot, a status is read, who hides or leaves is seen no more, with the time."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    expect(zoe.row(bob).get_by_role("img", name="Online")).to_be_visible()
    line = zoe.talk(bob).get_by_role("status").first
    expect(line).to_have_text("Online")
    dialog = settings(bob)
    dialog.get_by_role("textbox", name="Status").fill("On a boat")
    dialog.get_by_role("button", name="Set status").click()
    expect(line).to_have_text("Online · On a boat")
    dialog.get_by_label("You are").select_option("Not to be disturbed")
    expect(line).to_contain_text("Does not want to be disturbed")
    expect(zoe.row(bob).get_by_role("img", name="Does not want to be disturbed")).to_be_visible()
    dialog.get_by_label("You are").select_option("Online while you use the page")
    expect(line).to_contain_text("Online")
    dialog.get_by_label("Hidden from").select_option("Everybody")
    expect(zoe.row(bob).get_by_role("img", name="Online")).to_have_count(0)
    dialog.get_by_label("Hidden from").select_option("Nobody")
    expect(zoe.row(bob).get_by_role("img", name="Online")).to_be_visible()
    bob.page.close()
    expect(line).to_have_text(re.compile(r"Last seen \d"))
    expect(zoe.row(bob).get_by_role("img", name="Online")).to_have_count(0)


def hiding(world):
    """P5: somebody reads what hiding does, hides from all, sees from whom, and takes it back."""
    zoe, bob, eve = (world.person(name).register() for name in ("Zoe", "Bob", "Eve"))
    befriend(zoe, bob)
    group(zoe, "Walks", [bob, eve])
    eve.page.get_by_role("navigation").get_by_role("link", name="Walks").click()
    eve.page.get_by_role("button", name="Accept").click()
    expect(eve.page.get_by_role("textbox", name="Message")).to_be_visible()
    zoe.go(bob)
    expect(bob.row(zoe).get_by_role("img", name="Online")).to_be_visible()
    about(zoe)
    seen = section(zoe, "What they see of you")
    expect(seen.get_by_role("status")).to_have_text("Bob sees when you are online, and what your status says.")
    seen.get_by_role("button", name="Hide …").click()
    sure = seen.get_by_role("group", name="Hide from everybody")
    expect(sure).to_contain_text("and not from one person alone: Bob and all others see you as offline")
    sure.get_by_role("button", name="Cancel").click()
    expect(bob.row(zoe).get_by_role("img", name="Online")).to_be_visible()
    seen.get_by_role("button", name="Hide …").click()
    sure.get_by_role("button", name="Hide from everybody").click()
    expect(seen.get_by_role("status")).to_have_text(
        "You hide from everybody. Bob sees you as offline, and is offline to you.")
    expect(bob.row(zoe).get_by_role("img", name="Online")).to_have_count(0)
    expect(zoe.row(bob).get_by_role("img", name="Online")).to_have_count(0)
    zoe.page.keyboard.press("Escape")
    dialog = settings(zoe)
    hidden = dialog.get_by_role("list", name="People you hide from")
    expect(hidden.get_by_role("listitem")).to_have_count(2)
    # Of a group, those whom they have not accepted.
    dialog.get_by_label("Hidden from").select_option("All whom you have not accepted")
    expect(hidden.get_by_role("listitem")).to_have_count(1)
    expect(hidden).to_contain_text("Eve")
    expect(bob.row(zoe).get_by_role("img", name="Online")).to_be_visible()
    dialog.get_by_role("button", name="Hide from nobody").click()
    expect(hidden).to_have_count(0)
    zoe.page.keyboard.press("Escape")
    about(zoe)
    expect(seen.get_by_role("status")).to_have_text("Bob sees when you are online, and what your status says.")


# Keeps what the page would show outside itself, where no browser with a screen is.
NOTICES = """
window.shown = [];
window.Notification = class {
    static permission = "default";
    static requestPermission() { this.permission = "granted"; return Promise.resolve("granted"); }
    constructor(title, { body, tag }) { window.shown.push({ title, body, tag, notice: this }); }
    close() {}
};
"""
HIDE = """(isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def notices(world):
    """P1 T5: notices are asked for by a click, shown of others' messages in a hidden tab, and not of muted chats."""
    zoe, bob = world.person("Zoe"), world.person("Bob").register()
    zoe.context.add_init_script(NOTICES)
    zoe.register()
    befriend(zoe, bob)

    def shown():
        return [[each["title"], each["body"]] for each in zoe.page.evaluate(
            "shown.map(({ title, body }) => ({ title, body }))")]

    def told(text):
        bob.write(text)
        expect(zoe.message(text)).to_be_visible()

    zoe.page.evaluate(HIDE, True)
    told("Before it was allowed")
    zoe.page.evaluate(HIDE, False)
    section = settings(zoe).get_by_role("region", name="Notices")
    section.get_by_role("button", name="Turn notices on").click()
    expect(section.get_by_role("button", name="Turn notices off")).to_be_visible()
    zoe.page.keyboard.press("Escape")
    told("While it is looked at")
    zoe.page.evaluate(HIDE, True)
    told("Are you there?")
    assert shown() == [["Bob", "Are you there?"]], shown()
    zoe.page.evaluate(HIDE, False)
    zoe.page.get_by_role("main").get_by_role("button", name="Conversation", exact=True).click()
    zoe.page.get_by_role("menuitem", name="Mute").click()
    expect(zoe.row(bob).get_by_role("img", name="Muted")).to_be_visible()
    zoe.page.evaluate(HIDE, True)
    told("Quietly")
    assert len(shown()) == 1, shown()
    # A click leads to the conversation.
    zoe.page.evaluate("location.hash = ''")
    zoe.page.evaluate("shown[0].notice.onclick()")
    expect(zoe.talk(bob)).to_be_visible()


def data(world):
    """A5: somebody saves all that the server has of them, with every message, and nobody else's secrets."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.write("My secret is safe")
    expect(bob.message("My secret is safe")).to_be_visible()
    dialog = settings(zoe)
    with zoe.page.expect_download() as download:
        dialog.get_by_role("button", name="Save your data").click()
    assert download.value.suggested_filename == f"parley-{zoe.username}.json"
    with open(download.value.path()) as file:
        found = json.load(file)
    assert zoe.username in json.dumps(found["profile"]), found["profile"]
    texts = [each["text"] for each in found["conversations"][0]["messages"]]
    assert texts == ["Hello!", "My secret is safe"], texts


ALL = [presence, hiding, notices, data]
