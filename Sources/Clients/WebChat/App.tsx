import { say } from "./english/door";
import { useLoaded, useObserved } from "./hooks";
import { Mark } from "./Mark";
import type { Chat } from "./model";
import { SignIn } from "./SignIn";

/** What only somebody who is signed in sees. It comes while they fill in the form. */
const shell = () => import("./shell");

export function App({ chat }: { chat: Chat }) {
    useObserved(chat);
    if (!chat.isOpen) return <Wait />;
    return chat.me ? <Inside chat={chat} /> : <SignIn chat={chat} begin={() => void shell().catch(() => undefined)} />;
}

function Inside({ chat }: { chat: Chat }) {
    const { loaded, isFailed } = useLoaded(shell);
    if (loaded) return <loaded.Shell chat={chat} />;
    if (!isFailed) return <Wait />;
    return (
        <main className="nothing">
            <Mark />
            <p role="alert">{say.notLoaded}</p>
            <button type="button" className="primary" onClick={() => location.reload()}>{say.reloadThePage}</button>
        </main>
    );
}

function Wait() {
    return <main className="wait" aria-busy="true"><Mark /></main>;
}
