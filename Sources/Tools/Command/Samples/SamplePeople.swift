import Foundation
import ParleyClient

/// Alice, Bob and Charlie. Their password is made for this folder and kept in it, as are their sign-ins, so that coming
/// back costs no sign-in.
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
    /// Of the connection to it.
    var link = Link.Options()
    var folder: String
    /// nil: the folder's.
    var password: String?

    /// Signs all of them in, making the accounts that do not exist.
    /// - Parameter note: is told when it has to wait.
    func signIn(note: @escaping @Sendable (String) -> Void) async throws -> [Person] {
        let password = try password ?? Self.password(in: folder)
        var people: [Person] = []
        for description in Self.everybody {
            let store = CredentialFile(
                path: "\(folder)/sample/\(description.username).json", url: url, username: description.username)
            if let person = try await comeBack(store) {
                people.append(person)
                continue
            }
            let client = ParleyClient(url: url, options: Person.clientOptions(link), store: store)
            try await client.connect(token: "")
            let user = try await Self.patiently(note) { try await enter(client, description, password) }
            people.append(Person(client: client, user: user))
        }
        return people
    }

    /// With the sign-in of last time; nil when it is of no use any more.
    private func comeBack(_ store: CredentialFile) async throws -> Person? {
        guard let held = try? await store.load() else { return nil }
        let client = ParleyClient(url: url, options: Person.clientOptions(link), store: store)
        do throws(ParleyError) {
            try await client.connect()
            return Person(client: client, user: held.user)
        } catch {
            await client.close()
            guard Failure(error).exitCode == .notSignedIn || error.code == "connection_lost" else { throw error }
            try await store.save(nil)
            return nil
        }
    }

    /// Registers, which tells whether the account exists without using up one of the few sign-ins of a minute.
    private func enter(_ client: ParleyClient, _ person: Description, _ password: String) async throws -> String {
        do throws(ParleyError) {
            return try await client.register(
                username: person.username, password: password, displayName: person.displayName,
                deviceName: "sample person"
            ).user.id
        } catch {
            guard error.code == "username_taken" else { throw error }
        }
        do throws(ParleyError) {
            return try await client.signIn(username: person.username, password: password, deviceName: "sample person")
                .user.id
        } catch {
            guard error.code == "wrong_credentials" else { throw error }
            throw Failure(
                "wrong_credentials",
                "\(person.username) has an account already, with another password than the one in \(folder).",
                advice: "Name the folder it was made in with --folder, or give the password in PARLEY_PASSWORD.")
        }
    }

    /// Repeats what was refused for being too much at once, when the server says it may.
    private static func patiently<T>(
        _ note: @Sendable (String) -> Void, _ body: () async throws -> T
    ) async throws -> T {
        while true {
            do {
                return try await body()
            } catch let error as ParleyError where error.code == "rate_limited" && error.retryAfterMs > 0 {
                note(
                    "The server asks to wait \((error.retryAfterMs + 999) / 1000) s before the next sample person."
                )
                try await Task.sleep(for: .milliseconds(error.retryAfterMs))
            }
        }
    }

    /// The sample people's password; made at first.
    static func password(in folder: String) throws -> String {
        let path = "\(folder)/sample-password"
        if let held = FileManager.default.contents(atPath: path) {
            let text = String(decoding: held, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if text.count >= 8 { return text }
        }
        // Without letters that look like others: people type it.
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
            throw Failure("no_permission", "Cannot write \(path).", advice: "Name another folder with --folder.")
        }
        return password
    }
}
