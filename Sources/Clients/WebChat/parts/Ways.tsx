import { useEffect, useMemo, useState } from "react";
import { Identities } from "../../Web/api/identities";
import type { Issuer } from "../../Web/api/identities";
import { say as door } from "../english/door";
import { say } from "../english/ways";
import { useLoaded, useTask } from "../hooks";
import { device, parleyOf } from "../kit";
import type { Chat } from "../model";
import { refusal } from "../model";
import { Input } from "../SignIn";
import { shownIssuer, takeReturned } from "./returned";

/** Signs in, with what the server asks for besides. */
type Way = (more: { code?: string; proof?: string }) => Promise<unknown>;

const picture = () => import("./Picture");

/**
 * Other ways to sign in: on the pages of those whom the server trusts, by another device, as a guest, or with a new
 * password for a forgotten one.
 */
export function Ways({ chat, instead }: {
    chat: Chat;
    /** Is told whether this stands in place of the form. */
    instead: (is: boolean) => void;
}) {
    const identities = useMemo(() => new Identities(parleyOf(chat)), [chat]);
    const [issuers, setIssuers] = useState<readonly Issuer[]>([]);
    const [takesGuests, setTakesGuests] = useState(false);
    const [other, setOther] = useState<"" | "forgotten" | "device">("");
    const [asked, setAsked] = useState<{ name: string; page: string; way: Way } | null>(null);
    const [given, setGiven] = useState("");
    const task = useTask();

    const enter = (way: Way, more: Parameters<Way>[0]) => task.run(async () => {
        try {
            await way(more);
        } catch (error) {
            const { code } = refusal(error);
            const page = code === "proof_required" ? await chat.registrationPage().catch(() => "") : "";
            const isAsked = page !== "" || code === "registration_code_refused";
            setAsked(isAsked ? { name: code, page, way } : null);
            throw error;
        }
    });
    useEffect(() => {
        // Without a connection there are no other ways.
        identities.offers().then(({ issuers, guests }) => {
            setIssuers(issuers.filter(({ hasPage }) => hasPage));
            setTakesGuests(guests);
        }, () => undefined);
        const address = takeReturned();
        if (address) enter((more) => identities.finish(address, { deviceName: device(), ...more }), {});
    }, []);

    useEffect(() => instead(other !== ""), [other]);

    const go = (issuer: Issuer) => task.run(async () => {
        location.href = await identities.begin(issuer.name, `${location.origin}/`);
    });
    const isProof = asked?.name === "proof_required";
    if (other === "forgotten") return <Forgotten identities={identities} back={() => setOther("")} />;
    if (other === "device") return <OtherDevice identities={identities} back={() => setOther("")} />;
    return (
        <section className="ways" aria-label={say.otherWays} aria-busy={task.isBusy}>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {asked && <form aria-label={say.goOn} onSubmit={(event) => {
                event.preventDefault();
                enter(asked.way, isProof ? { proof: given } : { code: given });
            }}>
                {isProof && <p className="hint">{door.proof((words) =>
                    <a href={asked.page} target="_blank" rel="noopener noreferrer">{words}</a>)}</p>}
                <Input label={isProof ? door.token : door.registrationCode} value={given} set={setGiven}
                    autoComplete="one-time-code" plain />
                <button type="submit" disabled={task.isBusy || !given}>{say.goOn}</button>
            </form>}
            {issuers.length > 0 && <p className="other">{say.or}</p>}
            {issuers.map((issuer) => (
                <button key={issuer.name} type="button" disabled={task.isBusy} onClick={() => go(issuer)}>
                    {say.signInWith(shownIssuer(issuer.name))}
                </button>
            ))}
            {takesGuests && <button type="button" disabled={task.isBusy}
                onClick={() => enter((more) => identities.continueAsGuest({ deviceName: device(), ...more }), {})}>
                {say.asGuest}
            </button>}
            <button type="button" className="link" onClick={() => setOther("device")}>{say.byAnotherDevice}</button>
            <button type="button" className="link" onClick={() => setOther("forgotten")}>{say.forgotten}</button>
        </section>
    );
}

/** Another device of the person, which is signed in, lets this one in. */
function OtherDevice({ identities, back }: { identities: Identities; back: () => void }) {
    const [code, setCode] = useState("");
    const [turn, setTurn] = useState(0);
    const task = useTask();
    const { loaded } = useLoaded(picture);
    useEffect(() => {
        const left = new AbortController();
        setCode("");
        task.run(async () => {
            try {
                const link = await identities.beginDeviceLink(device());
                setCode(link.code);
                await identities.finishDeviceLink(link, left.signal);
            } catch (error) {
                if (!left.signal.aborted) throw error;
            }
        });
        return () => left.abort();
    }, [turn]);
    return (
        <section className="card" aria-label={say.byAnotherDevice}>
            <h2>{say.byAnotherDevice}</h2>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {code && !task.problem && <>
                <p className="hint">{say.byAnotherDeviceHint}</p>
                {loaded && <loaded.Picture text={code} label={say.codeAsPicture} />}
                <p role="status"><output aria-label={say.codeForIt} className="code">{code}</output></p>
            </>}
            {task.problem && <button type="button" onClick={() => setTurn(turn + 1)}>{say.anotherCode}</button>}
            <button type="button" className="link" onClick={back}>{say.back}</button>
        </section>
    );
}

/** A code by mail, then a new password with it. */
function Forgotten({ identities, back }: { identities: Identities; back: () => void }) {
    const [email, setEmail] = useState("");
    const [code, setCode] = useState("");
    const [password, setPassword] = useState("");
    const [step, setStep] = useState<"address" | "code" | "done">("address");
    const task = useTask();
    const submit = () => task.run(async () => {
        if (step === "address") await identities.requestPasswordReset(email.trim());
        else await identities.resetPassword(email.trim(), code, password);
        setStep(step === "address" ? "code" : "done");
    });
    return (
        <form aria-label={say.newPassword} aria-busy={task.isBusy}
            onSubmit={(event) => { event.preventDefault(); if (!task.isBusy) submit(); }}>
            <h2>{say.newPassword}</h2>
            {step === "address" && <>
                <p className="hint">{say.newPasswordLead}</p>
                <Input label={say.email} value={email} set={setEmail} type="email" autoComplete="email"
                    refused={task.field === "email"} plain />
            </>}
            {step === "code" && <>
                <p className="hint" role="status">{say.mailed}</p>
                <Input label={say.mailedCode} value={code} set={setCode} autoComplete="one-time-code"
                    refused={task.field === "code"} plain />
                <Input label={say.newPassword} value={password} set={setPassword} type="password"
                    autoComplete="new-password" refused={task.field === "new_password"} />
            </>}
            {step === "done" && <p role="status">{say.passwordSet}</p>}
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {step !== "done" && <button className="primary" type="submit"
                disabled={task.isBusy || (step === "address" ? !email : !code || !password)}>
                {step === "address" ? say.mailCode : say.setPassword}
            </button>}
            <button type="button" className="link" onClick={back}>{say.back}</button>
        </form>
    );
}
