"""What people see while the page is closed, or hidden."""
import json
import os
import re
import time

from playwright.sync_api import expect

from person import WAIT, Person, befriend
from present import HIDE, settings
from push_service import PushService

SWITCH = "Notices while the page is closed"

# Chromium has no push service here, so that `subscribe` would be refused. These three functions alone are replaced: a
# subscription comes from the service of the test, and everything after it is the browser's own.
SUBSCRIBING = """
(() => {
    const asked = Notification.requestPermission.bind(Notification);
    window.asked = 0;
    Notification.requestPermission = () => { window.asked += 1; return asked(); };
    const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    const text = (key) => btoa(String.fromCharCode(...key)).replace(/[+]/g, "-").replace(/[/]/g, "_").replace(/=/g, "");
    const kept = () => {
        const made = JSON.parse(localStorage.getItem("test subscription"));
        return made && {
            endpoint: made.endpoint, options: { applicationServerKey: bytes(made.sender).buffer },
            getKey: (name) => bytes(name === "auth" ? made.secret : made.key).buffer,
            unsubscribe: async () => { localStorage.removeItem("test subscription"); return true; },
        };
    };
    PushManager.prototype.getSubscription = async () => kept();
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
        if (!userVisibleOnly || Notification.permission !== "granted") throw new DOMException("no", "NotAllowedError");
        const sender = text(applicationServerKey);
        if (!kept()) {
            const made = await window.subscribeAt(sender);
            localStorage.setItem("test subscription", JSON.stringify({ ...made, sender }));
        }
        return kept();
    };
})();
"""
# Keeps what the worker would do outside of the page: a browser without a screen has no icon and no windows.
OUTSIDE = """() => {
    self.badges = [];
    self.opened = [];
    self.failed = [];
    self.came = 0;
    addEventListener("push", () => { self.came += 1; });
    const show = registration.showNotification.bind(registration);
    registration.showNotification = (...notice) => show(...notice).catch((error) => {
        self.failed.push(String(error));
        throw error;
    });
    Object.defineProperty(navigator, "setAppBadge", { value: async (count) => { self.badges.push(count); } });
    Object.defineProperty(clients, "openWindow", { value: async (address) => { self.opened.push(address); } });
    addEventListener("error", ({ message }) => self.failed.push(message));
    addEventListener("unhandledrejection", ({ reason }) => self.failed.push(String(reason)));
}"""
SHOWN = """async () => (await registration.getNotifications()).map(
    ({ title, body, tag, silent }) => ({ title, body, tag, silent }))"""
# A click of the test is none of a person: the event may not prolong itself, which alone is left out.
CLICK = """async (tag) => {
    const [notification] = await registration.getNotifications({ tag });
    const event = new NotificationEvent("notificationclick", { notification });
    const done = new Promise((resolve) => { event.waitUntil = resolve; });
    dispatchEvent(event);
    await done;
}"""
CHANGED = """() => {
    const event = new Event("pushsubscriptionchange");
    event.waitUntil = () => undefined;
    dispatchEvent(event);
}"""


class Browser:
    """The service worker of somebody's browser."""

    def __init__(self, person):
        self.person, self.page, self.delivered = person, person.page, []
        self.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        self.worker = person.context.service_workers[0]
        self.worker.evaluate(OUTSIDE)

    def deliver(self, payload):
        """Hands a push to the worker as the browser does once it has decrypted it."""
        self.delivered.append(payload)
        text = payload if isinstance(payload, str) else json.dumps(payload)
        session = self.person.context.new_cdp_session(self.person.context.pages[0])
        found = []
        session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
        session.send("ServiceWorker.enable")
        self.until("a registration", lambda: found)
        origin = self.person.cluster.page
        session.send("ServiceWorker.deliverPushMessage", {
            "origin": origin, "registrationId": found[0]["registrationId"], "data": text})
        session.detach()

    def until(self, what, holds):
        end = time.monotonic() + WAIT / 1000
        while time.monotonic() < end:
            if holds():
                return
            self.person.context.pages[0].wait_for_timeout(50)
        found = self.worker.evaluate("[self.came, self.failed, self.badges]")
        raise AssertionError(f"{what}: {self.shown()} {found} {self.delivered[-3:]}")

    def shown(self):
        return self.worker.evaluate(SHOWN)

    def shows(self, *notices):
        wanted = [tuple(each) for each in notices]
        self.until(f"the notices are {wanted}",
                   lambda: [(each["title"], each["body"]) for each in self.shown()] == wanted)

    def counts(self, number):
        """Waits until the badge has a number. It is set after the notices."""
        self.until(f"the badge is {number}", lambda: self.worker.evaluate("self.badges")[-1:] == [number])


def pushed(world):
    """T7 N1: what the server pushes is shown, grouped, taken back and clicked; it is asked for by a click alone."""
    service = PushService(world.cluster.binaries, os.path.join(world.cluster.folder, "pushes"))
    try:
        follow(world, service)
    finally:
        found = world.end()
        service.stop()
    assert not found, found


def follow(world, service):
    def person(name):
        world.people.append(Person(world.browser, service.cluster, name))
        return world.people[-1]

    zoe, bob = person("Zoe"), person("Bob").register()
    zoe.context.grant_permissions(["notifications"], origin=service.cluster.page)
    zoe.context.expose_function("subscribeAt", service.subscribe)
    zoe.context.add_init_script(SUBSCRIBING)
    zoe.register()
    befriend(zoe, bob)
    browser = Browser(zoe)
    where = zoe.page.evaluate("decodeURIComponent(location.hash.slice(2))")

    # Asked for by a click, and tried.
    region = settings(zoe).get_by_role("region", name="Notices")
    switch = region.get_by_role("switch", name=SWITCH)
    expect(switch).not_to_be_checked()
    assert zoe.page.evaluate("window.asked") == 0
    switch.click()
    expect(switch).to_be_checked()
    assert zoe.page.evaluate("window.asked") == 1
    expect(region).to_contain_text("also while the page is closed")
    region.get_by_role("button", name="Send a notice to try it").click()
    tried = service.next("the try", lambda opened: opened.get("notification", {})["data"]["kind"] == "test")
    browser.deliver(tried)
    browser.shows((tried["notification"]["title"], tried["notification"].get("body", "")))
    browser.worker.evaluate("async () => { for (const each of await registration.getNotifications()) each.close(); }")
    region.get_by_label("Tell me of").select_option("Mentions and answers")
    level = "SELECT max(level) FROM notifications.people"
    browser.until("the server has the level", lambda: service.cluster.query(level) == "2")
    expect(region.get_by_label("Tell me of")).to_have_value("mentions")
    region.get_by_label("Tell me of").select_option("All messages")
    expect(region.get_by_label("Tell me of")).to_have_value("all")
    expect(region.get_by_label("Tell me of")).to_be_enabled()
    zoe.page.keyboard.press("Escape")

    # Grouped by conversation; an edit replaces its line; the icon shows the server's own count.
    zoe.page.evaluate("location.hash = ''")
    zoe.page.evaluate(HIDE, True)

    def told(text):
        return service.next(text, lambda opened: opened.get("notification", {}).get("body") == text)

    for text in ("Are you there?", "Dinner?"):
        bob.write(text)
        browser.deliver(told(text))
    browser.shows(("Bob", "Are you there?\nDinner?"))
    assert browser.shown()[0]["tag"] == where and not browser.shown()[0]["silent"], browser.shown()
    line = bob.message("Dinner?")
    line.hover()
    line.get_by_role("button", name="Message").click()
    bob.page.get_by_role("menuitem", name="Edit").click()
    bob.write("Dinner at 7?")
    browser.deliver(told("Dinner at 7?"))
    browser.shows(("Bob", "Are you there?\nDinner at 7?"))
    assert browser.shown()[0]["silent"], "an edit makes no sound"
    browser.counts(2)

    # A click leads to the conversation in the page that is open.
    browser.worker.evaluate(CLICK, where)
    expect(zoe.talk(bob)).to_be_visible()
    browser.shows()
    zoe.page.evaluate(HIDE, False)
    expect(zoe.row(bob).get_by_role("img", name=re.compile("unread"))).to_have_count(0)

    # Read in another browser: the notice goes.
    zoe.page.evaluate("location.hash = ''")
    zoe.page.evaluate(HIDE, True)
    bob.write("And the wine?")
    browser.deliver(told("And the wine?"))
    browser.shows(("Bob", "And the wine?"))
    laptop = person("Zoe").open_as(zoe.username)
    laptop.go(bob)
    expect(laptop.message("And the wine?")).to_be_visible()
    browser.deliver(service.next("reading", lambda opened: opened.get("data", {}).get("kind") == "read"))
    browser.shows()
    browser.counts(0)
    laptop.close()
    world.people.remove(laptop)

    # What is no push of the server is shown in a general way, and harms nothing.
    for payload in ("", "{", "null", '{"notification":5}', '{"data":{}}'):
        browser.deliver(payload)
    browser.shows(("Parley", "There is something new. Open the chat to see it."))
    assert browser.worker.evaluate("self.failed") == []

    # The browser changes the subscription: the server learns the new one.
    ends = "SELECT string_agg(token, ' ') FROM notifications.devices"
    before = service.cluster.query(ends)
    zoe.page.evaluate("localStorage.removeItem('test subscription')")
    browser.worker.evaluate(CHANGED)
    browser.until("the server has another subscription", lambda: service.cluster.query(ends) not in ("", before))

    # Without a page, a click opens one.
    bob.write("Late")
    browser.deliver(told("Late"))
    browser.until("it is shown", lambda: len(browser.shown()) == 2)
    other = zoe.context.new_page()
    zoe.page.close()
    browser.worker.evaluate(CLICK, where)
    assert browser.worker.evaluate("self.opened") == [f"/#/{where}"], browser.worker.evaluate("self.opened")
    other.close()

    # Who signs out is pushed to no more, and nothing of theirs stays on the screen.
    zoe.page = zoe.tab()
    zoe.open()
    expect(zoe.page.get_by_role("heading", name="Zoe")).to_be_visible()
    zoe.page.get_by_role("button", name="Account").click()
    zoe.page.get_by_role("menuitem", name="Sign out").click()
    expect(zoe.page.get_by_role("form", name="Sign in")).to_be_visible()
    zoe.page.wait_for_function("() => localStorage.getItem('test subscription') === null")
    browser.shows()
    browser.until("the server has forgotten it", lambda: service.cluster.query(ends) == "")


def no_pushes(world):
    """T7: a plain sentence says that the server, or the browser, has no pushes; no switch is offered."""
    zoe = world.person("Zoe").register()
    zoe.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    region = settings(zoe).get_by_role("region", name="Notices")
    expect(region).to_contain_text("this server sends no pushes to browsers")
    expect(region.get_by_role("switch")).to_have_count(0)
    bob = world.person("Bob")
    bob.context.add_init_script("delete ServiceWorkerRegistration.prototype.pushManager")
    bob.register()
    region = settings(bob).get_by_role("region", name="Notices")
    expect(region).to_contain_text("this browser takes no pushes for pages")
    expect(region.get_by_role("switch")).to_have_count(0)


ALL = [pushed, no_pushes]
