import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { Conversation } from "./model";

/** A list up to this long is drawn whole. */
const wholeMax = 100;
/** How high a row is until one was seen, in pixels. */
const guess = 66;

/**
 * A list of conversations. Of a long one only what is in view is in the page, and as much again above and below: all
 * rows are as high as the first one.
 */
export function Rows({ list, row }: {
    list: readonly Conversation[]; row: (conversation: Conversation) => ReactNode;
}) {
    const element = useRef<HTMLUListElement>(null);
    const [height, setHeight] = useState(guess);
    const [range, setRange] = useState({ first: 0, last: wholeMax });
    const isLong = list.length > wholeMax;
    useLayoutEffect(() => {
        const found = element.current?.querySelector("li")?.getBoundingClientRect().height ?? 0;
        if (isLong && found > 0 && Math.abs(found - height) > 0.5) setHeight(found);
    });
    useEffect(() => {
        const box = element.current?.closest("nav");
        if (!box || !isLong) return;
        const look = () => {
            const above = box.getBoundingClientRect().top - element.current!.getBoundingClientRect().top;
            const first = Math.max(0, Math.floor((above - box.clientHeight) / height));
            const last = Math.ceil((above + 2 * box.clientHeight) / height);
            setRange((old) => old.first === first && old.last === last ? old : { first, last });
        };
        look();
        box.addEventListener("scroll", look);
        addEventListener("resize", look);
        return () => {
            box.removeEventListener("scroll", look);
            removeEventListener("resize", look);
        };
    }, [isLong, height]);
    const [first, last] = isLong ? [Math.min(range.first, list.length), Math.min(range.last, list.length)]
        : [0, list.length];
    const style = isLong ? { paddingTop: first * height, paddingBottom: (list.length - last) * height } : undefined;
    return (
        <ul ref={element} style={style}>
            {list.slice(first, last).map((each, at) => <li key={each.id}
                {...(isLong ? { "aria-setsize": list.length, "aria-posinset": first + at + 1 } : {})}>{row(each)}</li>)}
        </ul>
    );
}
