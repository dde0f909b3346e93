import Testing

@testable import Torture

@Suite("The audit of events")
struct EventAuditTests {
    private static let group = InventedRun.group

    /// Ann has created e1 and invited the group, where Bob has accepted for three and Cay declined. The message has seq
    /// 21. Ann has another event, e2, of which nobody knows.
    private func promises(_ spoil: (inout InventedRun) -> Void = { _ in }) -> Set<Audit.Finding.Promise> {
        var run = InventedRun()
        for (id, conversations) in [("e1", [Self.group]), ("e2", [])] {
            var fact = EventFact(id: id, user: "ann", title: "event \(id)")
            fact.conversations = Set(conversations)
            fact.note(.accepted(true), Span(30_000, 31_000))
            run.facts.events.append(fact)
        }
        run.facts.answers = [
            AnswerFact(event: "e1", user: "bob", answer: .init(.accepted, guests: 2)),
            AnswerFact(event: "e1", user: "cay", answer: .init(.declined)),
        ]
        var event = ClientState.Event(title: "event e1")
        (event.accepted, event.coming) = (2, 4)
        for (user, own) in [
            ("ann", EventFact.Answer(.accepted)), ("bob", .init(.accepted, guests: 2)), ("cay", .init(.declined)),
        ] {
            event.own = own
            run.each(user) { $0.events["e1"] = event }
        }
        event = ClientState.Event(title: "event e2")
        (event.accepted, event.coming, event.own) = (1, 1, .init(.accepted))
        run.each("ann") { $0.events["e2"] = event }
        show("e1", in: &run)
        spoil(&run)
        return run.promises
    }

    private func show(_ id: String, in run: inout InventedRun) {
        let seq = (run.facts.histories[0].messages.last?.seq ?? 0) + 1
        let message = StoredMessage(
            conversation: Self.group, seq: seq, position: seq, id: "card\(seq)", sender: "",
            text: CardNote(.event, id, by: "ann").description, sentAt: 1_000_000 + seq)
        run.everybody { $0.append(message) }
        run.facts.announced.insert(message)
    }

    private func everywhere(_ run: inout InventedRun, _ change: (inout ClientState) -> Void) {
        for user in InventedRun.users { run.each(user, change) }
    }

    @Test("events that are stored, shown and answered pass")
    func good() { #expect(promises() == []) }

    @Test("an event that is lost, differs, or that nobody made is found")
    func stored() {
        #expect(promises { $0.each("ann") { $0.events["e2"] = nil } } == [.event])
        #expect(promises { $0.each("ann") { $0.events["e2"]?.isCancelled = true } } == [.event])
        #expect(promises { $0.facts.events[1].isCancelled = true } == [.event])
        #expect(promises { $0.each("ann") { $0.events["e2"]?.title = "another" } } == [.invented])
        #expect(promises { $0.each("bob") { $0.events["e9"] = .init(title: "x") } } == [.invented])
        #expect(promises { $0.facts.kept[0].state.events["e2"] = nil } == [.state], "a device without it")
        #expect(promises { $0.facts.events[1].creation = .refused("invalid") } == [.refused])
        #expect(promises { $0.facts.events[1].isDeleted = true } == [.event], "deleted, but stored")
    }

    @Test("an event that is not shown, is shown twice, or that is shown where it was not invited is found")
    func shown() {
        #expect(
            promises {
                $0.everybody { $0.removeLast() }; $0.facts.announced = []
            } == [.lost])
        #expect(promises { show("e1", in: &$0) } == [.doubled])
        #expect(promises { show("e2", in: &$0) } == [.invented])
    }

    @Test("a change of an event moves its message for all members; a former one may read an earlier position")
    func moved() {
        func move(butFor user: String) -> Set<Audit.Finding.Promise> {
            promises { run in
                run.facts.memberships = [
                    MembershipFact(
                        conversation: Self.group, user: "cay", joins: false, span: Span(40_000, 41_000),
                        isCertain: true, by: nil)
                ]
                run.everybody { $0[20].position = 30 }
                run.history(of: user) { $0[20].position = 25 }
            }
        }
        #expect(move(butFor: "cay") == [])
        #expect(move(butFor: "bob").contains(.content))
    }

    @Test("an answer that is lost, differs, or is not counted once is found")
    func answered() {
        #expect(promises { $0.each("bob") { $0.events["e1"] = nil } } == [.event])
        #expect(promises { $0.each("cay") { $0.events["e1"] = nil } } == [], "declined, and left")
        #expect(promises { $0.each("bob") { $0.events["e1"]?.own?.guests = 1 } } == [.event])
        #expect(promises { $0.each("cay") { $0.events["e1"]?.own = nil } } == [.event])
        #expect(promises { run in everywhere(&run) { $0.events["e1"]?.accepted = 3 } } == [.event])
        #expect(promises { run in everywhere(&run) { $0.events["e1"]?.coming = 5 } } == [.event])
        #expect(
            promises { run in
                run.facts.answers[0].answer = nil
                everywhere(&run) {
                    $0.events["e1"]?.accepted = 1
                    $0.events["e1"]?.coming = 1
                }
            } == [], "an uncertain answer may not have been stored")
    }
    @Test("a block takes its two people out of each other's events, and its end brings no answer back")
    func apart() {
        /// Bob blocks Ann after she created e1, and unblocks her if `ends`.
        func block(_ run: inout InventedRun, ends: Bool) {
            var writes = [
                ValueFact.Write(by: "bob", ValueFact.yes, Span(40_000, 40_100), .accepted(ValueFact.yes))
            ]
            if ends {
                writes.append(.init(by: "bob", ValueFact.no, Span(41_000, 41_100), .accepted(ValueFact.no)))
            } else {
                run.facts.fresh["bob"]?.blocked = ["ann"]
            }
            run.facts.values.append(ValueFact(.init(.block, of: "bob", object: "ann"), writes))
        }
        func lose(_ run: inout InventedRun) {
            run.each("bob") { $0.events["e1"] = nil }
            everywhere(&run) {
                $0.events["e1"]?.accepted = 1
                $0.events["e1"]?.coming = 1
            }
        }
        for ends in [false, true] {
            #expect(
                promises {
                    block(&$0, ends: ends); lose(&$0)
                } == [])
        }
        #expect(promises { block(&$0, ends: true) } == [], "he may have answered again")
        #expect(promises { block(&$0, ends: false) } == [.event], "he still holds it")
        #expect(promises { lose(&$0) } == [.event], "without a block")
    }
}
