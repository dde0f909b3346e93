import Reactor
import ServiceKit

/// One client link as both sides know it: the event loop that serves its connection, and the reactor that routes.
final class Session: @unchecked Sendable {
    // Sendable: `handler` is touched on the event loop only, all marked so on the reactor only.

    /// 15 characters: Swift keeps those without an allocation.
    let id: String
    let address: String
    let loop: EdgeLoop
    /// Nil once the connection is gone. Event loop only.
    var handler: SessionHandler?
    /// Whose it is; nil: nobody signed in.
    @ReactorActor var identity: AccessToken?
    /// Revoked or gone: what still comes from it is not routed.
    @ReactorActor var hasEnded = false
    /// It will be sent back to sync in a moment.
    @ReactorActor var isToResync = false

    init(address: String, loop: EdgeLoop) {
        id = Self.makeID()
        self.address = address
        self.loop = loop
    }

    private static func makeID() -> String {
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        var high = UInt64.random(in: .min ... .max)
        var low = UInt64.random(in: .min ... .max)
        return String(unsafeUninitializedCapacity: 15) { buffer in
            for index in 0..<15 {
                if index < 8 {
                    buffer[index] = letters[Int(high % 62)]
                    high /= 62
                } else {
                    buffer[index] = letters[Int(low % 62)]
                    low /= 62
                }
            }
            return 15
        }
    }
}
