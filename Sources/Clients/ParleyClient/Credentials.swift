/// What a signed-in device holds. Keep it secret.
public struct Credentials: Hashable, Sendable, Codable {
    /// User id.
    public var user: String
    /// Device id.
    public var device: String
    /// For Hello and Authenticate; lives minutes.
    public var accessToken: String
    /// Microseconds UTC.
    public var accessEndsUs: Int64
    /// Buys the next access token, once: it rotates.
    public var refreshToken: String
    /// Microseconds UTC.
    public var refreshEndsUs: Int64

    /// Credentials kept from earlier.
    public init(
        user: String, device: String, accessToken: String, accessEndsUs: Int64, refreshToken: String,
        refreshEndsUs: Int64
    ) {
        (self.user, self.device) = (user, device)
        (self.accessToken, self.accessEndsUs) = (accessToken, accessEndsUs)
        (self.refreshToken, self.refreshEndsUs) = (refreshToken, refreshEndsUs)
    }

    /// Credentials as the server gave them.
    public init(_ signedIn: Parley_V1_SignedIn) {
        self.init(
            user: signedIn.user.id, device: signedIn.device, accessToken: signedIn.accessToken,
            accessEndsUs: signedIn.accessEndsUs, refreshToken: signedIn.refreshToken,
            refreshEndsUs: signedIn.refreshEndsUs)
    }
}

/// Where credentials outlive the process: the keychain, a file only its owner may read.
public protocol CredentialStore: Sendable {
    /// What was saved last; nil when nobody is signed in.
    func load() async throws -> Credentials?
    /// Replaces what is saved; nil removes it. Must be durable when it returns: a refresh token works once only.
    func save(_ credentials: Credentials?) async throws
    /// Runs a refresh while no other process that keeps its credentials in the same place refreshes: of two that used
    /// the same refresh token, one would look like a thief.
    func exclusively(_ refresh: @Sendable () async throws -> Void) async throws
}

extension CredentialStore {
    /// For a store that belongs to one process.
    public func exclusively(_ refresh: @Sendable () async throws -> Void) async throws { try await refresh() }
}
