import Foundation
import ParleyClient
import SwiftProtobuf

/// What a client of one person holds: the whole of each message, as the server told it.
struct Holdings: Sendable {
    /// By id. Those that are gone are not there.
    var conversations: [String: Parley_V1_Conversation] = [:]
    var requests = Parley_V1_RequestCount()
    var profile = Parley_V1_Profile()
    /// By user id.
    var blocks: [String: Parley_V1_Block] = [:]
    /// By conversation and seq.
    var messages: [String: [Int64: Parley_V1_Message]] = [:]
    var reminders: [Data: Parley_V1_Reminder] = [:]
    /// How far each stream is applied. A mirror may be ahead of what it holds by changes that made no difference.
    var positions: [String: Int64] = [:]

    /// Where this differs from what a new client would hold, a line each; empty: nowhere.
    func differences(from fresh: Holdings) -> [String] {
        var lines = Self.differences("conversation", conversations, fresh.conversations)
        lines += Self.differences("count of requests", ["": requests], ["": fresh.requests])
        lines += Self.differences("profile", ["": profile], ["": fresh.profile])
        lines += Self.differences("block", blocks.mapValues(\.listed), fresh.blocks.mapValues(\.listed))
        for conversation in Set(messages.keys).union(fresh.messages.keys).sorted() {
            lines += Self.differences(
                "message of \(conversation)", messages[conversation] ?? [:], fresh.messages[conversation] ?? [:])
        }
        return lines + Self.differences("reminder", reminders, fresh.reminders)
    }

    /// Nothing is missing that a snapshot of these positions tells.
    func isLevel(with fresh: Holdings) -> Bool {
        fresh.positions.allSatisfy { positions[$0.key, default: 0] >= $0.value }
    }

    private static func differences<Key: Hashable, Value: SwiftProtobuf.Message & Equatable>(
        _ what: String, _ mine: [Key: Value], _ fresh: [Key: Value]
    ) -> [String] {
        Set(mine.keys).union(fresh.keys).map { key in
            switch (mine[key], fresh[key]) {
            case (let mine?, let fresh?) where mine == fresh: ""
            case (let mine?, let fresh?): "\(what) \(name(key)): \(difference(mine, fresh))"
            case (let mine?, nil): "\(what) \(name(key)): held, and not there: \(line(mine))"
            case (nil, let fresh): "\(what) \(name(key)): not held: \(fresh.map(line) ?? "")"
            }
        }.filter { !$0.isEmpty }.sorted()
    }

    private static func name(_ key: some Hashable) -> String {
        (key as? Data).map { $0.map { String($0, radix: 16) }.joined() } ?? "\(key)"
    }

    private static func line(_ message: some SwiftProtobuf.Message) -> String {
        message.textFormatString().split(separator: "\n").joined(separator: " ")
    }

    /// The lines of their text forms that only one of them has.
    private static func difference(_ mine: some SwiftProtobuf.Message, _ fresh: some SwiftProtobuf.Message) -> String {
        let (held, told) = (
            mine.textFormatString().split(separator: "\n"), fresh.textFormatString().split(separator: "\n")
        )
        let changes = told.difference(from: held)
        let (gone, new) = changes.reduce(into: ([String](), [String]())) { lines, change in
            switch change {
            case .remove(_, let line, _): lines.0.append(line.trimmingCharacters(in: .whitespaces))
            case .insert(_, let line, _): lines.1.append(line.trimmingCharacters(in: .whitespaces))
            }
        }
        return "held \(gone), a fresh snapshot has \(new)"
    }
}

extension Parley_V1_Block {
    /// As `Blocked` lists it, which tells no positions: the list has none, only its changes do. The person is as they
    /// were when it was told.
    fileprivate var listed: Parley_V1_Block {
        var block = self
        block.position = 0
        block.user = .with { $0.id = user.id }
        return block
    }
}
