import Testing

@testable import Torture

@Suite("The audit of a run")
struct AuditTests {
    private static let group = InventedRun.group

    /// Returns the promises that the audit finds broken after `spoil` changed the run.
    private func promises(_ spoil: (inout InventedRun) -> Void) -> Set<Audit.Finding.Promise> {
        var run = InventedRun()
        spoil(&run)
        return run.promises
    }

    @Test("a good run passes and reports how much was compared")
    func good() {
        let facts = InventedRun().facts
        let audit = Audit(facts, minimum: InventedRun.minimum)
        #expect(Audit.measure(facts, InventedRun.minimum) == audit.measures(InventedRun.minimum))
        #expect(audit.findings.isEmpty, "\(audit.findings)")
        #expect(audit.checked.acknowledged == 20)
        #expect(audit.checked.messagesOfReaders == 60)
        #expect(audit.checked.histories == 3)
        #expect(audit.checked.announced == 20)
        #expect(audit.checked.reminders == 3)
        #expect(audit.checked.devices == 1)
    }

    // MARK: Messages

    @Test("an acknowledged message missing from all histories is found, even if it was the last")
    func lost() {
        #expect(promises { $0.everybody { $0.removeAll { $0.seq == 20 } } } == [.lost])
        // In the middle it also leaves a gap.
        #expect(promises { $0.everybody { $0.removeAll { $0.seq == 7 } } } == [.lost, .gap])
        #expect(
            promises {
                $0.facts.announced = []; $0.everybody { $0.removeAll { $0.seq == 20 } }
            } == [.lost])
    }

    @Test("a message missing from one member's history is found")
    func lostForOne() {
        #expect(promises { $0.history(of: "bob") { $0.removeAll { $0.seq == 20 } } } == [.lost])
        #expect(promises { $0.history(of: "bob") { $0.removeFirst() } } == [.lost, .window])
        #expect(promises { $0.history(of: "bob") { $0 = [] } } == [.lost])
    }

    @Test("a duplicated message is found")
    func doubled() {
        #expect(
            promises { run in
                run.everybody { messages in
                    var again = InventedRun.message(3)
                    (again.seq, again.position) = (21, 21)
                    messages.append(again)
                }
            } == [.doubled])
        #expect(
            promises { run in
                let again = SendFact.Attempt(
                    Span(90_000, 91_000), .accepted(.init(seq: 25, position: 25, sentAt: 1, isDuplicate: true)))
                run.facts.sends[4].attempts.append(again)
            } == [.doubled])
        #expect(
            promises { run in
                run.facts.sends[4].attempts.append(run.facts.sends[4].attempts[0])
            } == [.doubled])
    }

    @Test("a gap in a history and a history that ends before the server's last seq are found")
    func gap() {
        #expect(promises { $0.history(of: "cay") { $0.removeAll { $0.seq == 9 } } } == [.lost, .gap])
        #expect(promises { $0.facts.histories[0].lastSeq = 21 } == [.gap])
    }

    @Test("messages in the wrong order are found")
    func swapped() {
        #expect(promises { $0.history(of: "ann") { $0.swapAt(4, 5) } }.contains(.order))
        // All histories agree, but the message acknowledged first must come first.
        let found = promises { run in
            run.everybody { messages in
                (messages[4].id, messages[5].id) = (messages[5].id, messages[4].id)
            }
            for (index, seq) in [(4, Int64(6)), (5, 5)] {
                let sentAt = InventedRun.message(seq).sentAt
                run.facts.sends[index].attempts = [
                    .init(
                        run.facts.sends[index].attempts[0].span,
                        .accepted(.init(seq: seq, position: seq, sentAt: sentAt, isDuplicate: false)))
                ]
            }
        }
        #expect(found.contains(.order))
    }

    @Test("a message with a changed text, sender or time is found")
    func content() {
        #expect(promises { $0.everybody { $0[2].text = "something else" } } == [.content])
        #expect(promises { $0.everybody { $0[2].sender = "mallory" } } == [.content])
        #expect(promises { $0.everybody { $0[2].sentAt = 5 } } == [.content])
        #expect(promises { $0.history(of: "ann") { $0[2].text = "only ann reads this" } }.contains(.content))
    }

    @Test("a refused message that is stored is found, and an accepted one that broke a rule")
    func refused() {
        #expect(
            promises { $0.facts.sends[6].attempts = [.init(Span(1, 2), .refused("not_member"))] }
                == [.refused])
        #expect(promises { $0.facts.sends[6].mustBeRefused = true } == [.refused])
        // Refused and not stored is right.
        #expect(
            promises { run in
                run.facts.sends.append(
                    SendFact(
                        id: "no", conversation: Self.group, sender: "mallory", text: "x",
                        attempts: [.init(Span(1, 2), .refused("not_member"))], mustBeRefused: true))
            }.isEmpty)
    }

    @Test("a message with an unknown outcome may be stored or not, but not twice")
    func unknown() {
        func run(_ messages: [StoredMessage]) -> Set<Audit.Finding.Promise> {
            promises { run in
                run.facts.sends.append(
                    SendFact(
                        id: "perhaps", conversation: Self.group, sender: "ann", text: "perhaps",
                        attempts: [.init(Span(50_000, 60_000), .unknown("deadline"))]))
                run.everybody { $0 += messages }
            }
        }
        func perhaps(_ seq: Int64) -> StoredMessage {
            StoredMessage(
                conversation: Self.group, seq: seq, position: seq, id: "perhaps", sender: "ann", text: "perhaps",
                sentAt: 9)
        }
        #expect(run([]).isEmpty)
        #expect(run([perhaps(21)]).isEmpty)
        #expect(run([perhaps(21), perhaps(22)]) == [.doubled])
    }

    @Test("a refused message of a member is found, unless it was rate limited")
    func memberRefused() {
        func attempt(_ code: String) -> Set<Audit.Finding.Promise> {
            promises { $0.facts.sends[6].attempts.insert(.init(Span(6000, 6100), .refused(code)), at: 0) }
        }
        #expect(attempt("not_member") == [.members])
        #expect(attempt("internal") == [.members])
        #expect(attempt("rate_limited").isEmpty)
    }

    @Test("a message that nobody sent is found, and a system message of an unknown kind")
    func invented() {
        func run(_ sender: String) -> Set<Audit.Finding.Promise> {
            promises { run in
                run.everybody {
                    $0.append(
                        StoredMessage(
                            conversation: Self.group, seq: 21, position: 21, id: "ghost", sender: sender, text: "boo",
                            sentAt: 1))
                }
            }
        }
        #expect(run("ann") == [.invented])
        #expect(run("") == [.note])
    }

    @Test("a delivered message that is not stored or differs is found")
    func announced() {
        var ghost = InventedRun.message(3)
        ghost.seq = 21
        #expect(promises { $0.facts.announced.insert(ghost) } == [.lost])
        var other = InventedRun.message(3)
        other.text = "another text"
        #expect(promises { $0.facts.announced.insert(other) } == [.content])
    }

    @Test("a decreasing position is found, unless the readings overlap")
    func backwards() {
        #expect(
            promises { $0.facts.readings.append(Reading(of: "head", value: 19, span: Span(30_000, 30_100))) }
                == [.backwards])
        #expect(
            promises { $0.facts.readings.append(Reading(of: "head", value: 19, span: Span(20_400, 30_100))) }.isEmpty)
        #expect(
            promises { $0.facts.readings.append(Reading(of: "other", value: 1, span: Span(30_000, 30_100))) }.isEmpty)
    }

    // MARK: Members

    @Test("a removed member reads nothing sent afterwards and everything sent before")
    func removed() {
        func run(_ last: Int64, _ leave: Span, isCertain: Bool = true) -> Set<Audit.Finding.Promise> {
            promises { run in
                run.facts.memberships = [
                    MembershipFact(
                        conversation: Self.group, user: "bob", joins: false, span: leave, isCertain: isCertain)
                ]
                run.facts.kept.removeAll { $0.user == "bob" }
                run.facts.kept.append(run.facts.kept[0])
                run.resend(11...20, of: "bob", by: "ann")
                run.history(of: "bob") { $0.removeAll { $0.seq > last } }
            }.subtracting([.tooLittle])
        }
        let during = Span(10_600, 10_700)  // Between messages 10 and 11.
        #expect(run(10, during).isEmpty)
        #expect(run(12, during) == [.window])
        #expect(run(8, during) == [.lost])
        // Without a reply, the removal may have happened at any time.
        #expect(run(15, Span(10_600, .max), isCertain: false).isEmpty)
        #expect(run(20, Span(10_600, .max), isCertain: false).isEmpty)
    }

    @Test("a new member reads nothing sent before joining and everything sent afterwards")
    func joined() {
        func run(_ first: Int64) -> Set<Audit.Finding.Promise> {
            promises { run in
                run.facts.conversations[0].users = ["ann", "bob"]
                run.facts.memberships = [
                    MembershipFact(
                        conversation: Self.group, user: "cay", joins: true, span: Span(10_600, 10_700), isCertain: true)
                ]
                run.facts.kept.removeAll { $0.user == "cay" }
                run.resend(1...10, of: "cay", by: "ann")
                run.history(of: "cay") { $0.removeAll { $0.seq < first } }
            }.subtracting([.tooLittle])
        }
        #expect(run(11).isEmpty)
        #expect(run(9) == [.window])
        #expect(run(13) == [.lost])
    }

    @Test("a conversation that a member lacks and a history that was not read are found")
    func membersMiss() {
        #expect(promises { $0.facts.fresh["ann", default: ClientState()].conversations = [:] }.contains(.members))
        #expect(promises { $0.facts.histories.removeLast() }.contains(.members))
    }

    // MARK: Clients, devices, processes

    @Test("a permanent client that differs from a new client is found")
    func state() {
        #expect(promises { $0.facts.kept[0].state.conversations[Self.group] = "renamed" } == [.state])
        #expect(promises { $0.facts.kept[0].state.messages[Self.group, default: []].removeLast() } == [.state])
        #expect(promises { $0.facts.kept[0].state.messages[Self.group, default: []].swapAt(0, 1) } == [.state])
        #expect(promises { $0.facts.kept[0].state.reminders = [:] } == [.state])
        #expect(promises { $0.facts.kept[0].stoppedBy = "unauthenticated" } == [.state])
    }

    @Test("a reminder that is lost, changed, or stored although refused is found")
    func reminders() {
        func change(_ change: (inout ClientState) -> Void) -> Set<Audit.Finding.Promise> {
            promises { run in
                change(&run.facts.fresh["ann", default: ClientState()])
                change(&run.facts.kept[0].state)
            }
        }
        #expect(change { $0.reminders = [:] } == [.reminder])
        #expect(change { $0.reminders["rann"] = "“buy milk” completed false" } == [.reminder])
        #expect(change { $0.reminders["rann"] = "“buy beer” completed true" } == [.reminder])
        #expect(change { $0.reminders["x"] = "“x” completed false" } == [.invented])
        #expect(promises { $0.facts.reminders[0].creation = .refused("invalid") } == [.refused])
        #expect(promises { $0.facts.reminders[0].isCompleted = nil }.isEmpty)
        // One that was open at its time and did not fire.
        func due(_ text: String) -> Set<Audit.Finding.Promise> {
            promises { run in
                (run.facts.reminders[0].isDue, run.facts.reminders[0].isCompleted) = (true, false)
                run.facts.fresh["ann", default: ClientState()].reminders["rann"] = text
                run.facts.kept[0].state.reminders["rann"] = text
            }
        }
        #expect(due("“buy milk” completed false, fired false") == [.reminder])
        #expect(due("“buy milk” completed false, fired true").isEmpty)
    }

    @Test("a signed-out device that stays signed in and an account that cannot sign in are found")
    func devices() {
        #expect(promises { $0.facts.devices[0].isClosed = false } == [.device])
        #expect(promises { $0.facts.devices[0].refusal = nil } == [.device])
        #expect(promises { $0.facts.accounts.insert("dan") } == [.account])
    }

    @Test("a process that died on its own, used too much memory or logged an alarm is found")
    func processes() {
        #expect(promises { $0.facts.processes[0].restarts = 2 } == [.process])
        #expect(promises { $0.facts.processes[0].residentKiBMax = 400_000 } == [.process])
        #expect(promises { $0.facts.processes[0].alarms = ["Fatal error: Index out of range"] } == [.process])
        #expect(promises { $0.facts.processes = [] } == [.tooLittle])
    }

    @Test("problems during the run are reported")
    func troubles() {
        #expect(promises { $0.facts.troubles = ["the cluster did not recover"] } == [.recovery])
        #expect(
            promises { run in
                run.facts.startsOver = [StartOverFact(conversation: "c", user: "bob", device: "bob's first device")]
            } == [.recovery])
    }

    // MARK: Minimums

    @Test("a run in which nothing happened does not pass")
    func nothing() {
        #expect(Audit(Facts(), minimum: InventedRun.minimum).findings.map(\.promise).contains(.tooLittle))
    }

    @Test("a run with too few messages, histories, clients or faults does not pass")
    func tooLittle() {
        func least(_ change: (inout Audit.Minimum) -> Void) -> Bool {
            var minimum = InventedRun.minimum
            change(&minimum)
            return Audit(InventedRun().facts, minimum: minimum).findings.map(\.promise) == [.tooLittle]
        }
        #expect(least { $0.acknowledged = 21 })
        #expect(least { $0.histories = 4 })
        #expect(least { $0.messagesOfReaders = 61 })
        #expect(least { $0.keptClients = 4 })
        #expect(least { $0.faults = 3 })
        #expect(least { $0.kinds.insert(.disk) })
        #expect(promises { $0.facts.readings = [] } == [.tooLittle])
    }

    @Test("the minimums of a run of one minute are high enough")
    func minimums() {
        let configuration = TortureConfiguration(seed: 1, seconds: 60)
        let shape = FaultSchedule.Shape(gateways: 2, replicas: configuration.replicasOfServices)
        let schedule = FaultSchedule(seed: 1, milliseconds: 60_000, shape: shape)
        let minimum = configuration.minimum(schedule, seconds: configuration.seconds)
        #expect(minimum.acknowledged >= 100 && minimum.histories >= 32 && minimum.keptClients == 32)
        #expect(minimum.faults > 20 && minimum.kinds == Set(FaultKind.allCases))
    }
}
