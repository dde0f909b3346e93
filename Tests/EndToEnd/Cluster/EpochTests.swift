import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

extension OperatedClusters {
    @Test("after a restore every client drops the changes made since the backup")
    func restored() async throws {
        let cluster = try await TestCluster()
        let people = try await cluster.people(3) { $0 % 2 }
        let (alice, bob, carol) = (people[0], people[1], people[2])
        let kept = try await alice.client.startDirect(with: bob.user).conversation.id
        let group = try await alice.client.createGroup(name: "us", users: people.map(\.user)).conversation.id
        for number in 1...30 {
            for conversation in [kept, group] {
                _ = try await alice.client.send("before \(number)", to: conversation)
            }
        }
        // It does not fire during the test.
        let farAhead: Int64 = 4_000_000_000_000_000
        let reminder = try await alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("kept", farAhead) })
        let backup = try await Backup(cluster.endpoints.database)

        // Changes that the restore undoes.
        for number in 1...20 {
            for conversation in [kept, group] {
                _ = try await bob.client.sendReliably("lost \(number)", to: conversation)
            }
        }
        let lost = try await bob.client.createGroup(name: "lost", users: people.map(\.user)).conversation.id
        _ = try await bob.client.send("lost too", to: lost)
        _ = try await alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("lost", farAhead) })
        let held = try await Held(of: alice, in: group)
        var followers: [Follower] = []
        for person in people { followers.append(await Follower(person.client)) }
        for follower in followers {
            try await eventually("the feed has all messages") { await follower.messages[group]?.count == 50 }
            try await eventually("the feed has all messages") { await follower.messages[lost]?.count == 1 }
        }

        try await backup.restore()
        try await held.expectStartOver(alice, in: group)
        let reminders = try await alice.client.syncEntities()
        #expect(reminders.reminders.map(\.title) == ["kept"])
        #expect(reminders.position == reminder.reminder.position)

        // The server reuses seqs and positions for other messages.
        for number in 1...5 {
            for conversation in [kept, group] {
                _ = try await carol.client.sendReliably("after \(number)", to: group)
                guard conversation == kept else { continue }
                _ = try await alice.client.sendReliably("after \(number)", to: kept)
            }
        }
        for (index, follower) in followers.enumerated() {
            for conversation in index == 2 ? [group] : [kept, group] {
                let history = try await people[index].client.wholeHistory(of: conversation)
                #expect(!history.contains { $0.text.hasPrefix("lost") })
                try await eventually("person \(index) has the server's state") {
                    await follower.messages[conversation] == history
                }
            }
            try await eventually("person \(index) has dropped the lost conversation") {
                await follower.messages[lost] == nil
            }
            #expect(await follower.problem == nil)
        }
        await cluster.end()
    }

    @Test("a new epoch of one service: its requests answer start_over, and feeds end with the server's state")
    func epochsOneByOne() async throws {
        let cluster = try await TestCluster()
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        for number in 1...10 { _ = try await alice.client.send("\(number)", to: direct) }
        let feed = ConversationFeed(of: bob.client)
        let reader = Reader(feed)
        await feed.start()
        try await eventually("the feed has all messages") { await reader.messages[direct]?.count == 10 }

        for service in ["messaging", "conversations", "entities"] {
            let held = try await Held(of: alice, in: direct)
            try await Backup.changeEpoch(of: service, cluster.endpoints.database)
            try await held.expectStartOver(alice, in: direct, only: service)
            await feed.sync()
            let history = try await alice.client.wholeHistory(of: direct)
            try await eventually("bob has the server's state") { await reader.messages[direct] == history }
            _ = try await alice.client.send("after \(service)", to: direct)
            try await eventually("bob has the next message") {
                await reader.messages[direct]?.last?.text == "after \(service)"
            }
        }
        #expect(await reader.startedOver == [direct])
        #expect(await reader.conversations.contains(direct))
        await feed.stop()
        await cluster.end()
    }

    @Test("after a restore that kept the epoch, clients start over at their next sync")
    func wentBack() async throws {
        let cluster = try await TestCluster()
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob", gateway: 1)
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        for number in 1...10 { _ = try await alice.client.send("\(number)", to: direct) }
        let backup = try await Backup(cluster.endpoints.database)
        for number in 1...5 { _ = try await alice.client.send("lost \(number)", to: direct) }
        let lost = try await alice.client.createGroup(name: "lost", users: [bob.user]).conversation.id
        _ = try await bob.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("lost", 1) })
        let feed = ConversationFeed(of: bob.client)
        let reader = Reader(feed)
        await feed.start()
        try await eventually("the feed has all messages") { await reader.messages[direct]?.count == 15 }
        let held = try await Held(of: bob, in: direct)

        try await backup.restore(changesEpochs: false)
        #expect(
            try await bob.client.syncConversations(epoch: held.conversations.epoch, since: held.conversations.position)
                .startOver)
        #expect(try await bob.client.syncEntities(epoch: held.entities.epoch, since: held.entities.position).startOver)
        #expect(
            try await bob.client.changes(of: direct, epoch: held.messages.epoch, since: held.messages.position)
                .startOver)
        await feed.sync()
        try await eventually("bob has the server's state") { await reader.messages[direct]?.count == 10 }
        for number in 1...8 { _ = try await alice.client.sendReliably("after \(number)", to: direct) }
        await feed.sync()
        let history = try await alice.client.wholeHistory(of: direct)
        try await eventually("bob has the server's state") { await reader.messages[direct] == history }
        #expect(await reader.startedOver.contains(lost))
        await feed.stop()
        await cluster.end()
    }
}

/// A client's state of each service's streams.
private struct Held {
    var messages: Parley_V1_GetChangesReply
    var inbox: Parley_V1_MessagingSyncReply
    var conversations: Parley_V1_ConversationsSyncReply
    var entities: Parley_V1_EntitiesSyncReply

    init(of person: Device, in conversation: String) async throws {
        messages = try await person.client.changes(of: conversation, epoch: "", since: 0, limit: 200)
        inbox = try await person.client.syncMessaging()
        conversations = try await person.client.syncConversations(limit: 200)
        entities = try await person.client.syncEntities()
    }

    /// Syncs from the held positions and checks which services answer `start_over`.
    /// - Parameter service: the only service that must; nil: all must.
    func expectStartOver(_ person: Device, in conversation: String, only service: String? = nil) async throws {
        let client = person.client
        for (name, epoch, now) in [
            (
                "messaging", messages.epoch,
                try await client.changes(of: conversation, epoch: messages.epoch, since: messages.position).answer
            ),
            (
                "messaging", inbox.epoch,
                try await client.syncMessaging(epoch: inbox.epoch, cursor: inbox.cursor).answer
            ),
            (
                "conversations", conversations.epoch,
                try await client.syncConversations(epoch: conversations.epoch, since: conversations.position).answer
            ),
            (
                "entities", entities.epoch,
                try await client.syncEntities(epoch: entities.epoch, since: entities.position).answer
            ),
        ] {
            let isAnother = service == nil || service == name
            #expect(now.startOver == isAnother, "\(name)")
            #expect((now.epoch != epoch) == isAnother, "\(name)")
        }
    }
}

extension Parley_V1_GetChangesReply { fileprivate var answer: (startOver: Bool, epoch: String) { (startOver, epoch) } }
extension Parley_V1_MessagingSyncReply {
    fileprivate var answer: (startOver: Bool, epoch: String) { (startOver, epoch) }
}
extension Parley_V1_ConversationsSyncReply {
    fileprivate var answer: (startOver: Bool, epoch: String) { (startOver, epoch) }
}
extension Parley_V1_EntitiesSyncReply {
    fileprivate var answer: (startOver: Bool, epoch: String) { (startOver, epoch) }
}

/// The items that a feed delivered, kept as an app would keep them.
private actor Reader {
    private(set) var messages: [String: [Parley_V1_Message]] = [:]
    private(set) var conversations: Set<String> = []
    private(set) var startedOver: Set<String> = []

    init(_ feed: ConversationFeed) {
        let items = feed.items
        Task { [weak self] in
            for await item in items { await self?.note(item) }
        }
    }

    private func note(_ item: ConversationFeed.Item) {
        switch item {
        case .message(let message): messages[message.conversation, default: []].append(message)
        case .conversation(let conversation): conversations.insert(conversation.id)
        case .startedOver(let conversation):
            messages[conversation] = nil
            conversations.remove(conversation)
            startedOver.insert(conversation)
        default: break
        }
    }
}

/// Copies all tables of the services, and restores them while the services run.
@ReactorActor
final class Backup {
    private static let tables = """
        SELECT n.nspname AS schema, c.relname AS name, 'backup_' || n.nspname || '_' || c.relname AS copy
        FROM pg_class AS c
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('conversations', 'messaging', 'presence', 'entities')
            AND c.relkind IN ('r', 'p')
            AND NOT c.relispartition
            AND c.relname NOT IN ('migrations', 'epoch')
        """

    private let connection: Connection

    init(_ url: String) async throws {
        connection = try await Self.open(url)
        try await connection.execute(
            Statement(
                """
                DO $$
                DECLARE t record;
                BEGIN
                    FOR t IN \(Self.tables) LOOP
                        EXECUTE format('CREATE TABLE public.%I AS TABLE %I.%I', t.copy, t.schema, t.name);
                    END LOOP;
                END $$
                """))
    }

    func restore(changesEpochs: Bool = true) async throws {
        let epochs = ["conversations", "messaging", "entities"].map { "UPDATE \($0).epoch SET id = id || 'x';" }
        try await connection.execute(Statement("SET session_replication_role = replica"))
        try await connection.execute(
            Statement(
                """
                DO $$
                DECLARE t record;
                BEGIN
                    FOR t IN \(Self.tables) LOOP
                        EXECUTE format('DELETE FROM %I.%I', t.schema, t.name);
                        EXECUTE format(
                            'INSERT INTO %I.%I OVERRIDING SYSTEM VALUE SELECT * FROM public.%I',
                            t.schema, t.name, t.copy);
                    END LOOP;
                    \(changesEpochs ? epochs.joined(separator: "\n") : "")
                END $$
                """))
        connection.close()
    }

    static func changeEpoch(of service: String, _ url: String) async throws {
        let connection = try await open(url)
        defer { connection.close() }
        try await connection.execute(Statement("UPDATE \(service).epoch SET id = id || 'x'"))
    }

    private static func open(_ url: String) async throws -> Connection {
        try await Connection.open(
            DatabaseConfiguration(
                url: url, applicationName: "tests", statementTimeout: .seconds(60), lockTimeout: .seconds(30)))
    }
}
