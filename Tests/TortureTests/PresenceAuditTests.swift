import Testing

@testable import Torture

@Suite("audit of presence and typing")
struct PresenceAuditTests {
    private static let group = InventedRun.group
    private static let direct = "ann_bob"
    private static let quiet: Int64 = 100_000_000

    /// A good run: bob hides from all but accepted people, cay says that she is away, and ann blocks dan.
    private static func run() -> InventedRun {
        var run = InventedRun()
        func write(_ kind: ValueFact.Kind, _ user: String, _ value: String, object: String = "", at: Int64 = 50_000) {
            run.facts.values.append(
                ValueFact(
                    .init(kind, of: user, object: object),
                    [.init(by: user, value, Span(at, at + 100), .accepted(value))]))
        }
        write(.hiding, "bob", ValueFact.fromOthers)
        write(.availability, "cay", ValueFact.away)
        write(.block, "ann", ValueFact.yes, object: "cay")
        run.facts.conversations.append(ConversationFact(id: direct, users: ["ann", "bob"], span: Span(10, 20)))
        for user in ["ann", "bob"] {
            run.each(user) { $0.conversations[direct] = "direct in inbox, accepted of ann" }
            run.facts.histories.append(
                HistoryFact(reader: user, conversation: direct, messages: [], lastSeq: 0))
        }
        run.facts.fresh["ann"]?.blocked = ["cay"]
        run.facts.fresh["bob"]?.hiding = ValueFact.fromOthers
        run.facts.fresh["cay"]?.availability = ValueFact.away
        run.facts.listeners = InventedRun.users
        run.facts.quietFrom = quiet
        run.facts.presence = [
            fact("ann", "ann", .same, ValueFact.no), fact("ann", "bob", .accepted, ValueFact.no),
            fact("ann", "cay", .fellows, ValueFact.offline), fact("bob", "ann", .accepted, ValueFact.no),
            fact("bob", "cay", .fellows, ValueFact.offline), fact("cay", "bob", .fellows, ValueFact.offline),
            fact("cay", "ann", .strangers, ValueFact.offline), fact("cay", "cay", .same, ValueFact.away),
        ]
        run.facts.finalTyping = [FinalTypingFact("bob", in: direct), FinalTypingFact("cay", in: group)]
        run.facts.typing = [TypingFact(reader: "ann", user: "bob", in: direct, at: quiet + 10)]
        return run
    }

    private static func fact(
        _ reader: String, _ user: String, _ relation: PresenceFact.Relation, _ status: String
    ) -> PresenceFact {
        PresenceFact(device: "\(reader)'s device", reader: reader, user: user, relation, status: status)
    }

    private func promises(_ spoil: (inout InventedRun) -> Void) -> Set<Audit.Finding.Promise> {
        var run = Self.run()
        spoil(&run)
        return run.promises
    }

    /// What is found if a person is shown another way.
    private func shown(_ index: Int, _ status: String) -> Set<Audit.Finding.Promise> {
        promises { $0.facts.presence[index].status = status }
    }

    @Test("a run in which everybody is shown what they may see passes and is counted")
    func good() {
        let facts = Self.run().facts
        let audit = Audit(facts, minimum: InventedRun.minimum)
        #expect(Audit.measure(facts, InventedRun.minimum) == audit.measures(InventedRun.minimum))
        #expect(audit.findings == [])
        #expect(audit.checked.presence == 4 && audit.checked.closed == 4)
        #expect(audit.checked.typing == 1 && audit.checked.heardTyping == 1)
    }

    @Test("somebody shown as online despite a block, hiding in either direction or as a stranger is found")
    func closed() {
        for index in [2, 4, 5, 6] {
            for status in [ValueFact.no, ValueFact.away, ValueFact.busy] {
                #expect(shown(index, status) == [.presence])
            }
        }
    }

    @Test("somebody who is there and shown as offline, or not as they say, is found")
    func open() {
        for index in [0, 1, 3, 7] { #expect(shown(index, ValueFact.offline) == [.presence]) }
        #expect(shown(1, ValueFact.away) == [.presence])
        #expect(shown(7, ValueFact.no) == [.presence])
    }

    @Test("after a change of unknown outcome both are right")
    func uncertain() {
        for status in [ValueFact.no, ValueFact.offline] {
            #expect(
                promises { run in
                    let write = ValueFact.Write(by: "ann", ValueFact.yes, Span(60_000, 60_100), .unknown("deadline"))
                    run.facts.values.append(ValueFact(.init(.block, of: "ann", object: "bob"), [write]))
                    run.facts.presence[1].status = status
                } == [])
        }
    }

    @Test("what a person says of themselves that is lost is found")
    func own() {
        #expect(promises { $0.facts.fresh["cay"]?.availability = ValueFact.busy } == [.value])
        #expect(promises { $0.facts.fresh["bob"]?.hiding = ValueFact.no } == [.value])
    }

    private func heard(
        _ reader: String, _ user: String, in conversation: String = group, at: Int64 = quiet + 20
    ) -> Set<Audit.Finding.Promise> {
        promises { $0.facts.typing.insert(TypingFact(reader: reader, user: user, in: conversation, at: at)) }
    }

    @Test("typing heard despite a block, hiding, or by somebody outside is found, if it cannot have been on its way")
    func typing() {
        #expect(heard("ann", "cay") == [.presence] && heard("cay", "ann") == [.presence], "a block")
        #expect(heard("ann", "bob") == [.presence] && heard("bob", "ann") == [.presence], "hiding in groups")
        #expect(heard("ann", "bob", in: Self.direct) == [])
        #expect(heard("cay", "bob", in: Self.direct) == [.presence], "not a member")
        #expect(heard("ann", "cay", at: 60_000) == [], "so soon after the block")
        #expect(heard("ann", "cay", at: 40_000_000) == [.presence], "long after it")
    }

    @Test("typing that somebody had to hear and did not is found; so is a run that showed too little")
    func unheard() {
        #expect(promises { $0.facts.typing = [] } == [.presence])
        #expect(promises { $0.facts.finalTyping.append(FinalTypingFact("ann", in: Self.direct)) } == [.presence])
        func least(_ change: (inout Audit.Minimum) -> Void) -> Set<Audit.Finding.Promise> {
            var minimum = InventedRun.minimum
            change(&minimum)
            return Set(Audit(Self.run().facts, minimum: minimum).findings.map(\.promise))
        }
        #expect(least { ($0.presence, $0.closed, $0.heardTyping) = (4, 4, 1) } == [])
        #expect(least { $0.presence = 5 } == [.tooLittle])
        #expect(least { $0.closed = 5 } == [.tooLittle])
        #expect(least { $0.heardTyping = 2 } == [.tooLittle])
    }
}
