import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

/// Exports of people of the cluster, under other ids, as if they were of another one.
private struct MovedExports {
    let folder: TestFolder
    private var ids: [String: String] = [:]

    init(groups: [String]) throws {
        folder = try TestFolder()
        for group in groups {
            ids[group] = String(UUID().uuidString.replacing("-", with: "").lowercased())
        }
    }

    /// The id that somebody, or a group, has in the exports.
    mutating func id(of old: String) -> String {
        if let new = ids[old] { return new }
        let new = String(UUID().uuidString.replacing("-", with: "").prefix(old.utf8.count))
        ids[old] = new
        return new
    }

    /// Exports what a person has, under the ids of everybody who was named before.
    func export(_ person: Device, as name: String) async throws {
        let path = "\(folder.path)/\(name).json"
        try await person.client.export(to: path, filesTo: "\(folder.path)/\(name)")
        var text = try String(contentsOfFile: path, encoding: .utf8)
        for (old, new) in ids { text = text.replacing(old, with: new) }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    func command(_ name: String? = nil, _ more: String...) -> [String] {
        let export = name.map { "\(folder.path)/\($0).json" } ?? folder.path
        return ["import", "parley", export, "--report", "\(folder.path)/report.jsonl"] + more
    }

    func report() throws -> String { try String(contentsOfFile: "\(folder.path)/report.jsonl", encoding: .utf8) }
}

@Suite("T3 importing from another Parley")
struct ImportParleyTests {
    /// The one of before is taken here.
    @ReactorActor
    private func username(of id: String, _ cluster: TestCluster) async throws -> String {
        let connection = try await Connection.open(DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        let name = Statement("SELECT username FROM conversations.accounts WHERE user_id = $1") { try $0.text(0) }
        return try #require(try await connection.first(name, .text(id)))
    }

    /// Signs somebody in who came in by an export. A mail with a code gives them a password; here it is that of before.
    private func arrived(
        _ old: Device, as id: String, _ cluster: TestCluster
    ) async throws -> ParleyClient {
        try await cluster.execute(
            """
            UPDATE conversations.accounts SET password_hash = (
                SELECT a.password_hash FROM conversations.accounts AS a WHERE a.user_id = '\(old.user)')
            WHERE user_id = '\(id)'
            """)
        let client = try await cluster.stranger()
        try await client.signIn(username: try await username(of: id, cluster), password: old.password)
        #expect(await client.user == id)
        return client
    }

    @Test("people find conversations, marks, stars, reactions, reminders and files as they had them; twice is as once")
    func everything() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob, cyd) = (
            try await cluster.person("alice"), try await cluster.person("bob"), try await cluster.person("cyd")
        )
        try await cluster.acquaint(alice, [bob, cyd])
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let group = try await alice.client.createGroup(name: "Team", users: [bob.user]).conversation.id
        let bytes = [UInt8](repeating: 97, count: 1_000)
        let media = try await alice.client.upload(bytes, to: direct, name: "plan.txt")
        let first = try await bob.client.send("Hi", to: direct).seq
        _ = try await alice.client.send(
            .with { ($0.conversation, $0.text, $0.replyToSeq) = (direct, "Ho", first) })
        let file = try await alice.client.send(media, to: direct).seq
        try await alice.client.edit(file - 1, of: direct, text: "Hoho")
        try await bob.client.react("👍", to: file - 1, of: direct)
        try await bob.client.star([file - 1], of: direct)
        try await bob.client.updateInboxState(direct, pinned: true)
        try await bob.client.markRead(direct, upTo: file - 1)
        _ = try await alice.client.send("before", to: group)
        try await alice.client.addMembers([cyd.user], to: group)
        _ = try await alice.client.send("after", to: group)
        _ = try await bob.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("call", 4_000_000_000_000_000) })
        try await alice.client.updateProfile(displayName: "Alice", email: "alice@example.org")

        var exports = try MovedExports(groups: [group])
        let (newAlice, newBob, newCyd) = (
            exports.id(of: alice.user), exports.id(of: bob.user), exports.id(of: cyd.user)
        )
        let newGroup = exports.id(of: group)
        try await exports.export(alice, as: "alice")
        try await exports.export(bob, as: "bob")
        let program = try Program()
        let environment = ["PARLEY_DATABASE_URL": cluster.endpoints.database]
        let rehearsed = try await program.run(exports.command(nil, "--dry-run"))
        #expect(rehearsed.status == 0 && rehearsed.output.contains("Nothing was changed."), "\(rehearsed.errors)")
        let command = exports.command(nil, "--upload-to", cluster.url(), "--json")
        let outcome = try await program.run(command, environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")

        // Neither the display name nor the address becomes a username.
        #expect(try await username(of: newAlice, cluster) == "\(alice.username)-2")
        let there = try await arrived(bob, as: newBob, cluster)
        let entries = try await there.inbox(limit: 10).entries
        let newDirect = [newAlice, newBob].sorted().joined(separator: "_")
        #expect(Set(entries.map(\.conversation)) == [newDirect, newGroup])
        let entry = try #require(entries.first { $0.conversation == newDirect })
        #expect(entry.state.unread == 1 && entry.state.pinnedAtUs > 0)
        let messages = try await there.history(of: newDirect, .after(0), limit: 10).messages
        let old = try await bob.client.history(of: direct, .after(0), limit: 10).messages.filter { $0.kind != .system }
        #expect(messages.map(\.text) == ["Hi", "Hoho", ""] && messages.map(\.sentAtUs) == old.map(\.sentAtUs))
        #expect(messages.map(\.sender) == [newBob, newAlice, newAlice])
        #expect(messages[1].replyToSeq == messages[0].seq && messages[1].editedAtUs == old[1].editedAtUs)
        #expect(messages[1].reactions.map(\.emoji) == ["👍"] && messages[1].own.reactions == ["👍"])
        #expect(messages[1].own.starred)
        let report = try exports.report()
        #expect(messages[2].media.name == "plan.txt", "\(outcome.output) \(report)")
        let got = "\(exports.folder.path)/got"
        try await there.download(messages[2].seq, of: newDirect, to: got)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: got))) == bytes)
        #expect(try await there.listReminders().reminders.map(\.title) == ["call"])
        let revisions = try await there.revisions(of: messages[1].seq, in: newDirect).map(\.text)
        #expect(revisions == ["Ho"])

        // Who has no export reads what was said since they joined, as before.
        let late = try await arrived(cyd, as: newCyd, cluster)
        let read = try await late.history(of: newGroup, .after(0), limit: 10).messages
        #expect(read.map(\.text) == ["after"])
        let positions = """
            SELECT sum(h.position)::bigint FROM messaging.heads AS h JOIN conversations.members AS m USING (conversation)
            JOIN conversations.accounts AS a USING (account) WHERE a.user_id = '\(newBob)'
            """
        let before = try await cluster.number(positions)
        let again = try await program.run(command, environment: environment)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try await cluster.number(positions) == before)
        #expect(try await there.inbox(limit: 10).entries.first { $0.conversation == newDirect }?.state.unread == 1)
        for client in [there, late, alice.client, bob.client, cyd.client] { await client.close() }
        exports.folder.remove()
        program.remove()
    }

    @Test("who was named before and comes later signs in and adds what is newer; what is older shows to nobody")
    func later() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        try await cluster.acquaint(alice, [bob])
        let group = try await bob.client.createGroup(name: "Team", users: []).conversation.id
        _ = try await bob.client.send("before", to: group)
        try await bob.client.addMembers([alice.user], to: group)
        _ = try await bob.client.send("after", to: group)
        var exports = try MovedExports(groups: [group])
        let newGroup = exports.id(of: group)
        let (newAlice, newBob) = (exports.id(of: alice.user), exports.id(of: bob.user))
        try await exports.export(alice, as: "alice")
        _ = try await alice.client.send("newer", to: group)
        let address = "\(newBob.lowercased())@example.org"
        try await bob.client.updateProfile(displayName: "Bob", email: address)
        try await exports.export(bob, as: "bob")
        let program = try Program()
        let environment = ["PARLEY_DATABASE_URL": cluster.endpoints.database]
        for name in ["alice", "bob"] {
            let outcome = try await program.run(exports.command(name), environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try exports.report().contains("its conversation came in before"))
        let mails = "SELECT count(*) FROM conversations.accounts WHERE user_id = '\(newBob)' AND email = '\(address)'"
        #expect(try await cluster.number(mails) == 1)
        for (old, id) in [(alice, newAlice), (bob, newBob)] {
            let client = try await arrived(old, as: id, cluster)
            let messages = try await client.history(of: newGroup, .after(0), limit: 10).messages
            #expect(messages.map(\.text) == ["after", "newer"])
            await client.close()
            await old.client.close()
        }
        exports.folder.remove()
        program.remove()
    }

    @Test("a link in an export that leads out of it brings no file of this machine in")
    func links() async throws {
        let cluster = try await TestCluster.shared
        let (alice, bob) = (try await cluster.person("alice"), try await cluster.person("bob"))
        try await cluster.acquaint(alice, [bob])
        let direct = try await alice.client.startDirect(with: bob.user).conversation.id
        let media = try await alice.client.upload([UInt8](repeating: 97, count: 100), to: direct, name: "plan.txt")
        _ = try await alice.client.send(media, to: direct)
        var exports = try MovedExports(groups: [])
        _ = (exports.id(of: alice.user), exports.id(of: bob.user))
        try await exports.export(alice, as: "alice")
        let program = try Program()
        let command = exports.command(nil, "--dry-run", "--upload-to", cluster.url())
        #expect(try await program.run(command).status == 0)
        #expect(try !exports.report().contains("leads out of the folder"))
        let elsewhere = try TestFolder()
        try FileManager.default.moveItem(atPath: "\(exports.folder.path)/alice", toPath: "\(elsewhere.path)/alice")
        try FileManager.default.createSymbolicLink(
            atPath: "\(exports.folder.path)/alice", withDestinationPath: "\(elsewhere.path)/alice")
        #expect(try await program.run(command).status == 0)
        #expect(try exports.report().contains("plan.txt is a link that leads out of the folder"))
        for client in [alice.client, bob.client] { await client.close() }
        for folder in [exports.folder, elsewhere] { folder.remove() }
        program.remove()
    }

    @Test("what is no export, and one into the database that it is from, is refused with what to do")
    func refused() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let exports = try MovedExports(groups: [])
        try await exports.export(alice, as: "alice")
        let program = try Program()
        let environment = ["PARLEY_DATABASE_URL": cluster.endpoints.database]
        let own = try await program.run(exports.command(), environment: environment)
        #expect(own.status == 1 && own.errors.contains("Is it the database that the export is from?"), "\(own.errors)")
        let path = "\(exports.folder.path)/alice.json"
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for (data, code) in [
            (whole.dropLast(20), "import_cut_off"), (Data("{}".utf8), "import_not_export"),
        ] {
            try data.write(to: URL(fileURLWithPath: path))
            let outcome = try await program.run(exports.command(), environment: environment)
            #expect(outcome.status == 1 && outcome.errors.contains("(\(code))"), "\(outcome.errors)")
        }
        let nobody = try await program.run(exports.command("nobody", "--dry-run"))
        #expect(nobody.status == 1 && nobody.errors.contains("Cannot open nobody.json"), "\(nobody.errors)")
        await alice.client.close()
        exports.folder.remove()
        program.remove()
    }
}
