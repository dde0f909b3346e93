import Reactor
import Schema
import Wire

/// A change of a person's presence that is not published yet.
struct UnpublishedChange: Sendable, Equatable {
    var change: PresenceSessions.Change
    var at: Timestamp

    var state: PresenceState {
        PresenceState(
            user: change.person.user, status: change.isOnline ? .online : .offline,
            lastSeenUs: change.isOnline ? 0 : at.rawValue)
    }
}

/// Publishing changes to watchers. Before each publication a query decides which watchers may still see the person
/// (C6). One statement covers all changes of a turn; changes that arrive while it runs go into the next. Only the
/// latest state of each person is published.
extension PresenceService {
    /// The most pairs of a person and a watcher in one statement.
    private static let pairsMax = 2_000

    /// Notes when people came or went, and publishes all changes of this turn to their watchers.
    func publish(_ changes: [PresenceSessions.Change]) {
        let now = context.clock.now
        for change in changes {
            unwritten[change.person.account] = now
            unpublished[change.person.account] = UnpublishedChange(change: change, at: now)
        }
        guard !unpublished.isEmpty, !isPublishing else { return }
        isPublishing = true
        Reactor.shared.atEndOfTurn { [unowned self] in
            Task.onLoop { await self.publishPending() }
        }
    }

    private func publishPending() async {
        defer { isPublishing = false }
        while !unpublished.isEmpty {
            let batch = unpublished
            unpublished = [:]
            do {
                try await publish(batch)
            } catch {
                // Tried again within a second (``start()``), together with newer changes.
                unpublished.merge(batch) { newer, _ in newer }
                if let more = publishFailureLine.pass(at: .now) {
                    context.log.warning(
                        "presence changes could not be published yet",
                        metadata: ["error": "\(error)", "more": "\(more)"])
                }
                return
            }
        }
    }

    private func publish(_ batch: [AccountNumber: UnpublishedChange]) async throws {
        let pairs = batch.keys.flatMap { watched in watches.watchers(of: watched).map { (watched, $0) } }
        for start in stride(from: 0, to: pairs.count, by: Self.pairsMax) {
            let page = pairs[start..<min(start + Self.pairsMax, pairs.count)]
            let allowed = try await context.database.query(
                PresenceStore.mayBeNotified, .numbers(page.map(\.0)), .numbers(page.map(\.1)))
            for (watched, watchers) in Dictionary(grouping: allowed, by: \.watched) {
                guard let change = batch[watched] else { continue }
                publish(change.state, to: watchers.map(\.watcher))
            }
        }
    }

    private func publish(_ state: PresenceState, to watchers: [AccountNumber]) {
        let stream = "presence/u/" + state.user
        context.publisher.publish(
            UpdateHeader(
                stream: stream, kind: PresenceState.messageName, class: .ephemeral, collapseKey: stream,
                audience: watchers.map(\.rawValue)), state.encode())
    }
}
