import Schema
import Testing

@testable import ConversationsService

/// A few people with all their pairs, as tables and devices hold them. Pairs change by the rules and by ``PairChange``,
/// as in the service.
private struct World {
    /// What a device holds after the Updates it received.
    struct Device: Equatable {
        var views: [String: PairView] = [:]
        var unread = 0
        var total = 0
        var position: Position = 0
    }

    static let accounts: [AccountNumber] = [1, 2, 3, 4]
    static let day: Duration = .seconds(86_400)

    let rules = RequestRules()
    var rows: [String: DirectRow] = [:]
    var members: [String: [PairMember]] = [:]
    /// The position at which each person's row was last published.
    var positions: [String: [AccountNumber: Position]] = [:]
    var blocks: Set<[AccountNumber]> = []
    var heads: [AccountNumber: Position] = [:]
    var live: [AccountNumber: Device] = [:]
    /// Devices that sync now and then.
    var late: [AccountNumber: Device] = [:]
    var now = Timestamp(0) + day * 1_000

    static func id(_ one: AccountNumber, _ other: AccountNumber) -> String { "\(min(one, other))_\(max(one, other))" }

    func locked(_ one: AccountNumber, _ other: AccountNumber) -> LockedPair? {
        let id = Self.id(one, other)
        guard let row = rows[id], var people = members[id] else { return nil }
        for index in people.indices {
            people[index].blocks = blocks.contains([people[index].account, people[1 - index].account])
        }
        return LockedPair(row, people)
    }

    /// Returns two people with a new, empty row, as StartDirect makes it.
    func made(_ one: AccountNumber, _ other: AccountNumber) -> LockedPair {
        let row = DirectRow(
            conversation: ConversationNumber(one.rawValue * 10 + other.rawValue), id: Self.id(one, other), status: 1,
            requestsSent: 0, isRevealed: false)
        return LockedPair(
            row,
            [min(one, other), max(one, other)].map { account in
                PairMember(
                    account: account, user: "u\(account)", isErased: false,
                    blocks: blocks.contains([account, account == one ? other : one]), section: .unspecified,
                    writeRefusal: 3, mayRead: false)
            })
    }

    mutating func settle(_ before: LockedPair, to after: Pair) {
        let change = PairChange(before, to: after, messages: 3)
        (rows[change.row.id], members[change.row.id]) = (change.row, change.members)
        for account in change.notified.sorted() {
            heads[account, default: 0] += 1
            positions[change.row.id, default: [:]][account] = heads[account]
            publish(to: account) { device in
                let side: Side = change.members[0].account == account ? .first : .second
                let section = after.section(side)
                device.views[change.row.id] = section == .gone ? nil : after.view(side, in: section)
            }
        }
        for account in change.counted.sorted() {
            heads[account, default: 0] += 1
            let (unread, total) = count(account)
            publish(to: account) { ($0.unread, $0.total) = (unread, total) }
        }
    }

    /// Changes a device at the next position, so that a missing Update would show.
    private mutating func publish(to account: AccountNumber, _ change: (inout Device) -> Void) {
        change(&live[account, default: Device()])
        live[account, default: Device()].position += 1
    }

    func count(_ account: AccountNumber) -> (unread: Int, total: Int) {
        let requests = members.values.flatMap(\.self).filter { $0.account == account && $0.section == .requests }
        return (requests.count { $0.requestReadAt == nil }, requests.count)
    }

    /// What a person sees who fetches everything.
    func snapshot(_ account: AccountNumber) -> Device {
        var device = Device(position: heads[account] ?? 0)
        for (id, people) in members {
            for (index, member) in people.enumerated() where member.account == account {
                guard member.section != .gone, let row = rows[id] else { continue }
                let pair = LockedPair(row, people).pair
                device.views[id] = pair.view(index == 0 ? .first : .second, in: member.section)
            }
        }
        (device.unread, device.total) = count(account)
        return device
    }

    /// Applies what Sync returns to a device that was away.
    mutating func sync(_ account: AccountNumber) {
        var device = late[account, default: Device()]
        let whole = snapshot(account)
        for (id, people) in members {
            guard let section = people.first(where: { $0.account == account })?.section, section != .unspecified,
                positions[id]?[account] ?? 0 > device.position
            else { continue }
            device.views[id] = whole.views[id]
        }
        (device.unread, device.total, device.position) = (whole.unread, whole.total, whole.position)
        late[account] = device
    }
}

@Suite("Requests among a few people (R3)")
struct RequestModelTests {
    @Test(
        "R3 C12 whatever people do, devices agree with the stored sections and counts, and positions have no gap",
        arguments: 1...40)
    func model(seed: UInt64) {
        var random = Seeded(state: seed)
        var world = World()
        for step in 0..<500 {
            let people = World.accounts.shuffled(using: &random)
            let action = act(people[0], people[1], &world, &random)
            for account in World.accounts {
                let (live, whole) = (world.live[account] ?? .init(), world.snapshot(account))
                #expect(live == whole, "seed \(seed), step \(step), \(action): the device of \(account) differs")
                guard live == whole else { return }
                if Int.random(in: 0..<20, using: &random) == 0 { world.sync(account) }
            }
        }
        for account in World.accounts {
            world.sync(account)
            #expect(world.late[account] == world.snapshot(account), "seed \(seed): a late sync shows the same")
        }
    }

    private func act(_ me: AccountNumber, _ other: AccountNumber, _ world: inout World, _ random: inout Seeded)
        -> String
    {
        world.now = world.now + World.day / 4
        let rules = world.rules
        let (now, choice) = (world.now, Int.random(in: 0..<20, using: &random))
        if choice == 0 {
            world.now = world.now + World.day * 31
            return "a month"
        }
        if choice == 1 || choice == 2 {
            let isBlock = choice == 1
            let pair = world.locked(me, other)
            if isBlock { world.blocks.insert([me, other]) } else { world.blocks.remove([me, other]) }
            guard let pair, let side = pair.side(of: me) else { return "block of a stranger" }
            world.settle(
                pair, to: isBlock ? rules.block(pair.pair, by: side, at: now) : rules.unblock(pair.pair, by: side))
            return isBlock ? "block" : "unblock"
        }
        guard let pair = world.locked(me, other) else {
            let made = world.made(me, other)
            guard let side = made.side(of: me), let started = try? rules.start(made.pair, by: side, at: now) else {
                return "start refused"
            }
            world.settle(made, to: started)
            return "first start"
        }
        guard let side = pair.side(of: me) else { return "" }
        let after: Pair? =
            switch choice {
            case 3...6: try? rules.start(pair.pair, by: side, at: now)
            case 7, 8: try? rules.accept(pair.pair, by: side, at: now)
            case 9...11: try? rules.decline(pair.pair, by: side, at: now)
            case 12, 13: try? rules.withdraw(pair.pair, by: side, at: now)
            case 14, 15: rules.markRead(pair.pair, by: side, at: now)
            default: pair.pair.writeRefusal(side) == .none ? rules.reveal(pair.pair) : nil
            }
        if let after { world.settle(pair, to: after) }
        return "\(choice)"
    }
}

/// SplitMix64.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
