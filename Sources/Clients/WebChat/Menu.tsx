import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

export interface Choice {
    readonly name: string;
    readonly isDangerous?: boolean;
    readonly choose: () => void;
}

/** A button that opens a list of choices: by mouse, touch or keys. */
export function Menu({ name, icon, choices }: { name: string; icon: ReactNode; choices: readonly Choice[] }) {
    const [isOpen, setOpen] = useState(false);
    const place = useRef<HTMLDivElement>(null);
    const button = useRef<HTMLButtonElement>(null);

    useEffect(() => {
        if (!isOpen) return;
        place.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
        const away = (event: Event) => { if (!place.current?.contains(event.target as Node)) setOpen(false); };
        document.addEventListener("pointerdown", away);
        return () => document.removeEventListener("pointerdown", away);
    }, [isOpen]);

    const close = () => {
        setOpen(false);
        button.current?.focus();
    };
    const move = (event: React.KeyboardEvent) => {
        const items = [...(place.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
        const at = items.indexOf(document.activeElement as HTMLElement);
        const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
        if (event.key === "Escape" || event.key === "Tab") close();
        if (to !== undefined) items[(to + items.length) % items.length]?.focus();
        if (to !== undefined || event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
        }
    };
    return (
        <div className={isOpen ? "menu open" : "menu"} ref={place}>
            <button type="button" className="icon" aria-label={name} aria-haspopup="menu" aria-expanded={isOpen}
                ref={button} onClick={() => setOpen(!isOpen)}>{icon}</button>
            {isOpen && <div role="menu" aria-label={name} onKeyDown={move}>
                {choices.map((choice) => (
                    <button type="button" role="menuitem" key={choice.name}
                        className={choice.isDangerous ? "danger" : ""} onClick={() => { close(); choice.choose(); }}>{choice.name}</button>
                ))}
            </div>}
        </div>
    );
}
