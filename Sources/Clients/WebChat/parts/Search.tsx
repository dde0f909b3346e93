import { useEffect, useState } from "react";
import type { MessageSearch } from "../../Web/api/index";
import { Dialog } from "../Dialog";
import { useObserved } from "../hooks";
import { parleyOf } from "../kit";
import type { Chat, Conversation } from "../model";
import type { Go } from "../shown";
import { hit } from "./ask";
import { Hits } from "./Hits";

/** Finds messages: first what this browser keeps, then what the server has. */
export function Search({ chat, within, close, go }: {
    chat: Chat; within: Conversation | null; close: () => void; go: Go;
}) {
    const [text, setText] = useState("");
    const [isWithin, setWithin] = useState(within !== null);
    const [search, setSearch] = useState<MessageSearch | null>(null);
    const wanted = text.trim();
    useEffect(() => {
        if (!wanted) return setSearch(null);
        const timer = setTimeout(
            () => setSearch(parleyOf(chat).search(wanted, isWithin ? within?.id : undefined)), 250);
        return () => clearTimeout(timer);
    }, [wanted, isWithin]);
    return (
        <Dialog title="Search" close={close}>
            <div className="field">
                <label htmlFor="search">Words</label>
                <input id="search" type="search" value={text} autoFocus autoComplete="off"
                    onChange={(event) => setText(event.target.value)} />
            </div>
            {within && <label className="check">
                <input type="checkbox" checked={isWithin} onChange={() => setWithin(!isWithin)} /> Only in{" "}
                <bdi>{within.title}</bdi></label>}
            {search
                ? <Found chat={chat} search={search} go={go} />
                : <p className="hint" role="status">
                    {wanted ? "Searching …" : "Finds messages that have all the words."}</p>}
        </Dialog>
    );
}

function Found({ chat, search, go }: { chat: Chat; search: MessageSearch; go: Go }) {
    useObserved(search);
    const hits = search.found.flatMap((message) => hit(chat, message) ?? []);
    const { isSearching, problem, hasMore } = search;
    const said = isSearching ? "Searching …"
        : problem ? `These are the messages that this browser keeps. ${problem.message}`
            : hits.length === 0 ? "No message has these words."
                : hits.length === 1 ? "1 message" : `${hits.length} messages`;
    return (
        <>
            <p className="hint" role="status">{said}</p>
            <Hits label="Found" hits={hits} go={go} wanted={search.text} />
            {hasMore && !isSearching && <div className="actions">
                <button type="button" onClick={() => void search.loadMore()}>Show more</button>
            </div>}
        </>
    );
}
