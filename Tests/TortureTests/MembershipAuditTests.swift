import Testing

@testable import Torture

@Suite("The audit of members")
struct MembershipAuditTests {
    private static let group = InventedRun.group

    private func promises(_ spoil: (inout InventedRun) -> Void) -> Set<Audit.Finding.Promise> {
        var run = InventedRun()
        spoil(&run)
        return run.promises
    }

    private func change(
        _ user: String, joins: Bool = false, _ began: Int64, _ ended: Int64 = .max, by actor: String? = "ann"
    ) -> MembershipFact {
        MembershipFact(
            conversation: Self.group, user: user, joins: joins, span: Span(began, ended), isCertain: ended != .max,
            by: actor)
    }

    // MARK: Senders

    /// Removes Bob according to `changes`, and lets him try to send message 13 according to `attempts`.
    private func sending(
        _ changes: [MembershipFact], _ attempts: [SendFact.Attempt]? = nil
    ) -> Set<Audit.Finding.Promise> {
        promises { run in
            run.facts.memberships = changes
            run.facts.kept.removeAll { $0.user == "bob" }
            run.resend(14...20, of: "bob", by: "ann")
            run.history(of: "bob") { $0.removeAll { $0.seq > 10 } }
            if let attempts { run.facts.sends[12].attempts = attempts }
            // Ignores findings about notes and Bob's history.
        }.intersection([.members, .refused, .doubled])
    }

    private static func reply(isDuplicate: Bool = false) -> Outcome<SendFact.Reply> {
        .accepted(.init(seq: 13, position: 13, sentAt: 1_000_013, isDuplicate: isDuplicate))
    }

    @Test("an accepted message of a person removed before it was begun is found")
    func sentOutside() {
        let out = change("bob", 10_600, 10_700)
        #expect(sending([out]) == [.members])
        // Refused while Bob was a member, accepted as new after his removal.
        #expect(
            sending(
                [out],
                [
                    .init(Span(10_550, 10_590), .refused("rate_limited")),
                    .init(Span(13_000, 13_500), Self.reply()),
                ]) == [.members])
        // Stored without a reply.
        #expect(sending([out], [.init(Span(13_000, 13_500), .unknown("deadline"))]) == [.members])
    }

    @Test("a message that overlaps the removal, may follow a return or is a duplicate is no finding")
    func sentPerhapsInside() {
        let out = change("bob", 10_600, 10_700)
        #expect(sending([change("bob", 10_600, 13_100)]).isEmpty)
        #expect(sending([change("bob", 10_600)]).isEmpty)
        #expect(sending([out, change("bob", joins: true, 13_400, 14_000)]).isEmpty)
        #expect(sending([out, change("bob", joins: true, 11_000)]).isEmpty)
        #expect(
            sending(
                [out],
                [
                    .init(Span(10_550, 10_590), .unknown("deadline")),
                    .init(Span(13_000, 13_500), Self.reply(isDuplicate: true)),
                ]
            ).isEmpty)
        #expect(
            sending(
                [out, change("bob", joins: true, 14_000, 14_500)],
                [.init(Span(13_000, 13_500), .unknown("deadline"))]
            ).isEmpty)
    }

    // MARK: Notes

    private func notes(_ changes: [MembershipFact], _ notes: [MemberNote]) -> Set<Audit.Finding.Promise> {
        promises { run in
            run.facts.memberships = changes
            for note in notes { run.append(note) }
            // Ignores findings about the person's history.
        }.intersection([.note])
    }

    private static let removed = MemberNote(.removed, by: "ann", ["bob"])
    private static let left = MemberNote(.left, by: "bob", ["bob"])
    private static let joined = MemberNote(.joined, by: "ann", ["bob"])

    @Test("a note survives conversion to text and back")
    func noteText() {
        let note = MemberNote(.joined, by: "ann", ["dan", "eve"])
        #expect(MemberNote(text: "\(note)") == note)
        for text in ["", "joined by ann: ", "joined by ann:", "renamed by ann: dan", "joined by : dan"] {
            #expect(MemberNote(text: text) == nil)
        }
        #expect(promises { $0.append(MemberNote(.joined, by: "ann", [])) } == [.note])
    }

    @Test("a change with exactly one note passes; a missing, repeated or wrong note is found")
    func certainNotes() {
        let out = change("bob", 30_000, 30_100)
        #expect(notes([out], [Self.removed]).isEmpty)
        #expect(notes([out], []) == [.note])
        #expect(notes([out], [Self.removed, Self.removed]) == [.note])
        #expect(notes([out], [Self.left]) == [.note])
        #expect(notes([out], [MemberNote(.removed, by: "ann", ["cay"])]) == [.note])
        #expect(notes([out], [MemberNote(.removed, by: "cay", ["bob"])]) == [.note])
        #expect(notes([], [Self.joined]) == [.note])
        #expect(notes([change("bob", 30_000, 30_100, by: "bob")], [Self.left]).isEmpty)
        #expect(notes([change("bob", 30_000, 30_100, by: "bob")], [Self.removed]) == [.note])
    }

    @Test("adding a member or removing a non-member has no effect and no note")
    func repeatedNotes() {
        let out = change("bob", 30_000, 30_100)
        #expect(notes([change("bob", joins: true, 30_000, 30_100)], []).isEmpty)
        #expect(notes([change("bob", joins: true, 30_000, 30_100)], [Self.joined]) == [.note])
        #expect(notes([out, change("bob", 31_000, 31_100)], [Self.removed]).isEmpty)
        #expect(notes([out, change("bob", 31_000, 31_100)], [Self.removed, Self.removed]) == [.note])
        let back = change("bob", joins: true, 31_000, 31_100)
        #expect(notes([out, back], [Self.removed, Self.joined]).isEmpty)
        #expect(notes([out, back], [Self.removed]) == [.note])
        #expect(
            notes([out, back, change("bob", 32_000, 32_100)], [Self.removed, Self.joined, Self.removed]).isEmpty)
    }

    @Test("whoever was invited is no initial member, whatever an earlier attempt to make the group left open")
    func invitedNotes() {
        let attempt = change("dan", joins: true, 5, by: nil)
        let accepts = change("dan", joins: true, 30_000, 30_100)
        let note = MemberNote(.joined, by: "ann", ["dan"])
        #expect(notes([attempt, accepts], [note]).isEmpty)
        #expect(notes([attempt, accepts], []) == [.note])
    }

    @Test("of two concurrent changes either may have the note, of two sequential ones only the first")
    func concurrentNotes() {
        let removed = change("bob", 30_000, 30_500)
        let leaves = change("bob", 30_400, 30_900, by: "bob")
        #expect(notes([removed, leaves], [Self.removed]).isEmpty)
        #expect(notes([removed, leaves], [Self.left]).isEmpty)
        #expect(notes([removed, leaves], [Self.left, Self.removed]) == [.note])
        let later = change("bob", 30_600, 30_900, by: "bob")
        #expect(notes([removed, later], [Self.left]) == [.note])
    }

    @Test("a change without a reply has at most one note, at any later time")
    func uncertainNotes() {
        let perhaps = change("bob", 30_000)
        #expect(notes([perhaps], []).isEmpty)
        #expect(notes([perhaps], [Self.removed]).isEmpty)
        #expect(notes([perhaps], [Self.removed, Self.removed]) == [.note])
        let back = change("bob", joins: true, 31_000, 31_100)
        // The removal came before the return, or after it if the return had no effect.
        #expect(notes([perhaps, back], [Self.removed, Self.joined]).isEmpty)
        #expect(notes([perhaps, back], [Self.removed]).isEmpty)
        #expect(notes([perhaps, back], []).isEmpty)
        #expect(notes([perhaps, back], [Self.joined]) == [.note])
        // The removal was begun after the return, so the return had no effect.
        #expect(notes([back, change("bob", 32_000)], [Self.removed, Self.joined]) == [.note])
        #expect(
            notes([perhaps, back, change("bob", 32_000, 32_100)], [Self.removed, Self.joined, Self.removed]).isEmpty)
    }

    @Test("people added together have one note or several")
    func severalNotes() {
        let span: [MembershipFact] = ["dan", "eve"].map { change($0, joins: true, 30_000, 30_100) }
        #expect(notes(span, [MemberNote(.joined, by: "ann", ["dan", "eve"])]).isEmpty)
        #expect(notes(span, ["dan", "eve"].map { MemberNote(.joined, by: "ann", [$0]) }).isEmpty)
        #expect(notes(span, [MemberNote(.joined, by: "ann", ["dan"])]) == [.note])
        #expect(notes(span, [MemberNote(.joined, by: "ann", ["dan", "eve", "dan"])]) == [.note])
    }

    @Test("notes are counted, and a run with too few does not pass")
    func notesCount() {
        var run = InventedRun()
        run.facts.memberships = [change("dan", joins: true, 30_000, 30_100)]
        run.append(MemberNote(.joined, by: "ann", ["dan"]))
        var minimum = InventedRun.minimum
        minimum.notes = 1
        let audit = Audit(run.facts, minimum: minimum)
        #expect(audit.findings.isEmpty && audit.checked.notes == 1, "\(audit.findings)")
        #expect(Audit.measure(run.facts, minimum) == audit.measures(minimum))
        minimum.notes = 2
        #expect(Audit(run.facts, minimum: minimum).findings.map(\.promise) == [.tooLittle])
    }

    // MARK: Permanent clients

    /// Removes Bob after message 10 and, if `isBack`, adds him again after message 15. His client also holds `seqs`.
    private func held(_ seqs: ClosedRange<Int64>, isBack: Bool, out: MembershipFact? = nil) -> Set<
        Audit.Finding.Promise
    > {
        promises { run in
            var changes = [out ?? change("bob", 10_600, 10_700, by: nil)]
            if isBack { changes.append(change("bob", joins: true, 15_600, 15_700, by: nil)) }
            run.facts.memberships = changes
            run.resend(11...20, of: "bob", by: "ann")
            let read: ClosedRange<Int64> = isBack ? 16...20 : 1...10
            run.history(of: "bob") { $0.removeAll { !read.contains($0.seq) } }
            let all = run.facts.histories[0].messages
            run.facts.fresh["bob", default: ClientState()].messages[Self.group] = all.filter { read.contains($0.seq) }
            for index in run.facts.kept.indices where run.facts.kept[index].user == "bob" {
                run.facts.kept[index].state.messages[Self.group] = all.filter {
                    $0.seq <= 10 || read.contains($0.seq) || seqs.contains($0.seq)
                }
            }
        }
    }

    @Test("a client that holds messages sent while its person was no member is found, even after a return")
    func leaked() {
        #expect(held(1...10, isBack: true).isEmpty)
        #expect(held(12...12, isBack: true) == [.window])
        #expect(held(15...15, isBack: true) == [.window])
        #expect(held(1...10, isBack: false).isEmpty)
        #expect(held(12...12, isBack: false) == [.window, .state])
        // Message 11 overlaps the removal.
        #expect(held(11...11, isBack: true, out: change("bob", 10_600, 11_100, by: nil)).isEmpty)
    }

    // MARK: Empty histories

    @Test("an empty history of a window with messages is found if the server reports a last seq")
    func empty() {
        #expect(promises { $0.facts.histories[0].messages = [] } == [.lost, .gap])
        // All histories are empty, and nothing was acknowledged.
        func nothing(_ lastSeq: Int64) -> Set<Audit.Finding.Promise> {
            promises { run in
                run.facts.sends = []
                run.facts.announced = []
                run.everybody { $0 = [] }
                for index in run.facts.histories.indices { run.facts.histories[index].lastSeq = lastSeq }
            }.subtracting([.tooLittle])
        }
        #expect(nothing(3) == [.gap])
        #expect(nothing(0).isEmpty)
    }

    @Test("a new member may read nothing, unless there is a note about joining")
    func emptyAfterJoining() {
        func run(hasNote: Bool) -> Set<Audit.Finding.Promise> {
            promises { run in
                run.facts.memberships = [change("dan", joins: true, 30_000, 30_100, by: hasNote ? "ann" : nil)]
                if hasNote { run.append(MemberNote(.joined, by: "ann", ["dan"])) }
                run.facts.histories.append(
                    HistoryFact(reader: "dan", conversation: Self.group, messages: [], lastSeq: hasNote ? 21 : 20))
            }
        }
        #expect(run(hasNote: false).isEmpty)
        #expect(run(hasNote: true) == [.gap])
    }
}
