import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { say } from "./english/shell";
import { CloseIcon } from "./icons";

/** What the person has to finish, or to leave, before they go on. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ReactNode }) {
    const element = useRef<HTMLDialogElement>(null);
    useEffect(() => {
        const dialog = element.current;
        dialog?.showModal();
        return () => dialog?.close();
    }, []);
    return (
        <dialog ref={element} aria-label={title} onCancel={(event) => { event.preventDefault(); close(); }}
            onClick={(event) => { if (event.target === element.current) close(); }}>
            <div className="sheet">
                <header>
                    <h2>{title}</h2>
                    <button type="button" className="icon" aria-label={say.close} onClick={close}><CloseIcon /></button>
                </header>
                {children}
            </div>
        </dialog>
    );
}
