import HTTPClient
import Reactor

/// Sends notices to browsers by their makers' services (RFC 8030), which the endpoints name.
@ReactorActor
final class WebPushSender: PushSender {
    /// The most hosts whose state is kept. Real services have a few; endpoints that people make up may have any.
    static let hostsMax = 1024
    /// The most requests under way to one host.
    static let perHostMax = 100

    /// The most connections, and of them those to hosts that have not answered. So whoever makes up endpoints that
    /// are silent cannot take all.
    static let connectionsMax = 64
    static let strangersMax = 24

    private let key: VAPIDKey
    private let options: PushOptions
    private let client: HTTPClient
    private let report: @ReactorActor @Sendable (PushProblem) -> Void
    private var hosts: [String: WebPushHost] = [:]
    private var strangers = 0

    init(
        _ key: VAPIDKey, _ options: PushOptions, _ report: @escaping @ReactorActor @Sendable (PushProblem) -> Void
    ) {
        (self.key, self.options, self.report) = (key, options, report)
        client = HTTPClient(
            .init(
                requestsMax: options.requestsMax, connectionsMax: Self.connectionsMax, silence: options.timeout * 2,
                timeout: options.timeout, mayReachInside: options.mayReachInside, authorities: options.authorities,
                multiplexes: true, connectionsPerHostMax: 2))
    }

    func send(_ notice: PushNotice) async -> PushResult {
        let body: [UInt8]
        let checked: CheckedNotice
        let endpoint: Endpoint
        do throws(Unsendable) {
            endpoint = try Endpoint(notice.token)
            checked = try CheckedNotice(notice)
            body = try checked.webPayload()
        } catch {
            return .refused(code: error.code.rawValue, text: error.text)
        }
        // Apple's browsers end a subscription that shows nothing.
        if notice.silent, endpoint.isApple { return .accepted(providerID: nil) }
        guard let host = host(endpoint) else { return .later(afterMicroseconds: Provider.devicePause) }
        let isStranger = !host.provider.isKnown
        guard !isStranger || strangers < Self.strangersMax else {
            return .later(afterMicroseconds: Provider.fullPause)
        }
        strangers += isStranger ? 1 : 0
        defer { strangers -= isStranger ? 1 : 0 }
        let headers = checked.webHeaders(at: host.provider.now)
        return await host.provider.send(as: host) { used in
            HTTPRequest(
                "POST", notice.token, headers: headers + [("Authorization", used)], body: .bytes(body),
                replyBytesMax: 16 * 1024)
        } judge: { reply in
            Self.verdict(of: reply, host: endpoint.host, at: host.provider.now)
        }
    }

    private func host(_ endpoint: Endpoint) -> WebPushHost? {
        if let host = hosts[endpoint.origin] { return host }
        if hosts.count >= Self.hostsMax {
            hosts = hosts.filter { !$0.value.provider.isIdle }
            guard hosts.count < Self.hostsMax else { return nil }
        }
        let provider = Provider(
            "web", host: endpoint.host, client, options, requestsMax: min(Self.perHostMax, options.requestsMax), report)
        let host = WebPushHost(provider, key, origin: endpoint.origin)
        hosts[endpoint.origin] = host
        return host
    }

    static func verdict(of reply: HTTPReply, host: String, at now: Int64) -> Verdict {
        let pause = reply.retryAfter(at: now)
        switch reply.status {
        case 200, 201, 202, 204:
            guard !reply.isHTML else {
                return .failing(.strange, "\(host) answers with a page: it is no push service", pause: pause)
            }
            return .accepted(reply.headers["location"].map { String($0.prefix(512)) })
        case 404, 410: return .gone
        case 413: return .refused(.tooLarge, "\(host) finds the notice too long")
        case 401, 403:
            return .renew(
                or: .refused(
                    .wrongKey, "\(host) does not accept the VAPID key: was it another when the browser subscribed?"))
        case 429: return .deviceBusy(pause: pause)
        case 408, 500...: return .failing(.busy, "\(host) answers \(reply.status)", pause: pause)
        case 300..<400: return .refused(.strange, "\(host) redirects, which is not followed")
        default: return .refused(.invalid, "\(host) refuses the notice (HTTP \(reply.status))")
        }
    }
}

/// A host of a browser's service, with the token by which it knows us (RFC 8292).
@ReactorActor
final class WebPushHost: Credentials {
    /// A token says that it ends after so long; it is used for half of it. A day is the most.
    static let lifetime: Int64 = 12 * 3_600_000_000

    let provider: Provider
    private let key: VAPIDKey
    private let origin: String
    private var text = ""
    private var until: Int64 = 0

    init(_ provider: Provider, _ key: VAPIDKey, origin: String) {
        (self.provider, self.key, self.origin) = (provider, key, origin)
    }

    func current(for provider: Provider) -> String {
        let now = provider.now
        guard !(1...Self.lifetime / 2).contains(until - now) else { return text }
        let token = WebToken.make(
            .object([
                ("aud", .text(origin)), ("exp", .number((now + Self.lifetime) / 1_000_000)),
                ("sub", .text(key.contact)),
            ]), key: key.key)
        (text, until) = ("vapid t=\(token),k=\(key.publicKey)", now + Self.lifetime / 2)
        return text
    }

    func renew(_ refused: String, after reply: HTTPReply, for provider: Provider) -> Bool {
        guard provider.correctClock(by: reply) else { return refused != text }
        until = 0
        return true
    }
}

/// What can be told of a subscription before anything is sent to it.
public enum WebPush {
    /// Whether pushes can be sent to an endpoint.
    public static func accepts(_ endpoint: String) -> Bool {
        do {
            _ = try Endpoint(endpoint)
            return true
        } catch {
            return false
        }
    }
}

/// The address that a browser's service gave for a subscription. Pure.
struct Endpoint: Equatable {
    static let bytesMax = 2048
    /// In small letters, with the port if it is not 443.
    let host: String

    var origin: String { "https://\(host)" }
    var isApple: Bool { host == "web.push.apple.com" || host.hasSuffix(".push.apple.com") }

    /// - Throws: ``Unsendable`` if it is not a plain https URL.
    init(_ url: String) throws(Unsendable) {
        guard url.utf8.count <= Self.bytesMax, url.utf8.allSatisfy({ 33...126 ~= $0 }) else {
            throw Unsendable(
                code: .invalid, text: "the endpoint must have at most \(Self.bytesMax) characters, all of ASCII")
        }
        guard url.lowercased().hasPrefix("https://") else {
            throw Unsendable(code: .inside, text: "the endpoint must be an https URL")
        }
        let rest = url.dropFirst("https://".count)
        var authority = rest.prefix { !"/?#\\".contains($0) }.lowercased()
        let isPlain = authority.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
        guard isPlain, !authority.isEmpty, !rest.contains("\\"), !rest.contains("#") else {
            throw Unsendable(code: .invalid, text: "the endpoint must be https://HOST/PATH, without user and fragment")
        }
        if authority.hasSuffix(":443") { authority.removeLast(4) }
        host = authority
    }
}
