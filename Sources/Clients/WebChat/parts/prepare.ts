/** Makes of a file what is sent: its facts, a small picture to show while it loads, and a smaller one if asked for. */
import type { FileFacts } from "../model";

/** What the server takes of a small picture, in bytes. */
const thumbnailMax = 4096;
/** The longest side of a picture that was made smaller, in pixels. */
const sideMax = 1600;
/** A file that a browser cannot read within this time is sent as it is, in milliseconds. */
const patience = 5000;

export interface Prepared {
    readonly file: Blob;
    readonly name: string;
    readonly facts: FileFacts;
}

export function isPicture({ type }: Blob): boolean {
    return /^image\/(png|jpeg|webp|gif|avif|bmp)$/.test(type);
}

/** Whether making it smaller may help: a moving picture would stand still. */
export function canShrink(file: Blob): boolean {
    return isPicture(file) && file.type !== "image/gif" && file.size > 200_000;
}

export async function prepare(file: File, isSmaller: boolean): Promise<Prepared> {
    const plain: Prepared = { file, name: file.name || "file", facts: {} };
    try {
        if (isPicture(file)) return await picture(file, isSmaller && canShrink(file));
        if (/^(video|audio)\//.test(file.type)) return { ...plain, facts: await played(file) };
    } catch {
        // It may not be what its name says. The server decides whether it takes it.
    }
    return plain;
}

async function picture(file: File, isSmaller: boolean): Promise<Prepared> {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    const thumbnail = await small(bitmap, width, height);
    const plain = { file, name: file.name || "picture", facts: { width, height, thumbnail } };
    if (!isSmaller) return plain;
    const scale = Math.min(1, sideMax / Math.max(width, height));
    const made = await drawn(bitmap, width * scale, height * scale, 0.82);
    if (!made || made.size >= file.size) return plain;
    const name = `${plain.name.replace(/\.\w+$/, "")}.jpg`;
    const [right, down] = [Math.round(width * scale), Math.round(height * scale)];
    return { file: made, name, facts: { width: right, height: down, thumbnail } };
}

/** A picture of at most 4 KB, as large as fits. */
async function small(source: CanvasImageSource, width: number, height: number): Promise<Uint8Array | undefined> {
    for (const side of [96, 64, 40, 24]) {
        const scale = Math.min(1, side / Math.max(width, height));
        const made = await drawn(source, width * scale, height * scale, 0.6);
        if (made && made.size <= thumbnailMax) return new Uint8Array(await made.arrayBuffer());
    }
    return undefined;
}

async function drawn(source: CanvasImageSource, width: number, height: number, quality: number): Promise<Blob | null> {
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(width));
    canvas.height = Math.max(1, Math.round(height));
    const pen = canvas.getContext("2d");
    if (!pen) return null;
    // JPEG knows nothing to see through.
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(source, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
}

async function played(file: File): Promise<FileFacts> {
    const isFilm = file.type.startsWith("video/");
    const player = document.createElement(isFilm ? "video" : "audio");
    const address = URL.createObjectURL(file);
    try {
        player.preload = "auto";
        player.muted = true;
        player.src = address;
        await happened(player, isFilm ? "loadeddata" : "loadedmetadata");
        const durationMs = Number.isFinite(player.duration) ? Math.round(player.duration * 1000) : undefined;
        if (!(player instanceof HTMLVideoElement)) return { durationMs };
        const { videoWidth: width, videoHeight: height } = player;
        return { durationMs, width, height, thumbnail: await small(player, width, height) };
    } finally {
        player.removeAttribute("src");
        URL.revokeObjectURL(address);
    }
}

function happened(element: HTMLMediaElement, event: string): Promise<void> {
    return new Promise((done, failed) => {
        element.addEventListener(event, () => done(), { once: true });
        element.addEventListener("error", () => failed(new Error("It cannot be played.")), { once: true });
        setTimeout(() => failed(new Error("It took too long.")), patience);
    });
}
