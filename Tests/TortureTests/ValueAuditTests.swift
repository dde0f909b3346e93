import Testing

@testable import Torture

@Suite("audit of edits, deletions, reactions, stars, marks, blocks, requests and files")
struct ValueAuditTests {
    private static let direct = "ann_bob"

    /// A good run in which people changed values.
    private static func changedRun() -> InventedRun {
        var run = InventedRun()
        func write(_ name: ValueFact.Name, message: String = "", by: String, _ value: String, at: Int64) {
            run.facts.values.append(
                ValueFact(name, message: message, [.init(by: by, value, Span(at, at + 100), .accepted(value))]))
        }
        let group = InventedRun.group
        write(.init(.text, in: group, seq: 5), message: "id5", by: "cay", "new text", at: 50_000)
        write(.init(.text, in: group, seq: 6), message: "id6", by: "ann", ValueFact.deleted, at: 50_000)
        write(.init(.reaction, of: "bob", in: group, seq: 7, object: "👍"), by: "bob", ValueFact.yes, at: 50_000)
        write(.init(.star, of: "ann", in: group, seq: 8), by: "ann", ValueFact.yes, at: 50_000)
        write(.init(.pin, of: "ann", in: group), by: "ann", ValueFact.yes, at: 50_000)
        write(.init(.mute, of: "bob", in: group), by: "bob", ValueFact.yes, at: 50_000)
        write(.init(.block, of: "ann", object: "cay"), by: "ann", ValueFact.yes, at: 50_000)
        for user in ["ann", "bob"] {
            write(.init(.availability, of: user), by: user, ValueFact.away, at: 50_000)
            write(.init(.hiding, of: user), by: user, ValueFact.fromAll, at: 50_000)
            run.facts.fresh[user]?.availability = ValueFact.away
            run.facts.fresh[user]?.hiding = ValueFact.fromAll
        }
        run.everybody { messages in
            (messages[4].text, messages[4].position, messages[4].editedAt) = ("new text", 21, 50_050)
            (messages[5].text, messages[5].position, messages[5].isDeleted) = ("", 22, true)
            (messages[6].position, messages[6].reactions) = (23, ["👍": 1])
        }
        run.facts.readMarks = [ReadMarkFact(user: "ann", conversation: group, acknowledged: 12, requested: 14)]
        run.facts.acceptedRequests = [AcceptedRequest(conversation: direct, users: ["ann", "bob"])]
        run.facts.downloads = [DownloadFact(reader: "bob", message: "id9", isSame: true)]
        run.each("ann") { state in
            state.own["\(group) seq 8"] = .init(isStarred: true)
            state.inbox[group] = .init(readSeq: 13, isPinned: true)
        }
        run.each("bob") { state in
            state.own["\(group) seq 7"] = .init(reactions: ["👍"])
            state.inbox[group] = .init(isMuted: true)
        }
        for user in ["ann", "bob"] { run.each(user) { $0.conversations[direct] = "direct in inbox, accepted of ann" } }
        run.facts.fresh["ann"]?.blocked = ["cay"]
        return run
    }

    private func promises(_ spoil: (inout InventedRun) -> Void) -> Set<Audit.Finding.Promise> {
        var run = Self.changedRun()
        spoil(&run)
        return run.promises
    }

    @Test("a run whose values are as requested passes and is counted")
    func good() {
        let facts = Self.changedRun().facts
        let audit = Audit(facts, minimum: InventedRun.minimum)
        #expect(Audit.measure(facts, InventedRun.minimum) == audit.measures(InventedRun.minimum))
        #expect(audit.findings == [])
        #expect(audit.checked.writes == 11 && audit.checked.readMarks == 1)
        #expect(audit.checked.downloads == 1 && audit.checked.acceptedRequests == 1)
        for kind in ValueFact.Kind.allCases {
            #expect(audit.checked.values[kind] == ([.text, .availability, .hiding].contains(kind) ? 2 : 1), "\(kind)")
        }
    }

    @Test("a lost edit, deletion, reaction, star, pin, mute or block is found")
    func lost() {
        #expect(promises { $0.everybody { ($0[4].text, $0[4].editedAt) = ("text 5", 0) } } == [.value])
        #expect(promises { $0.everybody { ($0[5].text, $0[5].isDeleted) = ("text 6", false) } } == [.value])
        let group = InventedRun.group
        #expect(promises { $0.each("ann") { $0.own = [:] } } == [.value])
        #expect(promises { $0.each("bob") { $0.own = [:] } } == [.value])
        #expect(promises { $0.each("ann") { $0.inbox[group]?.isPinned = false } } == [.value])
        #expect(promises { $0.each("bob") { $0.inbox[group]?.isMuted = false } } == [.value])
        #expect(promises { $0.facts.fresh["ann"]?.blocked = [] } == [.value])
    }

    @Test("a wrong number of reactions is found")
    func counts() {
        for count: Int64 in [0, 2] { #expect(promises { $0.everybody { $0[6].reactions = ["👍": count] } } == [.value]) }
        let invented = promises { $0.everybody { $0[7].reactions = ["🎉": 1] } }
        #expect(invented.contains(.value), "nobody reacted to this message")
    }

    @Test("a read mark that fell back or went beyond what was read is found")
    func marks() {
        for seq: Int64 in [11, 15] {
            #expect(promises { $0.each("ann") { $0.inbox[InventedRun.group]?.readSeq = seq } } == [.value])
        }
    }

    @Test("an accepted request that is none, and a file that is missing or differs, are found")
    func requestsAndFiles() {
        #expect(
            promises { $0.each("bob") { $0.conversations[Self.direct] = "direct in requests, pending of ann" } }
                == [.value])
        #expect(promises { $0.facts.downloads[0].isSame = false } == [.content])
        #expect(promises { $0.facts.downloads[0].refusal = "attachment_not_found" } == [.lost])
    }

    @Test("two members who read different versions of a message, or a delivered version that nobody wrote, are found")
    func versions() {
        #expect(promises { $0.history(of: "bob") { $0[4].text = "text 5" } }.contains(.content))
        func announced(_ change: (inout StoredMessage) -> Void) -> Set<Audit.Finding.Promise> {
            promises { run in
                var message = InventedRun.message(5)
                change(&message)
                run.facts.announced.insert(message)
            }
        }
        #expect(announced { _ in } == [], "the version before the edit")
        #expect(announced { $0.text = "another" } == [.content])
        #expect(announced { $0.position = 22 } == [.content], "later than the stored one")
        #expect(announced { $0.sentAt += 1 } == [.content])
        #expect(announced { $0.position = 21 } == [.content], "the old text at the new position")
        #expect(announced { $0.position = 20 } == [], "as somebody reads it who left before the edit")
    }

    @Test("a permanent client without a change is found")
    func kept() {
        #expect(
            promises { $0.facts.kept[1].state.messages[InventedRun.group]?[4] = InventedRun.message(5) } == [.state])
        #expect(promises { $0.facts.kept[1].state.own = [:] } == [.state])
        #expect(promises { $0.facts.kept[1].state.inbox = [:] } == [.state])
    }

    /// Adds a request to the text of message 5 and returns what is found.
    private func edit(
        by user: String, _ value: String, _ span: Span, _ outcome: Outcome<String>, mustBeRefused: Bool = false
    ) -> Set<Audit.Finding.Promise> {
        promises {
            $0.facts.values[0].writes.append(
                .init(by: user, value, span, outcome, mustBeRefused: mustBeRefused))
        }
    }

    @Test("of several edits the last may stay, an uncertain one may or may not, a refused one has no effect")
    func order() {
        let (before, during, after) = (Span(40_000, 40_100), Span(50_050, 50_200), Span(60_000, 60_100))
        #expect(edit(by: "cay", "other", before, .accepted("other")) == [])
        #expect(edit(by: "cay", "other", during, .accepted("other")) == [])
        #expect(edit(by: "cay", "other", after, .accepted("other")) == [.value])
        for span in [before, during, after] { #expect(edit(by: "cay", "other", span, .unknown("deadline")) == []) }
        #expect(edit(by: "ann", "other", after, .refused("not_author"), mustBeRefused: true) == [])
        #expect(edit(by: "ann", "other", before, .accepted("other"), mustBeRefused: true) == [.refused])
        #expect(edit(by: "cay", "other", before, .accepted("not the same")) == [.content])
        #expect(edit(by: "cay", "other", after, .refused("message_not_found")) == [.members])
        #expect(edit(by: "cay", "other", after, .refused("message_deleted")) == [.members])
        #expect(edit(by: "cay", "other", after, .refused("rate_limited")) == [])
    }

    @Test("an edit or a reaction accepted after a deletion is found")
    func afterDeletion() {
        func late(_ span: Span, _ outcome: Outcome<String>) -> Set<Audit.Finding.Promise> {
            promises { $0.facts.values[1].writes.append(.init(by: "ann", "late", span, outcome)) }
        }
        #expect(late(Span(60_000, 60_100), .accepted("late")) == [.refused])
        #expect(late(Span(50_050, 60_100), .accepted("late")) == [], "it overlaps the deletion")
        #expect(late(Span(60_000, 60_100), .refused("message_deleted")) == [])
        #expect(
            promises { run in
                let name = ValueFact.Name(.reaction, of: "bob", in: InventedRun.group, seq: 6, object: "🎉")
                run.facts.values.append(
                    ValueFact(name, [.init(by: "bob", ValueFact.yes, Span(60_000, 60_100), .accepted(ValueFact.yes))]))
            } == [.refused])
    }

    @Test("a message accepted despite a block is found, one refused because of it is not")
    func blocks() {
        func send(_ span: Span, _ outcome: Outcome<SendFact.Reply>, isStored: Bool) -> Set<Audit.Finding.Promise> {
            promises { run in
                let conversation = "ann_cay"
                run.facts.conversations.append(
                    ConversationFact(id: conversation, users: ["ann", "cay"], span: Span(10, 20)))
                run.facts.sends.append(
                    SendFact(
                        id: "d1", conversation: conversation, sender: "cay", text: "hello",
                        attempts: [.init(span, outcome)]))
                let message = StoredMessage(
                    conversation: conversation, seq: 1, position: 1, id: "d1", sender: "cay", text: "hello", sentAt: 7)
                for user in ["ann", "cay"] {
                    run.each(user) { state in
                        state.conversations[conversation] = "direct"
                        if isStored { state.messages[conversation] = [message] }
                    }
                    run.facts.histories.append(
                        HistoryFact(
                            reader: user, conversation: conversation, messages: isStored ? [message] : [],
                            lastSeq: isStored ? 1 : 0))
                }
            }
        }
        let reply = SendFact.Reply(seq: 1, position: 1, sentAt: 7, isDuplicate: false)
        #expect(send(Span(40_000, 40_100), .accepted(reply), isStored: true) == [], "before the block")
        #expect(send(Span(60_000, 60_100), .accepted(reply), isStored: true) == [.members])
        #expect(send(Span(60_000, 60_100), .refused("user_blocked"), isStored: false) == [])
        #expect(send(Span(40_000, 40_100), .refused("user_blocked"), isStored: false) == [.members])
    }

    @Test("a run with too few certain values, accepted requests or downloads does not pass")
    func tooLittle() {
        func least(_ change: (inout Audit.Minimum) -> Void) -> Set<Audit.Finding.Promise> {
            var minimum = InventedRun.minimum
            change(&minimum)
            return Set(Audit(Self.changedRun().facts, minimum: minimum).findings.map(\.promise))
        }
        #expect(least { $0.valuesOfEachKind = 1 } == [])
        #expect(least { $0.valuesOfEachKind = 2 } == [.tooLittle])
        #expect(least { $0.acceptedRequests = 2 } == [.tooLittle])
        #expect(least { $0.downloads = 2 } == [.tooLittle])
    }
}
