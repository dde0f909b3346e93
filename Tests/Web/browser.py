"""Drives Chromium through the tests of the SDK for browsers; Tests/Web/browser starts it."""
import contextlib
import functools
import http.server
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from playwright.sync_api import sync_playwright

PAGE = "<!doctype html><meta charset=utf-8><title>Parley</title><script type=module src=/{}.js></script>"


class Pages(http.server.SimpleHTTPRequestHandler):
    """Serves the bundles, and for each of them a page."""

    def do_GET(self):
        if self.path.split("?")[0].endswith((".js", ".html")):
            return super().do_GET()
        body = PAGE.format(self.path.strip("/").split("?")[0]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Cluster:
    """Parley's real processes: `parley up`."""

    settings = {"PARLEY_FILES_FREE_BYTES": "0",
                "PARLEY_LIMITS_REGISTRATIONS_PER_MINUTE": "1000", "PARLEY_LIMITS_SIGN_INS_PER_MINUTE": "1000",
                "PARLEY_LIMITS_REQUESTS_PER_SECOND": "500", "PARLEY_LIMITS_REQUESTS_BURST": "1000"}

    def __init__(self, folder, origin):
        binaries = os.environ.get("PARLEY_BINARIES", ".build/debug")
        self.pids, self.url, self.ready = {}, "", threading.Event()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        command = [os.path.join(binaries, "parley"), "up", "--folder", os.path.join(folder, "data"), "--listen",
                   "127.0.0.1:0", "--binaries", binaries, "--json"]
        self.errors = open(os.path.join(folder, "errors"), "w")
        self.process = subprocess.Popen(command, env={**environment, **self.settings, "PARLEY_LISTEN_ORIGINS": origin}, stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True, start_new_session=True)
        threading.Thread(target=self.listen, daemon=True).start()
        if not self.ready.wait(120):
            raise AssertionError("the cluster was not ready within 120 s")

    def listen(self):
        for line in self.process.stdout:
            with contextlib.suppress(ValueError):
                said = json.loads(line)
                if said.get("type") == "process" and said.get("pid"):
                    self.pids[said["name"]] = said["pid"]
                if said.get("type") == "ready":
                    self.url = said["urls"][0]
                    self.ready.set()

    def kill(self, name):
        known = next(known for known in self.pids if known.startswith(name))
        os.kill(self.pids[known], signal.SIGKILL)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        self.errors.close()


class Browser:
    """A Chromium with a folder of its own, which stays when it is killed."""

    def __init__(self, playwright, folder, base):
        self.playwright, self.folder, self.base = playwright, folder, base
        self.context = None

    def open(self):
        self.context = self.playwright.chromium.launch_persistent_context(
            self.folder, executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-dev-shm-usage"])
        self.context.set_default_timeout(60_000)
        return self.context

    def page(self, name):
        page = self.context.new_page()
        page.on("pageerror", lambda error: print(f"# {name}: {error}", flush=True))
        page.goto(f"{self.base}/{name}")
        page.wait_for_function("globalThis.runCases !== undefined")
        return page

    def pids(self):
        """The processes of this browser, by the folder that each of them names."""
        found = []
        for entry in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if entry.isdigit() and self.folder.encode() in open(f"/proc/{entry}/cmdline", "rb").read():
                    found.append(int(entry))
        return found

    def kill(self):
        """Ends the whole browser as a machine that loses power ends it: nothing is told, nothing is closed."""
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(Exception):
            self.context.close()
        self.context = None

    def close(self):
        if self.context:
            self.context.close()
        self.context = None


def until(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.02)


class Tests:
    def __init__(self, playwright, base):
        self.playwright, self.base, self.failed, self.count = playwright, base, 0, 0

    def note(self, name, error=None):
        self.count += 1
        print(f"{'not ok' if error else 'ok'} {self.count} - {name}", flush=True)
        if error:
            self.failed += 1
            print("\n".join(f"#   {line}" for line in str(error).splitlines()[:20]), flush=True)

    def scenario(self, name, body):
        with tempfile.TemporaryDirectory(prefix="parley-chromium-", ignore_cleanup_errors=True) as folder:
            browser = Browser(self.playwright, folder, self.base)
            browser.open()
            try:
                body(browser)
                self.note(name)
            except Exception as error:  # noqa: BLE001: any failure is the test's
                self.note(name, error)
            finally:
                browser.close()

    def cases(self, name):
        def run(browser):
            for outcome in browser.page(name).evaluate("runCases()"):
                self.note(outcome["name"], outcome.get("error"))
        self.scenario(f"the cases of {name}", run)

    # MARK: Storage

    def store(self):
        self.cases("store")
        self.scenario("without room the page goes on in memory with all that it has, and says so", self.quota)

    def quota(self, browser):
        page = browser.page("store")
        session = browser.context.new_cdp_session(page)
        session.send("Storage.overrideQuotaForOrigin", {"origin": self.base, "quotaSize": 3_000_000})
        outcome = page.evaluate("fill()")
        assert outcome == {"isInMemory": True, "problems": ["full"], "first": "kept", "last": "after"}, outcome

    # MARK: Real processes

    def kill(self):
        """The scenario of kills alone."""
        with tempfile.TemporaryDirectory(prefix="parley-web-", ignore_cleanup_errors=True) as folder:
            self.cluster = Cluster(folder, self.base)
            try:
                self.scenario("killed browsers lose nothing that a promise resolved for, and send it once",
                              self.kills)
            finally:
                self.cluster.stop()

    def outbox(self):
        with tempfile.TemporaryDirectory(prefix="parley-web-", ignore_cleanup_errors=True) as folder:
            self.cluster = Cluster(folder, self.base)
            try:
                self.scenario("killed browsers lose nothing that a promise resolved for, and send it once", self.kills)
                self.scenario("a closed page shows what is unsent at once when it is opened, and sends it", self.closed)
                self.scenario("of two tabs one leads, and the other takes over when it is closed", self.tabs)
                self.scenario("the example of a page works, offline too", self.example)
                self.scenario("who signs out offline is signed out at the server later, also by a killed browser",
                              self.leaving)
                self.scenario("accounts are side by side, and signing out removes one of them", self.accounts)
            finally:
                self.cluster.stop()

    def app(self, browser, notes=None, **options):
        page = browser.context.new_page()
        page.on("pageerror", lambda error: print(f"# app: {error}", flush=True))
        page.expose_function("note", lambda what: notes.append(what) if notes is not None else None)
        page.goto(f"{self.base}/app")
        page.wait_for_function("globalThis.runCases !== undefined")
        # A page that does not open is a failure, not a test that never ends.
        opened = """([url, options]) => Promise.race([open(url, options), new Promise((_, reject) =>
            setTimeout(() => reject(new Error("the page was not opened within 60 s")), 60_000))])"""
        page.shown = page.evaluate(opened, [self.cluster.url, options])
        return page

    def kills(self, browser):
        """Kills the whole browser while its page sends, and now and then the gateway.

        PARLEY_TEST_KILLS is how often, and PARLEY_TEST_SEED repeats the moments.
        """
        count = int(os.environ.get("PARLEY_TEST_KILLS", "8"))
        seed = int(os.environ.get("PARLEY_TEST_SEED", "46"))
        page = self.app(browser)
        chat = page.evaluate("([url, name]) => meet(url, name)", [self.cluster.url, "killed"])
        page.close()
        random = __import__("random").Random(seed)
        resolved = []
        for number in range(count):
            notes = []
            if browser.context is None:
                browser.open()
            page = self.app(browser, notes)
            # When the outbox is full, more is refused.
            if page.shown["unsent"] > 400:
                page.evaluate("quiet()")
            with contextlib.suppress(Exception):
                page.evaluate("([id, prefix]) => void sendMany(id, prefix, 500).catch(() => undefined)",
                              [chat, f"run {number}"])
            until("the page writes", lambda: page.wait_for_timeout(2) or notes, 60)
            page.wait_for_timeout(random.uniform(0, 100))
            if number % 40 == 4:
                self.cluster.kill("gateway")
            browser.kill()
            resolved += notes
            if number % 20 == 19:
                print(f"# {number + 1} kills, {len(resolved)} promises resolved", flush=True)
        browser.open()
        page = self.app(browser)
        page.evaluate("quiet()")
        page.evaluate("([url, name]) => befriend(url, name)", [self.cluster.url, "killed"])
        mine = [it["text"] for it in page.evaluate("id => messages(id)", chat)]
        theirs = [it["text"] for it in page.evaluate("id => friendsMessages(id)", chat)]
        print(f"# {count} kills, {len(resolved)} promises resolved, {len(theirs)} messages arrived (seed {seed})",
              flush=True)
        assert mine == theirs, "both see the same"
        assert len(theirs) == len(set(theirs)), "nothing was sent twice"
        there = set(theirs)
        missing = [text for text in resolved if text not in there]
        assert not missing, f"{len(missing)} of {len(resolved)} were lost, the first one {missing[0]}"
        runs = {}
        for text in theirs:
            if text.startswith("run "):
                _, number, index = text.split()
                runs.setdefault(int(number), []).append(int(index))
        for number, run in runs.items():
            assert run == list(range(len(run))), f"run {number} is out of order: {run}"
        assert list(runs) == sorted(runs), "what was done later arrived later"
        assert len(resolved) > count, f"only {len(resolved)} messages were written"

    def closed(self, browser):
        page = self.app(browser)
        chat = page.evaluate("([url, name]) => meet(url, name)", [self.cluster.url, "closed"])
        page.close()
        # Another address of the same server does not answer: the page has no connection.
        page = self.app(browser)
        browser.context.set_offline(True)
        for number in range(10):
            assert page.evaluate("([id, text]) => sendOne(id, text)", [chat, f"offline {number}"]) == "pending"
        page.close()
        browser.kill()
        browser.open()
        browser.context.set_offline(False)
        page = self.app(browser)
        assert page.shown["inbox"] == ["Friend"], page.shown
        page.evaluate("quiet()")
        texts = [it["text"] for it in page.evaluate("id => messages(id)", chat)]
        assert texts == ["Hello"] + [f"offline {number}" for number in range(10)], texts

    def tabs(self, browser):
        first = self.app(browser)
        chat = first.evaluate("([url, name]) => meet(url, name)", [self.cluster.url, "tabs"])
        second = self.app(browser)
        assert second.shown["connection"] == "elsewhere" and second.shown["inbox"] == ["Friend"], second.shown
        second.evaluate("id => messages(id)", chat)
        first.evaluate("([id, text]) => sendOne(id, text)", [chat, "from the first"])
        texts = lambda page: [it["text"] for it in page.evaluate("id => messages(id)", chat)]
        until("the second tab shows it", lambda: texts(second) == ["Hello", "from the first"])
        second.evaluate("([id, text]) => sendOne(id, text)", [chat, "from the second"])
        second.evaluate("quiet()")
        until("the first tab shows it as sent", lambda: [it["seq"] for it in
              first.evaluate("id => messages(id)", chat)] == [1, 2, 3])
        assert second.evaluate("search('second')") == ["from the second"]
        # The tab that leads is gone without a word.
        second.evaluate("id => void sendMany(id, 'late', 20)", chat)
        first.close()
        until("the second tab takes over", lambda: second.evaluate("shown()")["connection"] == "online")
        second.evaluate("quiet()")
        until("everything is there once", lambda: texts(second) ==
              ["Hello", "from the first", "from the second"] + [f"late {number}" for number in range(20)])

    def example(self, browser):
        app = self.app(browser, storage="memory")
        chat = app.evaluate("([url, name]) => meet(url, name)", [self.cluster.url, "example"])
        page = browser.context.new_page()
        page.on("pageerror", lambda error: print(f"# example: {error}", flush=True))
        page.goto(f"{self.base}/example/chat.html?{self.cluster.url}")
        page.fill("#enter [name=name]", "example")
        page.fill("#enter [name=password]", "a guess")
        page.click("#enter button")
        page.get_by_text("Wrong username or password.").wait_for()
        page.fill("#enter [name=name]", "example")
        page.fill("#enter [name=password]", "correct horse battery")
        page.click("#enter button")
        page.click("text=Friend (0): Hello")
        page.get_by_text("Hello synced").wait_for()
        page.fill("#write input", "From the page")
        page.click("#write button")
        page.get_by_text("From the page synced").wait_for()
        assert [it["text"] for it in app.evaluate("id => friendsMessages(id)", chat)] == ["Hello", "From the page"]
        browser.context.set_offline(True)
        page.fill("#write input", "Without a connection")
        page.click("#write button")
        page.get_by_text("Without a connection pending").wait_for()
        browser.context.set_offline(False)
        page.get_by_text("Without a connection synced").wait_for()

    def leaving(self, browser):
        """The tokens leave IndexedDB at once; what is still to be told stays there until it is told."""
        page = self.app(browser)
        page.evaluate("([url, name]) => meet(url, name)", [self.cluster.url, "gone"])
        other = self.app(browser)
        assert other.shown["connection"] == "elsewhere", other.shown
        browser.context.set_offline(True)
        # The tab that does not lead signs out; the one that leads closes the account, too.
        left = other.evaluate("signOut()")
        assert left == {"user": None, "databases": ["parley accounts"]}, left
        until("the other tab shows nobody", lambda: page.evaluate("shown()")["user"] is None)
        keys = page.evaluate("storedKeys()")
        assert len(keys) == 2 and keys[0] == "_known gone" and keys[1].startswith("_left "), keys
        browser.kill()
        browser.open()
        page = self.app(browser)
        assert page.shown["user"] is None and page.shown["inbox"] == [], page.shown
        until("the server is told", lambda: page.evaluate("storedKeys()") == ["_known gone"])
        page.evaluate("signIn('gone')")
        assert page.evaluate("devices()") == 1, "the device that left is signed out"

    def accounts(self, browser):
        page = self.app(browser)
        page.evaluate("([url, name]) => meet(url, name)", [self.cluster.url, "ada"])
        page.evaluate("close()")
        # A second person signs in beside the first.
        page = self.app(browser, user="nobody")
        assert page.shown["user"] is None, page.shown
        page.evaluate("([url, name]) => meet(url, name)", [self.cluster.url, "bea"])
        people = page.evaluate("url => accounts(url)", self.cluster.url)
        assert people == ["bea", "ada"], people
        databases = page.evaluate("indexedDB.databases().then(all => all.length)")
        assert databases == 3, databases
        left = page.evaluate("signOut()")
        assert left["user"] is None and len(left["databases"]) == 2, left
        assert page.evaluate("url => accounts(url)", self.cluster.url) == ["ada"]
        # What shows that somebody signed in here before stays: it gives no access.
        until("the server is told", lambda: page.evaluate("storedKeys()") == ["_known ada", "_known bea", "ada"])
        page.evaluate("close()")
        page = self.app(browser)
        assert page.shown["inbox"] == ["Friend"], page.shown


def main():
    out, names = sys.argv[1], sys.argv[2:] or ["store", "outbox"]
    if names == ["--prepare"]:
        return
    handler = functools.partial(Pages, directory=out)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if names == ["figures"]:
        with sync_playwright() as playwright, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            browser = Browser(playwright, folder, f"http://127.0.0.1:{server.server_address[1]}")
            browser.open()
            print(json.dumps(browser.page("figures").evaluate("figures()")))
            browser.close()
        return
    print("TAP version 13")
    with sync_playwright() as playwright:
        tests = Tests(playwright, f"http://127.0.0.1:{server.server_address[1]}")
        for name in names:
            getattr(tests, name)()
    print(f"1..{tests.count}\n# pass {tests.count - tests.failed}\n# fail {tests.failed}")
    sys.exit(1 if tests.failed else 0)


main()
