import Foundation
import SwiftProtobuf
import Testing

@testable import ParleyClient

/// Runs the cases of proto/vectors (their README has the format) against the machine over each store.
@Suite("The vectors of the contract", .timeLimit(.minutes(4)))
struct VectorTests {
    @Test(
        "M3 M5 M7 M8 M12 the machine asks and each store holds what the vectors say", arguments: try Vector.all(),
        VectorStoreKind.allCases)
    func vector(vector: Vector, kind: VectorStoreKind) async throws {
        let folder = try Folder()
        var run = try await VectorRun(vector, over: kind.open(folder))
        for (index, step) in vector.list("steps").enumerated() {
            let asked = try await run.take(step)
            let expected = try VectorRequest.all(step.list("asks"))
            let what: Comment = "\(vector.id), step \(index + 1)"
            #expect(asked.map(\.text).sorted() == expected.map(\.text).sorted(), what)
        }
        let problems = try await run.problems(vector.value("after"))
        #expect(problems.isEmpty, "\(vector.id)")
    }

    @Test("a vector that says another thing fails", arguments: VectorStoreKind.allCases)
    func fails(kind: VectorStoreKind) async throws {
        let folder = try Folder()
        let vector = try #require(try Vector.all().first { $0.id == "next" })
        var run = try await VectorRun(vector, over: kind.open(folder))
        #expect(try await run.problems(vector.value("after")).count == 2, "its position and its message")
        _ = try await run.take(vector.list("steps")[0])
        #expect(try await run.problems(vector.value("after")).isEmpty)
    }
}

/// A JSON object of a vector.
struct Vector: Sendable, CustomTestStringConvertible {
    /// Encoded, since a dictionary of any values is not Sendable.
    private let json: Data

    init(_ object: Any) throws { json = try JSONSerialization.data(withJSONObject: object) }

    static func all() throws -> [Vector] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../proto/vectors")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var vectors: [Vector] = []
        for file in files.filter({ $0.pathExtension == "json" }).sorted(by: { $0.path < $1.path }) {
            vectors += try Vector(JSONSerialization.jsonObject(with: Data(contentsOf: file))).list("vectors")
        }
        return vectors
    }

    var fields: [String: Any] { (try? JSONSerialization.jsonObject(with: json) as? [String: Any]) ?? [:] }
    var id: String { text("id") }
    var testDescription: String { id }

    func text(_ name: String) -> String { fields[name] as? String ?? "" }
    func number(_ name: String) -> Int64? { (fields[name] as? NSNumber)?.int64Value }
    func value(_ name: String) throws -> Vector { try Vector(fields[name] as? [String: Any] ?? [:]) }
    func list(_ name: String) -> [Vector] { (fields[name] as? [Any] ?? []).compactMap { try? Vector($0) } }

    /// The field as a message of the contract.
    func message<M: SwiftProtobuf.Message>(_ name: String) throws -> M {
        try M(jsonUTF8Data: JSONSerialization.data(withJSONObject: fields[name] ?? [String: Any]()))
    }

    /// The state with this kind and body, encoded as in an Update.
    func update(stream: String = "", position: Int64 = 0) throws -> Update {
        let body: any SwiftProtobuf.Message =
            switch text("kind") {
            case "Message": try message("body") as Parley_V1_Message
            case "Reactions": try message("body") as Parley_V1_Reactions
            case "Conversation": try message("body") as Parley_V1_Conversation
            case "InboxState": try message("body") as Parley_V1_InboxState
            case "MessageState": try message("body") as Parley_V1_MessageState
            case "Receipt": try message("body") as Parley_V1_Receipt
            case "ReadCount": try message("body") as Parley_V1_ReadCount
            case "RequestCount": try message("body") as Parley_V1_RequestCount
            case "Profile": try message("body") as Parley_V1_Profile
            case "Block": try message("body") as Parley_V1_Block
            case "Typing": try message("body") as Parley_V1_Typing
            case "Reminder": try message("body") as Parley_V1_Reminder
            default: Parley_V1_Update()
            }
        return Update(
            stream: stream, position: position, kind: text("kind"),
            body: .init(bytes: try body.serializedBytes() as [UInt8]))
    }
}

/// A request by its method on the wire.
struct VectorRequest {
    let method: String
    /// The request without its limit, which is the client's own choice.
    let body: any SwiftProtobuf.Message

    var text: String { "\(method) \(body.textFormatString().split(separator: "\n").joined(separator: " "))" }

    static func all(_ asks: [Vector]) throws -> [VectorRequest] {
        try asks.map { ask in
            let method = ask.text("method")
            return switch method {
            case "conversations.Sync":
                .init(method: method, body: try ask.message("request") as Parley_V1_ConversationsSyncRequest)
            case "entities.Sync":
                .init(method: method, body: try ask.message("request") as Parley_V1_EntitiesSyncRequest)
            case "messaging.Sync":
                .init(method: method, body: try ask.message("request") as Parley_V1_MessagingSyncRequest)
            case "messaging.GetChanges":
                .init(method: method, body: try ask.message("request") as Parley_V1_GetChangesRequest)
            case "messaging.GetHistory":
                .init(method: method, body: try ask.message("request") as Parley_V1_GetHistoryRequest)
            case "messaging.UpdateMarks":
                .init(method: method, body: try ask.message("request") as Parley_V1_UpdateMarksRequest)
            case "messaging.ListReceipts":
                .init(method: method, body: try ask.message("request") as Parley_V1_ListReceiptsRequest)
            default: .init(method: method, body: try ask.message("request") as Parley_V1_ListBlockedRequest)
            }
        }
    }

    init(method: String, body: any SwiftProtobuf.Message) { (self.method, self.body) = (method, body) }

    init(_ request: SyncRequest) {
        switch request {
        case .conversations(let epoch, let since):
            method = "conversations.Sync"
            body = Parley_V1_ConversationsSyncRequest.with { ($0.epoch, $0.sincePosition) = (epoch, since) }
        case .entities(let epoch, let since):
            method = "entities.Sync"
            body = Parley_V1_EntitiesSyncRequest.with { ($0.epoch, $0.sincePosition) = (epoch, since) }
        case .inbox(let stream, let epoch, let cursor, let since, _):
            method = "messaging.Sync"
            body = Parley_V1_MessagingSyncRequest.with {
                ($0.cell, $0.epoch, $0.cursor, $0.ownPosition) = (
                    String(StoredStream(stream).cell), epoch, cursor, since
                )
            }
        case .changes(let conversation, let epoch, let since):
            method = "messaging.GetChanges"
            body = Parley_V1_GetChangesRequest.with {
                ($0.conversation, $0.epoch, $0.sincePosition) = (conversation, epoch, since)
            }
        case .history(let conversation, let after):
            method = "messaging.GetHistory"
            body = Parley_V1_GetHistoryRequest.with { ($0.conversation, $0.afterSeq) = (conversation, after) }
        case .earlier(let conversation, let before, _):
            method = "messaging.GetHistory"
            body = Parley_V1_GetHistoryRequest.with { ($0.conversation, $0.beforeSeq) = (conversation, before) }
        case .inboxStates(let conversations):
            method = "messaging.UpdateMarks"
            body = Parley_V1_UpdateMarksRequest.with {
                $0.marks = conversations.map { id in .with { $0.conversation = id } }
            }
        case .blocks(let cursor):
            method = "conversations.ListBlocked"
            body = Parley_V1_ListBlockedRequest.with { $0.cursor = cursor }
        case .receipts(let conversation, let cursor):
            method = "messaging.ListReceipts"
            body = Parley_V1_ListReceiptsRequest.with { ($0.conversation, $0.cursor) = (conversation, cursor) }
        }
    }
}
