import Logging
import Reactor
import Schema
import Wire

/// All Updates of one service: those its replicas publish, and missed ones replayed from its journal.
///
/// The feed notices missed Updates by the numbers of lanes (``LaneWatch``), which arrive in Updates and in the
/// heartbeats of any replica. Without heartbeats it requests the numbers over the request link.
@ReactorActor
final class UpdateFeed {
    /// How long without a heartbeat until the feed requests the numbers of the lanes.
    private static let heartbeatTimeout: Duration = .seconds(1)
    private static let askEvery: Duration = .milliseconds(500)
    private static let deadline: Duration = .seconds(2)
    /// The deadline when only accounts are requested, which searches a large part of the journal.
    private static let accountsDeadline: Duration = .seconds(10)
    /// How long a healthy service may fail to replay Updates until they count as lost.
    private static let hopelessAfter: Duration = .seconds(30)

    /// How the gateway handles the events of a feed.
    struct Handlers {
        var update: @ReactorActor (UpdateHeader, [UInt8]) -> Void
        /// Called with the first heartbeat.
        var known: @ReactorActor () -> Void
        /// Called when Updates were missed and are being requested.
        var missed: @ReactorActor () -> Void
        /// Called with accounts whose sessions are too far behind.
        var behind: @ReactorActor ([Int64]) -> Void
        /// Called when any session may have missed Updates that can no longer be fetched.
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

    /// - Parameter journals: whether the service numbers its Updates; presence does not.
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

    /// Whether the feed now notices every Update of this service that is missed.
    var isKnown: Bool { !journals || watch.isKnown }

    // MARK: Receiving

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
        let wasKnown = isKnown
        defer { if !wasKnown { handlers.known() } }
        switch watch.received(heartbeat, at: .now) {
        case .usual: break
        case .first: handlers.lost(.lateStart)
        case .startedOver:
            log.warning(
                "lane numbers belong to another epoch; all sessions start over",
                metadata: ["service": "\(service.service)"])
            handlers.lost(.epoch)
        }
        setTimer()
    }

    // MARK: Without heartbeats

    /// Requests the numbers of the lanes unless a heartbeat arrived recently.
    private func askLanesUnlessHeard() {
        guard heartbeatAt.map({ .now - $0 >= Self.heartbeatTimeout }) ?? true else { return }
        askLanes()
    }

    /// Requests the numbers of the lanes. To be called when the service is back.
    func askLanes() {
        guard journals, !isAskingLanes, service.isAvailable else { return }
        isAskingLanes = true
        service.ask(JournalMethods.lanes, LanesRequest(), deadline: Self.deadline) { [weak self] result in
            guard let self else { return }
            isAskingLanes = false
            if case .success(let reply) = result, let heartbeat = reply.heartbeat { receive(heartbeat) }
        }
    }

    // MARK: Missed Updates

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
        #if !SABOTAGE_NO_REPLAY  // The torture test must notice when this is left out.
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
            note("missed Updates cannot be replayed yet", question, .warning, ["why": "\(refusal.code)"])
            guard isHopeless(question) else { return watch.failed(question, at: .now) }
            // Give up on this range, so that later ones are requested.
            if watch.answered(question, through: question.to, at: .now) { handlers.lost(.notInJournal) }
        case .success(let reply):
            // If some of the range is gone, all sessions start over, which makes up for the rest as well.
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

    /// Whether the service and its database are healthy and the question has still gone unanswered for too long.
    private func isHopeless(_ question: LaneWatch.Question) -> Bool {
        let isWell = heartbeatAt.map { .now - $0 < Self.heartbeatTimeout } ?? false
        return isWell && .now - question.since > Self.hopelessAfter
    }

    private func note(
        _ message: Logger.Message, _ question: LaneWatch.Question, _ level: Logger.Level, _ more: Logger.Metadata
    ) {
        let metadata: Logger.Metadata = [
            "service": "\(service.service)", "lane": "\(question.lane)", "numbers": "\(question.from)-\(question.to)",
        ]
        log.log(level: level, message, metadata: metadata.merging(more) { $1 })
    }
}

/// The reason why sessions are sent back to sync.
enum ResyncReason: String, CaseIterable {
    /// Their queue has no room for further Updates.
    case slowReader = "slow_reader"
    /// A lane misses more Updates than are replayed.
    case behind
    /// Numbers and positions belong to another epoch.
    case epoch
    /// The missed Updates are no longer in the journal.
    case notInJournal = "not_in_journal"
    /// The sessions began before a service's numbers were known.
    case lateStart = "late_start"
}
