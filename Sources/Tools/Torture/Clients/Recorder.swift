import Foundation
import ParleyClient
import Synchronization

/// Notes what everybody did and saw, from any thread, and writes it to a file as it comes.
final class Recorder: Sendable {
    private struct State {
        var facts = Facts()
        var sends: [String: Int] = [:]
        var reminders: [String: Int] = [:]
        var actions = 0
        var lines = ""
        var outages: [String: Int64] = [:]
        var longestOutage: Int64 = 0
        var startsOver = 0
        var recoveries = 0
        var refusals: [String: Int] = [:]
        var reliablySent = 0
        var longestSend: Int64 = 0
        var isLoadOver = false
        var patienceEnds: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now
    private let path: String
    /// The database may be another: after its standby was promoted numbers are of another epoch, and clients read anew.
    private let mayStartOver: Bool

    /// - Parameter path: a file for all actions and outcomes.
    init(path: String, mayStartOver: Bool = false) {
        (self.path, self.mayStartOver) = (path, mayStartOver)
        _ = FileManager.default.createFile(atPath: path, contents: nil)
    }

    /// Microseconds since the beginning.
    var now: Int64 {
        let passed = (ContinuousClock.now - start).components
        return passed.seconds * 1_000_000 + passed.attoseconds / 1_000_000_000_000
    }

    var facts: Facts { state.withLock { $0.facts } }
    var actions: Int { state.withLock { $0.actions } }
    var longestOutage: Int64 { state.withLock { $0.longestOutage } }
    /// Conversations that a device was told to read anew.
    var startsOver: Int { state.withLock { $0.startsOver } }
    var recoveries: Int { state.withLock { $0.recoveries } }
    var refusals: [String: Int] { state.withLock { $0.refusals } }
    /// Messages that were sent until they were taken, and the most microseconds that took.
    var reliablySent: (count: Int, longest: Int64) { state.withLock { ($0.reliablySent, $0.longestSend) } }
    var isLoadOver: Bool { state.withLock { $0.isLoadOver } }
    var acknowledged: Int {
        state.withLock { $0.facts.sends.count { $0.attempts.contains { $0.outcome.reply != nil } } }
    }

    func endLoad() { state.withLock { $0.isLoadOver = true } }

    /// From its first use on there are 20 s for all who stayed to learn what they missed.
    var patienceEnds: ContinuousClock.Instant {
        state.withLock { state in
            let end = state.patienceEnds ?? ContinuousClock.now + .seconds(20)
            state.patienceEnds = end
            return end
        }
    }

    /// Changes what is known.
    func note(_ change: (inout Facts) -> Void) { state.withLock { change(&$0.facts) } }

    func trouble(_ text: String) {
        log("TROUBLE \(text)")
        note { $0.troubles.append(text) }
    }

    /// A device was told to read a conversation anew.
    func startedOver(_ conversation: String, _ device: String) {
        state.withLock { $0.startsOver += 1 }
        guard !mayStartOver else { return }
        trouble("\(device) was told to start over with \(conversation), and nothing was restored")
    }

    func reliablySent(after time: Int64) {
        state.withLock { state in
            state.reliablySent += 1
            state.longestSend = max(state.longestSend, time)
        }
    }

    /// Writes a line into the file of actions.
    func log(_ line: String) {
        let time = now
        let text = "\(time / 1_000_000).\(String(String(1_000_000 + time % 1_000_000).dropFirst())) \(line)\n"
        state.withLock { state in
            state.lines += text
            if state.lines.utf8.count > 64 << 10 { flush(&state) }
        }
    }

    /// Writes what waits to be written.
    func flush() { state.withLock { flush(&$0) } }

    private func flush(_ state: inout State) {
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        defer { try? file.close() }
        _ = try? file.seekToEnd()
        try? file.write(contentsOf: Data(state.lines.utf8))
        state.lines = ""
    }

    // MARK: Requests

    /// Makes a request for a person, and notes how it ended and how long they were without service.
    nonisolated(nonsending) func ask<Reply: Sendable>(
        _ who: String, _ what: String, _ body: nonisolated(nonsending) () async throws(ParleyError) -> Reply
    ) async -> (span: Span, outcome: Result<Reply, ParleyError>) {
        let began = now
        let outcome: Result<Reply, ParleyError>
        do throws(ParleyError) {
            outcome = .success(try await body())
        } catch {
            outcome = .failure(error)
        }
        let span = Span(began, now)
        let ended =
            switch outcome {
            case .success: "done"
            case .failure(let error): "\(error)"
            }
        log("\(who) \(what) → \(ended) (\((span.ended - span.began) / 1000) ms)")
        state.withLock { state in
            state.actions += 1
            switch outcome {
            case .success:
                if let since = state.outages.removeValue(forKey: who) {
                    state.recoveries += 1
                    state.longestOutage = max(state.longestOutage, span.ended - since)
                }
            case .failure(let error):
                state.refusals[error.code, default: 0] += 1
                if error.isUncertain, state.outages[who] == nil { state.outages[who] = began }
                // Never an answer to a request that is right, whatever happens around it; but a token that was made by
                // a wrong clock may be over.
                let isWrong =
                    ["internal", "invalid_frame"].contains(error.code)
                    || error.code == "unauthenticated" && state.facts.faults[.clock] == nil
                if isWrong {
                    state.facts.troubles.append("\(who) \(what): \(error)")
                }
            }
        }
        return (span, outcome)
    }

    // MARK: Facts

    func attempt(
        _ id: UUIDv7, to conversation: String, by sender: String, _ text: String, mustBeRefused: Bool = false,
        _ span: Span, _ outcome: Result<Parley_V1_SendMessageReply, ParleyError>
    ) {
        let attempt = SendFact.Attempt(
            span,
            Outcome(outcome) {
                SendFact.Reply(seq: $0.seq, position: $0.position, sentAt: $0.sentAtUs, isDuplicate: $0.duplicate)
            })
        let name = id.description
        state.withLock { state in
            if let index = state.sends[name] {
                state.facts.sends[index].attempts.append(attempt)
            } else {
                state.sends[name] = state.facts.sends.count
                state.facts.sends.append(
                    SendFact(
                        id: name, conversation: conversation, sender: sender, text: text, attempts: [attempt],
                        mustBeRefused: mustBeRefused))
            }
            // A duplicate's answer is about the past.
            if let reply = attempt.outcome.reply, !reply.isDuplicate {
                state.facts.readings.append(
                    Reading(of: Self.head(of: conversation, for: sender), value: reply.position, span: span))
            }
        }
    }

    func reminder(_ fact: ReminderFact) {
        state.withLock { state in
            if let index = state.reminders[fact.id] {
                state.facts.reminders[index] = fact
            } else {
                state.reminders[fact.id] = state.facts.reminders.count
                state.facts.reminders.append(fact)
            }
        }
    }

    func conversation(_ id: String, _ users: [String], _ span: Span, isCertain: Bool) {
        note { facts in
            if isCertain { return facts.conversations.append(ConversationFact(id: id, users: users, span: span)) }
            for user in users {
                facts.memberships.append(
                    MembershipFact(
                        conversation: id, user: user, joins: true, span: Span(span.began, .max), isCertain: false))
            }
        }
    }

    func membership(
        _ conversation: String, _ user: String, joins: Bool, _ span: Span, isCertain: Bool, by actor: String
    ) {
        // Without an answer it may take effect at any time from then on.
        let span = isCertain ? span : Span(span.began, .max)
        note {
            $0.memberships.append(
                MembershipFact(
                    conversation: conversation, user: user, joins: joins, span: span, isCertain: isCertain, by: actor))
        }
    }

    /// What is known so far of when a person came and went.
    func memberships(of user: String) -> [MembershipFact] {
        state.withLock { $0.facts.memberships.filter { $0.user == user } }
    }

    /// How often members certainly came or went, of each of which a system message tells.
    var certainMemberships: Int {
        state.withLock { $0.facts.memberships.count { $0.isCertain && $0.by != nil } }
    }

    func told(_ messages: [Parley_V1_Message]) {
        let messages = messages.map(StoredMessage.init)
        note { facts in for message in messages { facts.announced.insert(message) } }
    }

    func reading(of what: String, _ value: Int64, _ span: Span) {
        note { $0.readings.append(Reading(of: what, value: value, span: span)) }
    }

    /// A group's head is another for each member who may come and go; that of two people is one.
    static func head(of conversation: String, for user: String) -> String {
        conversation.contains("_") ? "messaging/c/\(conversation)" : "messaging/c/\(conversation) for \(user)"
    }
}

extension Outcome {
    init<Value>(_ result: Result<Value, ParleyError>, _ reply: (Value) -> Reply) {
        switch result {
        case .success(let value): self = .accepted(reply(value))
        case .failure(let error) where error.isDefinite: self = .refused(error.code)
        case .failure(let error): self = .unknown(error.code)
        }
    }
}

extension ParleyError {
    /// The server said no: the request had no effect.
    var isDefinite: Bool { !isUncertain && !["cancelled", "closed", "revoked", "invalid_frame"].contains(code) }
}

extension StoredMessage {
    init(_ message: Parley_V1_Message) {
        self.init(
            conversation: message.conversation, seq: message.seq, position: message.position,
            id: message.id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(), sender: message.sender,
            text: message.hasSystem ? Self.text(message.system) : message.text, sentAt: message.sentAtUs)
    }

    private static func text(_ note: Parley_V1_SystemNote) -> String {
        let kind: MemberNote.Kind
        switch note.kind {
        case .membersJoined: kind = .joined
        case .memberLeft: kind = .left
        case .memberRemoved: kind = .removed
        case .groupRenamed, .groupPhotoChanged, .ownerChanged, .adminAdded, .adminRemoved, .retentionChanged,
            .unspecified, .UNRECOGNIZED:
            return "\(note)"
        }
        return MemberNote(kind, by: note.actor, note.users).description
    }
}

extension Parley_V1_Conversation {
    /// All of it, as text that is the same for the same state.
    var text: String {
        let members = members.map { "\($0.user.id) \($0.role) since \($0.joinedAtUs)" }.sorted()
        return "\(kind) “\(name)” \(conversationStatus) of \(requesterID), made by \(createdBy) at \(createdAtUs), "
            + "position \(position), left \(leftAtUs), members [\(members.joined(separator: ", "))]"
    }
}

extension Parley_V1_Reminder {
    var key: String { id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    var text: String {
        "“\(title)” due \(dueAtUs) in \(timeZone) for \(conversation), completed \(completed), position \(position)"
    }
}
