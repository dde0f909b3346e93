/// Checks the facts of a run against Parley's promises. Pure: the same facts give the same findings.
///
/// Every acknowledged message is exactly once in the history of each entitled member, with the same seq for all.
/// Refused requests have no effect. Delivered messages are stored. Positions never decrease. Permanent clients hold the
/// same as new clients. A run that did too little to prove this fails as well.
public struct Audit: Sendable {
    /// A broken promise.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// The promises. The raw values appear in reports.
        public enum Promise: String, Sendable, CaseIterable {
            case lost, doubled, gap, order, content, refused, invented, backwards, state, window, members, note,
                reminder, decision, event, value, presence, push
            case device, account, process, recovery, tooLittle
        }

        public var promise: Promise
        public var text: String
        public var description: String { "\(promise): \(text)" }
    }

    /// The least that a run must have done for its result to count.
    public struct Minimum: Hashable, Sendable {
        public var acknowledged: Int
        /// Histories that were read, counted by reader and conversation.
        public var histories: Int
        public var keptClients: Int
        /// System messages about membership changes.
        public var notes: Int
        /// Values of each kind whose last value is certain.
        public var valuesOfEachKind = 0
        /// Accepted message requests.
        public var acceptedRequests = 0
        /// Files that were downloaded.
        public var downloads = 0
        /// Decisions that were found in conversations, and likewise events.
        public var cards = 0
        /// Answers to events whose last value is certain.
        public var answers = 0
        /// How often a device was shown a person who is open to its own, and one who must look offline.
        public var presence = 0
        public var closed = 0
        /// How often somebody had to hear another type.
        public var heardTyping = 0
        /// Pushes that had to come.
        public var awaitedPushes = 0
        /// Compared messages. Each counts once for every member that must have it.
        public var messagesOfReaders: Int
        /// Processes whose memory and restarts were watched.
        public var processes: Int
        public var faults: Int
        /// Kinds of fault that must have happened at least once.
        public var kinds: Set<FaultKind>

        public init(
            acknowledged: Int, histories: Int, keptClients: Int, messagesOfReaders: Int, processes: Int,
            faults: Int, kinds: Set<FaultKind>, notes: Int
        ) {
            (self.acknowledged, self.histories, self.keptClients) = (acknowledged, histories, keptClients)
            (self.messagesOfReaders, self.processes, self.faults) = (messagesOfReaders, processes, faults)
            (self.kinds, self.notes) = (kinds, notes)
        }
    }

    /// The number of things checked.
    public struct Checked: Hashable, Sendable {
        public var acknowledged = 0
        public var refused = 0
        public var unknown = 0
        public var histories = 0
        public var messagesOfReaders = 0
        public var notes = 0
        public var readings = 0
        public var announced = 0
        public var reminders = 0
        /// Acknowledged decisions and events.
        public var decisions = 0
        public var events = 0
        /// Answers to events whose last value is certain.
        public var answers = 0
        /// How many decisions and events were found in conversations, by kind.
        public var cards: [String: Int] = [:]
        /// Requests that set a value.
        public var writes = 0
        /// Values whose last value is certain, by kind.
        public var values: [ValueFact.Kind: Int] = [:]
        public var readMarks = 0
        public var acceptedRequests = 0
        public var downloads = 0
        /// How often a device was shown a person who is open to its own, and one who must look offline.
        public var presence = 0
        public var closed = 0
        /// How often somebody heard another type, and how often they had to.
        public var typing = 0
        public var heardTyping = 0
        /// Pushes that came, and those that had to.
        public var pushes = 0
        public var awaitedPushes = 0
        /// Messages to people who had the app in front.
        public var inFront = 0
        public var devices = 0
    }

    public private(set) var findings: [Finding] = []
    public private(set) var checked = Checked()

    let facts: Facts
    let values: Values
    /// The stored messages by conversation and seq, merged from all histories.
    private(set) var truth: [String: [Int64: StoredMessage]] = [:]
    /// The stored messages by id.
    private(set) var messagesByID: [String: [StoredMessage]] = [:]

    private init(_ facts: Facts) {
        self.facts = facts
        values = Values(facts)
        gather()
    }

    public init(_ facts: Facts, minimum: Minimum) {
        self.init(facts)
        checkHistories()
        checkSends()
        checkSenders()
        countNotes()
        checkNotes()
        checkOrder()
        checkEntitled()
        checkEmpty()
        checkRefusals()
        checkAnnounced()
        checkReadings()
        checkKept()
        checkConversations()
        checkReminders()
        checkDecisions()
        checkEvents()
        checkCards()
        checkValues()
        checkPresence()
        checkTyping()
        checkPushes()
        checkDevices()
        checkProcesses()
        checkStartsOver()
        for trouble in facts.troubles { found(.recovery, trouble) }
        check(minimum)
    }

    /// Measures how much of the minimum these facts have, as the audit measures it at the end. The time it takes is
    /// linear in the facts: it checks only what the minimum counts, and finds nothing.
    static func measure(_ facts: Facts, _ minimum: Minimum) -> [Measure] {
        var audit = Audit(facts)
        audit.checkHistories()
        audit.checkSends()
        audit.countNotes()
        audit.checkEntitled()
        audit.checkEvents()
        audit.checkCards()
        audit.checkValues()
        audit.checkPresence()
        audit.checkTyping()
        return audit.measures(minimum)
    }

    /// Checks that only somebody who left a conversation had to read it anew: nothing was restored.
    private mutating func checkStartsOver() {
        let windows = Windows(facts)
        for fact in facts.startsOver where !windows.mayHaveLeft(fact.user, fact.conversation) {
            found(.recovery, "\(fact.device) started over with \(fact.conversation) although nothing was restored")
        }
    }

    mutating func found(_ promise: Finding.Promise, _ text: String) {
        findings.append(Finding(promise: promise, text: text))
    }

    mutating func count(_ change: (inout Checked) -> Void) { change(&checked) }

    // MARK: Histories

    /// Takes first what people read who are members at the end. Others need not see later changes of a message.
    private mutating func gather() {
        let windows = Windows(facts)
        let isMember = facts.histories.map { windows.isMemberAtEnd($0.reader, of: $0.conversation) }
        for (history, _) in zip(facts.histories, isMember).filter(\.1) { gather(history, isMember: true) }
        for (history, _) in zip(facts.histories, isMember).filter({ !$0.1 }) { gather(history, isMember: false) }
        for messages in truth.values {
            for message in messages.values.sorted(by: { $0.seq < $1.seq }) {
                messagesByID[message.id, default: []].append(message)
            }
        }
    }

    private mutating func gather(_ history: HistoryFact, isMember: Bool) {
        for message in history.messages {
            guard let before = truth[history.conversation]?[message.seq] else {
                truth[history.conversation, default: [:]][message.seq] = message
                continue
            }
            if before == message || !isMember && isEarlier(message, than: before) { continue }
            if !isMember, isEarlier(before, than: message) {
                truth[history.conversation]?[message.seq] = message
                continue
            }
            found(.content, "two members read different messages: \(before) and \(message)")
        }
    }

    private mutating func checkHistories() {
        for history in facts.histories {
            checked.histories += 1
            let name = "the history of \(history.conversation) for \(history.reader)"
            for message in history.messages where message.conversation != history.conversation {
                found(.content, "\(name) has a message of another conversation: \(message)")
            }
            for (before, after) in zip(history.messages, history.messages.dropFirst()) {
                if after.seq <= before.seq { found(.order, "\(name) goes from seq \(before.seq) to \(after.seq)") }
                if after.seq > before.seq + 1 { found(.gap, "\(name) lacks seq \(before.seq + 1) to \(after.seq - 1)") }
            }
            let unchanged = history.messages.filter { !values.isChanged($0) && !($0.isSystem && $0.isDeleted) }
            for (before, after) in zip(unchanged, unchanged.dropFirst()) {
                if after.position <= before.position {
                    found(.order, "\(name) has position \(after.position) at seq \(after.seq) after \(before.position)")
                }
            }
            if let last = history.messages.last?.seq, last != history.lastSeq {
                found(.gap, "\(name) ends at seq \(last), but the server reports last seq \(history.lastSeq)")
            }
        }
        for (conversation, messages) in truth.sorted(by: { $0.key < $1.key }) {
            let last = messages.keys.max() ?? 0
            let missing = (1...max(last, 1)).filter { messages[$0] == nil }
            if !missing.isEmpty { found(.gap, "\(conversation) lacks seq \(Self.list(missing)) between 1 and \(last)") }
        }
        for (id, messages) in messagesByID.sorted(by: { $0.key < $1.key }) where messages.count > 1 {
            found(.doubled, "\(messages.count) messages have the id \(id): \(messages.map(\.description).sorted())")
        }
    }

    // MARK: Sent messages

    private mutating func checkSends() {
        for send in facts.sends {
            if let span = send.acknowledged, let reply = send.replies.first {
                checked.acknowledged += 1
                checkAcknowledged(send, reply, span)
            } else if send.attempts.contains(where: \.outcome.isUnknown) {
                checked.unknown += 1
            } else if !send.attempts.isEmpty {
                checked.refused += 1
                if let stored = messagesByID[send.id]?.first {
                    found(.refused, "\(send.id) was refused (\(Self.codes(send))) but is stored: \(stored)")
                }
            }
            if send.mustBeRefused, !send.replies.isEmpty || messagesByID[send.id] != nil {
                found(.refused, "\(send.id) to \(send.conversation) by \(send.sender) broke a rule but was accepted")
            }
            if let stored = messagesByID[send.id]?.first,
                stored.conversation != send.conversation || !matches(send, stored)
            {
                found(
                    .content,
                    "\(send.id): \(send.sender) sent “\(send.text.prefix(40))”, but the stored message is \(stored)")
            }
        }
        let known = Set(facts.sends.map(\.id))
        for messages in messagesByID.values {
            for message in messages where !message.isSystem && !known.contains(message.id) {
                found(.invented, "nobody sent \(message)")
            }
        }
    }

    private mutating func checkAcknowledged(_ send: SendFact, _ reply: SendFact.Reply, _ span: Span) {
        // A repeated message has the position of its last change.
        let mayMove = messagesByID[send.id]?.first.map { values.isChanged($0) } ?? false
        for other in send.replies.dropFirst()
        where other.seq != reply.seq || other.sentAt != reply.sentAt || !mayMove && other.position != reply.position {
            found(
                .doubled,
                "\(send.id) to \(send.conversation) was acknowledged as seq \(reply.seq) and as seq \(other.seq)")
        }
        if send.replies.filter({ !$0.isDuplicate }).count > 1 {
            found(.doubled, "\(send.id) to \(send.conversation) was acknowledged as new more than once")
        }
        guard let stored = messagesByID[send.id]?.first else {
            let seconds = Double(span.ended) / 1e6
            return found(
                .lost,
                "\(send.id) to \(send.conversation) by \(send.sender), acknowledged as seq \(reply.seq) at "
                    + "\(seconds) s, is in nobody's history")
        }
        let isMoved =
            values.isChanged(stored) ? stored.position < reply.position : stored.position != reply.position
        if stored.seq != reply.seq || isMoved || stored.sentAt != reply.sentAt {
            found(
                .content,
                "\(send.id) was acknowledged as seq \(reply.seq), position \(reply.position), at \(reply.sentAt), but "
                    + "is stored as \(stored)")
        }
    }

    /// Whether a stored message is what was sent. A text that people edited or deleted is checked as a value.
    private func matches(_ send: SendFact, _ stored: StoredMessage) -> Bool {
        let mayDiffer = values[.init(.text, in: stored.conversation, seq: stored.seq)] != nil
        return stored.sender == send.sender && (mayDiffer || !stored.isDeleted && stored.text == send.text)
    }

    private static func codes(_ send: SendFact) -> String {
        send.attempts.compactMap { attempt in
            if case .refused(let code) = attempt.outcome { code } else { nil }
        }.joined(separator: ", ")
    }

    /// Checks that a message acknowledged before another was begun has a lower seq.
    private mutating func checkOrder() {
        let acknowledged = facts.sends.compactMap { send in
            send.acknowledged.flatMap { span in send.replies.first.map { (send, span, $0.seq) } }
        }
        for (conversation, sends) in Dictionary(grouping: acknowledged, by: { $0.0.conversation }) {
            let byEnd = sends.sorted { $0.1.ended < $1.1.ended }
            var finished = 0
            var highest: (seq: Int64, id: String) = (0, "")
            for send in sends.sorted(by: { $0.1.began < $1.1.began }) {
                while finished < byEnd.count, byEnd[finished].1.ended < send.1.began {
                    if byEnd[finished].2 > highest.seq { highest = (byEnd[finished].2, byEnd[finished].0.id) }
                    finished += 1
                }
                if send.2 <= highest.seq {
                    found(
                        .order,
                        "in \(conversation) \(send.0.id) has seq \(send.2), but \(highest.id), acknowledged before "
                            + "that was begun, has \(highest.seq)")
                }
            }
        }
    }

    // MARK: Deliveries and readings during the run

    private mutating func checkAnnounced() {
        for message in facts.announced { checkAnnounced(message) }
    }

    private mutating func checkAnnounced(_ message: StoredMessage) {
        guard let messages = truth[message.conversation] else { return }
        checked.announced += 1
        guard let stored = messages[message.seq] else {
            return found(.lost, "a delivered message is not stored: \(message)")
        }
        if !isEarlier(message, than: stored) {
            found(.content, "the server delivered \(message), but stores \(stored)")
        }
    }

    /// Whether a delivered message is the stored one, perhaps before a change that somebody requested.
    private func isEarlier(_ message: StoredMessage, than stored: StoredMessage) -> Bool {
        if stored.isSystem, stored.isDeleted, message.position < stored.position {
            // A former member reads the deletion at the position of leaving.
            let isCard = message.isDeleted || CardNote(text: message.text) != nil
            return isCard && message.identity == stored.identity
        }
        guard values.isChanged(stored), message.position != stored.position else { return message == stored }
        let text = values[.init(.text, in: stored.conversation, seq: stored.seq)]
        let texts = text?.valuesEver ?? [stored.text]
        return message.position < stored.position && message.identity == stored.identity
            && texts.contains(message.isDeleted ? ValueFact.deleted : message.text)
    }

    private mutating func checkReadings() {
        for (name, readings) in Dictionary(grouping: facts.readings, by: \.of) {
            let byEnd = readings.sorted { $0.span.ended < $1.span.ended }
            var finished = 0
            var highest: Reading?
            for reading in readings.sorted(by: { $0.span.began < $1.span.began }) {
                checked.readings += 1
                while finished < byEnd.count, byEnd[finished].span.ended < reading.span.began {
                    if byEnd[finished].value > highest?.value ?? -1 { highest = byEnd[finished] }
                    finished += 1
                }
                if let highest, reading.value < highest.value {
                    let times = [highest.span.ended, reading.span.began].map { "\(Double($0) / 1e6) s" }
                    found(
                        .backwards,
                        "\(name) was \(highest.value) at \(times[0]), but \(reading.value) when read at \(times[1])")
                }
            }
        }
    }

    static func list(_ numbers: [Int64]) -> String {
        numbers.prefix(10).map(String.init).joined(separator: ", ") + (numbers.count > 10 ? " …" : "")
    }
}
