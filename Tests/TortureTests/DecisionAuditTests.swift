import Testing

@testable import Torture

@Suite("The audit of decisions")
struct DecisionAuditTests {
    private static let group = InventedRun.group

    /// Ann has shared d1 with the group, whose message has seq 21, and keeps d2 to herself.
    private func promises(_ spoil: (inout InventedRun) -> Void = { _ in }) -> Set<Audit.Finding.Promise> {
        var run = InventedRun()
        for (id, isShared) in [("d1", true), ("d2", false)] {
            var fact = DecisionFact(id: id, user: "ann", text: "decision \(id)")
            (fact.conversation, fact.isShared) = (Self.group, isShared)
            fact.note(.accepted(true), Span(30_000, 31_000))
            run.facts.decisions.append(fact)
            var decision = ClientState.Decision(text: fact.text, conversation: Self.group)
            decision.isShared = isShared
            run.each("ann") { $0.decisions[id] = decision }
        }
        show("d1", in: &run)
        spoil(&run)
        return run.promises
    }

    private func show(_ id: String, by actor: String = "ann", in run: inout InventedRun) {
        let seq = (run.facts.histories[0].messages.last?.seq ?? 0) + 1
        let message = StoredMessage(
            conversation: Self.group, seq: seq, position: seq, id: "card\(seq)", sender: "",
            text: CardNote(.decision, id, by: actor).description, sentAt: 1_000_000 + seq)
        run.everybody { $0.append(message) }
        run.facts.announced.insert(message)
    }

    /// Deletes the message of d1.
    private func deleteCard(in run: inout InventedRun) {
        run.everybody { (messages: inout [StoredMessage]) in
            guard let index = messages.firstIndex(where: { $0.seq == 21 }) else { return }
            (messages[index].text, messages[index].isDeleted, messages[index].position) = ("", true, 30)
        }
    }

    @Test("a shared decision shown once, and a private one that is not shown, pass")
    func good() { #expect(promises() == []) }

    @Test("a decision that is lost, differs, or that nobody made is found")
    func stored() {
        #expect(promises { $0.each("ann") { $0.decisions["d2"] = nil } } == [.decision])
        #expect(promises { $0.each("ann") { $0.decisions["d2"]?.text = "another" } } == [.decision])
        #expect(promises { $0.each("ann") { $0.decisions["d2"]?.isShared = true } } == [.decision])
        #expect(promises { $0.each("bob") { $0.decisions["d9"] = .init(text: "x") } } == [.invented])
        #expect(promises { $0.each("bob") { $0.decisions["d2"] = .init(text: "x") } } == [.invented])
        #expect(promises { $0.facts.kept[0].state.decisions["d2"] = nil } == [.state], "a device without it")
        #expect(promises { $0.facts.decisions[1].creation = .refused("invalid") } == [.refused])
    }

    @Test("a decision that is not shown, shown twice, or shown although it is private or of somebody else is found")
    func shown() {
        #expect(
            promises {
                $0.everybody { $0.removeLast() }; $0.facts.announced = []
            } == [.lost])
        #expect(promises { show("d1", in: &$0) } == [.doubled])
        #expect(promises { show("d2", in: &$0) } == [.invented])
        #expect(promises { show("d7", in: &$0) } == [.invented])
        #expect(promises { $0.facts.decisions[0].user = "bob" }.contains(.invented))
    }

    @Test("the message of a deleted decision is deleted with it, and no other")
    func deleted() {
        let gone = { (run: inout InventedRun) in
            run.facts.decisions[0].isDeleted = true
            run.each("ann") { $0.decisions["d1"] = nil }
        }
        #expect(
            promises {
                gone(&$0); deleteCard(in: &$0)
            } == [])
        #expect(promises { gone(&$0) } == [.decision], "it is still shown")
        #expect(
            promises {
                $0.facts.decisions[0].isDeleted = true; deleteCard(in: &$0)
            } == [.decision], "still stored")
        #expect(promises { deleteCard(in: &$0) } == [.decision], "nobody deleted it")
        #expect(
            promises { run in
                gone(&run)
                deleteCard(in: &run)
                // A former member reads the deletion at the position of leaving.
                run.facts.memberships = [
                    MembershipFact(
                        conversation: Self.group, user: "cay", joins: false, span: Span(40_000, 41_000),
                        isCertain: true, by: nil)
                ]
                run.history(of: "cay") { $0[20].position = 25 }
            } == [])
    }

    @Test("a decision names the one that replaces it exactly while that exists")
    func superseding() {
        func replaced(_ earlier: String, _ later: String) -> Set<Audit.Finding.Promise> {
            promises { run in
                run.facts.decisions[1].supersedes = "d1"
                run.each("ann") {
                    $0.decisions["d1"]?.supersededBy = earlier
                    $0.decisions["d2"]?.supersedes = later
                }
            }
        }
        #expect(replaced("d2", "d1") == [])
        #expect(replaced("", "d1") == [.decision])
        #expect(replaced("d2", "").contains(.decision))
        #expect(promises { $0.each("ann") { $0.decisions["d1"]?.supersededBy = "d2" } } == [.decision])
    }
}
