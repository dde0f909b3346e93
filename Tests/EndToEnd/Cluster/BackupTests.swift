import Foundation
import ParleyClient
import Postgres
import Reactor
import TestSupport
import Testing

extension OperatedClusters {
    @Test("D4 a backup holds one moment; a restore brings back all its messages and files, and clients start over")
    func backup() async throws {
        let cluster = try await TestCluster(.init(gateways: 1))
        let (program, folder) = (try Program(), try TestFolder())
        let alice = try await cluster.person("alice")
        let bob = try await cluster.person("bob")
        let talk = try await alice.client.startDirect(with: bob.user).conversation.id
        let picture = Pictures.png(width: 64, height: 64, padding: 100_000)
        let media = try await alice.client.upload(picture, to: talk, name: "a.png")
        let seq = try await alice.client.send(media, as: .image, to: talk).seq
        for number in 1...20 { _ = try await alice.client.send("kept \(number)", to: talk) }
        let files = "\(cluster.cluster.folder)/files"
        let secrets = "\(cluster.cluster.folder)/secrets"
        let (backup, url) = ("\(folder.path)/monday", "\(folder.path)/url")
        try Data(cluster.endpoints.database.utf8).write(to: URL(fileURLWithPath: url))
        func run(_ arguments: [String]) async throws -> Ended {
            try await program.run(arguments + ["--database-url-file", url])
        }
        // Back up while others write.
        async let load: Void = {
            for number in 1...50 { _ = try await bob.client.sendReliably("meanwhile \(number)", to: talk) }
        }()
        let made = try await run(["backup", backup, "--files", files])
        #expect(made.status == 0, "\(made.errors)")
        try await load
        for number in 1...10 { _ = try await bob.client.send("lost \(number)", to: talk) }
        let follower = await Follower(bob.client)
        try await eventually("bob's feed has all messages") { await follower.messages[talk]?.count == 81 }

        let restore = ["restore", backup, "--files", files, "--secrets", secrets]
        let running = try await run(restore + ["--replace"])
        #expect(running.status == 75 && running.errors.contains("Stop them first"), "\(running.errors)")
        let services = ["gateway-1", "conversations-1", "messaging-1", "presence-1", "entities-1", "notifications-1"]
        for name in services { try await cluster.cluster.stop(name) }
        try FileManager.default.removeItem(atPath: files)
        let wrong: [(arguments: [String], status: Int32, says: String)] = [
            (restore, 64, "--replace"), (["restore", backup, "--secrets", secrets, "--replace"], 64, "--files"),
            (["restore", folder.path, "--secrets", secrets], 64, "no backup"),
            (
                ["restore", backup, "--files", files, "--secrets", "\(folder.path)/other", "--replace"], 64,
                "is missing"
            ),
            (["restore", "\(folder.path)/none"], 1, "not a folder"), (["backup", backup], 1, "already exists"),
            (["backup", "\(folder.path)/x", "--files", "\(folder.path)/none"], 1, "not a folder"),
        ]
        for (arguments, status, says) in wrong {
            let outcome = try await run(arguments)
            #expect(outcome.status == status && outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: files), "a refused restore writes no files")

        // A truncated dump changes nothing.
        let broken = "\(folder.path)/broken"
        try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: true)
        let whole = try Data(contentsOf: URL(fileURLWithPath: "\(backup)/database.dump"))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: "\(broken)/database.dump"))
        let cut = try await run(["restore", broken, "--secrets", secrets, "--replace"])
        #expect(cut.status == 1 && cut.errors.contains("pg_restore failed"), "\(cut.errors)")

        // Nor does a `pg_restore` that dies half-way, after complete statements.
        let before = try await messages(in: cluster)
        #expect(before > 80)
        let programs = try Self.programs(dyingIn: folder.path)
        let died = try await program.run(
            restore + ["--replace", "--database-url-file", url], environment: ["PATH": "\(programs):/usr/bin:/bin"])
        #expect(died.status == 1 && died.errors.contains("not read to its end"), "\(died.errors)")
        #expect(try await messages(in: cluster) == before)

        // A backup of a newer Parley is refused before anything changes.
        let newer = "\(folder.path)/newer"
        try await cluster.execute(
            "INSERT INTO messaging.migrations VALUES (9999, '9999_later', 'x', now())")
        #expect(try await run(["backup", newer]).status == 0)
        try await cluster.execute("DELETE FROM messaging.migrations WHERE number = 9999")
        let late = try await run(["restore", newer, "--secrets", secrets, "--replace"])
        #expect(late.status == 64 && late.errors.contains("messaging is at 9999."), "\(late.errors)")

        // So is one from before 0.1.0.
        let old = "\(folder.path)/old"
        try await cluster.execute("ALTER TABLE messaging.definitions RENAME TO kept")
        #expect(try await run(["backup", old]).status == 0)
        try await cluster.execute("ALTER TABLE messaging.kept RENAME TO definitions")
        let early = try await run(["restore", old, "--secrets", secrets, "--replace"])
        #expect(early.status == 64 && early.errors.contains("made before 0.1.0"), "\(early.errors)")
        #expect(try await messages(in: cluster) == before)

        let restored = try await run(restore + ["--replace"])
        #expect(restored.status == 0, "\(restored.errors)")
        var dump = stat()
        #expect(stat("\(backup)/database.dump", &dump) == 0 && dump.st_mode & 0o777 == 0o600)
        // Files that root restores belong to the owner of their folder. Nothing that a link names does.
        if geteuid() == 0 {
            let target = "\(folder.path)/service"
            let secret = "\(folder.path)/secret"
            try Data("root's".utf8).write(to: URL(fileURLWithPath: secret))
            for (name, kept) in [("link", secret), ("folder", folder.path)] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(backup)/files/\(name)", withDestinationPath: kept)
            }
            mkfifo("\(backup)/files/pipe", 0o600)
            try FileManager.default.createDirectory(
                atPath: target, withIntermediateDirectories: true, attributes: [.ownerAccountID: 4242])
            let again = try await run(
                ["restore", backup, "--files", "\(target)/files", "--secrets", secrets, "--replace"])
            #expect(again.status == 0, "\(again.errors)")
            #expect(again.errors.contains("Left out") && again.errors.contains(": 3 links"))
            #expect(try FileManager.default.attributesOfItem(atPath: secret)[.ownerAccountID] as? UInt == 0)
            for name in ["link", "folder", "pipe"] {
                var found = stat()
                #expect(lstat("\(target)/files/\(name)", &found) != 0, "\(name)")
            }
            let names = try FileManager.default.subpathsOfDirectory(atPath: target)
            #expect(names.count >= 3)
            for name in names {
                let owner = try FileManager.default.attributesOfItem(atPath: "\(target)/\(name)")[.ownerAccountID]
                #expect(owner as? UInt == 4242, "\(name)")
            }
        }
        for name in services.reversed() { try await cluster.cluster.start(name) }
        try await cluster.cluster.waitUntilReady()
        let device = try await cluster.device(of: alice)
        let history = try await device.client.wholeHistory(of: talk)
        let texts = history.map(\.text)
        #expect(texts.filter { $0.hasPrefix("kept") }.count == 20 && !texts.contains { $0.hasPrefix("lost") })
        let meanwhile = texts.filter { $0.hasPrefix("meanwhile") }
        #expect(meanwhile == (1...50).prefix(meanwhile.count).map { "meanwhile \($0)" }, "the backup is of one moment")
        try await device.client.download(seq, of: talk, to: "\(folder.path)/a.png")
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/a.png"))) == picture)
        try await eventually(within: .seconds(40), "the connected client starts over") {
            await follower.messages[talk] == history
        }
        #expect(try await bob.client.sendReliably("after", to: talk).seq == Int64(history.count) + 1)
        await cluster.end()
        program.remove()
        folder.remove()
    }

    @ReactorActor
    private func messages(in cluster: TestCluster) async throws -> Int64 {
        let connection = try await Connection.open(
            DatabaseConfiguration(test: cluster.endpoints.database))
        defer { connection.close() }
        return try await connection.first(
            Statement("SELECT count(*) FROM messaging.messages") { row in try row.int64(0) }) ?? 0
    }

    /// Makes PostgreSQL's programs, with a `pg_restore` that dies after the first tables except with `--data-only`.
    private static func programs(dyingIn folder: String) throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = try FileManager.default.contentsOfDirectory(atPath: root).compactMap(Int.init)
        let newest = try #require(versions.max(), "Debian's PostgreSQL")
        let target = "\(folder)/\(newest)/bin"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        for name in ["pg_dump", "pg_restore", "psql"] {
            let real = "\(root)/\(newest)/bin/\(name)"
            let script = """
                #!/bin/sh
                case "\(name) $*" in
                    "pg_restore --data-only "*) ;;
                    "pg_restore "*--file=-*) \(real) "$@" | sed '/^ALTER TABLE .*;$/q'; exit 1 ;;
                esac
                exec \(real) "$@"
                """
            _ = FileManager.default.createFile(
                atPath: "\(target)/\(name)", contents: Data(script.utf8), attributes: [.posixPermissions: 0o755])
        }
        return target
    }
}
