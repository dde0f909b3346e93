import Foundation
import ParleyClient

/// Other people.
extension Parley {
    /// Returns the person with exactly this username.
    public func findUser(_ username: String) async throws(Refusal) -> User {
        try await ask { client throws(ParleyError) in User(try await client.findUser(username)) }
    }

    /// Returns up to 200 people. Unknown ids are left out.
    public func users(_ ids: [UserID]) async throws(Refusal) -> [User] {
        try await ask { client throws(ParleyError) in try await client.users(ids.map(\.rawValue)).map(User.init) }
    }

    /// Keeps ``presence`` up to date for up to 200 people, also after reconnecting. It replaces the people of the last
    /// call; none: nobody is watched.
    public func watchPresence(of users: [UserID]) async throws(Refusal) {
        let states = try await ask { client throws(ParleyError) in
            try await client.watchPresence(users.map(\.rawValue))
        }
        presence = Dictionary(states.map { (UserID(rawValue: $0.user), Presence($0)) }) { $1 }
    }
}
