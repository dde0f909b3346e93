/** The address to which the browser came back from an issuer's page. */
import { safe } from "../safe";

/** Whether the address is such a one. */
export const hasReturned = () => /[?&](code|error)=/.test(location.search);

/** Returns the address, once; empty: it is another one. What it has is good once: a reload must not send it again. */
export function takeReturned(): string {
    if (!hasReturned()) return "";
    const address = location.href;
    history.replaceState(null, "", location.pathname + location.hash);
    return address;
}

/** "google" is the operator's word, and is shown as a name. */
export const shownIssuer = (name: string): string => safe(name).replace(/^./u, (letter) => letter.toUpperCase());
