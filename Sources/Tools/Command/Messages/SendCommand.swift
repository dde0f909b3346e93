import ArgumentParser
import Foundation
import ParleyClient

struct SendCommand: PersonCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send a message.",
        discussion: """
            Sends it to a person by username, to a group by name, or to a conversation by id. "-" reads the text from \
            standard input. Members of the conversation whom the text names with @ are mentioned. After an uncertain \
            failure, repeat the command with the --id it printed: the message is sent only once.

            Examples:
              parley send alice "Are you there?"
              git log -1 | parley send "Weekend Trip" -
              parley send "Weekend Trip" "@bob you too?" --reply-to 17
            """)

    @Argument(
        help: ArgumentHelp("A username, a group's name, or a conversation's id.", valueName: "person or conversation"))
    var to: String
    @Argument(help: "The text, or \"-\". Several words are joined with spaces.") var text: [String]
    @Option(
        help: ArgumentHelp("The message's id, so that a repeated command sends it once.", valueName: "32 hex digits"))
    var id: String?
    @Option(help: ArgumentHelp("Reply to the message with this number.", valueName: "seq")) var replyTo: Int64?
    @Option(help: ArgumentHelp("Give up after this long.", valueName: "seconds")) var wait = 30
    @OptionGroup var connection: ConnectionOptions

    struct SentJSON: Encodable {
        var conversation: String
        var id: String
        var seq: Int64
        var sentAt: String
        var sentAtUs: Int64
        var duplicate: Bool
    }

    func validate() throws {
        guard !text.isEmpty else { throw ValidationError("Give the text to send.") }
        if let id, UUIDv7(id) == nil {
            throw ValidationError("--id must be a UUIDv7 of 32 hexadecimal digits.")
        }
        if let replyTo, replyTo < 1 { throw ValidationError("--reply-to must be at least 1.") }
        guard wait > 0 else { throw ValidationError("--wait must be at least 1 second.") }
    }

    func run(as me: Person) async throws {
        let text = try text == ["-"] ? Self.standardInput() : text.joined(separator: " ")
        let conversation = try await lookedUp { try await me.conversation(named: to, starting: true) }
        let mentions = try await lookedUp { try await me.mentions(in: text) }
        let id = if let given = id.flatMap({ UUIDv7($0) }) { given } else { await me.client.newID() }
        var request = Parley_V1_SendMessageRequest()
        (request.conversation, request.kind, request.text) = (conversation, .text, text)
        (request.id, request.replyToSeq) = (Data(id.bytes), replyTo ?? 0)
        request.mentions = mentions
        let reply = try await send(request, id: id, as: me)
        if me.isJSON {
            return Output.json(
                SentJSON(
                    conversation: conversation, id: id.description, seq: reply.seq, sentAt: Times.iso(reply.sentAtUs),
                    sentAtUs: reply.sentAtUs, duplicate: reply.duplicate))
        }
        let again = reply.duplicate ? ", already sent" : ""
        Output.line(
            "Sent to \(PlainText.shown(await me.names.title(conversation))) at \(Times.short(reply.sentAtUs)) "
                + "(message \(reply.seq)\(again))"
        )
    }

    /// Looks up names, and retries for `wait` seconds while the server is unavailable.
    private func lookedUp<T>(_ body: () async throws -> T) async throws -> T {
        let end = ContinuousClock.now + .seconds(wait)
        while true {
            do {
                return try await body()
            } catch let error as ParleyError where error.isRetriable {
                guard .now < end else {
                    throw Failure(
                        .unavailable,
                        "Nothing was sent. \(to) could not be looked up within \(wait) s: \(error.message)",
                        exitCode: .temporary)
                }
                try await Task.sleep(for: .milliseconds(300))
            }
        }
    }

    private func send(
        _ request: Parley_V1_SendMessageRequest, id: UUIDv7, as me: Person
    ) async throws -> Parley_V1_SendMessageReply {
        let end = ContinuousClock.now + .seconds(wait)
        var problem = ""
        while true {
            do {
                return try await Limit.within(end - .now) { try await me.client.send(request) }
            } catch let error as ParleyError where error.hasCode(.cancelled) || error.isRetriable {
                if !error.hasCode(.cancelled) { problem = ": \(error.message)" }
                let next = ContinuousClock.now + .milliseconds(max(300, error.retryAfterMs))
                guard next < end else { break }
                try await Task.sleep(until: next)
            }
        }
        throw Failure(
            .deadline,
            "The server did not confirm the message within \(wait) s\(problem.isEmpty ? "." : problem) "
                + "It may have been sent.",
            advice: "Repeat the command with --id \(id). The message is not sent twice.", exitCode: .temporary)
    }

    /// More than any server takes as a text.
    private static let bytesMax = 1 << 20

    static func standardInput() throws -> String {
        var data = Data()
        while data.count <= bytesMax {
            let more: Data?
            do {
                more = try FileHandle.standardInput.read(upToCount: bytesMax)
            } catch {
                throw Failure(.fileFailed, "Standard input cannot be read. Is it a folder?")
            }
            guard let more, !more.isEmpty else { break }
            data += more
        }
        guard data.count <= bytesMax else {
            throw Failure(
                .tooLarge, "Standard input has more than \(bytesMax) bytes, which no message may have.",
                advice: "Send it as a file: parley attach.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw Failure(.invalid, "Standard input is not UTF-8 text.")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

/// A time limit for operations that have none.
enum Limit {
    /// Cancels `body` when the time is up.
    static func within<T: Sendable>(_ limit: Duration, _ body: @escaping @Sendable () async throws -> T) async throws
        -> T
    {
        try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            if let first = try await group.next(), let value = first { return value }
            group.cancelAll()
            // The cancelled body throws, or has just finished.
            if let second = try await group.next(), let value = second { return value }
            throw CancellationError()
        }
    }
}
