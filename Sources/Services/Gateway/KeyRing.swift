import Schema
import ServiceKit
import Synchronization

/// The public keys that verify access tokens, shared by all event loops.
final class KeyRing: Sendable {
    private let keys = Mutex<[String: [UInt8]]>([:])

    func replace(by keys: [String: [UInt8]]) {
        self.keys.withLock { $0 = keys }
    }

    /// - Parameter now: microseconds UTC.
    func verify(_ token: String, at now: Int64) throws(AccessToken.Flaw) -> AccessToken {
        try AccessToken.verify(token, publicKeys: keys.withLock { $0 }, now: Timestamp(now))
    }
}
