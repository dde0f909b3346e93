import type { Method } from "./generated/methods";
import { methodTables } from "./generated/tables";
import type { MessageName } from "./schema";

/** The messages of a request and of its reply. */
type Names = readonly [request: MessageName, reply: MessageName];

/**
 * The names of the messages of each request and its reply: of those that the SDK makes, and with `whole.ts` of all.
 */
export const methods = /* @__PURE__ */ readMethods(methodTables) as { readonly [M in Method]: Names };

/** Reads the words of methods: the name, then the messages of reply and request where the name does not say them. */
export function readMethods(tables: { readonly [service: string]: string }): { [method: string]: Names } {
    const found: { [method: string]: Names } = Object.create(null);
    for (const [service, words] of Object.entries(tables)) {
        for (const method of words.split(",")) {
            const [name, reply = `${name}Reply`, request = `${name}Request`] = method.split(" ");
            found[`${service}.${name}`] = [request as MessageName, reply as MessageName];
        }
    }
    return found;
}
