import Foundation
import Glibc
import ParleyClient
import TestSupport
import Testing

@Suite("A5: erasing an account")
struct EraseTests {
    @Test("A5 after the reply nobody can sign in as an erased person, find them or write to them; their sessions close")
    func immediate() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let phone = try await cluster.device(of: alice, gateway: 1)
        let bob = try await cluster.person("bob", gateway: 1)
        let token = try #require(await phone.client.credentials).accessToken
        let direct = try await bob.client.startDirect(with: alice.user).conversation.id
        _ = try await alice.client.send("hello", to: direct)
        let group = try await alice.client.createGroup(name: "g", users: [bob.user]).conversation.id

        let wrong = try await refusal { () async throws(ParleyError) in
            try await alice.client.erase(password: "not that one")
        }
        #expect(wrong.code == "wrong_credentials")
        #expect(try await bob.client.findUser(alice.username).id == alice.user)

        try await alice.client.erase(password: alice.password)
        let client = try await cluster.stranger()
        let signIn = try await refusal { () async throws(ParleyError) in
            try await client.signIn(username: alice.username, password: alice.password)
        }
        #expect(signIn.code == "wrong_credentials")
        let taken = try await refusal { () async throws(ParleyError) in
            try await client.register(username: alice.username, password: "another password")
        }
        #expect(taken.code == "username_taken")
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await bob.client.updateProfile(username: alice.username)
            }.code == "username_taken")
        #expect(
            try await refusal { () async throws(ParleyError) in try await bob.client.findUser(alice.username) }.code
                == "user_not_found")
        #expect(try await bob.client.searchUsers(alice.username).users.isEmpty)
        #expect(
            try await refusal { () async throws(ParleyError) in try await bob.client.startDirect(with: alice.user) }
                .code == "user_not_found")
        #expect(
            try await refusal { () async throws(ParleyError) in try await bob.client.block(alice.user) }.code
                == "user_not_found")
        #expect(
            try await refusal { () async throws(ParleyError) in try await bob.client.report(alice.user, reason: .spam) }
                .code == "user_not_found")
        let made = try await refusal { () async throws(ParleyError) in
            try await bob.client.createGroup(name: "h", users: [alice.user])
        }
        #expect(made.code == "user_not_found")
        let seen = try await bob.client.users([alice.user])
        #expect(seen == [.with { ($0.id, $0.deleted) = (alice.user, true) }])

        try await eventually("both sessions are closed") {
            let first = await alice.client.endedBy != nil
            let second = await phone.client.endedBy != nil
            return first && second
        }
        let again = cluster.newClient()
        await #expect(throws: ParleyError.self) { try await again.connect(token: token) }
        await again.close()

        try await eventually("Bob owns the group") {
            let now = try await bob.client.getConversation(group)
            return now.members.map(\.user.id) == [bob.user] && now.members[0].role == .owner
        }
        #expect(
            try await refusal { () async throws(ParleyError) in try await bob.client.addMembers([alice.user], to: group)
            }.code == "user_not_found")
        try await eventually("Bob is notified") {
            await bob.updates.conversations.contains {
                $0.id == direct && $0.members.contains { $0.user.id == alice.user && $0.user.deleted }
            }
        }
        #expect(
            try await refusal { () async throws(ParleyError) in try await bob.client.send("there?", to: direct) }.code
                == "user_blocked")
        let history = try await bob.client.wholeHistory(of: direct)
        #expect(history.contains { $0.text == "hello" && $0.sender == alice.user })
    }

    @Test("A5 an erased person stays out of direct conversations, even if the other person unblocks them or is erased")
    func stayOut() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let (bob, carol) = (try await cluster.person("bob", gateway: 1), try await cluster.person("carol"))
        for other in [bob, carol] { _ = try await alice.client.startDirect(with: other.user) }
        try await bob.client.block(alice.user)
        let watcher = try await Watcher(cluster.endpoints.database)
        let member = "conversations.members AS m JOIN conversations.accounts AS a ON a.account = m.account"
        let hers = "\(member) WHERE a.user_id = '\(alice.user)'"
        let ended = "SELECT count(*) FROM \(hers) AND m.section = 5 AND m.write_refusal = 3 AND NOT m.may_read"
        let position = "SELECT max(m.position) FROM \(hers)"

        try await alice.client.erase(password: alice.password)
        try await eventually("she is out of both") { try await watcher.number(ended) == 2 }
        let last = try await watcher.number(position)
        try await bob.client.unblock(alice.user)
        try await carol.client.erase(password: carol.password)
        let carols = "SELECT count(*) FROM \(member) WHERE a.user_id = '\(carol.user)' AND m.section = 5"
        try await eventually("Carol is out too") { try await watcher.number(carols) == 1 }
        #expect(try await watcher.number(ended) == 2)
        #expect(try await watcher.number(position) == last, "no further change reaches her")
        #expect(
            try await refusal { () async throws(ParleyError) in
                try await bob.client.send("there?", to: [alice.user, bob.user].sorted().joined(separator: "_"))
            }.code == "user_blocked")
    }

    @Test("A5 a wrong password counts as a sign-in attempt")
    func attempts() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.session(of: try await cluster.person("alice"), once: true)
        let watcher = try await Watcher(cluster.endpoints.database)
        // Other tests make attempts meanwhile, but hardly ever exactly as many.
        let tries = 17
        let keys = try await watcher.texts("SELECT key FROM conversations.sign_in_attempts")
        for _ in 0..<tries {
            _ = try await refusal { () async throws(ParleyError) in try await alice.client.erase(password: "no") }
        }
        let counted = try await watcher.texts(
            "SELECT key FROM conversations.sign_in_attempts WHERE attempts BETWEEN \(tries) AND \(tries + 4)")
        #expect(counted.contains { $0.hasPrefix("owner:") && !keys.contains($0) })
        // The key does not hold the name.
        #expect(
            try await watcher.number(
                "SELECT count(*) FROM conversations.sign_in_attempts WHERE key LIKE '%\(alice.username)%'") == 0)
    }
}

extension FaultClusters {
    @Suite("A5: erasing while conversations dies")
    struct EraseJobTests {
        @Test(
            "A5 although conversations is killed repeatedly, an erased person leaves everything and no data names them"
        )
        func killed() async throws {
            let cluster = try await TestCluster(.init(gateways: 1))
            let mark = "qz" + String(UInt64.random(in: .min ... .max), radix: 36)
            let alice = try await cluster.person(mark)
            let photo = "https://\(mark).example.org/me.jpg"
            try await alice.client.updateProfile(
                displayName: "Ålice \(mark)", photoURL: photo, email: "\(mark)@example.org", findableByEmail: true)
            let others = try await cluster.people(60)
            var groups: [String] = []
            for number in 0..<40 {
                let members = others[(number % 50)..<(number % 50 + 5)].map(\.user)
                groups.append(
                    try await alice.client.createGroup(name: "\(number)", users: members).conversation.id)
            }
            var directs: [String] = []
            for other in others {
                let direct = try await alice.client.startDirect(with: other.user).conversation.id
                _ = try await alice.client.send("hi", to: direct)
                directs.append(direct)
            }
            try await alice.client.block(others[59].user)
            _ = try await alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("call \(mark)", 1) })
            _ = try await alice.client.createDecision(.with { $0.text = "we call \(mark)" })
            // E8: what was written while entities was down is suggested once it is back.
            if let pid = await cluster.pids["entities-1"] { kill(pid, SIGKILL) }
            let notes = try await alice.client.startDirect(with: alice.user).conversation.id
            _ = try await alice.client.send("Lunch tomorrow", to: notes)
            try await eventually(within: .seconds(60), "it is suggested once") {
                try await alice.client.listSuggestions().suggestions.map(\.title) == ["Lunch"]
            }
            let watcher = try await Watcher(cluster.endpoints.database)
            let number = try await watcher.number(
                "SELECT account FROM conversations.accounts WHERE user_id = '\(alice.user)'")
            let unfilled = try await Traces(watcher).fill(with: number)
            #expect(unfilled == [])
            try await alice.client.erase(password: alice.password)
            for _ in 0..<4 {
                if let pid = await cluster.pids["conversations-1"] { kill(pid, SIGKILL) }
                try await eventually("conversations is back") { (try? await others[0].client.profile()) != nil }
            }
            try await eventually(within: .seconds(60), "the job has ended") {
                try await watcher.number("SELECT count(*) FROM conversations.jobs") == 0
            }
            let left = try await watcher.number(
                """
                SELECT count(*) FROM conversations.members AS m JOIN conversations.accounts AS a ON a.account = m.account
                WHERE a.erased_at IS NOT NULL AND (m.may_read OR m.write_refusal = 0)
                """)
            #expect(left == 0)
            for (other, direct) in zip(others, directs) {
                let now = try await other.client.getConversation(direct)
                #expect(now.members.contains { $0.user == .with { ($0.id, $0.deleted) = (alice.user, true) } })
                #expect(
                    try await refusal { () async throws(ParleyError) in try await other.client.send("x", to: direct) }
                        .code == "user_blocked")
            }
            let ownerless = try await watcher.number(
                """
                SELECT count(*) FROM conversations.conversations AS c
                WHERE c.kind = 2 AND NOT EXISTS (
                    SELECT FROM conversations.members AS m
                    WHERE m.conversation = c.conversation AND m.left_at IS NULL AND m.role = 3)
                """)
            #expect(ownerless == 0)
            try await eventually(within: .seconds(60), "no data names them") {
                try await Traces(watcher).columns(containing: [mark, mark.uppercased()]).isEmpty
            }
            #expect(try await Traces(watcher).columns(containing: [mark]) == [])
            var numbered: Set<String> = []
            try? await eventually(within: .seconds(60), "no data has their number") {
                numbered = try await Traces(watcher).columns(with: number).subtracting(Traces.mayName)
                return numbered.isEmpty
            }
            #expect(numbered == [])
            await cluster.end()
        }
    }
}

/// Searches all tables of all services.
struct Traces {
    let watcher: Watcher

    init(_ watcher: Watcher) { self.watcher = watcher }

    /// The columns that may keep an erased person's number, with the reasons.
    static let mayName: Set<String> = [
        // The reserved row, which holds no personal data.
        "conversations.accounts.account",
        // Their former membership: readers of a history see messages of "a deleted user", their reactions and cards.
        "conversations.members.account", "conversations.conversations.created_by",
        "conversations.conversations.requester", "messaging.messages.sender", "messaging.reactions.account",
        "entities.cards.account",
        // Events that nobody took over, which are called off.
        "entities.events.account", "entities.event_dates.account",
        // How many requests to the model were about their messages, for two days.
        "entities.model_days.account",
        // What operators did, which belongs to them.
        "conversations.audit.account",
        // Published changes, by number only, deleted after 7 days.
        "conversations.journal.subjects", "conversations.journal.objects", "conversations.journal.audience",
        "messaging.journal.subjects", "messaging.journal.objects", "messaging.journal.audience",
        "entities.journal.subjects", "entities.journal.objects", "entities.journal.audience",
        // Used positions, so that a late write does not start again at 1.
        "conversations.heads.account", "entities.heads.account",
        // Reports by and about them belong to the operator, and blocks of them to the blockers.
        "conversations.reports.account", "conversations.reports.about", "conversations.blocks.blocked",
        // The erasures that each service has completed.
        "messaging.erased.account", "presence.erased.account", "entities.erased.account",
        "notifications.erased.account",
    ]

    private static let schemas = "('conversations', 'messaging', 'presence', 'entities', 'notifications')"

    /// Gives an account a row in each table that has a column for one and no row of theirs: so an erasure that leaves
    /// a table alone is noticed, also in tables that no action of the test has filled.
    /// - Returns: the tables that took no row, and why.
    func fill(with account: Int64) async throws -> [String] {
        let tables = try await watcher.texts(
            """
            SELECT format(
                'INSERT INTO %I.%I (%s) SELECT %s WHERE NOT EXISTS (SELECT FROM %I.%I WHERE account = \(account))',
                n.nspname, c.relname, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
                string_agg(CASE
                    WHEN a.attname = 'account' THEN '\(account)'
                    WHEN a.atttypid = 'uuid'::regtype THEN 'gen_random_uuid()'
                    WHEN a.atttypid = 'bytea'::regtype THEN $$decode(repeat('01', 32), 'hex')$$
                    WHEN a.atttypid = 'boolean'::regtype THEN 'false'
                    -- A time in an hour, so that nothing removes it as old.
                    WHEN a.atttypid = 'bigint'::regtype AND a.attname ~ '(^|_)at$'
                        THEN '((extract(epoch FROM clock_timestamp()) + 3600) * 1000000)::bigint'
                    WHEN a.atttypid::regtype::text LIKE '%[]' THEN $$'{}'$$
                    WHEN a.atttypid = 'jsonb'::regtype THEN $$'{}'$$
                    ELSE $$'1'$$
                END, ', ' ORDER BY a.attnum), n.nspname, c.relname)
            FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_attribute AS a ON a.attrelid = c.oid
            WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
                AND n.nspname IN \(Self.schemas) AND c.relname NOT IN ('erased', 'jobs')
                AND a.attgenerated = '' AND a.attidentity = ''
                AND (a.attname = 'account' OR a.attnotnull AND NOT a.atthasdef)
            GROUP BY n.nspname, c.relname
            HAVING bool_or(a.attname = 'account')
            """)
        #expect(tables.count > 20)
        // The rows belong to nothing else.
        _ = try await watcher.texts("SELECT set_config('session_replication_role', 'replica', false)")
        var refused: [String] = []
        for insertion in tables {
            do {
                _ = try await watcher.texts("\(insertion) RETURNING 'a row'")
            } catch {
                refused.append("\(insertion): \(error)")
            }
        }
        _ = try await watcher.texts("SELECT set_config('session_replication_role', 'origin', false)")
        return refused
    }

    /// Returns the columns that contain one of the texts, as text or bytes.
    func columns(containing texts: [String]) async throws -> [String] {
        let columns = try await watcher.texts(
            """
            SELECT format('%I.%I %I %s', n.nspname, c.relname, a.attname, a.atttypid::regtype)
            FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_attribute AS a ON a.attrelid = c.oid
            WHERE c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND n.nspname IN \(Self.schemas)
                AND a.atttypid::regtype::text ~ 'text|bytea|json|char|name'
            """)
        #expect(columns.count > 30)
        var found: [String] = []
        for column in columns {
            let parts = column.split(separator: " ").map(String.init)
            // bytea as the bytes of text, everything else as text.
            let value =
                parts[2] == "bytea" ? "encode(\(parts[1]), 'escape')" : "lower(\(parts[1])::text)"
            for text in texts {
                let sought = parts[2] == "bytea" ? text : text.lowercased()
                let count = try await watcher.number(
                    "SELECT count(*) FROM \(parts[0]) WHERE strpos(\(value), '\(sought)') > 0")
                if count > 0 { found.append("\(parts[0]).\(parts[1])") }
            }
        }
        return found
    }

    /// Returns the columns of account numbers that contain `account`.
    func columns(with account: Int64) async throws -> Set<String> {
        let columns = try await watcher.texts(
            """
            SELECT format('%I.%I %I %s', n.nspname, c.relname, a.attname, a.atttypid::regtype)
            FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
            JOIN pg_attribute AS a ON a.attrelid = c.oid
            WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
                AND n.nspname IN \(Self.schemas) AND a.atttypid::regtype::text IN ('bigint', 'bigint[]')
                AND a.attname IN ('account', 'accounts', 'sender', 'blocked', 'about', 'created_by', 'requester', 'actor',
                    'users', 'audience', 'subjects', 'objects', 'owner', 'member', 'members', 'person', 'to_account')
            """)
        var found: Set<String> = []
        for column in columns {
            let parts = column.split(separator: " ").map(String.init)
            let holds = parts[2] == "bigint" ? "\(parts[1]) = \(account)" : "\(account) = ANY (\(parts[1]))"
            if try await watcher.number("SELECT count(*) FROM \(parts[0]) WHERE \(holds)") > 0 {
                found.insert("\(parts[0]).\(parts[1])")
            }
        }
        return found
    }
}
