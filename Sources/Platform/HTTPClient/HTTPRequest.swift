import Reactor

/// A request of ``HTTPClient``.
public struct HTTPRequest: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// A body of known size that is read as it is sent.
        /// - read: returns at most `count` bytes from `offset` on; none at the end. If it throws, the request fails
        ///   with ``HTTPFailure/source(_:)``.
        case stream(size: Int64, read: @ReactorActor @Sendable (_ offset: Int64, _ count: Int) async throws -> [UInt8])
    }

    /// "GET", "HEAD", "PUT", "POST", "DELETE" …
    public var method: String
    /// An http or https URL.
    public var url: String
    public var headers: [(name: String, value: String)]
    public var body: Body?
    /// A longer body of the reply ends the request with ``HTTPFailure/tooLarge``.
    public var replyBytesMax: Int

    public init(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: Body? = nil,
        replyBytesMax: Int = 64 * 1024
    ) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
        self.replyBytesMax = replyBytesMax
    }
}

/// A reply of any status.
public struct HTTPReply: Sendable {
    public var status: Int
    /// By name in lower case. Of several headers of one name, the last.
    public var headers: [String: String]
    public var body: [UInt8]
    /// Of HTTP: 1 or 2.
    public var version: Int

    /// The number in `Content-Length`, also in the reply to HEAD; nil if there is none.
    public var contentLength: Int64? { headers["content-length"].flatMap { Int64($0) } }
}

/// Why there is no reply.
public enum HTTPFailure: Error, Equatable {
    /// The host cannot be found or reached, the connection broke, or its certificate is not valid.
    case unreachable(String)
    /// Connecting or the transfer took too long.
    case timedOut(String)
    /// The reply's body is longer than allowed, or its headers are.
    case tooLarge
    /// Not an http or https URL, or a header with a line break.
    case invalid(String)
    /// The host is on a private network or this machine, which ``HTTPClient/Options/mayReachInside`` forbids.
    case inside
    /// The source of the request's body failed. What it threw, as text.
    case source(String)
    /// Too many requests are under way. Try again later.
    case overloaded
}
