import { useEffect, useImperativeHandle, useRef, useState } from "react";
import type { ReactNode, Ref } from "react";

export interface Choice {
    readonly name: string;
    readonly isDangerous?: boolean;
    readonly choose: () => void;
}

/** Opens a menu from elsewhere, such as by the right button of a mouse. */
export interface MenuHandle {
    open(): void;
}

/** How near a menu comes to the edge of the window, in pixels. */
const margin = 8;

/** Shows a menu over everything, below its button if there is room, else above, and always whole within the window. */
function putBeside(list: HTMLElement, button: HTMLElement) {
    // A browser without popovers shows it where its styles say.
    if (!("showPopover" in list)) return;
    if (!list.hasAttribute("popover")) {
        list.setAttribute("popover", "manual");
        (list as HTMLElement & { showPopover(): void }).showPopover();
    }
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const { width, height } = list.getBoundingClientRect();
    const isAtEnd = left + width > innerWidth - margin || (left + right) / 2 > innerWidth * 0.6;
    const x = isAtEnd ? right - width : left;
    const y = bottom + height > innerHeight - margin && top - height > margin ? top - height : bottom;
    list.style.left = `${Math.max(margin, Math.min(x, innerWidth - width - margin))}px`;
    list.style.top = `${Math.max(margin, Math.min(y, innerHeight - height - margin))}px`;
}

/** A button that opens a list of choices: by mouse, touch or keys. */
export function Menu({ name, icon, choices, handle, above }: {
    name: string; icon: ReactNode; choices: readonly Choice[]; handle?: Ref<MenuHandle>;
    /** Stands over the choices. */
    above?: (close: () => void) => ReactNode;
}) {
    const [isOpen, setOpen] = useState(false);
    const place = useRef<HTMLDivElement>(null);
    const button = useRef<HTMLButtonElement>(null);
    useImperativeHandle(handle, () => ({ open: () => setOpen(true) }), []);

    useEffect(() => {
        if (!isOpen) return;
        const list = place.current?.querySelector<HTMLElement>('[role="menu"]');
        const put = () => { if (list && button.current) putBeside(list, button.current); };
        put();
        addEventListener("resize", put);
        place.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
        const away = (event: Event) => { if (!place.current?.contains(event.target as Node)) setOpen(false); };
        const events = ["pointerdown", "wheel", "touchmove"];
        for (const event of events) document.addEventListener(event, away);
        return () => {
            removeEventListener("resize", put);
            for (const event of events) document.removeEventListener(event, away);
        };
    }, [isOpen]);

    const close = () => {
        setOpen(false);
        button.current?.focus({ preventScroll: true });
    };
    const move = (event: React.KeyboardEvent) => {
        const items = [...(place.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
        const at = items.indexOf(document.activeElement as HTMLElement);
        const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
        if (event.key === "Escape" || event.key === "Tab") close();
        if (to !== undefined) items[(to + items.length) % items.length]?.focus();
        if (to !== undefined || event.key === "Escape") event.preventDefault();
        event.stopPropagation();
    };
    return (
        <div className={isOpen ? "menu open" : "menu"} ref={place}>
            <button type="button" className="icon" aria-label={name} aria-haspopup="menu" aria-expanded={isOpen}
                ref={button} onClick={() => setOpen(!isOpen)}>{icon}</button>
            {isOpen && <div role="menu" aria-label={name} onKeyDown={move}>
                {above?.(close)}
                {choices.map((choice) => (
                    <button type="button" role="menuitem" key={choice.name}
                        className={choice.isDangerous ? "danger" : ""}
                        onClick={() => { close(); choice.choose(); }}>{choice.name}</button>
                ))}
            </div>}
        </div>
    );
}
