import Foundation
import ParleyClient
import TestSupport
import Testing

@Suite("Another person's things look as if they did not exist", .serialized, .timeLimit(.minutes(15)))
struct LeakTests {
    static let made = Task {
        let cluster = try await TestCluster(
            .init(settings: TestCluster.askingSettings, postgres: StatementCounter.postgresSettings))
        // Before the first request.
        let counter = try await StatementCounter(cluster)
        return (stage: try await Stage(cluster), counter: counter)
    }

    /// Requests about the caller's own things that may also name a conversation.
    private static let more = [
        Row(EntitiesMethods.listReminders, .own, names: [.conversation]) { scene in
            .with { $0.conversation = scene.conversation }
        },
        Row(EntitiesMethods.listDecisions, .own, absent: "not_member", names: [.conversation]) { scene in
            .with { ($0.conversation, $0.sharedOnly) = (scene.conversation, true) }
        },
        Row(EntitiesMethods.listEvents, .own, absent: "not_member", names: [.conversation]) { scene in
            .with { ($0.fromDate, $0.toDate, $0.conversation) = ("2026-12-01", "2026-12-31", scene.conversation) }
        },
        Row(EntitiesMethods.listSuggestions, .own, absent: "not_member", names: [.conversation]) { scene in
            .with { $0.conversation = scene.conversation }
        },
        Row(
            EntitiesMethods.updateSuggestionSettings, .own, absent: "not_member", names: [.conversation]
        ) { scene in
            .with { ($0.conversation, $0.off) = (scene.conversation, true) }
        },
        Row(EntitiesMethods.getModelReading, .own, absent: "not_member", names: [.conversation]) { scene in
            .with { $0.conversation = scene.conversation }
        },
        Row(EntitiesMethods.updateModelReading, .own, absent: "not_member", names: [.conversation]) { scene in
            .with { ($0.conversation, $0.keptOut) = (scene.conversation, true) }
        },
        Row(MessagingMethods.searchMessages, .own, absent: "not_member", names: [.conversation]) { scene in
            .with { ($0.text, $0.conversation) = ("welcome", scene.conversation) }
        },
    ]
    private static let rows = Dictionary(
        uniqueKeysWithValues: (Rows.all.filter { !$0.names.isEmpty } + more).map { ($0.method, $0) })

    @Test(
        "the answer is the same to the last byte, and so is the number of database statements",
        arguments: rows.keys.sorted())
    func same(method: String) async throws {
        let row = try #require(Self.rows[method])
        let stage = try await Self.made.value.stage
        for (caller, what) in probes(of: row) {
            try await Self.expectAlike("\(method) by \(caller), another person's") {
                // No request has named it before.
                await stage.spend(.conversation, by: caller)
                let scene = try await stage.scene(of: caller)
                try await stage.cluster.quiet()
                return try await Self.differences(row, what, scene, stage)
            }
        }
    }

    @Test("R2 a message request without a message is invisible to its recipient")
    func hidden() async throws {
        let scene = try await Self.made.value.stage.scene(of: .hiddenRecipient)
        let client = scene.client
        let found = try await client.call(
            ConversationsMethods.findConversation, key: scene.user, .with { $0.users = [scene.other] })
        #expect(!found.hasConversation)
        let synced = try await client.syncConversations()
        #expect(synced.conversations.isEmpty && synced.position == 0 && synced.requests.total == 0)
        #expect(try await client.readRequests().0.isEmpty)
        var holdings = Holdings()
        #expect(try await client.readOwnStates(into: &holdings).isEmpty)
        for section in [Parley_V1_ConversationSection.inbox, .requests, .blockedPeople, .gone] {
            let inbox = try await client.call(
                MessagingMethods.getInbox, key: scene.user, .with { $0.section = section })
            #expect(inbox.entries.isEmpty, "\(section)")
        }
        let count = try await client.call(
            ConversationsMethods.markRequestsRead, key: scene.user, .with { $0.conversations = [scene.conversation] })
        #expect(count.total == 0 && count.position == 0)
    }

    /// Returns the differences between another person's thing and one that does not exist.
    private static func differences(
        _ row: Row, _ what: Scene.Thing, _ scene: Scene, _ stage: Stage
    ) async throws -> [String] {
        let absent = try await absent(what, in: scene, of: stage)
        var theirs = scene
        if what == .device { theirs.device = try await stage.devices().first }
        if what == .identity { theirs.identity = try await stage.identity() }
        let notMine = theirs
        var lines: [String] = []
        for (when, rounds) in [("at first", 1), ("again", 3)] {
            lines += try await differences(isRefused: true, rounds: rounds) {
                try await row.call(notMine)
                return []
            } and: {
                try await row.call(absent)
                return []
            }.map { "\(when): \($0)" }
        }
        return lines
    }

    /// Returns the callers to whom each thing that the request names must look as if it did not exist.
    private func probes(of row: Row) -> [(Caller, Scene.Thing)] {
        row.names.flatMap { thing -> [(Caller, Scene.Thing)] in
            switch thing {
            // A request without a message does not exist for its recipient either.
            case .conversation: [(.stranger, thing), (.hiddenRecipient, thing)]
            case .reminder, .decision, .event, .suggestion, .device, .identity: [(.stranger, thing)]
            }
        }
    }

    /// Returns the same scene with the name of a thing that never existed.
    private static func absent(_ what: Scene.Thing, in scene: Scene, of stage: Stage) async throws -> Scene {
        var absent = scene
        switch what {
        case .conversation where scene.caller == .hiddenRecipient:
            // A direct conversation with someone who sent no request.
            absent.conversation = [scene.user, scene.bystander].sorted {
                $0.utf8.lexicographicallyPrecedes($1.utf8)
            }.joined(separator: "_")
        case .conversation: absent.conversation = await scene.client.newID().description
        case .reminder: absent.reminder = await scene.client.newID()
        case .decision: absent.decision = await scene.client.newID()
        case .event: absent.event = await scene.client.newID()
        case .suggestion: absent.suggestion = await scene.client.newID()
        case .device:
            let digits = try #require(try await stage.devices().first)
            absent.device = String(digits.reversed())
        case .identity: absent.identity = String(try await stage.identity().reversed())
        }
        return absent
    }
}

extension Stage {
    /// Returns the devices of someone unconnected with the callers.
    func devices() async throws -> [String] { try await bystander.client.devices().map(\.id) }

    /// Returns an identity of theirs.
    func identity() async throws -> String {
        let id = "identityOfBystander"
        try await cluster.execute(
            "INSERT INTO conversations.ways_in (account, id, kind, issuer, subject, linked_at, used_at) "
                + "SELECT account, '\(id)', 1, 'https://issuer.example', '1', 1, 1 FROM conversations.accounts "
                + "WHERE user_id = '\(bystander.user)' ON CONFLICT DO NOTHING")
        return id
    }
}
