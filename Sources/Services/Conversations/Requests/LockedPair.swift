import Postgres
import Schema
import ServiceKit

/// A direct conversation whose row is locked, with its one or two members.
struct LockedPair: Sendable {
    let row: DirectRow
    /// In order of account, as the sides of ``pair``.
    let members: [PairMember]
    var pair: Pair

    var id: String { row.id }
    var isAlone: Bool { members.count == 1 }

    /// - Parameter members: one or two, in order of account.
    init(_ row: DirectRow, _ members: [PairMember]) {
        (self.row, self.members) = (row, members)
        pair = Pair()
        pair.status = row.status == 2 ? .accepted : row.requester == nil ? .none : .pending
        (pair.requestsSent, pair.requestedAt, pair.isRevealed) = (
            Int(row.requestsSent), row.requestedAt, row.isRevealed
        )
        (pair.declinedAt, pair.withdrawnAt) = (row.declinedAt, row.withdrawnAt)
        for (side, member) in zip(Side.allCases, members) {
            pair[side] = Pair.SideState(
                blocks: member.blocks, isErased: member.isErased, wasShown: member.section != .unspecified)
            if member.account == row.requester { pair.requester = side }
        }
        if let requester = pair.requester, !isAlone {
            pair.readAt = members[requester == .first ? 1 : 0].requestReadAt
        }
    }

    func side(of account: AccountNumber) -> Side? {
        members.firstIndex { $0.account == account }.map { $0 == 0 ? .first : .second }
    }

    func member(_ side: Side) -> PairMember? {
        switch side {
        case .first: members.first
        case .second: members.dropFirst().first
        }
    }

    /// Returns the row to store for the state `pair`.
    func row(of pair: Pair) -> DirectRow {
        var row = row
        row.status = pair.status == .accepted ? 2 : 1
        row.requester = pair.requester.flatMap(member)?.account
        (row.requestsSent, row.requestedAt, row.isRevealed) = (
            Int16(clamping: pair.requestsSent), pair.requestedAt, pair.isRevealed
        )
        (row.declinedAt, row.withdrawnAt) = (pair.declinedAt, pair.withdrawnAt)
        return row
    }

    /// Returns a member's row to store for the state `pair`.
    func member(_ member: PairMember, _ side: Side, of pair: Pair, messages: Int) -> PairMember {
        var member = member
        member.section = pair.section(side)
        member.writeRefusal = pair.writeRefusal(side).rawValue
        member.writeUntilSeq = pair.status == .pending ? Seq(Int64(pair.requestsSent * messages)) : nil
        member.mayRead = pair.mayRead(side)
        let isRecipient = pair.requester == side.other && !isAlone
        member.requestAt = isRecipient ? pair.requestedAt : nil
        member.requestReadAt = isRecipient ? pair.readAt : nil
        return member
    }
}

/// The change of a direct conversation to a new state. Pure.
struct PairChange: Sendable {
    let before: LockedPair
    let row: DirectRow
    let members: [PairMember]
    /// Accounts whose view changes.
    let notified: Set<AccountNumber>
    /// Accounts whose number of requests changes.
    let counted: Set<AccountNumber>

    /// - Parameter messages: how many messages each request allows.
    init(_ before: LockedPair, to after: Pair, messages: Int) {
        self.before = before
        row = before.row(of: after)
        var members: [PairMember] = []
        var notified: Set<AccountNumber> = []
        var counted: Set<AccountNumber> = []
        for (side, member) in zip(Side.allCases, before.members) {
            let changed = before.member(member, side, of: after, messages: messages)
            members.append(changed)
            // The stored view, which may be from before an erasure.
            let view = before.pair.view(side, in: member.section)
            if let now = after.view(side, in: changed.section), now != view, !member.isErased {
                notified.insert(member.account)
            }
            let was = member.section == .requests ? (1, member.requestReadAt == nil ? 1 : 0) : (0, 0)
            if was != (after.isRequest(side) ? 1 : 0, after.isUnread(side) ? 1 : 0) {
                counted.insert(member.account)
            }
        }
        (self.members, self.notified, self.counted) = (members, notified, counted)
    }
}

extension ConversationsService {
    var requestRules: RequestRules {
        RequestRules(
            isRequired: context.settings.text("requests.required") == "yes",
            newRequestAfter: .seconds(context.settings.integer("requests.ask-again-days") * 86_400))
    }

    /// Reads direct conversations whose rows are locked, in their order. It uses a new snapshot, which sees the changes
    /// that the locks waited for.
    func pairs(_ locked: [ConversationNumber], in change: Change) async throws -> [LockedPair] {
        var pairs: [LockedPair] = []
        var members: [PairMember] = []
        let rows = try await change.query(RequestsStore.pairs, .numbers(locked))
        for (index, found) in rows.enumerated() {
            members.append(found.member)
            let isLast = index + 1 == rows.count || rows[index + 1].row.conversation != found.row.conversation
            guard isLast else { continue }
            pairs.append(LockedPair(found.row, members))
            members = []
        }
        return pairs
    }

    /// Stores new states of pairs. Publishes to exactly those people whose view or number of requests changes.
    ///
    /// The conversations' rows must be locked. This locks heads, in order of account, before the members' rows, so that
    /// a count belongs to its position.
    func settle(_ pairs: [(before: LockedPair, after: Pair)], in change: Change) async throws {
        let messages = context.settings.integer("limits.request-messages")
        let changes = pairs.map { PairChange($0.before, to: $0.after, messages: messages) }
        var taken: [AccountNumber: Int64] = [:]
        for account in changes.flatMap(\.notified) { taken[account, default: 0] += 1 }
        let accounts = taken.keys.sorted()
        var next: [AccountNumber: Position] = [:]
        if !accounts.isEmpty {
            let heads = try await change.query(
                RequestsStore.advanceHeads, .numbers(accounts), .int64s(accounts.map { taken[$0] ?? 0 }))
            for head in heads { next[head.account] = head.position - (taken[head.account] ?? 0) + 1 }
        }
        try await save(changes, from: &next, in: change)
        for changed in changes where !changed.notified.isEmpty {
            guard let id = ConversationID(changed.row.id) else { continue }
            try await publishViews(of: id, to: changed.notified, in: change)
        }
        let counted = changes.reduce(into: Set()) { $0.formUnion($1.counted) }
        if !counted.isEmpty { try await publishRequestCounts(of: counted, in: change) }
    }

    private func save(_ changes: [PairChange], from next: inout [AccountNumber: Position], in change: Change)
        async throws
    {
        let rows = changes.filter { $0.row != $0.before.row }.map(\.row)
        if !rows.isEmpty {
            try await change.execute(
                RequestsStore.saveConversations, .numbers(rows.map(\.conversation)), .int16s(rows.map(\.status)),
                .optionalNumbers(rows.map(\.requester)), .int16s(rows.map(\.requestsSent)),
                .optionalNumbers(rows.map(\.requestedAt)), .bools(rows.map(\.isRevealed)),
                .optionalNumbers(rows.map(\.declinedAt)), .optionalNumbers(rows.map(\.withdrawnAt)))
        }
        var members: [(conversation: ConversationNumber, member: PairMember, position: Position?)] = []
        for changed in changes {
            for (before, member) in zip(changed.before.members, changed.members) {
                let isNotified = changed.notified.contains(member.account)
                guard isNotified || member != before else { continue }
                members.append((changed.row.conversation, member, isNotified ? next[member.account] : nil))
                if isNotified { next[member.account, default: 0] += 1 }
            }
        }
        guard !members.isEmpty else { return }
        try await change.execute(
            RequestsStore.saveMembers, .numbers(members.map(\.conversation)), .numbers(members.map(\.member.account)),
            .int16s(members.map { Int16($0.member.section.rawValue) }), .int16s(members.map(\.member.writeRefusal)),
            .optionalNumbers(members.map(\.member.writeUntilSeq)), .bools(members.map(\.member.mayRead)),
            .optionalNumbers(members.map(\.member.requestAt)), .optionalNumbers(members.map(\.member.requestReadAt)),
            .optionalNumbers(members.map(\.position)))
    }
}
