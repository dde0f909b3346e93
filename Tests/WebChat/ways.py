"""Other ways to sign in than by a password that one remembers."""
from playwright.sync_api import expect

from cluster import PASSWORD


def go(person, issuer, subject):
    """Signs in on an issuer's page."""
    person.page.get_by_role("button", name=f"Sign in with {issuer}").click()
    identify(person, subject)


def identify(person, subject):
    """Says on the issuer's page who it is."""
    person.page.get_by_label("Who are you?").fill(subject)
    person.page.get_by_role("button", name="Go on").click()


def username(person):
    person.page.get_by_role("button", name="Account", exact=True).click()
    person.page.get_by_role("menuitem", name="Your profile").click()
    dialog = person.page.get_by_role("dialog", name="Your profile")
    found = dialog.get_by_label("Username").input_value()
    person.page.keyboard.press("Escape")
    return found


def issuer_page(world):
    """A2: somebody new signs in on the page of an issuer, and on another device is the same; a reload is safe."""
    zoe = world.person("Zoe").open()
    go(zoe, "Work", f"zoe.{zoe.username}")
    expect(zoe.page.get_by_role("button", name="Account", exact=True)).to_be_visible()
    assert "code=" not in zoe.page.url, zoe.page.url
    zoe.page.reload()
    expect(zoe.page.get_by_role("button", name="Account", exact=True)).to_be_visible()
    phone = world.person("Zoe", width=360).open()
    go(phone, "Work", f"zoe.{zoe.username}")
    expect(phone.page.get_by_role("button", name="Account", exact=True)).to_be_visible()
    names = {username(zoe), username(phone)}
    assert len(names) == 1, names


def issuer_refuses(world):
    """A2: who goes back on an issuer's page, or brings what another tab began, is told so, and may try again."""
    zoe = world.person("Zoe").open()
    go(zoe, "Refusing", "zoe")
    expect(zoe.page.get_by_role("alert")).to_contain_text("Signing in was called off, or refused. Try again.")
    assert "error=" not in zoe.page.url, zoe.page.url
    # An address with other words, as anybody may write one, shows none of them.
    for words in ("constructor", "Call 555 0100"):
        zoe.page.evaluate("sessionStorage.setItem('parley sign-in', '[{}]')")
        zoe.open(f"/?error={words}")
        expect(zoe.page.get_by_role("alert")).to_have_text("The issuer's answer cannot be used. Tell the operator.")
    # A code that this tab did not ask for signs nobody in.
    zoe.open("/?code=somebody-elses")
    expect(zoe.page.get_by_role("button", name="Sign in with Work")).to_be_visible()
    assert "code=" not in zoe.page.url, zoe.page.url
    go(zoe, "Work", f"zoe.{zoe.username}")
    expect(zoe.page.get_by_role("button", name="Account", exact=True)).to_be_visible()


def forgotten_password(world):
    """A6: who forgot the password sets a new one with a code that is mailed to a confirmed address."""
    cluster, bob = world.cluster, world.person("Bob").register()
    email = f"{bob.username}@example.com"
    cluster.parley("login", bob.username, profile=bob.username)
    cluster.parley("profile", "--email", email, profile=bob.username)
    cluster.parley("profile", "--confirm-email", profile=bob.username)
    cluster.parley("profile", "--email-code", cluster.around.code_mailed(email), profile=bob.username)
    other = world.person("Bob").open()
    other.page.get_by_role("button", name="Forgot your password?").click()
    form = other.page.get_by_role("form", name="A new password")
    form.get_by_label("Email address").fill(email)
    form.get_by_role("button", name="Mail me a code").click()
    form.get_by_label("Code from the mail").fill("aaaa-aaaa")
    form.get_by_label("A new password").fill("another horse battery")
    form.get_by_role("button", name="Set the password").click()
    expect(form.get_by_role("alert")).to_be_visible()
    form.get_by_label("Code from the mail").fill(cluster.around.code_mailed(email))
    form.get_by_role("button", name="Set the password").click()
    expect(form.get_by_role("status")).to_contain_text("Your password is set")
    expect(bob.page.get_by_role("alert")).to_contain_text("Sign in again")
    form.get_by_role("button", name="Back").click()
    other.sign_in(bob.username, PASSWORD)
    expect(other.page.get_by_role("form", name="Sign in").get_by_role("alert")).to_be_visible()
    other.sign_in(bob.username, "another horse battery")
    expect(other.page.get_by_role("button", name="Account", exact=True)).to_be_visible()


def settings(person):
    person.page.get_by_role("button", name="Account", exact=True).click()
    person.page.get_by_role("menuitem", name="Settings").click()
    return person.page.get_by_role("region", name="How you sign in")


def changed_password(world):
    """A6: a password is changed with the one before, which signs other devices out if asked, and never without it."""
    bob = world.person("Bob").register()
    phone = world.person("Bob", width=360).open()
    phone.sign_in(bob.username, PASSWORD)
    expect(phone.page.get_by_role("button", name="Account", exact=True)).to_be_visible()
    form = settings(bob).get_by_role("form", name="Change the password")
    form.get_by_label("Your password").fill("not my password")
    form.get_by_label("A new password").fill("another horse battery")
    form.get_by_label("Sign out my other devices").check()
    form.get_by_role("button", name="Change the password").click()
    expect(form.get_by_role("alert")).to_be_visible()
    form.get_by_label("Your password").fill(PASSWORD)
    form.get_by_role("button", name="Change the password").click()
    expect(form.get_by_role("status")).to_contain_text("The password is changed.")
    expect(phone.page.get_by_role("alert")).to_contain_text("Sign in again")
    other = world.person("Bob").open()
    other.sign_in(bob.username, "another horse battery")
    expect(other.page.get_by_role("button", name="Account", exact=True)).to_be_visible()


def linked(world):
    """A2: an issuer is added with the password, signs in, is nobody else's, and is removed with the password."""
    bob = world.person("Bob").register()
    subject = f"work.{bob.username}"
    part = settings(bob)
    part.get_by_role("button", name="Also sign in with Work").click()
    identify(bob, subject)
    add = part.get_by_role("form", name="Add it")
    add.get_by_label("Your password").fill("a guess")
    add.get_by_role("button", name="Add it").click()
    expect(part.get_by_role("alert")).to_be_visible()
    assert "code=" not in bob.page.url, bob.page.url
    add.get_by_label("Your password").fill(PASSWORD)
    add.get_by_role("button", name="Add it").click()
    list_of = part.get_by_role("list", name="What signs you in besides")
    expect(list_of).to_contain_text("Work")
    phone = world.person("Bob", width=360).open()
    go(phone, "Work", subject)
    assert username(phone) == bob.username
    # Somebody else cannot take it.
    eve = world.person("Eve").register()
    theirs = settings(eve)
    theirs.get_by_role("button", name="Also sign in with Work").click()
    identify(eve, subject)
    add = theirs.get_by_role("form", name="Add it")
    add.get_by_label("Your password").fill(PASSWORD)
    add.get_by_role("button", name="Add it").click()
    expect(theirs.get_by_role("alert")).to_be_visible()
    part.get_by_role("button", name="Remove Work").click()
    part.get_by_role("form", name="Remove").get_by_label("Your password").fill(PASSWORD)
    part.get_by_role("form", name="Remove").get_by_role("button", name="Remove").click()
    expect(list_of).to_have_count(0)


def without_password(world):
    """A2: who has no password adds and removes issuers after signing in once more with one that is theirs."""
    zoe = world.person("Zoe").open()
    work, school = f"zoe.{zoe.username}", f"school.{zoe.username}"
    go(zoe, "Work", work)
    part = settings(zoe)
    list_of = part.get_by_role("list", name="What signs you in besides")

    def add(shown):
        part.get_by_role("button", name="Also sign in with School").click()
        identify(zoe, school)
        part.get_by_role("form", name="Add it").get_by_role("button", name="Go on with Work").click()
        identify(zoe, shown)

    # Somebody else's identity shows nothing.
    add("eve")
    expect(part.get_by_role("alert")).to_be_visible()
    expect(list_of).not_to_contain_text("School")
    add(work)
    expect(list_of).to_contain_text("School")
    assert "code=" not in zoe.page.url, zoe.page.url

    def remove(name, by, shown):
        part.get_by_role("button", name=f"Remove {name}").click()
        part.get_by_role("form", name="Remove").get_by_role("button", name=f"Go on with {by}").click()
        identify(zoe, shown)

    remove("Work", "School", school)
    expect(list_of).not_to_contain_text("Work")
    remove("School", "School", school)
    expect(part.get_by_role("alert")).to_contain_text("Nothing else signs you in")
    zoe.page.keyboard.press("Escape")
    phone = world.person("Zoe", width=360).open()
    go(phone, "School", school)
    assert username(phone) == username(zoe)


def guest(world):
    """A6: somebody comes as a guest, and stays who they are with a username and a password, on other devices too."""
    bob, stranger = world.person("Bob").register(), world.person("Guest").open()
    page = stranger.page
    page.get_by_role("button", name="Continue as a guest").click()
    # Who signs out is told first that nobody can come back.
    page.get_by_role("button", name="Account", exact=True).click()
    page.get_by_role("menuitem", name="Sign out").click()
    page.get_by_role("dialog", name="You are a guest").get_by_role("button", name="Stay signed in").click()
    part = settings(stranger)
    form = part.get_by_role("form", name="Keep this account")
    form.get_by_label("Username").fill(bob.username)
    form.get_by_label("A new password").fill(PASSWORD)
    form.get_by_role("button", name="Keep this account").click()
    expect(form.get_by_role("alert")).to_be_visible()
    form.get_by_label("Username").fill(stranger.username)
    form.get_by_role("button", name="Keep this account").click()
    expect(part.get_by_role("form", name="Change the password")).to_be_visible()
    again = world.person("Guest", width=360).open()
    again.sign_in(stranger.username, PASSWORD)
    # It is the same person: the guest's browser is the other one of their two devices.
    settings(again)
    devices = again.page.get_by_role("dialog").get_by_role("region", name="Your devices").get_by_role("listitem")
    expect(devices).to_have_count(2)


def confirmed_address(world):
    """A6: an address is confirmed by the code that is mailed to it."""
    bob = world.person("Bob").register()
    email = f"{bob.username}@example.com"
    world.cluster.parley("login", bob.username, profile=bob.username)
    world.cluster.parley("profile", "--email", email, profile=bob.username)
    form = settings(bob).get_by_role("form", name="Confirm the address")
    expect(form).to_contain_text(email)
    form.get_by_role("button", name="Mail me a code").click()
    form.get_by_label("Code from the mail").fill("aaaa-aaaa")
    form.get_by_role("button", name="Confirm the address").click()
    expect(form.get_by_role("alert")).to_be_visible()
    form.get_by_label("Code from the mail").fill(world.cluster.around.code_mailed(email))
    form.get_by_role("button", name="Confirm the address").click()
    expect(form).to_have_count(0)


def another_device(world):
    """A2: a device that shows a code is signed in by another one, which sees its name and address first."""
    bob = world.person("Bob").register()
    laptop = world.person("Bob").open()
    laptop.page.get_by_role("button", name="Sign in by another device").click()
    code = laptop.page.get_by_label("Code", exact=True)
    expect(code).not_to_be_empty()
    expect(laptop.page.get_by_role("img", name="The code, to scan")).to_be_visible()
    form = settings(bob).get_by_role("form", name="Sign in a device")
    form.get_by_label("Code that the device shows").fill("nobodys-code")
    form.get_by_role("button", name="Look at it").click()
    expect(form.get_by_role("alert")).to_be_visible()
    form.get_by_label("Code that the device shows").fill(code.inner_text())
    form.get_by_role("button", name="Look at it").click()
    expect(form.get_by_role("status")).to_contain_text("127.0.0.1")
    form.get_by_role("button", name="Sign it in").click()
    expect(laptop.page.get_by_role("button", name="Account", exact=True)).to_be_visible()
    assert username(laptop) == bob.username


ALL = [issuer_page, issuer_refuses, forgotten_password, changed_password, linked, without_password, guest,
    confirmed_address, another_device]
