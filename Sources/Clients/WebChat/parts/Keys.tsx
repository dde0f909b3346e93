import { Dialog } from "../Dialog";

const keys: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    ["Everywhere", [
        ["?", "This card"], ["Ctrl K", "Search"], ["Ctrl Shift O", "New conversation"],
        ["Alt ↓, Alt ↑", "Next or previous conversation"], ["Esc", "Close what is open"],
    ]],
    ["Writing", [
        ["Enter", "Send"], ["Shift Enter", "New line"], ["↑ in an empty field", "Edit your last message"],
        ["@", "Mention somebody: ↑ ↓ choose, Enter takes"], ["Esc", "Stop editing or answering"],
    ]],
    ["On a message (Tab leads to the messages, ↑ and ↓ go through them)", [
        ["Enter", "What can be done with it"], ["R", "Reply"], ["T", "Its thread"], ["E", "Edit"], ["S", "Star"],
        ["+", "React"], ["X", "Select it, or no longer"], ["Esc", "Select nothing"],
    ]],
];

/** Which keys do what. */
export function Keys({ close }: { close: () => void }) {
    return (
        <Dialog title="Keyboard" close={close}>
            {keys.map(([where, list]) => (
                <section key={where} aria-label={where}>
                    <h3 className="part">{where}</h3>
                    <dl className="keys">
                        {list.map(([key, what]) => <div key={key + what}>
                            <dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}
                    </dl>
                </section>
            ))}
        </Dialog>
    );
}
