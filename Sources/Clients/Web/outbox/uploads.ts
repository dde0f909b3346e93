import { exchange, problemOf } from "../api/files";
import type { Parley } from "../api/parley";
import { Refusal } from "../api/refusal";
import { UnsentRow, sending } from "./item";

/** Each part shows progress; the server keeps what has arrived of it. */
const partBytes = 256 * 1024;
/** How often a new address is asked for, or an offset corrected, without progress. */
const attemptsMax = 5;

/**
 * Brings the file of a message to the server. It goes on where it stopped.
 * @param progress called with the number of bytes that the server has.
 */
export async function uploadFile(
    parley: Parley, item: UnsentRow, file: Blob, signal: AbortSignal, progress: (bytes: number) => void,
): Promise<void> {
    const media = sending(item)?.media;
    if (!media) return;
    for (let attempt = 0; ; attempt++) {
        const begun = await parley.ask("messaging.CreateAttachment", item.lane, {
            id: media.attachment, conversation: item.lane, name: media.name, mime_type: media.mime_type,
            size_bytes: media.size_bytes,
        });
        if (begun.complete) return;
        try {
            return await send(parley.fileAddress + begun.upload_path, file, signal, progress);
        } catch (error) {
            const mayGoOn = error instanceof Refusal && (error.code === "link_expired" || error.code === "conflict");
            if (!mayGoOn || attempt >= attemptsMax) throw error;
        }
    }
}

/** Sends the bytes that the server does not have yet. */
async function send(url: string, file: Blob, signal: AbortSignal, progress: (bytes: number) => void): Promise<void> {
    const head = await exchange(url, { method: "HEAD", signal });
    if (head.status !== 200) throw await problemOf(head);
    let offset = Number(head.headers.get("Upload-Offset") ?? 0);
    progress(offset);
    while (offset < file.size) {
        const response = await exchange(url, {
            method: "PATCH", signal, headers: { "Upload-Offset": String(offset) },
            body: await file.slice(offset, offset + partBytes).arrayBuffer(),
        });
        if (response.status !== 204) throw await problemOf(response);
        const reached = Number(response.headers.get("Upload-Offset"));
        if (!(reached > offset)) throw new Refusal("connection_lost", "The transfer is incomplete.");
        offset = reached;
        progress(offset);
    }
}
