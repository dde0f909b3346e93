import type { SystemNote } from "../Web/api/index";
import { say } from "./english/shell";
import { lasting } from "./plural";

/** Says in words what happened in a conversation. */
export function words(note: SystemNote, name: (id: string) => string): string {
    const who = name(note.by);
    const whom = note.users.map(name).join(", ");
    const isSelf = note.users.length === 1 && note.users[0] === note.by;
    switch (note.kind) {
        case "joined": return isSelf ? say.joined(who) : say.added(who, whom);
        case "left": return say.left(who);
        case "removed": return say.removed(who, whom);
        case "renamed": return say.namedTheGroup(who, note.name);
        case "photoChanged": return say.changedThePhoto(who);
        case "ownerChanged": return say.madeOwner(who, whom);
        case "adminsAdded": return say.madeAdmin(who, whom);
        case "adminsRemoved": return say.endedAdminRights(who, whom);
        case "retentionChanged": return note.seconds > 0
            ? say.setMessagesToDisappear(who, lasting(note.seconds * 1000)) : say.setMessagesToStay(who);
        case "decisionShared": return say.sharedADecision(who);
        case "eventShared": return say.sharedAnEvent(who);
        default: return say.unknownNote;
    }
}
