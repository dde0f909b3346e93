"""Runs the scenarios, or writes pictures: see Tests/WebChat/run."""
import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import traceback

from playwright.sync_api import sync_playwright

import entities
import figures
import files
import languages
import oddities
import page
import people
import pictures
import present
import pushes
import scenarios
import selecting
import talking
import ways
from cluster import Cluster
from person import Person


ALL = (scenarios.ALL + people.ALL + talking.ALL + files.ALL + entities.ALL + present.ALL + pushes.ALL
       + selecting.ALL + oddities.ALL + languages.ALL + ways.ALL)
# These begin first, since they take longest.
LONG = {scenarios.long_conversation, scenarios.older, files.uploads, oddities.many_conversations}
# These kill processes, or need a service for pushes, and so have a cluster of their own; and the whole Chromium, since
# the light one shows no notices.
ALONE = {scenarios.killed_gateway, oddities.takes_nothing, pushes.pushed}
# These are done in WebKit, too, the engine of iPhones.
IN_WEBKIT = [
    scenarios.first_words, scenarios.changes, scenarios.requests, scenarios.hostile_text, scenarios.no_network,
    scenarios.half_sent, scenarios.two_tabs, scenarios.draft, scenarios.signed_out_elsewhere, scenarios.narrow,
    people.reported, people.groups, people.profile, talking.answers, talking.reactions, talking.mentions,
    talking.offline, talking.filters, files.files, entities.events, present.presence, oddities.disguised,
]
# And these when only WebKit is asked for: the others hold what differs between engines. What is in neither list needs
# what webkit_driver.py refuses, or pushes and a microphone, or takes minutes.
IF_ONLY_WEBKIT = [
    scenarios.refused_text, scenarios.older, people.put_away, talking.forwarded, talking.keyboard, files.lying_file,
    entities.reminders, entities.decisions, entities.suggestions, present.hiding, present.data, oddities.odd_names,
    selecting.dates, languages.second_language,
]
WORKERS = {"chromium": 2, "webkit": 1}
# The browser hears beeps, and asks nobody whether it may.
MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]


class World:
    """The cluster and the browser of a run. Each scenario has people of its own."""

    def __init__(self, browser, cluster):
        self.browser, self.cluster, self.people = browser, cluster, []

    def person(self, name, **more):
        made = Person(self.browser, self.cluster, name, **more)
        self.people.append(made)
        return made

    def end(self):
        """Ends the people's browsers, and says what the browsers complained about."""
        found = []
        for person in self.people:
            found += [f"{person.name}: {problem}" for problem in person.refused()]
            person.close()
        self.people = []
        return found


def chromium(light):
    """Finds Chromium. The light one has no windows, and takes a quarter less of the processor for the same scenarios."""
    for name in ["chromium-headless-shell"] * light + ["chromium", "chromium-browser", "google-chrome"]:
        if shutil.which(name):
            return shutil.which(name)
    sys.exit("Chromium is missing: deploy/install-packages installs it.")


def run(world, engine, taken):
    """Runs the scenarios that are taken, one after the other, and returns how many failed."""
    failed = 0
    for scenario in taken:
        began = time.monotonic()
        why = ""
        try:
            scenario(world)
        except Exception:
            # What is shown first, since long reports are cut.
            why = "".join(person.seen() for person in world.people) + traceback.format_exc()
        complaints = world.end()
        if complaints:
            why = "the browser complained:\n" + "\n".join(complaints) + f"\n{why}"
        failed += bool(why)
        where = "in WebKit, " if engine == "webkit" else ""
        said = f"{'✘' if why else '✔'} {scenario.__doc__.strip()} ({where}{time.monotonic() - began:.1f} s)\n"
        # At once, since others print, too.
        os.write(1, (said + (f"{why}\n" if why else "")).encode())
    return failed


def opened(options, folder, name):
    """Starts a cluster in a folder of its own, which serves the page that is to be tested."""
    place = os.path.join(folder, name)
    os.mkdir(place)
    cluster = Cluster(os.path.abspath(options.binaries), place)
    if options.sources:
        cluster.page = page.Front(cluster.page, page.bundle(os.path.join(place, "page"))).url
    return cluster


def work(cluster, engine, taken, failed, light=True):
    """Runs the scenarios that are taken, with a browser of its own."""
    if engine == "webkit":
        os.environ["PLAYWRIGHT_NODEJS_PATH"] = os.path.join(os.path.dirname(__file__), "webkit_driver.py")
    with sync_playwright() as playwright:
        browser = playwright.webkit.launch() if engine == "webkit" else launch(playwright, light)
        count = run(World(browser, cluster), engine, taken)
        browser.close()
    with failed.get_lock():
        failed.value += count


def work_alone(open_cluster, alone, cluster, taken, failed):
    """Runs scenarios that disturb others, on a cluster of their own, and then those that are taken."""
    own = open_cluster()
    try:
        work(own, "chromium", alone, failed, light=False)
    finally:
        own.stop()
    work(cluster, "chromium", taken, failed)


def run_all(cluster, open_cluster, chosen):
    """Runs scenarios of engines beside each other. Returns how many failed."""
    fork = multiprocessing.get_context("fork")
    failed, workers = fork.Value("i", 0), []
    for engine, count in WORKERS.items():
        numbers = fork.Queue()
        alone = [scenario for scenario in chosen[engine] if scenario in ALONE]
        for scenario in sorted(chosen[engine], key=lambda each: each not in LONG):
            if scenario not in alone:
                numbers.put(ALL.index(scenario))
        for _ in range(count):
            numbers.put(None)
        taken = (ALL[number] for number in iter(numbers.get, None))
        for number in range(count if chosen[engine] else 0):
            if alone and number == 0:
                job = (work_alone, open_cluster, alone, cluster, taken, failed)
            else:
                job = (work, cluster, engine, taken, failed)
            workers.append(fork.Process(target=job[0], args=job[1:]))
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return failed.value + sum(worker.exitcode != 0 for worker in workers)


def launch(playwright, light=False):
    return playwright.chromium.launch(executable_path=chromium(light), args=["--no-sandbox", *MICROPHONE])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries", nargs="?", default=".build/debug")
    parser.add_argument("-k", action="append", help="only scenarios whose name or sentence has these words")
    parser.add_argument("--engine", choices=WORKERS, help="only in this one")
    parser.add_argument("--keep", action="store_true", help="keep the folder with logs and data")
    parser.add_argument("--sources", action="store_true", help="serve the page of these sources, not the built one")
    parser.add_argument("--figures", action="store_true", help="measure, and print JSON, instead of testing")
    parser.add_argument("--screenshots", help="write pictures into this folder instead of testing")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="parley-web-")
    cluster = opened(options, folder, "shared")
    try:
        if options.screenshots or options.figures:
            with sync_playwright() as playwright:
                world = World(launch(playwright), cluster)
                if options.figures:
                    figures.write(world)
                else:
                    pictures.write(world, options.screenshots)
                world.end()
            return 0
        has = {"chromium": ALL, "webkit": IN_WEBKIT + (IF_ONLY_WEBKIT if options.engine == "webkit" else [])}
        chosen = {engine: [each for each in has[engine] if options.engine in (None, engine) and any(
            words.lower() in f"{each.__name__} {each.__doc__.lower()}" for words in options.k or [""])]
            for engine in has}
        began = time.monotonic()
        failed = run_all(cluster, lambda: opened(options, folder, "alone"), chosen)
        count = sum(map(len, chosen.values()))
        print(f"{'✘' if failed else '✔'} {count} scenarios of the chat, {len(chosen['webkit'])} of them in WebKit, "
              f"{failed} failed ({time.monotonic() - began:.0f} s).")
        return 1 if failed or not count else 0
    finally:
        cluster.stop()
        if options.keep:
            print(f"The data is in {folder}.")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
