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
        zoe.page.evaluate("sessionStorage.setItem('parley sign-in', '{}')")
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
    expect(bob.page.get_by_role("alert")).to_contain_text("Sign in again", timeout=40_000)
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
    expect(phone.page.get_by_role("alert")).to_contain_text("Sign in again", timeout=40_000)
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


ALL = [issuer_page, issuer_refuses, forgotten_password, changed_password, linked, confirmed_address, another_device]
