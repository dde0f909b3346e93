import Schema

/// Revoked devices, whose older tokens are void. An entry is kept as long as such a token could otherwise be valid.
struct DenyList {
    private struct Entry: Equatable {
        /// Empty: all devices of the account.
        var device: String
        var at: Int64
    }

    private let lifetime: Int64
    private var entries: [Int64: [Entry]] = [:]

    /// - Parameter lifetime: the lifetime of an access token, in microseconds.
    init(lifetime: Int64) { self.lifetime = lifetime }

    var count: Int { entries.values.reduce(0) { $0 + $1.count } }

    mutating func add(_ revoked: DeviceRevoked) {
        var list = entries[revoked.account] ?? []
        if let index = list.firstIndex(where: { $0.device == revoked.device }) {
            list[index].at = max(list[index].at, revoked.atUs)
        } else {
            list.append(Entry(device: revoked.device, at: revoked.atUs))
        }
        entries[revoked.account] = list
    }

    /// Whether a token of this device issued at `issuedAt` is void.
    func denies(account: Int64, device: String, issuedAt: Int64) -> Bool {
        guard let list = entries[account] else { return false }
        return list.contains { ($0.device.isEmpty || $0.device == device) && issuedAt <= $0.at }
    }

    /// Forgets revocations whose tokens have all expired.
    mutating func prune(now: Int64) {
        entries = entries.compactMapValues { list in
            let kept = list.filter { $0.at + lifetime > now }
            return kept.isEmpty ? nil : kept
        }
    }
}
