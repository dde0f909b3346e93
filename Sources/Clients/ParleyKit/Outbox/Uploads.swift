import Foundation
import NIOConcurrencyHelpers
import ParleyClient

/// Uploading the files of messages. A message goes out once the server has its file; its upload begins before it is the
/// message's turn, and goes on where it stopped.
extension Outbox {
    /// The most uploads under way.
    private static let uploadsMax = 2
    /// How often the server may have lost a file that was uploaded.
    private static let lossesMax = 3

    /// Takes over a file's progress.
    typealias Progress = @Sendable (Int64) -> Void

    /// - Throws: `outbox_full` when there is no room for a file.
    func requireRoom(for bytes: Int64) throws(Refusal) {
        let taken = entries.reduce(0) { $0 + ($1.item.media?.sizeBytes ?? 0) }
        guard taken + bytes <= parley.options.unsentFileBytesMax else {
            throw Refusal(
                .outboxFull,
                """
                Files of \(taken) bytes are not sent yet, and there is room for \(parley.options.unsentFileBytesMax). \
                Wait until some are, or drop some.
                """)
        }
    }

    /// Begins the uploads that may begin: after what creates the conversation, or lets me write there.
    func startUploads(_ account: Account) {
        let now = ContinuousClock.now
        var blocked: Set<String> = []
        for entry in entries {
            if uploads.count >= Self.uploadsMax { return }
            let item = entry.item
            let isOfMessage = item.sends != nil || item.changedMessage != nil
            if item.isKnown ? !isOfMessage : item.creates { blocked.insert(item.lane) }
            guard item.file != nil, item.isKnown, !entry.isUploaded, entry.state == .waiting, uploads[item.id] == nil,
                !blocked.contains(item.lane), pauses[item.lane]?.until ?? now <= now
            else { continue }
            uploads[item.id] = Task { [weak self, parley] in
                await self?.upload(item, account)
                withExtendedLifetime(parley) {}
            }
        }
    }

    private func upload(_ stored: UnsentItem, _ account: Account) async {
        var item = stored
        if item.mustRenew(at: account.now) { item = await renewed(item) }
        guard let media = item.media, let file = item.file else { return uploads[item.id] = nil }
        do throws(ParleyError) {
            let progress = progress(of: item.id, size: media.sizeBytes)
            let url = account.unsentFiles.url(of: file)
            if let uploader {
                try await uploader(item, url, progress)
            } else {
                guard let client = parley.client, let id = UUIDv7(bytes: media.attachment) else { throw .closed }
                _ = try await client.upload(
                    fileAt: url.path, to: item.lane, name: media.name, mimeType: media.mimeType, id: id,
                    progress: progress)
            }
            guard account === parley.account else { return }
            uploads[item.id] = nil
            set(item.id) { ($0.isUploaded, $0.uploaded) = (true, media.sizeBytes) }
            show(item)
            drain()
        } catch {
            guard account === parley.account, index(of: item.id) != nil else { return }
            uploads[item.id] = nil
            await failed(item, error)
            drain()
        }
    }

    /// Returns what shows a file's progress, in steps of a hundredth.
    private func progress(of id: Data, size: Int64) -> Progress {
        let shown = NIOLockedValueBox<Int64>(-1)
        return { [weak self] bytes in
            let step = bytes * 100 / max(size, 1)
            let isNew = shown.withLockedValue { shown in
                defer { shown = max(shown, step) }
                return step > shown
            }
            guard isNew else { return }
            Task { @MainActor in self?.note(bytes, of: id) }
        }
    }

    private func note(_ bytes: Int64, of id: Data) {
        guard uploads[id] != nil, let index = index(of: id), bytes > entries[index].uploaded else { return }
        entries[index].uploaded = bytes
        show(entries[index].item)
    }

    /// Whether a file that the server no longer has is uploaded again.
    func mustUploadAgain(_ item: UnsentItem, _ error: ParleyError) -> Bool {
        guard error.code == Refusal.Code.attachmentNotFound.rawValue, item.file != nil, let index = index(of: item.id),
            entries[index].losses < Self.lossesMax
        else { return false }
        entries[index].losses += 1
        (entries[index].isUploaded, entries[index].uploaded) = (false, 0)
        return true
    }

    /// Cancels the uploads. Each goes on where it stopped once there is a connection.
    func pauseUploads() {
        for task in uploads.values { task.cancel() }
    }

    /// Keeps the copy of a file that was sent, so that it need not be downloaded.
    func keep(_ item: UnsentItem, as seq: Int64?) {
        guard let account = parley.account, let file = item.file else { return }
        guard let seq, let media = item.media else { return account.unsentFiles.remove(file) }
        let (cache, url) = (account.files, account.unsentFiles.url(of: file))
        keeping = Task { [keeping] in
            await keeping?.value
            await cache.adopt(url, of: seq, media.name, in: item.lane)
        }
    }
}
