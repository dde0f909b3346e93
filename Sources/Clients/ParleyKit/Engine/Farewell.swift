import ParleyClient

/// Tells the server that a device has signed out, which it did without a connection.
struct Farewell: Sendable {
    private let ended: Credentials
    private let client: ParleyClient
    private let backoff: Backoff

    init(_ ended: Credentials, server: String, options: ParleyClient.Options) {
        self.ended = ended
        client = ParleyClient(url: server, options: options, store: CredentialMemory(ended))
        backoff = options.backoff
    }

    /// Returns once the server knows, or no longer takes this device for signed in.
    func say() async {
        var attempts = 0
        while !Task.isCancelled {
            do throws(ParleyError) {
                try await client.connect()
                try await client.signOut(
                    everywhere: ended.signOut?.everywhere ?? false,
                    endingCalendarLink: ended.signOut?.endingCalendarLink ?? false)
                break
            } catch {
                if error.hasCode(.unauthenticated, .revoked, .refreshRefused) { break }
            }
            try? await Task.sleep(for: backoff.wait(attempt: attempts))
            attempts += 1
        }
        await client.close()
    }
}
