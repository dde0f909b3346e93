import Foundation
import ParleyClient
import SwiftProtobuf

/// A client of the SDK that `parley-lab conformance` tests (proto/CONFORMANCE.md): what the commands need of it.
protocol Adapted: Sendable {
    /// Takes a state as from the reply to a request of the app's own.
    func learned(_ content: Update.Content) async
    /// The person opens a conversation.
    func opened(_ conversation: String) async
    /// Requests unread counts that may be wrong.
    func recount(_ conversations: [String]) async
    /// - Parameter now: the server's time in microseconds UTC.
    func contents(at now: Int64) async throws -> AdaptedContents
}

/// What a client holds.
struct AdaptedContents: Sendable {
    var positions: [String: Int64]
    var states: [any SwiftProtobuf.Message]
    /// The unread messages by conversation, and whether the count may be wrong.
    var unread: [String: (count: UnreadCount, mustAsk: Bool)]
    var badge: Int64

    mutating func add(typing: [String: [String]]) {
        for (conversation, users) in typing {
            states += users.map { user in
                Parley_V1_Typing.with { ($0.conversation, $0.user, $0.typing) = (conversation, user, true) }
            }
        }
    }
}

/// Answers the commands of standard input.
enum Adapter {
    /// Connects, as often as it takes: the first attempt is the app's to repeat.
    static func connect(_ client: ParleyClient) async throws {
        let token = ProcessInfo.processInfo.environment["PARLEY_TOKEN"]
        while (try? await client.connect(token: token)) == nil { try await Task.sleep(for: .milliseconds(50)) }
    }

    /// The lines of standard input.
    static func lines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines
    }

    /// Returns when standard input ends.
    static func answer(for client: some Adapted) async throws {
        for await line in lines() {
            FileHandle.standardOutput.write(Data((try await answer(to: line, for: client) + "\n").utf8))
        }
    }

    private static func answer(to line: String, for client: some Adapted) async throws -> String {
        let command = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        switch command["do"] as? String {
        case "state":
            return try text(await client.contents(at: (command["now_us"] as? NSNumber)?.int64Value ?? 0))
        case "own":
            let body = try JSONSerialization.data(withJSONObject: command["body"] ?? [:])
            guard let content = try content(command["kind"] as? String ?? "", body) else { break }
            await client.learned(content)
            return #"{"done":true}"#
        case "open":
            await client.opened(command["conversation"] as? String ?? "")
            return #"{"done":true}"#
        case "recount":
            await client.recount(command["conversations"] as? [String] ?? [])
            return #"{"done":true}"#
        default: break
        }
        return #"{"unsupported":true}"#
    }

    private static func content(_ kind: String, _ body: Data) throws -> Update.Content? {
        switch kind {
        case "Message": .message(try .init(jsonUTF8Data: body))
        case "Conversation": .conversation(try .init(jsonUTF8Data: body))
        case "InboxState": .inboxState(try .init(jsonUTF8Data: body))
        case "MessageState": .messageState(try .init(jsonUTF8Data: body))
        default: nil
        }
    }

    private static func text(_ contents: AdaptedContents) throws -> String {
        let unread = contents.unread.mapValues { count, mustAsk in
            ["unread": count.unread, "mentions": count.mentions, "ask": mustAsk] as [String: Any]
        }
        let answer: [String: Any] = [
            "positions": contents.positions,
            "states": try contents.states.map { state in
                let body = try JSONSerialization.jsonObject(with: try state.jsonUTF8Data())
                return ["kind": type(of: state).protoMessageName.split(separator: ".").last ?? "", "body": body]
            },
            "unread": unread,
            "badge": contents.badge,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: answer), as: UTF8.self)
    }
}
