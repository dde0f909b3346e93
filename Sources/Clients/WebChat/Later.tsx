import type { ReactNode } from "react";
import { Dialog } from "./Dialog";
import { say } from "./english/shell";
import { useLoaded } from "./hooks";

type Parts = typeof import("./parts");
const parts = () => import("./parts");

/** What is not needed to see the inbox and a conversation. */
export function Later({ close, children }: { close: () => void; children: (parts: Parts) => ReactNode }) {
    const { loaded, isFailed } = useLoaded(parts);
    if (loaded) return <>{children(loaded)}</>;
    if (!isFailed) {
        return <Dialog title={say.loadingTitle} close={close}>
            <p className="hint" role="status">{say.loading}</p>
        </Dialog>;
    }
    return (
        <Dialog title={say.partNotLoaded} close={close}>
            <p role="alert">{say.partNotLoadedWhy}</p>
            <div className="actions">
                <button type="button" onClick={close}>{say.close}</button>
                <button type="button" className="primary" onClick={() => location.reload()}>{say.reloadThePage}</button>
            </div>
        </Dialog>
    );
}
