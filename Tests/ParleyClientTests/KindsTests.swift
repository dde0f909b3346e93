import Testing

@testable import ParleyClient

/// An app that is updated, and goes back to an earlier version.
@Suite("Kinds of Updates that a later version knows")
struct KindsTests {
    private static let stream = "entities/u/a"

    /// A version of an app, which begins with what the one before stored.
    private struct Version {
        var machine: SyncMachine
        var memory: SyncMemory
        var questions: [SyncQuestion] = []

        init(knowing kinds: String, _ memory: SyncMemory) {
            var options = SyncMachine.Options()
            (options.services, options.kinds["entities/u/"]) = (["entities"], kinds)
            (machine, self.memory) = (memory.machine(options: options), memory)
            perform(machine.connected(as: "a", cells: ["0"], at: .now))
        }

        mutating func perform(_ actions: [SyncAction]) {
            for action in actions {
                switch action {
                case .store(let change): memory.apply(change)
                case .ask(let question): questions.append(question)
                case .tell, .wake: break
                }
            }
        }

        /// What the first request begins with.
        var asked: [String] {
            questions.map { question in
                if case .entities(let epoch, let since) = question.request { "\(epoch) \(since)" } else { "another" }
            }
        }

        mutating func answer(_ body: (inout Parley_V1_EntitiesSyncReply) -> Void) {
            perform(machine.replied(questions.removeFirst().number, with: .entities(.with(body)), at: .now))
        }

        mutating func receive(at position: Int64) {
            perform(
                machine.received(
                    Update(stream: KindsTests.stream, position: position, kind: "Poll", body: .init()), at: .now))
        }
    }

    private static func id(_ byte: UInt8) -> BytesOfProtobuf { BytesOfProtobuf(repeating: byte, count: 16) }

    @Test("M3 what an earlier version only counted is read by a later one, also after a step back")
    func updates() throws {
        var old = Version(knowing: "Decision", SyncMemory(of: "a"))
        #expect(old.asked == [" 0"])
        old.answer {
            ($0.epoch, $0.position) = ("e1", 2)
            $0.decisions = [.with { ($0.id, $0.position) = (Self.id(1), 2) }]
        }
        old.receive(at: 3)
        #expect(old.memory.streams[Self.stream]?.position == 3)
        #expect(old.memory.streams[Self.stream]?.kinds == "Decision")

        var new = Version(knowing: "Decision Reminder", old.memory)
        #expect(new.asked == [" 0"])
        #expect(new.memory.held.decisions.count == 1)
        // It is killed before the reply.
        new = Version(knowing: "Decision Reminder", new.memory)
        #expect(new.asked == [" 0"])
        new.answer {
            ($0.epoch, $0.position) = ("e1", 3)
            $0.reminders = [.with { ($0.id, $0.position) = (Self.id(2), 3) }]
        }
        // The decision ended meanwhile.
        #expect(new.memory.held.decisions.isEmpty && new.memory.held.reminders.count == 1)
        #expect(new.memory.streams[Self.stream]?.kinds == "Decision Reminder")
        #expect(Version(knowing: "Reminder Decision", new.memory).asked == ["e1 3"])

        var back = Version(knowing: "Decision", new.memory)
        #expect(back.asked == ["e1 3"])
        back.answer { ($0.epoch, $0.position) = ("e1", 3) }
        back.receive(at: 4)
        #expect(Version(knowing: "Decision Reminder", back.memory).asked == [" 0"])
    }

    @Test("M3 each kind that has positions is known of its stream")
    func known() {
        #expect(Update.kinds["entities/u/"] == "Decision Event EventCounts Reminder Suggestion")
        #expect(StoredStream("entities/u/a").prefix == "entities/u/")
        #expect(StoredStream("messaging/u/a/0").prefix == "messaging/u/")
        #expect(Set(Update.kinds.keys) == ["conversations/u/", "entities/u/", "messaging/c/", "messaging/u/"])
    }
}
