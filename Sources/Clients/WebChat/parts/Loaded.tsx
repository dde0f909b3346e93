import { useCallback, useEffect, useState } from "react";
import type { DependencyList, ReactNode } from "react";
import { say } from "../english/shell";
import { refusal } from "../model";

export interface Answer<T> {
    /** Null until it is there. */
    readonly value: T | null;
    /** Why it did not come; empty otherwise. */
    readonly problem: string;
    readonly again: () => void;
}

/** Asks the server for what is shown, and again when `of` changes. */
export function useAnswer<T>(ask: () => Promise<T>, of: DependencyList): Answer<T> {
    const [state, setState] = useState<{ value: T | null; problem: string }>({ value: null, problem: "" });
    const [turn, setTurn] = useState(0);
    useEffect(() => {
        let isCurrent = true;
        ask().then(
            (value) => { if (isCurrent) setState({ value, problem: "" }); },
            (error) => { if (isCurrent) setState((old) => ({ ...old, problem: refusal(error).message })); });
        return () => { isCurrent = false; };
    }, [...of, turn]);
    return { ...state, again: useCallback(() => setTurn((old) => old + 1), []) };
}

/** What came, or that it is on its way, or why it does not come, and how to try again. */
export function Loaded<T>({ answer, children }: { answer: Answer<T>; children: (value: T) => ReactNode }) {
    const { value, problem, again } = answer;
    return (
        <>
            {problem && <div className="refused" role="alert">{problem}{" "}
                <button type="button" className="link" onClick={again}>{say.tryAgain}</button></div>}
            {value === null ? !problem && <p className="hint" role="status">{say.loading}</p> : children(value)}
        </>
    );
}
