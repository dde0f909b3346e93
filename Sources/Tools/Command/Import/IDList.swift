import Foundation
import Import

/// Which id of an export became which: a line of JSON each.
final class IDList {
    private let file: FileHandle
    private var piece: [UInt8] = []
    private var conversation = ""

    init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw Failure(.fileFailed, "Cannot write the list of ids \(path).") }
        self.file = file
    }

    func add(_ person: ImportedPerson) throws { try add("person", person.source, person.id) }

    func add(_ item: Conversion.Item) throws {
        switch item {
        case .talk(let talk):
            conversation = talk.id
            for source in talk.sources { try add("conversation", source, talk.id) }
        case .message(let message): try add("message", message.source, DerivedID.hex(message.uuid), in: conversation)
        case .state: break
        }
    }

    private func add(_ kind: String, _ source: String, _ id: String, in conversation: String? = nil) throws {
        var fields: [JSON.Field] = [.init("kind", .text(kind)), .init("source", .text(source)), .init("id", .text(id))]
        if let conversation { fields.append(.init("conversation", .text(conversation))) }
        JSON.object(fields).write(to: &piece)
        piece.append(0x0A)
        if piece.count > 1 << 16 { try flush() }
    }

    func flush() throws {
        do {
            try file.write(contentsOf: piece)
        } catch {
            throw Failure(.fileFailed, "Cannot write the list of ids: \(error.localizedDescription)")
        }
        piece.removeAll(keepingCapacity: true)
    }
}
