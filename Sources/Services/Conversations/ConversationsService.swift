import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Owns accounts, devices and sign-in, and conversations with their members, which decide who may talk to whom.
///
/// Its streams `conversations/u/USER` carry Updates of kind `Conversation`, a conversation as that person sees it, and
/// of the kinds `RequestCount`, `Block` and `Profile`. It publishes the views `conversations.access`,
/// `.conversation_ids`, `.account_ids`, `.blocked`, `.erased` and `.journal`. It follows messaging's journal for
/// messages of requests.
@ReactorActor
public final class ConversationsService: ParleyService {
    public nonisolated static let name = "conversations"

    public nonisolated static var settings: [Setting] {
        [
            Setting(
                "registration", .choice(RegistrationMode.allCases.map(\.rawValue)), default: "open",
                "who can create an account: everyone, nobody, or people with a code of \"parley admin invite\"")
        ] + RegistrationProof.settings + Guests.settings + MailQueue.settings + [
            Issuers.setting,
            Setting(
                "usernames.reserved", .text,
                "usernames that nobody can take from now on, separated by commas, besides admin, support and such"),
            Setting(
                "people.find-by-email", .choice(FindingByEmail.allCases.map(\.rawValue)), default: "no",
                "whether people who allow it are found by their email address: yes, only by one that they confirmed by "
                    + "mail, or no; \"yes\" does not check that it is theirs"),
            .limit(
                "limits.sign-ins-per-minute", 1...1_000_000,
                Limit(
                    5, "wrong passwords a minute",
                    per: "person and address (IPv6: /64), or device that signed in before", beyond: .wait)),
            .limit(
                "limits.sign-ins-per-person", 1...1_000_000,
                Limit(
                    100, "wrong passwords an hour, from all addresses", per: "person",
                    beyond: .words("each address has \(AccountRules.turnsMax) turns"))),
            .limit(
                "limits.sign-in-turns-per-person", 1...1_000_000,
                Limit(20, "wrong passwords a minute in turns, from all addresses", per: "person", beyond: .wait)),
            .limit(
                "limits.sign-ins-per-address", 1...1_000_000,
                Limit(50, "wrong passwords a minute, for all people", per: "address (IPv6: /64)", beyond: .wait)),
            .limit(
                "limits.wrong-tokens-per-address", 1...1_000_000,
                Limit(50, "wrong tokens a minute, for all people", per: "address (IPv6: /64)", beyond: .wait)),
            .limit(
                "limits.device-links-per-address", 1...1_000_000,
                Limit(
                    20, "devices that begin to be signed in by another in a minute", per: "address (IPv6: /64)",
                    beyond: .wait)),
            .limit(
                "limits.code-tries-per-address", 1...1_000_000,
                Limit(20, "mailed codes tried in a minute, for all people", per: "address (IPv6: /64)", beyond: .wait)),
            .limit(
                "limits.mails-per-address", 1...1_000_000,
                Limit(20, "mails asked for in an hour", per: "address (IPv6: /64)", beyond: .wait)),
            .limit(
                "limits.mails-per-recipient", 1...1_000_000,
                Limit(5, "mails asked for in an hour", per: "email address, and account", beyond: .wait)),
            .limit(
                "limits.registrations-per-minute", 1...1_000_000,
                Limit(20, "accounts registered in a minute", per: "address (IPv6: /64)", beyond: .wait)),
            .limit(
                "limits.group-members", 1...MemberRules.membersMax,
                Limit(MemberRules.membersMax, "members", per: "group", beyond: .refused(.groupFull))),
            .limit(
                "limits.request-messages", 1...1000,
                Limit(3, "messages", per: "message request", beyond: .refused(.requestPending))),
            Setting(
                "requests.required", .choice(["yes", "no"]), default: "yes",
                "whether writing to a person for the first time takes a request, and adding them to a group an "
                    + "invitation"),
            Setting(
                "requests.ask-again-days", .integer(0...3650), default: "30",
                "days after which a repeated request counts as a new one, and after which a person who declined an "
                    + "invitation can be invited by the same person again"),
            .limit(
                "limits.requests-per-minute", 1...1_000_000,
                Limit(20, "message requests sent in a minute", per: "account", beyond: .wait)),
            .limit(
                "limits.invitations-per-hour", 1...1_000_000,
                Limit(30, "invitations into groups made in an hour", per: "account", beyond: .wait)),
            .limit(
                "limits.invitations-open", 1...1_000_000,
                Limit(
                    20, "open invitations that are shown", per: "account",
                    beyond: .words("the oldest of whoever made most gives way"))),
            .limit(
                "limits.group-changes-per-minute", 1...1_000_000,
                Limit(120, "groups created and changed in a minute", per: "account", beyond: .wait)),
            .limit(
                "limits.profile-changes-per-minute", 1...1_000_000,
                Limit(10, "changes of the profile in a minute", per: "account", beyond: .wait)),
            .limit(
                "limits.finds-per-minute", 1...1_000_000,
                Limit(120, "pages of people searched for in a minute", per: "account", beyond: .wait)),
            .limit(
                "limits.reports-per-minute", 1...1_000_000,
                Limit(5, "reports in a minute", per: "account", beyond: .wait)),
            Setting("tokens.access-seconds", .integer(5...900), default: "900", "how long an access token is valid"),
            Setting(
                "tokens.refresh-days", .integer(1...3650), default: "60", "how long an unused refresh token is valid"),
        ]
    }

    public nonisolated static var fixedLimits: [Limit] {
        [
            Limit(
                AccountRules.devicesMax, "devices", per: "account",
                beyond: .words("the one not used for longest is signed out")),
            Limit(AccountRules.signInsMax, "right passwords and tokens a minute", per: "account", beyond: .wait),
            Limit(
                ConversationsService.identitiesMax, "identities that sign somebody in", per: "account",
                beyond: .refused(.tooManyIdentities)),
            Limit(
                IssuerFile.issuersMax, "issuers of tokens", per: "server",
                beyond: .words("the service does not start")),
            Limit(
                IssuerPages.exchangesMax, "people who come back from its page at a time", per: "issuer and replica",
                beyond: .refused(.unavailable)),
            Limit(
                MailedCode.triesMax, "tries", per: "mailed code",
                beyond: .refused(.codeRefused)),
            Limit(
                AccountRules.turnsMax, "wrong passwords a day in turns", per: "person and address (IPv6: /64)",
                beyond: .wait),
            Limit(
                PasswordAdmission.perPlaceMax, "passwords that wait to be checked",
                per: "address (IPv6: /64) where nobody signed in lately, or a password was wrong since",
                beyond: .wait),
            Limit(
                PasswordAdmission.perKnownPlaceMax, "passwords that wait to be checked", per: "other address",
                beyond: .wait),
            Limit(
                PasswordAdmission.strangersMax, "passwords that wait, of all such addresses", per: "replica",
                beyond: .wait),
            Limit(
                PasswordAdmission.failedMax, "passwords that wait, of all addresses where one was wrong lately",
                per: "replica", beyond: .wait),
            Limit(PasswordAdmission.placesMax, "passwords that wait", per: "replica", beyond: .wait),
            Limit(
                RegistrationProof.verifiedPerPlaceMax, "tokens for registering that are being verified",
                per: "address (IPv6: /64) where none was right lately", beyond: .wait),
            Limit(
                RegistrationProof.verifiedMax, "tokens for registering that are being verified", per: "replica",
                beyond: .wait),
            Limit(
                ConversationsService.askedAgainMax, "times in an hour that a withdrawn request is asked again",
                per: "two people and replica", beyond: .refused(.rateLimited)),
        ] + ExpensiveRequests.limits
    }

    public nonisolated static var sqlFiles: [(path: String, text: String)] { SQLFiles.all }

    let context: ServiceContext
    let tokens: TokenMaker
    let jobs: Jobs
    let attempts: SignInAttempts
    let registration: RegistrationMode
    let proof: RegistrationProof
    let issuers: Issuers
    let guests: Guests
    let mails: MailQueue
    private let reservedUsernames: Set<String>
    let findingByEmail: FindingByEmail
    let signInQueue = PasswordQueue()
    /// Right passwords. Wrong ones, which anybody can enter, do not count.
    var signIns = RateLimiter<AccountNumber>(RateLimit(perMinute: AccountRules.signInsMax))
    /// Separate, so that neither keeps the other waiting.
    let registerQueue = PasswordQueue()
    var rateLimiters: [LimitedAction: RateLimiter<AccountNumber>]
    /// Counts how often a request was withdrawn and asked again, by the id of its conversation: each time it comes and
    /// goes for the recipient.
    var askedAgain = RateLimiter<String>(RateLimit(perHour: askedAgainMax))
    nonisolated static let askedAgainMax = 3
    /// The argon2id hash of a random password. Sign-in checks unknown usernames against it, so that they take as long
    /// as known ones.
    private(set) var decoyHash = ""
    private var forgetting: Reactor.Timer?
    /// Follows messages of requests. It waits for messaging's journal if that does not exist yet.
    private var messagesOfRequests: JournalFollower?

    public init(_ context: ServiceContext) {
        self.context = context
        tokens = TokenMaker(context)
        jobs = Jobs(context)
        attempts = SignInAttempts(context)
        registration = RegistrationMode(rawValue: context.settings.text("registration")) ?? .open
        proof = RegistrationProof(context)
        issuers = Issuers(context)
        guests = Guests(context)
        mails = MailQueue(context)
        reservedUsernames = Set(context.settings.list("usernames.reserved").map(AccountRules.meantUsername))
        findingByEmail = FindingByEmail(rawValue: context.settings.text("people.find-by-email")) ?? .no
        rateLimiters = Dictionary(
            uniqueKeysWithValues: LimitedAction.allCases.map {
                ($0, RateLimiter($0.limit(context.settings)))
            })
        messagesOfRequests = JournalFollower(
            context, follows: "messaging", kinds: [MessagingKind.requestMessage.number]
        ) {
            [weak self] entries, change in
            try await self?.reveal(entries, in: change)
        }
    }

    public func register(in routes: inout Routes) {
        routes.on(ConversationsMethods.register, register)
        routes.on(ConversationsMethods.getChallenge, getChallenge)
        routes.on(ConversationsMethods.signIn, signIn)
        routes.on(ConversationsMethods.refreshTokens, refreshTokens)
        routes.on(ConversationsMethods.listIssuers, listIssuers)
        routes.on(ConversationsMethods.signInWithToken, signInWithToken)
        routes.on(ConversationsMethods.signInWithCode, signInWithCode)
        routes.on(Self.identityRoute, identityPage)
        routes.on(ConversationsMethods.listIdentities, listIdentities)
        routes.on(ConversationsMethods.linkIdentity, linkIdentity)
        routes.on(ConversationsMethods.unlinkIdentity, unlinkIdentity)
        routes.on(ConversationsMethods.changePassword, changePassword)
        routes.on(ConversationsMethods.beginDeviceLink, beginDeviceLink)
        routes.on(ConversationsMethods.getDeviceLink, getDeviceLink)
        routes.on(ConversationsMethods.approveDeviceLink, approveDeviceLink)
        routes.on(ConversationsMethods.finishDeviceLink, finishDeviceLink)
        routes.on(ConversationsMethods.requestPasswordReset, requestPasswordReset)
        routes.on(ConversationsMethods.resetPassword, resetPassword)
        routes.on(ConversationsMethods.requestEmailCode, requestEmailCode)
        routes.on(ConversationsMethods.confirmEmail, confirmEmail)
        routes.on(ConversationsMethods.signOut, signOut)
        routes.on(ConversationsMethods.listDevices, listDevices)
        routes.on(ConversationsMethods.revokeDevice, revokeDevice)
        routes.on(ConversationsMethods.eraseAccount, eraseAccount)
        routes.on(ConversationsMethods.getProfile, getProfile)
        routes.on(ConversationsMethods.updateProfile, updateProfile)
        routes.on(ConversationsMethods.findUser, findUser)
        routes.on(ConversationsMethods.getUsers, getUsers)
        routes.on(ConversationsMethods.searchUsers, searchUsers)
        routes.on(ConversationsMethods.createReport, createReport)
        routes.on(ConversationsMethods.listReports, listReports)
        routes.on(ConversationsMethods.listImported, listImported)
        routes.on(ConversationsMethods.blockUser, blockUser)
        routes.on(ConversationsMethods.unblockUser, unblockUser)
        routes.on(ConversationsMethods.listBlocked, listBlocked)
        routes.on(ConversationsMethods.startDirect, startDirect)
        routes.on(ConversationsMethods.listRequests, listRequests)
        routes.on(ConversationsMethods.acceptRequest, acceptRequest)
        routes.on(ConversationsMethods.declineRequest, declineRequest)
        routes.on(ConversationsMethods.withdrawRequest, withdrawRequest)
        routes.on(ConversationsMethods.markRequestsRead, markRequestsRead)
        routes.on(ConversationsMethods.createGroup, createGroup)
        routes.on(ConversationsMethods.updateGroup, updateGroup)
        routes.on(ConversationsMethods.listMembers, listMembers)
        routes.on(ConversationsMethods.addMembers, addMembers)
        routes.on(ConversationsMethods.listInvitations, listInvitations)
        routes.on(ConversationsMethods.withdrawInvitation, withdrawInvitation)
        routes.on(ConversationsMethods.removeMember, removeMember)
        routes.on(ConversationsMethods.setMemberRole, setMemberRole)
        routes.on(ConversationsMethods.transferOwnership, transferOwnership)
        routes.on(ConversationsMethods.leaveGroup, leaveGroup)
        routes.on(ConversationsMethods.findConversation, findConversation)
        routes.on(ConversationsMethods.getConversation, getConversation)
        routes.on(ConversationsMethods.getConversations, getConversations)
        routes.on(ConversationsMethods.sync, sync)
        routes.on(AuthorityMethods.keys, keys)
    }

    public func register(in states: inout States<ConversationsKind>) {
        states.on(.conversation, current: currentConversations)
        states.on(.requestCount, current: currentRequestCounts)
        states.on(.profile, current: currentProfiles)
        states.on(.block, current: currentBlocks)
        states.on(.deviceRevoked, replay: replayRevocations)
        states.notes(
            .joined, .left, .removed, .renamed, .photoChanged, .ownershipTransferred, .madeAdmin, .madeMember,
            .invitations)
    }

    public func start() async throws {
        try proof.checkSettings()
        try issuers.load()
        try guests.checkSettings()
        try mails.load()
        try await tokens.loadKeys()
        decoyHash = try await signInQueue.hashed(Sodium.randomText(32), for: nil)
        await forgetAttempts()
        try await jobs.start { [weak self] job, change in try await self?.runPiece(of: job, in: change) }
        try await messagesOfRequests?.start()
        mails.start()
    }

    public func stop() async {
        await mails.stop()
        await jobs.stop()
        await messagesOfRequests?.stop()
        if let forgetting { Reactor.shared.cancel(forgetting) }
    }

    /// - Throws: ``Refusal`` `username_taken` if the operator reserved it.
    func requireUnreserved(_ username: String) throws(Refusal) {
        if reservedUsernames.contains(username) { throw .usernameReserved }
    }

    /// Whether nobody may take this username.
    func isReserved(_ username: String) -> Bool {
        reservedUsernames.contains(username) || AccountRules.reservedUsernames.contains(username)
    }

    /// Deletes sign-in attempts, tokens, codes and mails when they count no more, and guests who do not come back.
    private func forgetAttempts() async {
        do {
            let now = context.clock.now
            try await context.database.execute(
                ConversationsStore.forgetAttempts, .number(now - SignInLimit.hour), .number(now - SignInLimit.day))
            try await context.database.execute(IdentitiesStore.forgetTokens, .number(now))
            try await context.database.execute(MailsStore.forget, .number(now), .number(now - MailQueue.deadFor))
            try await context.database.execute(PageSignInsStore.forget, .number(now))
            try await context.database.execute(DeviceLinksStore.forget, .number(now - DeviceLinkRules.keptFor))
            try await eraseUnusedGuests()
        } catch {
            context.log.warning(
                "old sign-in attempts, mails or guests could not be deleted", metadata: ["error": "\(error)"])
        }
        forgetting = Reactor.shared.after(.seconds(600)) { [weak self] in
            Task.onLoop { await self?.forgetAttempts() }
        }
    }
}
