import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

/// What a person must find after an import, by the script that made the export.
struct ExpectedInbox: Decodable, Sendable {
    struct Talk: Decodable, Sendable {
        var group: Bool
        var members: [String]
        var unread: Int64
        var messages: [Message]
    }

    struct File: Decodable, Sendable {
        var kind: String
        var type: String
        /// By its name in the bucket.
        var object: String
        var name: String
    }

    struct Message: Decodable, Sendable {
        var sender: String
        var text: String
        var file: File?
        var deleted: Bool
        var edited: Bool
        var reply: Int?
        var at: Int64
        var reactions: [String: [String]]
    }

    var name: String
    var starred: Int
    var conversations: [String: Talk]
}

/// An export that Tests/Import/generate made.
struct MadeExport {
    let folder: TestFolder
    let expected: [String: ExpectedInbox]

    init(
        seed: Int, people: Int = 8, conversations: Int = 14, messages: Int = 250, withFiles: Bool = false,
        hashes: String = "SCRYPT"
    ) async throws {
        folder = try TestFolder()
        let generator = MigratedDatabase.root.appending(path: "Tests/Import/generate").path
        let making = try await runToEnd(
            [
                "/usr/bin/python3", "-B", generator, "--seed", "\(seed)", "--people", "\(people)", "--conversations",
                "\(conversations)", "--messages", "\(messages)", "--hashes", hashes, folder.path,
            ] + (withFiles ? ["--files"] : []))
        guard making.status == 0 else { throw NeverHappened(description: making.errors) }
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/expected.json"))
        expected = try JSONDecoder().decode([String: ExpectedInbox].self, from: data)
    }

    /// The arguments of the command that imports it.
    func command(_ more: String...) -> [String] {
        ["import", "firebase", folder.path, "--report", "\(folder.path)/report.jsonl"] + more
    }
}

@Suite("T3 importing from Firebase")
@ReactorActor
struct ImportCommandTests {
    @Test(
        "while others use it, everybody finds inbox, unread, history, reactions and stars as they were, by their password"
    )
    func everything() async throws {
        let cluster = try await TestCluster.shared
        let export = try await MadeExport(seed: Int.random(in: 1...1_000_000))
        let program = try Program()
        let outcome = try await program.run(
            export.command("--json"), environment: ["PARLEY_DATABASE_URL": cluster.endpoints.database])
        #expect(outcome.status == 0, "\(outcome.errors)")
        var beside = 0
        for (person, inbox) in export.expected {
            let first = try await cluster.stranger()
            try await first.signIn(username: person, password: "user1password")
            await first.close()
            // The next time it is Parley's own hash.
            let client = try await cluster.stranger()
            try await client.signIn(username: person, password: "user1password")
            #expect(await client.user == person)
            // Half of them have a field that Parley has no place for.
            let kept = try await client.imported().records
            #expect(kept.allSatisfy { $0.path == "rtdb.json:users/\(person)" && $0.json == #"{"fcmToken":"x"}"# })
            beside += kept.count
            try await compare(client, person, inbox)
            await client.close()
        }
        let stored = try await cluster.number(
            "SELECT count(*) FROM conversations.accounts WHERE user_id LIKE 's%' AND password_hash LIKE '$argon2id$%'")
        #expect(stored >= Int64(export.expected.count))
        #expect(beside == export.expected.count / 2)
        export.folder.remove()
        program.remove()
    }

    @Test(
        "hashes by PBKDF2 and bcrypt sign people in, no other password does, and Parley's own takes their place",
        arguments: ["PBKDF_SHA1", "PBKDF2_SHA256", "BCRYPT"])
    func hashes(_ kind: String) async throws {
        let cluster = try await TestCluster.shared
        let export = try await MadeExport(
            seed: Int.random(in: 1...1_000_000), people: 3, conversations: 1, messages: 3, hashes: kind)
        let program = try Program()
        let environment = ["PARLEY_DATABASE_URL": cluster.endpoints.database]
        let outcome = try await program.run(export.command(), environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let person = export.expected.keys.sorted()[0]
        func stored(_ pattern: String) async throws -> Int64 {
            try await cluster.number(
                """
                SELECT count(*) FROM conversations.accounts
                WHERE user_id = '\(person)' AND password_hash LIKE '\(pattern)'
                """)
        }
        let client = try await cluster.stranger()
        let refused = await #expect(throws: ParleyError.self) {
            try await client.signIn(username: person, password: "user1passwort")
        }
        #expect(refused?.code == "wrong_credentials")
        #expect(try await stored("$argon2id$%") == 0)
        try await client.signIn(username: person, password: "user1password")
        #expect(try await stored("$argon2id$%") == 1)
        let again = try await program.run(export.command("--follow"), environment: environment)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try await stored("$argon2id$%") == 1)
        await client.close()
        export.folder.remove()
        program.remove()
    }

    @Test("M17 files of the bucket come in with their messages, checked as those of anybody, after a gateway was away")
    func files() async throws {
        let cluster = try await TestCluster.shared
        let export = try await MadeExport(seed: Int.random(in: 1...1_000_000), messages: 500, withFiles: true)
        let program = try Program()
        let environment = ["PARLEY_DATABASE_URL": cluster.endpoints.database]
        let away = try await program.run(
            export.command("--upload-to", "ws://127.0.0.1:1"), environment: environment)
        #expect(away.status == 69 && away.errors.contains("Run the same command again"), "\(away.errors)")
        let outcome = try await program.run(
            export.command("--upload-to", cluster.url(), "--json"), environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try String(contentsOfFile: "\(export.folder.path)/report.jsonl", encoding: .utf8)
        for why in ["is no file", "is empty", "the server refused storage/"] { #expect(report.contains(why), "\(why)") }
        for (person, inbox) in export.expected {
            let client = try await cluster.stranger()
            try await client.signIn(username: person, password: "user1password")
            try await compare(client, person, inbox)
            for (conversation, talk) in inbox.conversations {
                let messages = try await client.history(of: conversation, .after(0), limit: 200).messages
                for (message, said) in zip(messages, talk.messages) {
                    guard let file = said.file else {
                        #expect(message.kind == .text && !message.hasMedia, "\(said)")
                        continue
                    }
                    #expect("\(message.kind)".uppercased() == file.kind, "\(file)")
                    #expect(message.media.mimeType == file.type && message.media.name == file.name, "\(file)")
                    let path = "\(export.folder.path)/got"
                    try await client.download(message.seq, of: conversation, to: path, overwriting: true)
                    let object = "\(export.folder.path)/storage/\(file.object)"
                    #expect(FileManager.default.contentsEqual(atPath: path, andPath: object), "\(file)")
                }
            }
            await client.close()
        }
        let positions = """
            SELECT sum(h.position)::bigint FROM messaging.heads AS h
            JOIN conversations.members AS m USING (conversation) JOIN conversations.accounts AS a USING (account)
            WHERE a.user_id = '\(export.expected.keys.sorted()[0])'
            """
        let before = try await cluster.number(positions)
        let again = try await program.run(
            export.command("--upload-to", cluster.url()), environment: environment)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try await cluster.number(positions) == before)
        try await attack(cluster)
        export.folder.remove()
        program.remove()
    }

    /// What the link of an import gives no right to.
    private func attack(_ cluster: TestCluster) async throws {
        let person = try await cluster.person("uploader")
        let talk = try await person.client.startDirect(with: try await cluster.person("receiver").user).conversation.id
        let id = await person.client.newID()
        let half = try await person.client.call(
            MessagingMethods.createAttachment, key: talk,
            .with {
                ($0.conversation, $0.id, $0.name) = (talk, Data(id.bytes), "of the attack")
                ($0.sizeBytes, $0.mimeType) = (3, "text/plain")
            })
        #expect(!half.complete)
        let connection = try await Connection.open(DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        func links(_ which: String) async throws -> (file: String, object: String) {
            let link = Statement(
                """
                SELECT lpad(to_hex(conversation), 16, '0') || replace(id::text, '-', ''), object
                FROM messaging.attachments WHERE \(which) LIMIT 1
                """
            ) { (file: try $0.text(0), object: try $0.text(1)) }
            return try #require(try await connection.first(link))
        }
        func status(_ method: String, _ file: String, _ object: String, _ body: String = "") async throws -> Int? {
            let server = "http" + cluster.url().dropFirst(2)
            return try await onThread {
                try RawHTTP.send(method, "/v1/files/\(file)/\(object)", to: server, body: Array(body.utf8))?.status
            }
        }
        let complete = try await links("completed_at IS NOT NULL")
        for method in ["GET", "HEAD", "PUT", "PATCH"] {
            #expect(try await status(method, complete.file, complete.object, "evil") == 404, "\(method)")
        }
        let open = try await links("completed_at IS NULL AND name = 'of the attack'")
        let wrong = (open.object.hasPrefix("0") ? "1" : "0") + open.object.dropFirst()
        #expect(try await status("HEAD", open.file, wrong) == 404)
        #expect(try await status("PUT", complete.file, open.object, "abc") == 404)
        #expect(try await status("GET", open.file, open.object) == 405)
        #expect(try await status("PUT", open.file, open.object, "too long") == 413)
        #expect(try await status("HEAD", open.file, open.object) == 200)
        await person.client.close()
    }

    private func compare(_ client: ParleyClient, _ person: String, _ inbox: ExpectedInbox) async throws {
        let entries = try await client.inbox(limit: 200).entries
        #expect(Set(entries.map(\.conversation)) == Set(inbox.conversations.keys), "\(person)")
        for entry in entries {
            guard let talk = inbox.conversations[entry.conversation] else { continue }
            let place = "\(person) in \(entry.conversation)"
            #expect(entry.state.unread == talk.unread, "\(place)")
            if talk.group {
                let members = try await client.allMembers(of: entry.conversation).map(\.user.id)
                #expect(Set(members) == Set(talk.members), "\(place)")
            }
            var messages: [Parley_V1_Message] = []
            while true {
                let page = try await client.history(of: entry.conversation, .after(messages.last?.seq ?? 0), limit: 200)
                if page.messages.isEmpty { break }
                messages += page.messages
            }
            #expect(messages.count == talk.messages.count, "\(place)")
            for (message, said) in zip(messages, talk.messages) {
                let found = [
                    message.sender, message.text, "\(message.deletedAtUs > 0)", "\(message.editedAtUs > 0)",
                    "\(message.sentAtUs / 1_000)", "\(message.replyToSeq)",
                ]
                let wanted = [
                    said.sender, said.text, "\(said.deleted)", "\(said.edited)", "\(said.at)",
                    "\(said.reply.map { messages[$0].seq } ?? 0)",
                ]
                #expect(found == wanted, "\(place)")
                let counts = Dictionary(uniqueKeysWithValues: message.reactions.map { ($0.emoji, Int($0.count)) })
                #expect(counts == said.reactions.mapValues(\.count), "\(place)")
            }
        }
        let starred = try await client.mentionsAndStars(.starred, limit: 200)
        #expect(starred.messages.count == inbox.starred, "\(person)")
    }

    // MARK: Again, and after kills

    /// All that the services hold, but what follows from when it was imported.
    private func contents(_ database: MigratedDatabase, withTimes: Bool) async throws -> [String] {
        let connection = try await Connection.open(database.superuser)
        defer { connection.close() }
        let tables = try await connection.query(
            Statement(
                """
                SELECT table_schema || '.' || table_name
                FROM information_schema.tables
                WHERE table_schema IN ('conversations', 'messaging', 'entities')
                    AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'journal%'
                    AND table_name NOT IN ('epoch', 'signing_keys', 'sealing_keys', 'retiring_key')
                ORDER BY 1
                """
            ) { try $0.text(0) })
        var rows: [String] = []
        for table in tables {
            // Numbers come from sequences, which a killed import advances: the ids say the same.
            let all = Statement(
                """
                SELECT coalesce(string_agg(r, E'\n' ORDER BY r), '')
                FROM (
                    SELECT (x.row - $1::text[] || jsonb_build_object(
                            'account', (
                                SELECT a.user_id FROM conversations.accounts AS a
                                WHERE a.account = (x.row ->> 'account')::bigint
                            ),
                            'sender', (
                                SELECT a.user_id FROM conversations.accounts AS a
                                WHERE a.account = (x.row ->> 'sender')::bigint
                            ),
                            'conversation', (
                                SELECT c.conversation_id FROM conversations.conversations AS c
                                WHERE c.conversation = (x.row ->> 'conversation')::bigint
                            )))::text AS r
                    FROM (SELECT to_jsonb(t) AS row FROM \(table) AS t) AS x
                ) AS rows
                """
            ) { try $0.text(0) }
            let hidden =
                withTimes
                ? []
                : [
                    "touched_at", "read_at", "delivered_at", "changed_at", "at", "pinned_at", "archived_at",
                    "starred_at", "email_confirmed_at", "created_by", "members_key", "mentions",
                ]
            rows.append("\(table): " + (try await connection.first(all, .texts(hidden)) ?? ""))
        }
        return rows
    }

    @Test("twice changes nothing; killed again and again it ends as undisturbed; a dry run changes nothing")
    func again() async throws {
        let export = try await MadeExport(seed: 11, people: 10, conversations: 40, messages: 3_000)
        let program = try Program()
        let (whole, killed, dry) = (
            try await MigratedDatabase(), try await MigratedDatabase(), try await MigratedDatabase()
        )
        func environment(_ database: MigratedDatabase) -> [String: String] {
            ["PARLEY_DATABASE_URL": database.superuserURL]
        }
        let before = try await contents(dry, withTimes: true)
        let rehearsed = try await program.run(export.command("--dry-run", "--json"), environment: environment(dry))
        #expect(rehearsed.status == 0, "\(rehearsed.errors)")
        #expect(try await contents(dry, withTimes: true) == before)
        let rehearsal = try String(contentsOfFile: "\(export.folder.path)/report.jsonl", encoding: .utf8)

        let first = try await program.run(export.command("--json"), environment: environment(whole))
        #expect(first.status == 0, "\(first.errors)")
        #expect(try String(contentsOfFile: "\(export.folder.path)/report.jsonl", encoding: .utf8) == rehearsal)
        let once = try await contents(whole, withTimes: true)
        for more in [[], ["--follow"]] {
            let second = try await program.run(export.command() + more, environment: environment(whole))
            #expect(second.status == 0, "\(second.errors)")
            #expect(try await contents(whole, withTimes: true) == once)
        }

        var kills = 0
        for delay in stride(from: 100, to: 3_000, by: 150) {
            let run = try program.start(export.command(), environment: environment(killed))
            try await Reactor.shared.sleep(for: .milliseconds(delay))
            if !run.isRunning { break }
            run.signal(SIGKILL)
            _ = try await run.end()
            kills += 1
        }
        #expect(kills > 0)
        let last = try await program.run(export.command(), environment: environment(killed))
        #expect(last.status == 0, "\(last.errors)")
        let (a, b) = (try await contents(killed, withTimes: false), try await contents(whole, withTimes: false))
        #expect(a == b)
        export.folder.remove()
        program.remove()
    }

    @Test("conversations of which an export has nothing new are passed over; of others what is missing comes in")
    func passedOver() async throws {
        let database = try await MigratedDatabase()
        let (program, folder) = (try Program(), try TestFolder())
        func imported(_ texts: [String: [String]], _ more: [String] = []) async throws -> [String] {
            let talks = texts.map { id, said in
                let messages = said.enumerated().map { index, text in
                    #""m\#(index)":{"senderId":"ann","text":"\#(text)","timestamp":\#(1_704_067_200_000 + index)}"#
                }
                let members = #""type":"group","memberIds":["ann","bob"]"#
                return #""\#(id)":{\#(members),"messages":{\#(messages.joined(separator: ","))}}"#
            }
            let text = #"{"users":{"ann":{"displayName":"Ann"},"bob":{"displayName":"Bob"}},"conversations":"#
            try Data("\(text){\(talks.joined(separator: ","))}}".utf8)
                .write(to: URL(fileURLWithPath: "\(folder.path)/rtdb.json"))
            let outcome = try await program.run(
                ["import", "firebase", folder.path] + more, environment: ["PARLEY_DATABASE_URL": database.superuserURL])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let connection = try await Connection.open(database.superuser)
            defer { connection.close() }
            return try await connection.query(
                Statement("SELECT text FROM messaging.messages ORDER BY text") { try $0.text(0) })
        }
        func lose(_ text: String) async throws {
            let connection = try await Connection.open(database.superuser)
            defer { connection.close() }
            try await connection.execute(Statement<Void>("DELETE FROM messaging.messages WHERE text = $1"), .text(text))
        }
        let first = ["c1": ["a", "b"], "c2": ["c", "d"]]
        var stored = try await imported(first)
        #expect(stored == ["a", "b", "c", "d"])
        // What Parley lost since shows which conversations were written again.
        for text in ["a", "c"] { try await lose(text) }
        for more in [[], ["--follow"]] {
            stored = try await imported(first, more)
            #expect(stored == ["b", "d"])
        }
        // Of those with messages behind the others, these alone come in; with others in between all are compared.
        stored = try await imported(["c1": ["a", "b", "e"], "c2": ["c", "d"]], ["--follow"])
        #expect(stored == ["b", "d", "e"])
        stored = try await imported(["c1": ["a", "b", "x"], "c2": ["c", "d"]], ["--follow"])
        #expect(stored == ["a", "b", "d", "e"])
        // Without --follow what is known stays, so that was not all that the export has.
        for _ in 1...2 {
            try await lose("a")
            stored = try await imported(["c1": ["a", "y", "x"], "c2": ["c", "d"]])
            #expect(stored == ["a", "b", "d", "e"])
        }
        folder.remove()
        program.remove()
    }

    @Test("what cannot be imported is refused with a code, a sentence and advice, and changes nothing")
    func refused() async throws {
        let database = try await MigratedDatabase()
        let (program, folder) = (try Program(), try TestFolder())
        let empty = try await contents(database, withTimes: true)
        for (name, text, code) in [
            ("rtdb.json", #"{"users":{"a":{"displayName":"A"#, "import_cut_off"),
            ("rtdb.json", String(repeating: #"{"a":"#, count: 10_000), "import_too_large"),
            ("x.overall_export_metadata", "", "import_leveldb"), ("hash-config.json", "{}", "import_hash_config"),
        ] {
            let export = "\(folder.path)/\(UInt32.random(in: .min ... .max))"
            try FileManager.default.createDirectory(atPath: export, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(export)/\(name)"))
            let outcome = try await program.run(
                ["import", "firebase", export, "--report", "\(folder.path)/r"],
                environment: ["PARLEY_DATABASE_URL": database.superuserURL])
            #expect(outcome.status == 1 && outcome.errors.contains("(\(code))"), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count >= 2, "it says what to do")
        }
        #expect(try await contents(database, withTimes: true) == empty)
        let nowhere = try await program.run(["import", "firebase", folder.path, "--upload-to", "nonsense"])
        #expect(nowhere.status == 64 && nowhere.errors.contains("It must begin with wss:// or ws://."))
        let map = try await program.run(["import", "firebase", "--print-map"])
        #expect(map.status == 0 && map.output.contains("places:"))
        folder.remove()
        program.remove()
    }
}
