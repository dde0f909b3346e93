import { identityEnums, identityMessages, identityMethods } from "./generated/identities";
import { moreEnums, moreMessages, moreMethods } from "./generated/more";
import { enumTables, messageTables } from "./generated/tables";
import { methods, readMethods } from "./methods";

/** Makes all requests of the contract known, for tools and tests. A page knows those that the SDK makes. */
export function knowWholeContract(): void {
    Object.assign(messageTables, identityMessages, moreMessages);
    Object.assign(enumTables, identityEnums, moreEnums);
    Object.assign(methods, readMethods(identityMethods), readMethods(moreMethods));
}
