import Foundation
import ParleyClient

/// Other people.
extension Parley {
    /// Returns the person with exactly this username.
    public func findUser(_ username: String) async throws(Refusal) -> User {
        try await ask { client throws(ParleyError) in User(try await client.findUser(username)) }
    }

    /// Returns people with a text in their names, ignoring case and accents; those who match best come first.
    /// - Parameters:
    ///   - isPicker: leaves out me and whom I blocked, since I cannot write to them.
    ///   - limit: at most 200.
    /// - Throws: `invalid` when the text is empty or too long; `rate_limited`; `offline` without a connection.
    public func searchUsers(_ text: String, isPicker: Bool = false, limit: Int = 50) async throws(Refusal) -> [User] {
        let limit = min(max(limit, 1), 200)
        return try await ask { client throws(ParleyError) in
            var (users, cursor): ([User], String) = ([], "")
            // Pages may be short, or empty, although more follow.
            for _ in 0..<20 {
                let reply = try await client.searchUsers(
                    text, toWriteTo: isPicker, cursor: cursor, limit: UInt32(limit - users.count))
                users += reply.users.map(User.init)
                guard reply.more, users.count < limit else { break }
                cursor = reply.cursor
            }
            return users
        }
    }

    /// Reports a person to the operator.
    /// - Parameter note: at most 2,048 bytes.
    /// - Throws: `user_not_found`, `rate_limited`; `invalid` when the note is too long; `offline` without a connection.
    public func report(_ user: UserID, for reason: ReportReason, note: String = "") async throws(Refusal) {
        try await ask { client throws(ParleyError) in
            try await client.report(user.rawValue, reason: reason.stored, note: note)
        }
    }

    /// Reports a message to the operator, who reads it then, also if it is deleted meanwhile.
    /// - Parameter note: at most 2,048 bytes.
    /// - Throws: `not_found`, `rate_limited`; `invalid` when the note is too long, or for a system message or one that
    ///   is not sent yet; `offline` without a connection.
    public func report(_ message: Message, for reason: ReportReason, note: String = "") async throws(Refusal) {
        guard let sender = message.sender, let seq = message.seq else {
            throw Refusal(.invalid, "Only a message that somebody sent can be reported.", field: "message")
        }
        try await ask { client throws(ParleyError) in
            try await client.report(
                sender.rawValue, message: (message.conversation.rawValue, seq), reason: reason.stored, note: note)
        }
    }

    /// Returns up to 200 people. Unknown ids are left out.
    public func users(_ ids: [UserID]) async throws(Refusal) -> [User] {
        try await ask { client throws(ParleyError) in try await client.users(ids.map(\.rawValue)).map(User.init) }
    }

    /// Keeps ``presence`` up to date for up to 200 people, whenever there is a connection. It replaces the people of
    /// the last call; none: nobody is watched.
    /// - Throws: `invalid` when they are too many.
    public func watchPresence(of users: [UserID]) async throws(Refusal) {
        watched = (users, nil)
        presence = presence.filter { users.contains($0.key) }
        if connection == .online { try await watchPeople() }
    }

    /// Tells a new client whom to watch.
    func watchAgain() async {
        do {
            try await watchPeople()
        } catch {
            // The app was told so when it named them.
        }
    }

    /// Tells the client whom to watch, which it then does over its reconnections.
    private func watchPeople() async throws(Refusal) {
        guard let client else { return }
        let people = watched.people
        watched.by = client
        do {
            let states = try await client.watchPresence(people.map(\.rawValue))
            guard client === self.client, people == watched.people else { return }
            presence = Dictionary(states.map { (UserID(rawValue: $0.user), Presence($0)) }) { $1 }
        } catch {
            // The client asks again by itself.
            if error.isRetriable || error.hasCode(.closed, .cancelled) { return }
            throw Refusal(error)
        }
    }
}
