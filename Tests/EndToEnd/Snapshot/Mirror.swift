import Foundation
import ParleyClient
import TestSupport

/// A client that reads a snapshot and then applies Updates, by the rules of proto/REFERENCE.md. It is written from that
/// page and shares nothing with the SDK's own bookkeeping.
actor Mirror {
    private enum Event: Sendable {
        case update(Update)
        /// The wait for missing Updates of this stream has ended.
        case waited(stream: String)
    }

    nonisolated let device: Device
    private(set) var held = Holdings()
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
        held = try await device.client.snapshot()
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

    private func position(of stream: String) -> Int64 { held.positions[stream, default: 0] }

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
            held.positions[stream] = next
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
            if held.positions[stream] == nil { early[stream] = nil } else { wait(for: stream) }
        }
    }

    private func fetch(_ stream: String) async throws {
        let client = device.client
        let since = position(of: stream)
        // Nothing else changes it meanwhile, since events are handled one after another.
        var held = held
        if stream.hasPrefix("messaging/c/") {
            try await client.readMessages(of: String(stream.dropFirst(12)), into: &held, since: since)
        } else if stream.hasPrefix("messaging/u/") {
            try await client.readOwnStates(into: &held, since: since)
        } else if stream.hasPrefix("entities/u/") {
            try await client.readReminders(into: &held, since: since)
        } else {
            let (changed, blocksChanged) = try await client.readConversations(into: &held, since: since)
            if blocksChanged { held.blocks = try await client.readBlocks() }
            self.held = held
            for conversation in changed { try await apply(conversation) }
            return
        }
        self.held = held
    }

    // MARK: Applying

    private func apply(_ update: Update) async throws {
        switch try update.content() {
        case .message(let message): held.apply(message)
        case .reactions(let reactions): held.apply(reactions)
        case .inboxState(let state): held.apply(state)
        case .messageState(let state): held.apply(state)
        case .conversation(let conversation): try await apply(conversation)
        case .requestCount(let count): held.requests = count
        case .profile(let profile): held.profile = profile
        case .block(let block): held.blocks[block.user.id] = block.blocked ? block : nil
        case .reminder(let reminder): held.reminders[reminder.id] = reminder
        // Kinds that a mirror does not hold. Their positions count.
        case .presence, .receipt, .readCount, .other: break
        }
    }

    private func apply(_ conversation: Parley_V1_Conversation) async throws {
        let before = held.conversations[conversation.id]
        if let before, before.position >= conversation.position { return }
        let stream = "messaging/c/\(conversation.id)"
        if conversation.section == .gone {
            held.conversations[conversation.id] = nil
            held.drop(messagesOf: conversation.id)
            return
        }
        held.conversations[conversation.id] = conversation
        let (wasMine, isMine) = (before.map { $0.leftAtUs == 0 } ?? false, conversation.leftAtUs == 0)
        if isMine, !wasMine {
            // New, or mine again: the readable messages start anew.
            held.drop(messagesOf: conversation.id)
            try await fetch(stream)
        } else if wasMine, !isMine {
            // No more of its Updates arrive, but earlier messages may still be missing.
            try await fetch(stream)
        }
    }
}
