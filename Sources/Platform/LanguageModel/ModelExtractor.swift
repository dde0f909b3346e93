import HTTPClient
import Language
import Reactor

/// Finds events, reminders and decisions in messages by a model behind an API like OpenAI's (`/chat/completions`).
///
/// What leaves is in ``ModelPrompt``; what comes back is trusted with nothing (``ModelAnswer``). The operator names the
/// URL, so it may be one of this machine.
public final class ModelExtractor: MessageExtractor {
    /// A longer reply is refused.
    static let replyBytesMax = 64 * 1024
    /// The most requests under way at a time.
    public static let requestsMax = 4

    private let url: String
    private let model: String
    private let headers: [(name: String, value: String)]
    private let client: HTTPClient

    /// - Parameters:
    ///   - url: of the API, such as `http://127.0.0.1:11434/v1`.
    ///   - key: sent as a bearer token; empty: none.
    ///   - timeout: of one request, from its first byte to the last one of the reply.
    public init(url: String, model: String, key: String, timeout: Duration) {
        let root = url.reversed().drop { $0 == "/" }.reversed()
        self.url = String(root) + "/chat/completions"
        self.model = model
        headers = [("Content-Type", "application/json")] + (key.isEmpty ? [] : [("Authorization", "Bearer \(key)")])
        client = HTTPClient(
            .init(
                requestsMax: Self.requestsMax * 4, connectionsMax: Self.requestsMax, silence: timeout + .seconds(1),
                timeout: timeout, mayReachInside: true))
    }

    /// - Throws: ``ModelFailure``; `CancellationError`.
    public func extract(
        _ message: Utterance, after context: [Utterance], at moment: Moment
    ) async throws -> [Extraction] {
        let prompt = ModelPrompt(message, after: context, at: moment)
        let request = HTTPRequest(
            "POST", url, headers: headers, body: .bytes(try prompt.body(for: model)), replyBytesMax: Self.replyBytesMax)
        let reply: HTTPReply
        do {
            reply = try await client.send(request)
        } catch let failure as HTTPFailure {
            throw ModelFailure(failure)
        }
        guard reply.status == 200 else { throw ModelFailure(status: reply.status) }
        return try ModelAnswer(reply: reply.body).extractions(of: prompt)
    }
}

/// Why a model says nothing about a message.
public enum ModelFailure: Error, Equatable, CustomStringConvertible {
    /// It cannot be reached, takes too long, or is busy. The same request may succeed later.
    case unavailable(String)
    /// Its answer breaks the schema.
    case wrongAnswer(String)
    /// It does not accept the request: the URL, the key or the name of the model is wrong.
    case refused(String)

    init(_ failure: HTTPFailure) {
        switch failure {
        case .tooLarge: self = .wrongAnswer("the reply is longer than \(ModelExtractor.replyBytesMax / 1024) KiB")
        case .invalid(let why): self = .refused(why)
        case .unreachable(let why), .timedOut(let why), .source(let why): self = .unavailable(why)
        case .overloaded: self = .unavailable("too many requests are under way")
        case .inside: self = .refused("the host may not be reached")
        }
    }

    init(status: Int) {
        switch status {
        case 408, 425, 429, 500...: self = .unavailable("HTTP status \(status)")
        default: self = .refused("HTTP status \(status)")
        }
    }

    public var description: String {
        switch self {
        case .unavailable(let why): "it is not available: \(why)"
        case .wrongAnswer(let why): "its answer is not valid: \(why)"
        case .refused(let why): "it refuses the request: \(why)"
        }
    }
}
