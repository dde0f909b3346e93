import Reactor
import Schema
import ServiceKit

/// The changes of who has the app in the foreground, as followers are told of them. Pure.
struct Foreground {
    /// How many accounts a page has, by the contract of links.
    static let pageItems = 100_000
    /// How many accounts a change has of each kind, by the contract of links.
    static let changeItems = 10_000

    let epoch: String
    /// Of the last change. It counts changes that nobody heard, too, so whoever missed one notices.
    private(set) var position: Int64 = 0

    init(epoch: String = Sodium.randomText(16)) { self.epoch = epoch }

    /// Counts what has changed.
    /// - Returns: the changes to publish, with their positions.
    mutating func tell(
        _ changes: [PresenceSessions.Change]
    ) -> [(position: Int64, change: ForegroundChange)] {
        let came = changes.filter { $0.activity.isInForeground && !$0.wasInForeground }.map(\.account.rawValue)
        let went = changes.filter { !$0.activity.isInForeground && $0.wasInForeground }.map(\.account.rawValue)
        return stride(from: 0, to: max(came.count, went.count), by: Self.changeItems).map { start in
            position += 1
            let change = ForegroundChange(
                epoch: epoch, came: Array(came.dropFirst(start).prefix(Self.changeItems)),
                went: Array(went.dropFirst(start).prefix(Self.changeItems)))
            return (position, change)
        }
    }

    /// A page of these people.
    func page(of people: [AccountNumber], after: AccountNumber) -> ForegroundReply {
        let rest = people.filter { $0 > after }.sorted()
        return ForegroundReply(
            epoch: epoch, position: position, accounts: rest.prefix(Self.pageItems).map(\.rawValue),
            more: rest.count > Self.pageItems)
    }
}

extension PresenceService {
    /// How often followers are told the last position again, since changes may be lost.
    static let foregroundInterval = Duration.milliseconds(500)

    /// Returns who has the app in the foreground.
    /// - Throws: ``Refusal`` `unavailable` until it is known.
    func listForeground(_ request: ForegroundRequest, _ call: RequestContext) async throws -> ForegroundReply {
        try checkWarmUp()
        return foreground.page(of: sessions.inForeground, after: AccountNumber(request.after))
    }

    /// Tells followers who came and went.
    func publishForeground(_ changes: [PresenceSessions.Change]) {
        guard context.followers != nil else { return }
        for (position, change) in foreground.tell(changes) { publish(change, at: position) }
    }

    func repeatForeground() { publish(ForegroundChange(epoch: foreground.epoch), at: foreground.position) }

    private func publish(_ change: ForegroundChange, at position: Int64) {
        guard let followers = context.followers, followers.hasSubscribers else { return }
        followers.publish(
            UpdateHeader(
                stream: "presence/foreground", position: position, kind: ForegroundChange.messageName,
                class: .ephemeral), change.encode())
    }
}
