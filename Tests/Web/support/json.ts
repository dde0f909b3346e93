// The contract's JSON, as proto/vectors and Python's protobuf have it: bytes in base64, what is zero left out.
import type { Messages } from "../../../Sources/Clients/Web/protocol/generated/messages";
import { hex, unhex } from "../../../Sources/Clients/Web/protocol/hex";
import type { Field, MessageName } from "../../../Sources/Clients/Web/protocol/schema";
import { schema, zero } from "../../../Sources/Clients/Web/protocol/schema";
import { create } from "../../../Sources/Clients/Web/protocol/codec";
import { knowWholeContract } from "../../../Sources/Clients/Web/protocol/whole";

knowWholeContract();

type Values = Record<string, unknown>;

/** A message from its JSON; a field that it does not have is an error. */
export function fromJSON<K extends MessageName>(name: K, json: unknown): Messages[K] {
    return create(name, given(name, json as Values) as never);
}

function given(name: string, json: Values): Values {
    const value: Values = {};
    for (const [key, item] of Object.entries(json)) {
        const field = schema(name).fields.find((known) => known.name === key);
        if (!field) throw new Error(`${name} has no field ${key}`);
        value[key] = field.repeated ? (item as unknown[]).map((one) => fromOne(field, one)) : fromOne(field, item);
    }
    return value;
}

function fromOne(field: Field, item: unknown): unknown {
    switch (field.type) {
        case ".": return given(field.of, item as Values);
        case "b": return fromBase64(item as string);
        case "i": return hex(fromBase64(item as string));
        case "L": case "K": return BigInt(item as string | number);
        case "l": case "k": return Number(item);
        default: return item;
    }
}

/** The JSON of a message, without what is zero. */
export function toJSON(name: string, value: unknown): Values {
    const json: Values = {};
    for (const field of schema(name).fields) {
        const item = (value as Values)[field.name];
        if (item === undefined) continue;
        if (field.repeated) {
            if ((item as unknown[]).length > 0) json[field.name] = (item as unknown[]).map((one) => toOne(field, one));
            continue;
        }
        if (field.type === "." || field.oneof !== "" || !isZero(field, item)) json[field.name] = toOne(field, item);
    }
    return json;
}

function isZero(field: Field, item: unknown): boolean {
    return item instanceof Uint8Array ? item.length === 0 : Object.is(item, zero(field));
}

function toOne(field: Field, item: unknown): unknown {
    switch (field.type) {
        case ".": return toJSON(field.of, item);
        case "b": return toBase64(item as Uint8Array);
        case "i": return toBase64(unhex(item as string)!);
        case "L": case "K": {
            const value = item as bigint;
            return BigInt.asIntN(53, value) === value ? Number(value) : String(value);
        }
        default: return item;
    }
}

export function fromBase64(text: string): Uint8Array {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function toBase64(bytes: Uint8Array): string {
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
