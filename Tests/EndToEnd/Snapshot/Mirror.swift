import Foundation
import ParleyClient
import TestSupport

/// A client of the SDK's rules: a ``SyncMachine`` over a store in memory, which this makes requests for. It reads small
/// pages.
actor Mirror {
    private enum Event: Sendable {
        case began(user: String, cells: [String])
        case update(Update)
        case answer(Int, Result<SyncReply, ParleyError>)
        case woke
    }

    nonisolated let device: Device
    private var machine: SyncMachine
    private var memory: SyncMemory
    /// The first error that no repeating can heal.
    private(set) var problem: String?
    private let events: AsyncStream<Event>.Continuation
    private var work: Task<Void, Never>?

    /// Begins to follow, and waits until what the server has is held.
    /// - Parameters:
    ///   - device: a session that makes no requests, since it would not receive its own messages.
    ///   - memory: what it holds already; nil: nothing.
    init(_ device: Device, holding memory: SyncMemory? = nil) async throws {
        self.device = device
        self.memory = memory ?? SyncMemory(of: device.user)
        machine = self.memory.machine()
        let (stream, events) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        let (updates, states) = await (device.client.updates, device.client.states)
        Task {
            for await update in updates { events.yield(.update(update)) }
        }
        Task {
            for await state in states {
                if case .ready(let welcome) = state { events.yield(.began(user: welcome.user, cells: welcome.cells)) }
            }
        }
        work = Task { [weak self] in
            for await event in stream { await self?.handle(event) }
        }
        try await eventually(within: .seconds(30), "\(device.username) is level") { await isLevel }
    }

    deinit {
        work?.cancel()
        events.finish()
    }

    /// Whether the device was signed out, so that the person can no longer be followed.
    var hasEnded: Bool {
        get async { await device.client.endedBy != nil }
    }

    private var isLevel: Bool { get async { await hasEnded || machine.isQuiet } }

    /// Ends the session.
    /// - Returns: what it holds, as an app's database would.
    func stop() async -> SyncMemory {
        work?.cancel()
        events.finish()
        await device.client.close()
        return memory
    }

    /// What it holds now.
    var holdings: Holdings {
        get async {
            let now = await device.client.serverTimeUs
            let counts = memory.records.keys.map { ($0, memory.unread(of: $0, at: now)) }
            return Holdings(held: memory.held, counts: Dictionary(uniqueKeysWithValues: counts))
        }
    }

    private func handle(_ event: Event) {
        switch event {
        case .began(let user, let cells): perform(machine.connected(as: user, cells: cells, at: .now))
        case .update(let update): perform(machine.received(update, at: .now))
        case .answer(let number, .success(let reply)): perform(machine.replied(number, with: reply, at: .now))
        case .answer(let number, .failure(let error)):
            if ["invalid", "unknown_method", "internal"].contains(error.code) { problem = problem ?? "\(error)" }
            perform(machine.failed(number, with: error, at: .now))
        case .woke: perform(machine.woke(at: .now))
        }
    }

    private func perform(_ actions: [SyncAction]) {
        for action in actions {
            switch action {
            case .store(let change): memory.apply(change)
            case .tell: break
            case .ask(let question):
                Task { [events, client = device.client] in
                    do throws(ParleyError) {
                        let reply = try await client.answer(question.request, limit: 7)
                        events.yield(.answer(question.number, .success(reply)))
                    } catch {
                        events.yield(.answer(question.number, .failure(error)))
                    }
                }
            case .wake(let time):
                Task { [events] in
                    try? await Task.sleep(until: time)
                    events.yield(.woke)
                }
            }
        }
    }
}
