import Foundation
import GRDB
import ParleyClient
import Testing

@testable import ParleyKit

/// Files that are old, new, damaged, full, or shared.
@Suite("The SQLite store", .timeLimit(.minutes(4)))
struct SQLiteStoreTests {
    /// A message.
    private static let item = UnsentItem(
        id: Data(repeating: 7, count: 16), lane: "one", method: MessagingMethods.sendMessage.name,
        body: Data([0x0a, 16] + Array(repeating: 7, count: 16)), doneAtUs: 5)

    private static func message(_ seq: Int64) -> SyncChange {
        let text = "text \(seq) " + String(repeating: "x", count: 200)
        return .message(.with { ($0.conversation, $0.seq, $0.text) = ("one", seq, text) }, from: .update)
    }

    private static func fill(_ store: any Store, _ range: ClosedRange<Int64>) async throws {
        try await store.write { writer in
            var batch = StoreBatch(writer, me: "me")
            for seq in range { try batch.apply(message(seq)) }
            try writer.put(item)
            _ = try batch.finish(at: 0)
        }
    }

    private static func seqs(_ store: any Store) async throws -> [Int64] {
        try await store.read { try $0.messages("one", in: 1 ... .max, newest: false, limit: 1_000_000).map(\.seq) }
    }

    @Test("what was committed is there after a kill")
    func killed() async throws {
        let (folder, copy) = (try Folder(), try Folder())
        let store = try SQLiteStore(path: folder.file)
        for batch in Int64(0)..<20 { try await Self.fill(store, (batch * 10 + 1)...(batch * 10 + 10)) }
        // The files as a killed process leaves them.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.file + suffix, toPath: copy.file + suffix)
        }
        let again = try SQLiteStore(path: copy.file)
        #expect(try await Self.seqs(again) == Array(1...200))
        #expect(try await again.read { try $0.unsent() } == [Self.item])
    }

    @Test("nobody else can read a store, whatever the umask and the mode it had", arguments: [false, true])
    func modes(wasOpen: Bool) async throws {
        let folder = try Folder()
        if wasOpen {
            // As an earlier version left it.
            let old = try SQLiteStore(path: folder.file)
            try await Self.fill(old, 1...10)
            for rest in ["", "-wal", "-shm"] {
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file + rest)
            }
        }
        let store = try SQLiteStore(path: folder.file)
        try await Self.fill(store, 11...20)
        for rest in ["", "-wal", "-shm"] { #expect(try mode(of: folder.file + rest) == 0o600, "\(rest)") }
        withExtendedLifetime(store) {}
    }

    private func mode(of path: String) throws -> Int {
        let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        return try #require(found) & 0o777
    }

    @Test("nobody else can read the copy of a file to send")
    func copies() async throws {
        let folder = try Folder()
        let original = folder.url.appendingPathComponent("photo.jpg")
        try Data(count: 10).write(to: original)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: original.path)
        let copies = UnsentFiles(folder: folder.url.appendingPathComponent("unsent"))
        try await copies.keep(original, as: "one")
        #expect(try mode(of: copies.url(of: "one").path) == 0o600)
        #expect(try mode(of: copies.folder.path) == 0o700)
        #expect(try mode(of: original.path) == 0o644)
    }

    @Test("a damaged file is put aside, and what was unsent in it goes on in a new one", arguments: [0.0, 0.5])
    func damaged(at place: Double) async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.file)
        try await Self.fill(store, 1...20_000)
        await store.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file))
        let size = try file.seekToEnd()
        // Not the first pages when it is to be found while reading: they hold the schema and what is unsent.
        try file.seek(toOffset: place == 0 ? 0 : UInt64(Double(size) * place))
        try file.write(contentsOf: Data(repeating: 0xab, count: 200_000))
        try file.close()

        var (opened, aside, _) = try SQLiteStore.open(folder.file)
        if place > 0 {
            #expect(aside == nil)
            await #expect(throws: StoreProblem.damaged) { _ = try await Self.seqs(opened) }
            await opened.close()
            var isWhole = false
            (opened, aside, isWhole) = try SQLiteStore.open(folder.file)
            #expect(isWhole)
            #expect(try await opened.read { try $0.unsent() } == [Self.item])
        }
        #expect(try #require(aside).contains("damaged"))
        #expect(FileManager.default.fileExists(atPath: try #require(aside)))
        #expect(try await Self.seqs(opened).isEmpty)
        try await Self.fill(opened, 1...10)
        await opened.close()
        let (third, asideAgain, _) = try SQLiteStore.open(folder.file)
        #expect(asideAgain == nil)
        #expect(try await Self.seqs(third) == Array(1...10))
    }

    @Test("a file of a newer version stays as it is; the app goes on in memory and says so")
    @MainActor
    func newer() async throws {
        let folder = try Folder()
        let me = UserID(rawValue: "me")
        let path = Account.path(of: me, in: folder.url)
        let store = try SQLiteStore(path: path)
        try await Self.fill(store, 1...5)
        await store.close()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999')") }
        try queue.close()

        let account = await Account.open(me, in: folder.url)
        #expect(account.problem == .newerVersion)
        #expect(account.problem?.refusal.message.contains("Update the app") == true)
        try await Self.fill(account.store, 1...3)
        #expect(try await Self.seqs(account.store) == [1, 2, 3])
        await account.close()
        let kept = try DatabaseQueue(path: path)
        let (messages, unsent, versions) = try await kept.read { db in
            let rows = SQLiteRows(db)
            return (
                try rows.messages("one", in: 1 ... .max, newest: false, limit: 10).map(\.seq), try rows.unsent(),
                try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY 1")
            )
        }
        #expect(messages == [1, 2, 3, 4, 5])
        #expect(unsent == [Self.item])
        #expect(versions == ["1", "10", "2", "3", "4", "5", "6", "7", "8", "9", "999"])
    }

    @Test("M3 what a version stored that did not note which kinds it knew is read anew where it lacks some")
    func kinds() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.file)
        let names = ["conversations/u/me", "entities/u/me", "messaging/c/one", "messaging/u/me/0"]
        try await store.write { writer in
            for name in names {
                var stream = StoredStream(name)
                (stream.position, stream.epoch) = (4, "e1")
                try writer.put(stream)
            }
        }
        await store.close()
        let queue = try DatabaseQueue(path: folder.file)
        try await queue.write { db in
            try db.execute(
                sql: "ALTER TABLE stream DROP COLUMN kinds; DELETE FROM grdb_migrations WHERE identifier = '7'")
        }
        try queue.close()
        let updated = try SQLiteStore(path: folder.file)
        let machine = SyncMachine(restoring: try await updated.read { try $0.streams() }, [])
        #expect(names.map { machine.position(of: $0) } == [4, 0, 4, 4])
    }

    @Test("where nothing can be written the app goes on in memory and says so")
    @MainActor
    func readOnly() async throws {
        let account = await Account.open(UserID(rawValue: "me"), in: URL(fileURLWithPath: "/proc/parley"))
        #expect(account.problem == .readOnly)
        try await Self.fill(account.store, 1...3)
        #expect(try await Self.seqs(account.store) == [1, 2, 3])
    }

    @Test("on a full disk nothing is lost: what arrives is stored and shown once there is room")
    @MainActor
    func full() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.file)
        try await Self.fill(store, 1...10)
        try await store.setPagesMax(60)
        var (shown, problems): ([Int64], [StoreProblem?]) = ([], [])
        let committer = Committer(
            store, me: "me", messagesMax: 1_000_000, now: { 0 },
            shown: { committed in
                for case .message(let message) in committed.effects { shown.append(message.seq ?? 0) }
            },
            failed: { problems.append($0) })
        for seq in Int64(11)...5000 { committer.add([.change(Self.message(seq))]) }
        while problems.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(problems == [.full])
        #expect(try await store.read { try $0.unsent() } == [Self.item])
        try await store.setPagesMax(1_000_000)
        await committer.flush()
        while shown.count < 4990 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(shown == Array(11...5000))
        #expect(problems.last == .some(nil))
        #expect(try await Self.seqs(store) == Array(1...5000))
    }

    @Test("who waits for a full disk is told so once, and what they waited for is stored once there is room")
    @MainActor
    func fullAndWaiting() async throws {
        let folder = try Folder()
        let store = try SQLiteStore(path: folder.file)
        try await store.setPagesMax(60)
        var failures = 0
        let committer = Committer(
            store, me: "me", messagesMax: 1_000_000, now: { 0 }, shown: { _ in },
            failed: { if $0 == .full { failures += 1 } })
        #expect(await committer.flush((Int64(1)...5000).map { .change(Self.message($0)) }) == .full)
        try await eventually("it was tried three times") { failures >= 3 }
        try await store.setPagesMax(1_000_000)
        // The first may be told of an attempt that failed before there was room.
        let problem = await committer.flush()
        #expect(problem == nil || problem == .full)
        if problem != nil { #expect(await committer.flush() == nil) }
        #expect(try await Self.seqs(store) == Array(1...5000))
    }

    @Test("one process at a time has the lock, which ends with it")
    func lock() throws {
        let folder = try Folder()
        var first: FileLock? = FileLock(of: folder.file)
        let second = FileLock(of: folder.file)
        #expect(first?.tryLock() == true)
        #expect(first?.tryLock() == true)
        #expect(!second.tryLock())
        first = nil
        #expect(second.tryLock())
        second.unlock()
        #expect(FileLock(of: folder.file).tryLock())
    }

    @Test("two connections to one file write without losing what the other wrote")
    func twoWriters() async throws {
        let folder = try Folder()
        let stores = [try SQLiteStore(path: folder.file), try SQLiteStore(path: folder.file)]
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for (index, store) in stores.enumerated() {
                tasks.addTask {
                    for number in 0..<50 {
                        let item = UnsentItem(
                            id: Data([UInt8(index), UInt8(number)]), lane: "one", method: "x", body: Data(),
                            doneAtUs: 0)
                        try await store.write { try $0.put(item) }
                    }
                }
            }
            try await tasks.waitForAll()
        }
        for store in stores { #expect(try await store.read { try $0.unsent().count } == 100) }
    }

    @Test("tokens are kept in a file that only its owner can read")
    func credentials() async throws {
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("in/credentials.json")
        let store = CredentialFile(at: url)
        #expect(try await store.load() == nil)
        let credentials = Credentials(
            user: "me", device: "d", accessToken: "a", accessEndsUs: 1, refreshToken: "r", refreshEndsUs: 2)
        try await store.save(credentials)
        #expect(try await store.load() == credentials)
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
        await #expect(throws: Refusal.self) { try await store.load() }
        try await store.save(nil)
        #expect(try await store.load() == nil)
    }
}
