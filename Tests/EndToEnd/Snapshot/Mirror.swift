import Foundation
import ParleyClient
import TestSupport

/// A client that reads a snapshot and then applies Updates, by the rules of proto/REFERENCE.md. It is written from that
/// page and shares ``Held`` with the SDK, but not its bookkeeping of positions and gaps.
actor Mirror {
    private enum Event: Sendable {
        case update(Update)
        /// The wait for missing Updates of this stream has ended.
        case waited(stream: String)
    }

    nonisolated let device: Device
    private(set) var holdings = Holdings()
    /// The first error.
    private(set) var problem: String?
    /// The Updates after a gap, by stream and position.
    private var early: [String: [Int64: Update]] = [:]
    private let events: AsyncStream<Event>.Continuation
    private var work: Task<Void, Never>?

    /// Reads a snapshot and follows from then on.
    /// - Parameter device: a session that makes no requests, since it would not receive its own messages.
    init(_ device: Device) async throws {
        self.device = device
        let (stream, events) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        // Updates start first, then the snapshot. Updates that arrive meanwhile are kept and applied after it.
        let updates = await device.client.updates
        Task {
            for await update in updates { events.yield(.update(update)) }
        }
        holdings = try await device.client.snapshot()
        work = Task { [weak self] in
            for await event in stream { await self?.handle(event) }
        }
    }

    deinit {
        work?.cancel()
        events.finish()
    }

    /// Whether the device was signed out, so that the person can no longer be followed.
    var hasEnded: Bool {
        get async { await device.client.endedBy != nil }
    }

    // MARK: The gap rule

    private func handle(_ event: Event) async {
        do {
            switch event {
            case .update(let update) where update.position > 0: try await received(update)
            case .update: break
            case .waited(let stream): try await fill(stream)
            }
        } catch {
            if await hasEnded { return }
            problem = problem ?? "\(error)"
        }
    }

    private func position(of stream: String) -> Int64 { holdings.held.positions[stream, default: 0] }

    private func received(_ update: Update) async throws {
        guard update.position > position(of: update.stream) else { return }
        let isFirst = early[update.stream, default: [:]].isEmpty
        early[update.stream, default: [:]][update.position] = update
        try await applyEarly(of: update.stream)
        if isFirst, early[update.stream] != nil { wait(for: update.stream) }
    }

    /// Applies the Updates that follow without a gap.
    private func applyEarly(of stream: String) async throws {
        while let waiting = early[stream], let next = waiting.keys.min() {
            guard next <= position(of: stream) + 1 else { return }
            early[stream]?[next] = nil
            if early[stream]?.isEmpty == true { early[stream] = nil }
            guard let update = waiting[next], next == position(of: stream) + 1 else { continue }
            holdings.held.positions[stream] = next
            try await apply(update)
        }
    }

    private func wait(for stream: String) {
        Task { [events] in
            try? await Task.sleep(for: .milliseconds(250))
            events.yield(.waited(stream: stream))
        }
    }

    /// Fetches Updates that are still missing.
    private func fill(_ stream: String) async throws {
        guard early[stream] != nil else { return }
        try await fetch(stream)
        try await applyEarly(of: stream)
        if let left = early[stream] {
            // No longer mine, or so new that the reply did not have it yet.
            early[stream] = left.filter { $0.key > position(of: stream) }
            if holdings.held.positions[stream] == nil { early[stream] = nil } else { wait(for: stream) }
        }
    }

    private func fetch(_ stream: String) async throws {
        let client = device.client
        let since = position(of: stream)
        // Nothing else changes it meanwhile, since events are handled one after another.
        var holdings = holdings
        var requests: [HeldRequest] = []
        if stream.hasPrefix("messaging/c/") {
            try await client.readMessages(of: String(stream.dropFirst(12)), into: &holdings, since: since)
        } else if stream.hasPrefix("messaging/u/") {
            try await client.readOwnStates(into: &holdings, since: since)
        } else if stream.hasPrefix("entities/u/") {
            try await client.readEntities(into: &holdings.held, since: since)
        } else {
            requests = try await client.readConversations(into: &holdings.held, since: since)
        }
        self.holdings = holdings
        try await send(requests)
    }

    private func send(_ requests: [HeldRequest]) async throws {
        for request in requests {
            switch request {
            case .messages(let conversation): try await fetch("messaging/c/\(conversation)")
            case .inboxState(let conversation):
                let reply = try await device.client.call(
                    MessagingMethods.updateMarks, key: device.user,
                    .with { $0.marks = [.with { $0.conversation = conversation }] })
                for state in reply.states { _ = holdings.held.apply(state) }
            }
        }
    }

    private func apply(_ update: Update) async throws { try await send(holdings.held.apply(update.content())) }
}
