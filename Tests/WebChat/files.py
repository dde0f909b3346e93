"""What people do with files."""
import os
import struct
import zlib

from playwright.sync_api import expect

from person import befriend


def picture(width, height):
    """A PNG of stripes with lines of noise, which make it large."""
    stripe = (bytes(range(0, 256, 4)) * width)[:width * 3]
    lines = b"".join(b"\0" + (stripe if y % 8 else os.urandom(width * 3)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(lines, 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def attach(person, *files):
    """Chooses files by the button, and returns the dialog that shows them."""
    with person.page.expect_file_chooser() as chooser:
        person.page.get_by_role("button", name="Attach files").click()
    chooser.value.set_files([{"name": name, "mimeType": kind, "buffer": data} for name, kind, data in files])
    return person.page.get_by_role("dialog", name="Send")


DROP = """(main, [name, kind, content]) => {
    const data = new DataTransfer();
    data.items.add(new File([typeof content === "number" ? new Uint8Array(content) : content], name, { type: kind }));
    const shared = { dataTransfer: data, bubbles: true };
    for (const type of ["dragover", "drop"]) main.dispatchEvent(new DragEvent(type, shared));
}"""


def drop(person, other, name, content):
    """Drops a text, or so many bytes, into the conversation with somebody, and sends it."""
    person.talk(other).evaluate(DROP, [name, "text/plain" if isinstance(content, str) else "", content])
    dialog = person.page.get_by_role("dialog", name="Send a file")
    expect(dialog).to_contain_text(name)
    dialog.get_by_role("button", name="Send", exact=True).click()


def files(world):
    """M17 M4: several files by button and drop are a message each; pictures are seen large, others are saved."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    dialog = attach(zoe, ("lake.png", "image/png", picture(2000, 1500)), ("second.png", "image/png", picture(300, 200)),
                    ("notes.html", "text/html", b"<script>window.hacked = 1</script>"))
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    expect(dialog.get_by_role("checkbox", name="Make pictures smaller")).to_be_checked()
    dialog.get_by_role("button", name="Send", exact=True).click()
    expect(dialog).to_have_count(0)
    # Made smaller, it is a JPEG, and it takes the room that it had before it was loaded.
    large = bob.page.get_by_role("button", name="Picture: lake.jpg")
    expect(large.get_by_role("presentation")).to_have_js_property("naturalWidth", 1600)
    expect(bob.page.get_by_role("button", name="Picture: second.png")).to_be_visible()
    with bob.page.expect_download() as download:
        bob.page.get_by_role("button", name="Save notes.html, 34 bytes").click()
    assert download.value.suggested_filename == "notes.html", download.value.suggested_filename
    assert bob.page.evaluate("window.hacked") is None
    drop(zoe, bob, "list.txt", "Bread, milk")
    expect(bob.page.get_by_role("button", name="Save list.txt, 11 bytes")).to_be_visible()
    expect(bob.row(zoe)).to_contain_text("list.txt")

    # The viewer goes through the pictures and makes them larger.
    large.click()
    viewer = bob.page.get_by_role("dialog", name="lake.jpg")
    expect(viewer.get_by_role("img", name="lake.jpg")).to_be_visible()
    bob.page.keyboard.press("+")
    expect(viewer.get_by_role("button", name="Smaller")).to_be_enabled()
    bob.page.keyboard.press("ArrowRight")
    expect(bob.page.get_by_role("dialog", name="second.png")).to_be_visible()
    bob.page.get_by_role("button", name="Picture before").click()
    bob.page.keyboard.press("Escape")
    expect(viewer).to_have_count(0)


def lying_file(world):
    """M17: a file that lies about its type, or has no content, is refused with a reason, and what follows is sent."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    dialog = attach(zoe, ("cat.png", "image/png", b"MZ this is a program, and no picture at all" * 20))
    dialog.get_by_role("button", name="Send", exact=True).click()
    expect(zoe.messages().get_by_role("alert")).to_contain_text("Try again")
    # The browser says that the server refused it.
    zoe.problems = [each for each in zoe.problems if "415" not in each]
    dialog = attach(zoe, ("empty.txt", "text/plain", b""))
    expect(dialog.get_by_role("status")).to_contain_text("cannot be sent")
    expect(dialog.get_by_role("button", name="Send", exact=True)).to_be_disabled()
    dialog.get_by_role("button", name="Leave out empty.txt").click()
    zoe.write("After it")
    expect(bob.message("After it")).to_be_visible()
    zoe.messages().get_by_role("button", name="Discard").click()
    expect(zoe.messages().get_by_role("alert")).to_have_count(0)


def slowed(session, bytes_a_second):
    """Makes what the browser sends as slow as this; -1: as fast as it can."""
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_a_second})


def uploads(world):
    """M17 S7: an upload of 50 MB shows how far it is, goes on after the page was loaded anew, another is cancelled."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    session = zoe.context.new_cdp_session(zoe.page)
    session.send("Network.enable")
    slowed(session, 6_000_000)
    drop(zoe, bob, "film.bin", 50_000_000)
    progress = zoe.page.get_by_role("progressbar", name="Sending film.bin")
    expect(progress).to_be_visible()
    zoe.page.wait_for_function("() => document.querySelector('progress')?.value > 0.1")
    zoe.page.reload()
    expect(progress).to_be_visible()
    # It goes on where it was. A quick one would have ended before a busy browser looks.
    zoe.page.wait_for_function("() => document.querySelector('progress')?.value > 0.1")
    slowed(session, -1)
    expect(bob.page.get_by_role("button", name="Save film.bin, 50 MB")).to_be_visible()
    expect(progress).to_have_count(0)
    slowed(session, 100_000)
    drop(zoe, bob, "other.bin", 5_000_000)
    zoe.page.get_by_role("button", name="Cancel sending other.bin").click()
    expect(zoe.page.get_by_role("button", name="Save other.bin")).to_have_count(0)
    zoe.write("Not that one")
    expect(bob.message("Not that one")).to_be_visible()
    expect(bob.page.get_by_role("button", name="Save other.bin")).to_have_count(0)


def voice(world):
    """M4: a voice message is recorded with its length and a line of how loud it is, and played in place."""
    zoe, bob = world.person("Zoe").register(), world.person("Bob").register()
    befriend(zoe, bob)
    zoe.page.get_by_role("button", name="Record a voice message").click()
    dialog = zoe.page.get_by_role("dialog", name="Voice message")
    expect(dialog.get_by_role("timer")).to_have_text("0:02")
    expect(dialog.get_by_role("img", name="How loud it is")).to_be_visible()
    dialog.get_by_role("button", name="Send").click()
    play = bob.page.get_by_role("button", name="Play voice message, 0:02")
    expect(play).to_be_visible()
    expect(bob.row(zoe)).to_contain_text("Voice message")
    play.click()
    sound = bob.page.get_by_label("voice message", exact=True)
    expect(sound).to_be_visible()
    bob.page.wait_for_function("() => document.querySelector('audio').currentTime > 0.2")


ALL = [files, lying_file, uploads, voice]
