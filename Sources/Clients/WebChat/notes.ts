import type { SystemNote } from "../Web/api/index";

/** Says in words what happened in a conversation. */
export function words(note: SystemNote, name: (id: string) => string): string {
    const who = name(note.by);
    const whom = note.users.map(name).join(", ");
    const isSelf = note.users.length === 1 && note.users[0] === note.by;
    switch (note.kind) {
        case "joined": return isSelf ? `${who} joined` : `${who} added ${whom}`;
        case "left": return `${who} left`;
        case "removed": return `${who} removed ${whom}`;
        case "renamed": return `${who} named the group ${note.name}`;
        case "photoChanged": return `${who} changed the photo`;
        case "ownerChanged": return `${who} made ${whom} owner`;
        case "adminsAdded": return `${who} made ${whom} admin`;
        case "adminsRemoved": return `${who} ended the admin rights of ${whom}`;
        case "retentionChanged": return note.seconds > 0
            ? `${who} set messages to disappear after ${duration(note.seconds)}` : `${who} set messages to stay`;
        case "decisionShared": return `${who} shared a decision`;
        case "eventShared": return `${who} shared an event`;
        default: return "Something changed that this page does not know yet";
    }
}

function duration(seconds: number): string {
    for (const [unit, length] of [["day", 86_400], ["hour", 3600], ["minute", 60]] as const) {
        const count = Math.round(seconds / length);
        if (count >= 1) return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
    }
    return `${seconds} seconds`;
}
