import Logging
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Tells who wrote in a large group by how many their newest messages were read, at most once a second a conversation
/// and replica (M6).
@ReactorActor
final class ReadCounts {
    private struct Moved {
        var id: ConversationID
        /// What was read in the meantime: above the one seq, up to the other.
        var above: Int64
        var upTo: Int64
    }

    private let database: Database
    private let publisher: UpdatePublisher
    private let log: Logger
    private let interval: Duration
    /// Each has a timer. As many as were read within a second.
    private var waiting: [Int64: Moved] = [:]

    init(database: Database, publisher: UpdatePublisher, log: Logger, interval: Duration = .seconds(1)) {
        self.database = database
        self.publisher = publisher
        self.log = log
        self.interval = interval
    }

    /// Somebody has read, or been reached by, messages of a large group.
    func moved(_ conversation: Int64, _ id: ConversationID, above: Int64, upTo: Int64) {
        if let earlier = waiting[conversation] {
            waiting[conversation]?.above = min(earlier.above, above)
            waiting[conversation]?.upTo = max(earlier.upTo, upTo)
            return
        }
        waiting[conversation] = Moved(id: id, above: above, upTo: upTo)
        _ = Reactor.shared.after(interval) { [weak self] in
            guard let self, let moved = waiting.removeValue(forKey: conversation) else { return }
            Task { @ReactorActor in await self.tell(conversation, moved) }
        }
    }

    /// From here on nobody is told any more; authors see it when they ask.
    func stop() { waiting = [:] }

    private func tell(_ conversation: Int64, _ moved: Moved) async {
        do {
            let counts = try await database.query(
                ReceiptsStore.readCounts, .int64(conversation), .int64(moved.above), .int64(moved.upTo))
            for (author, count) in counts {
                var count = count
                count.conversation = moved.id.rawValue
                publisher.publish(
                    UpdateHeader(
                        stream: MessagingStream.conversation(moved.id), kind: ReadCount.messageName,
                        class: .collapsible, collapseKey: "reads/\(conversation)/\(count.seq)", audience: [author]),
                    count.encode())
            }
        } catch {
            // Nothing depends on it: the next reading tells it again, and ListReaders answers who asks.
            log.debug("by how many it was read is not told", metadata: ["error": "\(error)"])
        }
    }
}
