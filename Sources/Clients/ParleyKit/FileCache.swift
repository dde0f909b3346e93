import Foundation
import ParleyClient

/// The files of messages that were downloaded. The folder is bounded: those opened longest ago go first.
actor FileCache {
    private let folder: URL
    private var bytesMax: Int64

    init(_ folder: URL, bytesMax: Int64 = .max) { (self.folder, self.bytesMax) = (folder, bytesMax) }

    func bound(to bytesMax: Int64) { self.bytesMax = bytesMax }

    /// Takes over the copy of a file that was sent. One that cannot be moved is downloaded when it is looked at.
    func adopt(_ url: URL, of seq: Int64, _ name: String, in conversation: String) {
        let place = place(of: seq, name, in: conversation)
        do {
            try makeFolder(of: place)
            try FileManager.default.moveItem(at: url, to: place)
            try OwnFiles.restrict(place.path)
            try trim(keeping: place)
        } catch {
            _ = try? FileManager.default.removeItem(at: url)
        }
    }

    /// Keeps a file that did not come by a download: that of a double.
    func keep(_ bytes: Data, of seq: Int64, _ name: String, in conversation: String) throws {
        let place = place(of: seq, name, in: conversation)
        try makeFolder(of: place)
        try bytes.write(to: place)
        try OwnFiles.restrict(place.path)
    }

    /// Removes a folder that ends with this process.
    func removeAll(_ folder: URL) { _ = try? FileManager.default.removeItem(at: folder) }

    /// Returns where a message's file is, after downloading it if it is not there.
    func file(of seq: Int64, _ name: String, in conversation: String, from client: ParleyClient?) async throws -> URL {
        let place = place(of: seq, name, in: conversation)
        if FileManager.default.fileExists(atPath: place.path) {
            try FileManager.default.setAttributes([.modificationDate: Date.now], ofItemAtPath: place.path)
            return place
        }
        guard let client else { throw Refusal.notStored }
        try makeFolder(of: place)
        try await client.download(seq, of: conversation, to: place.path, overwriting: true)
        try OwnFiles.restrict(place.path)
        try trim(keeping: place)
        return place
    }

    private func makeFolder(of place: URL) throws {
        try OwnFiles.makeFolder(place.deletingLastPathComponent())
        try OwnFiles.leaveOutOfBackups(folder)
    }

    /// A file keeps the end of its name, so that what opens it knows what it is.
    private func place(of seq: Int64, _ name: String, in conversation: String) -> URL {
        let safe = OwnFiles.name(name, bytesMax: 100)
        let id = OwnFiles.name(conversation.filter { $0.isLetter || $0.isNumber || $0 == "_" }, bytesMax: 100)
        return folder.appendingPathComponent(id.isEmpty ? "none" : id)
            .appendingPathComponent("\(seq)-\(safe.isEmpty ? "file" : safe)")
    }

    /// Removes the files opened longest ago, until what is left is within the bound.
    /// - Parameter last: the file that stays in any case.
    func trim(keeping last: URL? = nil) throws {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey, .isRegularFileKey]
        let walker = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: Array(keys))
        var files: [(url: URL, size: Int64, opened: Date)] = []
        while let url = walker?.nextObject() as? URL {
            let values = try url.resourceValues(forKeys: keys)
            guard values.isRegularFile ?? false else { continue }
            files.append((url, Int64(values.fileSize ?? 0), values.contentModificationDate ?? .distantPast))
        }
        var bytes = files.reduce(0) { $0 + $1.size }
        for file in files.sorted(by: { $0.opened < $1.opened }) where bytes > bytesMax {
            guard file.url.standardizedFileURL != last?.standardizedFileURL else { continue }
            try FileManager.default.removeItem(at: file.url)
            bytes -= file.size
        }
    }
}

extension Parley {
    /// Returns the file of a message, from the device or, the first time, from the server. That of a message which is
    /// not sent yet is the copy that will be.
    /// - Throws: `offline` when it is not on the device and there is no connection; `attachment_not_found`,
    ///   `message_not_found`, `storage_failed`.
    public func file(of message: Message) async throws(Refusal) -> URL {
        guard let account else { throw isClosed ? .wasClosed : .signedOut }
        if let unsent = outbox.entries.first(where: { $0.item.sends == message.id })?.item.file {
            return account.unsentFiles.url(of: unsent)
        }
        guard let seq = message.seq, let attachment = message.attachment else {
            throw Refusal(.attachmentNotFound, "This message has no file.")
        }
        // What was sent just now may still be on its way there.
        await outbox.keeping?.value
        do {
            let files = account.files
            return try await files.file(
                of: seq, attachment.name, in: message.conversation.rawValue, from: connection == .online ? client : nil)
        } catch let error as ParleyError {
            throw Refusal(error)
        } catch {
            throw error as? Refusal ?? .storage("The file cannot be stored: \(error.localizedDescription)")
        }
    }
}
