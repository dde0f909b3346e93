import Logging
import Postgres
import Reactor
import Schema
import Wire

/// Publishes twice per second how far all lanes of a service are committed, this replica's and the others'.
///
/// A subscriber that has received less of a lane has missed something and requests it. That includes changes that a
/// replica committed and did not publish before it died. The numbers are read from the database; while it does not
/// answer, no heartbeat is published.
@ReactorActor
final class Heartbeats {
    static let interval = Duration.milliseconds(500)

    private let database: Database
    private let publisher: UpdatePublisher
    private let statement: Statement<Heartbeat>
    private var repetition: Reactor.Repetition?
    private var isReading = false
    private var isWantedAgain = false
    private let failure: FailureLine

    init(schema: String, database: Database, publisher: UpdatePublisher, log: Logger) {
        self.database = database
        self.publisher = publisher
        failure = FailureLine("no heartbeat: the lanes cannot be read", log)
        statement = Statement(
            """
            SELECT \(schema).epoch(),
                COALESCE((SELECT array_agg(lane ORDER BY lane) FROM \(schema).lanes WHERE number > 0), '{}'),
                COALESCE((SELECT array_agg(number ORDER BY lane) FROM \(schema).lanes WHERE number > 0), '{}')
            """
        ) { row in
            Heartbeat(
                epoch: try row.text(0),
                lanes: zip(try row.int32s(1), try row.int64s(2))
                    .map { LaneNumber(lane: UInt32($0), number: $1) }.sorted { $0.lane < $1.lane })
        }
    }

    func start(every interval: Duration = Heartbeats.interval) {
        repetition = Reactor.shared.every(interval) { [weak self] in self?.beat(isRegular: true) }
        beat()
    }

    func stop() {
        repetition?.cancel()
        repetition = nil
    }

    /// Publishes a heartbeat now. If numbers are already being read, it publishes another one after that, since they
    /// may be older than what the caller knows to be committed.
    func beat() { beat(isRegular: false) }

    /// Has at most one query outstanding, so that a database that does not answer is not queried again and again.
    private func beat(isRegular: Bool) {
        guard repetition != nil else { return }
        guard !isReading else {
            if !isRegular { isWantedAgain = true }
            return
        }
        isReading = true
        Task.onLoop { [self] in
            do {
                let heartbeat = try await read()
                if repetition != nil { publish(heartbeat) }
            } catch {
                failure.write(error)
            }
            isReading = false
            if isWantedAgain {
                isWantedAgain = false
                beat()
            }
        }
    }

    /// Reads the content of a heartbeat.
    func read() async throws(DatabaseError) -> Heartbeat {
        guard let heartbeat = try await database.first(statement) else { throw .unexpected("no epoch") }
        return heartbeat
    }

    private func publish(_ heartbeat: Heartbeat) {
        publisher.publish(
            UpdateHeader(
                stream: PendingUpdate.controlStream, class: .durable, control: Control(control: .heartbeat(heartbeat))),
            [])
    }
}
