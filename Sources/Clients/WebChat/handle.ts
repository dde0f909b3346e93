import { say } from "./english/shell";

/** Returns what tells a person from others of the same name. */
export function handleOf({ username, isDeleted }: { username: string; isDeleted?: boolean }): string {
    return username !== "" ? `@${username}` : isDeleted ? "" : say.guest;
}
