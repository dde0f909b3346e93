import Reactor
import Schema
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
    /// What the person does in the session.
    @ReactorActor var doing = Doing()
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

/// What a person does in a session, as the gateway reports it. Pure.
struct Doing {
    /// A sign that the person still uses the session is reported once in this time, since nobody is away so soon.
    static let repeatedAfter = Duration.seconds(30)

    private(set) var activity = Activity()
    private var usedAt: ContinuousClock.Instant?
    private var reportedAt: ContinuousClock.Instant?

    /// - Returns: whether it is to be reported.
    mutating func set(_ activity: Activity, at now: ContinuousClock.Instant) -> Bool {
        let isNews = activity != self.activity || reportedAt.map { now - $0 >= Self.repeatedAfter } ?? true
        self.activity = activity
        if !activity.background { usedAt = now }
        if isNews { reportedAt = now }
        return isNews
    }

    /// How long ago the person last used the session, in milliseconds; negative: never.
    func idleMs(at now: ContinuousClock.Instant) -> Int64 { usedAt.map { max(0, (now - $0).milliseconds) } ?? -1 }
}
