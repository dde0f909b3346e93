import Postgres
import Schema
import ServiceKit

/// Whom there is anything to tell, as this replica knows it. Pure.
struct Registry {
    /// Changes that committed later than others may have earlier times. Longer than a transaction takes.
    static let overlap: Duration = .seconds(20)

    /// A person, as it was read.
    struct Entry: Sendable {
        var account: AccountNumber
        var hasDevices: Bool
        var wantsReactions: Bool
        var changedAt: Timestamp
    }

    private var reached: Set<AccountNumber> = []
    private var reactions: Set<AccountNumber> = []
    /// Where reading goes on.
    private(set) var after: (at: Timestamp, account: AccountNumber) = (0, 0)

    var count: Int { reached.count }

    func hasDevices(_ account: AccountNumber) -> Bool { reached.contains(account) }

    func wantsReactions(_ account: AccountNumber) -> Bool { reactions.contains(account) }

    mutating func note(_ account: AccountNumber, hasDevices: Bool) {
        if hasDevices { reached.insert(account) } else { reached.remove(account) }
    }

    mutating func note(_ account: AccountNumber, wantsReactions: Bool) {
        if wantsReactions && hasDevices(account) { reactions.insert(account) } else { reactions.remove(account) }
    }

    /// Takes a page of what changed.
    /// - Returns: whether another page follows.
    mutating func take(_ page: [Entry], pageMax: Int) -> Bool {
        for entry in page {
            note(entry.account, hasDevices: entry.hasDevices)
            note(entry.account, wantsReactions: entry.wantsReactions)
        }
        guard let last = page.last else { return false }
        if page.count >= pageMax {
            after = (last.changedAt, last.account)
            return true
        }
        after = (max(after.at, last.changedAt - Self.overlap), 0)
        return false
    }
}

extension NotificationsService {
    /// How often it looks for changes of other replicas.
    static let registryInterval: Duration = .seconds(1)
    private static let pageMax = 10_000

    /// Reads who registered devices, or has changed what they want, since the last time.
    func readRegistry() async throws {
        while true {
            let page = try await context.database.query(
                SettingsStore.changed, .number(registry.after.at), .number(registry.after.account),
                .int64(Int64(Self.pageMax)), .int16s(senders?.transports ?? []))
            guard registry.take(page, pageMax: Self.pageMax) else { break }
        }
        people.record(registry.count)
        inFront.record(foreground.count)
    }
}
