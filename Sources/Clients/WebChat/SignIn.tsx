import { useId, useState } from "react";
import { say } from "./english/door";
import { useLoaded, useTask } from "./hooks";
import type { Chat } from "./model";
import { refusal } from "./model";

/** Other ways come behind the form. */
const ways = () => import("./parts/Ways");

type Field = "username" | "password" | "name" | "code" | "proof";

/** Signs in, or registers. What the server asks for besides, such as a code, is asked for once it did. */
export function SignIn({ chat, begin }: {
    chat: Chat;
    /** Is told when the person begins. */
    begin: () => void;
}) {
    const [isNew, setNew] = useState(false);
    const [values, setValues] = useState<Record<Field, string>>(
        { username: "", password: "", name: "", code: "", proof: "" });
    const [asks, setAsks] = useState<"" | "code" | "proof">("");
    const [page, setPage] = useState("");
    const [progress, setProgress] = useState("");
    /** Whether another way to sign in stands in place of the form. */
    const [isOtherWay, setOtherWay] = useState(false);
    const task = useTask();
    const { loaded } = useLoaded(ways);
    const set = (field: Field) => (text: string) => { setValues((old) => ({ ...old, [field]: text })); };

    const register = async () => {
        try {
            await chat.register({ ...values, username: values.username.trim() }, setProgress);
        } catch (error) {
            const { code } = refusal(error);
            if (code === "registration_code_refused") setAsks("code");
            if (code === "proof_required") {
                const address = await chat.registrationPage().catch(() => "");
                if (address) {
                    setPage(address);
                    setAsks("proof");
                    setValues((old) => ({ ...old, proof: "" }));
                }
            }
            throw error;
        } finally {
            setProgress("");
        }
    };
    const submit = () => task.run(isNew ? register : () => chat.signIn(values.username.trim(), values.password));

    return (
        <main className="door">
            <form hidden={isOtherWay} aria-label={isNew ? say.createAnAccount : say.signIn} aria-busy={task.isBusy}
                onFocus={begin} onSubmit={(event) => { event.preventDefault(); if (!task.isBusy) submit(); }}>
                <img src="/icon.svg" alt="" width="56" height="56" />
                <h1>{isNew ? say.createAnAccount : say.signInToParley}</h1>
                <p className="lead">{isNew ? say.registerLead : say.signInLead}</p>
                {chat.problem && <p className="refused" role="alert">{chat.problem}</p>}
                <Input label={say.username} value={values.username} set={set("username")} autoComplete="username"
                    refused={task.field === "username"} plain />
                {isNew && <Input label={say.name} value={values.name} set={set("name")} autoComplete="name" optional
                    hint={say.nameHint} refused={task.field === "display_name"} />}
                <Input label={say.password} value={values.password} set={set("password")} type="password"
                    autoComplete={isNew ? "new-password" : "current-password"} refused={task.field === "password"} />
                {isNew && asks === "code" && <Input label={say.registrationCode} value={values.code} set={set("code")}
                    autoComplete="one-time-code" refused={task.field === "code"} plain />}
                {isNew && asks === "proof" && <>
                    <p className="hint">{say.proof((words) =>
                        <a href={page} target="_blank" rel="noopener noreferrer">{words}</a>)}</p>
                    <Input label={say.token} value={values.proof} set={set("proof")} autoComplete="off" plain />
                </>}
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <button className="primary" type="submit"
                    disabled={task.isBusy || !values.username || !values.password}>
                    {task.isBusy && (progress || (isNew ? say.creating : say.signingIn))}
                    {!task.isBusy && (isNew ? say.createAccount : say.signIn)}
                </button>
                <p className="other">
                    {isNew ? say.haveAccount : say.newHere}{" "}
                    <button type="button" className="link" onClick={() => { task.clear(); setNew(!isNew); }}>
                        {isNew ? say.signIn : say.createAnAccount}
                    </button>
                </p>
            </form>
            {loaded && <loaded.Ways chat={chat} instead={setOtherWay} />}
        </main>
    );
}

export function Input({ label, value, set, type = "text", autoComplete, hint, optional, refused, plain }: {
    label: string; value: string; set: (text: string) => void; type?: string; autoComplete: string; hint?: string;
    optional?: boolean; refused?: boolean; plain?: boolean;
}) {
    const id = useId();
    return (
        <div className="field">
            <label htmlFor={id}>{label}{optional && <small> {say.optional}</small>}</label>
            <input id={id} aria-describedby={hint ? `${id}-hint` : undefined} type={type} value={value}
                required={!optional} autoComplete={autoComplete} aria-invalid={refused || undefined}
                {...(plain ? { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } : {})}
                onChange={(event) => set(event.target.value)} />
            {hint && <small className="hint" id={`${id}-hint`}>{hint}</small>}
        </div>
    );
}
