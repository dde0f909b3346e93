"""A person in front of a browser. Looks for what they look for: roles and names."""
import re
import uuid

from playwright.sync_api import expect

from cluster import PASSWORD

# Ends what hangs. A busy machine takes its time.
WAIT = 60_000
expect.set_options(timeout=WAIT)

# Counts what the browser's rules refuse, in each page.
WATCH = """
window.__refused = [];
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    window.__refused.push(`${violatedDirective} ${blockedURI}`));
"""

SEEN = """() => [
    document.activeElement?.cloneNode(false).outerHTML.slice(0, 300), document.body.innerText.slice(0, 2000)]"""


class Person:
    def __init__(self, browser, cluster, name, width=1100, height=760, dark=False, locale="en-GB", **more):
        self.cluster, self.name = cluster, name
        self.username = f"{name.split()[0].lower()}{uuid.uuid4().hex[:8]}"
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", locale=locale,
            timezone_id="Europe/Zurich", **more)
        self.context.set_default_timeout(WAIT)
        self.context.add_init_script(WATCH)
        self.problems = []
        self.page = self.tab()

    def tab(self):
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self.heard)
        return page

    def heard(self, message):
        text = message.text
        # A lost connection is no defect of the page, and the browser cannot be kept from saying it.
        if message.type == "error" and "ERR_" not in text and "WebSocket connection" not in text:
            self.problems.append(f"console: {text}")

    def open(self, path="/"):
        self.page.goto(self.cluster.page + path)
        return self

    def register(self):
        self.open()
        page = self.page
        page.get_by_role("button", name="Create an account").click()
        form = page.get_by_role("form", name="Create an account")
        form.get_by_label("Username").fill(self.username)
        form.get_by_label("Name (optional)").fill(self.name)
        form.get_by_label("Password").fill(PASSWORD)
        form.get_by_role("button", name="Create account").click()
        expect(page.get_by_role("heading", name=self.name)).to_be_visible()
        return self

    def sign_in(self, username=None, password=PASSWORD):
        page = self.page
        form = page.get_by_role("form", name="Sign in")
        form.get_by_label("Username").fill(username or self.username)
        form.get_by_label("Password").fill(password)
        form.get_by_role("button", name="Sign in").click()

    def open_as(self, username):
        """Signs somebody in who registered before."""
        self.username = username
        self.open()
        self.sign_in()
        expect(self.page.get_by_role("heading", name=self.name)).to_be_visible()
        return self

    def find(self, other):
        """Opens the conversation with somebody by their username."""
        page = self.page
        page.get_by_role("button", name="New conversation").click()
        dialog = page.get_by_role("dialog", name="New conversation")
        dialog.get_by_label("Name or username").fill(other.username)
        dialog.get_by_role("list", name="People").get_by_role("button", name=other.username).click()
        expect(self.talk(other)).to_be_visible()

    def talk(self, other, page=None):
        return (page or self.page).get_by_role("main", name=f"Conversation with {other.name}")

    def row(self, other, page=None):
        return (page or self.page).get_by_role("navigation", name="Conversations").get_by_role(
            "link", name=re.compile(re.escape(other.name)))

    def go(self, other):
        self.row(other).click()
        expect(self.talk(other)).to_be_visible()

    def write(self, text, page=None):
        field = (page or self.page).get_by_role("textbox", name="Message")
        field.fill(text)
        field.press("Enter")

    def messages(self, page=None):
        return (page or self.page).get_by_role("feed", name="Messages").get_by_role("article")

    def message(self, text, page=None):
        return self.messages(page).filter(has_text=text)

    def refused(self):
        """What the browser's rules refused in any tab, what failed in a script, and a newer page that there is not."""
        found = list(self.problems)
        for page in self.context.pages:
            if page.url.startswith(self.cluster.page):
                found += page.evaluate("window.__refused ?? []")
                found += page.get_by_role("status").filter(has_text="A new version").all_inner_texts()
        return found

    def seen(self):
        """What each tab shows, and where its focus is, for somebody who looks for what went wrong."""
        text = ""
        for page in self.context.pages:
            try:
                focus, shown = page.evaluate(SEEN)
            except Exception as error:
                focus, shown = "", f"nothing, since {error}"
            shown = " | ".join(shown.splitlines())
            text += f"{self.name} at {page.url} has the focus at {focus} and sees: {shown}\n"
        return text

    def close(self):
        self.context.close()


def befriend(one, other):
    """Both sides with an accepted conversation, open at `one`."""
    one.find(other)
    one.write("Hello!")
    expect(one.message("Hello!").get_by_role("img", name="Sent")).to_be_visible()
    other.row(one).click()
    other.page.get_by_role("button", name="Accept").click()
    expect(other.page.get_by_role("textbox", name="Message")).to_be_visible()
