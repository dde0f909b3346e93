import { useId } from "react";
import type { ReactNode } from "react";
import { say } from "../english/shell";

/** A line of text that a person fills in. */
export function Line({ label, value, set, hint, type = "text", refused, maxLength = 512, isPlain, autoFocus }: {
    label: string; value: string; set: (text: string) => void; hint?: string; type?: string; refused?: boolean;
    maxLength?: number; isPlain?: boolean; autoFocus?: boolean;
}) {
    const id = useId();
    return (
        <div className="field">
            <label htmlFor={id}>{label}</label>
            <input id={id} type={type} value={value} maxLength={maxLength} aria-invalid={refused || undefined}
                aria-describedby={hint ? `${id}-hint` : undefined} autoComplete="off" autoFocus={autoFocus}
                {...(isPlain ? { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } : { dir: "auto" })}
                onChange={(event) => set(event.target.value)} />
            {hint && <small className="hint" id={`${id}-hint`}>{hint}</small>}
        </div>
    );
}

/** One of several values. */
export function Pick({ label, value, set, choices, hint, isDisabled }: {
    label: string; value: string; set: (value: string) => void; choices: readonly (readonly [string, string])[];
    hint?: string; isDisabled?: boolean;
}) {
    const id = useId();
    return (
        <div className="field">
            <label htmlFor={id}>{label}</label>
            <select id={id} value={value} disabled={isDisabled} onChange={(event) => set(event.target.value)}
                aria-describedby={hint ? `${id}-hint` : undefined}>
                {choices.map(([each, name]) => <option key={each} value={each}>{name}</option>)}
            </select>
            {hint && <small className="hint" id={`${id}-hint`}>{hint}</small>}
        </div>
    );
}

/** Something that is done after a second look: it says what it does first. */
export function Sure({ question, name, act, isBusy, cancel }: {
    question: ReactNode; name: string; act: () => void; isBusy: boolean; cancel: () => void;
}) {
    return (
        <div className="sure" role="group" aria-label={name}>
            <p>{question}</p>
            <div className="actions">
                <button type="button" onClick={cancel} autoFocus>{say.cancel}</button>
                <button type="button" className="danger" disabled={isBusy} onClick={act}>{name}</button>
            </div>
        </div>
    );
}
