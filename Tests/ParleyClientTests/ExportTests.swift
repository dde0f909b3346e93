import Foundation
import Testing

@testable import ParleyClient

@Suite("A5: the requests of an export, and its end", .timeLimit(.minutes(4)))
struct ExportTests {
    /// A gateway with no data.
    private func gateway() async throws -> ScriptedGateway {
        let gateway = ScriptedGateway()
        try await gateway.start()
        gateway.state.withLock {
            $0.answers = [
                "conversations.GetProfile": { _ in Parley_V1_Profile() },
                "conversations.ListDevices": { _ in Parley_V1_ListDevicesReply() },
                "conversations.ListIdentities": { _ in Parley_V1_ListIdentitiesReply() },
                "presence.GetPresence": { _ in Parley_V1_PresenceReply() },
                "presence.GetOwnPresence": { _ in Parley_V1_OwnPresence() },
                "notifications.GetPushSettings": { _ in Parley_V1_PushSettings() },
                "notifications.ListPushDevices": { _ in Parley_V1_ListPushDevicesReply() },
                "conversations.ListBlocked": { _ in Parley_V1_ListBlockedReply() },
                "conversations.ListRequests": { _ in Parley_V1_ListRequestsReply() },
                "entities.ListReminders": { _ in Parley_V1_ListRemindersReply() },
                "entities.ListDecisions": { _ in Parley_V1_ListDecisionsReply() },
                "entities.ListSuggestions": { _ in Parley_V1_ListSuggestionsReply() },
                "conversations.ListReports": { _ in Parley_V1_ListReportsReply() },
                "conversations.ListImported": { _ in Parley_V1_ListImportedReply() },
                "messaging.ListAttachments": { _ in Parley_V1_ListAttachmentsReply() },
                "entities.Sync": { _ in Parley_V1_EntitiesSyncReply() },
            ]
        }
        return gateway
    }

    private static func conversation(_ id: String, name: String, count: UInt32, shown: Int) -> Parley_V1_Conversation {
        .with {
            ($0.id, $0.name, $0.memberCount) = (id, name, count)
            $0.members = (0..<shown).map { number in .with { $0.user.id = "u\(number)" } }
        }
    }

    private func export(of gateway: ScriptedGateway) async throws -> [String: [[String: Any]]] {
        let path = "\(NSTemporaryDirectory())/parley-export-\(UUID().uuidString)"
        defer { for end in ["", ".part", ".new"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let client = ParleyClient(url: gateway.url)
        try await client.connect(token: "access-0")
        try await client.export(to: path)
        await client.close()
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        return (object as? [String: Any] ?? [:]).compactMapValues { $0 as? [[String: Any]] }
    }

    @Test("A5 a conversation that changes during the export appears once in the file, in its last version")
    func twice() async throws {
        let gateway = try await gateway()
        gateway.state.withLock { state in
            state.answers["conversations.Sync"] = { request in
                let since = try Parley_V1_ConversationsSyncRequest(serializedBytes: request.body).sincePosition
                let pages = [
                    [
                        Self.conversation("c1", name: "old, \"]}\\\" {", count: 65, shown: 16),
                        Self.conversation("c2", name: "two", count: 65, shown: 16),
                    ],
                    [Self.conversation("c3", name: "three", count: 1, shown: 1)],
                    [
                        Self.conversation("c1", name: "new", count: 64, shown: 64),
                        Self.conversation("c3", name: "three!", count: 65, shown: 16),
                    ],
                ]
                return Parley_V1_ConversationsSyncReply.with {
                    ($0.epoch, $0.position, $0.conversations, $0.more) = ("e1", since + 1, pages[Int(since)], since < 2)
                }
            }
            state.answers["conversations.ListMembers"] = { request in
                let of = try Parley_V1_ListMembersRequest(serializedBytes: request.body).conversation
                return Parley_V1_ListMembersReply.with { $0.members = [.with { $0.user.id = "of-\(of)" }] }
            }
            state.answers["messaging.GetHistory"] = { request in
                let of = try Parley_V1_GetHistoryRequest(serializedBytes: request.body).conversation
                return Parley_V1_GetHistoryReply.with { $0.messages = [.with { ($0.conversation, $0.seq) = (of, 1) }] }
            }
        }
        let file = try await export(of: gateway)
        let names = (file["conversations"] ?? []).compactMap { $0["name"] as? String }
        #expect(names.sorted() == ["new", "three!", "two"])
        #expect((file["messages"] ?? []).compactMap { $0["conversation"] as? String } == ["c1", "c2", "c3"])
        #expect((file["members"] ?? []).compactMap { $0["conversation"] as? String } == ["c2", "c3"])
    }

    @Test("A5 an export continues after a large group that I left meanwhile, and after messages that I may not read")
    func left() async throws {
        let gateway = try await gateway()
        gateway.state.withLock { state in
            state.answers["conversations.Sync"] = { _ in
                Parley_V1_ConversationsSyncReply.with {
                    $0.epoch = "e1"
                    $0.conversations = ["c1", "c2"].map { Self.conversation($0, name: $0, count: 100, shown: 16) }
                }
            }
            state.answers["conversations.ListMembers"] = { request in
                let of = try Parley_V1_ListMembersRequest(serializedBytes: request.body).conversation
                guard of == "c2" else { throw ParleyError(code: "not_found", message: "") }
                return Parley_V1_ListMembersReply.with { $0.members = [.with { $0.user.id = "u1" }] }
            }
            state.answers["messaging.GetHistory"] = { request in
                let of = try Parley_V1_GetHistoryRequest(serializedBytes: request.body).conversation
                guard of == "c2" else { throw ParleyError(code: "not_member", message: "") }
                return Parley_V1_GetHistoryReply.with { $0.messages = [.with { ($0.conversation, $0.seq) = (of, 1) }] }
            }
        }
        let file = try await export(of: gateway)
        #expect(file["conversations"]?.count == 2)
        #expect((file["members"] ?? []).compactMap { $0["conversation"] as? String } == ["c2"])
        #expect((file["messages"] ?? []).compactMap { $0["conversation"] as? String } == ["c2"])
    }
}
