/** The German words of `english/ways.tsx`. */
import type { Ways } from "../english/ways";

export const ways: Ways = {
    // Ways.tsx
    otherWays: "Andere Wege, dich anzumelden",
    or: "oder",
    signInWith: (issuer) => `Mit ${issuer} anmelden`,
    goOn: "Weiter",
    asGuest: "Als Gast weiter",
    forgotten: "Passwort vergessen?",
    newPassword: "Ein neues Passwort",
    newPasswordLead:
        "Wo bekommst du Post? An diese Adresse geht ein Code, wenn du sie in deinem Profil bestätigt hast.",
    email: "E-Mail-Adresse",
    mailCode: "Code zusenden",
    mailed: "Wenn jemand hier diese Adresse bestätigt hat, ist ein Code unterwegs. Er gilt 15 Minuten, einmal.",
    mailedCode: "Code aus der E-Mail",
    setPassword: "Passwort setzen",
    passwordSet: "Dein Passwort ist gesetzt, und alle deine Geräte sind abgemeldet. Melde dich damit an.",
    back: "Zurück",
    byAnotherDevice: "Mit einem anderen Gerät anmelden",
    byAnotherDeviceHint:
        "Öffne dort, wo du angemeldet bist, die Einstellungen, gehe zu „Ein Gerät anmelden“ und scanne oder tippe "
            + "diesen Code, innerhalb von zwei Minuten.",
    codeForIt: "Code",
    codeAsPicture: "Der Code zum Scannen",
    anotherCode: "Ein anderer Code",

    // SigningIn.tsx
    howYouSignIn: "Wie du dich anmeldest",
    yourPassword: "Dein Passwort",
    username: "Benutzername",
    keepThisAccount: "Dieses Konto behalten",
    guestHint: "Du bist Gast: Nur dieses Gerät bist du. Mit Benutzername und Passwort kannst du wiederkommen.",
    noPassword: "Du hast kein Passwort. „Passwort vergessen?“ auf der Anmeldeseite setzt eines, per E-Mail.",
    changePassword: "Passwort ändern",
    endOtherDevices: "Meine anderen Geräte abmelden",
    passwordChanged: "Das Passwort ist geändert.",
    signsYouIn: "Womit du dich sonst anmeldest",
    noMore: "Niemand mehr hier",
    since: (time) => `seit ${time}`,
    remove: (issuer) => `${issuer} entfernen`,
    removeIt: "Entfernen",
    removeMeans: (issuer) => `${issuer} meldet dich nicht mehr an. Deine Geräte bleiben angemeldet.`,
    addIt: "Hinzufügen",
    addMeans: "Womit du dich gerade angemeldet hast, meldet dich dann auch hier an.",
    showThatItIsYou:
        "Du hast kein Passwort. Damit klar ist, dass du es bist, melde dich noch einmal an mit dem, was du hast.",
    goOnWith: (issuer) => `Weiter mit ${issuer}`,
    alsoBy: (issuer) => `Auch mit ${issuer} anmelden`,
    cancel: "Abbrechen",
    confirmEmail: "Adresse bestätigen",
    confirmHint: (email) =>
        `${email} ist nicht bestätigt. Mit einem Code, der dorthin geht, kannst du ein neues Passwort setzen, wenn du `
            + "deines vergisst.",
    signInADevice: "Ein Gerät anmelden",
    codeOfTheDevice: "Code, den das Gerät zeigt",
    codeOfTheDeviceHint: "Tippe nur einen Code ein, den du auf einem eigenen Gerät siehst.",
    approveAsk: (name, address) => `${name}, von der Adresse ${address}, wird als du angemeldet.`,
    aDevice: "Ein Gerät ohne Namen",
    lookAtIt: "Ansehen",
    letItIn: "Anmelden",
    deviceSignedIn: "Das Gerät ist angemeldet.",
};
