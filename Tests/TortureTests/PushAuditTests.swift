import Testing

@testable import Torture

@Suite("audit of pushes")
struct PushAuditTests {
    private static let direct = "abe_ann"
    private static let seconds: Int64 = 1_000_000

    /// A good run: abe is away, ann writes to him, and his two devices tell of it. Bob is told of the group's messages.
    private static func run() -> InventedRun {
        var run = InventedRun()
        run.facts.absent = [direct: "abe"]
        run.facts.conversations.append(ConversationFact(id: direct, users: ["abe", "ann"], span: Span(10, 20)))
        let stored = StoredMessage(
            conversation: direct, seq: 1, position: 1, id: "d1", sender: "ann", text: "hello", sentAt: 5)
        run.facts.sends.append(
            SendFact(
                id: "d1", conversation: direct, sender: "ann", text: "hello",
                attempts: [
                    .init(
                        Span(seconds, seconds + 500),
                        .accepted(.init(seq: 1, position: 1, sentAt: 5, isDuplicate: false)))
                ]))
        for user in ["abe", "ann"] {
            run.facts.histories.append(HistoryFact(reader: user, conversation: direct, messages: [stored], lastSeq: 1))
            run.each(user) {
                $0.conversations[direct] = "a direct conversation"
                $0.messages[direct] = [stored]
            }
        }
        for device in 0..<2 { run.facts.pushes.append(push(to: "abe", device, in: direct, seq: 1, at: 2 * seconds)) }
        run.facts.pushes.append(push(to: "bob", 0, in: InventedRun.group, seq: 20, at: 2 * seconds))
        return run
    }

    private static func push(
        to user: String, _ device: Int, id: String? = nil, kind: String = "message", in conversation: String,
        seq: Int64, at: Int64
    ) -> PushFact {
        PushFact(
            to: user, device, id: id ?? "\(user)\(device)\(seq)", kind: kind, in: conversation, seq: seq, at: at)
    }

    private func promises(_ spoil: (inout Facts) -> Void) -> Set<Audit.Finding.Promise> {
        var run = Self.run()
        spoil(&run.facts)
        return run.promises
    }

    private static func write(_ name: ValueFact.Name, _ value: String, at: Int64) -> ValueFact {
        ValueFact(name, [.init(by: "bob", value, Span(at, at + 10), .accepted(value))])
    }

    @Test("a good run has no findings, and counts what had to come")
    func good() {
        #expect(promises { _ in } == [])
        let checked = Audit(Self.run().facts, minimum: InventedRun.minimum).checked
        #expect(checked.pushes == 3 && checked.awaitedPushes == 2)
    }

    @Test("whoever is away must be told on each device")
    func missing() {
        #expect(promises { $0.pushes.removeAll { $0.user == "abe" && $0.device == 1 } } == [.push])
        #expect(promises { $0.pushes[0].kind = "withdrawn" } == [.push])
    }

    @Test("of what was deleted, or sent while a clock was wrong, nobody must be told")
    func uncertain() {
        let text = Self.write(.init(.text, in: Self.direct, seq: 1), ValueFact.deleted, at: 3 * Self.seconds)
        #expect(Audit.awaitedPushes(Self.run().facts).count == 1)
        var run = Self.run()
        run.facts.values.append(text)
        #expect(Audit.awaitedPushes(run.facts).isEmpty)
        // That of messaging when it was sent, that of notifications until long after.
        for (process, span, isLeftOut) in [
            ("messaging-1", Span(0, 2 * Self.seconds), true), ("messaging-1", Span(0, 1000), false),
            ("notifications-2", Span(3 * Self.seconds, 4 * Self.seconds), true),
            ("notifications-2", Span(0, 1000), false), ("presence-1", Span(0, 2 * Self.seconds), false),
        ] {
            var run = Self.run()
            run.facts.wrongClocks = [WrongClockFact(process: process, span)]
            #expect(Audit.awaitedPushes(run.facts).isEmpty == isLeftOut, "\(process) \(span)")
        }
    }

    @Test("a message comes under one id, and under another for each edit")
    func once() {
        func again(_ facts: inout Facts, id: String) {
            facts.pushes.append(Self.push(to: "abe", 0, id: id, in: Self.direct, seq: 1, at: 3 * Self.seconds))
        }
        #expect(promises { again(&$0, id: "abe01") } == [], "sent again")
        #expect(promises { again(&$0, id: "other") } == [.push])
        let edit = Self.write(.init(.text, in: Self.direct, seq: 1), "hello!", at: 2 * Self.seconds)
        var run = Self.run()
        again(&run.facts, id: "edited")
        run.facts.values.append(edit)
        #expect(!Audit(run.facts, minimum: InventedRun.minimum).findings.contains { $0.promise == .push })
        func withdraw(_ facts: inout Facts, id: String) {
            facts.pushes.append(
                Self.push(to: "abe", 0, id: id, kind: "withdrawn", in: Self.direct, seq: 1, at: 4 * Self.seconds))
        }
        #expect(promises { withdraw(&$0, id: "w") } == [])
        #expect(
            promises {
                withdraw(&$0, id: "w")
                withdraw(&$0, id: "v")
            } == [.push])
    }

    @Test("nobody is told who wrote it, had muted or blocked all the time, was no member, or had the app in front")
    func spared() {
        let sender = InventedRun.message(20).sender
        #expect(promises { $0.pushes[2].user = sender } == [.push], "their own")
        let mute = ValueFact.Name(.mute, of: "bob", in: InventedRun.group)
        let block = ValueFact.Name(.block, of: "bob", object: sender)
        for name in [mute, block] {
            func found(_ at: Int64) -> Bool {
                var run = Self.run()
                run.facts.values.append(Self.write(name, ValueFact.yes, at: at))
                return Audit(run.facts, minimum: InventedRun.minimum).findings.contains { $0.promise == .push }
            }
            #expect(found(100), "\(name) before it was sent")
            #expect(!found(20_000), "\(name) while it was sent")
            #expect(!found(Self.seconds), "\(name) after it was sent")
        }
        #expect(promises { $0.pushes[2].user = "dan" } == [.push], "no member")
        #expect(promises { $0.inFront = [InFrontFact("cay", in: InventedRun.group, seq: 20)] } == [])
        #expect(promises { $0.inFront = [InFrontFact("bob", in: InventedRun.group, seq: 20)] } == [.push])
    }

    @Test("a line of the server is a push; a token that is not of the run is none")
    func lines() throws {
        let push = try #require(PushSink.Push(line: "1500000 bob/1 id7 message a_b 12"))
        let fact = try #require(PushFact(push, since: 1_000_000))
        #expect(fact == Self.push(to: "bob", 1, id: "id7", in: "a_b", seq: 12, at: 500_000))
        let silent = try #require(PushSink.Push(line: "1500000 other id7 read a_b -"))
        #expect(silent.seq == 0 && PushFact(silent, since: 0) == nil)
        for line in ["", "x bob/1 id7 message a_b 12", "1500000 bob/1 id7 message a_b"] {
            #expect(PushSink.Push(line: line) == nil)
        }
    }
}
