import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Exchanges a refresh token for a new pair of tokens (A1). Each refresh token is for one use.
    ///
    /// A used token that arrives again reveals a copy, so the device is signed out. There is one exception: within a
    /// minute, while no successor was used, the reply was probably lost, or an app and its extension refreshed at once.
    /// Then the device gets another pair beside the first, since it may keep either. Once one of the two was used, the
    /// other one counts as a copy a minute later.
    /// - Throws: ``Refusal`` `refresh_refused`, after which the device has to sign in again.
    func refreshTokens(_ request: RefreshTokensRequest, _ call: RequestContext) async throws -> SignedIn {
        let refused = Refusal(.refreshRefused, "This sign-in has ended. Sign in again.")
        guard let old = try await tokens.parseRefresh(request.refreshToken) else { throw refused }
        let next = try tokens.makeRefresh(account: old.account)
        let refreshed = try await context.journal.change { change -> (device: RefreshableDevice, at: Timestamp)? in
            let device = try await change.query(
                ConversationsStore.lockDeviceOfToken, .number(old.account), .bytes(old.hash))
            if device.isEmpty { return nil }
            // After the lock: a sign-out that waits for it is later, so it voids the token made here.
            let now = try await Self.now(in: change)
            guard
                let held = try await change.first(
                    ConversationsStore.lockRefreshToken, .number(old.account), .bytes(old.hash))
            else { return nil }
            switch RefreshRules.verdict(on: held, now: now) {
            case .expired: return nil
            case .copied:
                try await self.revoke(device: held.device, of: old.account, in: change)
                return nil
            case .good:
                if let usedAt = held.usedAt {
                    try await change.execute(
                        ConversationsStore.forgetSuccessors, .number(old.account), .text(held.device),
                        .uuid(held.family), .number(usedAt), .int64(Int64(RefreshRules.successorsMax - 1)))
                }
                try await change.execute(
                    ConversationsStore.useRefreshToken, .number(old.account), .bytes(old.hash), .number(now))
                try await change.execute(
                    ConversationsStore.addRefreshToken, .number(old.account), .bytes(next.hash), .text(held.device),
                    .uuid(held.family), .number(now), .number(next.expiresAt))
                try await change.execute(
                    ConversationsStore.touchDevice, .number(old.account), .text(held.device), .number(now))
                return (held, now)
            }
        }
        guard let refreshed else { throw refused }
        return try tokens.signedIn(
            refreshed.device.user, account: old.account, device: refreshed.device.device, at: refreshed.at,
            refresh: next)
    }

    /// Signs out this device, or all devices (A1). Their sessions close.
    func signOut(_ request: SignOutRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        try await context.journal.change { change in
            if request.everywhere {
                // Lock out sign-ins, then refreshes, so that none commits later and stays valid.
                _ = try await change.query(ConversationsStore.lockAccount, .number(caller.account))
                _ = try await change.query(ConversationsStore.lockDevices, .number(caller.account), .null)
                let now = try await Self.now(in: change)
                try await change.execute(ConversationsStore.revokeAllDevices, .number(caller.account), .number(now))
                change.publish(Self.revocation(account: caller.account, device: "", at: now))
            } else {
                try await self.revoke(device: caller.device, of: caller.account, in: change)
            }
        }
        return Done()
    }

    /// Lists the caller's signed-in devices, most recently used first (A1).
    func listDevices(_ request: ListDevicesRequest, _ call: RequestContext) async throws -> ListDevicesReply {
        let rows = try await context.database.query(ConversationsStore.devices, .number(call.caller.account))
        return ListDevicesReply(
            devices: rows.map { row in
                var device = row
                device.current = row.id == call.caller.device
                return device
            })
    }

    /// Signs out one of the caller's devices (A1).
    /// - Throws: ``Refusal`` `not_found`, also for other people's devices.
    func revokeDevice(_ request: RevokeDeviceRequest, _ call: RequestContext) async throws -> Done {
        let wasSignedIn = try await context.journal.change { change in
            try await self.revoke(device: request.device, of: call.caller.account, in: change)
        }
        guard wasSignedIn else { throw Refusal.notFound }
        return Done()
    }

    /// Signs a device out and notifies the gateways.
    /// - Returns: false if the account has no such device signed in.
    @discardableResult
    func revoke(device: String, of account: AccountNumber, in change: Change) async throws -> Bool {
        let locked = try await change.query(ConversationsStore.lockDevices, .number(account), .text(device))
        if locked.isEmpty { return false }
        // After the lock, in a new snapshot: tokens of a refresh that it waited for are voided and deleted, too.
        let now = try await Self.now(in: change)
        try await change.execute(ConversationsStore.revokeDevice, .number(account), .text(device), .number(now))
        change.publish(Self.revocation(account: account, device: device, at: now))
        return true
    }

    /// Returns the database's time, which dates tokens and revocations.
    static func now(in database: some Queryable) async throws -> Timestamp {
        guard let now = try await database.first(ConversationsStore.now) else {
            throw DatabaseError.unexpected("no time")
        }
        return now
    }

    static func revocation(account: AccountNumber, device: String, at now: Timestamp) -> PendingUpdate {
        PendingUpdate(
            control: Control(
                control: .deviceRevoked(DeviceRevoked(account: account.rawValue, device: device, atUs: now.rawValue))),
            as: ConversationsKind.deviceRevoked, subject: account)
    }

    /// How many revocations fit into one reply: each takes at most 50 bytes of 2 MiB. Running gateways receive each one
    /// as an Update.
    private static let revocationsMax: Int64 = 40_000

    /// Returns what gateways need to check tokens: public keys, and revocations that may still affect valid tokens.
    func keys(_ request: AuthorityRequest, _ call: RequestContext) async throws -> AuthorityReply {
        let since = try await Self.now(in: context.database) - revocationsMatterFor
        let keys = try await context.database.query(ConversationsStore.publicKeys)
        let max = Self.revocationsMax
        let revoked = try await context.database.query(ConversationsStore.revokedSince, .number(since), .int64(max))
        if revoked.count == max {
            context.log.error("more devices were revoked than a reply can report", metadata: ["reported": "\(max)"])
        }
        return AuthorityReply(keys: keys, revoked: revoked)
    }
}

/// A stored refresh token, with its user and device.
struct RefreshableDevice: Sendable {
    var user: User
    var device: String
    var family: [UInt8]
    var expiresAt: Timestamp
    var usedAt: Timestamp?
    /// Whether a successor of this token was used.
    var successorWasUsed: Bool
    /// When another token of the family was used last, later than the grace after this one was issued.
    var otherUsedAt: Timestamp?
}

/// Decides whether a refresh token can be exchanged. Pure.
enum RefreshRules {
    enum Verdict { case good, expired, copied }

    /// How long after its use a token can be exchanged again, because the reply was lost.
    static let grace: Duration = .seconds(60)
    /// The most unused successors of a token: replies that were lost, or are of processes that refreshed at once.
    static let successorsMax = 4

    static func verdict(on token: RefreshableDevice, now: Timestamp) -> Verdict {
        guard token.expiresAt > now else { return .expired }
        guard let usedAt = token.usedAt else {
            // Its device went on with another token that was issued with it.
            return token.otherUsedAt.map { now - $0 > grace } ?? false ? .copied : .good
        }
        return token.successorWasUsed || now - usedAt > grace ? .copied : .good
    }
}
