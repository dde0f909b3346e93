import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { Dialog } from "./Dialog";

type Parts = typeof import("./parts");
let loaded: Parts | null = null;

/**
 * What is not needed to see the inbox and a conversation: it is loaded when it is used for the first time. Without a
 * network it comes from what the service worker keeps.
 */
export function Later({ close, children }: { close: () => void; children: (parts: Parts) => ReactNode }) {
    const [parts, setParts] = useState(loaded);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
        let isCurrent = true;
        if (!loaded) {
            import("./parts").then(
                (found) => {
                    loaded = found;
                    if (isCurrent) setParts(found);
                },
                () => { if (isCurrent) setFailed(true); });
        }
        return () => { isCurrent = false; };
    }, []);
    if (parts) return <>{children(parts)}</>;
    if (!isFailed) {
        return <Dialog title="Loading" close={close}><p className="hint" role="status">Loading …</p></Dialog>;
    }
    // A browser remembers what it could not load until the page is loaded anew.
    return (
        <Dialog title="This part could not be loaded" close={close}>
            <p role="alert">The server cannot be reached, or has a newer version of this page.</p>
            <div className="actions">
                <button type="button" onClick={close}>Close</button>
                <button type="button" className="primary" onClick={() => location.reload()}>Reload the page</button>
            </div>
        </Dialog>
    );
}
