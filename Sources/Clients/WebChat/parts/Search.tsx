import { useEffect, useState } from "react";
import type { MessageSearch, SearchFilter } from "../../Web/api/index";
import { Dialog } from "../Dialog";
import { say } from "../english/parts";
import { useObserved } from "../hooks";
import { parleyOf } from "../kit";
import { why } from "../language";
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
    ["", say.everything], ["text", say.texts], ["image", say.pictures], ["video", say.films],
    ["voice", say.voiceMessages], ["file", "Files"],
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
        <Dialog title={say.search} close={close}>
            <div className="field">
                <label htmlFor="search">{say.words}</label>
                <input id="search" type="search" value={text} autoFocus autoComplete="off"
                    onChange={(event) => setText(event.target.value)} />
            </div>
            {within && <label className="check">
                <input type="checkbox" checked={isWithin} onChange={() => setWithin(!isWithin)} />
                {say.onlyIn(<bdi>{within.title}</bdi>)}</label>}
            <details className="limits">
                <summary>{say.byWhomWhatAndWhen}</summary>
                <Pick label={say.by} value={limits.sender} set={set("sender")} choices={[
                    ["", say.everybody], [chat.me?.id ?? "", say.you],
                    ...people.filter(({ id }) => id !== chat.me?.id).map((each) => [each.id, nameOf(each)] as const),
                ]} />
                <Pick label={say.what} value={limits.kind} set={set("kind")} choices={kinds} />
                <div className="pairs">
                    <Line label={say.from} type="date" value={limits.from} set={set("from")} isPlain />
                    <Line label={say.to} type="date" value={limits.to} set={set("to")} isPlain />
                </div>
            </details>
            {search
                ? <Found chat={chat} search={search} go={go} />
                : <p className="hint" role="status">
                    {wanted ? say.searching : say.searchHint}</p>}
        </Dialog>
    );
}

function Found({ chat, search, go }: { chat: Chat; search: MessageSearch; go: Go }) {
    useObserved(search);
    const hits = search.found.flatMap((message) => hit(chat, message) ?? []);
    const { isSearching, problem, hasMore } = search;
    const said = isSearching ? say.searching
        : problem ? say.searchKept(why(problem))
            : hits.length === 0 ? say.noMessageHasTheseWords
                : say.messageCount(hits.length);
    return (
        <>
            <p className="hint" role="status">{said}</p>
            <Hits label={say.foundTitle} hits={hits} go={go} wanted={search.text} />
            {hasMore && !isSearching && <div className="actions">
                <button type="button" onClick={() => void search.loadMore()}>{say.showMore}</button>
            </div>}
        </>
    );
}
