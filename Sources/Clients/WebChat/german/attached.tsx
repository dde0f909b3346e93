/** The German words of `english/attached.tsx`. */
import type { Attached } from "../english/attached";
import { plural } from "../plural";

export const attached: Attached = {
    // files.tsx
    sending: (name) => `${name} wird gesendet`,
    cancelSending: (name) => `Senden von ${name} abbrechen`,
    pictureNamed: (name) => `Bild: ${name}`,
    loadFile: (name, size) => `${name} laden, ${size}`,
    play: (name, length) => `${name} abspielen, ${length}`,
    aVoiceMessage: "Sprachnachricht",
    saveFile: (name, size) => `${name} sichern, ${size}`,

    // cards.tsx
    maybe: "Vielleicht",
    notGoing: "Absagen",
    whoIsComing: "Wer kommt",
    saveForACalendar: "Für einen Kalender sichern",
    changeAsk: "Ändern …",
    inviteConversationsAsk: "Unterhaltungen einladen …",
    callItOff: "Termin absagen",
    event: (name) => `Termin: ${name}`,
    forEvent: (name) => `Für ${name}`,
    repeated: (time) => <>{time}, immer wieder</>,
    itWasCalledOff: "Der Termin ist abgesagt.",
    yourAnswer: "Deine Antwort",
    askedToHostIt: "Du bist gefragt, ob du mit einlädst.",
    hostIt: "Mit einladen",
    stayAGuest: "Gast bleiben",
    nobodyIsComingYet: "Noch kommt niemand",
    areComing: (count) => plural(count, { one: "1 kommt", other: "# kommen" }),
    comingAndMaybe: (coming, count) => plural(count, { other: `${coming}, # vielleicht` }),
    decision: "Entscheidung",
    decided: "Entschieden",
    decisionReplaced: "Eine spätere Entscheidung ersetzt sie.",
};
