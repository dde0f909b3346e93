import { useEffect, useRef, useState } from "react";
import { say } from "../english/parts";
import { keep, useFile } from "../files";
import { BackIcon, CloseIcon, MinusIcon, NewIcon, SaveIcon } from "../icons";
import type { Conversation, Message } from "../model";
import type { Show } from "../shown";
import { fully } from "../times";

const steps = [1, 1.5, 2, 3, 4, 6];

/** A picture as large as the window, with those before and after it. */
export function Viewer({ conversation, message, show, close }: {
    conversation: Conversation; message: Message; show: Show; close: () => void;
}) {
    const element = useRef<HTMLDialogElement>(null);
    const [current, setCurrent] = useState(message);
    const [zoom, setZoom] = useState(0);
    const { address, problem, again } = useFile(current, (each) => conversation.openFile(each), true);
    const name = current.attached?.name ?? say.picture;
    const pictures = conversation.messages.filter((each) => each.attached?.kind === "picture" && !each.isDeleted);
    const at = pictures.findIndex(({ id }) => id === current.id);
    const go = (step: number) => {
        const next = pictures[at + step];
        if (!next) return;
        setCurrent(next);
        setZoom(0);
    };
    const nearer = (step: number) => setZoom((old) => Math.min(steps.length - 1, Math.max(0, old + step)));
    useEffect(() => {
        const dialog = element.current;
        dialog?.showModal();
        return () => dialog?.close();
    }, []);
    const keys = (event: React.KeyboardEvent) => {
        switch (event.key) {
            case "ArrowLeft": go(-1); break;
            case "ArrowRight": go(1); break;
            case "+": nearer(1); break;
            case "-": nearer(-1); break;
            case "0": setZoom(0); break;
            default: return;
        }
        event.preventDefault();
    };
    const save = async () => keep(await conversation.openFile(current), name);
    return (
        <dialog ref={element} className="viewer" aria-label={name} onKeyDown={keys}
            onCancel={(event) => { event.preventDefault(); show(null); }}>
            <header className="top">
                <div className="who"><h2><bdi>{name}</bdi></h2>
                    <small>{conversation.name(current.sender)}, {fully(current.sentAt)}</small></div>
                <button type="button" className="icon" aria-label={say.smaller} disabled={zoom === 0}
                    onClick={() => nearer(-1)}><MinusIcon /></button>
                <button type="button" className="icon" aria-label={say.larger} disabled={zoom === steps.length - 1}
                    onClick={() => nearer(1)}><NewIcon /></button>
                <button type="button" className="icon" aria-label={say.save} disabled={!address}
                    onClick={() => void save().catch(() => undefined)}><SaveIcon /></button>
                <button type="button" className="icon" aria-label={say.close} onClick={close}><CloseIcon /></button>
            </header>
            <div className="stage" tabIndex={0} role="group" aria-label={say.picture}
                onWheel={(event) => { if (event.ctrlKey) nearer(event.deltaY < 0 ? 1 : -1); }}
                onDoubleClick={() => setZoom(zoom === 0 ? 2 : 0)}>
                {problem
                    ? <p className="refused" role="alert">{problem}{" "}
                        <button type="button" className="link" onClick={again}>{say.tryAgain}</button></p>
                    : <img src={address || current.attached?.preview} alt={name} draggable={false}
                        style={zoom === 0 ? { maxWidth: "100%", maxHeight: "100%" }
                            : { width: `${100 * steps[zoom]!}%` }} />}
            </div>
            {at > 0 && <button type="button" className="icon turn before" aria-label={say.pictureBefore}
                onClick={() => go(-1)}><BackIcon /></button>}
            {at >= 0 && at < pictures.length - 1 && <button type="button" className="icon turn after"
                aria-label={say.nextPicture} onClick={() => go(1)}><BackIcon /></button>}
        </dialog>
    );
}
