import { useEffect, useRef, useState } from "react";
import type { OwnPresence } from "../../Web/api/index";
import { Refusal } from "../../Web/api/index";
import { Avatar } from "../Avatar";
import { Dialog } from "../Dialog";
import { keep } from "../files";
import { useObserved, useTask } from "../hooks";
import { parleyOf, personOf } from "../kit";
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

/** What the person decides about their account. Each part says what it does before it does it. */
export function Settings({ chat, close }: { chat: Chat; close: () => void }) {
    useObserved(chat);
    return (
        <Dialog title="Settings" close={close}>
            <Presence chat={chat} />
            <Notices chat={chat} />
            <Suggestions chat={chat} />
            <Blocked chat={chat} />
            <Devices chat={chat} />
            <Used chat={chat} />
            <Export chat={chat} />
            <Erase chat={chat} />
        </Dialog>
    );
}

/** When a status ends, in seconds from now. */
const endings = [["0", "Never"], ["3600", "In an hour"], ["14400", "In four hours"], ["86400", "In a day"]] as const;

function Presence({ chat }: { chat: Chat }) {
    const parley = parleyOf(chat);
    const { ownPresence } = parley;
    const [text, setText] = useState<string | null>(null);
    const [lasts, setLasts] = useState("0");
    const task = useTask();
    const status = text ?? ownPresence?.statusText ?? "";
    return (
        <section aria-label="What others see of you">
            <h3 className="part">What others see of you</h3>
            {!ownPresence && <p className="hint" role="status">It can be changed while there is a connection.</p>}
            {ownPresence && <>
                <Pick label="You are" value={ownPresence.availability} isDisabled={task.isBusy}
                    choices={[
                        ["automatic", "Online while you use the page"], ["away", "Away"],
                        ["doNotDisturb", "Not to be disturbed"],
                    ]}
                    set={(value) => task.run(() => parley.setAvailability(value as OwnPresence["availability"]))} />
                <Hiding chat={chat} ownPresence={ownPresence} />
                <form aria-label="Status" onSubmit={(event) => {
                    event.preventDefault();
                    const seconds = Number(lasts);
                    task.run(() => parley.setStatus(status.trim(),
                        seconds > 0 ? new Date(Date.now() + seconds * 1000) : undefined));
                }}>
                    <Line label="Status" value={status} set={setText} maxLength={256}
                        hint="A line that others read while you are connected. Empty: none." />
                    <Pick label="It ends" value={lasts} set={setLasts}
                        choices={endings} />
                    <div className="actions">
                        <button type="submit" disabled={task.isBusy}>Set status</button>
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
        <section aria-label="Suggestions">
            <h3 className="part">Suggestions</h3>
            <p className="hint">The server reads a message such as “Dinner Friday 7pm” and offers you, and nobody
                else, to keep it as an event, a reminder or a decision.</p>
            <Loaded answer={answer}>{(off) => <label className="check">
                <input type="checkbox" checked={!off} disabled={task.isBusy} onChange={() => set(!off)} />{" "}
                Suggest what messages say</label>}</Loaded>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </section>
    );
}

function Blocked({ chat }: { chat: Chat }) {
    const parley = parleyOf(chat);
    const task = useTask();
    return (
        <section aria-label="Blocked people">
            <h3 className="part">Blocked people</h3>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {parley.blocked.length === 0 && <p className="hint">You block nobody. Who is blocked cannot write to you,
                and is not told.</p>}
            <ul className="people" aria-label="Blocked people">
                {parley.blocked.map((user) => {
                    const name = nameOf(personOf(user));
                    return <li key={user.id} className="row">
                        <Avatar id={user.id} name={name} />
                        <span className="text"><bdi className="title">{name}</bdi>
                            <span className="preview">@{user.username}</span></span>
                        <button type="button" className="link" aria-label={`Unblock ${name}`}
                            onClick={() => task.run(() => parley.unblock(user))}>Unblock</button>
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
        <section aria-label="Your devices">
            <h3 className="part">Your devices</h3>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <Loaded answer={answer}>{(devices) => <ul className="people" aria-label="Your devices">
                {devices.map(({ id, name, lastUsedAt, isCurrent }) => <li key={id}>
                    <div className="row">
                        <span className="text"><bdi className="title">{name || "A device without a name"}</bdi>
                            <span className="preview">
                                {isCurrent ? "This one" : `Used ${fully(lastUsedAt.getTime())}`}</span>
                        </span>
                        {!isCurrent && asked !== id && <button type="button" className="link"
                            aria-label={`Sign out ${name}`} onClick={() => setAsked(id)}>Sign out …</button>}
                    </div>
                    {asked === id && <Sure name="Sign it out" isBusy={task.isBusy} cancel={() => setAsked("")}
                        question="It has to sign in again, and loses what it has not sent." act={() => end(id)} />}
                </li>)}
            </ul>}</Loaded>
        </section>
    );
}

const megabytes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

function Used({ chat }: { chat: Chat }) {
    const answer = useAnswer(() => usage(chat), []);
    return (
        <section aria-label="What you use">
            <h3 className="part">What you use of the server</h3>
            <Loaded answer={answer}>{({ fileBytes, fileBytesMax, messages, messagesMax }) => <dl className="keys">
                <div>
                    <dt>Files</dt>
                    <dd>{megabytes.format(fileBytes / 1e6)} of {megabytes.format(fileBytesMax / 1e6)} MB</dd>
                </div>
                <div><dt>Messages today</dt><dd>{messages} of {messagesMax}</dd></div>
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
        <section aria-label="Your data">
            <h3 className="part">Your data</h3>
            <p className="hint">Saves what the server has of you, and all messages that you may read, as one JSON file.
                Files that came with messages are only named in it.</p>
            {task.isBusy && <p className="hint" role="status">
                {count === 1 ? "1 message so far …" : `${count} messages so far …`}</p>}
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            <div className="actions start">
                {task.isBusy
                    ? <button type="button" onClick={() => stop.current?.abort(
                        new Refusal("cancelled", "It was stopped. Nothing was saved."))}>Stop</button>
                    : <button type="button" onClick={() => task.run(save)}>Save your data</button>}
            </div>
        </section>
    );
}

function Erase({ chat }: { chat: Chat }) {
    const [isAsked, setAsked] = useState(false);
    const [password, setPassword] = useState("");
    const task = useTask();
    return (
        <section aria-label="Erase your account">
            <h3 className="part">Erase your account</h3>
            <p className="hint">Your profile, stars, reminders and settings are deleted at once, on all devices. What
                you wrote stays with those you wrote it to, from a deleted user. It cannot be undone.</p>
            {!isAsked && <div className="actions">
                <button type="button" className="danger" onClick={() => setAsked(true)}>Erase the account …</button>
            </div>}
            {isAsked && <>
                <Line label="Your password" type="password" value={password} set={setPassword} isPlain
                    maxLength={256} />
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <Sure name="Erase it for ever" isBusy={task.isBusy || !password} cancel={() => setAsked(false)}
                    question={`The account @${chat.me?.username} ends here and now.`}
                    act={() => task.run(() => parleyOf(chat).eraseAccount(password))} />
            </>}
        </section>
    );
}
