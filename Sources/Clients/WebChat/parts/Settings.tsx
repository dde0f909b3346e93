import { useEffect, useRef, useState } from "react";
import type { OwnPresence } from "../../Web/api/index";
import { Avatar } from "../Avatar";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { keep } from "../files";
import { handleOf } from "../handle";
import { useObserved, useTask } from "../hooks";
import { parleyOf, personOf } from "../kit";
import { language, locale, stored } from "../language";
import { languages } from "../languages";
import type { Chat } from "../model";
import { fully } from "../times";
import { usage } from "./ask";
import { everything } from "./export";
import { areSuggestionsOff, setSuggestionsOff } from "./plans";
import { Line, Pick, Sure } from "./Form";
import { Hiding } from "./Hiding";
import { Loaded, useAnswer } from "./Loaded";
import { Notices } from "./Notices";
import { nameOf } from "./Picker";
import { SigningIn } from "./SigningIn";

/** What the person decides about their account. Each part says what it does before it does it. */
export function Settings({ chat, close }: { chat: Chat; close: () => void }) {
    useObserved(chat);
    return (
        <Dialog title={say.settings} close={close}>
            <Presence chat={chat} />
            <Speaking />
            <Notices chat={chat} />
            <Suggestions chat={chat} />
            <Blocked chat={chat} />
            <SigningIn chat={chat} />
            <Devices chat={chat} />
            <Used chat={chat} />
            <Export chat={chat} />
            <Erase chat={chat} />
        </Dialog>
    );
}

function setLanguage(to: string) {
    try {
        localStorage.setItem(stored, to);
    } catch {
        // A private window, which forgets it.
    }
    location.reload();
}

/** In which language the page speaks, where it knows several. */
function Speaking() {
    const codes = ["en", ...Object.keys(languages)];
    if (codes.length < 2) return null;
    const name = (code: string) => new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
    return <Pick label={say.language} value={language()} set={setLanguage} hint={say.languageHint}
        choices={codes.map((code) => [code, name(code)] as const)} />;
}

/** When a status ends, in seconds from now. */
const endings = [["0", say.never], ["3600", say.inAnHour], ["14400", say.inFourHours], ["86400", say.inADay]] as const;

function Presence({ chat }: { chat: Chat }) {
    const parley = parleyOf(chat);
    const { ownPresence } = parley;
    const [text, setText] = useState<string | null>(null);
    const [lasts, setLasts] = useState("0");
    const task = useTask();
    const status = text ?? ownPresence?.statusText ?? "";
    return (
        <section aria-label={say.whatOthersSeeOfYou}>
            <h3 className="part">{say.whatOthersSeeOfYou}</h3>
            {!ownPresence && <p className="hint" role="status">{say.needsConnection}</p>}
            {ownPresence && <>
                <Pick label={say.youAre} value={ownPresence.availability} isDisabled={task.isBusy}
                    choices={[
                        ["automatic", say.onlineWhileUsed], ["away", say.away],
                        ["doNotDisturb", say.notToBeDisturbed],
                    ]}
                    set={(value) => task.run(() => parley.setAvailability(value as OwnPresence["availability"]))} />
                <Hiding chat={chat} ownPresence={ownPresence} />
                <form aria-label={say.status} onSubmit={(event) => {
                    event.preventDefault();
                    const seconds = Number(lasts);
                    task.run(() => parley.setStatus(status.trim(),
                        seconds > 0 ? new Date(Date.now() + seconds * 1000) : undefined));
                }}>
                    <Line label={say.status} value={status} set={setText} maxLength={256}
                        hint={say.statusHint} />
                    <Pick label={say.itEnds} value={lasts} set={setLasts}
                        choices={endings} />
                    <div className="actions">
                        <button type="submit" disabled={task.isBusy}>{say.setStatus}</button>
                    </div>
                </form>
            </>}
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </section>
    );
}

function Suggestions({ chat }: { chat: Chat }) {
    const answer = useAnswer(() => areSuggestionsOff(chat), []);
    const task = useTask();
    const set = (off: boolean) => task.run(async () => {
        await setSuggestionsOff(chat, off);
        answer.again();
    });
    return (
        <section aria-label={say.suggestions}>
            <h3 className="part">{say.suggestions}</h3>
            <p className="hint">{say.suggestionsHint}</p>
            <Loaded answer={answer}>{(off) => <label className="check">
                <input type="checkbox" checked={!off} disabled={task.isBusy} onChange={() => set(!off)} />{" "}
                {say.suggest}</label>}</Loaded>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </section>
    );
}

function Blocked({ chat }: { chat: Chat }) {
    const parley = parleyOf(chat);
    const task = useTask();
    return (
        <section aria-label={say.blockedPeople}>
            <h3 className="part">{say.blockedPeople}</h3>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {parley.blocked.length === 0 && <p className="hint">{say.blockedNobody}</p>}
            <ul className="people" aria-label={say.blockedPeople}>
                {parley.blocked.map((user) => {
                    const name = nameOf(personOf(user));
                    return <li key={user.id} className="row">
                        <Avatar id={user.id} name={name} />
                        <span className="text"><bdi className="title">{name}</bdi>
                            <span className="preview">{handleOf(user)}</span></span>
                        <button type="button" className="link" aria-label={say.unblockName(name)}
                            onClick={() => task.run(() => parley.unblock(user))}>{say.unblock}</button>
                    </li>;
                })}
            </ul>
        </section>
    );
}

function Devices({ chat }: { chat: Chat }) {
    const parley = parleyOf(chat);
    const answer = useAnswer(() => parley.devices(), []);
    const [asked, setAsked] = useState("");
    const task = useTask();
    const end = (id: string) => task.run(async () => {
        await parley.signOutDevice(id);
        setAsked("");
        answer.again();
    });
    return (
        <section aria-label={say.yourDevices}>
            <h3 className="part">{say.yourDevices}</h3>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <Loaded answer={answer}>{(devices) => <ul className="people" aria-label={say.yourDevices}>
                {devices.map(({ id, name, lastUsedAt, isCurrent }) => <li key={id}>
                    <div className="row">
                        <span className="text"><bdi className="title">{name || say.aDeviceWithoutAName}</bdi>
                            <span className="preview">
                                {isCurrent ? say.thisOne : say.used(fully(lastUsedAt.getTime()))}</span>
                        </span>
                        {!isCurrent && asked !== id && <button type="button" className="link"
                            aria-label={say.signOutDevice(name)} onClick={() => setAsked(id)}>{say.signOutAsk}</button>}
                    </div>
                    {asked === id && <Sure name={say.signItOut} isBusy={task.isBusy} cancel={() => setAsked("")}
                        question={say.signItOutMeans} act={() => end(id)} />}
                </li>)}
            </ul>}</Loaded>
        </section>
    );
}

const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

function Used({ chat }: { chat: Chat }) {
    const answer = useAnswer(() => usage(chat), []);
    return (
        <section aria-label={say.whatYouUse}>
            <h3 className="part">{say.whatYouUseTitle}</h3>
            <Loaded answer={answer}>{({ fileBytes, fileBytesMax, messages, messagesMax }) => <dl className="keys">
                <div>
                    <dt>{say.files}</dt>
                    <dd>{say.usedOfMax(number.format(fileBytes / 1e6), number.format(fileBytesMax / 1e6))}</dd>
                </div>
                <div>
                    <dt>{say.messagesToday}</dt>
                    <dd>{say.countOfMax(number.format(messages), number.format(messagesMax))}</dd>
                </div>
            </dl>}</Loaded>
        </section>
    );
}

function Export({ chat }: { chat: Chat }) {
    const [count, setCount] = useState(0);
    const stop = useRef<AbortController | null>(null);
    const task = useTask();
    useEffect(() => () => stop.current?.abort(), []);
    const save = async () => {
        stop.current = new AbortController();
        setCount(0);
        keep(await everything(chat, setCount, stop.current.signal), `parley-${chat.me?.username}.json`);
    };
    return (
        <section aria-label={say.yourData}>
            <h3 className="part">{say.yourData}</h3>
            <p className="hint">{say.exportHint}</p>
            {task.isBusy && <p className="hint" role="status">
                {say.messagesSoFar(count)}</p>}
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <div className="actions start">
                {task.isBusy
                    ? <button type="button" onClick={() => stop.current?.abort(
                        new Error(say.exportStopped))}>{say.stop}</button>
                    : <button type="button" onClick={() => task.run(save)}>{say.saveYourData}</button>}
            </div>
        </section>
    );
}

function Erase({ chat }: { chat: Chat }) {
    const [isAsked, setAsked] = useState(false);
    const [password, setPassword] = useState("");
    const task = useTask();
    return (
        <section aria-label={say.eraseYourAccount}>
            <h3 className="part">{say.eraseYourAccount}</h3>
            <p className="hint">{say.eraseHint}</p>
            {!isAsked && <div className="actions">
                <button type="button" className="danger" onClick={() => setAsked(true)}>{say.eraseTheAccount}</button>
            </div>}
            {isAsked && <>
                <Line label={say.yourPassword} type="password" value={password} set={setPassword} isPlain
                    maxLength={256} />
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <Sure name={say.eraseItForEver} isBusy={task.isBusy || !password} cancel={() => setAsked(false)}
                    question={say.eraseMeans(chat.me?.username ?? "")}
                    act={() => task.run(() => parleyOf(chat).eraseAccount(password))} />
            </>}
        </section>
    );
}
