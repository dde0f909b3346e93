import Postgres
import Reactor
import Schema
import TestSupport
import Testing
import Wire

@testable import MessagingService
@testable import ServiceKit

@Suite("M17: files sent in one batch", .timeLimit(.minutes(4 * patience)))
@ReactorActor
struct SendAttachmentTests {
    private func file(_ number: Int, sent id: Int, in conversation: ConversationNumber, from sender: AccountNumber = 1)
        -> PendingMessage
    {
        var sent = message(id, in: conversation, from: sender)
        sent.draft.content.kind = .file
        sent.draft.content.more = MessageContent.More(
            media: Media(attachment: messageID(number), mimeType: "text/plain", sizeBytes: 1),
            attachment: messageID(number))
        return sent
    }

    @Test("M17 of two messages with the same file in one batch, the first gets it and the second is refused")
    func oneBatch() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        for (number, conversation) in [(1, 1), (2, 1), (1, 2)] {
            let id = MessagingStore.uuidText(messageID(number))
            try await scene.execute(
                "INSERT INTO messaging.attachments (conversation, id, owner, object, name, mime_type, size_bytes, "
                    + "created_at, completed_at) VALUES (\(conversation), '\(id)', 1, 'o', 'n', 'text/plain', 1, 1, 1)")
        }
        // The first occupies the lane, so the others form one batch.
        let sent = [
            message(10, in: 3), file(1, sent: 11, in: 1), file(1, sent: 12, in: 1), file(1, sent: 11, in: 1),
            file(1, sent: 12, in: 1), file(1, sent: 13, in: 2), file(2, sent: 14, in: 1, from: 2),
            file(2, sent: 15, in: 1), message(16, in: 1),
        ].map { one in
            Task.immediate { @ReactorActor in
                do {
                    let reply = try await lane.send(one)
                    return reply.duplicate ? "again" : "sent"
                } catch let refusal as Refusal {
                    return refusal.code.rawValue
                }
            }
        }
        var outcomes: [String] = []
        for one in sent { outcomes.append(try await one.value) }
        let taken = "attachment_not_found"
        #expect(outcomes == ["sent", "sent", taken, "again", taken, "sent", taken, "sent", "sent"])
        #expect(
            try await scene.number(
                """
                SELECT count(*) FROM messaging.attachments AS f JOIN messaging.messages AS m USING (conversation, seq)
                """) == 3, "each is in one message")
        #expect(try await scene.number("SELECT count(*) FROM messaging.messages") == 5)
        try await scene.checkInvariants()
    }

    @Test("M17 any number of unknown files is refused in a few batches and delays no other message")
    func bogus() async throws {
        let scene = try await Scene()
        let lane = try await scene.lane()
        let sent = (1...600).map { number in
            Task.immediate { @ReactorActor in
                do {
                    return try await lane.send(number % 3 == 0 ? message(number, in: 1) : file(7, sent: number, in: 1))
                        .seq
                } catch let refusal as Refusal where refusal.code == "attachment_not_found" {
                    return 0
                }
            }
        }
        var seqs: [Int64] = []
        for one in sent { seqs.append(try await one.value) }
        #expect(seqs.filter { $0 > 0 } == Array(1...200), "in the order sent")
        let transactions = try await scene.number("SELECT count(DISTINCT xmin::text) FROM messaging.messages")
        #expect(transactions < 20, "a few batches, not one per message")
        try await scene.checkInvariants()
    }
}
