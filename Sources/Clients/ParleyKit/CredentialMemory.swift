import NIOConcurrencyHelpers
// An app that keeps tokens in its own way needs these two names, and nothing else of the module.
@_exported import protocol ParleyClient.CredentialStore
@_exported import struct ParleyClient.Credentials

/// Keeps the tokens of a signed-in device until the process ends, for tests and for commands.
///
///     options.credentials = CredentialMemory()
public final class CredentialMemory: CredentialStore {
    private let kept: NIOLockedValueBox<Credentials?>

    /// Creates a store in which nobody is signed in.
    public init() { kept = .init(nil) }

    init(_ credentials: Credentials) { kept = .init(credentials) }

    public func load() async throws -> Credentials? { kept.withLockedValue { $0 } }

    public func save(_ credentials: Credentials?) async throws { kept.withLockedValue { $0 = credentials } }
}
