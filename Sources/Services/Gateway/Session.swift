import Reactor
import ServiceKit

/// One client link, shared by the event loop that serves its connection and the reactor that routes.
final class Session: @unchecked Sendable {
    // Sendable: only the event loop touches `handler`, and only the reactor the properties marked `@ReactorActor`.

    /// 15 characters, which Swift stores without an allocation.
    let id: String
    let address: String
    let loop: EdgeLoop
    /// nil once the connection is gone. Event loop only.
    var handler: SessionHandler?
    /// The token the session signed in with; nil if it is anonymous.
    @ReactorActor var identity: AccessToken?
    /// Whether the session was revoked or its connection is gone. Its requests are no longer routed.
    @ReactorActor var hasEnded = false
    /// Whether the session is about to be sent back to sync.
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
