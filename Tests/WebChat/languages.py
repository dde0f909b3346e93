"""The page in other languages: German, and one that is made here of the English words, each marked and half as long
again."""
import os
import re
import types

from playwright.sync_api import expect

import page
from person import PASSWORD, Person, befriend
from people import group
from talking import menu

PARTS = ("door", "shell", "attached", "parts", "ways")
# It calls itself French, so that days and numbers are those of French.
LANGUAGES = """
import type { Language } from "./language";
export const languages: Readonly<Record<string, () => Promise<{ readonly language: Language }>>> = {
    fr: () => import("./marked"),
};
"""
MARKED = """
import type { ReactNode } from "react";
import type { Language } from "./language";
%s

const long = (text: string) => " vw xyz".repeat(Math.ceil(text.length / 14));
const mark = (text: string) => `⟦${text}${long(text)}⟧`;

function marked<Words extends object>(words: Words): Words {
    const of = (said: unknown) => {
        if (typeof said !== "function") return mark(String(said));
        return (...values: unknown[]) => {
            const given = values.map((value) =>
                typeof value === "function"
                    ? (words: string) => (value as (words: string) => ReactNode)(mark(words)) : value);
            const made = (said as (...values: unknown[]) => ReactNode)(...given);
            return typeof made === "string" ? mark(made) : <>⟦{made} vw xyz⟧</>;
        };
    };
    return Object.fromEntries(Object.entries(words).map(([name, said]) => [name, of(said)])) as Words;
}

export const language: Language = {
    door: marked(door), shell: marked(shell), attached: marked(attached), parts: marked(parts),
    ways: marked(ways),
    refusals: { wrong_credentials: mark("wrong_credentials"), offline: mark("offline") },
};
"""


def words_of(part):
    """The English words of a part, as a module that has nothing else."""
    text = page.read(os.path.join(page.ROOT, "Sources/Clients/WebChat/english", f"{part}.tsx")).decode()
    text = text.replace(f'const own = inLanguage("{part}", {{', f"export const {part} = ({{")
    text = re.sub(r'^import \{ (inLanguage|say as \w+) \}.*\n', "", text, flags=re.M)
    return text[:text.index("export type")]


def changes():
    imports = "\n".join(f'import {{ {part} }} from "./english/{part}-words";' for part in PARTS)
    return {"languages.ts": LANGUAGES, "marked.tsx": MARKED % imports,
            **{f"english/{part}-words.tsx": words_of(part) for part in PARTS}}


# What is neither marked nor content of people: content stands in <bdi>, <time>, <kbd>, or in a message's own words.
LEFT = """(names) => {
    const plain = (text) => {
        for (let before = null; before !== text;) {
            before = text;
            text = text.replace(/⟦[^⟦⟧]*⟧/g, " ");
        }
        for (const name of names) text = text.replaceAll(name, " ");
        return text.replace(/@[\\w.]+/g, " ");
    };
    const isEnglish = (text) => /\\p{L}{2,}/u.test(plain(text));
    const found = [];
    const open = document.querySelector("dialog[open]") ?? document.body;
    for (const element of open.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
        if (!element.checkVisibility() || element.matches("time, [role=group] [aria-label], .emoji *")) continue;
        for (const name of ["aria-label", "title", "placeholder", "alt"]) {
            const said = element.getAttribute(name);
            if (said && isEnglish(said) && !said.startsWith("http")) found.push(`${name}: ${said}`);
        }
    }
    const text = (node) => {
        if (node.nodeType === Node.TEXT_NODE) return node.textContent;
        if (node.nodeType !== Node.ELEMENT_NODE || !node.checkVisibility()) return "";
        if (node.matches("bdi, time, kbd, svg, script, [aria-hidden=true], [dir=auto]")) return " ";
        return [...node.childNodes].map(text).join("") + (getComputedStyle(node).display === "inline" ? "" : "\\n");
    };
    const left = plain(text(open)).split("\\n").filter((line) => /\\p{L}{2,}/u.test(line));
    return [...found, ...left.map((line) => `text: ${line.trim()}`)];
}"""

# What does not fit: words that are cut off, and what stands beside the window.
CUT = """(mark) => {
    const found = [];
    const open = document.querySelector("dialog[open]") ?? document.body;
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 1) found.push(`the page is ${wide} pixels too wide`);
    const kinds = "button, label, h1, h2, h3, h4, p, small, legend, summary, dt, dd, a, span";
    for (const element of open.querySelectorAll(kinds)) {
        if (!element.checkVisibility() || !element.textContent.includes(mark)) continue;
        const { left, right, width } = element.getBoundingClientRect();
        const said = element.textContent.slice(0, 60);
        if (width > 2 && (left < -1 || right > innerWidth + 1)) found.push(`beside the window: ${said}`);
        // A line about a conversation may end in an ellipsis; what people press or have to read may not.
        if (element.closest("nav a, .called, header.top small")) continue;
        const { overflowX } = getComputedStyle(element);
        const isCut = overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
        if (isCut && width > 2) found.push(`cut off: ${said}`);
    }
    return found;
}"""


def named(name):
    """The name as it is marked, where another one has it in the middle."""
    return re.compile(f"^⟦{re.escape(name)}( vw|⟧)")


def register(person):
    person.open().page.get_by_role("button", name="Create an account").click()
    form = person.page.get_by_role("form", name="Create an account")
    for label, value in (("Username", person.username), ("Name", person.name), ("Password", PASSWORD)):
        form.get_by_label(named(label)).fill(value)
    form.get_by_role("button", name="Create account").click()
    expect(person.page.get_by_role("heading", name=person.name)).to_be_visible()


def choose(person, text, name):
    menu(person, text).get_by_role("menuitem", name=named(name)).click()


def about(person):
    person.page.get_by_role("main").get_by_role("button", name=named("Conversation")).click()
    person.page.get_by_role("menuitem", name="About the").click()


def second_language(world):
    """T5: in a language that is added, no English is left in twenty states of the page, and nothing is cut off."""
    folder = os.path.join(world.cluster.folder, "marked")
    front = page.Front(world.cluster.page, page.bundle(folder, changes()))
    elsewhere = types.SimpleNamespace(page=front.url)

    def person(name):
        made = Person(world.browser, elsewhere, name, locale="fr-CH")
        world.people.append(made)
        return made

    zoe, bob, eve = person("Zoe"), person("Bob"), person("Eve")
    names = ["Lake walks", "Zoe", "Bob", "Eve", "Chrome on Linux", "Français", "français", "English"]
    states, wrong = [], []

    def look(state, who=zoe):
        """Looks at the page as it is, on a phone and on a screen."""
        states.append(state)
        problems = []
        for width in (1100, 360):
            who.page.set_viewport_size({"width": width, "height": 760})
            who.page.wait_for_timeout(250)
            problems += [f"{width}: {each}" for each in who.page.evaluate(CUT, "⟦")]
        who.page.set_viewport_size({"width": 1100, "height": 760})
        problems += who.page.evaluate(LEFT, names)
        if os.environ.get("PARLEY_TEST_PICTURES"):
            who.page.screenshot(path=os.path.join(os.environ["PARLEY_TEST_PICTURES"], f"language-{len(states)}.png"))
        wrong.extend(f"{state}: {problem}" for problem in problems)

    zoe.open()
    form = zoe.page.get_by_role("form", name="Sign in")
    expect(form).to_be_visible()
    assert zoe.page.locator("html").get_attribute("lang") == "fr"
    look("signing in")
    form.get_by_label("Username").fill("nobody.at.all")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Sign in").click()
    expect(zoe.page.get_by_role("alert")).to_contain_text("⟦wrong_credentials")
    look("a refusal")
    for each in (zoe, bob, eve):
        register(each)
    look("an empty list")
    zoe.page.get_by_role("button", name="New conversation").click()
    look("finding somebody")
    zoe.page.get_by_role("dialog").get_by_role("button", name="New group").click()
    look("a new group")
    zoe.page.keyboard.press("Escape")
    befriend(zoe, bob)
    bob.write("Dinner on Friday at 7pm?")
    expect(zoe.message("Dinner")).to_be_visible()
    look("a conversation")
    assert "novembre" in (date := zoe.message("Dinner").locator("time[title]").last.get_attribute("title")) or (
        re.search(r"lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche", date)), date
    menu(zoe, "Dinner")
    look("the menu of a message")
    zoe.page.keyboard.press("Escape")
    choose(zoe, "Dinner", "Reply")
    zoe.write("Yes")
    expect(zoe.message("Yes")).to_be_visible()
    look("an answer")
    choose(zoe, "Yes", "Details")
    expect(zoe.page.get_by_role("dialog").get_by_text("Read by").or_(
        zoe.page.get_by_role("dialog").get_by_text("Delivered"))).not_to_have_count(0)
    look("what became of a message")
    zoe.page.keyboard.press("Escape")
    choose(zoe, "Dinner", "Report …")
    look("a report")
    zoe.page.keyboard.press("Escape")
    about(zoe)
    look("about a conversation")
    zoe.page.get_by_role("dialog").get_by_role("button", name="Hide …").click()
    look("hiding")
    zoe.page.keyboard.press("Escape")
    eve.find(zoe)
    eve.write("Hello")
    zoe.go(eve)
    look("a request")
    zoe.page.get_by_role("button", name="Accept").click()
    for item in ("Your profile", "Agenda", "Mentions", "Archived conversations", "Keyboard", "Settings"):
        zoe.page.get_by_role("button", name="Account").click()
        if item == "Agenda":
            look("the menu of the account")
        zoe.page.get_by_role("menuitem", name=item).click()
        expect(zoe.page.get_by_role("dialog", name=item).get_by_role("status").filter(
            has_text="Loading")).to_have_count(0)
        look(item)
        zoe.page.keyboard.press("Escape")
    group(zoe, "Lake walks", [bob, eve])
    look("a group")
    about(zoe)
    look("about a group")
    zoe.page.keyboard.press("Escape")
    zoe.page.get_by_role("button", name="Search", exact=False).first.click()
    zoe.page.get_by_role("dialog").get_by_label("Words").fill("nothing of this kind")
    expect(zoe.page.get_by_role("dialog").get_by_text("No message has these words")).to_be_visible()
    look("a search")
    zoe.page.get_by_role("dialog").get_by_role("button", name="Close").click()
    front.cut(True)
    expect(zoe.page.get_by_role("status").filter(has_text="You are offline")).to_be_visible()
    zoe.write("Later")
    expect(zoe.page.get_by_role("status").filter(has_text="1 message is not sent yet")).to_be_visible()
    look("no connection")
    front.cut(False)
    assert len(states) >= 20 and not wrong, "\n".join([*states, *wrong])
    # English stays what it is for others, and what is chosen holds for this browser.
    zoe.page.get_by_role("button", name="Account").click()
    zoe.page.get_by_role("menuitem", name="Settings").click()
    zoe.page.get_by_role("dialog").get_by_label("Language").select_option("English")
    expect(zoe.page.get_by_role("button", name="Account", exact=True)).to_be_visible()
    front.close()


def german(world):
    """T5: who asks for German is refused, signs in and writes in it, and nothing is cut off; then they choose English."""
    bob = world.person("Bob").register()
    zoe = world.person("Zoe", locale="de-DE").open()
    page, wrong = zoe.page, []

    def look(state):
        for width in (1100, 360):
            page.set_viewport_size({"width": width, "height": 760})
            page.wait_for_timeout(250)
            wrong.extend(f"{state}, {width}: {each}" for each in page.evaluate(CUT, ""))
            if os.environ.get("PARLEY_TEST_PICTURES"):
                name = f"german-{state}-{width}.png"
                page.screenshot(path=os.path.join(os.environ["PARLEY_TEST_PICTURES"], name))
        page.set_viewport_size({"width": 1100, "height": 760})

    form = page.get_by_role("form", name="Anmelden")
    expect(form).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "de"
    form.get_by_label("Benutzername").fill(bob.username)
    form.get_by_label("Passwort").fill("not the password")
    form.get_by_role("button", name="Anmelden").click()
    expect(page.get_by_role("alert")).to_contain_text("Benutzername oder Passwort ist falsch.")
    look("Anmeldung")
    page.get_by_role("button", name="Konto anlegen").click()
    form = page.get_by_role("form", name="Konto anlegen")
    for label, value in (("Benutzername", zoe.username), ("Name (freiwillig)", zoe.name), ("Passwort", PASSWORD)):
        form.get_by_label(label).fill(value)
    form.get_by_role("button", name="Konto anlegen").click()
    page.get_by_role("button", name="Neue Unterhaltung").click()
    dialog = page.get_by_role("dialog", name="Neue Unterhaltung")
    dialog.get_by_label("Name oder Benutzername").fill(bob.username)
    dialog.get_by_role("list", name="Personen").get_by_role("button", name=bob.username).click()
    field = page.get_by_role("textbox", name="Nachricht")
    field.fill("Hallo!")
    field.press("Enter")
    messages = page.get_by_role("feed", name="Nachrichten").get_by_role("article")
    expect(messages.get_by_role("img", name="Gesendet")).to_be_visible()
    bob.row(zoe).click()
    bob.page.get_by_role("button", name="Accept").click()
    bob.write("Dinner on Friday at 7pm?")
    expect(messages.filter(has_text="Dinner")).to_be_visible()
    expect(messages.get_by_role("img", name="Gelesen")).to_be_visible()
    look("Unterhaltung")
    for item in ("Dein Profil", "Kalender", "Tastatur", "Einstellungen"):
        page.get_by_role("button", name="Konto", exact=True).click()
        page.get_by_role("menuitem", name=item).click()
        expect(page.get_by_role("dialog", name=item)).to_be_visible()
        expect(page.get_by_role("dialog").get_by_role("status").filter(has_text="Wird geladen")).to_have_count(0)
        look(item)
        if item != "Einstellungen":
            page.keyboard.press("Escape")
    assert not wrong, "\n".join(wrong)
    page.get_by_role("dialog").get_by_label("Sprache").select_option("English")
    expect(page.get_by_role("button", name="Account", exact=True)).to_be_visible()
    expect(messages).to_have_count(0)
    expect(zoe.message("Dinner")).to_be_visible()


ALL = [second_language, german]
