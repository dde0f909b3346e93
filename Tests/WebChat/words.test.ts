// Mentions, and words that were looked for: no browser is needed.
import assert from "node:assert";
import test from "node:test";

import { groups } from "../../Sources/Clients/WebChat/emoji";
import { begun, candidates, mentioned, mentionsOf } from "../../Sources/Clients/WebChat/mentions";
import { pieces } from "../../Sources/Clients/WebChat/parts/pieces";

const ann = { id: "1", name: "Ann", username: "ann.b" };
const annMarie = { id: "2", name: "Ann Marie", username: "marie" };
const otherAnn = { id: "3", name: "Ann", username: "ann.c" };
const people = [ann, annMarie, otherAnn];

test("M10 a name behind an @ is a mention, the longer one of two, and not a part of a word", () => {
    const names = (text: string) => mentionsOf(text, ["Ann", "Ann Marie", "marie"]).map(({ name }) => name);
    assert.deepEqual(names("@Ann Marie and @Ann, hello"), ["Ann Marie", "Ann"]);
    assert.deepEqual(names("@Annabel me@Ann @ Ann @ann"), []);
    assert.deepEqual(names("(@marie)"), ["marie"]);
    assert.deepEqual(mentionsOf("@Ann", []), []);
});

test("M10 of two people with one name the one that was chosen is mentioned, otherwise both", () => {
    assert.deepEqual(mentioned("@Ann", people, new Map([["Ann", "3"]])), ["3"]);
    assert.deepEqual(mentioned("@Ann @Ann", people, new Map()), ["1", "3"]);
    assert.deepEqual(mentioned("@ann.c and @Ann Marie", people, new Map()), ["3", "2"]);
    assert.deepEqual(mentioned("nobody", people, new Map()), []);
});

test("M10 what is begun behind an @ is completed, without case and accents, and nothing else", () => {
    assert.deepEqual(begun("Hi @an", 6), { from: 3, wanted: "an" });
    assert.deepEqual(begun("Hi @", 4), { from: 3, wanted: "" });
    for (const text of ["Hi an", "me@an", "@an\nb", "Hi @ "]) assert.equal(begun(text, text.length), null, text);
    assert.deepEqual(candidates(people, "mar").map(({ id }) => id), ["2"]);
    assert.deepEqual(candidates([{ id: "4", name: "Zoë", username: "z" }], "zoe").length, 1);
});

test("M15 what was found is shown at the beginnings of words, without case and accents, and long texts are cut", () => {
    const shown = (text: string, wanted: string) =>
        pieces(text, wanted).map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join("");
    assert.equal(shown("Café and coffee", "cafe COF"), "[Café] and [cof]fee");
    assert.equal(shown("recaf", "caf"), "recaf");
    assert.equal(shown("no words", ""), "no words");
    assert.equal(shown("<b>bold</b>", "bo"), "<b>[bo]ld</b>");
    const long = shown(`${"word ".repeat(200)}needle${" word".repeat(200)}`, "needle");
    assert.ok(long.startsWith("… ") && long.includes("[needle]") && long.endsWith(" …") && long.length < 300, long);
    for (const text of ["İstanbul", "👩‍👩‍👧 family", "ﬁne", "e\u0301te\u0301"]) {
        assert.equal(shown(text, "zzz"), text);
        assert.equal(pieces(text, "f e i").map((piece) => piece.text).join(""), text);
    }
});

test("M12 each emoji has one picture and a name, and no two are alike", () => {
    const all = groups.flatMap(([, words]) => words.split(";"));
    assert.ok(groups.length === 9 && all.length > 1500, `${groups.length}, ${all.length}`);
    assert.ok(all.every((each) => /^[^ +]+\+? [^;]+$/u.test(each)));
    assert.equal(new Set(all.map((each) => each.split(" ")[0])).size, all.length);
    assert.ok(all.includes("👏+ clapping hands") && all.includes("👍+ thumbs up"));
});
