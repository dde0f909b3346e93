import Schema
import Testing
import Wire

@testable import ConversationsService

private let day = Duration.seconds(86_400)
private let now = Timestamp(0) + day * 1_000

/// Makes a pair in which `first` is the requester.
private func pair(
    _ status: Pair.Status, revealed: Bool = true, declined: Bool = false, withdrawn: Bool = false, read: Bool = false,
    firstBlocks: Bool = false, secondBlocks: Bool = false, shown: Bool = true, askedDaysAgo: Int64 = 1
) -> Pair {
    var pair = Pair()
    pair.status = status
    guard status != .none else {
        (pair.first.blocks, pair.second.blocks) = (firstBlocks, secondBlocks)
        return pair
    }
    (pair.requester, pair.requestsSent, pair.requestedAt) = (.first, 1, now - day * askedDaysAgo)
    (pair.isRevealed, pair.readAt) = (revealed, read ? now - .microseconds(1) : nil)
    (pair.declinedAt, pair.withdrawnAt) = (
        declined ? now - .microseconds(2) : nil, withdrawn ? now - .microseconds(3) : nil
    )
    pair.first = .init(blocks: firstBlocks, wasShown: true)
    pair.second = .init(blocks: secondBlocks, wasShown: shown)
    return pair
}

private enum Action: String, CaseIterable {
    case start, accept, decline, withdraw, read, block, unblock, message
}

private let rules = RequestRules()

private func outcome(_ pair: Pair, _ side: Side, _ action: Action) -> (after: Pair?, text: String) {
    do throws(Refusal) {
        let after: Pair =
            switch action {
            case .start: try rules.start(pair, by: side, at: now)
            case .accept: try rules.accept(pair, by: side, at: now)
            case .decline: try rules.decline(pair, by: side, at: now)
            case .withdraw: try rules.withdraw(pair, by: side, at: now)
            case .read: rules.markRead(pair, by: side, at: now)
            case .block: rules.block(pair, by: side, at: now)
            case .unblock: rules.unblock(pair, by: side)
            case .message: rules.reveal(pair)
            }
        return (after, after == pair ? "same" : text(after))
    } catch {
        return (nil, error.code.rawValue)
    }
}

/// Describes a pair in words: who asks, what happened to the request ("back" is withdrawn), who blocks.
private func text(_ pair: Pair) -> String {
    var words: [String] = []
    switch pair.status {
    case .none: words = ["none"]
    case .accepted: words = ["accepted"]
    case .pending:
        words = [pair.requester == .first ? "1 asks" : "2 asks"]
        if !pair.isRevealed { words.append("hidden") }
        if pair.declinedAt != nil { words.append("declined") }
        if pair.withdrawnAt != nil { words.append("back") }
        if pair.readAt != nil { words.append("read") }
        if pair.requestsSent > 1 { words.append("x\(pair.requestsSent)") }
    }
    if pair.first.blocks { words.append("1!") }
    if pair.second.blocks { words.append("2!") }
    return words.joined(separator: " ")
}

@Suite("Rules of requests (R1 to R8, C6, C12)")
struct RequestRuleTests {
    @Test("R2 R5 a message that reached the recipient of a request that has ended since is gone for them")
    func reached() {
        for ended in [
            pair(.pending, revealed: false, withdrawn: true, shown: false),
            pair(.pending, revealed: false, withdrawn: true, firstBlocks: true, shown: false),
        ] {
            #expect(rules.reveal(ended, reached: [.first]) == ended)
            let after = rules.reveal(ended, reached: [.first, .second])
            #expect(after.section(.second) == .gone && !after.isRevealed && !after.mayRead(.second))
            #expect(rules.reveal(after, reached: [.first, .second]) == after)
        }
    }

    /// Every state of two people, written by hand, with what each may do in it and is shown of it. The first is the
    /// requester. Columns: the pair; start, accept, decline and withdraw by the first; the same by the second; section
    /// and write refusal of the first, then of the second.
    private static let table: [(pair: Pair, first: [String], second: [String], sections: String)] = [
        (
            pair(.none), ["1 asks hidden", "not_found", "not_found", "not_found"],
            ["2 asks hidden", "not_found", "not_found", "not_found"], "0/3 0/3"
        ),
        // Asked, without a message so far: the second does not see it.
        (
            pair(.pending, revealed: false, shown: false), ["same", "forbidden", "forbidden", "1 asks hidden back"],
            ["accepted", "not_found", "not_found", "not_found"], "1/0 0/3"
        ),
        // The same after an earlier request was declined. Devices of the second dropped that one.
        (
            pair(.pending, revealed: false), ["same", "forbidden", "forbidden", "1 asks hidden back"],
            ["accepted", "not_found", "not_found", "not_found"], "1/0 5/3"
        ),
        // Shown.
        (
            pair(.pending), ["same", "forbidden", "forbidden", "1 asks back"],
            ["accepted", "accepted", "1 asks declined", "forbidden"], "1/0 2/1"
        ),
        (
            pair(.pending, read: true), ["same", "forbidden", "forbidden", "1 asks back read"],
            ["accepted", "accepted", "1 asks declined read", "forbidden"], "1/0 2/1"
        ),
        // Declined: all that the first may do has the same results as without an answer.
        (
            pair(.pending, declined: true), ["same", "forbidden", "forbidden", "1 asks declined back"],
            ["accepted", "not_found", "same", "not_found"], "1/0 5/3"
        ),
        // Declined before a message was sent, which only a block does.
        (
            pair(.pending, revealed: false, declined: true, shown: false),
            ["same", "forbidden", "forbidden", "1 asks hidden declined back"],
            ["accepted", "not_found", "not_found", "not_found"], "1/0 0/3"
        ),
        // Withdrawn, shown before or not. Repeated before the days end it is the same request.
        (
            pair(.pending, withdrawn: true), ["1 asks", "forbidden", "forbidden", "same"],
            ["2 asks hidden x2", "not_found", "not_found", "not_found"], "5/3 5/3"
        ),
        (
            pair(.pending, revealed: false, withdrawn: true, shown: false),
            ["1 asks hidden", "forbidden", "forbidden", "same"],
            ["2 asks hidden x2", "not_found", "not_found", "not_found"], "5/3 0/3"
        ),
        // Withdrawn after it was declined: repeating it does not undo the decline.
        (
            pair(.pending, declined: true, withdrawn: true), ["1 asks declined", "forbidden", "forbidden", "same"],
            ["2 asks hidden x2", "not_found", "same", "not_found"], "5/3 5/3"
        ),
        (
            pair(.accepted, read: true), ["same", "same", "not_pending", "not_pending"],
            ["same", "same", "not_pending", "not_pending"], "1/0 1/0"
        ),
        // Days later.
        (
            pair(.pending, askedDaysAgo: 30), ["1 asks x2", "forbidden", "forbidden", "1 asks back"],
            ["accepted", "accepted", "1 asks declined", "forbidden"], "1/0 2/1"
        ),
        (
            pair(.pending, read: true, askedDaysAgo: 30), ["1 asks x2", "forbidden", "forbidden", "1 asks back read"],
            ["accepted", "accepted", "1 asks declined read", "forbidden"], "1/0 2/1"
        ),
        (
            pair(.pending, revealed: false, shown: false, askedDaysAgo: 30),
            ["1 asks hidden x2", "forbidden", "forbidden", "1 asks hidden back"],
            ["accepted", "not_found", "not_found", "not_found"], "1/0 0/3"
        ),
        (
            pair(.pending, declined: true, askedDaysAgo: 30),
            ["1 asks hidden x2", "forbidden", "forbidden", "1 asks declined back"],
            ["accepted", "not_found", "same", "not_found"], "1/0 5/3"
        ),
        (
            pair(.pending, declined: true, askedDaysAgo: 29),
            ["same", "forbidden", "forbidden", "1 asks declined back"],
            ["accepted", "not_found", "same", "not_found"], "1/0 5/3"
        ),
        (
            pair(.pending, declined: true, withdrawn: true, askedDaysAgo: 30),
            ["1 asks hidden x2", "forbidden", "forbidden", "same"],
            ["2 asks hidden x2", "not_found", "same", "not_found"], "5/3 5/3"
        ),
        // The second blocks, which ended the request.
        (
            pair(.pending, declined: true, secondBlocks: true),
            ["user_blocked", "forbidden", "forbidden", "1 asks declined back 2!"],
            ["user_blocked", "user_blocked", "same", "forbidden"], "1/2 3/2"
        ),
        (
            pair(.pending, revealed: false, declined: true, secondBlocks: true, shown: false),
            ["user_blocked", "forbidden", "forbidden", "1 asks hidden declined back 2!"],
            ["user_blocked", "not_found", "not_found", "not_found"], "1/2 0/3"
        ),
        // The first blocks: for the second the request was withdrawn.
        (
            pair(.pending, withdrawn: true, firstBlocks: true), ["user_blocked", "forbidden", "forbidden", "same"],
            ["user_blocked", "not_found", "not_found", "not_found"], "3/2 5/2"
        ),
        (
            pair(.pending, declined: true, withdrawn: true, firstBlocks: true, secondBlocks: true),
            ["user_blocked", "forbidden", "forbidden", "same"],
            ["user_blocked", "user_blocked", "same", "forbidden"], "3/2 3/2"
        ),
        (
            pair(.accepted, read: true, secondBlocks: true), ["user_blocked", "same", "not_pending", "not_pending"],
            ["user_blocked", "same", "not_pending", "not_pending"], "1/2 3/2"
        ),
        (
            pair(.accepted, read: true, firstBlocks: true), ["user_blocked", "same", "not_pending", "not_pending"],
            ["user_blocked", "same", "not_pending", "not_pending"], "3/2 1/2"
        ),
        (
            pair(.none, firstBlocks: true), ["user_blocked", "not_found", "not_found", "not_found"],
            ["user_blocked", "not_found", "not_found", "not_found"], "0/3 0/3"
        ),
    ]

    private static let decisions: [Action] = [.start, .accept, .decline, .withdraw]

    @Test("R1 R4 R5 R7 C6 in every state, what each of the two may do and what results from it")
    func decisions() {
        for (pair, first, second, sections) in Self.table {
            for (side, expected) in [(Side.first, first), (.second, second)] {
                for (action, expected) in zip(Self.decisions, expected) {
                    #expect(
                        outcome(pair, side, action).text == expected,
                        "\(text(pair)), asked \((now - (pair.requestedAt ?? now)) / day) days ago: \(side) \(action)")
                }
            }
            let shown = Side.allCases.map { "\(pair.section($0).rawValue)/\(pair.writeRefusal($0).rawValue)" }
            #expect(shown.joined(separator: " ") == sections, "\(text(pair))")
        }
    }

    /// Every combination of the parts, whether it can occur or not, with either of the two as the requester.
    private static let all: [Pair] = {
        let truth = [false, true]
        var pairs: [Pair] = [pair(.none)]
        for status in [Pair.Status.pending, .accepted] {
            for (revealed, declined) in truth.flatMap({ one in truth.map { (one, $0) } }) {
                for (withdrawn, read) in truth.flatMap({ one in truth.map { (one, $0) } }) {
                    for days: Int64 in [0, 29, 30, 31] {
                        pairs.append(
                            pair(
                                status, revealed: revealed, declined: declined, withdrawn: withdrawn, read: read,
                                shown: true, askedDaysAgo: days))
                        if !revealed, !read, status == .pending {
                            pairs.append(
                                pair(
                                    status, revealed: false, declined: declined, withdrawn: withdrawn, shown: false,
                                    askedDaysAgo: days))
                        }
                    }
                }
            }
        }
        return pairs.flatMap { one in
            truth.flatMap { first in
                truth.flatMap { second in
                    truth.flatMap { isMirrored in
                        [nil, Side.first, .second].map { erased in
                            var pair = one
                            (pair.first.blocks, pair.second.blocks) = (first, second)
                            if let erased { pair[erased].isErased = true }
                            if isMirrored {
                                (pair.first, pair.second) = (pair.second, pair.first)
                                pair.requester = pair.requester?.other
                            }
                            return pair
                        }
                    }
                }
            }
        }
    }()

    @Test("R5 R6 C6 what holds in every state for every action of either person")
    func everywhere() {
        #expect(Self.all.count > 3_000)
        for pair in Self.all {
            for side in Side.allCases {
                for action in Action.allCases {
                    let (after, code) = outcome(pair, side, action)
                    check(pair, side, action, after, code)
                }
            }
        }
    }

    private func check(_ pair: Pair, _ side: Side, _ action: Action, _ after: Pair?, _ code: String) {
        let isRecipient = pair.status == .pending && pair.requester == side.other
        let section = pair.section(side)
        switch action {
        case .start:
            #expect((code == "user_blocked") == pair.isBlocked)
            if isRecipient, let after, pair.withdrawnAt == nil { #expect(after.status == .accepted) }
        case .accept:
            #expect((after?.status == .accepted) == (pair.status == .accepted || (isRecipient && section == .requests)))
            #expect((code == "forbidden") == (pair.status == .pending && !isRecipient))
            if isRecipient { #expect((code == "user_blocked") == (section == .blockedPeople)) }
        case .decline:
            if section == .requests { #expect(after?.section(side) == .gone) }
            if let after { #expect(after.view(side.other, in: after.section(side.other)) == view(pair, side.other)) }
        case .withdraw:
            #expect((after == nil) == !(pair.status == .pending && pair.requester == side))
            if let after, !pair[side].blocks { #expect(after.section(side) == .gone) }
        case .read:
            #expect(after?.isUnread(side) == false)
            #expect((after != pair) == pair.isUnread(side))
            if let after { #expect(after.view(side.other, in: after.section(side.other)) == view(pair, side.other)) }
        case .block:
            guard let after else {
                Issue.record("a block is never refused")
                return
            }
            #expect(after.writeRefusal(side) != .none && after.writeRefusal(side.other) != .none)
            // A blocked person sees at most that a request to them is gone, as if it had been withdrawn.
            let seen = view(after, side.other)
            #expect(seen == view(pair, side.other) || (seen == PairView(section: .gone) && pair.requester == side))
            #expect(!after.isRequest(side) && !after.isRequest(side.other) || pair.isRequest(side.other))
        case .unblock:
            #expect(after?[side].blocks == false)
            if let after { #expect(view(after, side.other) == view(pair, side.other)) }
        case .message:
            guard let after else {
                Issue.record("a message is never refused")
                return
            }
            if after != pair { #expect(!pair.isBlocked && pair.declinedAt == nil && pair.withdrawnAt == nil) }
        }
        guard let after else { return }
        // Repeating an action changes nothing.
        #expect(outcome(after, side, action).after == after, "\(text(pair)): \(side) \(action) again")
        // What was shown never vanishes without being marked gone.
        for side in Side.allCases {
            #expect(
                after.section(side) != .unspecified || pair.section(side) == .unspecified, "\(text(pair)) \(action)")
            // The recipient of an unanswered request may read but not write.
            if after.section(side) == .requests { #expect(after.writeRefusal(side) != .none) }
            if after.section(side) == .gone, after.requester == side { #expect(!after.mayRead(side)) }
            if after.section(side) == .requests { #expect(after.mayRead(side)) }
            if after.isBlocked { #expect(after.writeRefusal(side) != .none) }
        }
    }

    private func view(_ pair: Pair, _ side: Side) -> PairView? { pair.view(side, in: pair.section(side)) }

    @Test("R5 whatever the requester does, a declined request looks and behaves like an unanswered one")
    func declineIsSilence() {
        for days: Int64 in [0, 29, 30, 31, 100] {
            let silent = pair(.pending, askedDaysAgo: days)
            let declined = pair(.pending, declined: true, askedDaysAgo: days)
            compare(silent, declined, depth: 4)
        }
    }

    /// Compares both pairs through every sequence of actions by the requester.
    private func compare(_ silent: Pair, _ declined: Pair, depth: Int) {
        #expect(view(silent, .first) == view(declined, .first))
        #expect(silent.writeRefusal(.first) == declined.writeRefusal(.first))
        #expect(silent.mayRead(.first) == declined.mayRead(.first) && silent.requestsSent == declined.requestsSent)
        guard depth > 0 else { return }
        for action in [Action.start, .accept, .decline, .withdraw, .read, .block, .unblock, .message] {
            let (one, other) = (outcome(silent, .first, action), outcome(declined, .first, action))
            #expect((one.after == nil) == (other.after == nil), "\(text(silent)) \(action)")
            if one.after == nil { #expect(one.text == other.text) }
            guard let one = one.after, let other = other.after else { continue }
            compare(one, other, depth: depth - 1)
        }
    }

    @Test("R1 no request is needed where requests are not required, nor for notes")
    func withoutRequests() throws {
        let open = RequestRules(isRequired: false)
        #expect(text(try open.start(pair(.none), by: .first, at: now)) == "accepted")
        #expect(text(try rules.start(pair(.none), by: .first, isAlone: true, at: now)) == "accepted")
        // A request from before stays pending until the other person starts the conversation.
        #expect(try open.start(pair(.pending), by: .first, at: now) == pair(.pending))
        #expect(text(try open.start(pair(.pending), by: .second, at: now)) == "accepted")
        #expect(throws: Refusal.self) { try open.start(pair(.none, secondBlocks: true), by: .first, at: now) }
    }

    @Test("R4 both ask at the same time: the second accepts")
    func bothAtOnce() throws {
        for side in Side.allCases {
            let asked = try rules.start(pair(.none), by: side, at: now)
            #expect(asked.section(side) == .inbox && asked.section(side.other) == .unspecified)
            let accepted = try rules.start(asked, by: side.other, at: now)
            #expect(accepted.status == .accepted && accepted.requester == side)
            #expect(Side.allCases.allSatisfy { accepted.section($0) == .inbox && accepted.writeRefusal($0) == .none })
        }
    }

    @Test("A5 a request from an erased person is gone, and nobody can write to them")
    func erased() {
        var asked = pair(.pending)
        asked.first.isErased = true
        #expect(asked.section(.second) == .gone && asked.writeRefusal(.second) == .userBlocked)
        #expect(!asked.mayRead(.second))
        var talking = pair(.accepted)
        talking.second.isErased = true
        #expect(talking.section(.first) == .inbox && talking.writeRefusal(.first) == .userBlocked)
        #expect(talking.mayRead(.first))
    }

    @Test(
        "R3 the cursor of a list survives a round trip; other text is refused",
        arguments: [
            ("", true), ("5.7", true), ("9223372036854775807.1", true), ("5", false), ("5.", false), ("5.7.1", false),
            ("-1.2", false), ("+1.2", false), ("05.7", false), ("x", false), ("5.-7", false),
        ])
    func cursors(text: String, isGood: Bool) {
        let cursor = try? TimeCursor(text)
        #expect((cursor != nil) == isGood)
        if !text.isEmpty, let cursor { #expect(cursor.text == text) }
    }
}
