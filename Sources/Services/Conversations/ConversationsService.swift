import Postgres
import Reactor
import Schema
import ServiceKit

/// Owns accounts, devices and sign-in, and who may talk to whom: conversations and their members.
///
/// Streams: `conversations/u/USER`, with Updates of kind `Conversation`: a conversation as that person sees it.
/// Publishes the views `conversations.access`, `.conversation_ids`, `.account_ids` and `.journal`.
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
        ]
    }

    let context: ServiceContext
    let tokens: TokenMaker
    /// argon2id of a random password: what an unknown username is checked against, so that it takes as long as a known one.
    private(set) var nobodysHash = ""
    private var forgetting: Reactor.Timer?

    public init(_ context: ServiceContext) {
        self.context = context
        tokens = TokenMaker(context)
    }

    public func register(in routes: inout Routes) {
        routes.on(ConversationsMethods.register, allow: .anyone, register)
        routes.on(ConversationsMethods.signIn, allow: .anyone, signIn)
        routes.on(ConversationsMethods.refresh, allow: .anyone, refresh)
        routes.on(ConversationsMethods.signOut, allow: .signedIn, signOut)
        routes.on(ConversationsMethods.devices, allow: .signedIn, devices)
        routes.on(ConversationsMethods.revokeDevice, allow: .signedIn, revokeDevice)
        routes.on(ConversationsMethods.findUser, allow: .signedIn, findUser)
        routes.on(ConversationsMethods.startDirect, allow: .signedIn, startDirect)
        routes.on(ConversationsMethods.createGroup, allow: .signedIn, createGroup)
        routes.on(ConversationsMethods.addMembers, allow: .member, addMembers)
        routes.on(ConversationsMethods.removeMember, allow: .member, removeMember)
        routes.on(ConversationsMethods.leaveGroup, allow: .member, leaveGroup)
        routes.on(ConversationsMethods.getConversation, allow: .member, getConversation)
        routes.on(ConversationsMethods.sync, allow: .signedIn, sync)
        routes.on(AuthorityMethods.keys, allow: .gateway, authority)
    }

    public func start() async throws {
        try await tokens.loadKeys()
        nobodysHash = try await hashed(Sodium.randomText(32))
        await forgetAttempts()
    }

    public func stop() async {
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
    // Notes, which only services follow.
    static let joined: Int16 = 3
    static let left: Int16 = 4
    static let removed: Int16 = 5
}
