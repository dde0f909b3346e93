"""What people plan, decide and want to be reminded of."""
import datetime
import re

from playwright.sync_api import expect

from person import befriend
from talking import choose


def agenda(person):
    person.page.get_by_role("button", name="Account").click()
    person.page.get_by_role("menuitem", name="Agenda").click()
    return person.page.get_by_role("dialog", name="Agenda")


def plan(person, title, **fields):
    """Makes an event in the chat that is open."""
    person.page.get_by_role("main").get_by_role("button", name="Conversation", exact=True).click()
    person.page.get_by_role("menuitem", name="New event").click()
    form = person.page.get_by_role("form", name="New event")
    form.get_by_label("What").fill(title)
    form.get_by_label("How long").select_option(fields.get("length", "Not said"))
    form.get_by_label("How often").select_option(fields.get("series", "Once"))
    form.get_by_label("Where").fill(fields.get("place", ""))
    form.get_by_role("button", name="Invite").click()


def plan_dinner(person):
    plan(person, "Dinner", length="Two hours", place="Casa Mia")


def events(world):
    """E1 E2 E6 E9: an event is made in a chat, answered by one click, seen in the agenda, saved, and called off."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    plan_dinner(zoe)
    card = bob.page.get_by_role("region", name="Event: Dinner")
    expect(card).to_contain_text("Casa Mia")
    expect(card).to_contain_text("19:00–21:00")
    card.get_by_role("button", name="Going", exact=True).click()
    expect(card.get_by_role("button", name="Going", exact=True)).to_have_attribute("aria-pressed", "true")
    own = zoe.messages().get_by_role("region", name="Event: Dinner")
    expect(own).to_contain_text("2 are coming")
    dialog = agenda(bob)
    planned = dialog.get_by_role("region", name="Event: Dinner")
    planned.get_by_role("button", name="Maybe").click()
    expect(own).to_contain_text("1 is coming, 1 may")
    with bob.page.expect_download() as download:
        planned.get_by_role("button", name="For Dinner").click()
        bob.page.get_by_role("menuitem", name="Save for a calendar").click()
    with open(download.value.path()) as file:
        assert "SUMMARY:Dinner" in file.read()
    planned.get_by_role("button", name="For Dinner").click()
    bob.page.get_by_role("menuitem", name="Who is coming").click()
    who = bob.page.get_by_role("dialog", name="Who is coming to Dinner").get_by_role("list", name="Answers")
    expect(who.get_by_role("listitem").filter(has_text="Zoe")).to_contain_text("Host")
    expect(who.get_by_role("listitem").filter(has_text="You")).to_contain_text("Maybe")
    bob.page.keyboard.press("Escape")
    own.get_by_role("button", name="For Dinner").click()
    zoe.page.get_by_role("menuitem", name="Call it off").click()
    expect(card).to_contain_text("It was called off.")


def changed_event(world):
    """E2 S5: a host changes an event, without a network too, and is told what another device changed meanwhile."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    plan_dinner(zoe)

    def change(person, title):
        person.messages().get_by_role("region", name=f"Event: {title}").get_by_role("button", name="For").click()
        person.page.get_by_role("menuitem", name="Change …").click()
        return person.page.get_by_role("form", name="Change the event")

    def card(person, title):
        return person.messages().get_by_role("region", name=f"Event: {title}")

    expect(card(bob, "Dinner").get_by_role("button", name="Going", exact=True)).to_be_visible()
    card(bob, "Dinner").get_by_role("button", name="For Dinner").click()
    expect(bob.page.get_by_role("menuitem", name="Who is coming")).to_be_visible()
    expect(bob.page.get_by_role("menuitem", name="Change …")).to_have_count(0)
    bob.page.keyboard.press("Escape")
    form = change(zoe, "Dinner")
    expect(form.get_by_label("How long")).to_have_value("120")
    form.get_by_label("What").fill("Late dinner")
    form.get_by_label("Time").fill("21:30")
    form.get_by_role("button", name="Save").click()
    expect(card(bob, "Late dinner")).to_contain_text("21:30–23:30")
    expect(card(bob, "Late dinner")).to_contain_text("Casa Mia")

    laptop = world.person("Zoe").open_as(zoe.username)
    laptop.go(bob)
    expect(card(laptop, "Late dinner")).to_be_visible()
    zoe.context.set_offline(True)
    form = change(zoe, "Late dinner")
    form.get_by_label("Where").fill("At home")
    form.get_by_role("button", name="Save").click()
    expect(card(zoe, "Late dinner")).to_contain_text("At home")
    form = change(laptop, "Late dinner")
    form.get_by_label("What").fill("Supper")
    form.get_by_role("button", name="Save").click()
    expect(card(bob, "Supper")).to_contain_text("Casa Mia")
    zoe.context.set_offline(False)
    refused = card(zoe, "Supper").get_by_role("alert")
    expect(refused).to_contain_text("Others have changed the title")
    expect(card(zoe, "Supper")).to_contain_text("Casa Mia")
    refused.get_by_role("button", name="Try again").click()
    expect(card(bob, "Supper")).to_contain_text("At home")
    expect(refused).to_have_count(0)


def hosts(world):
    """E2: a guest is asked to host an event and accepts; another conversation is invited to it, and no longer."""
    zoe, bob, ada = (world.person(name).register() for name in ("Zoe", "Bob", "Ada"))
    befriend(zoe, ada)
    befriend(zoe, bob)
    plan_dinner(zoe)

    def card(person):
        return person.messages().get_by_role("region", name="Event: Dinner")

    card(bob).get_by_role("button", name="Going", exact=True).click()
    expect(card(zoe)).to_contain_text("2 are coming")
    card(zoe).get_by_role("button", name="For Dinner").click()
    zoe.page.get_by_role("menuitem", name="Who is coming").click()
    dialog = zoe.page.get_by_role("dialog", name="Who is coming to Dinner")
    guest = dialog.get_by_role("listitem").filter(has_text="Bob")
    guest.get_by_role("button", name="Ask to host").click()
    expect(guest).to_contain_text("Going, asked to host")
    asked = card(bob).get_by_role("group", name="You are asked to host it, too.")
    asked.get_by_role("button", name="Host it").click()
    expect(asked).to_have_count(0)
    expect(guest).to_contain_text("Host")
    zoe.page.keyboard.press("Escape")
    card(bob).get_by_role("button", name="For Dinner").click()
    expect(bob.page.get_by_role("menuitem", name="Change …")).to_be_visible()
    bob.page.keyboard.press("Escape")

    def invite(is_invited):
        card(zoe).get_by_role("button", name="For Dinner").click()
        zoe.page.get_by_role("menuitem", name="Invite conversations …").click()
        form = zoe.page.get_by_role("form", name="Invite conversations to Dinner")
        expect(form.get_by_role("checkbox", name="Bob")).to_be_checked()
        form.get_by_role("checkbox", name="Ada").set_checked(is_invited)
        form.get_by_role("button", name="Save").click()
        expect(form).to_have_count(0)

    invite(True)
    card(ada).get_by_role("button", name="Maybe").click()
    expect(card(zoe)).to_contain_text("2 are coming, 1 may")
    invite(False)
    expect(card(ada)).to_have_count(0)


def series(world):
    """E2 E7: the agenda has each date of a series, the next alone until it is answered, none once it is declined."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    plan(zoe, "Choir", series="Every week")
    expect(bob.messages().get_by_role("region", name="Event: Choir")).to_be_visible()
    choir = agenda(bob).get_by_role("region", name="Event: Choir")
    expect(choir).to_have_count(1)
    choir.get_by_role("button", name="Going", exact=True).click()
    expect(choir).to_have_count(50)
    bob.page.get_by_role("dialog", name="Agenda").get_by_role("button", name="Show more").click()
    expect(choir.nth(51)).to_contain_text("19:00")
    expect(choir.nth(51)).not_to_contain_text("again and again")
    choir.first.get_by_role("button", name="Not going").click()
    expect(choir).to_have_count(0)
    # Without a network a series stands at its first date.
    zoe.context.set_offline(True)
    expect(zoe.page.get_by_role("status").filter(has_text="You are offline.")).to_be_visible()
    choir = agenda(zoe).get_by_role("region", name="Event: Choir")
    expect(choir).to_have_count(1)
    expect(choir).to_contain_text("again and again")


def reminders(world):
    """E3 E4: a message is kept as a reminder, which fires on the page, is put off, and is done in the agenda."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    bob.write("The parcel is at the neighbour's")
    choose(zoe, "The parcel is", "Remind me …")
    dialog = zoe.page.get_by_role("dialog", name="Remind me")
    expect(dialog.get_by_label("Of what")).to_have_value("The parcel is at the neighbour's")
    dialog.get_by_label("Of what").fill("Get the parcel")
    dialog.get_by_role("button", name="Tomorrow morning").click()
    listed = agenda(zoe)
    card = listed.get_by_role("region", name="Reminder: Get the parcel")
    expect(card).to_contain_text("9:00")
    zoe.page.keyboard.press("Escape")
    # One that another device made fires on this one.
    world.cluster.parley("login", zoe.username, profile=zoe.username)
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=3)
    at = soon.strftime("%Y-%m-%dT%H:%M:%SZ")
    world.cluster.parley("remind", "Water the plants", "--at", at, profile=zoe.username)
    fired = zoe.page.get_by_role("group", name="Reminder: Water the plants")
    expect(fired).to_be_visible()
    fired.get_by_role("button", name="In 10 minutes").click()
    expect(fired).to_have_count(0)
    listed = agenda(zoe)
    expect(listed.get_by_role("region", name="Reminder: Water the plants")).to_be_visible()
    listed.get_by_role("region", name="Reminder: Water the plants").get_by_role("button", name="Delete").click()
    card.get_by_role("button", name="Done").click()
    expect(listed).to_contain_text("Nothing is ahead")
    listed.get_by_role("checkbox", name="Show reminders that are done").check()
    expect(card.get_by_role("button", name="Done")).to_have_attribute("aria-pressed", "true")


def record(person, message, text, is_shared=True):
    """Records a decision from a message."""
    choose(person, message, "Record a decision …")
    dialog = person.page.get_by_role("dialog", name="Record a decision")
    dialog.get_by_label("What was decided").fill(text)
    dialog.get_by_role("checkbox").set_checked(is_shared)
    dialog.get_by_role("button", name="Record").click()


def decisions(world):
    """E5: what was decided is recorded from a message, and all in the chat see it."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    bob.write("Then we take the blue one")
    record(zoe, "Then we take the blue one", "We take the blue one")
    shared = bob.message("Zoe shared a decision")
    expect(shared.get_by_role("region", name="Decision")).to_contain_text("We take the blue one")
    # What only Zoe sees stands in her agenda, too. Deleting what others see is asked again.
    record(zoe, "Then we take", "Mine is the red one", is_shared=False)
    dialog = agenda(zoe)
    private = dialog.get_by_role("region", name="Decision: Mine is the red one")
    expect(private).to_contain_text("Only you see it.")
    private.get_by_role("button", name="Delete").click()
    expect(private).to_have_count(0)
    public = dialog.get_by_role("region", name="Decision: We take the blue one")
    public.get_by_role("button", name="Delete").click()
    public.get_by_role("group", name="Delete the decision").get_by_role("button", name="Delete").click()
    expect(public).to_have_count(0)
    expect(shared.get_by_role("region", name="Decision")).to_have_count(0)


def refused_decision(world):
    """E5 S5: a decision that the server refuses says why, until it is tried again."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    bob.write("Then we take the blue one")
    expect(zoe.message("Then we take the blue one")).to_be_visible()
    zoe.context.set_offline(True)
    record(zoe, "Then we take", "We take the blue one")
    recorded = agenda(zoe).get_by_role("region", name="Decision: We take the blue one")
    expect(recorded).to_be_visible()
    world.cluster.parley("login", bob.username, profile=bob.username)
    world.cluster.parley("block", zoe.username, profile=bob.username)
    zoe.context.set_offline(False)
    expect(recorded.get_by_role("alert")).to_contain_text("You cannot write to this user")
    world.cluster.parley("unblock", zoe.username, profile=bob.username)
    recorded.get_by_role("button", name="Try again").click()
    expect(recorded.get_by_role("alert")).to_have_count(0)
    bob.go(zoe)
    expect(bob.message("Zoe shared a decision")).to_be_visible()


def suggestions(world):
    """E8: a message suggests an event under it, which is dismissed by one and accepted by the other."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    day = (datetime.date.today() + datetime.timedelta(days=3)).strftime("%A")
    bob.write(f"Dinner {day} 7pm")
    name = re.compile("^Suggestion: ")
    suggested = zoe.page.get_by_role("group", name=name)
    expect(suggested).to_contain_text("An event?")
    expect(suggested).to_contain_text("19:00")
    zoe.page.get_by_role("group", name=name).get_by_role("button", name="Invite").click()
    expect(suggested).to_have_count(0)
    card = bob.page.get_by_role("region", name=re.compile("^Event: "))
    expect(card).to_contain_text("19:00")
    zoe.write("Send the forms by tomorrow at 9am")
    reminder = bob.page.get_by_role("group", name=name).filter(has_text="A reminder?")
    expect(reminder).to_be_visible()
    reminder.get_by_role("button", name="Dismiss").click()
    expect(reminder).to_have_count(0)


ALL = [events, changed_event, hosts, series, reminders, decisions, refused_decision, suggestions]
