import Postgres
import Reactor
import Schema
import ServiceKit

/// Owns accounts, devices and sign-in, and who may talk to whom: conversations and their members.
///
/// Streams: `conversations/u/USER`, with Updates of kind `Conversation`: a conversation as that person sees it;
/// `RequestCount`, `Block` and `Profile`: what else is theirs alone. Publishes the views `conversations.access`,
/// `.conversation_ids`, `.account_ids`, `.blocked`, `.erased` and `.journal`. Follows messaging's journal for messages
/// of requests.
@ReactorActor
public final class ConversationsService: ParleyService {
    public nonisolated static let name = "conversations"

    public nonisolated static var settings: [Setting] {
        [
            Setting(
                "limits.sign-ins-per-minute", .integer(1...1_000_000), default: "5",
                "sign-ins tried, a person and an address"),
            Setting(
                "limits.registrations-per-minute", .integer(1...1_000_000), default: "20",
                "accounts made from one address"),
            Setting(
                "limits.group-members", .integer(1...MemberRules.membersMax), default: "\(MemberRules.membersMax)",
                "members that a group has at most"),
            Setting(
                "limits.request-messages", .integer(1...1000), default: "3",
                "messages that a request may hold, each time it is asked"),
            Setting(
                "requests.required", .choice(["yes", "no"]), default: "yes",
                "whether whoever was not accepted has to ask first"),
            Setting(
                "requests.ask-again-days", .integer(0...3650), default: "30",
                "after how many days asking again is another request"),
            Setting(
                "limits.requests-per-minute", .integer(1...1_000_000), default: "20",
                "people whom one person asks for the first time"),
            Setting(
                "limits.group-changes-per-minute", .integer(1...1_000_000), default: "120",
                "groups made and changes of them, a person"),
            Setting(
                "limits.profile-changes-per-minute", .integer(1...1_000_000), default: "10",
                "changes of a person's profile"),
            Setting(
                "limits.finds-per-minute", .integer(1...1_000_000), default: "120",
                "pages of found people that one person asks for"),
            Setting(
                "limits.reports-per-minute", .integer(1...1_000_000), default: "5",
                "reports that one person makes"),
            Setting("tokens.access-seconds", .integer(5...900), default: "900", "how long an access token is good"),
            Setting(
                "tokens.refresh-days", .integer(1...3650), default: "60", "how long an unused refresh token is good"),
        ]
    }

    public nonisolated static var migrations: [Migration] {
        [
            Migration(
                number: 1, name: "accounts_and_conversations",
                sql: String(decoding: PackageResources._001_accounts_and_conversations_sql, as: UTF8.self)),
            Migration(
                number: 2, name: "members_come_and_go",
                sql: String(decoding: PackageResources._002_members_come_and_go_sql, as: UTF8.self)),
            Migration(
                number: 3, name: "journal_by_the_databases_clock",
                sql: String(decoding: PackageResources._003_journal_by_the_databases_clock_sql, as: UTF8.self)),
            Migration(
                number: 4, name: "requests_groups_people",
                sql: String(decoding: PackageResources._004_requests_groups_people_sql, as: UTF8.self)),
            Migration(
                number: 5, name: "people", sql: String(decoding: PackageResources._005_people_sql, as: UTF8.self)),
            Migration(
                number: 6, name: "todays_partition",
                sql: String(decoding: PackageResources._006_todays_partition_sql, as: UTF8.self)),
        ]
    }

    let context: ServiceContext
    let tokens: TokenMaker
    let jobs: Jobs
    var acts = RateLimiter()
    /// argon2id of a random password: what an unknown username is checked against, so that it takes as long as a known
    /// one.
    private(set) var nobodysHash = ""
    private var forgetting: Reactor.Timer?
    /// Messages of requests. Messaging's journal may not be there yet: it is looked for until it is.
    private var messagesOfRequests: JournalFollower?

    public init(_ context: ServiceContext) {
        self.context = context
        tokens = TokenMaker(context)
        jobs = Jobs(context)
        messagesOfRequests = JournalFollower(context, follows: "messaging", kinds: [Self.messageOfRequest]) {
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
        routes.on(ConversationsMethods.searchUsers, searchUsers)
        routes.on(ConversationsMethods.createReport, createReport)
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
        routes.on(ConversationsMethods.removeMember, removeMember)
        routes.on(ConversationsMethods.setMemberRole, setMemberRole)
        routes.on(ConversationsMethods.transferOwnership, transferOwnership)
        routes.on(ConversationsMethods.leaveGroup, leaveGroup)
        routes.on(ConversationsMethods.findConversation, findConversation)
        routes.on(ConversationsMethods.getConversation, getConversation)
        routes.on(ConversationsMethods.sync, sync)
        routes.on(AuthorityMethods.keys, keys)
    }

    public func start() async throws {
        try await tokens.loadKeys()
        nobodysHash = try await hashed(Sodium.randomText(32))
        await forgetAttempts()
        try await jobs.start { [weak self] job, change in try await self?.doPiece(of: job, in: change) }
        try await messagesOfRequests?.start()
    }

    public func stop() async {
        await jobs.stop()
        await messagesOfRequests?.stop()
        if let forgetting { Reactor.shared.cancel(forgetting) }
    }

    /// Attempts at signing in count for a minute; their rows go after an hour.
    private func forgetAttempts() async {
        do {
            try await context.database.execute(
                ConversationsStore.forgetAttempts, .int64(context.clock.now - 3_600_000_000))
        } catch {
            context.log.warning("old attempts are kept for now", metadata: ["error": "\(error)"])
        }
        forgetting = Reactor.shared.after(.seconds(600)) { [weak self] in
            Task { @ReactorActor in await self?.forgetAttempts() }
        }
    }
}

/// What kinds of change the journal of conversations names.
enum JournalKind {
    static let conversationChanged: Int16 = 1
    static let deviceRevoked: Int16 = 2
    static let requestsCounted: Int16 = 6
    static let profileChanged: Int16 = 7
    static let blockChanged: Int16 = 8
    // Notes, which only services follow.
    static let joined: Int16 = 3
    static let left: Int16 = 4
    static let removed: Int16 = 5
    static let renamed: Int16 = 9
    static let photoChanged: Int16 = 10
    static let handedOver: Int16 = 11
    static let madeAdmin: Int16 = 12
    static let madeMember: Int16 = 13
}
