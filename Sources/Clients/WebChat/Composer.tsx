import { useEffect, useLayoutEffect, useRef } from "react";
import { CloseIcon, SendIcon } from "./icons";

/** Where a message is written. Enter sends it; with Shift it begins a line. */
export function Composer({ text, setText, send, editing, cancelEdit, editLast, stop, bytesMax }: {
    text: string; setText: (text: string) => void; send: () => void; editing: boolean; cancelEdit: () => void;
    editLast: () => void; stop: () => void; bytesMax: number;
}) {
    const field = useRef<HTMLTextAreaElement>(null);
    useLayoutEffect(() => {
        const element = field.current;
        if (!element) return;
        element.enterKeyHint = "send";
        element.style.height = "auto";
        element.style.height = `${Math.min(element.scrollHeight, 160)}px`;
    }, [text]);
    useEffect(() => {
        // On a phone the keyboard would cover what the person came to read.
        if (editing || matchMedia("(hover: hover)").matches) field.current?.focus();
    }, [editing]);
    const bytes = new TextEncoder().encode(text).length;
    const isTooLong = bytes > bytesMax;
    const isReady = text.trim() !== "" && !isTooLong;
    const keys = (event: React.KeyboardEvent) => {
        // While a word is being composed from several keys, Enter ends the word.
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            if (isReady) send();
        } else if (event.key === "Escape" && editing) {
            event.preventDefault();
            cancelEdit();
        } else if (event.key === "ArrowUp" && text === "") {
            event.preventDefault();
            editLast();
        }
    };
    return (
        <form className="composer" aria-label="Write"
            onSubmit={(event) => { event.preventDefault(); if (isReady) send(); }}>
            {editing && <div className="editing"><span>Editing your message</span>
                <button type="button" className="icon" aria-label="Cancel editing" onClick={cancelEdit}>
                    <CloseIcon />
                </button>
            </div>}
            {isTooLong && <p className="refused" role="alert">
                The message is longer than the server takes: {bytes - bytesMax} bytes too many.</p>}
            <div className="field">
                <textarea ref={field} rows={1} aria-label="Message" placeholder="Message" dir="auto" value={text}
                    onChange={(event) => setText(event.target.value)} onKeyDown={keys} onBlur={stop} />
                <button type="submit" className="send" aria-label={editing ? "Save" : "Send"} disabled={!isReady}
                    onPointerDown={(event) => event.preventDefault()}><SendIcon /></button>
            </div>
        </form>
    );
}
