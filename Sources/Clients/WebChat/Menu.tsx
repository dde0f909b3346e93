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
        // Near the lower edge there is room above alone.
        const box = place.current?.closest<HTMLElement>('[role="feed"], dialog, main')?.getBoundingClientRect();
        if (list && box && list.getBoundingClientRect().bottom > box.bottom) list.classList.add("up");
        place.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
        const away = (event: Event) => { if (!place.current?.contains(event.target as Node)) setOpen(false); };
        document.addEventListener("pointerdown", away);
        return () => document.removeEventListener("pointerdown", away);
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
