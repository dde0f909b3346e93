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
from cluster import Cluster
from person import Person


ALL = (scenarios.ALL + people.ALL + talking.ALL + files.ALL + entities.ALL + present.ALL + pushes.ALL
       + selecting.ALL + oddities.ALL + languages.ALL)
# These begin first, since they take longest. Those that kill processes have a cluster of their own.
LONG = {scenarios.long_conversation, scenarios.older, files.uploads, pushes.pushed, oddities.many_conversations}
ALONE = {scenarios.killed_gateway, oddities.takes_nothing}
WORKERS = 2
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


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    sys.exit("Chromium is missing: deploy/install-packages installs it.")


def run(world, taken):
    """Runs the scenarios that are taken, one after the other, and returns how many failed."""
    failed = 0
    for scenario in taken:
        began = time.monotonic()
        why = ""
        try:
            scenario(world)
        except Exception:
            why = traceback.format_exc()
        complaints = world.end()
        if complaints and not why:
            why = "the browser complained:\n" + "\n".join(complaints)
        failed += bool(why)
        said = f"{'✘' if why else '✔'} {scenario.__doc__.strip()} ({time.monotonic() - began:.1f} s)\n"
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


def work(cluster, taken, failed):
    """Runs the scenarios that are taken, with a browser of its own."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        count = run(World(browser, cluster), taken)
        browser.close()
    with failed.get_lock():
        failed.value += count


def work_alone(open_cluster, taken, failed):
    """Runs scenarios that disturb others, on a cluster of their own."""
    cluster = open_cluster()
    try:
        work(cluster, taken, failed)
    finally:
        cluster.stop()


def run_all(cluster, open_cluster, chosen):
    """Runs scenarios beside each other. Returns how many failed."""
    fork = multiprocessing.get_context("fork")
    numbers, failed = fork.Queue(), fork.Value("i", 0)
    for scenario in sorted(chosen, key=lambda each: each not in LONG):
        if scenario not in ALONE:
            numbers.put(ALL.index(scenario))
    shared = (ALL[number] for number in iter(numbers.get, None))
    workers = [fork.Process(target=work, args=(cluster, shared, failed)) for _ in range(WORKERS)]
    for _ in workers:
        numbers.put(None)
    alone = [scenario for scenario in chosen if scenario in ALONE]
    if alone:
        workers.append(fork.Process(target=work_alone, args=(open_cluster, alone, failed)))
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return failed.value + sum(worker.exitcode != 0 for worker in workers)


def launch(playwright):
    return playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", *MICROPHONE])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries", nargs="?", default=".build/debug")
    parser.add_argument("-k", action="append", help="only scenarios whose name or sentence has these words")
    parser.add_argument("--keep", action="store_true", help="keep the folder with logs and data")
    parser.add_argument("--sources", action="store_true", help="serve the page of these sources, not the built one")
    parser.add_argument("--screenshots", help="write pictures into this folder instead of testing")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="parley-web-")
    cluster = opened(options, folder, "shared")
    try:
        if options.screenshots:
            with sync_playwright() as playwright:
                world = World(launch(playwright), cluster)
                pictures.write(world, options.screenshots)
                world.end()
            return 0
        chosen = [each for each in ALL if any(
            words.lower() in f"{each.__name__} {each.__doc__.lower()}" for words in options.k or [""])]
        began = time.monotonic()
        failed = run_all(cluster, lambda: opened(options, folder, "alone"), chosen)
        print(f"{'✘' if failed else '✔'} {len(chosen)} scenarios of the chat, {failed} failed "
              f"({time.monotonic() - began:.0f} s).")
        return 1 if failed or not chosen else 0
    finally:
        cluster.stop()
        if options.keep:
            print(f"The data is in {folder}.")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
