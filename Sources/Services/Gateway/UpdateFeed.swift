import Logging
import Reactor
import Schema
import Wire

/// All Updates of one service: those its replicas publish, and, asked from its journal, those that were missed.
///
/// What was missed is known by the numbers of lanes (``LaneWatch``), from Updates and from the heartbeats of any
/// replica; without heartbeats, the same is asked for by the request link.
@ReactorActor
final class UpdateFeed {
    /// Without a heartbeat for so long, the numbers of lanes are asked for.
    private static let heartbeatTimeout: Duration = .seconds(1)
    private static let askEvery: Duration = .milliseconds(500)
    private static let deadline: Duration = .seconds(2)
    /// For the accounts of what is too far behind: much is looked through.
    private static let accountsDeadline: Duration = .seconds(10)
    /// What a service that is well could not tell for so long it will never tell.
    private static let hopelessAfter: Duration = .seconds(30)

    /// What the gateway does about what a feed brings.
    struct Handlers {
        var update: @ReactorActor (UpdateHeader, [UInt8]) -> Void
        /// Updates were missed, and are being asked for.
        var missed: @ReactorActor () -> Void
        /// These accounts' sessions are too far behind.
        var behind: @ReactorActor ([Int64]) -> Void
        /// Any session there is may have missed something that cannot be had any more.
        var lost: @ReactorActor (ResyncReason) -> Void
    }

    private let service: RequestClient
    private let subscriber: UpdateSubscriber
    private let journals: Bool
    private let metrics: GatewayMetrics
    private let log: Logger
    private let handlers: Handlers
    private var watch = LaneWatch()
    private var heartbeatAt: ContinuousClock.Instant?
    private var isAskingLanes = false
    private var polling: Reactor.Repetition?
    private var timer: Reactor.Timer?
    private var timerIsFor: ContinuousClock.Instant?

    /// - Parameter journals: whether this service numbers its Updates; presence does not.
    init(
        service: RequestClient, subscriber: UpdateSubscriber, journals: Bool, metrics: GatewayMetrics, log: Logger,
        handlers: Handlers
    ) {
        self.service = service
        self.subscriber = subscriber
        self.journals = journals
        self.metrics = metrics
        self.log = log
        self.handlers = handlers
    }

    func start() throws(ZeroMQError) {
        try subscriber.start { [weak self] header, body in self?.receive(header, body) }
        guard journals else { return }
        polling = Reactor.shared.every(Self.askEvery) { [weak self] in self?.askLanesUnlessHeard() }
    }

    func close() {
        polling?.cancel()
        if let timer { Reactor.shared.cancel(timer) }
        subscriber.close()
    }

    /// From here on nothing that this service publishes is missed without being noticed.
    var isKnown: Bool { !journals || watch.isKnown }

    // MARK: What comes

    private func receive(_ header: UpdateHeader, _ body: [UInt8]) {
        if case .heartbeat(let heartbeat) = header.control?.control {
            heartbeatAt = .now
            return receive(heartbeat)
        }
        if header.lane != 0, journals, watch.received(header.lane, header.number, at: .now) { setTimer() }
        handlers.update(header, body)
    }

    private func receive(_ heartbeat: Heartbeat) {
        guard journals else { return }
        switch watch.received(heartbeat, at: .now) {
        case .usual: break
        case .first: handlers.lost(.lateStart)
        case .startedOver:
            log.warning("numbers are of another epoch: all start over", metadata: ["service": "\(service.service)"])
            handlers.lost(.epoch)
        }
        setTimer()
    }

    // MARK: Without heartbeats

    /// The service can be asked (again).
    func askLanesUnlessHeard() {
        let isHeard = heartbeatAt.map { .now - $0 < Self.heartbeatTimeout } ?? false
        guard journals, !isHeard, !isAskingLanes, service.isAvailable else { return }
        isAskingLanes = true
        service.ask(JournalMethods.lanes, LanesRequest(), deadline: Self.deadline) { [weak self] result in
            guard let self else { return }
            isAskingLanes = false
            if case .success(let reply) = result, let heartbeat = reply.heartbeat { receive(heartbeat) }
        }
    }

    // MARK: What was missed

    private func setTimer() {
        guard let due = watch.nextDue, timerIsFor.map({ due < $0 }) ?? true else { return }
        if let timer { Reactor.shared.cancel(timer) }
        timerIsFor = due
        timer = Reactor.shared.after(max(due - .now, .zero)) { [weak self] in
            self?.timerIsFor = nil
            self?.timer = nil
            self?.askForMissing()
        }
    }

    private func askForMissing() {
        let questions = watch.due(at: .now)
        if !questions.isEmpty { handlers.missed() }
        #if !SABOTAGE_NO_REPLAY  // What is left out there, the torture must notice.
            for question in questions { ask(question) }
        #endif
        setTimer()
    }

    private func ask(_ question: LaneWatch.Question) {
        metrics.missed(question.newlyMissed)
        let request = ReplayRequest(
            lane: question.lane, from: question.from, to: question.to, accountsOnly: question.accountsOnly)
        let deadline = question.accountsOnly ? Self.accountsDeadline : Self.deadline
        service.ask(JournalMethods.replay, request, deadline: deadline) { [weak self] result in
            self?.answered(question, result)
        }
    }

    private func answered(_ question: LaneWatch.Question, _ result: Result<ReplayReply, Refusal>) {
        defer { setTimer() }
        switch result {
        case .failure(let refusal):
            note("missed Updates cannot be had yet", question, .warning, ["why": "\(refusal.code)"])
            guard isHopeless(question) else { return watch.failed(question, at: .now) }
            // What cannot be had must not keep what comes after it from being asked for.
            if watch.answered(question, through: question.to, at: .now) { handlers.lost(.notInJournal) }
        case .success(let reply):
            // Where some of it cannot be had, all start over, which settles the rest of it, too.
            let through = reply.incomplete ? question.to : reply.through
            guard watch.answered(question, through: through, at: .now) else { return }
            metrics.replayed(reply.updates.count, after: .now - question.since)
            note("missed Updates were replayed", question, .info, ["through": "\(reply.through)"])
            if reply.incomplete { handlers.lost(.notInJournal) }
            if question.accountsOnly { handlers.behind(reply.accounts) }
            for update in reply.updates {
                if let header = update.header { handlers.update(header, update.body) }
            }
        }
    }

    /// The service and its database are well, and yet it has not answered for so long.
    private func isHopeless(_ question: LaneWatch.Question) -> Bool {
        let isWell = heartbeatAt.map { .now - $0 < Self.heartbeatTimeout } ?? false
        return isWell && .now - question.since > Self.hopelessAfter
    }

    private func note(
        _ what: Logger.Message, _ question: LaneWatch.Question, _ level: Logger.Level, _ more: Logger.Metadata
    ) {
        let metadata: Logger.Metadata = [
            "service": "\(service.service)", "lane": "\(question.lane)", "numbers": "\(question.from)-\(question.to)",
        ]
        log.log(level: level, what, metadata: metadata.merging(more) { $1 })
    }
}

/// Why sessions are sent back to sync.
enum ResyncReason: String, CaseIterable {
    /// What they were to get does not fit their queue.
    case slowReader = "slow_reader"
    /// More was missed of a lane than is replayed.
    case behind
    /// Numbers and positions are of another epoch.
    case epoch
    /// What was missed is not in the journal any more.
    case notInJournal = "not_in_journal"
    /// They began before a service's numbers were known.
    case lateStart = "late_start"
}
