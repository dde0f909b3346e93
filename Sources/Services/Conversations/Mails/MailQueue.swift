import HTTPClient
import Logging
import Mail
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Mails that wait in the database until a mail server, or a program of the operator's, has taken them (A6).
///
/// A mail is sent by one replica at a time. One that failed is tried again, later and later, for a day; then it stays
/// as given up, for `parley doctor`. If a mail was taken and nobody heard of it, it is sent twice. Each try has a code
/// of its own, of which the last is good, and so a Message-ID of its own: a mail server would drop the same one.
@ReactorActor
final class MailQueue {
    nonisolated static var settings: [Setting] {
        [
            Setting("mail.server", .text, "URL of the mail server: smtp://HOST:587 or smtps://HOST; empty: no mail"),
            Setting("mail.user", .text, "the user name at the mail server; empty: without signing in"),
            Setting("mail.password", .secret, "the password at the mail server"),
            Setting(
                "mail.security", .choice(SMTPRequest.Security.allCases.map(\.rawValue)), default: "required",
                "whether a connection to an smtp URL is encrypted by STARTTLS"),
            Setting(
                "mail.authorities", .text,
                "file of certificates in PEM that the mail server's is checked against; empty: those of the system"),
            Setting(
                "mail.command", .text,
                "program that sends mails in place of a server: it reads one from standard input, and its recipient is "
                    + "the last argument"),
            Setting("mail.from", .text, "who sends mails: chat@example.com, or Chat <chat@example.com>"),
            Setting("mail.name", .text, default: "Parley", "what mails call this server"),
            Setting("mail.templates", .text, "folder of your own texts of mails; see deploy/README.md"),
        ]
    }

    /// How long a replica has for one try before another one may begin.
    private static let lease = Duration.seconds(300)
    /// For how long a mail is tried, and then for how long it is kept as given up.
    private static let triedFor = SignInLimit.day
    nonisolated static let deadFor = SignInLimit.day * 7

    private let context: ServiceContext
    private let worker: Worker
    private var sender: MailSender?
    private var templates: MailTemplates?
    private var line = LogThrottle(every: .seconds(10))
    /// What sends the mails of this round.
    private var sending: Task<Void, Never>?
    /// Those of them that were not sent because this replica ends.
    private var interrupted: [WaitingMail] = []

    init(_ context: ServiceContext) {
        self.context = context
        worker = Worker(every: .seconds(1), log: context.log, failed: "mails could not be sent and wait")
    }

    // MARK: Starting

    /// Reads the settings and the operator's texts.
    /// - Throws: ``StartRefused``.
    func load() throws {
        let settings = context.settings
        let (server, command) = (settings.text("mail.server"), settings.text("mail.command"))
        guard !server.isEmpty || !command.isEmpty else { return }
        guard server.isEmpty || command.isEmpty else {
            throw StartRefused("mail.server and mail.command are both set: keep one", code: 64)
        }
        guard let from = MailAddress(settings.text("mail.from")) else {
            throw StartRefused("mail.from must be an address, such as chat@example.com", code: 64)
        }
        if !server.isEmpty, !server.hasPrefix("smtp://"), !server.hasPrefix("smtps://") {
            throw StartRefused("mail.server must be a URL such as smtp://mail.example.com:587", code: 64)
        }
        do {
            templates = try MailTemplates(MailText.all, folder: settings.text("mail.templates"))
        } catch {
            throw StartRefused("mail.templates: \(error)", code: 64)
        }
        let authorities = settings.text("mail.authorities")
        sender = MailSender(
            server.isEmpty
                ? .command(command.split(separator: " ").map(String.init))
                : .server(
                    url: server, user: settings.text("mail.user"), password: settings.text("mail.password"),
                    security: SMTPRequest.Security(rawValue: settings.text("mail.security")) ?? .required,
                    authorities: authorities.isEmpty ? nil : authorities),
            from: from)
    }

    func start() {
        guard sender != nil else { return }
        worker.start { [weak self] in await self?.work() }
    }

    /// Leaves the mails that are being sent to another replica: a mail server may take minutes.
    func stop() async {
        sending?.cancel()
        await worker.stop()
    }

    // MARK: Adding

    /// - Throws: ``Refusal`` `mail_off`.
    func requireOn() throws(Refusal) {
        guard sender == nil else { return }
        throw Refusal(.mailOff, "This server sends no mail. Ask whoever runs it.")
    }

    /// Adds a mail, unless the same one waits already. It is sent after the commit.
    /// - Parameter account: whom it concerns; nil: whoever has confirmed the address.
    func add(_ kind: MailKind, to address: String, of account: AccountNumber?, in change: Change) async throws {
        guard sender != nil else { return }
        try await store(kind, address, account, in: change)
        change.afterCommit { [worker] in worker.wake() }
    }

    /// As above, by itself.
    func add(_ kind: MailKind, to address: String, of account: AccountNumber?) async throws {
        try await store(kind, address, account, in: context.database)
        worker.wake()
    }

    private func store(
        _ kind: MailKind, _ address: String, _ account: AccountNumber?, in database: some Queryable
    ) async throws {
        try await database.execute(
            MailsStore.add, .int16(kind.rawValue), account.map { .number($0) } ?? .null, .text(address),
            .number(context.clock.now))
    }

    // MARK: Sending

    /// Sends what is due, some mails at a time.
    private func work() async {
        do {
            while !worker.isStopping {
                let now = context.clock.now
                let due = try await context.database.query(
                    MailsStore.take, .number(now), .number(now + Self.lease), .int64(Int64(MailSender.sentMax)))
                if due.isEmpty { return }
                let sending = Task.onLoop {
                    await withDiscardingTaskGroup { group in
                        for mail in due { group.addTask { await self.tried(mail) } }
                    }
                }
                self.sending = sending
                if worker.isStopping { sending.cancel() }
                await sending.value
                for mail in interrupted {
                    try await context.database.execute(
                        MailsStore.postpone, .int64(mail.id), .number(context.clock.now), .text(""))
                }
                interrupted = []
            }
        } catch {
            worker.note(error)
        }
    }

    private func tried(_ mail: WaitingMail) async {
        // One of a newer version waits for a replica that knows it.
        guard let kind = mail.kind else { return }
        do {
            do {
                try await send(mail, kind)
                try await context.database.execute(MailsStore.remove, .int64(mail.id))
            } catch let failure as MailFailure {
                try await postpone(mail, failure)
            }
        } catch is CancellationError {
            interrupted.append(mail)
        } catch {
            // The lease ends, and the mail is tried again.
            worker.note(error)
        }
    }

    /// Sends a mail with a new code: its time begins when it is sent. One to nobody leaves the same trace.
    private func send(_ mail: WaitingMail, _ kind: MailKind) async throws {
        guard let sender, let templates else { return }
        let recipient = try await recipient(of: mail, kind)
        let code = MailedCode.make()
        if let key = MailedCode.key(kind, mail.address, recipient?.account ?? mail.account) {
            try await context.database.execute(
                MailsStore.keepCode, .int16(kind.rawValue), .bytes(key),
                recipient.map { .number($0.account) } ?? .null, .bytes(MailedCode.hash(code, key)),
                .int16(Int16(MailedCode.triesMax)), .number(context.clock.now + MailedCode.lifetime))
        }
        guard let recipient else { return }
        let message = templates.message(
            MailText.name(kind), to: recipient.address,
            [
                "code": MailedCode.shown(code), "username": recipient.username,
                "server": context.settings.text("mail.name"),
                "minutes": "\(MailedCode.lifetime.components.seconds / 60)",
            ])
        try await sender.send(
            message, id: "\(mail.id).\(mail.tries).\(mail.madeAt.rawValue)", at: context.clock.now.rawValue / 1_000_000)
    }

    /// Whom a mail goes to now; nil: nobody, or not any more.
    private func recipient(of mail: WaitingMail, _ kind: MailKind) async throws -> MailRecipient? {
        switch kind {
        case .reset: return try await context.database.first(MailsStore.confirmed, .text(mail.address))
        case .confirm:
            let owner = try await context.database.first(MailsStore.owner, .optional(mail.account?.rawValue))
            return owner?.address == mail.address ? owner : nil
        case .addressChanged:
            var owner = try await context.database.first(MailsStore.owner, .optional(mail.account?.rawValue))
            owner?.address = mail.address
            return owner
        }
    }

    private func postpone(_ mail: WaitingMail, _ failure: MailFailure) async throws {
        let now = context.clock.now
        let next = now + MailRules.wait(after: mail.tries)
        let isOver = failure.isFinal || next - mail.madeAt > Self.triedFor
        if let heldBack = line.pass(at: .now) {
            context.log.warning(
                isOver ? "a mail was given up" : "a mail could not be sent and waits",
                metadata: ["why": "\(failure)", "tries": "\(mail.tries)", "more": "\(heldBack)"])
        }
        try await context.database.execute(
            MailsStore.postpone, .int64(mail.id), isOver ? .null : .number(next), .text(MailRules.problem(failure)))
    }
}

/// A mail that is due.
struct WaitingMail: Sendable {
    var id: Int64
    /// Nil: of a newer version.
    var kind: MailKind?
    var account: AccountNumber?
    var address: String
    var madeAt: Timestamp
    var tries: Int
}

/// Whom a mail goes to.
struct MailRecipient: Sendable {
    var account: AccountNumber
    var address: String
    var username: String
}

/// When a mail is tried again. Pure.
enum MailRules {
    /// As many letters of a problem as the table takes.
    private static let problemLetters = 200
    private static let waits: [Duration] = [.seconds(10), .seconds(60), .seconds(300), .seconds(900)]

    /// - Parameter tries: how often it was tried.
    static func wait(after tries: Int) -> Duration {
        tries - 1 < waits.count ? waits[max(0, tries - 1)] : .seconds(3600)
    }

    /// Why a try failed, as one short line.
    static func problem(_ failure: MailFailure) -> String {
        let kept = failure.description.unicodeScalars.prefix(problemLetters).map { scalar in
            scalar.value < 32 || scalar.value == 127 ? " " : scalar
        }
        return String(String.UnicodeScalarView(kept))
    }
}

/// The texts of mails, which files in the folder `mail.templates` replace. None has a name that people choose freely,
/// so that nobody sends others a text of their own.
enum MailText {
    static func name(_ kind: MailKind) -> String {
        switch kind {
        case .reset: "reset"
        case .confirm: "confirm"
        case .addressChanged: "address-changed"
        }
    }

    static let all: [MailTemplates.Standard] = [
        .init(
            "reset", words: ["code", "username", "server", "minutes"],
            """
            Subject: {code} is your code for {server}

            Somebody asked for a new password for your account {username} at {server}.

            Your code: {code}

            It is good for {minutes} minutes, once. If it was not you, do nothing: without the code, your password
            stays as it is. Give the code to nobody.

            """),
        .init(
            "confirm", words: ["code", "username", "server", "minutes"],
            """
            Subject: {code} confirms your address at {server}

            The account {username} at {server} says that this is its address.

            The code that confirms it: {code}

            It is good for {minutes} minutes, once. If this is not your account, do nothing.

            """),
        .init(
            "address-changed", words: ["username", "server"],
            """
            Subject: Your address at {server} was changed

            This is not the address of your account {username} at {server} any more: it was changed or removed. Codes
            for a new password do not come here any more.

            If it was not you, sign in and change your password, and sign out your other devices.

            """),
    ]
}
