import Foundation
import ParleyClient

/// Alice, Bob and Charlie. Their password is generated for this folder. It is kept there with their sign-ins, so that a
/// restart needs no new sign-in.
struct SamplePeople {
    struct Description: Sendable {
        var username: String
        var displayName: String
    }

    static let everybody = [
        Description(username: "alice", displayName: "AliceJohnson"),
        Description(username: "bob", displayName: "BobSmith"),
        Description(username: "charlie", displayName: "CharlieBrown"),
    ]

    var url: String
    /// The options of the connection to it.
    var link = Link.Options()
    var folder: String
    /// The people's password; nil for the one in the folder.
    var password: String?

    /// Signs all of them in, and creates missing accounts.
    /// - Parameter note: called with a message when it has to wait.
    func signIn(note: @escaping @Sendable (String) -> Void) async throws -> [Person] {
        let password = try password ?? Self.password(in: folder)
        var people: [Person] = []
        for description in Self.everybody {
            let store = CredentialFile(
                path: "\(folder)/sample/\(description.username).json", url: url, username: description.username)
            if let person = try await reconnect(store) {
                people.append(person)
                continue
            }
            let client = ParleyClient(url: url, options: Person.clientOptions(link), store: store)
            try await client.connect(token: "")
            let user = try await Self.afterRateLimit(note) { try await registerOrSignIn(client, description, password) }
            people.append(Person(client: client, user: user))
        }
        return people
    }

    /// Connects with the stored sign-in; nil if there is none or it is no longer valid.
    private func reconnect(_ store: CredentialFile) async throws -> Person? {
        guard let held = try? await store.load() else { return nil }
        let client = ParleyClient(url: url, options: Person.clientOptions(link), store: store)
        do throws(ParleyError) {
            try await client.connect()
            return Person(client: client, user: held.user)
        } catch {
            await client.close()
            guard Failure(error).exitCode == .notSignedIn || error.hasCode(.connectionLost) else { throw error }
            try await store.save(nil)
            return nil
        }
    }

    /// Registers a person, or signs them in if the account exists. Registering first saves one of the few sign-ins per
    /// minute.
    private func registerOrSignIn(
        _ client: ParleyClient, _ person: Description, _ password: String
    ) async throws -> String {
        do throws(ParleyError) {
            return try await client.register(
                username: person.username, password: password, displayName: person.displayName,
                deviceName: "sample person"
            ).user.id
        } catch {
            guard error.hasCode(.usernameTaken) else { throw error }
        }
        do throws(ParleyError) {
            return try await client.signIn(username: person.username, password: password, deviceName: "sample person")
                .user.id
        } catch {
            guard error.hasCode(.wrongCredentials) else { throw error }
            throw Failure(
                .wrongCredentials,
                "\(person.username) already has an account, with another password than the one in \(folder).",
                advice: "Name the folder that has its password with --folder, or set PARLEY_PASSWORD.")
        }
    }

    /// Repeats a rate-limited request when the server allows it.
    private static func afterRateLimit<T>(
        _ note: @Sendable (String) -> Void, _ body: () async throws -> T
    ) async throws -> T {
        while true {
            do {
                return try await body()
            } catch let error as ParleyError where error.hasCode(.rateLimited) && error.retryAfterMs > 0 {
                note(
                    "Rate limit reached. The next sample person follows in \((error.retryAfterMs + 999) / 1000) s."
                )
                try await Task.sleep(for: .milliseconds(error.retryAfterMs))
            }
        }
    }

    /// Returns the sample people's password, and generates it the first time.
    static func password(in folder: String) throws -> String {
        let path = "\(folder)/sample-password"
        if let held = FileManager.default.contents(atPath: path) {
            let text = String(decoding: held, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if text.count >= 8 { return text }
        }
        // People type the password, so it has no letters that look alike.
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        var generator = SystemRandomNumberGenerator()
        let groups = (0..<3).map { _ in
            String((0..<4).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
        }
        let password = groups.joined(separator: "-")
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data((password + "\n").utf8), attributes: [.posixPermissions: 0o600])
        else {
            throw Failure(.noPermission, "Cannot write \(path).", advice: "Choose another folder with --folder.")
        }
        return password
    }
}
