import HTTPClient
import Reactor

/// What an answer of a provider means.
indirect enum Verdict: Equatable, Sendable {
    case accepted(String?)
    case gone
    case refused(PushCode, String)
    /// This one device may get nothing more for now.
    case deviceBusy(pause: Int64?)
    /// The provider is busy or broken.
    case failing(PushCode, String, pause: Int64?)
    /// The credentials are not accepted. New ones are tried once; if there are none, or they are no better, it is the
    /// other.
    case renew(or: Verdict)
    /// Nothing will be accepted until an operator mends a setting.
    case blocked(PushCode, String)
}

/// One host of a provider: what is under way there, and whether it may be asked.
@ReactorActor
final class Provider {
    /// How long a device is left alone whose provider asks for it without saying how long.
    static let devicePause: Int64 = 60_000_000
    /// How long a provider is left alone that refuses everything.
    static let blockedPause: Int64 = 60_000_000
    /// When there is no place for a request.
    static let fullPause: Int64 = 200_000

    let name: String
    let host: String
    private let client: HTTPClient
    private let clock: PushClock
    private let requestsMax: Int
    private let report: @ReactorActor @Sendable (PushProblem) -> Void
    private var circuit = Circuit()
    private var underWay = 0
    /// Whether it has answered, and not failed since.
    private(set) var isKnown = false
    /// By how many microseconds the provider's clock is ahead of ours, as far as it matters.
    private var skew: Int64 = 0

    init(
        _ name: String, host: String, _ client: HTTPClient, _ options: PushOptions, requestsMax: Int,
        _ report: @escaping @ReactorActor @Sendable (PushProblem) -> Void
    ) {
        (self.name, self.host, self.client, self.clock) = (name, host, client, options.clock)
        (self.requestsMax, self.report) = (requestsMax, report)
    }

    /// Whether nothing would be lost with it.
    var isIdle: Bool { underWay == 0 && !circuit.isOpen }

    /// The time by the provider's clock, in microseconds since 1970.
    var now: Int64 { clock.wall() + skew }
    /// In microseconds; never goes back.
    var steady: Int64 { clock.steady() }

    /// Takes the provider's time from an answer that finds our signature too old or too young.
    /// - Returns: whether it differs from what was assumed by more than half a minute.
    func correctClock(by reply: HTTPReply) -> Bool {
        guard let date = reply.headers["date"], let seconds = HTTPDate.seconds(of: date) else { return false }
        let difference = seconds * 1_000_000 - now
        guard difference.magnitude > 30_000_000 else { return false }
        skew += difference
        let direction = skew > 0 ? "behind" : "ahead"
        say(.wrongClock, "this machine's clock is \((skew / 1_000_000).magnitude) s \(direction): set it")
        return true
    }

    /// Sends a request, and once more with new credentials if the answer asks for it.
    /// - Parameters:
    ///   - request: makes it with the credentials.
    ///   - judge: says what the answer means.
    func send(
        as credentials: any Credentials, _ request: (String) -> HTTPRequest, judge: (HTTPReply) -> Verdict
    ) async -> PushResult {
        guard underWay < requestsMax else { return .later(afterMicroseconds: Self.fullPause) }
        if let wait = circuit.admit(at: clock.steady()) { return .later(afterMicroseconds: wait) }
        underWay += 1
        defer { underWay -= 1 }
        var mayRenew = true
        while true {
            do {
                let used = try await credentials.current(for: self)
                let reply = try await client.send(request(used))
                let verdict = judge(reply)
                guard case .renew(let otherwise) = verdict else { return settle(verdict) }
                guard mayRenew, credentials.renew(used, after: reply, for: self) else { return settle(otherwise) }
                mayRenew = false
            } catch let stopped as Stopped {
                return settle(stopped.verdict)
            } catch {
                return settle(error)
            }
        }
    }

    private func settle(_ verdict: Verdict) -> PushResult {
        isKnown = true
        switch verdict {
        case .accepted(let id):
            circuit.answered()
            return .accepted(providerID: id)
        case .gone:
            circuit.answered()
            return .gone
        case .refused(let code, let text):
            circuit.answered()
            return .refused(code: code.rawValue, text: text)
        case .deviceBusy(let pause):
            // Where every device is busy, the provider is.
            let wait = circuit.failed(at: clock.steady())
            return .later(afterMicroseconds: max(wait, min(pause ?? Self.devicePause, Circuit.retryAfterMax)))
        case .failing(let code, let text, let pause):
            return fail(code, text, pause)
        case .renew(let otherwise): return settle(otherwise)
        case .blocked(let code, let text):
            let wasOpen = circuit.isOpen
            let wait = circuit.block(at: clock.steady(), for: Self.blockedPause)
            if !wasOpen { say(code, text) }
            return .later(afterMicroseconds: wait)
        }
    }

    private func settle(_ failure: any Error) -> PushResult {
        switch failure as? HTTPFailure {
        case .unreachable(let why), .timedOut(let why), .source(let why):
            return fail(.unreachable, "\(host) cannot be reached: \(why)", nil)
        case .tooLarge: return fail(.strange, "\(host) sent an answer that is too long", nil)
        case .inside:
            circuit.cancelled()
            return .refused(
                code: PushCode.inside.rawValue,
                text: "the endpoint's host \(host) is on a private network or this machine")
        case .invalid(let why):
            circuit.cancelled()
            return .refused(code: PushCode.invalid.rawValue, text: "its address cannot be used: \(why)")
        case .overloaded, nil:
            circuit.cancelled()
            return .later(afterMicroseconds: Self.fullPause)
        }
    }

    private func fail(_ code: PushCode, _ text: String, _ pause: Int64?) -> PushResult {
        isKnown = false
        let wasOpen = circuit.isOpen
        let wait = circuit.failed(at: clock.steady(), pause: pause)
        if !wasOpen, circuit.isOpen { say(code, text) }
        return .later(afterMicroseconds: wait)
    }

    private func say(_ code: PushCode, _ text: String) {
        report(PushProblem(provider: name, host: host, code: code, text: text))
    }
}

/// What a provider knows us by.
@ReactorActor
protocol Credentials: AnyObject {
    func current(for provider: Provider) async throws(Stopped) -> String
    /// Replaces those that were refused, if that may help.
    /// - Returns: whether there are others now.
    func renew(_ refused: String, after reply: HTTPReply, for provider: Provider) -> Bool
}

/// A request is not sent, because of what was found out before.
struct Stopped: Error {
    let verdict: Verdict
}

extension HTTPReply {
    /// What `Retry-After` says, in microseconds: seconds or a date (RFC 9110, section 10.2.3).
    /// - Parameter now: in microseconds since 1970.
    func retryAfter(at now: Int64) -> Int64? {
        guard let text = headers["retry-after"] else { return nil }
        if let seconds = Int64(text) { return max(0, min(seconds, 86_400)) * 1_000_000 }
        guard let date = HTTPDate.seconds(of: text) else { return nil }
        return max(0, min(date - now / 1_000_000, 86_400)) * 1_000_000
    }

    var isHTML: Bool { headers["content-type"]?.hasPrefix("text/html") ?? false }
}

/// Dates of HTTP headers in the form that servers must send (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970; nil if it is none.
    static func seconds(of text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])),
            let day = Int64(parts[1]), let year = Int64(parts[3]), 1970...9999 ~= year, 1...31 ~= day
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, 0...23 ~= clock[0], 0...59 ~= clock[1], 0...60 ~= clock[2] else { return nil }
        // The year begins in March, so that the day that some years add is its last.
        let (shifted, place) = (month < 2 ? year - 1 : year, Int64((month + 10) % 12))
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + (place * 306 + 5) / 10 + day - 1
        return (days - 719_468) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}
