/// The tokens of a signed-in device. Keep them secret.
public struct Credentials: Hashable, Sendable, Codable {
    /// User id.
    public var user: String
    /// Device id.
    public var device: String
    /// The token that signs a session in (in Hello or Authenticate). It expires after a few minutes.
    public var accessToken: String
    /// When the access token expires, in microseconds UTC.
    public var accessEndsUs: Int64
    /// The token that is exchanged for new tokens; each refresh returns a new one. The old one may be used again for
    /// one minute, as long as no token that it returned was used. Later, it signs the device out.
    public var refreshToken: String
    /// When the refresh token expires, in microseconds UTC.
    public var refreshEndsUs: Int64
    /// What shows that this person signed in on this device before; nil in credentials of an earlier version. It gives
    /// no access. With it, nobody who tries wrong passwords elsewhere keeps this device from signing in again.
    public var knownDevice: String?
    /// The URL of the server whose they are, where whoever keeps them notes it.
    public var server: String?
    /// What the server is still to be told, where the sign-in has ended on this device alone; nil: it goes on.
    public var signOut: PendingSignOut?

    /// A sign-out that the server does not know of yet.
    public struct PendingSignOut: Hashable, Sendable, Codable {
        /// Whether it is one of all my devices.
        public var everywhere: Bool
        /// Whether the secret link to my calendar ends, too.
        public var endingCalendarLink: Bool

        public init(everywhere: Bool, endingCalendarLink: Bool) {
            (self.everywhere, self.endingCalendarLink) = (everywhere, endingCalendarLink)
        }
    }

    /// Creates credentials from stored values.
    public init(
        user: String, device: String, accessToken: String, accessEndsUs: Int64, refreshToken: String,
        refreshEndsUs: Int64, knownDevice: String? = nil
    ) {
        (self.user, self.device) = (user, device)
        (self.accessToken, self.accessEndsUs) = (accessToken, accessEndsUs)
        (self.refreshToken, self.refreshEndsUs) = (refreshToken, refreshEndsUs)
        self.knownDevice = knownDevice
    }

    /// Creates credentials from the server's reply.
    public init(_ signedIn: Parley_V1_SignedIn) {
        self.init(
            user: signedIn.user.id, device: signedIn.device, accessToken: signedIn.accessToken,
            accessEndsUs: signedIn.accessEndsUs, refreshToken: signedIn.refreshToken,
            refreshEndsUs: signedIn.refreshEndsUs, knownDevice: signedIn.knownDevice)
    }
}

/// Storage for credentials that outlives the process, such as the keychain or a file that only its owner may read.
public protocol CredentialStore: Sendable {
    /// Returns the credentials saved last; nil when nobody is signed in.
    func load() async throws -> Credentials?
    /// Saves credentials in place of the earlier ones; nil removes them. They must be durable when this returns,
    /// because the old refresh token can be used again for one minute only, and not after the new tokens were used.
    func save(_ credentials: Credentials?) async throws
    /// Runs a refresh while no other process with the same storage refreshes. The server lets two processes use one
    /// refresh token within a minute, whichever reply is saved last; later, it takes it for a stolen one.
    func exclusively(_ refresh: @Sendable () async throws -> Void) async throws
}

extension CredentialStore {
    /// Runs the refresh without a lock: for a store that only one process uses.
    public func exclusively(_ refresh: @Sendable () async throws -> Void) async throws { try await refresh() }
}
