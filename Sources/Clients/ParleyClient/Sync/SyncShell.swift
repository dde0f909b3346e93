import NIOCore

/// The I/O around a ``SyncMachine``: it hears what a client hears, makes the requests that the machine asks for, and
/// wakes it. Whoever conforms stores what the machine says. It runs on the client's event loop.
package protocol SyncShell: Actor {
    nonisolated var client: ParleyClient { get }
    var machine: SyncMachine { get set }
    var underWay: SyncUnderWay { get set }
    /// Whether it takes nothing more.
    var isStopped: Bool { get }
    /// Stores and tells what an input of the machine has changed. Requests and times among it are taken care of.
    func apply(_ actions: [SyncAction])
    /// A session begins; the machine hears of it next.
    func begins(_ welcome: Parley_V1_Welcome)
    /// The client stopped for good.
    func clientStopped(_ problem: ParleyError)
}

/// What a ``SyncShell`` waits for.
package struct SyncUnderWay {
    fileprivate var requests: [Int: Task<Void, Never>] = [:]
    fileprivate var timer: Scheduled<Void>?

    package init() {}

    package mutating func cancel() {
        cancelRequests()
        timer?.cancel()
    }

    fileprivate mutating func cancelRequests() {
        for task in requests.values { task.cancel() }
        requests = [:]
    }
}

extension SyncShell {
    package func begins(_ welcome: Parley_V1_Welcome) {}

    /// Begins to hear what the client does, from its current session on.
    package func listen() async { await client.add(SyncListener(self)) }

    /// Gives the machine an input, and does what it says.
    package func take(_ input: @Sendable (inout SyncMachine) -> [SyncAction]) {
        if !isStopped { perform(input(&machine)) }
    }

    package func perform(_ actions: [SyncAction]) {
        for action in actions {
            switch action {
            case .ask(let question): ask(question)
            case .wake(let time): wake(at: time)
            case .store, .tell: break
            }
        }
        apply(actions)
    }

    private func ask(_ question: SyncQuestion) {
        underWay.requests[question.number] = Task { [weak self, client] in
            do throws(ParleyError) {
                let reply = try await client.answer(question.request)
                await self?.answered(question, .success(reply))
            } catch {
                await self?.answered(question, .failure(error))
            }
        }
    }

    fileprivate func ended() {
        underWay.cancelRequests()
        take { $0.disconnected(at: .now) }
    }

    private func answered(_ question: SyncQuestion, _ outcome: Result<SyncReply, ParleyError>) {
        underWay.requests[question.number] = nil
        take { machine in
            switch outcome {
            case .success(let reply): machine.replied(question.number, with: reply, at: .now)
            case .failure(let error): machine.failed(question.number, with: error, at: .now)
            }
        }
    }

    private func wake(at time: ContinuousClock.Instant) {
        underWay.timer?.cancel()
        underWay.timer = client.eventLoop.scheduleTask(in: TimeAmount(max(time - .now, .zero))) { [weak self] in
            self?.assumeIsolated { shell in shell.take { $0.woke(at: .now) } }
        }
    }
}

/// Forwards the client's events to a shell; both run on the same event loop.
private final class SyncListener<Shell: SyncShell>: SessionObserver {
    private weak let shell: Shell?

    init(_ shell: Shell) { self.shell = shell }

    private func take(_ input: @Sendable (inout SyncMachine) -> [SyncAction]) {
        shell?.assumeIsolated { $0.take(input) }
    }

    func sessionBegan(_ welcome: Parley_V1_Welcome) {
        shell?.assumeIsolated { $0.begins(welcome) }
        take { $0.connected(as: welcome.user, cells: welcome.cells, at: .now) }
    }
    func sessionEnded() { shell?.assumeIsolated { $0.ended() } }
    func received(_ update: Update) { take { $0.received(update, at: .now) } }
    func learned(_ message: Parley_V1_Message) { take { $0.learned(.message(message), at: .now) } }
    func learned(_ state: Parley_V1_InboxState) { take { $0.learned(.inboxState(state), at: .now) } }
    func learned(_ state: Parley_V1_MessageState) { take { $0.learned(.messageState(state), at: .now) } }
    func learned(_ conversation: Parley_V1_Conversation) { take { $0.learned(.conversation(conversation), at: .now) } }
    func unsure(of conversation: String) { take { $0.unsure(of: conversation, at: .now) } }
    func unsureOfOwnState() { take { $0.unsure(of: nil, at: .now) } }
    func stopped(_ problem: ParleyError) { shell?.assumeIsolated { $0.clientStopped(problem) } }
}
