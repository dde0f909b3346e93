import Glibc
import Schema
import ServiceKit
import Synchronization

/// The rules for all sessions of a gateway, in the form that the hot path needs.
final class SessionRules: Sendable {
    let limits: GatewayLimits
    /// Method prefixes such as "messaging."; the index is the service's number.
    let prefixes: [String]
    /// How often a session or another connection may send requests.
    let requests: RateLimit
    /// How often a session may send frames of any kind.
    let frames: RateLimit
    /// How often all sessions of one account may send requests, and all of one address that are not signed in.
    let requestsTogether: RateLimit
    let framesTogether: RateLimit
    /// How often an address may open connections.
    let connections: RateLimit
    /// Connections that are not sessions.
    let newcomersMax: Int
    let helloTimeout: Int64
    let silenceTimeout: Int64
    let anonymousTimeout: Int64
    let closeTimeout: Int64
    let deadlineMs: UInt32
    let deadlineMaxMs: UInt32
    /// What messaging allows at most, until it has said what it allows.
    private let text = Atomic<UInt32>(16 * 1024)

    init(limits: GatewayLimits, services: [String]) {
        self.limits = limits
        prefixes = services.map { $0 + "." }
        requests = RateLimit(perSecond: limits.requestsPerSecond, burst: limits.requestsBurst)
        frames = RateLimit(
            perSecond: max(limits.framesPerSecond, limits.requestsPerSecond),
            burst: max(limits.framesBurst, limits.requestsBurst))
        requestsTogether = RateLimit(
            perSecond: max(limits.accountRequestsPerSecond, limits.requestsPerSecond),
            burst: max(limits.accountRequestsBurst, limits.requestsBurst))
        framesTogether = RateLimit(
            perSecond: max(limits.accountFramesPerSecond, limits.framesPerSecond, limits.requestsPerSecond),
            burst: max(limits.accountFramesBurst, limits.framesBurst, limits.requestsBurst))
        connections = RateLimit(
            perSecond: limits.addressConnectionsPerSecond, burst: limits.addressConnectionsBurst)
        newcomersMax = limits.newcomers > 0 ? limits.newcomers : max(256, limits.connections / 20)
        helloTimeout = limits.helloTimeout.microseconds
        silenceTimeout = limits.silenceTimeout.microseconds
        anonymousTimeout = limits.anonymousTimeout.microseconds
        closeTimeout = limits.closeTimeout.microseconds
        deadlineMs = UInt32(clamping: limits.deadline.milliseconds)
        deadlineMaxMs = UInt32(clamping: limits.deadlineMax.milliseconds)
    }

    /// How many bytes a message's text may have. Messaging owns the limit; clients are told.
    var textBytes: UInt32 {
        get { text.load(ordering: .relaxed) }
        set { text.store(newValue, ordering: .relaxed) }
    }

    /// Returns the service that answers `method`, or nil if clients may not call it.
    func service(of method: String) -> Int? {
        prefixes.firstIndex { prefix in
            method.utf8.count > prefix.utf8.count && method.utf8.starts(with: prefix.utf8)
        }
    }

    /// The limits as sent to clients in the welcome.
    var welcomeLimits: Limits {
        Limits(
            frameBytes: UInt32(limits.frameBytes), textBytes: textBytes,
            requestsInFlight: UInt32(min(limits.requestsInFlight, limits.requestsBurst)),
            requestsPerSecond: UInt32(limits.requestsPerSecond),
            requestsBurst: UInt32(limits.requestsBurst), pageSize: UInt32(limits.pageSize))
    }
}

/// An instant on two clocks, in microseconds. `steady` measures durations; `wall` is UTC, for use between processes.
struct Moment: Equatable {
    var steady: Int64
    var wall: Int64

    static var now: Moment {
        Moment(steady: read(CLOCK_MONOTONIC), wall: read(CLOCK_REALTIME))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
