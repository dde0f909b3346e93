import { useEffect, useState } from "react";
import type { MessageSearch, SearchFilter } from "../../Web/api/index";
import { Dialog } from "../Dialog";
import { useObserved } from "../hooks";
import { parleyOf } from "../kit";
import type { Chat, Conversation } from "../model";
import type { Go } from "../shown";
import { hit } from "./ask";
import { Line, Pick } from "./Form";
import { Hits } from "./Hits";
import { nameOf } from "./Picker";

interface Limits {
    readonly sender: string;
    readonly kind: string;
    /** Days, as "2026-12-01". */
    readonly from: string;
    readonly to: string;
}

const none: Limits = { sender: "", kind: "", from: "", to: "" };
const kinds = [
    ["", "Everything"], ["text", "Texts"], ["image", "Pictures"], ["video", "Films"], ["voice", "Voice messages"],
    ["file", "Files"],
] as const;

function filter({ sender, kind, from, to }: Limits): SearchFilter {
    const end = to ? new Date(`${to}T00:00`) : undefined;
    end?.setDate(end.getDate() + 1);
    return {
        ...(sender ? { sender } : {}), ...(kind ? { kind: kind as SearchFilter["kind"] } : {}),
        ...(from ? { after: new Date(`${from}T00:00`) } : {}), ...(end ? { before: end } : {}),
    };
}

/** Finds messages: first what this browser keeps, then what the server has. */
export function Search({ chat, within, close, go }: {
    chat: Chat; within: Conversation | null; close: () => void; go: Go;
}) {
    const [text, setText] = useState("");
    const [isWithin, setWithin] = useState(within !== null);
    const [search, setSearch] = useState<MessageSearch | null>(null);
    const [limits, setLimits] = useState(none);
    const wanted = text.trim();
    useEffect(() => {
        if (!wanted) return setSearch(null);
        const conversation = isWithin ? within?.id : undefined;
        const begin = () => setSearch(parleyOf(chat).search(wanted, { conversation, ...filter(limits) }));
        const timer = setTimeout(begin, 250);
        return () => clearTimeout(timer);
    }, [wanted, isWithin, limits]);
    const people = within?.isGroup && isWithin ? within.members.map(({ person }) => person)
        : chat.inbox.flatMap(({ other }) => other ?? []);
    const set = (name: keyof Limits) => (value: string) => setLimits((old) => ({ ...old, [name]: value }));
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
            <details className="limits">
                <summary>By whom, what and when</summary>
                <Pick label="By" value={limits.sender} set={set("sender")} choices={[
                    ["", "Everybody"], [chat.me?.id ?? "", "You"],
                    ...people.filter(({ id }) => id !== chat.me?.id).map((each) => [each.id, nameOf(each)] as const),
                ]} />
                <Pick label="What" value={limits.kind} set={set("kind")} choices={kinds} />
                <div className="pairs">
                    <Line label="From" type="date" value={limits.from} set={set("from")} isPlain />
                    <Line label="To" type="date" value={limits.to} set={set("to")} isPlain />
                </div>
            </details>
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
