/**
 * What the server and the SDK refuse, in German. What a refusal says of one case alone, such as how long an account is
 * suspended or which field is wrong, stands in its English message only, and so its code is not here.
 */
export const refusals: Readonly<Record<string, string>> = {
    // Signing in
    wrong_credentials: "Benutzername oder Passwort ist falsch.",
    username_taken: "Diesen Benutzernamen hat schon jemand. Wähle einen anderen.",
    registration_closed: "Dieser Server nimmt keine neuen Konten an.",
    registration_code_refused: "Dieser Server verlangt einen Code, und dieser fehlt oder gilt nicht.",
    proof_required:
        "Dieser Server verlangt einen Nachweis, und dieser fehlt oder gilt nicht mehr. Versuche es noch einmal.",
    unauthenticated: "Du bist nicht angemeldet. Melde dich wieder an.",
    revoked: "Dieses Gerät wurde abgemeldet. Melde dich wieder an.",
    refresh_refused: "Diese Anmeldung ist zu Ende. Melde dich wieder an.",
    code_refused: "Dieser Code ist falsch, benutzt oder zu alt. Hole dir einen neuen.",
    link_pending: "Noch hat niemand dieses Gerät angemeldet. Tippe seinen Code auf einem anderen Gerät ein.",
    sign_in_refused: "Die Anmeldung wurde abgebrochen oder abgelehnt. Versuche es noch einmal.",
    guest_may_not: "Das können Gäste nicht. Wähle in den Einstellungen einen Benutzernamen und ein Passwort.",

    // People and conversations
    user_not_found: "Diese Person gibt es hier nicht.",
    user_blocked: "Zwischen euch ist blockiert.",
    not_member: "Du bist kein Mitglied dieser Unterhaltung.",
    not_found: "Das gibt es nicht, oder du darfst es nicht sehen.",
    forbidden: "Das darfst du hier nicht.",
    accept_first: "Nimm zuerst die Anfrage an.",
    request_pending: "Deine Anfrage ist noch nicht angenommen.",
    not_pending: "Die Anfrage ist schon beantwortet.",
    group_full: "Die Gruppe ist voll.",
    too_many_pinned: "Du hast so viele Unterhaltungen angeheftet, wie es geht. Löse zuerst eine ab.",

    // Messages and files
    message_not_found: "Diese Nachricht gibt es nicht, oder du darfst sie nicht lesen.",
    message_deleted: "Diese Nachricht wurde gelöscht.",
    attachment_not_found: "Diese Datei gibt es nicht mehr.",
    not_author: "Jemand anderes hat das geschrieben.",
    edit_window_closed: "Diese Nachricht ist zu alt, um sie zu bearbeiten.",
    too_many_reactions: "Diese Nachricht hat so viele verschiedene Reaktionen, wie es geht.",
    too_many_starred: "Du hast so viele Nachrichten markiert, wie es geht.",
    too_large: "Das ist größer, als der Server annimmt.",
    quota_reached: "Du hast für heute so viel gesendet, wie der Server annimmt.",
    link_expired: "Diese Adresse gilt nicht mehr. Beginne noch einmal.",
    outbox_full: "Zu viel ist noch nicht gesendet. Warte, bis etwas davon gesendet ist, oder verwirf etwas.",
    file_failed: "Diese Datei ist nicht mehr da. Wähle sie noch einmal.",
    storage_failed: "Dieser Browser speichert nichts für diese Seite. Erlaube es ihm, oder schaffe Platz.",

    // Events, reminders and decisions
    reminder_completed: "Diese Erinnerung ist schon erledigt.",
    too_many_reminders: "Du hast so viele offene Erinnerungen, wie es geht.",
    decision_not_found: "Diese Entscheidung gibt es nicht.",
    already_superseded: "Eine andere Entscheidung ersetzt sie schon.",
    too_many_decisions: "Du hast so viele Entscheidungen, wie es geht.",
    not_host: "Das können nur die, die zu dem Termin einladen.",
    event_changed: "Jemand hat den Termin inzwischen geändert. Sieh ihn dir noch einmal an.",
    event_cancelled: "Dieser Termin ist abgesagt.",
    user_not_invited: "Diese Person ist zu dem Termin nicht eingeladen.",
    too_many_events: "Du hast so viele Termine, wie es geht.",
    too_many_attendees: "Zu diesem Termin haben so viele geantwortet, wie es geht.",

    // The server
    rate_limited: "Das war zu oft in kurzer Zeit. Warte einen Moment.",
    unavailable: "Der Server kann gerade nicht antworten. Versuche es gleich noch einmal.",
    deadline: "Der Server hat nicht rechtzeitig geantwortet. Versuche es noch einmal.",
    internal: "Im Server ist etwas schiefgegangen. Versuche es noch einmal.",
    offline: "Du bist offline. Versuche es mit einer Verbindung noch einmal.",
    connection_lost: "Die Verbindung ist abgebrochen. Versuche es noch einmal.",
    version_unsupported: "Diese Seite ist zu alt für den Server. Lade sie neu.",
    too_many_sessions: "Von diesem Konto sind zu viele Fenster offen. Schließe welche.",
    going_away: "Der Server startet neu. Gleich geht es weiter.",
};
