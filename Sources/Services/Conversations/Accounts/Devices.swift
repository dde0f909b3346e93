import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Exchanges a refresh token for a new pair (A1). The old one is used up.
    ///
    /// A used one that comes again betrays a copy: the device is signed out. Except shortly after, while no successor
    /// was used: then the answer was lost on its way, and the device gets another.
    /// - Throws: ``Refusal`` `refresh_refused`: sign in again.
    func refreshTokens(_ request: RefreshTokensRequest, _ call: RequestContext) async throws -> SignedIn {
        let refused = Refusal("refresh_refused", "This sign-in is over; sign in again.")
        guard let old = TokenMaker.parseRefresh(request.refreshToken) else { throw refused }
        let next = tokens.makeRefresh(account: old.account)
        let refreshed = try await context.journal.change { change -> (device: RefreshableDevice, at: Int64)? in
            let device = try await change.query(
                ConversationsStore.lockDeviceOfToken, .int64(old.account), .bytes(old.hash))
            if device.isEmpty { return nil }
            // After the lock: a sign-out that waits for us is later, and so voids the token made here.
            let now = try await Self.now(in: change)
            guard
                let held = try await change.first(
                    ConversationsStore.lockRefreshToken, .int64(old.account), .bytes(old.hash))
            else { return nil }
            switch RefreshRules.verdict(on: held, now: now) {
            case .expired: return nil
            case .copied:
                try await self.revoke(device: held.device, of: old.account, in: change)
                return nil
            case .good:
                if let usedAt = held.usedAt {
                    // Its answer was lost: what was in it is void, or two would live on from one.
                    try await change.execute(
                        ConversationsStore.forgetSuccessors, .int64(old.account), .text(held.device),
                        .uuid(held.family),
                        .int64(usedAt))
                }
                try await change.execute(
                    ConversationsStore.useRefreshToken, .int64(old.account), .bytes(old.hash), .int64(now))
                try await change.execute(
                    ConversationsStore.addRefreshToken, .int64(old.account), .bytes(next.hash), .text(held.device),
                    .uuid(held.family), .int64(now), .int64(next.expiresAt))
                try await change.execute(
                    ConversationsStore.touchDevice, .int64(old.account), .text(held.device), .int64(now))
                return (held, now)
            }
        }
        guard let refreshed else { throw refused }
        return try tokens.signedIn(
            refreshed.device.user, account: old.account, device: refreshed.device.device, at: refreshed.at,
            refresh: next)
    }

    /// Ends the sign-in of this device, or of all (A1). Their sessions close.
    func signOut(_ request: SignOutRequest, _ call: RequestContext) async throws -> Done {
        let caller = call.caller
        try await context.journal.change { change in
            if request.everywhere {
                // Against sign-ins, then against refreshes: none of them ends up later than this and alive.
                _ = try await change.query(ConversationsStore.lockAccount, .int64(caller.account))
                _ = try await change.query(ConversationsStore.lockDevices, .int64(caller.account), .null)
                let now = try await Self.now(in: change)
                try await change.execute(ConversationsStore.revokeAllDevices, .int64(caller.account), .int64(now))
                change.publish(Self.revocation(account: caller.account, device: "", at: now))
            } else {
                try await self.revoke(device: caller.device, of: caller.account, in: change)
            }
        }
        return Done()
    }

    /// The caller's devices that are signed in, the most recently used first (A1).
    func listDevices(_ request: ListDevicesRequest, _ call: RequestContext) async throws -> ListDevicesReply {
        let rows = try await context.database.query(ConversationsStore.devices, .int64(call.caller.account))
        return ListDevicesReply(
            devices: rows.map { row in
                var device = row
                device.current = row.id == call.caller.device
                return device
            })
    }

    /// Signs another device of the caller's out (A1).
    /// - Throws: ``Refusal`` `not_found`, also for devices of others.
    func revokeDevice(_ request: RevokeDeviceRequest, _ call: RequestContext) async throws -> Done {
        let wasThere = try await context.journal.change { change in
            try await self.revoke(device: request.device, of: call.caller.account, in: change)
        }
        guard wasThere else { throw Refusal.notFound }
        return Done()
    }

    /// Signs a device out and tells the gateways.
    /// - Returns: false when the account has no such device that is signed in.
    @discardableResult
    func revoke(device: String, of account: Int64, in change: Change) async throws -> Bool {
        let held = try await change.query(ConversationsStore.lockDevices, .int64(account), .text(device))
        if held.isEmpty { return false }
        // After the lock, in a new snapshot: what a refresh made while we waited is voided and deleted, too.
        let now = try await Self.now(in: change)
        try await change.execute(ConversationsStore.revokeDevice, .int64(account), .text(device), .int64(now))
        change.publish(Self.revocation(account: account, device: device, at: now))
        return true
    }

    /// The database's time, by which tokens are made and voided.
    static func now(in database: some Queryable) async throws -> Int64 {
        guard let now = try await database.first(ConversationsStore.now) else {
            throw DatabaseError.unexpected("no time")
        }
        return now
    }

    static func revocation(account: Int64, device: String, at now: Int64) -> PendingUpdate {
        PendingUpdate(
            control: Control(control: .deviceRevoked(DeviceRevoked(account: account, device: device, atUs: now))),
            kindNumber: JournalKind.deviceRevoked, subject: account)
    }

    /// What fits into one reply: each takes at most 50 bytes of 2 MiB. Gateways that run hear of each by its Update.
    private static let revocationsMax: Int64 = 40_000

    /// What gateways need to check tokens: public keys, and the revocations that unexpired tokens may still contradict.
    func keys(_ request: AuthorityRequest, _ call: RequestContext) async throws -> AuthorityReply {
        let since = try await Self.now(in: context.database) - revocationsMatterFor
        let keys = try await context.database.query(ConversationsStore.publicKeys)
        let most = Self.revocationsMax
        let revoked = try await context.database.query(ConversationsStore.revokedSince, .int64(since), .int64(most))
        if revoked.count == most {
            context.log.error("more devices were revoked than gateways are told of", metadata: ["told": "\(most)"])
        }
        return AuthorityReply(keys: keys, revoked: revoked)
    }
}

/// A refresh token as it stands, with whose it is.
struct RefreshableDevice: Sendable {
    var user: User
    var device: String
    var family: [UInt8]
    var expiresAt: Int64
    var usedAt: Int64?
    /// Whether a token that came of this one was used.
    var successorWasUsed: Bool
}

/// Pure.
enum RefreshRules {
    enum Verdict { case good, expired, copied }

    /// How long a lost answer may be asked for again.
    static let grace: Int64 = 60_000_000

    static func verdict(on token: RefreshableDevice, now: Int64) -> Verdict {
        guard token.expiresAt > now else { return .expired }
        guard let usedAt = token.usedAt else { return .good }
        return token.successorWasUsed || now - usedAt > grace ? .copied : .good
    }
}
