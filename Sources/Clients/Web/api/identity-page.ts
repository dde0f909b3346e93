/** The way to an issuer's page and back: PKCE (RFC 7636) in a browser that may load this page anew in between. */
import { sha256 } from "./proof";
import { Refusal } from "./refusal";

/** A sign-in on a page that this tab began. */
interface Begun {
    verifier: string;
    /** Of the request, so that it may be repeated. */
    id: string;
    /** What it brought back. */
    code?: string;
}

/** Under which name the tab keeps the secrets until the browser comes back. */
const begunKey = "parley sign-in";

/** Keeps the secret of a sign-in, and returns the address at which it begins. */
export function beginPage(server: string, issuer: string, returnTo: string, id: string): string {
    const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
    try {
        // What another page brought back stays: the two may be sent together.
        keep([...read().filter(({ code }) => code).slice(-1), { verifier, id }]);
    } catch {
        throw new Refusal("storage_failed", "This browser stores nothing for this page. Allow it to, or sign in "
            + "with a password.");
    }
    const url = new URL(server.replace(/^ws/, "http"));
    url.pathname = `/v1/identity/${encodeURIComponent(issuer)}/start`;
    url.search = new URLSearchParams({ return: returnTo, challenge: challengeOf(verifier) }).toString();
    return url.href;
}

/**
 * Returns what an address brought back to the tab that began; absent: nothing.
 * @throws Refusal when the issuer refused.
 */
export function pageBegun(address: string): { code: string; verifier: string; id: string } | undefined {
    const { searchParams } = new URL(address);
    const [code, error] = [searchParams.get("code"), searchParams.get("error")];
    const all = read();
    const begun = all.find((it) => code !== null && it.code === code) ?? all.find((it) => it.code === undefined);
    if (!begun || (code === null && error === null)) return undefined;
    if (code === null) {
        keep(all.filter((it) => it !== begun));
        // An address is anybody's text: what it says besides these codes is not shown.
        const why = advice.get(error ?? "");
        throw new Refusal(why ? error! : "sign_in_refused",
            why ?? "The issuer's answer cannot be used. Tell the operator.");
    }
    begun.code = code;
    keep(all);
    return { ...begun, code };
}

/** Forgets the secrets of the sign-ins. */
export function forgetPage(): void {
    keep([]);
}

const advice = new Map([
    ["sign_in_refused", "Signing in was called off, or refused. Try again."],
    ["link_expired", "Signing in took too long, or this address was opened twice. Try again."],
    ["unavailable", "The page to sign in cannot be reached now. Try again in a moment."],
    ["rate_limited", "Too many people sign in at the moment. Try again in a moment."],
]);

function read(): Begun[] {
    try {
        const all = JSON.parse(sessionStorage.getItem(begunKey) ?? "[]");
        return Array.isArray(all) ? all : [];
    } catch {
        return [];
    }
}

function keep(begun: Begun[]): void {
    sessionStorage.setItem(begunKey, JSON.stringify(begun));
}

const base64url = (bytes: Uint8Array): string =>
    btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** PKCE's challenge S256. */
function challengeOf(verifier: string): string {
    const words = sha256(new TextEncoder().encode(verifier));
    const bytes = new DataView(new ArrayBuffer(32));
    words.forEach((word, index) => bytes.setUint32(index * 4, word));
    return base64url(new Uint8Array(bytes.buffer));
}
