import Foundation
import NIOConcurrencyHelpers
import ParleyClient
import Testing

@testable import ParleyKit

/// Files that I send, until the server has them.
@MainActor
@Suite("Files in the outbox", .timeLimit(.minutes(4)))
struct OutboxFileTests {
    private let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")

    private func shows(file: String = #fileID, line: Int = #line, _ isSo: () -> Bool) async throws {
        try await eventually("what \(file):\(line) waits for") { isSo() }
    }

    private func picture(in folder: Folder, bytes: Int = 1000) throws -> FileToSend {
        let url = folder.url.appendingPathComponent("sea.png")
        try Data(repeating: 7, count: bytes).write(to: url)
        return FileToSend(url)
    }

    private func copies(_ double: ParleyDouble) throws -> [String] {
        let folder = try #require(double.parley.account).unsentFiles.folder
        return (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []).sorted()
    }

    /// A server that takes a file in steps that a test allows.
    @MainActor
    private final class Steps {
        private(set) var begun = 0
        private(set) var wasCancelled = false
        private var allowed: Double = 0

        func allow(_ part: Double) { allowed = part }

        func take(_ item: UnsentItem, _ url: URL, _ progress: Outbox.Progress) async throws(ParleyError) {
            begun += 1
            let size = item.media?.sizeBytes ?? 0
            guard FileManager.default.fileExists(atPath: url.path) else {
                throw ParleyError(code: "file_failed", message: "It is gone.")
            }
            while allowed < 1 {
                progress(Int64(allowed * Double(size)))
                do { try await Task.sleep(for: .milliseconds(1)) } catch {
                    wasCancelled = true
                    throw ParleyError(code: "cancelled", message: "It was cancelled.")
                }
            }
            progress(size)
        }
    }

    @Test("S7 a file is shown at once and uploaded with progress; what comes later in its conversation waits for it")
    func progress() async throws {
        let folder = try Folder()
        let double = await ParleyDouble(as: me)
        let steps = Steps()
        double.parley.outbox.uploader = { item, url, progress throws(ParleyError) in
            try await steps.take(item, url, progress)
        }
        let chat = await double.addConversation(with: ada)
        let other = await double.addGroup("Crew", members: [ada])
        let file = try picture(in: folder)
        let sending = Task.immediate { try await chat.send("The sea", file: file) }
        #expect(chat.messages.map(\.text) == ["The sea"] && chat.messages[0].kind == .image)
        #expect(chat.messages[0].attachment?.name == "sea.png" && chat.messages[0].progress == 0)
        let message = try await sending.value
        // The original may go.
        try FileManager.default.removeItem(at: file.url)
        try await chat.send("Did you see it?")
        try await other.send("Elsewhere it goes on")
        try await shows { other.messages.first?.seq == 1 }
        steps.allow(0.25)
        try await shows { chat.messages[0].progress == 0.25 }
        steps.allow(0.75)
        try await shows { chat.messages[0].progress == 0.75 }
        #expect(chat.messages.map(\.seq) == [nil, nil])
        // A message is shown as the server's a moment before it is no longer unsent.
        try await shows { double.parley.unsent.map(\.kind) == [.file("sea.png"), .message("Did you see it?")] }
        let waiting = try await double.parley.file(of: chat.messages[0])
        #expect(try Data(contentsOf: waiting).count == 1000)
        steps.allow(1)
        try await shows { double.parley.unsent.isEmpty }
        #expect(chat.messages.map(\.text) == ["The sea", "Did you see it?"] && chat.messages.map(\.seq) == [1, 2])
        #expect(chat.messages[0].id == message.id && chat.messages[0].progress == nil)
        #expect(chat.messages[0].attachment?.sizeBytes == 1000)
        // It need not be downloaded, not even at once.
        let kept = try await double.parley.file(of: chat.messages[0])
        #expect(try Data(contentsOf: kept) == Data(repeating: 7, count: 1000))
        #expect(try copies(double) == [])
        #expect(double.parley.conversations.audit().isEmpty)
        await double.parley.close()
        #expect(!FileManager.default.fileExists(atPath: kept.path))
    }

    @Test("S7 deleting a message cancels its upload and removes the copy")
    func cancelled() async throws {
        let folder = try Folder()
        let double = await ParleyDouble(as: me)
        let steps = Steps()
        double.parley.outbox.uploader = { item, url, progress throws(ParleyError) in
            try await steps.take(item, url, progress)
        }
        let chat = await double.addConversation(with: ada)
        let message = try await chat.send(file: try picture(in: folder))
        try await shows { steps.begun == 1 }
        #expect(try copies(double).count == 1)
        try await chat.delete(message)
        #expect(chat.messages.isEmpty && double.parley.unsent.isEmpty)
        try await shows { steps.wasCancelled }
        #expect(try copies(double).isEmpty)
        try await chat.send("Never mind")
        try await shows { chat.messages.map(\.seq) == [1] }
    }

    @Test("S7 a file that is refused says why, and is tried again; one that the server lost is uploaded again")
    func refused() async throws {
        let folder = try Folder()
        let double = await ParleyDouble(as: me)
        var (uploads, refusals) = (0, [ParleyError(code: "too_large", message: "It is too large.")])
        double.parley.outbox.uploader = { _, _, _ throws(ParleyError) in
            uploads += 1
            if let refusal = refusals.popLast() { throw refusal }
        }
        let chat = await double.addConversation(with: ada)
        let message = try await chat.send("x", file: try picture(in: folder))
        let refusal = Refusal(.tooLarge, "It is too large.")
        try await shows { chat.message(message.id)?.syncStatus == .failed(refusal) }
        #expect(chat.messages[0].progress == nil && double.parley.unsent.map(\.syncStatus) == [.failed(refusal)])
        #expect(try copies(double).count == 1)
        // Between the upload and the message the server forgets the file.
        double.refusal = Refusal(.attachmentNotFound, "It is gone.")
        try await double.parley.retry(double.parley.unsent[0].id)
        try await shows { double.parley.unsent.isEmpty }
        #expect(uploads == 3)
        #expect(chat.messages.map(\.seq) == [1])
    }

    @Test("S7 a file is sent after a restart, although the original is gone; other copies are removed after an hour")
    func restart() async throws {
        let (folder, originals) = (try Folder(), try Folder())
        let path = Account.path(of: me.id, in: folder.url)
        let double = await ParleyDouble(as: me, account: .holding(try SQLiteStore(path: path), of: me.id))
        let chat = await double.addConversation(with: ada)
        double.set(.offline(since: .now))
        let file = try picture(in: originals)
        let message = try await chat.send("The sea", file: file)
        try await chat.edit(message, to: "The lake")
        try FileManager.default.removeItem(at: file.url)
        // As a killed process leaves it, with a copy of a file whose message was never stored.
        let copy = try Folder()
        let copyPath = Account.path(of: me.id, in: copy.url)
        for suffix in ["", "-wal", "-files"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copyPath + suffix)
        }
        let again = await ParleyDouble(
            as: me, account: .holding(try SQLiteStore(path: copyPath), of: me.id), isOnline: false)
        let files = try #require(again.parley.account).unsentFiles
        try Data("other".utf8).write(to: files.url(of: "other"))
        let named = Set(again.parley.outbox.entries.compactMap(\.item.file))
        await files.removeOthers(than: named)
        #expect(try copies(again).count == 2)
        await files.removeOthers(than: named, now: .now + 3601)
        #expect(try copies(again) == Array(named))
        let same = again.parley.conversation(chat.id)
        await same.load()
        #expect(same.messages.map(\.text) == ["The lake"] && same.messages[0].attachment?.name == "sea.png")
        var bytes = Data()
        again.parley.outbox.uploader = { _, url, _ throws(ParleyError) in
            do {
                bytes = try Data(contentsOf: url)
            } catch {
                throw ParleyError(code: "file_failed", message: "\(error)")
            }
        }
        again.set(.online)
        try await shows { again.parley.unsent.isEmpty }
        #expect(bytes == Data(repeating: 7, count: 1000))
        #expect(same.messages.map(\.text) == ["The lake"] && same.messages.map(\.seq) == [1])
    }

    @Test("S7 files that wait are bounded, and one that cannot be read is refused before it is shown")
    func bounded() async throws {
        let folder = try Folder()
        let double = await ParleyDouble(as: me, unsentFileBytesMax: 2500)
        double.set(.offline(since: .now))
        let chat = await double.addConversation(with: ada)
        let file = try picture(in: folder)
        for _ in 0..<2 { try await chat.send(file: file) }
        func refusal(_ file: FileToSend) async -> Refusal.Code? {
            do throws(Refusal) {
                try await chat.send(file: file)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(await refusal(file) == .outboxFull)
        #expect(await refusal(FileToSend(folder.url)) == .fileFailed)
        #expect(await refusal(FileToSend(folder.url.appendingPathComponent("none"))) == .fileFailed)
        #expect(chat.messages.count == 2 && double.parley.unsent.count == 2)
        #expect(try copies(double).count == 2)
    }
}
