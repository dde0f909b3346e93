import Reactor
import Schema
import Wire

/// Somebody who came or went, and of whom watchers are not told yet.
struct Untold: Sendable, Equatable {
    var change: PresenceSessions.Change
    var at: Int64

    var state: PresenceState {
        PresenceState(
            user: change.person.user, status: change.isOnline ? .online : .offline,
            lastSeenUs: change.isOnline ? 0 : at)
    }
}

/// Telling those who watch. Whether they still may be told is asked again each time (C6): for all changes of a turn in
/// one statement, and for those that come while it runs in the next. Only how it stands last is told of anybody.
extension PresenceService {
    /// Pairs of a person and a watcher that one statement asks for at most.
    private static let pairsMax = 2_000

    /// Notes when people went, and tells those who watch once this turn's changes are known.
    func tell(_ changes: [PresenceSessions.Change]) {
        let now = context.clock.now
        for change in changes {
            unwritten[change.person.account] = now
            untold[change.person.account] = Untold(change: change, at: now)
        }
        guard !untold.isEmpty, !isTelling else { return }
        isTelling = true
        Reactor.shared.atEndOfTurn { [unowned self] in
            Task.immediate { @ReactorActor in await self.tellUntold() }
        }
    }

    private func tellUntold() async {
        defer { isTelling = false }
        while !untold.isEmpty {
            let batch = untold
            untold = [:]
            do {
                try await tell(batch)
            } catch {
                // Again within a second (``start()``), with what is newer by then.
                untold.merge(batch) { newer, _ in newer }
                if let more = untoldLine.pass(at: .now) {
                    context.log.warning(
                        "who came and went is not told yet", metadata: ["error": "\(error)", "more": "\(more)"])
                }
                return
            }
        }
    }

    private func tell(_ batch: [Int64: Untold]) async throws {
        let pairs = batch.keys.flatMap { watched in watches.watchers(of: watched).map { (watched, $0) } }
        for start in stride(from: 0, to: pairs.count, by: Self.pairsMax) {
            let asked = pairs[start..<min(start + Self.pairsMax, pairs.count)]
            let allowed = try await context.database.query(
                PresenceStore.mayBeTold, .int64s(asked.map(\.0)), .int64s(asked.map(\.1)))
            for (watched, told) in Dictionary(grouping: allowed, by: \.watched) {
                guard let untold = batch[watched] else { continue }
                publish(untold.state, to: told.map(\.watcher))
            }
        }
    }

    private func publish(_ state: PresenceState, to audience: [Int64]) {
        let stream = "presence/u/" + state.user
        context.publisher.publish(
            UpdateHeader(
                stream: stream, kind: PresenceState.messageName, class: .ephemeral, collapseKey: stream,
                audience: audience), state.encode())
    }
}
