import { ParleyError } from "../protocol/errors";

/**
 * Why something did not work: a refusal of the server, or a failure on the way. The `code` is for programs and stays
 * the same between versions; the `message` is for people and says what to do.
 *
 * Codes of the server are in `proto/REFERENCE.md`. Besides there are:
 *
 * - `connection_lost`: the connection ended before the answer came. It may have worked.
 * - `offline`: there is no connection, which this takes, or what is stored is not enough.
 * - `storage_failed`: the browser has no room, or its storage cannot be used.
 * - `file_failed`: a file cannot be read.
 * - `unsent_work`: something that I did is not sent yet.
 * - `outbox_full`: as much as the options allow is not sent yet.
 * - `already_signed_in`: somebody is signed in here.
 * - `other_server`: the tokens of the option `credentials` are those of another server.
 * - `closed`: `close()` was called.
 */
export { ParleyError as Refusal } from "../protocol/errors";

/** Returns the refusal that an error is, or one that says what failed. */
export function refusalOf(error: unknown): ParleyError {
    if (error instanceof ParleyError) return error;
    const why = error instanceof Error ? error.message : String(error);
    return new ParleyError("internal", `Something failed inside of the page: ${why}. Report it with what you did.`);
}

/** Whether it says that this device has to sign in again. */
export const endsSession = ({ code }: ParleyError): boolean =>
    ["unauthenticated", "revoked", "refresh_refused"].includes(code);

export const signedOut = () =>
    new ParleyError("unauthenticated", "Nobody is signed in in this browser. Sign in first.");
export const offline = () =>
    new ParleyError("offline", "There is no connection. Try again when the device is online.");
export const notStored = () =>
    new ParleyError("offline", "There is no connection, and this is not stored here. Try again when it is online.");
export const wasClosed = () => new ParleyError("closed", "Parley was closed. Open it again.");
