import Foundation
import ParleyClient
import Synchronization

/// Records what all people do and receive, from any thread, and writes the actions to a file as they happen.
final class Recorder: Sendable {
    private struct State {
        var facts = Facts()
        var sends: [String: Int] = [:]
        var reminders: [String: Int] = [:]
        var decisions: [String: Int] = [:]
        var events: [String: Int] = [:]
        var answers: [String: Int] = [:]
        var values: [ValueFact.Name: Int] = [:]
        var readMarks: [String: Int] = [:]
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
        var catchUpDeadline: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now
    /// The same in microseconds since 1970.
    let began = Int64(Date.now.timeIntervalSince1970 * 1_000_000)
    private let path: String
    /// Whether conversations may start over. They do in an external cluster whose standby database was promoted, since
    /// positions then belong to another epoch.
    private let mayStartOver: Bool

    /// - Parameters:
    ///   - path: the file for all actions and outcomes.
    ///   - mayStartOver: whether a conversation that starts over is no finding.
    init(path: String, mayStartOver: Bool = false) {
        (self.path, self.mayStartOver) = (path, mayStartOver)
        _ = FileManager.default.createFile(atPath: path, contents: nil)
    }

    /// Microseconds since the start of the run.
    var now: Int64 {
        let passed = (ContinuousClock.now - start).components
        return passed.seconds * 1_000_000 + passed.attoseconds / 1_000_000_000_000
    }

    var facts: Facts { state.withLock { $0.facts } }
    var actions: Int { state.withLock { $0.actions } }
    var longestOutage: Int64 { state.withLock { $0.longestOutage } }
    /// How often a device had to read a conversation anew.
    var startsOver: Int { state.withLock { $0.startsOver } }
    var recoveries: Int { state.withLock { $0.recoveries } }
    var refusals: [String: Int] { state.withLock { $0.refusals } }
    /// The number of messages that were sent until accepted, and the longest time for one in microseconds.
    var reliablySent: (count: Int, longest: Int64) { state.withLock { ($0.reliablySent, $0.longestSend) } }
    var isLoadOver: Bool { state.withLock { $0.isLoadOver } }
    var acknowledged: Int {
        state.withLock { $0.facts.sends.count { $0.attempts.contains { $0.outcome.reply != nil } } }
    }

    func beginLoad() { state.withLock { $0.isLoadOver = false } }

    func endLoad() { state.withLock { $0.isLoadOver = true } }

    /// The deadline for all permanent devices to fetch what they missed, 20 s after its first use.
    var catchUpDeadline: ContinuousClock.Instant {
        state.withLock { state in
            let end = state.catchUpDeadline ?? ContinuousClock.now + .seconds(20)
            state.catchUpDeadline = end
            return end
        }
    }

    /// Changes the facts.
    func note(_ change: (inout Facts) -> Void) { state.withLock { change(&$0.facts) } }

    func trouble(_ text: String) {
        log("TROUBLE \(text)")
        note { $0.troubles.append(text) }
    }

    /// Records that a device had to read a conversation anew.
    func startedOver(_ conversation: String, _ device: String, of user: String) {
        state.withLock { $0.startsOver += 1 }
        guard !mayStartOver else { return }
        log("\(device) started over with \(conversation)")
        note { $0.startsOver.append(StartOverFact(conversation: conversation, user: user, device: device)) }
    }

    func reliablySent(after time: Int64) {
        state.withLock { state in
            state.reliablySent += 1
            state.longestSend = max(state.longestSend, time)
        }
    }

    /// Writes a line to the file of actions.
    func log(_ line: String) {
        let time = now
        let text = "\(time / 1_000_000).\(String(String(1_000_000 + time % 1_000_000).dropFirst())) \(line)\n"
        state.withLock { state in
            state.lines += text
            if state.lines.utf8.count > 64 << 10 { flush(&state) }
        }
    }

    /// Writes the buffered lines.
    func flush() { state.withLock { flush(&$0) } }

    private func flush(_ state: inout State) {
        guard let file = FileHandle(forWritingAtPath: path) else { return }
        defer { try? file.close() }
        _ = try? file.seekToEnd()
        try? file.write(contentsOf: Data(state.lines.utf8))
        state.lines = ""
    }

    // MARK: Requests

    /// Performs a person's call. Records its outcome and how long the person was without service.
    nonisolated(nonsending) func call<Reply: Sendable>(
        _ person: String, _ action: String, _ body: nonisolated(nonsending) () async throws(ParleyError) -> Reply
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
        log("\(person) \(action) → \(ended) (\((span.ended - span.began) / 1000) ms)")
        state.withLock { state in
            state.actions += 1
            switch outcome {
            case .success:
                if let since = state.outages.removeValue(forKey: person) {
                    state.recoveries += 1
                    state.longestOutage = max(state.longestOutage, span.ended - since)
                }
            case .failure(let error):
                state.refusals[error.code, default: 0] += 1
                if error.isUncertain, state.outages[person] == nil { state.outages[person] = began }
                // A valid request never gets these errors, whatever the faults. But a token may have expired if a wrong
                // clock issued it.
                let isWrong =
                    ["internal", "invalid_frame"].contains(error.code)
                    || error.hasCode(.unauthenticated) && state.facts.faults[.clock] == nil
                if isWrong {
                    state.facts.troubles.append("\(person) \(action): \(error)")
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
            // The reply to a duplicate has an older position.
            if let reply = attempt.outcome.reply, !reply.isDuplicate {
                state.facts.readings.append(
                    Reading(of: Self.head(of: conversation, for: sender), value: reply.position, span: span))
            }
        }
    }

    func reminder(_ fact: ReminderFact) { keep(fact, as: fact.id, in: \.reminders, \.facts.reminders) }

    func decision(_ fact: DecisionFact) { keep(fact, as: fact.id, in: \.decisions, \.facts.decisions) }

    func event(_ fact: EventFact) { keep(fact, as: fact.id, in: \.events, \.facts.events) }

    func answer(_ fact: AnswerFact) { keep(fact, as: "\(fact.event) \(fact.user)", in: \.answers, \.facts.answers) }

    /// Adds a fact, or puts it in the place of an earlier one with the same key.
    private func keep<Fact>(
        _ fact: Fact, as key: String, in places: WritableKeyPath<State, [String: Int]>,
        _ facts: WritableKeyPath<State, [Fact]>
    ) {
        state.withLock { state in
            if let index = state[keyPath: places][key] {
                state[keyPath: facts][index] = fact
            } else {
                state[keyPath: places][key] = state[keyPath: facts].count
                state[keyPath: facts].append(fact)
            }
        }
    }

    /// Records a request that sets a value.
    /// - Parameter message: the id of the message whose text it is.
    func write(_ name: ValueFact.Name, message: String = "", _ write: ValueFact.Write) {
        state.withLock { state in
            if let index = state.values[name] {
                state.facts.values[index].writes.append(write)
            } else {
                state.values[name] = state.facts.values.count
                state.facts.values.append(ValueFact(name, message: message, [write]))
            }
        }
    }

    /// Records a request to move a person's read mark.
    func readMark(of user: String, in conversation: String, _ seq: Int64, isAcknowledged: Bool) {
        state.withLock { state in
            let key = "\(user) \(conversation)"
            let index = state.readMarks[key] ?? state.facts.readMarks.count
            if index == state.facts.readMarks.count {
                state.readMarks[key] = index
                state.facts.readMarks.append(
                    ReadMarkFact(user: user, conversation: conversation, acknowledged: 0, requested: 0))
            }
            let mark = state.facts.readMarks[index]
            state.facts.readMarks[index].requested = max(mark.requested, seq)
            if isAcknowledged { state.facts.readMarks[index].acknowledged = max(mark.acknowledged, seq) }
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
        // Without a reply the change may take effect at any later time.
        let span = isCertain ? span : Span(span.began, .max)
        note {
            $0.memberships.append(
                MembershipFact(
                    conversation: conversation, user: user, joins: joins, span: span, isCertain: isCertain, by: actor))
        }
    }

    /// The membership changes of a person that are known so far.
    func memberships(of user: String) -> [MembershipFact] {
        state.withLock { $0.facts.memberships.filter { $0.user == user } }
    }

    func delivered(_ messages: [Parley_V1_Message]) {
        let messages = messages.map(StoredMessage.init)
        note { facts in for message in messages { facts.announced.insert(message) } }
    }

    func reading(of stream: String, _ value: Int64, _ span: Span) {
        note { $0.readings.append(Reading(of: stream, value: value, span: span)) }
    }

    /// The stream name of a conversation's head. In a group it differs for each member, since members can come and go.
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
    /// Whether the server refused the request, so that it had no effect.
    var isDefinite: Bool { !isUncertain && !["cancelled", "closed", "revoked", "invalid_frame"].contains(code) }
}

extension StoredMessage {
    init(_ message: Parley_V1_Message) {
        self.init(
            conversation: message.conversation, seq: message.seq, position: message.position,
            id: message.id.hexDigits, sender: message.sender,
            text: message.hasSystem ? Self.text(message.system) : Self.text(message.text, message.media),
            sentAt: message.sentAtUs)
        (isDeleted, editedAt) = (message.deletedAtUs != 0, message.editedAtUs)
        for reaction in message.reactions { reactions[reaction.emoji] = reaction.count }
    }

    /// A text with a description of its file.
    static func text(_ text: String, _ media: Parley_V1_Media) -> String {
        guard !media.attachment.isEmpty else { return text }
        return "\(text) [\(media.name), \(media.mimeType), \(media.sizeBytes) bytes, \(media.attachment.hexDigits)]"
    }

    private static func text(_ note: Parley_V1_SystemNote) -> String {
        let kind: MemberNote.Kind
        switch note.kind {
        case .membersJoined: kind = .joined
        case .memberLeft: kind = .left
        case .memberRemoved: kind = .removed
        case .decisionShared:
            return CardNote(
                .decision, note.entity.hexDigits, by: note.actor, supersedes: note.supersedes.hexDigits
            ).description
        case .eventShared: return CardNote(.event, note.entity.hexDigits, by: note.actor).description
        case .groupRenamed, .groupPhotoChanged, .ownerChanged, .adminAdded, .adminRemoved, .retentionChanged,
            .unspecified, .UNRECOGNIZED:
            return "\(note)"
        }
        return MemberNote(kind, by: note.actor, note.users).description
    }
}

extension Parley_V1_Conversation {
    /// The whole conversation as text; equal for equal states.
    var text: String {
        let members = members.map { "\($0.user.id) \($0.role) since \($0.joinedAtUs)" }.sorted()
        return
            "\(kind) “\(name)” in \(section), \(conversationStatus) of \(requesterID), made by \(createdBy) at \(createdAtUs), "
            + "position \(position), left \(leftAtUs), members [\(members.joined(separator: ", "))]"
    }
}

extension Parley_V1_Reminder {
    var key: String { id.hexDigits }
    var text: String {
        "“\(title)” due \(dueAtUs) in \(timeZone) for \(conversation), completed \(completed), fired \(firedAtUs != 0), "
            + "position \(position)"
    }
}

extension ClientState.Inbox {
    init(_ state: Parley_V1_InboxState) {
        self.init(
            readSeq: state.readSeq, isPinned: state.pinnedAtUs != 0, isMuted: state.mutedUntilUs != 0)
    }
}

extension ClientState.Decision {
    init(_ decision: Parley_V1_Decision) {
        self.init(text: decision.text, conversation: decision.conversation)
        (isShared, position) = (decision.shared, decision.position)
        (supersedes, supersededBy) = (decision.supersedes.hexDigits, decision.supersededBy.hexDigits)
    }
}

extension ClientState.Event {
    init(_ event: Parley_V1_Event) {
        self.init(title: event.title)
        (isCancelled, position) = (event.cancelledAtUs != 0, event.position)
        (accepted, tentative, coming) = (Int(event.accepted), Int(event.tentative), Int(event.coming))
        let status: EventFact.Answer.Status? =
            switch event.own.status {
            case .accepted: .accepted
            case .tentative: .tentative
            case .declined: .declined
            case .pending, .unspecified, .UNRECOGNIZED: nil
            }
        own = status.map { EventFact.Answer($0, guests: Int(event.own.guests)) }
    }
}
