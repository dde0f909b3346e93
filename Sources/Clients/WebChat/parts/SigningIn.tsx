import { useEffect, useMemo, useRef, useState } from "react";
import { Identities } from "../../Web/api/identities";
import type { Identity, Owner, WaysIn } from "../../Web/api/identities";
import { say } from "../english/ways";
import { useObserved, useTask } from "../hooks";
import { parleyOf } from "../kit";
import type { Chat } from "../model";
import { safe } from "../safe";
import { fully } from "../times";
import { Line } from "./Form";
import { Loaded, useAnswer } from "./Loaded";
import { leaveFor, shownIssuer, takenUp, takeReturned } from "./returned";

/** How the person signs in: a password, what they have elsewhere, and by this device another one. */
export function SigningIn({ chat }: { chat: Chat }) {
    useObserved(chat);
    const { profile } = parleyOf(chat);
    const identities = useMemo(() => new Identities(parleyOf(chat)), [chat]);
    const answer = useAnswer(() => identities.waysIn(), [identities, profile?.isGuest]);
    return (
        <section aria-label={say.howYouSignIn}>
            <h3 className="part">{say.howYouSignIn}</h3>
            {profile?.isGuest && <Upgrade identities={identities} />}
            <Loaded answer={answer}>{(ways) => <>
                {!profile?.isGuest && <Password identities={identities} ways={ways} again={answer.again} />}
                <Others identities={identities} ways={ways} again={answer.again} isGuest={profile?.isGuest === true} />
            </>}</Loaded>
            {profile?.email && !profile.isEmailConfirmed && <Confirm identities={identities} email={profile.email} />}
            <Approve identities={identities} />
        </section>
    );
}

/** What somebody types who asks for something that only the owner of the account may. */
function Own({ value, set }: { value: string; set: (text: string) => void }) {
    return <Line label={say.yourPassword} type="password" value={value} set={set} isPlain maxLength={256} />;
}

function Problem({ text }: { text: string }) {
    return text ? <p className="refused" role="alert">{text}</p> : null;
}

/** A guest becomes somebody who can come back. */
function Upgrade({ identities }: { identities: Identities }) {
    const [username, setUsername] = useState("");
    const [password, setPassword] = useState("");
    const task = useTask();
    return (
        <form aria-label={say.keepThisAccount} onSubmit={(event) => {
            event.preventDefault();
            task.run(() => identities.upgrade(username.trim(), password));
        }}>
            <p className="hint">{say.guestHint}</p>
            <Line label={say.username} value={username} set={setUsername} isPlain maxLength={32}
                refused={task.field === "username"} />
            <Line label={say.newPassword} type="password" value={password} set={setPassword} isPlain maxLength={256}
                refused={task.field === "new_password"} />
            <Problem text={task.problem} />
            <div className="actions">
                <button type="submit" disabled={task.isBusy || !username || !password}>{say.keepThisAccount}</button>
            </div>
        </form>
    );
}

function Password({ identities, ways, again }: { identities: Identities; ways: WaysIn; again: () => void }) {
    const [old, setOld] = useState("");
    const [fresh, setFresh] = useState("");
    const [ends, setEnds] = useState(false);
    const [isDone, setDone] = useState(false);
    const task = useTask();
    if (!ways.hasPassword) return <p className="hint">{say.noPassword}</p>;
    return (
        <form aria-label={say.changePassword} onSubmit={(event) => {
            event.preventDefault();
            setDone(false);
            task.run(async () => {
                await identities.changePassword(fresh, { password: old }, { endingOtherDevices: ends });
                [setOld, setFresh].forEach((set) => set(""));
                setDone(true);
                again();
            });
        }}>
            <Own value={old} set={setOld} />
            <Line label={say.newPassword} type="password" value={fresh} set={setFresh} isPlain maxLength={256}
                refused={task.field === "new_password"} />
            <label className="check">
                <input type="checkbox" checked={ends} onChange={() => setEnds(!ends)} /> {say.endOtherDevices}
            </label>
            <Problem text={task.problem} />
            {isDone && <p role="status">{say.passwordChanged}</p>}
            <div className="actions">
                <button type="submit" disabled={task.isBusy || !old || !fresh}>{say.changePassword}</button>
            </div>
        </form>
    );
}

/** What a person asks for, before they have shown that it is them. */
interface Change {
    /** The address to which the browser came back from the page of an issuer that is to sign the person in. */
    added: string;
    removed: Pick<Identity, "id" | "issuer"> | null;
}

const nothing: Change = { added: "", removed: null };

/** Identities of issuers: those that sign the person in, and those that may be added. */
function Others({ identities, ways, again, isGuest }: {
    identities: Identities; ways: WaysIn; again: () => void; isGuest: boolean;
}) {
    const issuers = useAnswer(
        async () => (await identities.offers()).issuers.filter(({ hasPage }) => hasPage), [identities]);
    const [change, setChange] = useState<Change>(nothing);
    const [password, setPassword] = useState("");
    const task = useTask();
    const here = useRef<HTMLDivElement>(null);
    const done = () => {
        setChange(nothing);
        setPassword("");
        again();
    };
    const make = ({ added, removed }: Change, owner: Owner) => task.run(async () => {
        if (added) await identities.link(added, owner);
        else if (removed) await identities.unlink(removed.id, owner);
        done();
    });
    /** To an issuer's page. What it is for is taken up when the browser comes back. */
    const go = (issuer: string, then: Change) => task.run(async () => {
        const address = await identities.begin(issuer, `${location.origin}/`);
        leaveFor(then);
        location.href = address;
    });
    useEffect(() => {
        const address = takeReturned();
        if (!address) return;
        here.current?.scrollIntoView({ block: "center" });
        const begun = takenUp<Change>() ?? nothing;
        if (isGuest) make({ ...nothing, added: address }, {});
        else if (begun.added || begun.removed) make(begun, { address });
        else task.run(async () => { if (identities.hasCome(address)) setChange({ ...nothing, added: address }); });
    }, []);
    const linked = new Set(ways.identities.map(({ issuer }) => issuer));
    const isAsked = change.added !== "" || change.removed !== null;
    const name = change.added ? say.addIt : say.removeIt;
    return (
        <div ref={here}>
            {ways.identities.length > 0 && <ul className="people" aria-label={say.signsYouIn}>
                {ways.identities.map((identity) => <li key={identity.id} className="row">
                    <span className="text"><bdi className="title">{shownIssuer(identity.issuer) || say.noMore}</bdi>
                        <span className="preview"><bdi>{safe(identity.label)}</bdi>{" · "}
                            {say.since(fully(identity.linkedAt.getTime()))}</span></span>
                    <button type="button" className="link" aria-label={say.remove(shownIssuer(identity.issuer))}
                        onClick={() => setChange({ added: "", removed: identity })}>{say.removeIt}</button>
                </li>)}
            </ul>}
            {isAsked && <form aria-label={name} onSubmit={(event) => {
                event.preventDefault();
                if (ways.hasPassword) make(change, { password });
            }}>
                <p className="hint">
                    {change.removed ? say.removeMeans(shownIssuer(change.removed.issuer)) : say.addMeans}</p>
                {ways.hasPassword ? <Own value={password} set={setPassword} />
                    : <p className="hint">{say.showThatItIsYou}</p>}
                <div className="actions">
                    <button type="button" onClick={done}>{say.cancel}</button>
                    {ways.hasPassword
                        ? <button type="submit" disabled={task.isBusy || !password}>{name}</button>
                        : issuers.value?.filter((it) => linked.has(it.name)).map((it) => <button key={it.name}
                            type="button" disabled={task.isBusy} onClick={() => go(it.name, change)}>
                            {say.goOnWith(shownIssuer(it.name))}</button>)}
                </div>
            </form>}
            <Problem text={task.problem} />
            <Loaded answer={issuers}>{(all) => <div className="actions start">
                {all.filter((it) => !linked.has(it.name)).map((it) => <button key={it.name} type="button"
                    disabled={task.isBusy} onClick={() => go(it.name, nothing)}>{say.alsoBy(shownIssuer(it.name))}
                </button>)}
            </div>}</Loaded>
        </div>
    );
}

/** A code that is mailed shows that the address is the person's. */
function Confirm({ identities, email }: { identities: Identities; email: string }) {
    const [isMailed, setMailed] = useState(false);
    const [code, setCode] = useState("");
    const task = useTask();
    return (
        <form aria-label={say.confirmEmail} onSubmit={(event) => {
            event.preventDefault();
            task.run(() => identities.confirmEmail(code));
        }}>
            <p className="hint">{say.confirmHint(email)}</p>
            {isMailed && <Line label={say.mailedCode} value={code} set={setCode} isPlain maxLength={64}
                refused={task.field === "code"} />}
            <Problem text={task.problem} />
            <div className="actions">
                <button type="button" disabled={task.isBusy} onClick={() => task.run(async () => {
                    await identities.requestEmailCode();
                    setMailed(true);
                })}>{say.mailCode}</button>
                {isMailed && <button type="submit" disabled={task.isBusy || !code}>{say.confirmEmail}</button>}
            </div>
        </form>
    );
}

/** Another device of the person shows a code: typed here, it signs that device in. */
function Approve({ identities }: { identities: Identities }) {
    const [code, setCode] = useState("");
    const [found, setFound] = useState<{ name: string; address: string } | null>(null);
    const [isDone, setDone] = useState(false);
    const task = useTask();
    const submit = () => task.run(async () => {
        if (!found) return setFound(await identities.deviceToApprove(code.trim()));
        await identities.approveDevice(code.trim());
        setFound(null);
        setCode("");
        setDone(true);
    });
    return (
        <form aria-label={say.signInADevice} onSubmit={(event) => { event.preventDefault(); setDone(false); submit(); }}>
            <Line label={say.codeOfTheDevice} value={code} isPlain maxLength={64} hint={say.codeOfTheDeviceHint}
                set={(text) => { setCode(text); setFound(null); }} />
            {found && <p role="status">{say.approveAsk(safe(found.name) || say.aDevice, found.address)}</p>}
            <Problem text={task.problem} />
            {isDone && <p role="status">{say.deviceSignedIn}</p>}
            <div className="actions">
                <button type="submit" className={found ? "danger" : ""} disabled={task.isBusy || !code}>
                    {found ? say.letItIn : say.lookAtIt}</button>
            </div>
        </form>
    );
}
