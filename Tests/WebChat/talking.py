"""What people do with messages besides writing them."""
from playwright.sync_api import expect

from people import group
from person import befriend


def choose(person, text, name, page=None):
    """Opens the menu of a message by the right button, and chooses from it."""
    person.message(text, page).get_by_text(text).first.click(button="right")
    (page or person.page).get_by_role("menuitem", name=name, exact=True).click()


def menu(person, text):
    person.message(text).get_by_text(text).first.click(button="right")
    return person.page.get_by_role("menu", name="Message")


def answers(world):
    """M9: a message is answered with a quote that leads to it, and its thread is read and written beside it."""
    zoe, bob = world.person("Zoe", width=1400).register(), world.person("Bob").register()
    befriend(zoe, bob)
    bob.write("Which train do we take?")
    expect(zoe.message("Which train")).to_be_visible()
    choose(zoe, "Which train do we take?", "Reply")
    expect(zoe.page.get_by_role("form", name="Write")).to_contain_text("Answering Bob: Which train")
    zoe.write("The one at eight")
    expect(bob.message("The one at eight").get_by_role("button", name="Answers You: Which train")).to_be_visible()
    expect(bob.message("Which train").first.get_by_role("button", name="1 reply")).to_be_visible()
    bob.message("Which train").first.get_by_role("button", name="1 reply").click()
    thread = bob.page.get_by_role("complementary", name="Thread")
    lines = thread.get_by_role("list", name="Messages of the thread")
    expect(lines.get_by_text("The one at eight")).to_be_visible()
    thread.get_by_role("textbox", name="Answer").fill("Too early!")
    thread.get_by_role("textbox", name="Answer").press("Enter")
    expect(lines.get_by_text("Too early!")).to_be_visible()
    expect(zoe.message("Which train").first.get_by_role("button", name="2 replies")).to_be_visible()
    zoe.message("Too early!").get_by_role("button", name="Answers Bob: Which train").click()
    thread.get_by_role("button", name="Close the thread").click()
    expect(thread).to_have_count(0)


def reactions(world):
    """M12: a message gets reactions from the menu and from all emoji, with a skin tone, and they are taken back."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.write("I passed!")
    expect(bob.message("I passed!")).to_be_visible()
    menu(bob, "I passed!").get_by_role("menuitem", name="React with 👍").click()
    mine = zoe.message("I passed!").get_by_role("list", name="Reactions")
    expect(mine.get_by_role("button", name="👍 1")).to_be_visible()
    mine.get_by_role("button", name="👍 1").click()
    expect(bob.message("I passed!").get_by_role("button", name="👍 2")).to_be_visible()
    menu(bob, "I passed!").get_by_role("menuitem", name="React with another emoji").click()
    dialog = bob.page.get_by_role("dialog", name="Choose an emoji")
    dialog.get_by_label("Skin tone").select_option("Dark")
    dialog.get_by_label("Name of an emoji").fill("clapping hands")
    dialog.get_by_role("group", name="Emoji", exact=True).get_by_role("button", name="clapping hands").click()
    expect(mine.get_by_role("button", name="👏🏿 1")).to_be_visible()
    bob.message("I passed!").get_by_role("button", name="👏🏿 1").click()
    expect(mine.get_by_role("button", name="👏🏿")).to_have_count(0)
    choose(zoe, "I passed!", "Details")
    details = zoe.page.get_by_role("dialog", name="About this message")
    expect(details.get_by_role("list", name="Reactions").get_by_role("listitem")).to_have_count(2)
    expect(details.get_by_role("list", name="Read by")).to_contain_text("Bob")


def mentions(world):
    """M10 M11: names are completed behind an @, and mentions and stars are found again in lists of their own."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    group(zoe, "Kitchen", [bob])
    bob.page.get_by_role("navigation").get_by_role("link", name="Kitchen").click()
    # What is typed before it is shown belongs to the conversation before.
    expect(bob.page.get_by_role("main", name="Conversation with Kitchen")).to_be_visible()
    field = bob.page.get_by_role("textbox", name="Message")
    field.press_sequentially("Thank you @zo")
    offered = bob.page.get_by_role("listbox", name="People to mention").get_by_role("option", name="Zoe")
    expect(offered).to_have_attribute("aria-selected", "true")
    field.press("Enter")
    expect(field).to_have_value("Thank you @Zoe ")
    field.press_sequentially("for the soup")
    field.press("Enter")
    expect(zoe.message("Thank you @Zoe for the soup")).to_be_visible()
    choose(zoe, "Thank you", "Star")
    expect(zoe.message("Thank you").get_by_role("img", name="Starred")).to_be_visible()
    zoe.row(bob).last.click()
    for name in ("Mentions", "Starred messages"):
        zoe.page.get_by_role("button", name="Account").click()
        zoe.page.get_by_role("menuitem", name=name).click()
        dialog = zoe.page.get_by_role("dialog", name=name)
        dialog.get_by_role("list", name=name).get_by_role("button", name="Kitchen").click()
        expect(zoe.page.get_by_role("main", name="Conversation with Kitchen")).to_be_visible()
        expect(zoe.message("Thank you")).to_be_in_viewport()


def forwarded(world):
    """M13 M8: a message goes on to another chat with its author's name, its edits are read, it is hidden for one."""
    zoe, bob, ada = (world.person(name).register() for name in ("Zoe", "Bob", "Ada"))
    befriend(zoe, ada)
    befriend(zoe, bob)
    bob.write("The key is undr the mat")
    bob.page.get_by_role("textbox", name="Message").press("ArrowUp")
    bob.write("The key is under the mat")
    expect(zoe.message("under the mat")).to_contain_text("edited")
    choose(zoe, "The key is under the mat", "Forward …")
    dialog = zoe.page.get_by_role("dialog", name="Forward")
    dialog.get_by_role("listitem").filter(has_text="Ada").get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Forward", exact=True).click()
    expect(ada.message("The key is under the mat")).to_contain_text("Forwarded, first by")
    choose(zoe, "The key is under the mat", "Details")
    details = zoe.page.get_by_role("dialog", name="About this message")
    expect(details.get_by_role("list", name="Earlier texts")).to_contain_text("The key is undr the mat")
    zoe.page.keyboard.press("Escape")
    choose(zoe, "The key is under the mat", "Delete for me")
    expect(zoe.message("under the mat")).to_have_count(0)
    expect(bob.message("under the mat")).to_be_visible()


def keyboard(world):
    """T5: without a mouse somebody finds the keys, goes through messages, answers one, and moves between chats."""
    zoe, bob, ada = (world.person(name).register() for name in ("Zoe", "Bob", "Ada"))
    befriend(zoe, ada)
    befriend(zoe, bob)
    bob.write("Tea or coffee?")
    expect(zoe.message("Tea or coffee?")).to_be_visible()
    page = zoe.page
    feed = page.get_by_role("feed", name="Messages")
    feed.focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    page.keyboard.press("Escape")
    feed.focus()
    page.keyboard.press("ArrowUp")
    expect(zoe.message("Tea or coffee?")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu", name="Message")).to_be_visible()
    page.keyboard.press("Escape")
    zoe.message("Tea or coffee?").focus()
    page.keyboard.press("r")
    expect(page.get_by_role("form", name="Write")).to_contain_text("Answering Bob")
    page.keyboard.type("Tea, please")
    page.keyboard.press("Enter")
    expect(bob.message("Tea, please")).to_be_visible()
    page.keyboard.press("Alt+ArrowDown")
    expect(zoe.talk(ada)).to_be_visible()
    page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name="Search")
    dialog.get_by_label("Words").fill("coffee")
    found = dialog.get_by_role("list", name="Found").get_by_role("button", name="Bob")
    expect(found).to_contain_text("Tea or coffee?")
    found.press("Enter")
    expect(zoe.talk(bob)).to_be_visible()
    expect(zoe.message("Tea or coffee?").first).to_be_in_viewport()


def offline(world):
    """S7: replies, reactions and stars made without a network show at once, and arrive with it."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    bob.write("On the train?")
    bob.write("Call me")
    expect(zoe.message("Call me")).to_be_visible()
    # What is loaded on use was kept when the page was opened.
    zoe.page.wait_for_function("navigator.serviceWorker?.controller || navigator.serviceWorker?.ready.then(() => true)")
    zoe.context.set_offline(True)
    expect(zoe.page.get_by_role("status").filter(has_text="You are offline.")).to_be_visible()
    choose(zoe, "On the train?", "Reply")
    zoe.write("Yes, no network here")
    menu(zoe, "Call me").get_by_role("menuitem", name="React with 👍").click()
    choose(zoe, "On the train?", "Star")
    expect(zoe.message("Call me").get_by_role("button", name="👍 1")).to_be_visible()
    expect(zoe.message("On the train?").get_by_role("img", name="Starred").first).to_be_visible()
    zoe.page.get_by_role("button", name="Account").click()
    zoe.page.get_by_role("menuitem", name="Mentions").click()
    dialog = zoe.page.get_by_role("dialog", name="Mentions")
    expect(dialog.get_by_role("alert")).to_contain_text("Try again")
    zoe.page.keyboard.press("Escape")
    zoe.context.set_offline(False)
    expect(bob.message("Yes, no network here").get_by_role("button", name="Answers You")).to_be_visible()
    expect(bob.message("Call me").get_by_role("button", name="👍 1")).to_be_visible()


def filters(world):
    """M15: messages are found by whom, by what kind and by day, and lead to where they stand."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.write("The red bicycle is mine")
    bob.write("And the green bicycle is Ada's")
    expect(zoe.message("green bicycle")).to_be_visible()
    zoe.page.keyboard.press("Control+k")
    dialog = zoe.page.get_by_role("dialog", name="Search")
    dialog.get_by_label("Words").fill("bicycle")
    found = dialog.get_by_role("list", name="Found").get_by_role("listitem")
    expect(found).to_have_count(2)
    dialog.get_by_text("By whom, what and when").click()
    dialog.get_by_label("By", exact=True).select_option("Bob")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("green")
    dialog.get_by_label("By", exact=True).select_option("You")
    expect(found).to_contain_text("red")
    dialog.get_by_label("By", exact=True).select_option("Everybody")
    dialog.get_by_label("What").select_option("Pictures")
    expect(dialog.get_by_role("status")).to_have_text("No message has these words.")
    dialog.get_by_label("What").select_option("Texts")
    expect(found).to_have_count(2)
    dialog.get_by_label("To", exact=True).fill("2020-01-01")
    expect(dialog.get_by_role("status")).to_have_text("No message has these words.")
    dialog.get_by_label("To", exact=True).fill("")
    found.filter(has_text="red").get_by_role("button").click()
    expect(zoe.message("red bicycle")).to_be_in_viewport()


ALL = [answers, reactions, mentions, forwarded, keyboard, offline, filters]
