import type { Messages } from "./generated/messages";
import { enumTables, messageTables } from "./generated/tables";

/** The name of a message of the contract. */
export type MessageName = keyof Messages;

/**
 * The types of fields, by the letters of the tables: string, bytes, id, int64 and uint64 as a number (l, k) or a bigint
 * (L, K), int32, uint32, double, bool; and of a message and an enum.
 */
export type FieldType = "s" | "b" | "i" | "l" | "k" | "L" | "K" | "w" | "u" | "d" | "o" | "." | ":";

/** A field of a message. */
export interface Field {
    readonly name: string;
    readonly number: number;
    readonly type: FieldType;
    readonly repeated: boolean;
    /** The oneof that it belongs to; empty: none. */
    readonly oneof: string;
    /** Of a message or an enum, its name. */
    readonly of: string;
    /** The most items; zero: not repeated. */
    readonly itemsMax: number;
    /** The most bytes of the string, the bytes, or each item; zero: no limit. */
    readonly bytesMax: number;
}

/** A message, as the codec needs it. */
export interface Schema {
    readonly name: MessageName;
    readonly fields: readonly Field[];
    readonly byNumber: ReadonlyMap<number, Field>;
    /** All fields that are there without being sent, with their defaults. */
    readonly blank: Readonly<Record<string, unknown>>;
    readonly lists: readonly string[];
}

/** An enum: its words by number, and its numbers by word. */
export interface Words {
    readonly words: ReadonlyMap<number, string>;
    readonly numbers: ReadonlyMap<string, number>;
}

const schemas = new Map<string, Schema>();
const enums = new Map<string, Words>();
const none = new Uint8Array(0);

/** What is known of a message. */
export function schema(name: string): Schema {
    let known = schemas.get(name);
    if (!known) schemas.set(name, (known = compile(name as MessageName)));
    return known;
}

function compile(name: MessageName): Schema {
    const table = messageTables[name];
    if (table === undefined) throw new RangeError(`The contract has no message ${String(name)}.`);
    let next = 1;
    const fields = (table === "" ? [] : table.split(",")).map((words) => {
        const field = parse(words, next);
        next = field.number + 1;
        return field;
    });
    const there = fields.filter((field) => !field.repeated && field.type !== "." && field.oneof === "");
    return {
        name,
        fields,
        byNumber: new Map(fields.map((field) => [field.number, field])),
        blank: Object.fromEntries(there.map((field) => [field.name, zero(field)])),
        lists: fields.filter((field) => field.repeated).map((field) => field.name),
    };
}

/** Reads the words of a field: its name, "*ITEMS" if it is repeated, its type with its limit, "=NUMBER", "?ONEOF". */
function parse(words: string, next: number): Field {
    const found = /^(\w+) (?:\*(\d*))?(?:([sb])(\d*)|([ilkLKwudo])|([.:])(\w+))(?:=(\d+))?(?:\?(\w+))?$/.exec(words);
    if (!found) throw new RangeError(`Not a field: ${words}`);
    const [, name, items, text, bytes, plain, reference, of, number, oneof] = found;
    return {
        name: name!,
        number: number ? Number(number) : next,
        type: (text ?? plain ?? reference) as FieldType,
        repeated: items !== undefined,
        oneof: oneof ?? "",
        of: of ?? "",
        itemsMax: Number(items || 0),
        bytesMax: Number(bytes || 0),
    };
}

/** The value of a field that was not sent. */
export function zero(field: Field): unknown {
    switch (field.type) {
        case "s":
        case "i":
            return "";
        case "b":
            return none;
        case "L":
        case "K":
            return 0n;
        case "o":
            return false;
        case ":":
            return words(field.of).words.get(0);
        default:
            return 0;
    }
}

/** What is known of an enum. */
export function words(name: string): Words {
    let known = enums.get(name);
    if (!known) {
        let next = 0;
        const pairs = enumTables[name]!.split(",").map((value): [number, string] => {
            const [word, number] = value.split("=");
            const pair: [number, string] = [number ? Number(number) : next, word!];
            next = pair[0] + 1;
            return pair;
        });
        known = { words: new Map(pairs), numbers: new Map(pairs.map(([number, word]) => [word, number])) };
        enums.set(name, known);
    }
    return known;
}
