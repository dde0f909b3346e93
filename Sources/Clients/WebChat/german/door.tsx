/** The German words of `english/door.tsx`. */
import type { Door } from "../english/door";

export const door: Door = {
    // App.tsx
    notLoaded: "Der Chat konnte nicht geladen werden: Der Server ist nicht erreichbar oder hat eine neuere Fassung.",
    reloadThePage: "Seite neu laden",

    // SignIn.tsx
    createAnAccount: "Konto anlegen",
    signIn: "Anmelden",
    signInToParley: "Bei Parley anmelden",
    registerLead: "Wähle, wie andere dich finden.",
    signInLead: "Schön, dass du wieder da bist.",
    username: "Benutzername",
    name: "Name",
    nameHint: "Andere sehen ihn neben dem, was du schreibst.",
    password: "Passwort",
    registrationCode: "Registrierungscode",
    proof: (link) => <>Dieser Server möchte wissen, dass du kein Programm bist.{" "}
        {link("Öffne seine Seite")} und füge das Token ein, das sie dir gibt.</>,
    token: "Token",
    creating: "Wird angelegt …",
    signingIn: "Anmeldung läuft …",
    createAccount: "Konto anlegen",
    haveAccount: "Du hast schon ein Konto?",
    newHere: "Du bist neu hier?",
    optional: "(freiwillig)",

    // kit.ts
    file: "Datei",
    voiceMessage: "Sprachnachricht",
    group: "Gruppe",
    notesToYourself: "Notizen an dich",
    conversation: "Unterhaltung",
    you: "Du",
    somebody: "Jemand",
    messageGone: "Die Nachricht wird nicht mehr angezeigt.",
    deletedUser: "Gelöschtes Konto",
    stillOpening: "Die Seite wird noch geöffnet. Versuche es gleich noch einmal.",
    signedOut: "Du wurdest auf diesem Gerät abgemeldet. Melde dich wieder an.",
    working: "Eine Rechenaufgabe für den Server läuft …",
    personGone: "Diese Person ist nicht mehr hier.",
    deviceName: (browser, system) => `${browser} auf ${system}`,

    // model.ts
    failed: "Etwas ist schiefgegangen. Versuche es noch einmal.",
};
