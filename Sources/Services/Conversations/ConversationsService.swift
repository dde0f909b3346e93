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
                "who can create an account: everyone, nobody, or people with a code of \"parley admin invite\""),
            Setting(
                "usernames.reserved", .text,
                "usernames that nobody can take from now on, separated by commas, besides admin, support and such"),
            Setting(
                "people.find-by-email", .choice(["yes", "no"]), default: "no",
                "whether people who allow it are found by their email address; nothing checks that it is theirs"),
            Setting(
                "limits.sign-ins-per-minute", .integer(1...1_000_000), default: "5",
                "wrong passwords for one person from one address, or from a device that signed in before"),
            Setting(
                "limits.sign-ins-per-person", .integer(1...1_000_000), default: "50",
                "wrong passwords a minute for one person from all addresses"),
            Setting(
                "limits.sign-ins-per-address", .integer(1...1_000_000), default: "50",
                "wrong passwords a minute from one address for all people"),
            Setting(
                "limits.registrations-per-minute", .integer(1...1_000_000), default: "20",
                "accounts registered from one address"),
            Setting(
                "limits.group-members", .integer(1...MemberRules.membersMax), default: "\(MemberRules.membersMax)",
                "the most members a group can have"),
            Setting(
                "limits.request-messages", .integer(1...1000), default: "3",
                "messages that the requester can send with each request"),
            Setting(
                "requests.required", .choice(["yes", "no"]), default: "yes",
                "whether writing to a person for the first time takes a request, and adding them to a group an "
                    + "invitation"),
            Setting(
                "requests.ask-again-days", .integer(0...3650), default: "30",
                "days after which a repeated request counts as a new one, and after which a person who declined an "
                    + "invitation can be invited by the same person again"),
            Setting(
                "limits.requests-per-minute", .integer(1...1_000_000), default: "20",
                "requests that one person sends"),
            Setting(
                "limits.invitations-per-hour", .integer(1...1_000_000), default: "30",
                "invitations into groups that one person makes"),
            Setting(
                "limits.invitations-open", .integer(1...1_000_000), default: "20",
                "invitations that one person is shown at a time"),
            Setting(
                "limits.group-changes-per-minute", .integer(1...1_000_000), default: "120",
                "groups that one person creates, and changes to groups"),
            Setting(
                "limits.profile-changes-per-minute", .integer(1...1_000_000), default: "10",
                "changes that one person makes to their profile"),
            Setting(
                "limits.finds-per-minute", .integer(1...1_000_000), default: "120",
                "pages of people that one person searches for"),
            Setting(
                "limits.reports-per-minute", .integer(1...1_000_000), default: "5",
                "reports that one person sends"),
            Setting("tokens.access-seconds", .integer(5...900), default: "900", "how long an access token is valid"),
            Setting(
                "tokens.refresh-days", .integer(1...3650), default: "60", "how long an unused refresh token is valid"),
        ]
    }

    public nonisolated static var sqlFiles: [(path: String, text: String)] { SQLFiles.all }

    let context: ServiceContext
    let tokens: TokenMaker
    let jobs: Jobs
    let attempts: SignInAttempts
    let registration: RegistrationMode
    private let reservedUsernames: Set<String>
    let isFoundByEmail: Bool
    let signInQueue = PasswordQueue()
    /// Separate, so that neither keeps the other waiting.
    let registerQueue = PasswordQueue()
    var rateLimiters: [LimitedAction: RateLimiter<AccountNumber>]
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
        reservedUsernames = Set(context.settings.list("usernames.reserved"))
        isFoundByEmail = context.settings.text("people.find-by-email") == "yes"
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
        routes.on(ConversationsMethods.signIn, signIn)
        routes.on(ConversationsMethods.refreshTokens, refreshTokens)
        routes.on(ConversationsMethods.signOut, signOut)
        routes.on(ConversationsMethods.listDevices, listDevices)
        routes.on(ConversationsMethods.revokeDevice, revokeDevice)
        routes.on(ConversationsMethods.eraseAccount, eraseAccount)
        routes.on(ConversationsMethods.getProfile, getProfile)
        routes.on(ConversationsMethods.updateProfile, updateProfile)
        routes.on(ConversationsMethods.findUser, findUser)
        routes.on(ConversationsMethods.getUsers, getUsers)
        routes.on(ConversationsMethods.searchUsers, context.expensive.limited(searchUsers))
        routes.on(ConversationsMethods.createReport, createReport)
        routes.on(ConversationsMethods.listReports, listReports)
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
        try await tokens.loadKeys()
        decoyHash = try await signInQueue.hashed(Sodium.randomText(32), for: nil)
        await forgetAttempts()
        try await jobs.start { [weak self] job, change in try await self?.runPiece(of: job, in: change) }
        try await messagesOfRequests?.start()
    }

    public func stop() async {
        await jobs.stop()
        await messagesOfRequests?.stop()
        if let forgetting { Reactor.shared.cancel(forgetting) }
    }

    /// - Throws: ``Refusal`` `username_taken` if the operator reserved it.
    func requireUnreserved(_ username: String) throws(Refusal) {
        if reservedUsernames.contains(username) { throw .usernameReserved }
    }

    /// Deletes sign-in attempts after an hour. They count for a minute.
    private func forgetAttempts() async {
        do {
            try await context.database.execute(
                ConversationsStore.forgetAttempts, .number(context.clock.now - .seconds(3600)))
        } catch {
            context.log.warning("old sign-in attempts could not be deleted", metadata: ["error": "\(error)"])
        }
        forgetting = Reactor.shared.after(.seconds(600)) { [weak self] in
            Task.onLoop { await self?.forgetAttempts() }
        }
    }
}
