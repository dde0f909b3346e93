import Foundation
import Glibc
import ParleyClient
import TestSupport
import Testing

@Suite("A5: exporting my data")
struct ExportTests {
    @Test("A5 one JSON file holds all my data, and nothing of conversations that I am not in")
    func everything() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let people = try await cluster.people(3)
        try await alice.client.updateProfile(displayName: "Alice \"A\" Ádams", email: "alice@example.org")
        let direct = try await alice.client.startDirect(with: people[0].user).conversation.id
        for number in 0..<450 { _ = try await alice.client.send("mine \(number)", to: direct) }
        let group = try await people[1].client.createGroup(name: "g", users: [alice.user]).conversation.id
        _ = try await people[1].client.send("theirs\n\"quoted\" 🎉", to: group)
        let other = try await people[0].client.startDirect(with: people[1].user).conversation.id
        _ = try await people[0].client.send("not for alice", to: other)
        try await alice.client.block(people[2].user)
        _ = try await alice.client.createReminder(.with { ($0.title, $0.dueAtUs) = ("call", 1) })
        _ = try await alice.client.createDecision(.with { $0.text = "Italian" })
        try await alice.client.edit(1, of: direct, text: "mine, once more")
        try await alice.client.edit(1, of: direct, text: "mine 0")
        try await alice.client.updateInboxState(group, pinned: true)
        let read = try #require(try await alice.client.markRead(group, upTo: .max)).readSeq
        let home = try Program()
        defer { home.remove() }
        let path = "\(home.clusterFolder)-alice.json"
        try await alice.client.export(to: path)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        func list(_ key: String) throws -> [[String: Any]] { try #require(object[key] as? [[String: Any]], "\(key)") }
        #expect(try list("profile").first?["email"] as? String == "alice@example.org")
        #expect(try list("devices").count == 1 && list("blocks").count == 1 && list("reminders").count == 1)
        #expect(try list("decisions").compactMap { $0["text"] as? String } == ["Italian"])
        #expect(Set(try list("conversations").compactMap { $0["id"] as? String }) == [direct, group])
        let messages = try list("messages")
        let texts = messages.compactMap { $0["text"] as? String }
        #expect(texts.filter { $0.hasPrefix("mine ") } == (0..<450).map { "mine \($0)" })
        #expect(texts.contains("theirs\n\"quoted\" 🎉") && !texts.contains("not for alice"))
        let revised = try #require(
            messages.first { $0["conversation"] as? String == direct && $0["seq"] as? String == "1" })
        let revisions = try #require(revised["revisions"] as? [[String: Any]])
        #expect(revisions.compactMap { $0["text"] as? String } == ["mine 0", "mine, once more"])
        let state = try #require(try list("inbox").first { $0["conversation"] as? String == group })
        #expect(state["readSeq"] as? String == "\(read)" && state["pinnedAtUs"] != nil)
        for section in ParleyClient.ExportSection.allCases { _ = try list(section.rawValue) }
        #expect(!FileManager.default.fileExists(atPath: path + ".part"))
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        // Only a complete export replaces the existing file.
        try await alice.client.export(to: path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == data)
        try Data("something else\n".utf8).write(to: URL(fileURLWithPath: path + ".part"))
        let refused = await #expect(throws: ParleyError.self) { try await alice.client.export(to: path) }
        #expect(refused?.code == "export_failed")
        try Data("{\"parley_export\":1,\"user\":\"somebodyelse\"}\n".utf8).write(
            to: URL(fileURLWithPath: path + ".part"))
        await #expect(throws: ParleyError.self) { try await alice.client.export(to: path) }
    }

    @Test("A5 an export has the files that I sent, with their bytes if I want them, and the reports that I made")
    func filesAndReports() async throws {
        let cluster = try await TestCluster.shared
        let parley = try Program()
        defer { parley.remove() }
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let bytes = (0..<3).map { [UInt8](repeating: 97 + UInt8($0), count: 100_000) }
        for (number, name) in ["plan.txt", "plan.txt", "old.txt"].enumerated() {
            let media = try await alice.client.upload(bytes[number], to: talk, name: name)
            _ = try await alice.client.send(media, to: talk)
        }
        let theirs = try await bob.client.upload([1], to: talk, name: "theirs.txt")
        let seq = try await bob.client.send(theirs, to: talk).seq
        try await alice.client.report(bob.user, message: (talk, seq), reason: .spam, note: "again \"and\" again")
        try await alice.client.report(bob.user, reason: .impersonation)
        try await bob.client.report(alice.user, reason: .harassment)
        // What she no longer sees is still hers.
        try await alice.client.clear(talk)
        let connection = ["--url", cluster.url()]
        let signedIn = try await parley.run(
            ["login", alice.username] + connection, environment: ["PARLEY_PASSWORD": alice.password])
        #expect(signedIn.status == 0, "\(signedIn.errors)")
        let (path, folder) = ("\(parley.clusterFolder)-alice.json", "\(parley.clusterFolder)-files")
        func exported(_ arguments: [String]) async throws -> [String: [[String: Any]]] {
            let run = try await parley.run(["export", "--to", path] + arguments + connection)
            #expect(run.status == 0, "\(run.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
            return try #require(object as? [String: Any]).compactMapValues { $0 as? [[String: Any]] }
        }
        let plain = try await exported([])
        let reports = try #require(plain["reports"])
        #expect(reports.map { $0["reason"] as? String } == ["SPAM", "IMPERSONATION"])
        #expect(reports[0]["note"] as? String == "again \"and\" again" && reports[0]["seq"] as? String == "\(seq)")
        #expect(reports.allSatisfy { $0["user"] as? String == bob.user })
        let described = try #require(plain["files"])
        #expect(described.map { $0["conversation"] as? String } == [talk, talk, talk])
        #expect(described.allSatisfy { $0["savedAs"] == nil })

        let whole = try await exported(["--files", folder])
        let paths = try #require(whole["files"]).compactMap { $0["savedAs"] as? String }
        #expect(paths.map { $0.split(separator: "/").last } == ["plan.txt", "plan.txt", "old.txt"])
        #expect(Set(paths).count == 3)
        for (path, bytes) in zip(paths, bytes) {
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)"))) == bytes)
        }
        // Again: what is there is not downloaded again, what is missing is.
        try FileManager.default.removeItem(atPath: "\(folder)/\(paths[1])")
        let kept = "\(folder)/\(paths[0])"
        let before = try FileManager.default.attributesOfItem(atPath: kept)
        _ = try await exported(["--files", folder])
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(paths[1])"))) == bytes[1])
        let after = try FileManager.default.attributesOfItem(atPath: kept)
        #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
        // Something else in its place is neither overwritten nor followed.
        try Data("mine".utf8).write(to: URL(fileURLWithPath: kept))
        let refused = try await parley.run(["export", "--to", path, "--files", folder] + connection)
        #expect(refused.status != 0)
        #expect(refused.errors.contains("Remove it, or name another folder."), "\(refused.errors)")
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("A5 an export overwrites, follows and shares no file but its own, and says what to do")
    func foreignFiles() async throws {
        let cluster = try await TestCluster.shared
        let alice = try await cluster.person("alice")
        let home = try Program()
        defer { home.remove() }
        let (path, other) = ("\(home.clusterFolder)-alice.json", "\(home.clusterFolder)-other")
        let header = "{\"parley_export\":1,\"user\":\"\(alice.user)\"}\n"
        let files = FileManager.default
        func content(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
        func refuses(_ file: String, _ what: Comment) async throws {
            let refused = await #expect(throws: ParleyError.self, what) { try await alice.client.export(to: path) }
            #expect(refused?.code == "export_failed", what)
            #expect(refused?.message.contains(path + file) == true, what)
            #expect(refused?.message.contains("Remove it, or name another file.") == true, what)
            #expect(!files.fileExists(atPath: path), what)
        }
        func write(_ text: String, _ path: String, mode: Int = 0o600) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        for text in ["my notes, without a newline", "{\"parley_export\":2", header.dropLast(3) + "x", "{}\n\(header)"] {
            try write(text, path + ".part")
            try await refuses(".part", "\(text)")
            #expect(try content(path + ".part") == text)
            try files.removeItem(atPath: path + ".part")
        }
        for file in [".part", ".new"] {
            for target in [header, "", "important"] {
                try write(target, other)
                try files.createSymbolicLink(atPath: path + file, withDestinationPath: other)
                try await refuses(file, "a link to \(target)")
                #expect(try content(other) == target)
                try files.removeItem(atPath: path + file)
                if files.fileExists(atPath: path + ".part") { try files.removeItem(atPath: path + ".part") }
            }
            try files.createSymbolicLink(atPath: path + file, withDestinationPath: other + "-missing")
            try await refuses(file, "a link to nothing")
            #expect(!files.fileExists(atPath: other + "-missing"))
            try files.removeItem(atPath: path + file)
            for mode in [0o640, 0o604, 0o622] {
                try write(header, path + file, mode: mode)
                try await refuses(file, "\(mode)")
                try files.removeItem(atPath: path + file)
            }
            try files.createDirectory(atPath: path + file, withIntermediateDirectories: false)
            try await refuses(file, "a folder")
            try files.removeItem(atPath: path + file)
            #expect(mkfifo(path + file, 0o600) == 0)
            try await refuses(file, "a pipe")
            try files.removeItem(atPath: path + file)
        }
        // It continues with its own files that a crash left behind.
        for text in ["", String(header.prefix(9)), String(header.dropLast()), header, header + "{\"sec"] {
            try write(text, path + ".part")
            try write("{\"parley_export\":1,\"us", path + ".new")
            try await alice.client.export(to: path)
            #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            #expect(!files.fileExists(atPath: path + ".part") && !files.fileExists(atPath: path + ".new"))
            try files.removeItem(atPath: path)
        }
    }

    @Test("A5 an export that is killed half-way continues from there, and its file equals that of an undisturbed one")
    func killed() async throws {
        let cluster = try await TestCluster.shared
        let parley = try Program()
        defer { parley.remove() }
        let alice = try await cluster.person("alice")
        let people = try await cluster.people(30)
        for person in people {
            let direct = try await alice.client.startDirect(with: person.user).conversation.id
            for number in 0..<5 { _ = try await alice.client.send("\(number)", to: direct) }
        }
        let connection = ["--url", cluster.url()]
        let signedIn = try await parley.run(
            ["login", alice.username] + connection, environment: ["PARLEY_PASSWORD": alice.password])
        #expect(signedIn.status == 0, "\(signedIn.errors)")
        let (whole, broken) = ("\(parley.clusterFolder)-whole.json", "\(parley.clusterFolder)-broken.json")
        #expect(try await parley.run(["export", "--to", whole] + connection).status == 0)
        let pages = {
            (try? String(contentsOfFile: broken + ".part", encoding: .utf8))?.split(separator: "\n").count ?? 0
        }
        var kills = 0
        for wanted in [2, 5, 9, 14, 20, 28] {
            let run = try parley.start(["export", "--to", broken] + connection)
            try await eventually("some pages are written") { pages() >= wanted || !run.isRunning }
            run.signal(SIGKILL)
            if try await run.end() == SIGKILL { kills += 1 }
            // As if it had been killed in the middle of a line.
            if kills == 2, let part = FileHandle(forWritingAtPath: broken + ".part") {
                try part.seekToEnd()
                try part.write(contentsOf: Data("{\"section\":\"messages\",\"ite".utf8))
                try part.close()
            }
        }
        #expect(kills >= 1)
        let last = try await parley.run(["export", "--to", broken] + connection)
        #expect(last.status == 0, "\(last.errors)")
        let (one, other) = (
            try Data(contentsOf: URL(fileURLWithPath: whole)), try Data(contentsOf: URL(fileURLWithPath: broken))
        )
        #expect(one == other)
        #expect(one.count > 10_000)
    }
}
