import Foundation
import Synchronization

/// Stands in for a language model behind an API like OpenAI's: answers each request as a test says, over real HTTP.
public final class ModelServer: Sendable {
    /// A request, as the model gets it.
    public struct Asked: Sendable {
        public var head: String
        /// The whole body.
        public var body: String
        /// The text of the message, and those before it.
        public var message: String
        public var before: [String]
    }

    public enum Answer: Sendable {
        /// What the model writes.
        case text(String)
        case status(Int)
        /// Bytes in the place of a reply.
        case raw(String)
        /// Text that comes after a while.
        case late(String, milliseconds: UInt32)
    }

    private let server: RawServer
    private let log: Log

    private final class Log: Sendable {
        let asked = Mutex<[Asked]>([])
    }

    public init(_ answer: @escaping @Sendable (Asked) -> Answer) {
        let log = Log()
        self.log = log
        server = RawServer { connection in
            while let request = connection.request() {
                let asked = Asked(request.head, request.body)
                log.asked.withLock { $0.append(asked) }
                switch answer(asked) {
                case .text(let text): connection.write(Self.reply(text))
                case .status(let status):
                    connection.write("HTTP/1.1 \(status) No\r\nContent-Length: 0\r\n\r\n")
                case .raw(let text): connection.write(text)
                case .late(let text, let milliseconds):
                    usleep(milliseconds * 1000)
                    connection.write(Self.reply(text))
                }
            }
        }
    }

    public var url: String { server.url + "/v1" }
    public var asked: [Asked] { log.asked.withLock { $0 } }

    private static func reply(_ text: String) -> String {
        let content = (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
        let body = #"{"choices":[{"message":{"role":"assistant","content":\#(content)}}],"usage":{"total_tokens":9}}"#
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// One suggestion as the schema wants it.
    public static func suggestion(
        _ kind: String, _ title: String, quote: String, date: String? = nil, time: String? = nil, end: String? = nil,
        location: String? = nil, doer: String? = nil
    ) -> String {
        func json(_ text: String?) -> String {
            text.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) } ?? "null"
        }
        return """
            {"kind":\(json(kind)),"title":\(json(title)),"quote":\(json(quote)),"date":\(json(date)),\
            "time":\(json(time)),"end":\(json(end)),"location":\(json(location)),"deadline":false,"doer":\(json(doer))}
            """
    }

    public static func suggestions(_ all: String...) -> String {
        "{\"suggestions\":[\(all.joined(separator: ","))]}"
    }
}

extension ModelServer.Asked {
    fileprivate init(_ head: String, _ bytes: [UInt8]) {
        (self.head, body, message, before) = (head, String(decoding: bytes, as: UTF8.self), "", [])
        struct Body: Decodable {
            struct Message: Decodable { var content: String }
            var messages: [Message]
        }
        struct Content: Decodable {
            struct Line: Decodable { var text: String }
            var message: Line
            var before: [Line]
        }
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(bytes)), let user = body.messages.last,
            let content = try? JSONDecoder().decode(Content.self, from: Data(user.content.utf8))
        else { return }
        (message, before) = (content.message.text, content.before.map(\.text))
    }
}
