import Foundation
import ParleyClient

/// The bytes of a message's file, determined by the message's id.
enum FileContent {
    static func bytes(of id: String, count: Int) -> [UInt8] {
        var random = SeededRandom(seed: 0, part: id)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }
}

// Messages with files.
extension Person {
    func sendFile(_ choice: Choice) async {
        guard let conversation = choice.pick(await residents[0].writable) else { return }
        let client = residents[choice.which[1] % 2].client
        let id = await home.newID()
        // Most files are small, one in ten spans several pieces.
        let count = 1 + choice.which[2] % (choice.which[3] % 10 == 0 ? 400_000 : 10_000)
        let bytes = FileContent.bytes(of: id.description, count: count)
        let attachment = await home.newID()
        let (_, outcome) = await recorder.call(name, "upload \(count) bytes for \(id) to \(conversation)") {
            () throws(ParleyError) in
            try await client.upload(bytes, to: conversation, name: "\(id).bin", id: attachment)
        }
        guard case .success(let media) = outcome else { return }
        await send(text(choice), media, to: conversation, id: id, attempts: 4)
    }
}

extension Newcomer {
    /// Downloads the files of a conversation and compares them with what was sent.
    func downloadFiles(of messages: [Parley_V1_Message], by client: ParleyClient) async throws(ParleyError) {
        for message in messages where message.hasMedia && message.deletedAtUs == 0 {
            let path = NSTemporaryDirectory() + "/parley-torture-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let id = message.id.hexDigits
            var (isSame, refusal) = (false, String?.none)
            do throws(ParleyError) {
                try await client.download(message.seq, of: message.conversation, to: path)
                let expected = FileContent.bytes(of: id, count: Int(message.media.sizeBytes))
                isSame = FileManager.default.contents(atPath: path) == Data(expected)
            } catch {
                guard error.isDefinite else { throw error }
                refusal = error.code
            }
            recorder.note { [isSame, refusal] in
                $0.downloads.append(DownloadFact(reader: user, message: id, isSame: isSame, refusal: refusal))
            }
        }
    }
}
