import Logging
import Reactor
import Schema
import Wire

/// An Update with a number, as this process heard it.
public struct HeardUpdate: Sendable {
    public var header: HeardHeader
    /// Empty if nobody judges its kind.
    public var body: [UInt8]
    /// Who may see it; empty unless that is judged.
    public var audience: [AccountNumber] = []
}

/// Hears what another service publishes, as gateways do, and judges what of it has an effect here. So a
/// ``JournalFollower`` need not read the entries of its journal that have none.
///
/// It may miss Updates, and may expect an effect where there is none. In both cases the follower reads the journal.
@ReactorActor
public final class JournalHearing {
    /// Tells of each of these Updates, in their order, whether its entry may have an effect. Throwing means that each
    /// may.
    public typealias Judge = @ReactorActor ([HeardUpdate]) async throws -> [Bool]

    /// How long Updates are gathered before they are judged together.
    private static let pause: Duration = .milliseconds(20)
    private static let batchMax = 500
    /// Beyond these, what waits is forgotten, and read from the journal.
    private static let waitingMax = 20_000
    private static let waitingBytesMax = 16 << 20

    private let subscriber: UpdateSubscriber
    private let log: Logger
    private let kinds: Set<String>
    private let hearsAudience: Bool
    private let judge: Judge
    private var onWanted: @ReactorActor () -> Void = {}
    private var onForgotten: @ReactorActor () -> Void = {}
    private var lanes: [Int: HeardLane] = [:]
    private var waiting: [HeardUpdate] = []
    private var waitingBytes = 0
    private var isJudging = false
    private var epoch: String?
    /// How often everything was forgotten.
    private var era = 0

    /// - Parameters:
    ///   - kinds: the kinds of Updates whose bodies are judged. Others have no effect.
    ///   - hearsAudience: whether it is judged who may see an Update.
    public init(
        _ subscriber: UpdateSubscriber, kinds: Set<String>, hearsAudience: Bool = false, log: Logger,
        judge: @escaping Judge
    ) {
        (self.subscriber, self.kinds, self.hearsAudience) = (subscriber, kinds, hearsAudience)
        (self.log, self.judge) = (log, judge)
    }

    /// - Parameters:
    ///   - onWanted: called when something was heard that may have an effect.
    ///   - onForgotten: called when the numbers of lanes can no longer be compared with those before.
    func start(
        onWanted: @escaping @ReactorActor () -> Void, onForgotten: @escaping @ReactorActor () -> Void
    ) {
        (self.onWanted, self.onForgotten) = (onWanted, onForgotten)
        do {
            try subscriber.startUndecoded({ [weak self] header, body in try self?.hear(header, body) })
        } catch {
            log.error("a link could not be opened; the journal is read instead", metadata: ["error": "\(error)"])
        }
    }

    func close() {
        (onWanted, onForgotten) = ({}, {})
        subscriber.close()
        forget()
    }

    func lane(_ number: Int) -> HeardLane? { lanes[number] }

    func forget(_ lane: Int, through number: Int64) { lanes[lane]?.forget(through: number) }

    private func hear(_ bytes: UnsafeRawBufferPointer, _ body: UnsafeRawBufferPointer) throws {
        let header = try HeardHeader.decode(bytes)
        if case .heartbeat(let heartbeat) = header.control?.control {
            // Numbers of another epoch cannot be compared with those heard before.
            if epoch != heartbeat.epoch, epoch != nil {
                forget()
                onForgotten()
            }
            epoch = heartbeat.epoch
        }
        guard header.lane != 0 else { return }
        let lane = Int(header.lane)
        if lanes[lane] == nil {
            lanes[lane] = HeardLane(header.number)
        } else if lanes[lane]?.hear(header.number) != true {
            return
        }
        var update = HeardUpdate(header: header, body: kinds.contains(header.kind) ? [UInt8](body) : [])
        if hearsAudience { update.audience = try HeardAudience.decode(bytes).audience.map { AccountNumber($0) } }
        waiting.append(update)
        waitingBytes += body.count
        if waiting.count > Self.waitingMax || waitingBytes > Self.waitingBytesMax { forget() }
        judgeSoon()
    }

    private func forget() {
        (lanes, waiting, waitingBytes) = ([:], [], 0)
        era += 1
    }

    // MARK: Judging

    private func judgeSoon() {
        guard !isJudging, !waiting.isEmpty else { return }
        isJudging = true
        Reactor.shared.after(Self.pause) { [weak self] in
            guard let self else { return }
            // Detached: it appears in no trace.
            Task.immediateDetached { @ReactorActor in await self.judgeAll() }
        }
    }

    private func judgeAll() async {
        while !waiting.isEmpty {
            let (batch, era) = (Array(waiting.prefix(Self.batchMax)), era)
            waiting.removeFirst(batch.count)
            waitingBytes -= batch.reduce(0) { $0 + $1.body.count }
            let verdicts = (try? await judge(batch)) ?? batch.map { _ in true }
            guard era == self.era else { continue }
            for (update, isWanted) in zip(batch, verdicts) {
                lanes[Int(update.header.lane)]?.judge(update.header.number, isWanted: isWanted)
            }
            if verdicts.contains(true) { onWanted() }
        }
        isJudging = false
    }
}
