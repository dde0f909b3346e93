/** What is said of files, events and decisions in a conversation. */
import type { ReactNode } from "react";
import { inLanguage } from "../language";
import { plural } from "../plural";
import { say as shell } from "./shell";

const own = inLanguage("attached", {
    // files.tsx
    sending: (name: string) => `Sending ${name}`,
    cancelSending: (name: string) => `Cancel sending ${name}`,
    pictureNamed: (name: string) => `Picture: ${name}`,
    loadFile: (name: string, size: string) => `Load ${name}, ${size}`,
    play: (name: string, length: string) => `Play ${name}, ${length}`,
    aVoiceMessage: "voice message",
    saveFile: (name: string, size: string) => `Save ${name}, ${size}`,

    // cards.tsx
    maybe: "Maybe",
    notGoing: "Not going",
    whoIsComing: "Who is coming",
    saveForACalendar: "Save for a calendar",
    changeAsk: "Change …",
    inviteConversationsAsk: "Invite conversations …",
    callItOff: "Call it off",
    event: (name: string) => `Event: ${name}`,
    forEvent: (name: string) => `For ${name}`,
    repeated: (time: ReactNode) => <>{time}, again and again</>,
    itWasCalledOff: "It was called off.",
    yourAnswer: "Your answer",
    askedToHostIt: "You are asked to host it, too.",
    hostIt: "Host it",
    stayAGuest: "Stay a guest",
    nobodyIsComingYet: "Nobody is coming yet",
    areComing: (count: number) => plural(count, { one: "1 is coming", other: "# are coming" }),
    comingAndMaybe: (coming: string, count: number) => plural(count, { other: `${coming}, # may` }),
    decision: "Decision",
    decided: "Decided",
    decisionReplaced: "A later decision replaces it.",
});

export type Attached = typeof own;
export const say = { ...shell, ...own };
