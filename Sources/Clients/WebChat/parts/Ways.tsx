import { useEffect, useMemo, useState } from "react";
import { Identities } from "../../Web/api/identities";
import type { Issuer } from "../../Web/api/identities";
import { say as door } from "../english/door";
import { say } from "../english/ways";
import { useTask } from "../hooks";
import { device, parleyOf } from "../kit";
import type { Chat } from "../model";
import { refusal } from "../model";
import { Input } from "../SignIn";
import { shownIssuer, takeReturned } from "./returned";

/** Other ways to sign in: on the pages of those whom the server trusts, or with a new password for a forgotten one. */
export function Ways({ chat }: { chat: Chat }) {
    const identities = useMemo(() => new Identities(parleyOf(chat)), [chat]);
    const [issuers, setIssuers] = useState<readonly Issuer[]>([]);
    const [way, setWay] = useState<"" | "forgotten" | "device">("");
    /** The address to which the browser came back from an issuer's page. */
    const [brought, setBrought] = useState("");
    const [asked, setAsked] = useState({ name: "", page: "" });
    const [given, setGiven] = useState("");
    const task = useTask();

    const finish = async (address: string, more: { code?: string; proof?: string }) => {
        try {
            await identities.finish(address, { deviceName: device(), ...more });
        } catch (error) {
            const { code } = refusal(error);
            const page = code === "proof_required" ? await chat.registrationPage().catch(() => "") : "";
            setAsked({ name: page || code === "registration_code_refused" ? code : "", page });
            throw error;
        }
    };
    useEffect(() => {
        // Without a connection there are no other ways.
        identities.issuers().then((all) => setIssuers(all.filter(({ hasPage }) => hasPage)), () => undefined);
        const address = takeReturned();
        if (!address) return;
        setBrought(address);
        task.run(() => finish(address, {}));
    }, []);

    const go = (issuer: Issuer) => task.run(async () => {
        location.href = await identities.begin(issuer.name, `${location.origin}/`);
    });
    const isProof = asked.name === "proof_required";
    if (way === "forgotten") return <Forgotten identities={identities} back={() => setWay("")} />;
    if (way === "device") return <OtherDevice identities={identities} back={() => setWay("")} />;
    return (
        <section style={wide} aria-label={say.otherWays} aria-busy={task.isBusy}>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {asked.name && <form aria-label={say.goOn} onSubmit={(event) => {
                event.preventDefault();
                task.run(() => finish(brought, isProof ? { proof: given } : { code: given }));
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
            <button type="button" className="link" onClick={() => setWay("device")}>{say.byAnotherDevice}</button>
            <button type="button" className="link" onClick={() => setWay("forgotten")}>{say.forgotten}</button>
        </section>
    );
}

/** As wide as the form above it. */
const wide = { width: "min(26rem, 100%)", margin: "0 auto", display: "grid", gap: ".6rem" };

/** Another device of the person, which is signed in, lets this one in. */
function OtherDevice({ identities, back }: { identities: Identities; back: () => void }) {
    const [code, setCode] = useState("");
    const [turn, setTurn] = useState(0);
    const task = useTask();
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
        <section style={wide} aria-label={say.byAnotherDevice}>
            <h2>{say.byAnotherDevice}</h2>
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
            {code && !task.problem && <>
                <p className="hint">{say.byAnotherDeviceHint}</p>
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
