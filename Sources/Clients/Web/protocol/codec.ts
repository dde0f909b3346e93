import { invalidField, invalidFrame } from "./errors";
import type { Messages } from "./generated/messages";
import { hex, unhex } from "./hex";
import { Reader } from "./reader";
import type { Field, MessageName, Schema } from "./schema";
import { schema, words } from "./schema";
import { Writer } from "./writer";

/** A message as it is given to be sent: what is left out is zero, empty or absent. */
export type Given<T> = T extends Uint8Array | string | number | boolean | bigint
    ? T
    : T extends (infer Item)[]
    ? readonly Given<Item>[]
    : { readonly [Name in keyof T]?: Given<T[Name]> | undefined };

type Values = Record<string, unknown>;

/** Messages inside messages go no deeper: those of the contract end long before. */
const depthMax = 32;

// ---------------------------------------------------------------- decoding

/**
 * Decodes a message. Fields that are not known are left out; a value of an enum that is not known stays a number.
 * @throws ParleyError `invalid_frame`, and nothing else, whatever the bytes are.
 */
export function decode<K extends MessageName>(name: K, bytes: Uint8Array): Messages[K] {
    const reader = new Reader(bytes);
    return read(reader, schema(name), bytes.length, undefined, 0) as unknown as Messages[K];
}

function blank(of: Schema): Values {
    const value: Values = { ...of.blank };
    for (const list of of.lists) value[list] = [];
    return value;
}

function read(reader: Reader, of: Schema, end: number, into: Values | undefined, depth: number): Values {
    if (depth > depthMax) throw invalidFrame("messages are nested too deeply");
    const value = into ?? blank(of);
    while (reader.at < end) {
        const tag = reader.small(end);
        const [number, wire] = [tag >>> 3, tag & 7];
        if (number === 0) throw invalidFrame("there is no field 0");
        const field = of.byNumber.get(number);
        if (!field || !fits(field, wire)) reader.skip(wire, end);
        else if (field.repeated) readItems(reader, field, wire, end, value[field.name] as unknown[], depth);
        else {
            // Of a oneof the last member counts.
            if (field.oneof !== "") leave(of, field, value);
            value[field.name] = readOne(reader, field, end, value[field.name], depth);
        }
    }
    return value;
}

/** Whether a field may have this wire type. Otherwise it is one that is not known. */
function fits(field: Field, wire: number): boolean {
    const own = wireType(field);
    return wire === own || (field.repeated && wire === 2);
}

function wireType(field: Field): number {
    switch (field.type) {
        case "s":
        case "b":
        case "i":
        case ".":
            return 2;
        case "d":
            return 1;
        default:
            return 0;
    }
}

function leave(of: Schema, member: Field, value: Values): void {
    for (const other of of.fields) if (other !== member && other.oneof === member.oneof) delete value[other.name];
}

function readItems(reader: Reader, field: Field, wire: number, end: number, items: unknown[], depth: number): void {
    if (wire !== 2 || wireType(field) === 2) {
        items.push(readOne(reader, field, end, undefined, depth));
        return;
    }
    const last = reader.end(end);
    while (reader.at < last) items.push(readOne(reader, field, last, undefined, depth));
}

function readOne(reader: Reader, field: Field, end: number, before: unknown, depth: number): unknown {
    switch (field.type) {
        case "s":
            return reader.text(reader.end(end));
        case "i": {
            const last = reader.end(end);
            const from = reader.at;
            reader.at = last;
            return hex(reader.bytes, from, last);
        }
        case "b": {
            const last = reader.end(end);
            const from = reader.at;
            reader.at = last;
            return new Uint8Array(reader.bytes.subarray(from, last));
        }
        case ".": {
            const last = reader.end(end);
            if (--reader.left < 0) throw invalidFrame("it has too many messages for its length");
            return read(reader, schema(field.of), last, before as Values | undefined, depth + 1);
        }
        case "d":
            return reader.double(end);
        default:
            reader.varint(end);
            return number(reader.low, reader.high, field);
    }
}

function number(low: number, high: number, field: Field): unknown {
    switch (field.type) {
        case "o":
            return low !== 0 || high !== 0;
        case "u":
            return low;
        case "w":
            return low | 0;
        case ":":
            return words(field.of).words.get(low | 0) ?? low | 0;
        case "L":
            return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low));
        case "K":
            return (BigInt(high) << 32n) | BigInt(low);
        default: {
            const value = (field.type === "l" ? high | 0 : high) * 0x1_0000_0000 + low;
            if (!Number.isSafeInteger(value)) throw invalidFrame(`${field.name} is beyond 2^53`);
            return value;
        }
    }
}

// ---------------------------------------------------------------- encoding

/**
 * Encodes a message.
 * @throws ParleyError `invalid` with the path of the field, and nothing else.
 */
export function encode<K extends MessageName>(name: K, given: Given<Messages[K]>): Uint8Array {
    const writer = new Writer();
    write(writer, schema(name), given, "", 0);
    return writer.done();
}

function write(writer: Writer, of: Schema, given: unknown, path: string, depth: number): void {
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
        throw invalidField(path || of.name, `must be ${of.name}`);
    }
    if (depth > depthMax) throw invalidField(path, "is nested too deeply");
    const set = new Set<string>();
    for (const field of of.fields) {
        const value = (given as Values)[field.name];
        if (value === undefined || value === null) continue;
        const place = path === "" ? field.name : `${path}.${field.name}`;
        if (field.oneof !== "") {
            if (set.has(field.oneof)) throw invalidField(place, `only one field of ${field.oneof} can be set`);
            set.add(field.oneof);
        }
        if (field.repeated) writeItems(writer, field, value, place, depth);
        else writeOne(writer, field, value, place, field.oneof === "", true, depth);
    }
}

function writeItems(writer: Writer, field: Field, value: unknown, path: string, depth: number): void {
    if (!Array.isArray(value)) throw invalidField(path, "must be a list");
    if (value.length === 0) return;
    if (wireType(field) === 2) {
        value.forEach((item, at) => writeOne(writer, field, item, `${path}[${at}]`, false, true, depth));
        return;
    }
    writer.number(field.number * 8 + 2);
    writer.nested(() => {
        value.forEach((item, at) => writeOne(writer, field, item, `${path}[${at}]`, false, false, depth));
    });
}

/** Writes a value: with its tag, and unless it is zero where that is the same as absent. */
function writeOne(
    writer: Writer, field: Field, value: unknown, path: string, leavesOutZero: boolean, tagged: boolean, depth: number
): void {
    const tag = (): void => {
        if (tagged) writer.number(field.number * 8 + wireType(field));
    };
    switch (field.type) {
        case "s":
            if (typeof value !== "string") throw invalidField(path, "must be a text");
            if (value === "" && leavesOutZero) return;
            if (!isWellFormed(value)) throw invalidField(path, "has half of a character");
            tag();
            return writer.text(value);
        case "i": {
            const id = typeof value === "string" ? unhex(value) : undefined;
            if (!id || (id.length !== 0 && id.length !== 16)) {
                throw invalidField(path, "must be 32 hexadecimal digits, or empty");
            }
            if (id.length === 0 && leavesOutZero) return;
            tag();
            return writer.raw(id);
        }
        case "b":
            if (!(value instanceof Uint8Array)) throw invalidField(path, "must be a Uint8Array");
            if (value.length === 0 && leavesOutZero) return;
            tag();
            return writer.raw(value);
        case ".":
            tag();
            return writer.nested(() => write(writer, schema(field.of), value, path, depth + 1));
        case "d":
            if (typeof value !== "number") throw invalidField(path, "must be a number");
            if (Object.is(value, 0) && leavesOutZero) return;
            tag();
            return writer.double(value);
        default: {
            const bits = integer(field, value, path);
            if (Number(bits) === 0 && leavesOutZero) return;
            tag();
            return typeof bits === "bigint" ? writer.bigint(bits) : writer.number(bits);
        }
    }
}

const ranges: Record<string, readonly [number, number]> = {
    u: [0, 0xffff_ffff],
    w: [-0x8000_0000, 0x7fff_ffff],
    ":": [-0x8000_0000, 0x7fff_ffff],
    l: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    k: [0, Number.MAX_SAFE_INTEGER],
};

function integer(field: Field, value: unknown, path: string): number | bigint {
    switch (field.type) {
        case "o":
            if (typeof value !== "boolean") throw invalidField(path, "must be true or false");
            return value ? 1 : 0;
        case "L":
        case "K": {
            if (typeof value !== "bigint") throw invalidField(path, "must be a bigint");
            const fitting = field.type === "L" ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value);
            if (fitting !== value) throw invalidField(path, "has more than 64 bits");
            return value;
        }
        default: {
            const plain = field.type === ":" && typeof value === "string" ? words(field.of).numbers.get(value) : value;
            const [least, most] = ranges[field.type]!;
            if (typeof plain !== "number" || !Number.isInteger(plain) || plain < least || plain > most) {
                const wanted = field.type === ":" ? `a word of ${field.of}` : `a whole number from ${least} to ${most}`;
                throw invalidField(path, `must be ${wanted}`);
            }
            return plain;
        }
    }
}

function isWellFormed(text: string): boolean {
    if (!/[\ud800-\udfff]/.test(text)) return true;
    for (const character of text) {
        const point = character.codePointAt(0)!;
        if (point >= 0xd800 && point <= 0xdfff) return false;
    }
    return true;
}

// ---------------------------------------------------------------- values

/** Returns the message with all its fields, as `decode` returns it. */
export function create<K extends MessageName>(
    name: K, given: Given<Messages[K]> = {} as Given<Messages[K]>
): Messages[K] {
    return complete(schema(name), given as Values) as unknown as Messages[K];
}

function complete(of: Schema, given: Values): Values {
    const value = blank(of);
    for (const field of of.fields) {
        const item = given[field.name];
        if (item === undefined) continue;
        const one = (given: unknown): unknown =>
            field.type === "." ? complete(schema(field.of), given as Values) : given;
        value[field.name] = field.repeated ? (item as unknown[]).map(one) : one(item);
    }
    return value;
}

/**
 * The first field, by its path, that exceeds its limit of the contract; undefined: none does. The server would refuse
 * it with `invalid`.
 */
export function overLimit<K extends MessageName>(name: K, given: Given<Messages[K]>): string | undefined {
    return over(schema(name), given as Values, "");
}

function over(of: Schema, given: Values, path: string): string | undefined {
    for (const field of of.fields) {
        const value = given[field.name];
        if (value === undefined || value === null) continue;
        const place = path + field.name;
        const items = (field.repeated ? value : [value]) as unknown[];
        if (field.repeated && items.length > field.itemsMax) return place;
        if (field.type !== "." && field.bytesMax === 0) continue;
        for (const item of items) {
            const inside = field.type === "." ? over(schema(field.of), item as Values, `${place}.`) : undefined;
            if (inside !== undefined) return inside;
            if (field.type !== "." && sizeOf(item) > field.bytesMax) return place;
        }
    }
    return undefined;
}

function sizeOf(value: unknown): number {
    if (typeof value !== "string") return (value as Uint8Array).length;
    let size = 0;
    for (const character of value) {
        const point = character.codePointAt(0)!;
        size += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
    }
    return size;
}
