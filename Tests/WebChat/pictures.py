"""Pictures of the chat: its states at three widths, by day and by night."""
import os

from playwright.sync_api import expect

from files import attach, picture
from people import about, group
from person import befriend
from talking import choose, menu

SIZES = {"phone": (360, 740), "tablet": (900, 740), "desktop": (1440, 900)}


def write(world, folder):
    os.makedirs(folder, exist_ok=True)
    names = []

    def take(person, state):
        for size, (width, height) in SIZES.items():
            person.page.set_viewport_size({"width": width, "height": height})
            person.page.wait_for_timeout(350)
            name = f"{state}-{size}.png"
            person.page.screenshot(path=os.path.join(folder, name))
            names.append(name)

    door = world.person("Nobody").open()
    expect(door.page.get_by_role("form", name="Sign in")).to_be_visible()
    take(door, "1-door")
    zoe = world.person("Zoe Keller").register()
    take(zoe, "2-empty")
    people = [world.person(name).register() for name in ("Alice Martin", "Bob", "Charlie Okafor", "Dana Lindqvist")]
    talk(zoe, people)
    zoe.page.set_viewport_size({"width": 1440, "height": 900})
    zoe.go(people[0])
    take(zoe, "3-talk")
    night(zoe, True)
    take(zoe, "4-night")
    night(zoe, False)
    zoe.page.set_viewport_size({"width": 1440, "height": 900})
    stranger = world.person("Eve Stranger").register()
    stranger.find(zoe)
    stranger.write("Hello Zoe, we met at the conference. Do you have the slides?")
    if zoe.page.get_by_role("button", name="Back to the list").is_visible():
        zoe.page.get_by_role("button", name="Back to the list").click()
    zoe.go(stranger)
    take(zoe, "5-request")
    zoe.page.set_viewport_size({"width": 360, "height": 740})
    zoe.page.get_by_role("button", name="Back to the list").click()
    zoe.page.wait_for_timeout(300)
    zoe.page.screenshot(path=os.path.join(folder, "6-inbox-phone.png"))
    more(zoe, people, take)
    plans(zoe, people[0], take)
    print(f"{len(names) + 1} pictures are in {folder}: look at each.")


def more(zoe, people, take):
    """What opens on top of the chat, by day and by night."""
    page = zoe.page
    alice, bob = people[0], people[1]
    page.set_viewport_size({"width": 1440, "height": 900})
    group(zoe, "Lake walks", [alice, bob])
    alice.page.get_by_role("navigation").get_by_role("link", name="Lake walks").click()
    expect(alice.page.get_by_role("main", name="Conversation with Lake walks")).to_be_visible()
    alice.write("Who brings the map?")
    menu(zoe, "Who brings the map?").get_by_role("menuitem", name="React with 👍").click()
    choose(zoe, "Who brings the map?", "Reply")
    zoe.write("I have it, @Alice Martin")
    expect(alice.message("I have it")).to_be_visible()
    menu(zoe, "Who brings the map?")
    take(zoe, "7-menu")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1440, "height": 900})
    zoe.message("Who brings").first.get_by_role("button", name="1 reply").click()
    expect(page.get_by_role("complementary", name="Thread").get_by_text("I have it")).to_be_visible()
    take(zoe, "8-thread")
    page.get_by_role("button", name="Close the thread").click()
    about(zoe)
    take(zoe, "9-group")
    night(zoe, True)
    take(zoe, "10-group-night")
    night(zoe, False)
    page.keyboard.press("Escape")
    for number, name in ((11, "Your profile"), (12, "Settings"), (13, "Keyboard")):
        page.set_viewport_size({"width": 1440, "height": 900})
        page.get_by_role("button", name="Account").click()
        page.get_by_role("menuitem", name=name).click()
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        take(zoe, f"{number}-{name.split()[-1].lower()}")
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("Control+k")
    page.get_by_role("dialog", name="Search").get_by_label("Words").fill("map")
    expect(page.get_by_role("list", name="Found").get_by_role("listitem").first).to_be_visible()
    take(zoe, "14-search")
    page.get_by_role("dialog", name="Search").get_by_role("button", name="Close").click()


def plans(zoe, alice, take):
    """Files, an event, a decision and a reminder, in the conversation and in the agenda."""
    page = zoe.page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("link", name="Online Alice Martin").click()
    alice.page.get_by_role("link", name="Online Zoe Keller").click()
    attach(alice, ("lake.png", "image/png", picture(900, 600)), ("Route.pdf", "application/pdf", b"%PDF-1.4\n%%EOF\n"))
    alice.page.get_by_role("dialog", name="Send").get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("button", name="Save Route.pdf")).to_be_visible()
    alice.page.get_by_role("button", name="Record a voice message").click()
    expect(alice.page.get_by_role("timer")).to_have_text("0:02")
    take(alice, "15-voice")
    alice.page.get_by_role("dialog").get_by_role("button", name="Send").click()
    expect(page.get_by_role("button", name="Play voice message")).to_be_visible()
    take(zoe, "16-files")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Picture: lake").click()
    take(zoe, "17-viewer")
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1440, "height": 900})
    alice.page.set_viewport_size({"width": 1440, "height": 900})
    alice.page.get_by_role("main").get_by_role("button", name="Conversation", exact=True).click()
    alice.page.get_by_role("menuitem", name="New event").click()
    form = alice.page.get_by_role("form", name="New event")
    form.get_by_label("What").fill("Second half of the lake")
    form.get_by_label("Time").fill("09:00")
    form.get_by_label("How long").select_option("Eight hours")
    form.get_by_label("Where").fill("At the station")
    take(alice, "18-new-event")
    form.get_by_role("button", name="Invite").click()
    card = page.get_by_role("region", name="Event: Second half of the lake")
    card.get_by_role("button", name="Going", exact=True).click()
    choose(zoe, "Saturday at 9, at the station.", "Record a decision …")
    page.get_by_role("dialog").get_by_role("button", name="Record").click()
    expect(page.get_by_role("region", name="Decision").get_by_text("Saturday at 9")).to_be_visible()
    take(zoe, "19-cards")
    choose(zoe, "Saturday at 9, at the station.", "Remind me …")
    take(zoe, "20-remind")
    page.get_by_role("dialog").get_by_role("button", name="Tomorrow morning").click()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitem", name="Agenda").click()
    take(zoe, "21-agenda")
    night(zoe, True)
    take(zoe, "22-agenda-night")
    night(zoe, False)
    page.keyboard.press("Escape")


def night(person, is_dark):
    person.page.emulate_media(color_scheme="dark" if is_dark else "light")


def talk(zoe, people):
    """Conversations as people have them."""
    alice, bob, charlie, dana = people
    late = "The train is late again, start without me."
    for other, text in ((bob, late), (charlie, "👍"), (dana, "See you on Monday!")):
        befriend(zoe, other)
        other.write(text)
        expect(zoe.message(text)).to_be_visible()
    befriend(zoe, alice)
    for person, text in (
        (alice, "Hi Zoe! How was the trip?"), (zoe, "Wonderful, thank you. We walked along the lake the whole day."),
        (zoe, "Here is the map: https://example.com/lake/map?day=2"),
        (alice, "Oh, that looks lovely 😍"),
        (alice, "Shall we do the second half together next weekend? I could bring the tent, and Bob has a stove that "
                "he wants to try out. It should stay dry until Sunday evening, they say."),
        (zoe, "Yes!"), (zoe, "Friday evening or Saturday morning?"), (alice, "Saturday at 9, at the station."),
    ):
        person.write(text)
        expect((alice if person is zoe else zoe).message(text)).to_be_visible()
    line = zoe.message("Friday evening")
    line.hover()
    line.get_by_role("button", name="Message").click()
    zoe.page.get_by_role("menuitem", name="Edit").click()
    zoe.write("Friday evening, or Saturday morning?")
    dana.write("By the way, do you still have my umbrella?")
    dana.write("The green one")
    bob.write("We are at the table in the back")
    expect(zoe.row(bob)).to_contain_text("at the table")
