const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** The bytes as lower-case hexadecimal digits. */
export function hex(bytes: Uint8Array, from = 0, to = bytes.length): string {
    let text = "";
    for (let at = from; at < to; at++) text += digits[bytes[at]!];
    return text;
}

/** The bytes of hexadecimal digits; undefined: they are none. */
export function unhex(text: string): Uint8Array | undefined {
    if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
    const bytes = new Uint8Array(text.length / 2);
    for (let at = 0; at < bytes.length; at++) bytes[at] = parseInt(text.slice(2 * at, 2 * at + 2), 16);
    return bytes;
}
