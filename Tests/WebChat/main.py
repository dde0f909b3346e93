"""Runs the scenarios, or writes pictures: see Tests/WebChat/run."""
import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback

from playwright.sync_api import sync_playwright

import entities
import files
import people
import pictures
import present
import scenarios
import talking
from cluster import Cluster
from person import Person


ALL = scenarios.ALL + people.ALL + talking.ALL + files.ALL + entities.ALL + present.ALL
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


def run(world, chosen):
    failed = 0
    for scenario in chosen:
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
        print(f"{'✘' if why else '✔'} {scenario.__doc__.strip()} ({time.monotonic() - began:.1f} s)", flush=True)
        if why:
            print(why, flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries", nargs="?", default=".build/debug")
    parser.add_argument("-k", action="append", help="only scenarios whose name or sentence has these words")
    parser.add_argument("--keep", action="store_true", help="keep the folder with logs and data")
    parser.add_argument("--screenshots", help="write pictures into this folder instead of testing")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="parley-web-")
    cluster = Cluster(os.path.abspath(options.binaries), folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", *MICROPHONE])
            world = World(browser, cluster)
            if options.screenshots:
                pictures.write(world, options.screenshots)
                world.end()
                return 0
            chosen = [each for each in ALL if any(
                words.lower() in f"{each.__name__} {each.__doc__.lower()}" for words in options.k or [""])]
            failed = run(world, chosen)
            browser.close()
            print(f"{'✘' if failed else '✔'} {len(chosen)} scenarios of the chat, {failed} failed.")
            return 1 if failed or not chosen else 0
    finally:
        cluster.stop()
        if options.keep:
            print(f"The data is in {folder}.")
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
