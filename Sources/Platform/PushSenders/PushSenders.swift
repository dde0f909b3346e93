import Glibc
import HTTPClient
import Reactor

/// The keys, and where the providers are.
public struct PushOptions: Sendable {
    public var apns: APNsKey?
    public var fcm: FCMAccount?
    public var vapid: VAPIDKey?
    public var addresses = PushAddresses()
    /// A file of authorities in PEM that alone are trusted; nil: those of the system.
    public var authorities: String?
    /// Whether endpoints of browsers may be on private networks or this machine. Others than tests leave it off, since
    /// people give them.
    public var mayReachInside = false
    /// The most requests under way to one provider; of browsers' services, to one host.
    public var requestsMax = 1000
    /// Of one request.
    public var timeout: Duration = .seconds(20)
    public var clock = PushClock()

    public init(apns: APNsKey? = nil, fcm: FCMAccount? = nil, vapid: VAPIDKey? = nil) {
        (self.apns, self.fcm, self.vapid) = (apns, fcm, vapid)
    }
}

/// The times that senders need. Tests pass their own.
public struct PushClock: Sendable {
    /// In microseconds since 1970.
    public var wall: @Sendable () -> Int64
    /// In microseconds; never goes back.
    public var steady: @Sendable () -> Int64

    public init(
        wall: @escaping @Sendable () -> Int64 = { PushClock.read(CLOCK_REALTIME) },
        steady: @escaping @Sendable () -> Int64 = { PushClock.read(CLOCK_MONOTONIC) }
    ) {
        (self.wall, self.steady) = (wall, steady)
    }

    /// What a clock of the system shows.
    public static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

/// Sends notices to devices by the provider that each names.
///
/// A provider that fails is left alone for a while (``Circuit``) and does not hold up the others; so is each host of
/// browsers' services. Nothing is queued here: the caller sends again what came back as `later`.
@ReactorActor
public final class PushSenders: PushSender {
    private let senders: [PushTransport: any PushSender]

    /// - Parameter report: gets what an operator should know, once each time that a provider stops working.
    public init(_ options: PushOptions, report: @escaping @ReactorActor @Sendable (PushProblem) -> Void) {
        var senders: [PushTransport: any PushSender] = [:]
        if let key = options.apns {
            let addresses = options.addresses
            senders[.apns] = APNsSender("apns", addresses.apns, key, options, report)
            senders[.apnsSandbox] = APNsSender("apns-sandbox", addresses.apnsSandbox, key, options, report)
        }
        if let account = options.fcm {
            let sender = FCMSender(account, options, report)
            (senders[.fcm], senders[.fcmInstallation]) = (sender, sender)
        }
        if let key = options.vapid { senders[.web] = WebPushSender(key, options, report) }
        self.senders = senders
    }

    /// Those over which it sends, since it has their keys.
    public var transports: [PushTransport] { PushTransport.allCases.filter { senders[$0] != nil } }

    public func send(_ notice: PushNotice) async -> PushResult {
        guard let sender = senders[notice.transport] else {
            return .refused(
                code: PushCode.noKey.rawValue, text: "no key for \(notice.transport) is configured on this server")
        }
        return await sender.send(notice)
    }
}
