"""Requests, groups and one's own account, as people do it."""
from playwright.sync_api import expect

from person import befriend


def group(owner, name, people):
    """Makes a group by the page. Those who wrote with its owner are members at once."""
    page = owner.page
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("dialog", name="New conversation").get_by_role("button", name="New group").click()
    dialog = page.get_by_role("dialog", name="New group")
    dialog.get_by_label("Name of the group").fill(name)
    for person in people:
        dialog.get_by_label("Name or username").fill(person.username)
        dialog.get_by_role("list", name="People").get_by_role("button", name=person.username).click()
        expect(dialog.get_by_role("list", name="Chosen")).to_contain_text(person.name)
    dialog.get_by_role("button", name="Create group").click()
    expect(page.get_by_role("main", name=f"Conversation with {name}")).to_be_visible()


def about(person):
    """Opens what the conversation on the screen is."""
    person.page.get_by_role("main").get_by_role("button", name="Conversation", exact=True).click()
    person.page.get_by_role("menuitem", name="About the").click()
    return person.page.get_by_role("dialog", name="About the")


def section(person, name):
    return person.page.get_by_role("dialog").get_by_role("region", name=name)


def reported(world):
    """R2 R3 C13: requests are counted, new ones apart, and one is reported and blocked at once."""
    zoe, eve = world.person("Zoe").register(), world.person("Eve").register()
    eve.find(zoe)
    eve.write("Buy my watches!")
    requests = zoe.page.get_by_role("region", name="Requests")
    expect(requests.get_by_role("heading")).to_contain_text("Requests 1")
    expect(requests.get_by_role("heading")).to_contain_text("1 new")
    expect(requests.get_by_role("link", name="Eve")).to_contain_text("Buy my watches!")
    zoe.row(eve).click()
    expect(requests.get_by_role("heading")).not_to_contain_text("new")
    zoe.page.get_by_role("region", name="Request", exact=True).get_by_role("button", name="Report").click()
    dialog = zoe.page.get_by_role("dialog", name="Report Eve")
    dialog.get_by_label("What is wrong").select_option("Spam")
    dialog.get_by_label("More about it").fill("Sells watches.")
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Report").click()
    expect(zoe.page.get_by_role("dialog", name="Reported")).to_be_visible()
    zoe.page.get_by_role("dialog", name="Reported").get_by_role("button", name="Close").last.click()
    expect(requests).to_have_count(0)
    zoe.page.get_by_role("button", name="Account").click()
    zoe.page.get_by_role("menuitem", name="Settings").click()
    blocked = section(zoe, "Blocked people")
    expect(blocked.get_by_role("listitem")).to_contain_text("Eve")
    blocked.get_by_role("button", name="Unblock Eve").click()
    expect(blocked).to_contain_text("You block nobody.")


def groups(world):
    """C9 C14 C17: a group is made of a friend and a stranger, who is asked first; roles change, its owner leaves."""
    zoe, bob, eve = (world.person(name).register() for name in ("Zoe", "Bob", "Eve"))
    befriend(zoe, bob)
    group(zoe, "Walks", [bob, eve])
    zoe.write("Saturday at nine?")
    title = "Conversation with Walks"

    # The stranger is told who invites, and sees nothing until they accept.
    eve.page.get_by_role("navigation").get_by_role("link", name="Walks").click()
    expect(eve.page.get_by_role("region", name="Request", exact=True)).to_contain_text("Zoe invites you into the group")
    expect(eve.message("Saturday at nine?")).to_have_count(0)
    dialog = about(zoe)
    invited = dialog.get_by_role("region", name="Invited")
    expect(invited.get_by_role("listitem")).to_contain_text("Eve")
    zoe.page.keyboard.press("Escape")
    eve.page.get_by_role("button", name="Accept").click()
    expect(eve.page.get_by_role("textbox", name="Message")).to_be_visible()

    # Who chooses the same people again is led to the group.
    zoe.page.get_by_role("button", name="New conversation").click()
    zoe.page.get_by_role("dialog").get_by_role("button", name="New group").click()
    dialog = zoe.page.get_by_role("dialog", name="New group")
    for person in (bob, eve):
        dialog.get_by_label("Name or username").fill(person.username)
        dialog.get_by_role("list", name="People").get_by_role("button", name=person.username).click()
    same = dialog.get_by_role("region", name="A conversation with exactly these people")
    same.get_by_role("button", name="Walks").click()
    expect(zoe.page.get_by_role("main", name=title)).to_be_visible()

    # Bob becomes an admin, renames it, then owns it; Zoe leaves and can still read.
    dialog = about(zoe)
    members = dialog.get_by_role("list", name="Members")
    expect(members.get_by_role("listitem")).to_have_count(3)
    members.get_by_role("button", name="For Bob").click()
    zoe.page.get_by_role("menuitem", name="Make admin").click()
    expect(members.get_by_role("listitem").filter(has_text="Bob")).to_contain_text("Admin")
    bob.page.get_by_role("navigation").get_by_role("link", name="Walks").click()
    theirs = about(bob)
    theirs.get_by_role("button", name="Change name or photo").click()
    theirs.get_by_label("Name of the group").fill("Long walks")
    theirs.get_by_role("button", name="Save").click()
    expect(zoe.page.get_by_role("main", name="Conversation with Long walks")).to_be_attached()
    members.get_by_role("button", name="For Bob").click()
    zoe.page.get_by_role("menuitem", name="Make owner").click()
    expect(members.get_by_role("listitem").filter(has_text="Bob")).to_contain_text("Owner")
    dialog.get_by_role("button", name="Leave the group").click()
    dialog.get_by_role("group", name="Leave the group").get_by_role("button", name="Leave the group").click()
    expect(eve.message("Zoe left")).to_be_visible()


def profile(world):
    """A3 A1: who registered without a name sets up a profile; it is changed, and another device is signed out."""
    dana = world.person("Dana")
    dana.open()
    page = dana.page
    page.get_by_role("button", name="Create an account").click()
    form = page.get_by_role("form", name="Create an account")
    form.get_by_label("Username").fill(dana.username)
    form.get_by_label("Password").fill("correct horse battery")
    form.get_by_role("button", name="Create account").click()
    welcome = page.get_by_role("dialog", name="Welcome to Parley")
    welcome.get_by_label("Name", exact=True).fill("Dana")
    welcome.get_by_role("button", name="Save").click()
    expect(welcome).to_have_count(0)
    expect(page.get_by_role("heading", name="Dana", exact=True)).to_be_visible()
    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitem", name="Your profile").click()
    dialog = page.get_by_role("dialog", name="Your profile")
    dialog.get_by_label("Name", exact=True).fill("Dana Lindqvist")
    dialog.get_by_label("Address of a photo").fill("https://example.com/dana.jpg")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("heading", name="Dana Lindqvist")).to_be_visible()

    other = world.person("Dana Lindqvist")
    other.open_as(dana.username)
    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitem", name="Settings").click()
    devices = section(dana, "Your devices").get_by_role("listitem")
    expect(devices).to_have_count(2)
    devices.get_by_role("button", name="Sign out").click()
    section(dana, "Your devices").get_by_role("button", name="Sign it out").click()
    expect(devices).to_have_count(1)
    expect(other.page.get_by_role("form", name="Sign in")).to_be_visible()


def put_away(world):
    """C8 R8: a conversation is muted, put away and brought back, and marked as unread, by its owner alone."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)

    def choose(name):
        zoe.page.get_by_role("main").get_by_role("button", name="Conversation", exact=True).click()
        zoe.page.get_by_role("menuitem", name=name, exact=True).click()

    choose("Mute")
    expect(zoe.row(bob).get_by_role("img", name="Muted")).to_be_visible()
    choose("Unmute")
    expect(zoe.row(bob).get_by_role("img", name="Muted")).to_have_count(0)
    choose("Mark as unread")
    expect(zoe.row(bob).get_by_role("img", name="Marked as unread")).to_be_visible()
    zoe.go(bob)
    expect(zoe.row(bob).get_by_role("img", name="Marked as unread")).to_have_count(0)
    elsewhere = world.person("Zoe").open_as(zoe.username)
    expect(elsewhere.row(bob)).to_be_visible()
    expect(elsewhere.row(bob).get_by_role("img", name="Marked as unread")).to_have_count(0)
    choose("Archive")
    expect(zoe.row(bob)).to_have_count(0)
    zoe.page.get_by_role("button", name="Account").click()
    zoe.page.get_by_role("menuitem", name="Archived conversations").click()
    dialog = zoe.page.get_by_role("dialog", name="Archived conversations")
    dialog.get_by_role("button", name="Bring Bob back").click()
    expect(zoe.row(bob)).to_be_attached()
    zoe.page.keyboard.press("Escape")
    expect(zoe.row(bob)).to_be_visible()


ALL = [reported, groups, profile, put_away]
