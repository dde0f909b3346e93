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

const purposeKey = "parley chat sign-in";

/** Keeps what the browser leaves for an issuer's page for, until it comes back. */
export function leaveFor(purpose: unknown): void {
    sessionStorage.setItem(purposeKey, JSON.stringify(purpose));
}

/** Returns what the browser left for, once. */
export function takenUp<Purpose>(): Purpose | null {
    try {
        const purpose = sessionStorage.getItem(purposeKey);
        sessionStorage.removeItem(purposeKey);
        return JSON.parse(purpose ?? "null");
    } catch {
        return null;
    }
}

/** "google" is the operator's word, and is shown as a name. */
export const shownIssuer = (name: string): string => safe(name).replace(/^./u, (letter) => letter.toUpperCase());
