import { useEffect, useState } from "react";
import { say } from "./english/attached";
import { useTask } from "./hooks";
import { CloseIcon, FileIcon, PlayIcon } from "./icons";
import type { Attached, Message } from "./model";
import { refusal } from "./model";
import { playingTime, room, size } from "./sizes";

export interface FileProps {
    message: Message;
    attached: Attached;
    /** Reads the file: from this browser, or from the server. */
    open: (message: Message) => Promise<Blob>;
    cancel: (message: Message) => void;
    /** Shows a picture large. */
    view: (message: Message) => void;
}

/** Pictures up to this size are loaded without being asked for. */
const loadedUnasked = 5_000_000;

/** A file in a conversation: shown or played in place, or to be saved. */
export function FileView(props: FileProps) {
    const { message, attached, cancel } = props;
    const { kind, elsewhere } = attached;
    const shown = elsewhere ? <Elsewhere attached={attached} />
        : kind === "picture" ? <Picture {...props} />
            : kind === "other" ? <Saved {...props} /> : <Played {...props} />;
    const isSending = message.progress >= 0 && message.status === "waiting";
    return (
        <>
            {shown}
            {isSending && <div className="uploading">
                <progress aria-label={say.sending(attached.name)} value={message.progress} max={1} />
                <button type="button" className="icon" aria-label={say.cancelSending(attached.name)}
                    onClick={() => cancel(message)}><CloseIcon /></button>
            </div>}
        </>
    );
}

/** The address of a file within this page, while the component is shown. */
export function useFile(message: Message, open: FileProps["open"], isWanted: boolean): {
    address: string; problem: string; again: () => void;
} {
    const [state, setState] = useState({ address: "", problem: "" });
    const [turn, setTurn] = useState(0);
    useEffect(() => {
        setState((old) => old.address || old.problem ? { address: "", problem: "" } : old);
        if (!isWanted) return;
        let isCurrent = true;
        let address = "";
        open(message).then(
            (blob) => {
                if (!isCurrent) return;
                address = URL.createObjectURL(blob);
                setState({ address, problem: "" });
            },
            (error) => { if (isCurrent) setState({ address: "", problem: refusal(error).message }); });
        return () => {
            isCurrent = false;
            if (address) URL.revokeObjectURL(address);
        };
    }, [message.id, isWanted, turn]);
    return { ...state, again: () => setTurn((old) => old + 1) };
}

function Picture(props: FileProps) {
    const { message, attached, open, view } = props;
    const [isWanted, setWanted] = useState(attached.bytes <= loadedUnasked);
    const [isBroken, setBroken] = useState(false);
    const { address, problem, again } = useFile(message, open, isWanted);
    if (isBroken) return <Saved {...props} />;
    const { width, height } = room(attached);
    const style = { width, aspectRatio: `${width} / ${height}` };
    if (problem) {
        return <div className="picture" style={style}><p className="missing" role="alert">{problem}{" "}
            <button type="button" className="link" onClick={again}>{say.tryAgain}</button></p></div>;
    }
    const source = address || attached.preview;
    const show = () => address ? view(message) : setWanted(true);
    return (
        <button type="button" className={address ? "picture" : "picture small"} style={style} onClick={show}
            aria-label={isWanted ? say.pictureNamed(attached.name) : say.loadFile(attached.name, size(attached.bytes))}>
            {source && <img src={source} alt="" draggable={false} onError={() => { if (address) setBroken(true); }} />}
            {!isWanted && <span className="badge">{size(attached.bytes)}</span>}
        </button>
    );
}

/** A film or a sound: loaded when somebody wants to see or hear it. */
function Played(props: FileProps) {
    const { message, attached, open } = props;
    const [isWanted, setWanted] = useState(false);
    const [isBroken, setBroken] = useState(false);
    const { address, problem, again } = useFile(message, open, isWanted);
    const isFilm = attached.kind === "film";
    if (isBroken) return <Saved {...props} />;
    const { width, height } = room(attached);
    const style = isFilm ? { width, aspectRatio: `${width} / ${height}` } : undefined;
    if (address) {
        const shared = { src: address, controls: true, autoPlay: true, onError: () => setBroken(true) };
        return isFilm
            ? <video className="picture" style={style} aria-label={attached.name} playsInline {...shared} />
            : <audio aria-label={nameOf(attached)} {...shared} />;
    }
    const length = attached.duration > 0 ? playingTime(attached.duration) : size(attached.bytes);
    return (
        <>
            <button type="button" className={isFilm ? "picture film" : "sound"} style={style}
                disabled={isWanted && !problem} aria-label={say.play(nameOf(attached), length)}
                onClick={() => { if (problem) again(); else setWanted(true); }}>
                {isFilm && attached.preview && <img src={attached.preview} alt="" />}
                <PlayIcon />
                {!isFilm && <span className="called">
                    {attached.kind === "voice" ? say.voiceMessage : attached.name}</span>}
                <span className="length">{isWanted && !problem ? say.loading : length}</span>
            </button>
            {problem && <p className="missing" role="alert">{problem}</p>}
        </>
    );
}

function nameOf({ kind, name }: Attached): string {
    return kind === "voice" ? say.aVoiceMessage : name;
}

/** A file that is saved, and never opened as a page of ours. */
function Saved({ message, attached, open }: FileProps) {
    const task = useTask();
    const save = async () => keep(await open(message), attached.name);
    return (
        <>
            <button type="button" className="saved" disabled={task.isBusy} onClick={() => task.run(save)}
                aria-label={say.saveFile(attached.name, size(attached.bytes))}>
                <FileIcon />
                <span className="called"><bdi>{attached.name}</bdi></span>
                <span className="length">{task.isBusy ? say.loading : size(attached.bytes)}</span>
            </button>
            {task.problem && <p className="missing" role="alert">{task.problem}</p>}
        </>
    );
}

function Elsewhere({ attached }: { attached: Attached }) {
    const host = /^https:\/\/([^/?#]+)/.exec(attached.elsewhere)?.[1];
    return (
        <a className="saved" href={host && attached.elsewhere} target="_blank" rel="noopener noreferrer">
            <FileIcon /><span className="called"><bdi>{attached.name}</bdi></span>
            <span className="length">{host}</span>
        </a>
    );
}

/** Saves a file by the browser. As octets, no browser shows it as a page. */
export function keep(blob: Blob, name: string) {
    const address = URL.createObjectURL(new Blob([blob], { type: "application/octet-stream" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: name });
    link.click();
    // The browser begins to read it within this time.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
