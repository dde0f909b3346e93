import ArgumentParser
import Foundation
import ParleyClient

/// A command of a signed-in person.
protocol PersonCommand: AsyncParsableCommand {
    var connection: ConnectionOptions { get }

    func run(as me: Person) async throws
}

extension PersonCommand {
    func run() async throws {
        let me = try await Person.signedIn(connection)
        do {
            try await run(as: me)
        } catch {
            await me.client.close()
            throw error
        }
        await me.client.close()
    }
}

/// A signed-in person, and the names of the people they talk with.
struct Person: Sendable {
    let client: ParleyClient
    let user: String
    let names: Names
    let isJSON: Bool

    init(client: ParleyClient, user: String, isJSON: Bool = false) {
        (self.client, self.user, self.isJSON) = (client, user, isJSON)
        names = Names(client: client, me: user)
    }

    /// Connects with the profile's sign-in.
    static func signedIn(_ options: ConnectionOptions) async throws -> Person {
        let store = try options.store()
        guard let content = try store.content() else {
            let profile = options.isProfileChosen ? " with profile \(options.profileName)" : ""
            throw Failure(
                .unauthenticated, "Nobody is signed in\(profile).",
                advice: "To sign in: \(ParleyCommand.invocation) login USERNAME. "
                    + "To create an account: \(ParleyCommand.invocation) register USERNAME",
                exitCode: .notSignedIn)
        }
        guard content.url == options.resolvedURL else {
            throw Failure(
                .unauthenticated, "\(content.username) is signed in at \(content.url), not at \(options.resolvedURL).",
                advice: "Use --url \(content.url), or sign in to the other server with another --profile.",
                exitCode: .notSignedIn)
        }
        let client = ParleyClient(
            url: options.resolvedURL, options: options.client, store: store)
        let welcome = try await client.connect()
        return Person(
            client: client, user: welcome.user.isEmpty ? await client.user : welcome.user, isJSON: options.json)
    }

    /// Connects without a sign-in, for a command that registers or signs in.
    static func signedOut(_ options: ConnectionOptions, store: CredentialFile) async throws -> ParleyClient {
        let client = ParleyClient(
            url: options.resolvedURL, options: options.client, store: store)
        try await client.connect(token: "")
        return client
    }

    static func clientOptions(_ link: Link.Options) -> ParleyClient.Options {
        ParleyClient.Options(
            name: "parley-command", timeZone: TimeZone.current.identifier,
            backoff: Backoff(first: .milliseconds(100), last: .seconds(5)), link: link)
    }

    // MARK: Arguments

    /// Looks up a user by a username as people write it: "bob" or "@bob".
    func user(named text: String) async throws -> Parley_V1_User {
        let username = text.hasPrefix("@") ? String(text.dropFirst()) : text
        do throws(ParleyError) {
            let user = try await client.findUser(username)
            await names.learn(user)
            return user
        } catch {
            guard error.hasCode(.userNotFound) else { throw error }
            throw Failure(.userNotFound, "There is nobody with the username \(username).")
        }
    }

    /// Returns the id of a conversation that is named by its id, a username or a group's name.
    /// - Parameter starting: whether to start a direct conversation that does not exist yet.
    func conversation(named text: String, starting: Bool) async throws -> String {
        if Self.isConversation(text) { return text }
        do {
            let other = try await user(named: text)
            if starting {
                let reply = try await client.startDirect(with: other.id)
                await names.learn(reply.conversation)
                return reply.conversation.id
            }
            return Self.direct(user, other.id)
        } catch let error as Failure where error.hasCode(.userNotFound) {
            let groups = try await names.groups(named: text)
            switch groups.count {
            case 1: return groups[0]
            case 0:
                throw Failure(
                    .notFound, "There is nobody with the username \(text), and you have no group of this name.")
            default:
                throw Failure(
                    .notFound, "\(groups.count) of your groups are called \(text).",
                    advice: (["Use the id of one of them:"] + groups).joined(separator: "\n  "))
            }
        }
    }

    /// Whether the text has the form of a conversation's id instead of a username.
    static func isConversation(_ text: String) -> Bool {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        let isID = { (part: Substring) in
            (1...64).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        switch parts.count {
        case 1: return text.utf8.count == 32 && text.allSatisfy { $0.isHexDigit && !$0.isUppercase }
        case 2: return parts.allSatisfy(isID)
        default: return false
        }
    }

    /// Returns the id of the direct conversation of two people.
    static func direct(_ one: String, _ other: String) -> String {
        one.utf8.lexicographicallyPrecedes(other.utf8) ? "\(one)_\(other)" : "\(other)_\(one)"
    }
}
