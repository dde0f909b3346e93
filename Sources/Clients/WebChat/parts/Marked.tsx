import { useEffect, useState } from "react";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useTask } from "../hooks";
import type { Chat } from "../model";
import type { Go } from "../shown";
import { marked } from "./ask";
import type { Hit } from "./ask";
import { Hits } from "./Hits";

const words = {
    MENTIONS: [say.mentions, say.mentionsEmpty],
    STARRED: [say.starredMessages, say.starredEmpty],
} as const;

/** The messages that mention the person, or that they starred, in all conversations. */
export function Marked({ chat, kind, close, go }: {
    chat: Chat; kind: "MENTIONS" | "STARRED"; close: () => void; go: Go;
}) {
    const [state, setState] = useState<{ hits: readonly Hit[]; cursor: string } | null>(null);
    const task = useTask();
    const more = () => task.run(async () => {
        const page = await marked(chat, kind, state?.cursor ?? "");
        setState({ hits: [...state?.hits ?? [], ...page.hits], cursor: page.cursor });
    });
    useEffect(more, []);
    const [title, empty] = words[kind];
    return (
        <Dialog title={title} close={close}>
            {task.problem && <p className="refused" role="alert">{task.problem}{" "}
                <button type="button" className="link" onClick={more}>{say.tryAgain}</button></p>}
            <Hits label={title} hits={state?.hits ?? []} go={go} />
            <p className="hint" role="status">
                {!state ? (task.isBusy ? say.loading : "") : state.hits.length === 0 && !state.cursor ? empty : ""}</p>
            {state?.cursor && <div className="actions">
                <button type="button" disabled={task.isBusy} onClick={more}>{say.showMore}</button>
            </div>}
        </Dialog>
    );
}
