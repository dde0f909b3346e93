import { useEffect, useState } from "react";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import { CloseIcon, FileIcon } from "../icons";
import type { Conversation } from "../model";
import { size } from "../sizes";
import { canShrink, isPicture, prepare } from "./prepare";

/** Files before they are sent: each becomes a message. */
export function Attach({ conversation, files, close }: {
    conversation: Conversation; files: readonly File[]; close: () => void;
}) {
    const [chosen, setChosen] = useState(files);
    const [isSmaller, setSmaller] = useState(true);
    const task = useTask();
    const leftOut = (file: File) => {
        const left = chosen.filter((each) => each !== file);
        if (left.length > 0) setChosen(left); else close();
    };
    const send = async () => {
        // In order, and each is shown as soon as this browser keeps it.
        for (const file of chosen) {
            const { file: made, name, facts } = await prepare(file, isSmaller);
            await conversation.sendFile(made, name, facts);
            setChosen((old) => old.filter((each) => each !== file));
        }
        close();
    };
    const isEmpty = chosen.some((file) => file.size === 0);
    return (
        <Dialog title={say.sendFiles(chosen.length)} close={close}>
            <form onSubmit={(event) => { event.preventDefault(); task.run(send); }}>
                <ul className="people" aria-label={say.files}>
                    {chosen.map((file, number) => <li key={`${number} ${file.name}`} className="row">
                        <Preview file={file} />
                        <span className="text"><bdi className="title">{file.name}</bdi>
                            <span className="preview">{file.size === 0 ? say.empty : size(file.size)}</span></span>
                        <button type="button" className="icon" aria-label={say.leaveOut(file.name)}
                            disabled={task.isBusy} onClick={() => leftOut(file)}><CloseIcon /></button>
                    </li>)}
                </ul>
                {chosen.some(canShrink) && <label className="check">
                    <input type="checkbox" checked={isSmaller} disabled={task.isBusy}
                        onChange={() => setSmaller(!isSmaller)} /> {say.makeSmaller}</label>}
                {isEmpty && <p className="hint" role="status">{say.emptyFile}</p>}
                {task.problem && <p className="refused" role="alert">{task.problem}</p>}
                <div className="actions">
                    <button type="button" onClick={close}>{say.cancel}</button>
                    <button type="submit" className="primary" autoFocus disabled={task.isBusy || isEmpty}>
                        {task.isBusy ? say.preparing : say.send}</button>
                </div>
            </form>
        </Dialog>
    );
}

function Preview({ file }: { file: File }) {
    const [address, setAddress] = useState("");
    useEffect(() => {
        if (!isPicture(file)) return;
        const made = URL.createObjectURL(file);
        setAddress(made);
        return () => URL.revokeObjectURL(made);
    }, [file]);
    return address
        ? <img className="avatar group" src={address} alt="" onError={() => setAddress("")} />
        : <span className="avatar group plain"><FileIcon /></span>;
}
