import { useEffect, useState } from "react";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import type { Conversation, Message } from "../model";
import type { Show } from "../shown";
import { Sure } from "./Form";

/** What can be done with several messages at once. It stands where one writes. */
export function Selection({ conversation, me, messages, show, end }: {
    conversation: Conversation; me: string;
    /** Those that are selected, in their order. */
    messages: readonly Message[]; show: Show; end: () => void;
}) {
    const [asked, setAsked] = useState<"" | "me" | "everyone">("");
    const task = useTask();
    const none = messages.length === 0;
    const isAdmin = conversation.isGroup && conversation.role !== "member";
    const canDelete = messages.every(({ sender }) => sender === me || isAdmin);
    const isStarred = messages.every((message) => message.isStarred);
    const texts = messages.filter(({ text }) => text).map(({ text }) => text);
    useEffect(() => {
        const pressed = (event: KeyboardEvent) => {
            if (event.key === "Escape" && !document.querySelector("dialog[open]")) end();
        };
        addEventListener("keydown", pressed);
        return () => removeEventListener("keydown", pressed);
    }, []);
    useEffect(() => setAsked(""), [messages.length]);

    /** Does the same with each, in order, and ends once all is done. */
    const each = (act: (message: Message) => Promise<void>) => task.run(async () => {
        for (const message of messages) await act(message);
        end();
    });
    const copy = () => task.run(async () => {
        await navigator.clipboard.writeText(texts.join("\n"));
        end();
    });
    const forward = () => {
        show({ of: "forward", conversation, messages });
        end();
    };
    return (
        <section className="selection" aria-label={say.selectedMessages}>
            <div className="actions start" role="toolbar" aria-label={say.selectedMessages}>
                <span role="status">{none ? say.selectMessages : say.selectedCount(messages.length)}</span>
                <button type="button" disabled={none || task.isBusy} onClick={forward}>{say.forwardAsk}</button>
                <button type="button" disabled={none || task.isBusy}
                    onClick={() => each((message) => message.isStarred === isStarred
                        ? conversation.star(message, !isStarred) : Promise.resolve())}>
                    {isStarred && !none ? say.unstar : say.star}</button>
                <button type="button" disabled={texts.length === 0 || task.isBusy} onClick={copy}>{say.copy}</button>
                <button type="button" className="danger" disabled={none || task.isBusy}
                    onClick={() => setAsked("me")}>{say.deleteForMeAsk}</button>
                {canDelete && !none && <button type="button" className="danger" disabled={task.isBusy}
                    onClick={() => setAsked("everyone")}>{say.deleteForEveryoneAsk}</button>}
                <button type="button" onClick={end}>{say.cancel}</button>
            </div>
            {asked === "me" && <Sure name={say.deleteMany(messages.length)} isBusy={task.isBusy}
                cancel={() => setAsked("")} question={say.deleteForMeMeans}
                act={() => each((message) => conversation.hide(message))} />}
            {asked === "everyone" && <Sure name={say.deleteMany(messages.length)} isBusy={task.isBusy}
                cancel={() => setAsked("")} question={say.deleteForEveryoneMeans}
                act={() => each((message) => conversation.delete(message))} />}
            {task.problem && <p className="refused" role="alert">{task.problem}</p>}
        </section>
    );
}
