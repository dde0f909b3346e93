#!/usr/bin/env python3
"""
Stands where Playwright's client starts its driver, and does in WebKitGTK what the scenarios ask for: they are the same
as in Chromium, and so are the client's words and Playwright's rules for what a role, a name or a visible element is.
Input is that of the browser's WebDriver: real keys and clicks. Each context is a browser of its own.

What WebKitGTK has no means for is refused: Chrome's protocol, a clock that is wrong, permissions.
"""
import ast
import itertools
import json
import os
import re
import signal
import struct
import sys
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from webkit_browser import Refused, WebKit, adopts_orphans  # noqa: E402

KEYS = {
    "Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009", "Alt": "\ue00a",
    "Escape": "\ue00c", "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011",
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Delete": "\ue017",
}
BUTTONS = {"left": 0, "middle": 1, "right": 2}
OPTIONS = {"viewport", "colorScheme", "locale", "timezoneId"}

# Calls a function of webkit_page.js. A page that was just loaded does not have it yet.
CALL = """
const [name, values, done] = arguments;
const page = globalThis[Symbol.for("driver")];
if (!page) return done({ isNew: true });
(async () => page[name](values))().then(
    (value) => done({ value: value ?? {}, ...page.state() }),
    (error) => done({ error: `${error.message ?? error}`, ...page.state() }));
"""
# Evaluates what a scenario has written, of an element, of several, or of nothing.
EVALUATE = """
const [value, target, done] = arguments;
const page = globalThis[Symbol.for("driver")];
if (!page) return done({ isNew: true });
(async () => {
    const made = (%s);
    if (typeof made !== "function") return made;
    if (target === null) return made(value);
    return made(target.isMany ? page.elements(target.selector) : page.one(target), value);
})().then(
    (value) => done({ value: %s, ...page.state() }),
    (error) => done({ error: `${error.message ?? error}`, ...page.state() }));
"""


class Wrong(Exception):
    """An error that the scenario is told of. `details` are what an expectation found."""

    def __init__(self, said, name="Error", details=None):
        super().__init__(said)
        self.name, self.details = name, details


def parsed(value):
    """What the client has serialized, but for values that JSON does not have."""
    for kind in ("n", "s", "b"):
        if kind in value:
            return value[kind]
    if "a" in value:
        return [parsed(each) for each in value["a"]]
    if "o" in value:
        return {each["k"]: parsed(each["v"]) for each in value["o"]}
    if value.get("v") in ("null", "undefined"):
        return None
    raise Wrong(f"The driver of WebKit does not know this kind of value: {value}")


def serialized(value, numbers=None):
    numbers = numbers or itertools.count(1)
    if value is None:
        return {"v": "null"}
    if isinstance(value, bool):
        return {"b": value}
    if isinstance(value, (int, float)):
        return {"n": value}
    if isinstance(value, str):
        return {"s": value}
    if isinstance(value, list):
        return {"id": next(numbers), "a": [serialized(each, numbers) for each in value]}
    return {"id": next(numbers), "o": [{"k": key, "v": serialized(each, numbers)} for key, each in value.items()]}


class Thing:
    """Something that the client knows by its id."""

    def __init__(self, driver, parent, kind, initializer):
        self.driver, self.guid = driver, f"{kind}@{next(driver.numbers)}"
        driver.things[self.guid] = self
        driver.send(guid=parent.guid if parent else "", method="__create__",
                    params={"type": kind, "guid": self.guid, "initializer": initializer})

    @property
    def reference(self):
        return {"guid": self.guid}

    def emit(self, event, **params):
        self.driver.send(guid=self.guid, method=event, params=params)

    def gone(self):
        self.driver.things.pop(self.guid, None)
        self.driver.send(guid=self.guid, method="__dispose__", params={})

    def update_subscription(self, params, until):
        """The client is told of everything anyway."""

    def dispose(self, params, until):
        pass


class BrowserType(Thing):
    def launch(self, params, until):
        return {"browser": Browser(self.driver, self).reference}


class Browser(Thing):
    def __init__(self, driver, parent):
        super().__init__(driver, parent, "Browser", {"version": "", "name": "webkit", "browserName": "webkit"})

    def new_context(self, params, until):
        made = Context(self.driver, self, params)
        self.emit("context", context=made.reference)
        return {"context": made.reference}

    def close(self, params, until):
        self.emit("close")


class Context(Thing):
    """A person's browser."""

    def __init__(self, driver, parent, options):
        unknown = {name: value for name, value in options.items() if value and name not in OPTIONS}
        if unknown or options.get("colorScheme") == "dark":
            raise Wrong(f"WebKit: a context cannot be made with {unknown or 'dark colours'}")
        self.size = options["viewport"]
        self.webkit = driver.take(options["locale"], options["timezoneId"])
        self.scripts, self.pages, self.used = [], [], None
        parts = {"debugger": Thing(driver, parent, "Debugger", {}), "tracing": Thing(driver, parent, "Tracing", {})}
        parts["requestContext"] = Thing(driver, parent, "APIRequestContext", {"tracing": parts["tracing"].reference})
        super().__init__(driver, parent, "BrowserContext", {
            "options": {"viewport": self.size}, **{name: part.reference for name, part in parts.items()}})
        driver.contexts.append(self)
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        """Tells of each file that was saved, once it is whole: the browser makes it before it writes it."""
        known, sizes = set(), {}
        while self in self.driver.contexts:
            try:
                names = set(os.listdir(self.webkit.saved))
                before, sizes = sizes, {name: os.path.getsize(os.path.join(self.webkit.saved, name)) for name in names}
            except FileNotFoundError:
                if os.path.isdir(self.webkit.saved):
                    continue
                # The browser was closed.
                return
            for name in sorted(names - known):
                if name.endswith(".wkdownload") or f"{name}.wkdownload" in names:
                    continue
                if sizes[name] == 0 or before.get(name) != sizes[name]:
                    continue
                known.add(name)
                with self.driver.lock:
                    file = Artifact(self.driver, self, os.path.join(self.webkit.saved, name))
                    self.used.emit("download", url="", suggestedFilename=name, artifact=file.reference)
            time.sleep(0.1)

    def new_page(self, params, until):
        made = self.used = Page(self.driver, self)
        self.pages.append(made)
        self.emit("page", page=made.reference)
        return {"page": made.reference}

    def add_init_script(self, params, until):
        """The browser's driver has no means to run it before the page: it is run once the page was loaded."""
        self.scripts.append(params["source"])
        return {"disposable": Thing(self.driver, self, "Disposable", {}).reference}

    def set_offline(self, params, until):
        self.webkit.network.cut(params["offline"])

    def close(self, params, until):
        for page in list(self.pages):
            page.left()
        self.webkit.close()
        self.driver.contexts.remove(self)
        self.emit("close")
        self.gone()


class Artifact(Thing):
    """A file that the browser saved."""

    def __init__(self, driver, parent, path):
        self.path = path
        super().__init__(driver, parent, "Artifact", {"absolutePath": path})

    def path_after_finished(self, params, until):
        return {"value": self.path}


class Page(Thing):
    def __init__(self, driver, context):
        self.context, self.webkit = context, context.webkit
        # The first tab is there from the beginning, and the last one stays, since the browser ends with it.
        self.tab = self.webkit.tabs[0] if not context.pages else self.webkit.open_tab()
        self.frame = Frame(driver, context, self)
        self.listens = False
        super().__init__(driver, context, "Page", {
            "mainFrame": self.frame.reference, "viewportSize": context.size, "isClosed": False})
        self.resize(context.size)

    def resize(self, size):
        """Makes the window so large that this is inside it. The page hears of a new size some time later."""
        before, until = None, time.monotonic() + 20
        while True:
            inner = self.webkit.script(self.tab, "arguments[0]([innerWidth, innerHeight])")
            more = [size["width"] - inner[0], size["height"] - inner[1]]
            if more == [0, 0]:
                return
            if time.monotonic() > until:
                raise Wrong(f"WebKit: a window of {size} could not be made within 20 s: inside it is {inner}")
            if inner == before:
                outer = self.webkit.command(self.tab, "GET", "/window/rect")
                self.webkit.command(self.tab, "POST", "/window/rect", {
                    "width": outer["width"] + more[0], "height": outer["height"] + more[1]})
            before = None if inner == before else inner
            time.sleep(0.05)

    def set_viewport_size(self, params, until):
        self.resize(params["viewportSize"])

    def call(self, command, **values):
        return self.reply(lambda: self.webkit.script(self.tab, CALL, command, values))

    def evaluate(self, expression, value, target=None, is_truth=False):
        source = EVALUATE % (expression, "Boolean(value)" if is_truth else "value ?? null")
        return self.reply(lambda: self.webkit.script(self.tab, source, value, target))

    def reply(self, ask):
        """What a page answers. One that was loaded is first given what answers."""
        until = time.monotonic() + 30
        while True:
            try:
                reply = ask()
                if reply.get("isNew"):
                    self.webkit.script(self.tab, self.driver.in_page)
                    for script in self.context.scripts:
                        self.webkit.script(self.tab, f"{script}\narguments[arguments.length - 1](null);")
                    if self.listens:
                        self.call("listenToChoosers", isEnabled=True)
                    continue
            except Refused as refused:
                # The page was left, or loaded anew, meanwhile.
                if refused.kind not in ("javascript error", "no such frame", "stale element reference") or (
                        time.monotonic() > until):
                    raise
                time.sleep(0.05)
                continue
            if reply["url"] != self.frame.url:
                self.frame.navigated(reply["url"])
            for text in reply["complaints"]:
                self.context.emit("console", type="error", text=text, args=[], timestamp=0, page=self.reference,
                                  location={"url": "", "lineNumber": 0, "columnNumber": 0})
            if "error" in reply:
                raise Wrong(reply["error"])
            return reply["value"]

    def retry(self, until, what, attempt):
        """Tries until nothing says why it does not work."""
        waits = itertools.chain((0.02, 0.05, 0.1), itertools.repeat(0.15))
        while True:
            result = attempt()
            if "why" not in result:
                return result
            if time.monotonic() > until:
                raise Wrong(f"Timeout exceeded while waiting to {what}: {result['why']}.", "TimeoutError")
            time.sleep(next(waits))

    def press_at(self, until, what, target, button=None):
        """Moves the pointer to an element, and presses a button there."""
        def attempt():
            point = self.call("point", isHover=button is None, **target)
            if "why" in point:
                return point
            moves = [{"type": "pointerMove", "duration": 0, "x": point["x"], "y": point["y"]}]
            if button is not None:
                moves += [{"type": f"pointer{way}", "button": BUTTONS[button]} for way in ("Down", "Up")]
            self.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves})
            return self.call("released")
        self.retry(until, what, attempt)
        if self.listens:
            self.choose()

    def choose(self):
        number = next(self.driver.numbers)
        chosen = self.call("chosen", number=number)
        if chosen.get("isChosen"):
            element = Handle(self.driver, self.frame, "ElementHandle", "a chooser of files", number)
            self.emit("fileChooser", element=element.reference, isMultiple=chosen["isMultiple"])

    def act(self, *sources):
        self.context.used = self
        self.webkit.command(self.tab, "POST", "/actions", {"actions": list(sources)})

    def type_keys(self, keys, delay=0):
        """Presses keys one after the other; each may be several at once, as "Control+k"."""
        moves = []
        for key in keys:
            names = key.split("+") if len(key) > 1 else [key]
            marks = [KEYS.get(name, name) for name in names]
            if any(len(mark) > 1 for mark in marks):
                raise Wrong(f"WebKit: the driver does not know the key {key}")
            moves += [{"type": "keyDown", "value": mark} for mark in marks]
            moves += [{"type": "keyUp", "value": mark} for mark in reversed(marks)]
            if delay:
                moves.append({"type": "pause", "duration": int(delay)})
        self.act({"type": "key", "id": "keys", "actions": moves})

    def keyboard_press(self, params, until):
        self.type_keys([params["key"]])

    def keyboard_type(self, params, until):
        self.type_keys(params["text"], params.get("delay"))

    def update_subscription(self, params, until):
        if params["event"] == "fileChooser":
            self.listens = params["enabled"]
            self.call("listenToChoosers", isEnabled=self.listens)

    def reload(self, params, until):
        self.webkit.command(self.tab, "POST", "/refresh")
        self.call("count", selector=":root")

    def add_init_script(self, params, until):
        return self.context.add_init_script(params, until)

    def close(self, params, until):
        if len(self.context.pages) == 1:
            self.webkit.tabs = [self.webkit.open_tab()]
        self.webkit.close_tab(self.tab)
        self.left()

    def left(self):
        self.context.pages.remove(self)
        self.emit("close")
        self.frame.gone()
        self.gone()


class Frame(Thing):
    """A page's document."""

    def __init__(self, driver, context, page):
        self.page, self.url = page, "about:blank"
        super().__init__(driver, context, "Frame", {
            "url": self.url, "name": "", "loadStates": ["commit", "domcontentloaded", "load"]})

    def navigated(self, url):
        self.url = url
        self.emit("navigated", url=url, name="")

    def goto(self, params, until):
        self.page.webkit.command(self.page.tab, "POST", "/url", {"url": params["url"]})
        self.page.call("count", selector=":root")

    def expect(self, params, until):
        options = {name: value for name, value in params.items() if name != "selector"}
        if "expectedValue" in options:
            options["expectedValue"] = parsed(options["expectedValue"]["value"])
        found = {}

        def attempt():
            nonlocal found
            found = self.page.call("expect", selector=params.get("selector"), options=options)
            return {} if found["matches"] != options["isNot"] else {"why": "it is not as expected"}

        try:
            self.page.retry(until, f"see {params['expression']} of {params.get('selector')}", attempt)
        except Wrong as wrong:
            details = {"timedOut": wrong.name == "TimeoutError"}
            if received := found.get("received"):
                details["received"] = {"value": serialized(received.get("value")),
                                       "ariaSnapshot": received.get("ariaSnapshot") or ""}
            if wrong.name != "TimeoutError":
                details["customErrorMessage"] = str(wrong)
            elif found.get("isMissing"):
                details["customErrorMessage"] = "element(s) not found"
            raise Wrong(str(wrong), wrong.name, details) from wrong

    def click(self, params, until):
        self.page.press_at(until, f"click {params['selector']}", {"selector": params["selector"]},
                           params.get("button", "left"))

    def hover(self, params, until):
        self.page.press_at(until, f"point at {params['selector']}", {"selector": params["selector"]})

    def once(self, until, doing, ours, params, **values):
        """Does something with the element that a selector means, as soon as it can be done."""
        return self.page.retry(until, f"{doing} {params['selector']}", lambda: self.page.call(
            ours, selector=params["selector"], **values))

    def fill(self, params, until):
        self.once(until, "fill", "fill", params, value=params["value"])

    def focus(self, params, until):
        self.once(until, "focus", "focus", params)

    def press(self, params, until):
        self.focus(params, until)
        self.page.type_keys([params["key"]])

    def type(self, params, until):
        self.focus(params, until)
        self.page.type_keys(params["text"], params.get("delay"))

    def select_option(self, params, until):
        return self.once(until, "choose of", "select", params, options=params["options"])

    def check(self, params, until, wanted=True):
        for _ in range(2):
            if self.once(until, "look at", "checked", params)["isChecked"] == wanted:
                return
            self.click(params, until)
        if self.once(until, "look at", "checked", params)["isChecked"] != wanted:
            raise Wrong(f"Clicking {params['selector']} did not change whether it is checked")

    def uncheck(self, params, until):
        self.check(params, until, wanted=False)

    def query_count(self, params, until):
        return {"value": self.page.call("count", selector=params["selector"])}

    def wait_for_selector(self, params, until):
        number = next(self.driver.numbers)
        kept = self.once(until, "find", "keep", params, state=params.get("state", "visible"), number=number)
        if "preview" not in kept or params.get("omitReturnValue"):
            return {}
        return {"element": Handle(self.driver, self, "ElementHandle", kept["preview"], number).reference}

    def wait_for_function(self, params, until):
        value = parsed(params["arg"]["value"])
        self.page.retry(until, f"see {params['expression']}", lambda: {} if self.page.evaluate(
            params["expression"], value, is_truth=True) else {"why": "it did not become true"})
        return {"handle": Handle(self.driver, self, "JSHandle", "true", None).reference}

    def evaluate_expression(self, params, until):
        return {"value": serialized(self.page.evaluate(params["expression"], parsed(params["arg"]["value"])))}

    def eval_on_selector_all(self, params, until):
        return {"value": serialized(self.page.evaluate(
            params["expression"], parsed(params["arg"]["value"]), {"selector": params["selector"], "isMany": True}))}

    def wait_for_timeout(self, params, until):
        time.sleep(params["waitTimeout"] / 1000)

    def text_content(self, params, until):
        return self.once(until, "read", "read", params, what="textContent")

    def inner_text(self, params, until):
        return self.once(until, "read", "read", params, what="innerText")

    def input_value(self, params, until):
        return self.once(until, "read", "read", params, what="value")

    def get_attribute(self, params, until):
        return self.once(until, "read", "read", params, what="attribute", name=params["name"])


class Handle(Thing):
    """An element that was found, as long as it is in the page."""

    def __init__(self, driver, frame, kind, preview, number):
        super().__init__(driver, frame, kind, {"preview": preview})
        self.page, self.target = frame.page, {"kept": number}

    def evaluate_expression(self, params, until):
        return {"value": serialized(self.page.evaluate(
            params["expression"], parsed(params["arg"]["value"]), self.target))}

    def bounding_box(self, params, until):
        return {"value": self.page.call("box", **self.target)}

    def owner_frame(self, params, until):
        return {"frame": self.page.frame.reference}

    def set_input_files(self, params, until):
        payloads = [{"mimeType": "", **each} for each in params["payloads"]]
        self.page.call("files", payloads=payloads, **self.target)

    def dispose(self, params, until):
        self.gone()


class Root:
    guid = ""

    def __init__(self, driver):
        self.driver = driver

    def initialize(self, params, until):
        driver = self.driver
        parts = {name: BrowserType(driver, self, "BrowserType", {"executablePath": "", "name": name})
                 for name in ("chromium", "firefox", "webkit")}
        parts |= {name.lower(): Thing(driver, self, name, {}) for name in ("Android", "Electron")}
        made = Thing(driver, self, "Playwright", {name: part.reference for name, part in parts.items()})
        return {"playwright": made.reference}


class Driver:
    def __init__(self, client):
        self.numbers, self.contexts, self.lock = itertools.count(1), [], threading.RLock()
        self.things = {"": Root(self)}
        self.output = os.fdopen(os.dup(1), "wb")
        # What a library prints would be taken for a message.
        os.dup2(2, 1)
        self.in_page = script_of(client)
        self.pool, self.spare, self.of_spare = ThreadPoolExecutor(1), None, None

    def take(self, locale, zone):
        """A browser that was started before it was asked for, since that takes longer than anything else."""
        if self.spare and self.of_spare != (locale, zone):
            self.spare.result().close()
            self.spare = None
        made = self.spare.result() if self.spare else WebKit(locale, zone)
        self.of_spare = (locale, zone)
        self.spare = self.pool.submit(WebKit, locale, zone)
        return made

    def send(self, **message):
        data = json.dumps(message).encode()
        with self.lock:
            self.output.write(struct.pack("<I", len(data)) + data)
            self.output.flush()

    def run(self, messages):
        while head := messages.read(4):
            message = json.loads(messages.read(struct.unpack("<I", head)[0]))
            # What the client says of itself, and what it no longer waits for, has no reply.
            if message["method"] not in ("__waitInfo__", "__abort__"):
                self.answer(message)

    def answer(self, message):
        name = re.sub("([A-Z])", lambda found: f"_{found[0].lower()}", message["method"])
        timeout = message.get("metadata", {}).get("timeout") or 60_000
        reply = {"id": message["id"]}
        try:
            thing = self.things.get(message["guid"])
            if not thing:
                raise Wrong("Target page, context or browser has been closed", "TargetClosedError")
            method = getattr(thing, name, None)
            if not method:
                raise Wrong(f"WebKit: the driver has no {type(thing).__name__}.{message['method']}")
            reply["result"] = method(message["params"], time.monotonic() + timeout / 1000) or {}
        except Wrong as wrong:
            reply["error"] = {"error": {"message": str(wrong), "name": wrong.name, "stack": ""}}
            if wrong.details is not None:
                reply["errorDetails"] = wrong.details
        except Exception as error:
            reply["error"] = {"error": {"message": f"{error}\n{traceback.format_exc()}", "name": "Error", "stack": ""}}
        self.send(**reply)

    def close(self):
        for context in self.contexts:
            context.webkit.close()
        if self.spare:
            self.spare.result().close()


def script_of(client):
    """Playwright's own script for pages, which its driver has as a text, and ours behind it."""
    with open(os.path.join(os.path.dirname(client), "lib", "coreBundle.js"), encoding="utf-8") as file:
        found = re.search(r"// packages/playwright-core/src/generated/injectedScriptSource\.ts.*?= ('.*?');\n",
                          file.read(), re.S)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "webkit_page.js"), encoding="utf-8") as file:
        ours = file.read()
    return f"{{ const module = {{}};\n{ast.literal_eval(found[1])}\n{ours} }}\narguments[arguments.length - 1](null);"


def stopped(*_):
    raise KeyboardInterrupt


def main():
    signal.signal(signal.SIGTERM, stopped)
    adopts_orphans()
    driver = Driver(sys.argv[1])
    try:
        driver.run(sys.stdin.buffer)
    except KeyboardInterrupt:
        pass
    finally:
        # Nothing is left behind when it is stopped twice.
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        driver.close()


if __name__ == "__main__":
    main()
