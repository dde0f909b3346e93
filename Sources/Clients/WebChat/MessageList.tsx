import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { MutableRefObject, ReactNode } from "react";
import { say } from "./english/shell";
import { Heights } from "./heights";
import { DownIcon } from "./icons";
import { drawn, foot, place as placeOf, scrolled } from "./places";
import type { Place } from "./places";

/** How high a row is until it was seen. */
const guess = 56;
/** Places in the lists that were left, for when they are opened again. */
const left = new Map<string, Place>();

export interface ListProps {
    /** Of the conversation: a place is kept for each. */
    id: string;
    ids: readonly string[];
    row: (number: number) => ReactNode;
    /** Where to begin the first time; -1: at the end. */
    begin: number;
    hasOlder: boolean;
    loadOlder: () => Promise<void>;
    /** How many messages the person has not seen, for the button that leads to the end. */
    unread: number;
    atEnd: (isAtEnd: boolean) => void;
    label: string;
    /** Gets what leads to the end, and to a row that is there. */
    moves: MutableRefObject<Moves>;
    /** Does something with a row on which a key was pressed. */
    press: (number: number, key: string) => boolean;
}

export interface Moves {
    toEnd(): void;
    to(id: string): void;
}

/**
 * A list of any length, of which only what is in view is drawn. Whatever arrives above or grows, what the person looks
 * at stays where it is. Who is at the end stays at the end.
 */
export function MessageList(props: ListProps) {
    const { id, ids, row, begin, hasOlder, loadOlder, unread, atEnd, label, press } = props;
    const box = useRef<HTMLDivElement>(null);
    const inner = useRef<HTMLDivElement>(null);
    const known = useRef(new Map<string, number>());
    const hold = useRef<Place | undefined>(undefined);
    const isLoading = useRef(false);
    const [range, setRange] = useState({ first: 0, last: -1 });
    const [isAway, setAway] = useState(false);

    const numbers = useMemo(() => new Map(ids.map((each, number) => [each, number])), [ids]);
    const heights = useMemo(() => Heights.of(ids.length, (number) => known.current.get(ids[number]!) ?? guess), [ids]);
    if (hold.current === undefined) {
        const kept = left.get(id);
        const first = begin >= 0 ? ids[begin] : undefined;
        hold.current = kept && numbers.has(kept.id) ? kept : first !== undefined ? { id: first, below: 72 } : null;
    }

    /** Puts the list where it is held, and draws what is seen there. */
    const settle = useCallback(() => {
        const element = box.current;
        if (!element || !inner.current) return;
        const height = element.clientHeight;
        let wanted = scrolled(heights, numbers, hold.current ?? null, height);
        if (wanted === null) {
            hold.current = placeOf(heights, ids, { top: element.scrollTop, height });
            wanted = element.scrollTop;
        }
        const next = drawn(heights, { top: wanted, height });
        setRange((old) => old.first === next.first && old.last === next.last ? old : next);
        inner.current.style.height = `${Math.max(heights.total + foot, height)}px`;
        if (Math.abs(element.scrollTop - wanted) >= 0.5) element.scrollTop = wanted;
    }, [heights, numbers, ids]);

    /** Reads how high the drawn rows are. */
    const measure = useCallback(() => {
        let isChanged = false;
        for (const element of inner.current?.querySelectorAll<HTMLElement>(":scope > [data-row]") ?? []) {
            const number = numbers.get(element.dataset["row"] ?? "");
            if (number === undefined) continue;
            const height = element.getBoundingClientRect().height;
            known.current.set(ids[number]!, height);
            if (heights.set(number, height)) isChanged = true;
        }
        if (isChanged) place(inner.current, heights, numbers);
        return isChanged;
    }, [heights, numbers, ids]);

    useLayoutEffect(() => {
        measure();
        place(inner.current, heights, numbers);
        settle();
    });
    useEffect(() => {
        if (!box.current || !inner.current) return;
        const observer = new ResizeObserver(() => {
            measure();
            settle();
        });
        observer.observe(box.current);
        for (const element of inner.current.children) observer.observe(element);
        return () => observer.disconnect();
    }, [measure, settle, range]);

    const scroll = () => {
        const element = box.current;
        if (!element) return;
        const view = { top: element.scrollTop, height: element.clientHeight };
        hold.current = placeOf(heights, ids, view);
        left.set(id, hold.current);
        setAway(hold.current !== null);
        atEnd(hold.current === null);
        const next = drawn(heights, view);
        setRange((old) => old.first === next.first && old.last === next.last ? old : next);
        older();
    };
    const older = useCallback(() => {
        const element = box.current;
        if (!element || !hasOlder || isLoading.current || element.scrollTop > 1200) return;
        isLoading.current = true;
        loadOlder().catch(() => undefined).finally(() => { isLoading.current = false; });
    }, [hasOlder, loadOlder]);
    useEffect(() => {
        older();
        // What fits is all in view, wherever it was to begin: no scrolling will ever say so.
        if (box.current && heights.total + foot <= box.current.clientHeight) hold.current = null;
        const isAtEnd = hold.current === null;
        setAway(!isAtEnd);
        atEnd(isAtEnd);
    }, [older, ids, atEnd]);

    const toEnd = () => {
        hold.current = null;
        left.set(id, null);
        settle();
    };
    const to = (wanted: string) => {
        hold.current = { id: wanted, below: Math.max(72, (box.current?.clientHeight ?? 0) / 3) };
        left.set(id, hold.current);
        settle();
        setAway(true);
    };
    useEffect(() => { props.moves.current = { toEnd, to }; });
    /** Arrows go from message to message, and keys on one do something with it. */
    const keys = (event: React.KeyboardEvent) => {
        const target = event.target as HTMLElement;
        const isRow = target.dataset["row"] !== undefined;
        if ((!isRow && target !== box.current) || event.ctrlKey || event.metaKey || event.altKey) return;
        const rows = [...inner.current?.querySelectorAll<HTMLElement>(":scope > [data-row]") ?? []];
        rows.sort((one, other) => Number(one.ariaPosInSet) - Number(other.ariaPosInSet));
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (step !== undefined) {
            const next = isRow ? rows[rows.indexOf(target) + step] : lastSeen(rows, box.current);
            next?.focus({ preventScroll: true });
            next?.scrollIntoView({ block: "nearest" });
        } else if (!isRow || !press(numbers.get(target.dataset["row"]!) ?? -1, event.key)) {
            if (event.key !== "Enter" || !isRow) return;
            target.querySelector<HTMLElement>('button[aria-haspopup="menu"]')?.click();
        }
        event.preventDefault();
        event.stopPropagation();
    };
    const rows: ReactNode[] = [];
    for (let number = range.first; number <= Math.min(range.last, ids.length - 1); number++) {
        rows.push(
            <div className="item" key={ids[number]} data-row={ids[number]} role="article" tabIndex={-1}
                aria-posinset={number + 1} aria-setsize={hasOlder ? -1 : ids.length}>{row(number)}</div>);
    }
    return (
        <div className="list">
            <div className="box" ref={box} onScroll={scroll} onKeyDown={keys} tabIndex={0} role="feed"
                aria-label={label} aria-busy={hasOlder && range.first === 0}>
                <div className="inner" ref={inner}>{rows}</div>
            </div>
            {isAway && <button type="button" className="toend" onClick={() => { toEnd(); box.current?.focus(); }}
                aria-label={unread > 0 ? say.goToEndUnread(unread) : say.goToEnd}>
                <DownIcon />{unread > 0 && <span className="badge" aria-hidden="true">{unread}</span>}
            </button>}
        </div>
    );
}

/** The lowest row of which the end is in view. */
function lastSeen(rows: readonly HTMLElement[], box: HTMLElement | null): HTMLElement | undefined {
    const end = box?.getBoundingClientRect().bottom ?? 0;
    return [...rows].reverse().find((row) => row.getBoundingClientRect().bottom <= end + 1) ?? rows[rows.length - 1];
}

/** Puts each drawn row where it belongs. A list shorter than its box stands at the lower edge. */
function place(inner: HTMLElement | null, heights: Heights, numbers: ReadonlyMap<string, number>) {
    if (!inner?.parentElement) return;
    const above = Math.max(0, inner.parentElement.clientHeight - heights.total - foot);
    for (const element of inner.children as Iterable<Element>) {
        const row = element as HTMLElement;
        const number = numbers.get(row.dataset["row"] ?? "");
        if (number !== undefined) row.style.transform = `translateY(${above + heights.top(number)}px)`;
    }
}
