import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { say } from "./english/shell";
import { handleOf } from "./handle";
import { AttachIcon, CloseIcon, EmojiIcon, SendIcon, VoiceIcon } from "./icons";
import { begun, candidates, mentioned } from "./mentions";
import type { Mentionable } from "./mentions";

export interface ComposerProps {
    text: string;
    setText: (text: string) => void;
    /** Gets the ids of those whom the text mentions. */
    send: (mentions: readonly string[]) => void;
    /** What the text is for, where it is no new message of its own, such as "Editing your message". */
    about: string;
    isEdit: boolean;
    /** Ends editing, or answering. */
    cancel: () => void;
    editLast: () => void;
    stop: () => void;
    bytesMax: number;
    people: readonly Mentionable[];
    /** Shows the emoji, and gets the one that is chosen. */
    pickEmoji: (choose: (emoji: string) => void) => void;
    /** Shows files before they are sent, and records a voice message; absent: neither is possible here. */
    attach?: (files: readonly File[]) => void;
    record?: () => void;
    label?: string;
}

/** Where a message is written. Enter sends it; with Shift it begins a line. */
export function Composer(props: ComposerProps) {
    const { text, setText, send, about, isEdit, cancel, editLast, stop, bytesMax, people, pickEmoji } = props;
    const { attach, record } = props;
    const field = useRef<HTMLTextAreaElement>(null);
    const chooser = useRef<HTMLInputElement>(null);
    const chosen = useRef(new Map<string, string>());
    const [cursor, setCursor] = useState(0);
    const [isDismissed, setDismissed] = useState(false);
    const [at, setAt] = useState(0);
    const list = useId();
    useLayoutEffect(() => {
        const element = field.current;
        if (!element) return;
        element.enterKeyHint = "send";
        element.style.height = "auto";
        element.style.height = `${Math.min(element.scrollHeight, 160)}px`;
    }, [text]);
    useEffect(() => {
        // On a phone the keyboard would cover what the person came to read.
        if (about !== "" || matchMedia("(hover: hover)").matches) field.current?.focus();
    }, [about]);
    const bytes = new TextEncoder().encode(text).length;
    const isTooLong = bytes > bytesMax;
    const isReady = text.trim() !== "" && !isTooLong;
    const word = isDismissed ? null : begun(text, cursor);
    const fitting = word ? candidates(people, word.wanted) : [];
    // Who wrote the whole name has nothing to choose, and Enter sends.
    const offered = fitting.length === 1 && fitting[0]!.name === word?.wanted ? [] : fitting;
    const current = offered[Math.min(at, offered.length - 1)];

    const put = (from: number, to: number, words: string) => {
        setText(text.slice(0, from) + words + text.slice(to));
        requestAnimationFrame(() => {
            field.current?.focus();
            field.current?.setSelectionRange(from + words.length, from + words.length);
            setCursor(from + words.length);
        });
    };
    const take = (person: Mentionable) => {
        if (!word) return;
        const name = person.name || person.username;
        chosen.current.set(name, person.id);
        put(word.from, cursor, `@${name} `);
    };
    const finish = () => {
        send(mentioned(text, people, chosen.current));
        chosen.current.clear();
    };
    const keys = (event: React.KeyboardEvent) => {
        // While a word is being composed from several keys, Enter ends the word.
        if (event.nativeEvent.isComposing) return;
        const taken = current && offeredKeys(event.key);
        if (taken) {
            if (event.key === "Escape") setDismissed(true);
            else if (event.key === "ArrowDown") setAt((at + 1) % offered.length);
            else if (event.key === "ArrowUp") setAt((at + offered.length - 1) % offered.length);
            else take(current);
        } else if (event.key === "Enter" && !event.shiftKey) {
            if (isReady) finish();
        } else if (event.key === "Escape" && about !== "") {
            cancel();
        } else if (event.key === "ArrowUp" && text === "") {
            editLast();
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    };
    return (
        <form className="composer" aria-label={say.write}
            onSubmit={(event) => { event.preventDefault(); if (isReady) finish(); }}>
            {about && <div className="editing"><span><bdi>{about}</bdi></span>
                <button type="button" className="icon" aria-label={isEdit ? say.cancelEditing : say.cancelTheReply}
                    onClick={cancel}><CloseIcon /></button>
            </div>}
            {isTooLong && <p className="refused" role="alert">
                {say.tooLong(bytes - bytesMax)}</p>}
            {offered.length > 0 && <ul className="offered" role="listbox" aria-label={say.peopleToMention} id={list}>
                {offered.map((person) => <li key={person.id} id={`${list}-${person.id}`} role="option"
                    aria-selected={person === current} onPointerDown={(event) => event.preventDefault()}
                    onClick={() => take(person)}>
                    <bdi>{person.name || person.username}</bdi><small>{handleOf(person)}</small>
                </li>)}
            </ul>}
            <div className="field">
                <button type="button" className="icon" aria-label={say.emoji} onClick={() => {
                    const { selectionStart: from, selectionEnd: to } = field.current!;
                    pickEmoji((emoji) => put(from, to, emoji));
                }}><EmojiIcon /></button>
                {attach && !isEdit && <button type="button" className="icon" aria-label={say.attachFiles}
                    onClick={() => chooser.current?.click()}><AttachIcon /></button>}
                {attach && <input ref={chooser} type="file" multiple hidden aria-label={say.filesToAttach}
                    onChange={({ currentTarget }) => {
                        const files = [...currentTarget.files ?? []];
                        // Who chooses the same file again attaches it again.
                        currentTarget.value = "";
                        if (files.length > 0) attach(files);
                    }} />}
                <textarea ref={field} rows={1} aria-label={props.label ?? say.message}
                    placeholder={props.label ?? say.message}
                    dir="auto" value={text} onBlur={stop} onKeyDown={keys} aria-autocomplete="list"
                    aria-controls={offered.length > 0 ? list : undefined}
                    aria-activedescendant={current ? `${list}-${current.id}` : undefined}
                    onPaste={(event) => {
                        const files = [...event.clipboardData.files];
                        if (!attach || files.length === 0) return;
                        event.preventDefault();
                        attach(files);
                    }}
                    onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
                    onChange={({ target }) => {
                        setText(target.value);
                        setCursor(target.selectionStart);
                        setDismissed(false);
                        setAt(0);
                    }} />
                {record && !isEdit && text === "" && <button type="button" className="icon"
                    aria-label={say.recordAVoiceMessage} onClick={record}><VoiceIcon /></button>}
                <button type="submit" className="send" aria-label={isEdit ? say.save : say.send} disabled={!isReady}
                    onPointerDown={(event) => event.preventDefault()}><SendIcon /></button>
            </div>
        </form>
    );
}

function offeredKeys(key: string): boolean {
    return ["ArrowDown", "ArrowUp", "Enter", "Tab", "Escape"].includes(key);
}
