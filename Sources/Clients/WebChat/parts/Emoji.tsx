import { useEffect, useMemo, useState } from "react";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { Pick } from "./Form";

interface Sign {
    readonly text: string;
    readonly name: string;
    readonly hasTones: boolean;
}

interface Group {
    readonly name: string;
    readonly signs: readonly Sign[];
}

/** Skin tones, by what is put behind a sign's first letter. */
const tones: readonly (readonly [string, string])[] = [
    ["", say.noSkinTone], ["\u{1f3fb}", say.light], ["\u{1f3fc}", say.mediumLight], ["\u{1f3fd}", say.medium],
    ["\u{1f3fe}", say.mediumDark], ["\u{1f3ff}", say.dark],
];
const recentMax = 24;

/** What this browser remembers: the emoji used last, and the skin tone. */
function remembered(key: string): string {
    try {
        return localStorage.getItem(`emoji ${key}`) ?? "";
    } catch {
        return "";
    }
}

function remember(key: string, value: string) {
    try {
        localStorage.setItem(`emoji ${key}`, value);
    } catch {
        // Full, or forbidden: then nothing is remembered.
    }
}

function toned({ text, hasTones }: Sign, tone: string): string {
    if (!hasTones || !tone) return text;
    const [first = "", ...rest] = [...text];
    return first + tone + rest.join("").replace(/^\ufe0f/, "");
}

/** Chooses an emoji: by its name, of those used last, or of a group. */
export function Emoji({ choose, close }: { choose: (emoji: string) => void; close: () => void }) {
    const [groups, setGroups] = useState<readonly Group[] | null>(null);
    const [isFailed, setFailed] = useState(false);
    const [text, setText] = useState("");
    const [open, setOpen] = useState("");
    const [tone, setTone] = useState(() => remembered("tone"));
    useEffect(() => {
        let isCurrent = true;
        import("../emoji").then(
            (found) => {
                const made = found.groups.map(([name, words]) => ({ name, signs: words.split(";").map(sign) }));
                if (isCurrent) setGroups(made);
            },
            () => { if (isCurrent) setFailed(true); });
        return () => { isCurrent = false; };
    }, []);
    const recent = useMemo(() => remembered("recent").split(" ").filter((each) => each !== ""), []);
    const words = text.trim().toLowerCase().split(/\s+/);
    const wanted = text.trim() !== "";
    const shown = wanted
        ? groups?.flatMap(({ signs }) => signs.filter(({ name }) => words.every((word) => name.includes(word)))) ?? []
        : groups?.find(({ name }) => name === (open || groups[0]?.name))?.signs ?? [];
    const take = (emoji: string) => {
        remember("recent", [emoji, ...recent.filter((each) => each !== emoji)].slice(0, recentMax).join(" "));
        choose(emoji);
        close();
    };
    const setSkin = (value: string) => {
        setTone(value);
        remember("tone", value);
    };
    const names = new Map(groups?.flatMap(({ signs }) => signs.map((each) => [each.text, each.name] as const)) ?? []);
    return (
        <Dialog title={say.chooseAnEmoji} close={close}>
            <div className="field">
                <label htmlFor="emoji">{say.nameOfAnEmoji}</label>
                <input id="emoji" type="search" value={text} autoFocus autoComplete="off"
                    onChange={(event) => setText(event.target.value)} />
            </div>
            {isFailed && <p className="refused" role="alert">
                {say.emojiNotLoaded}</p>}
            {!groups && !isFailed && <p className="hint" role="status">{say.loading}</p>}
            {!wanted && recent.length > 0 && <section aria-label={say.usedLast}>
                <h3 className="part">{say.usedLast}</h3>
                <div className="emoji" role="group" aria-label={say.usedLast} onKeyDown={move}>
                    {recent.map((each) => <button key={each} type="button" aria-label={names.get(each) ?? each}
                        onClick={() => take(each)}>{each}</button>)}
                </div>
            </section>}
            {groups && <>
                {!wanted && <div className="kinds" role="group" aria-label={say.groups}>
                    {groups.map(({ name, signs }) => <button key={name} type="button" aria-label={name} title={name}
                        aria-pressed={name === (open || groups[0]?.name)} onClick={() => setOpen(name)}>
                        {signs[0]?.text}</button>)}
                </div>}
                <div className="emoji tall" role="group" aria-label={say.emoji} onKeyDown={move}>
                    {shown.slice(0, 600).map((each) => <button key={each.text} type="button" aria-label={each.name}
                        title={each.name} onClick={() => take(toned(each, tone))}>{toned(each, tone)}</button>)}
                </div>
                {wanted && <p className="hint" role="status">
                    {shown.length === 0 ? say.noEmojiHasThisName : say.found(shown.length)}</p>}
                <Pick label={say.skinTone} value={tone} set={setSkin} choices={tones} />
            </>}
        </Dialog>
    );
}

function sign(words: string): Sign {
    const at = words.indexOf(" ");
    const picture = words.slice(0, at);
    const hasTones = picture.endsWith("+");
    return { text: hasTones ? picture.slice(0, -1) : picture, name: words.slice(at + 1), hasTones };
}

/** Arrow keys go from one emoji to the next, as they stand on the screen. */
function move(event: React.KeyboardEvent<HTMLElement>) {
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const row = buttons.filter((each) => each.offsetTop === buttons[0]?.offsetTop).length;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }[event.key];
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
}
