/** The German words of `english/shell.tsx`. */
import type { Shell } from "../english/shell";
import { plural } from "../plural";

export const shell: Shell = {
    // Banner.tsx
    newVersion: (button) => <>Eine neue Fassung dieser Seite ist da. {button("Neu laden")}</>,
    unsent: (count) => plural(count, {
        one: "1 Nachricht ist noch nicht gesendet.", other: "# Nachrichten sind noch nicht gesendet.",
    }),
    youAreOffline: "Du bist offline.",
    connecting: "Verbindung wird aufgebaut …",
    takesNoMessages: "Der Server nimmt im Moment keine Nachrichten an.",
    clockAhead: (time) =>
        `Die Uhr dieses Geräts geht ${time} vor. Tage und Zeiten können falsch aussehen, bis du sie stellst.`,
    clockBehind: (time) =>
        `Die Uhr dieses Geräts geht ${time} nach. Tage und Zeiten können falsch aussehen, bis du sie stellst.`,

    // Composer.tsx
    write: "Schreiben",
    cancelEditing: "Bearbeiten abbrechen",
    cancelTheReply: "Antworten abbrechen",
    tooLong: (count) => plural(count, {
        one: "Die Nachricht ist länger, als der Server annimmt: 1 Byte zu viel.",
        other: "Die Nachricht ist länger, als der Server annimmt: # Bytes zu viel.",
    }),
    peopleToMention: "Wen du erwähnen kannst",
    emoji: "Emoji",
    attachFiles: "Dateien anhängen",
    filesToAttach: "Dateien zum Anhängen",
    message: "Nachricht",
    recordAVoiceMessage: "Sprachnachricht aufnehmen",
    save: "Sichern",
    send: "Senden",

    // Dialog.tsx
    close: "Schließen",

    // Fired.tsx
    reminder: (name) => `Erinnerung: ${name}`,
    done: "Erledigt",
    in10Minutes: "In 10 Minuten",
    tomorrow: "Morgen",
    show: "Zeigen",

    // Inbox.tsx
    search: "Suchen",
    newConversation: "Neue Unterhaltung",
    account: "Konto",
    yourProfile: "Dein Profil",
    agenda: "Kalender",
    mentions: "Erwähnungen",
    starredMessages: "Markierte Nachrichten",
    archivedConversations: "Archivierte Unterhaltungen",
    settings: "Einstellungen",
    keyboard: "Tastatur",
    stateOfTheServer: "Zustand des Servers",
    signOut: "Abmelden",
    conversations: "Unterhaltungen",
    requests: "Anfragen",
    newCount: (count) => plural(count, { other: "# neu" }),
    noConversationsYet: "Noch keine Unterhaltungen.",
    findSomebody: "Jemanden finden",
    guest: "Gast",
    youAreAGuest: "Du bist Gast",
    goneBySigningOut: "Nur dieses Gerät bist du. Ist es abgemeldet, kann niemand zu diesem Konto zurück. Um es zu "
        + "behalten, wähle in den Einstellungen einen Benutzernamen und ein Passwort.",
    notAllSent: "Noch ist nicht alles gesendet",
    lostBySigningOut: (count) => plural(count, {
        one: "Abmelden entfernt, was dieser Browser aufbewahrt, und 1 Nachricht, die noch nicht gesendet ist.",
        other: "Abmelden entfernt, was dieser Browser aufbewahrt, und # Nachrichten, die noch nicht gesendet sind.",
    }),
    staySignedIn: "Angemeldet bleiben",
    muted: "Stumm",
    pinned: "Angeheftet",
    isTyping: "schreibt …",
    youAreMentioned: "Du wirst erwähnt",
    unread: (count) => plural(count, { other: "# ungelesen" }),
    markedAsUnread: "Als ungelesen markiert",
    youAreInvited: "Du bist eingeladen",
    aNewGroup: "Eine neue Gruppe",
    noMessagesYet: "Noch keine Nachrichten",
    messageDeleted: "Nachricht gelöscht",

    // Later.tsx
    loadingTitle: "Wird geladen",
    loading: "Wird geladen …",
    partNotLoaded: "Dieser Teil konnte nicht geladen werden",
    partNotLoadedWhy: "Der Server ist nicht erreichbar oder hat eine neuere Fassung dieser Seite.",

    // MessageList.tsx
    goToEndUnread: (count) => plural(count, { other: "Zum Ende, # ungelesen" }),
    goToEnd: "Zum Ende",

    // MessageRow.tsx
    newMessages: "Neu",
    forwarded: (name) => <>Weitergeleitet ({name})</>,
    selected: "Ausgewählt",
    answers: (name, quote) => `Antwort (${name}): ${quote}`,
    forwardedByYou: "Eine Nachricht, die du weiterleitest",
    starred: "Markiert",
    edited: "bearbeitet",
    react: "Reagieren",
    reactWith: (emoji) => `Mit ${emoji} reagieren`,
    reactWithAnotherEmoji: "Mit einem anderen Emoji reagieren",
    reactions: "Reaktionen",
    replies: (count) => plural(count, { one: "1 Antwort", other: "# Antworten" }),
    notSentFull: "Nicht gesendet.",
    tryAgain: "Noch einmal",
    discard: "Verwerfen",
    anEvent: (title, time) => <>Ein Termin? {title}{time && `, ${time}`}</>,
    aReminder: (title, time) => <>Eine Erinnerung? {title}{time && `, ${time}`}</>,
    aDecision: (title, time) => <>Eine Entscheidung? {title}{time && `, ${time}`}</>,
    going: "Zusagen",
    invite: "Einladen",
    remindMe: "Erinnern",
    recordIt: "Festhalten",
    suggestion: (name) => `Vorschlag: ${name}`,
    dismiss: "Nicht jetzt",
    waitingToBeSent: "Wartet auf das Senden",
    notSent: "Nicht gesendet",
    sent: "Gesendet",
    delivered: "Zugestellt",
    read: "Gelesen",

    // Messages.tsx
    unstar: "Markierung entfernen",
    star: "Markieren",
    reply: "Antworten",
    thread: "Thread",
    edit: "Bearbeiten",
    select: "Auswählen",
    editingYourMessage: "Du bearbeitest deine Nachricht",
    answering: (name, text) => `Antwort (${name}): ${text}`,
    messages: "Nachrichten",
    noMemberReads: "Du bist kein Mitglied mehr. Was vorher geschrieben wurde, kannst du lesen.",
    youCannotWriteInThis: "In dieser Unterhaltung kannst du nicht schreiben.",
    loadTheMessagesBetween: "Nachrichten dazwischen laden",
    anEarlierMessage: "Eine frühere Nachricht",
    copy: "Kopieren",
    forwardAsk: "Weiterleiten …",
    remindMeAsk: "Erinnern …",
    recordDecisionAsk: "Entscheidung festhalten …",
    details: "Einzelheiten",
    reportAsk: "Melden …",
    deleteForMe: "Für mich löschen",
    deleteForEveryone: "Für alle löschen",

    // Talk.tsx
    messageNotHere: "Diese Nachricht ist nicht mehr hier.",
    conversationWith: (name) => `Unterhaltung mit ${name}`,
    aboutTheGroup: "Über die Gruppe",
    aboutTheConversation: "Über die Unterhaltung",
    newEventAsk: "Neuer Termin …",
    goToDateAsk: "Zu einem Tag …",
    unpin: "Ablösen",
    pin: "Anheften",
    unmute: "Ton an",
    mute: "Stumm schalten",
    bringBackFromTheArchive: "Aus dem Archiv holen",
    archive: "Archivieren",
    markAsUnread: "Als ungelesen markieren",
    blockPerson: (name) => `${name} blockieren`,
    backToTheList: "Zurück zur Liste",
    searchInThisConversation: "In dieser Unterhaltung suchen",
    personIsTyping: (name) => `${name} schreibt …`,
    peopleAreTyping: (count) => plural(count, { other: "# Personen schreiben …" }),
    notAnsweredYet: "Hat deine Anfrage noch nicht beantwortet",
    noMember: "Du bist kein Mitglied mehr",
    members: (count) => plural(count, { one: "1 Mitglied", other: "# Mitglieder" }),
    request: "Anfrage",
    invitesYou: (name, group) =>
        <>{name} lädt dich in die Gruppe {group} ein. Ihre Nachrichten siehst du, sobald du annimmst.</>,
    wouldLikeToWrite: (name) => <>{name} möchte mit dir schreiben und sieht nicht, dass du das gelesen hast.</>,
    block: "Blockieren",
    decline: "Ablehnen",
    accept: "Annehmen",

    // moments.ts
    inAnHour: "In einer Stunde",
    thisEvening: "Heute Abend",
    tomorrowMorning: "Morgen früh",
    onMonday: "Am Montag",

    // presence.ts
    online: "Online",
    away: "Abwesend",
    doNotDisturb: "Möchte nicht gestört werden",
    offline: "Offline",
    lastSeen: (time) => `Zuletzt da: ${time}`,

    // sizes.ts
    bytes: (count) => plural(count, { one: "1 Byte", other: "# Bytes" }),
    kilobytes: (size) => `${size} KB`,
    megabytes: (size) => `${size} MB`,
    gigabytes: (size) => `${size} GB`,

    // times.ts
    yesterday: "Gestern",
    today: "Heute",

    // shell.tsx
    noConversationIsOpen: "Keine Unterhaltung ist offen",
    chooseAConversation: "Wähle eine Unterhaltung.",
    findSomebodyToWriteTo: "Finde jemanden, dem du schreibst.",

    // parts/Form.tsx
    cancel: "Abbrechen",

    // notes.ts
    joined: (name) => `Neu dabei: ${name}`,
    added: (name, whom) => `Hinzugefügt: ${whom} (${name})`,
    left: (name) => `Nicht mehr dabei: ${name}`,
    removed: (name, whom) => `Entfernt: ${whom} (${name})`,
    namedTheGroup: (name, title) => `Neuer Name der Gruppe: ${title} (${name})`,
    changedThePhoto: (name) => `Neues Bild der Gruppe (${name})`,
    madeOwner: (name, whom) => `Besitzt jetzt die Gruppe: ${whom} (${name})`,
    madeAdmin: (name, whom) => `Verwaltet jetzt die Gruppe: ${whom} (${name})`,
    endedAdminRights: (name, whom) => `Verwaltet die Gruppe nicht mehr: ${whom} (${name})`,
    setMessagesToDisappear: (name, time) => `Nachrichten bleiben jetzt so lange: ${time} (${name})`,
    setMessagesToStay: (name) => `Nachrichten bleiben jetzt für immer (${name})`,
    sharedADecision: (name) => `Geteilte Entscheidung (${name})`,
    sharedAnEvent: (name) => `Geteilter Termin (${name})`,
    unknownNote: "Etwas hat sich geändert, das diese Seite noch nicht kennt",
};
