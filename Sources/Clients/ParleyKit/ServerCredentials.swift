import ParleyClient

/// The sign-in of a store, which belongs to one server: no other one gets its tokens, and no other sign-in takes its
/// place. It throws ``ParleyError``, which the client passes on as it is.
struct ServerCredentials: CredentialStore {
    let store: any CredentialStore
    /// The URL of the server.
    let server: String
    /// URLs at which the same server was before.
    let formerServers: Set<String>

    /// Returns the sign-in, unless it has ended on this device.
    func load() async throws -> Credentials? {
        let found = try await loadAny()
        return found?.signOut == nil ? found : nil
    }

    /// Returns the sign-in, also one of whose end the server is still to be told.
    func loadAny() async throws -> Credentials? {
        let found = try await failing("read") { try await store.load() }
        if let owner = found?.server, owner != Self.name(server), !formerServers.map(Self.name).contains(owner) {
            throw Refusal.otherServer(owner).clientError
        }
        return found
    }

    func save(_ credentials: Credentials?) async throws {
        _ = try await loadAny()
        var new = credentials
        new?.server = Self.name(server)
        try await failing(credentials == nil ? "removed" : "kept") { [new] in try await store.save(new) }
    }

    func exclusively(_ refresh: @Sendable () async throws -> Void) async throws {
        try await store.exclusively(refresh)
    }

    private func failing<Value>(_ action: String, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw (error as? Refusal ?? .storage("The stored sign-in cannot be \(action): \(error)")).clientError
        }
    }

    /// The same for each way to write a URL.
    private static func name(_ url: String) -> String {
        do throws(ParleyError) {
            return try LinkAddress(url).url
        } catch {
            return url
        }
    }
}

extension Refusal {
    fileprivate var clientError: ParleyError { ParleyError(code: code.rawValue, message: message) }

    /// What an error of ``ServerCredentials`` says.
    init(ofCredentials error: any Error) {
        self =
            error as? Refusal ?? (error as? ParleyError).map(Refusal.init)
            ?? .storage("The stored sign-in cannot be used: \(error)")
    }
}
