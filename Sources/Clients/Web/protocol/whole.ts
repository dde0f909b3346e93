import { moreEnums, moreMessages, moreMethods } from "./generated/more";
import { enumTables, messageTables } from "./generated/tables";
import { methods, readMethods } from "./methods";

/** Makes all requests of the contract known, for tools and tests. A page knows those that the SDK makes. */
export function knowWholeContract(): void {
    Object.assign(messageTables, moreMessages);
    Object.assign(enumTables, moreEnums);
    Object.assign(methods, readMethods(moreMethods));
}
