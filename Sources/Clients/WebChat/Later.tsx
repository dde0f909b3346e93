import type { ReactNode } from "react";
import { Dialog } from "./Dialog";
import { useLoaded } from "./hooks";

type Parts = typeof import("./parts");
const parts = () => import("./parts");

/** What is not needed to see the inbox and a conversation. */
export function Later({ close, children }: { close: () => void; children: (parts: Parts) => ReactNode }) {
    const { loaded, isFailed } = useLoaded(parts);
    if (loaded) return <>{children(loaded)}</>;
    if (!isFailed) {
        return <Dialog title="Loading" close={close}><p className="hint" role="status">Loading …</p></Dialog>;
    }
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
