import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Makes the tokens of a device: access tokens, which it signs, and refresh tokens, of which only the hash is stored.
@ReactorActor
final class TokenMaker {
    private let context: ServiceContext
    private var key: AccessToken.Key?
    private let accessLifetime: Duration
    private let refreshLifetime: Duration

    /// A new refresh token, to be stored and sent to its owner.
    struct Refresh {
        /// `ACCOUNT.SECRET`, with the account's number sealed. The number finds the row, the secret proves possession.
        let text: String
        let hash: [UInt8]
        let expiresAt: Timestamp
    }

    init(_ context: ServiceContext) {
        self.context = context
        accessLifetime = .seconds(context.settings.integer("tokens.access-seconds"))
        refreshLifetime = .seconds(context.settings.integer("tokens.refresh-days") * 86_400)
    }

    /// Loads the newest signing key, or makes the first one.
    func loadKeys() async throws {
        key = try await context.database.first(ConversationsStore.newestSigningKey)
        guard key == nil else { return }
        let made = AccessToken.Key(
            id: Sodium.randomText(12), signing: Sodium.SigningKey.make(), seal: Sodium.randomBytes(32))
        try await context.database.execute(
            ConversationsStore.addSigningKey, .text(made.id), .bytes(made.signing.publicKey),
            .bytes(made.signing.secretKey), .bytes(made.seal), .number(context.clock.now))
        key = made
    }

    private static let refreshPurpose = "refresh token"

    func makeRefresh(account: AccountNumber) throws -> Refresh {
        let secret = Sodium.randomText(43)
        let number = withUnsafeBytes(of: account.rawValue.bigEndian, Array.init)
        return Refresh(
            text: "\(try context.sealer.seal(number, for: Self.refreshPurpose)).\(secret)",
            hash: Sodium.hash(Array(secret.utf8)),
            expiresAt: context.clock.now + refreshLifetime)
    }

    /// Returns nil if the text is no refresh token of this server.
    func parseRefresh(_ text: String) async throws -> (account: AccountNumber, hash: [UInt8])? {
        guard let dot = text.firstIndex(of: "."),
            let number = try await context.sealer.open(String(text[..<dot]), for: Self.refreshPurpose),
            number.count == 8
        else { return nil }
        return (
            AccountNumber(number.reduce(0) { $0 << 8 | Int64($1) }),
            Sodium.hash(Array(text[text.index(after: dot)...].utf8))
        )
    }

    /// - Parameter now: when the device signed in or refreshed, read under its lock, so that a later sign-out voids the
    ///   token.
    func signedIn(_ user: User, account: AccountNumber, device: String, at now: Timestamp, refresh: Refresh) throws
        -> SignedIn
    {
        guard let key else {
            throw Refusal.unavailable("The service is starting. Try again shortly.", retryAfter: .milliseconds(500))
        }
        // Whole seconds, as in a JWT, so that the device learns when its session really ends.
        let expiresAt = Timestamp((now + accessLifetime).seconds * 1_000_000)
        let token = AccessToken(user: user.id, account: account, device: device, issuedAt: now, expiresAt: expiresAt)
        return SignedIn(
            user: user, device: device, accessToken: token.signed(with: key),
            accessEndsUs: token.expiresAt.rawValue, refreshToken: refresh.text,
            refreshEndsUs: refresh.expiresAt.rawValue, knownDevice: try makeKnown(account))
    }

    // MARK: Devices that signed in before

    private static let knownPurpose = "known device"

    /// Makes what a device keeps to show that this account signed in on it. It gives no access.
    private func makeKnown(_ account: AccountNumber) throws -> String {
        let number = withUnsafeBytes(of: account.rawValue.bigEndian, Array.init)
        return try context.sealer.seal(number, for: Self.knownPurpose)
    }

    /// Whether `text` was made for this account; false for any other text.
    func isKnown(_ text: String, to account: AccountNumber?) async throws -> Bool {
        guard !text.isEmpty, let number = try await context.sealer.open(text, for: Self.knownPurpose) else {
            return false
        }
        return number.count == 8 && AccountNumber(number.reduce(0) { $0 << 8 | Int64($1) }) == account
    }
}
