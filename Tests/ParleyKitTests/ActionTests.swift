import Foundation
import NIOConcurrencyHelpers
import ParleyClient
import SwiftProtobuf
import Testing

@testable import ParleyKit

/// Every kind of action, on its way out.
@MainActor
@Suite("Actions", .timeLimit(.minutes(4)))
struct ActionTests {
    /// Answers each request with an empty reply.
    private final class RecordingLink: ActionLink {
        struct Sent: Hashable {
            var method: String
            var key: String
            var body: Data
        }

        let sent = NIOLockedValueBox<[Sent]>([])

        func perform<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>(
            _ method: Method<Request, Reply>, key: String, _ request: Request, encoded body: Data
        ) async throws(ParleyError) -> Reply {
            sent.withLockedValue { $0.append(Sent(method: method.name, key: key, body: body)) }
            return Reply()
        }
    }

    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")

    /// One action of each kind, each in a lane of its own. Its bytes are not those that this version would make: first
    /// comes a field that it does not know.
    private func stored() -> [UnsentItem] {
        var ids = UUIDv7.Generator()
        return Actions.all.enumerated().map { number, kind in
            UnsentItem(
                id: Data(ids.next(at: Date.now.microseconds).bytes), lane: "lane \(number)", method: kind.method,
                body: Data([0xf8, 0x7f, UInt8(number), 0x0a, 0]), doneAtUs: 5)
        }
    }

    @Test("S6 each kind of action is sent once, as the bytes that are stored", arguments: [true, false])
    func sentAsStored(inMemory: Bool) async throws {
        let folder = try Folder()
        let store: any Store = if inMemory { MemoryStore() } else { try SQLiteStore(path: folder.file) }
        let items = stored()
        #expect(items.allSatisfy { $0.isKnown })
        try await store.write { writer in for item in items { try writer.put(item) } }
        let double = await ParleyDouble(as: me, account: .holding(store, of: me.id), isOnline: false)
        let link = RecordingLink()
        (double.parley.outbox.transport, double.parley.outbox.link) = (nil, link)
        #expect(double.parley.unsent.count == items.count)
        #expect(!double.parley.unsent.contains { $0.kind == .ofNewerVersion })
        double.set(.online)
        try await eventually("all are sent") { double.parley.unsent.isEmpty }
        let sent = link.sent.withLockedValue { $0 }
        #expect(sent.count == items.count)
        #expect(Set(sent.map { [$0.method, $0.body.hexDigits] }) == Set(items.map { [$0.method, $0.body.hexDigits] }))
        #expect(try await store.read { try $0.unsent() }.isEmpty)
    }

    @Test("S6 all fields of a request go out: muting and pinning in one request are one request")
    func allFields() async throws {
        let request = Parley_V1_UpdateInboxStateRequest.with {
            ($0.conversation, $0.pinned, $0.muted, $0.archived) = ("one", .yes, .yes, .no)
        }
        let link = RecordingLink()
        let item = try UnsentItem(id: Data([1]), lane: "one", request, doneAtUs: 0)
        _ = try await item.send(over: link, as: me.id)
        let sent = link.sent.withLockedValue { $0 }
        #expect(sent.map(\.key) == ["one"])
        #expect(try sent.map { try Parley_V1_UpdateInboxStateRequest(serializedBytes: $0.body) } == [request])
    }

    @Test("each request that is an action in the sources is registered, and no other")
    func registered() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Clients/ParleyKit/Outbox/Actions")
        var found: [String] = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let text = try String(contentsOf: file, encoding: .utf8)
            found += text.matches(of: /extension Parley_V1_(\w+): [^{]*Action/).map { "parley.v1.\($0.1)" }
        }
        #expect(found.sorted() == Actions.all.map { $0.protoMessageName }.sorted())
        #expect(Set(Actions.all.map { $0.method }).count == Actions.all.count)
    }
}
