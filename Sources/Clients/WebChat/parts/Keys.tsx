import { Dialog } from "../Dialog";
import { say } from "../english/parts";

const keys: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    [say.everywhere, [
        ["?", say.thisCard], ["Ctrl K", say.search], ["Ctrl Shift O", say.newConversation],
        ["Alt ↓, Alt ↑", say.nextOrPreviousConversation], ["Esc", say.closeWhatIsOpen],
    ]],
    [say.writing, [
        ["Enter", say.send], ["Shift Enter", say.newLine], [say.keyInEmptyField, say.editYourLastMessage],
        ["@", say.mentionSomebody], ["Esc", say.stopEditingOrAnswering],
    ]],
    [say.onAMessage, [
        ["Enter", say.whatCanBeDone], ["R", say.reply], ["T", say.itsThread], ["E", say.edit], ["S", say.star],
        ["+", say.react], ["X", say.selectItOrNoLonger], ["Esc", say.selectNothing],
    ]],
];

/** Which keys do what. */
export function Keys({ close }: { close: () => void }) {
    return (
        <Dialog title={say.keyboard} close={close}>
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
