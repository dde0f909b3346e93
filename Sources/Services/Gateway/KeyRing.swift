import Schema
import ServiceKit
import Synchronization

/// The keys that check access tokens, shared by all event loops.
final class KeyRing: Sendable {
    private let keys = Mutex<[String: AccessToken.CheckingKey]>([:])

    func replace(by keys: [String: AccessToken.CheckingKey]) {
        self.keys.withLock { $0 = keys }
    }

    /// - Parameter now: microseconds UTC.
    func verify(_ token: String, at now: Int64) throws(AccessToken.Flaw) -> AccessToken {
        try AccessToken.verify(token, keys: keys.withLock { $0 }, now: Timestamp(now))
    }
}
