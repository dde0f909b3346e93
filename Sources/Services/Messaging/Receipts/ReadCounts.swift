import Logging
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Notifies authors in a large group how many members have read their newest messages, at most once per second per
/// conversation and replica (M6).
@ReactorActor
final class ReadCounts {
    private struct Moved {
        var id: ConversationID
        /// The seqs read in the meantime: above `above`, up to `upTo`.
        var above: Seq
        var upTo: Seq
    }

    private let database: Database
    private let publisher: UpdatePublisher
    private let log: Logger
    private let interval: Duration
    /// Conversations read within the last second, each with a running timer.
    private var waiting: [ConversationNumber: Moved] = [:]

    init(database: Database, publisher: UpdatePublisher, log: Logger, interval: Duration = .seconds(1)) {
        self.database = database
        self.publisher = publisher
        self.log = log
        self.interval = interval
    }

    /// Records that a member has read or received messages of a large group.
    func moved(_ conversation: ConversationNumber, _ id: ConversationID, above: Seq, upTo: Seq) {
        if let earlier = waiting[conversation] {
            waiting[conversation]?.above = min(earlier.above, above)
            waiting[conversation]?.upTo = max(earlier.upTo, upTo)
            return
        }
        waiting[conversation] = Moved(id: id, above: above, upTo: upTo)
        _ = Reactor.shared.after(interval) { [weak self] in
            guard let self, let moved = waiting.removeValue(forKey: conversation) else { return }
            Task.onLoop { await self.publish(conversation, moved) }
        }
    }

    /// Stops notifying authors, who can still request the counts.
    func stop() { waiting = [:] }

    private func publish(_ conversation: ConversationNumber, _ moved: Moved) async {
        do {
            let counts = try await database.query(
                ReceiptsStore.readCounts, .number(conversation), .number(moved.above), .number(moved.upTo))
            for (author, count) in counts {
                var count = count
                count.conversation = moved.id.rawValue
                publisher.publish(
                    UpdateHeader(
                        stream: Message.stream(of: moved.id.rawValue), kind: ReadCount.messageName,
                        class: .collapsible, collapseKey: "reads/\(conversation)/\(count.seq)",
                        audience: [author.rawValue]),
                    count.encode())
            }
        } catch {
            // The next read mark publishes the counts again, and ListReaders returns them on request.
            log.debug("failed to publish read counts", metadata: ["error": "\(error)"])
        }
    }
}
