import Foundation
import ParleyClient
import SwiftProtobuf
import TestSupport

/// A request of the contract with a field that holds the seq of a message.
struct SeqRow: Sendable {
    enum Meaning: Sendable {
        /// Names one message, and is refused if the caller may not read it.
        case message
        /// Names the message that a new one answers.
        case answered
        /// Ends a range, or is only stored. Every seq after the caller's window of history does the same.
        case bound
    }

    var method: String
    /// The field's name; that of a field in another message has both names: "forward.seq".
    var field: String
    var meaning: Meaning
    private var call: @Sendable (SeqScene, Int64) async throws(ParleyError) -> any SwiftProtobuf.Message

    init<Request, Reply>(
        _ method: Method<Request, Reply>, _ field: String, _ meaning: Meaning = .message,
        _ request: @escaping @Sendable (SeqScene, Int64) -> Request
    ) {
        (self.method, self.field, self.meaning) = (method.name, field, meaning)
        call = { scene, seq throws(ParleyError) in
            let request = request(scene, seq)
            return try await scene.me.client.call(method, key: scene.conversation, request)
        }
    }

    /// Makes the request and returns the reply, encoded.
    /// - Parameter withoutIdentity: whether to leave out what tells one message from another.
    func reply(in scene: SeqScene, about seq: Int64, withoutIdentity: Bool = false) async throws -> [UInt8] {
        var reply = try await call(scene, seq)
        if var marks = reply as? Parley_V1_UpdateMarksReply {
            marks.states = marks.states.map(\.untimed)
            reply = marks
        } else if var one = reply as? Parley_V1_InboxStateReply {
            one.state = one.state.untimed
            reply = one
        }
        return try (withoutIdentity ? reply.withoutIdentity : reply).serializedBytes()
    }
}

/// What a request about a message names.
struct SeqScene: Sendable {
    /// The caller.
    var me: Device
    var conversation: String
    /// A member who wrote the messages.
    var author: String
    /// The caller's notes.
    var notes: String
    /// A message that the caller may read.
    var readable: Int64

    /// Returns the id for something new.
    static func newID() -> Data {
        var ids = UUIDv7.Generator()
        return Data(ids.next(at: Int64(Date().timeIntervalSince1970 * 1_000_000)).bytes)
    }
}

extension SeqRow {
    static let all: [SeqRow] = messages + bounds

    private static let messages: [SeqRow] = [
        SeqRow(MessagingMethods.sendMessage, "forward.seq") { scene, seq in
            .with {
                ($0.id, $0.conversation) = (SeqScene.newID(), scene.notes)
                ($0.forward.conversation, $0.forward.seq) = (scene.conversation, seq)
            }
        },
        SeqRow(MessagingMethods.editMessage, "seq") { scene, seq in
            .with { ($0.conversation, $0.seq, $0.text) = (scene.conversation, seq, "mine") }
        },
        SeqRow(MessagingMethods.listRevisions, "seq") { scene, seq in
            .with { ($0.conversation, $0.seq) = (scene.conversation, seq) }
        },
        SeqRow(MessagingMethods.updateReaction, "seq") { scene, seq in
            .with { ($0.conversation, $0.seq, $0.emoji) = (scene.conversation, seq, "🎉") }
        },
        SeqRow(MessagingMethods.listReactions, "seq") { scene, seq in
            .with { ($0.conversation, $0.seq) = (scene.conversation, seq) }
        },
        SeqRow(MessagingMethods.getThread, "thread_seq") { scene, seq in
            .with { ($0.conversation, $0.threadSeq) = (scene.conversation, seq) }
        },
        SeqRow(MessagingMethods.listReaders, "seq") { scene, seq in
            .with { ($0.conversation, $0.seq) = (scene.conversation, seq) }
        },
        SeqRow(MessagingMethods.updateMessageState, "seqs") { scene, seq in
            .with { ($0.conversation, $0.seqs, $0.starred) = (scene.conversation, [seq], .yes) }
        },
        SeqRow(MessagingMethods.getAttachment, "seq") { scene, seq in
            .with { ($0.conversation, $0.seq) = (scene.conversation, seq) }
        },
        SeqRow(ConversationsMethods.createReport, "seq") { scene, seq in
            .with {
                ($0.id, $0.user, $0.reason) = (SeqScene.newID(), scene.author, .spam)
                ($0.conversation, $0.seq) = (scene.conversation, seq)
            }
        },
        // After the others, since these two change what the others are about.
        SeqRow(MessagingMethods.deleteMessage, "seq") { scene, seq in
            .with { ($0.conversation, $0.seq) = (scene.conversation, seq) }
        },
        SeqRow(MessagingMethods.sendMessage, "reply_to_seq", .answered) { scene, seq in
            .with {
                ($0.id, $0.conversation, $0.kind) = (SeqScene.newID(), scene.conversation, .text)
                ($0.text, $0.replyToSeq) = ("what was this?", seq)
            }
        },
    ]

    private static let bounds: [SeqRow] = [
        SeqRow(MessagingMethods.getHistory, "before_seq", .bound) { scene, seq in
            .with { ($0.conversation, $0.beforeSeq) = (scene.conversation, seq) }
        },
        SeqRow(MessagingMethods.getHistory, "after_seq", .bound) { scene, seq in
            .with { ($0.conversation, $0.afterSeq) = (scene.conversation, seq) }
        },
        SeqRow(MessagingMethods.getHistory, "around_seq", .bound) { scene, seq in
            .with { ($0.conversation, $0.aroundSeq) = (scene.conversation, seq) }
        },
        SeqRow(MessagingMethods.getThread, "after_seq", .bound) { scene, seq in
            .with { ($0.conversation, $0.threadSeq, $0.afterSeq) = (scene.conversation, scene.readable, seq) }
        },
        SeqRow(MessagingMethods.updateMarks, "marks.read_seq", .bound) { scene, seq in
            .with { $0.marks = [.with { ($0.conversation, $0.readSeq) = (scene.conversation, seq) }] }
        },
        SeqRow(MessagingMethods.updateMarks, "marks.delivered_seq", .bound) { scene, seq in
            .with { $0.marks = [.with { ($0.conversation, $0.deliveredSeq) = (scene.conversation, seq) }] }
        },
        // The last one, since it leaves nothing to read.
        SeqRow(MessagingMethods.clearConversation, "up_to_seq", .bound) { scene, seq in
            .with { ($0.conversation, $0.upToSeq) = (scene.conversation, seq) }
        },
    ]
}

extension SeqRow {
    /// A request with a field that holds a position of a conversation's stream.
    static let position = SeqRow(MessagingMethods.getChanges, "since_position", .bound) { scene, position in
        .with { ($0.conversation, $0.sincePosition) = (scene.conversation, position) }
    }
}

extension SwiftProtobuf.Message {
    /// The reply without what tells one message from another: seq, id, times and positions. Deleted messages and those
    /// that look so differ in nothing else.
    fileprivate var withoutIdentity: any SwiftProtobuf.Message {
        switch self {
        case var reply as Parley_V1_MessageReply:
            reply.message = reply.message.shell
            return reply
        case var reply as Parley_V1_GetHistoryReply:
            reply.messages = reply.messages.map(\.shell)
            return reply
        case var reply as Parley_V1_UpdateReactionReply:
            reply.position = 0
            return reply
        default: return self
        }
    }
}

extension Parley_V1_Message {
    fileprivate var shell: Parley_V1_Message {
        var shell = self
        (shell.seq, shell.id, shell.position, shell.sentAtUs) = (0, Data(), 0, 0)
        (shell.deletedAtUs, shell.expiresAtUs) = (0, 0)
        shell.clearOwn()
        return shell
    }
}
