import Language
import LanguageModel
import Metrics
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Reads messages by a model where people allow it. ``EntitiesService/followMessages(_:_:)`` lets them wait in a
/// bounded queue in the database, so that neither sending nor the rules wait for the model.
///
/// A message is asked about at least once, whatever dies meanwhile, and its suggestions are settled once for each text.
/// The rules read instead what does not fit into the queue, what the model does not answer in time, and what is beyond
/// the day's budget.
@ReactorActor
final class ModelReader {
    /// The most messages that wait.
    static let waitingMax = 10_000
    /// The shortest wait before the model is asked about a message again.
    private static let backoff: Duration = .seconds(1)

    nonisolated static var settings: [Setting] {
        [
            Setting(
                "extraction.url", .text,
                "URL of an API like OpenAI's for extraction = model, such as http://127.0.0.1:11434/v1"),
            Setting("extraction.model", .text, "name of the model"),
            Setting("extraction.key", .secret, "key of the API; empty: none"),
            Setting(
                "extraction.timeout-seconds", .integer(1...120), default: "20",
                "longest time in which the model answers about one message"),
            Setting(
                "extraction.wait-seconds", .integer(1...600), default: "60",
                "how long a message waits for a model that is not available before the rules read it"),
            Setting(
                "extraction.requests-per-day", .integer(0...1_000_000_000), default: "10000",
                "requests to the model a day (UTC); beyond them the rules read"),
            .limit(
                "extraction.requests-per-sender", 0...1_000_000_000,
                Limit(
                    300, "requests to the model a day, of all replicas", per: "sender",
                    beyond: .words("the rules read theirs"))),
        ]
    }

    let extractor: ModelExtractor
    let worker: Worker
    private let timeout: Duration
    private let waitMax: Duration
    private let requestsMax: Int64
    private let ofSenderMax: Int64
    private var read: (@ReactorActor (ModelStore.Waiting) async throws -> Void)?
    private let context: ServiceContext
    private var budgetLine = LogThrottle(every: .seconds(600))
    private var roomLine = LogThrottle(every: .seconds(60))
    private let waiting = Gauge(label: "parley_model_messages_waiting")
    private var cleaned: ContinuousClock.Instant?

    /// Returns nil unless `extraction = model`.
    init?(_ context: ServiceContext) {
        let settings = context.settings
        guard settings.text("extraction") == "model" else { return nil }
        timeout = .seconds(settings.integer("extraction.timeout-seconds"))
        waitMax = .seconds(settings.integer("extraction.wait-seconds"))
        requestsMax = Int64(settings.integer("extraction.requests-per-day"))
        ofSenderMax = Int64(settings.integer("extraction.requests-per-sender"))
        extractor = ModelExtractor(
            url: settings.text("extraction.url"), model: settings.text("extraction.model"),
            key: settings.text("extraction.key"), timeout: timeout)
        self.context = context
        worker = Worker(every: .milliseconds(500), log: context.log, failed: "the model cannot read messages for now")
    }

    /// - Throws: ``StartRefused`` without a URL or the model's name.
    func check() throws(StartRefused) {
        for (key, what) in [("extraction.url", "the URL of the model's API"), ("extraction.model", "the model's name")]
        where context.settings.text(key).isEmpty {
            throw StartRefused("extraction = model needs \(key), \(what)", code: 64)
        }
    }

    /// - Parameter read: reads one message that has waited.
    func start(_ read: @escaping @ReactorActor (ModelStore.Waiting) async throws -> Void) {
        self.read = read
        worker.start { [weak self] in try await self?.round() }
    }

    /// Finishes the messages that are being read.
    func stop() async {
        await worker.stop()
        read = nil
    }

    private var database: Database { context.database }

    private func round() async throws {
        while !worker.isStopping {
            waiting.record(try await database.first(ModelStore.waitingCount) ?? 0)
            // Longer than asking and storing take.
            let lease = timeout + .seconds(10)
            let taken = try await database.query(
                ModelStore.take, .int64(lease.microseconds), .int64(Int64(ModelExtractor.requestsMax)))
            guard !taken.isEmpty else { return try await clean() }
            await withTaskGroup(of: Void.self) { group in
                for message in taken { group.addTask { await self.readOne(message) } }
            }
        }
    }

    private func readOne(_ message: ModelStore.Waiting) async {
        do { try await read?(message) } catch { worker.note(error) }
    }

    private func clean() async throws {
        guard cleaned.map({ $0 + .seconds(60) < .now }) ?? true else { return }
        cleaned = .now
        try await database.execute(
            ModelStore.forget, .int64(EntitiesService.messageAgeMax.microseconds), .int64(10_000))
        try await database.execute(ModelStore.forgetDays)
    }

    /// Asks the model.
    /// - Returns: nil if the rules are to read the message.
    /// - Throws: ``ModelFailure`` if it is to be asked again later.
    func ask(
        _ message: Utterance, of sender: AccountNumber, after before: [Utterance], at moment: Moment, waited: Duration
    ) async throws -> [Extraction]? {
        guard waited < waitMax else {
            countFallback("late")
            return nil
        }
        let spent = try await database.first(
            ModelStore.spend, .int64(requestsMax), .number(sender), .int64(ofSenderMax))
        guard requestsMax > 0, ofSenderMax > 0, spent != nil else {
            if let more = budgetLine.pass(at: .now) {
                context.log.warning(
                    "the model's requests of today, or a sender's share, are used up; the rules read until tomorrow (UTC)",
                    metadata: ["requests": "\(requestsMax)", "share": "\(ofSenderMax)", "more": "\(more)"])
            }
            countFallback("budget")
            return nil
        }
        do {
            let found = try await extractor.extract(message, after: before, at: moment)
            count("answered")
            return found
        } catch let failure as ModelFailure {
            worker.note(failure)
            switch failure {
            case .unavailable:
                count("unavailable")
                throw failure
            case .wrongAnswer: count("wrong")
            case .refused: count("refused")
            }
            // It would say the same again.
            countFallback("failed")
            return nil
        }
    }

    /// Lets a message wait again, as long as it has waited before.
    func postpone(_ message: ModelStore.Waiting) async throws {
        let wait = max(Self.backoff, min(message.waited, waitMax))
        try await database.execute(
            ModelStore.wait, .number(message.key.conversation), .number(message.key.seq), .number(message.editedAt),
            .int64(wait.microseconds))
    }

    /// Notes messages for which the queue has no room.
    func noteFull(_ count: Int) {
        for _ in 0..<count { countFallback("queue") }
        guard let more = roomLine.pass(at: .now) else { return }
        context.log.warning(
            "too many messages wait for the model; the rules read more",
            metadata: ["waiting": "\(Self.waitingMax)", "more": "\(more)"])
    }

    private func count(_ result: String) {
        Counter(label: "parley_model_requests_total", dimensions: [("result", result)]).increment()
    }

    private func countFallback(_ reason: String) {
        Counter(label: "parley_model_fallbacks_total", dimensions: [("reason", reason)]).increment()
    }
}

extension EntitiesService {
    /// Takes the messages that a model is to read out of those that the rules read, and lets them wait.
    func queueForModel(_ messages: [ReadMessage], _ change: Change) async throws -> Set<MessageKey> {
        guard let modelReader else { return [] }
        let texts = messages.filter { !$0.text.isEmpty }
        guard !texts.isEmpty else { return [] }
        let readable = Set(
            try await change.query(
                ModelStore.readable, .numbers(texts.map(\.key.conversation)), .numbers(texts.map(\.key.seq)),
                .numbers(texts.map(\.sender)), .numbers(texts.map(\.sentAt))
            ).map(\.key))
        let wanted = texts.filter { readable.contains($0.key) }
        guard !wanted.isEmpty else { return [] }
        let queued = try await change.query(
            ModelStore.queue, .numbers(wanted.map(\.key.conversation)), .numbers(wanted.map(\.key.seq)),
            .numbers(wanted.map(\.editedAt)), .int64(Int64(ModelReader.waitingMax)))
        change.afterCommit { modelReader.worker.wake() }
        if queued.count < wanted.count { modelReader.noteFull(wanted.count - queued.count) }
        return Set(queued)
    }

    /// Reads a message that has waited, by the model or, where that does not answer, by the rules.
    func readByModel(_ waiting: ModelStore.Waiting) async throws {
        guard let stored = try await messages([waiting.key], in: context.database).first,
            stored.editedAt == waiting.editedAt
        else { return try await end(waiting) }
        let message = try message(stored)
        let before = try await self.before([message], in: context.database)[message.key] ?? []
        var found = FoundInMessage(message: message, before: before, known: [])
        do {
            if let answer = try await askModel(about: found, waited: waiting.waited) {
                (found.found, found.isByModel) = (answer.found, true)
                found.readers = Dictionary(uniqueKeysWithValues: answer.readers.map { ($0, answer.found) })
            } else if let read = try await extract([found]).first {
                found = read
            }
        } catch is ModelFailure {
            return try await modelReader?.postpone(waiting) ?? ()
        }
        try await settle(found, for: waiting)
    }

    /// - Returns: nil if the model may not read the message, or if the rules are to.
    private func askModel(
        about message: FoundInMessage, waited: Duration
    ) async throws -> (found: [Extraction], readers: [AccountNumber])? {
        let (read, database) = (message.message, context.database)
        let since = try await database.first(
            ModelStore.readable, .numbers([read.key.conversation]), .numbers([read.key.seq]), .numbers([read.sender]),
            .numbers([read.sentAt]))?.since
        guard let since, let modelReader else { return nil }
        let readers = try await database.query(
            MessageTextsStore.readers, .number(read.key.conversation), .number(read.key.seq), .number(read.sender)
        ).filter(\.wants).map(\.reader)
        guard !readers.isEmpty else { return ([], []) }
        let keptOut = Set(
            try await database.query(
                ModelStore.keptOut, .number(read.key.conversation),
                .numbers(Set(message.before.map(\.sender)).sorted())))
        // Nobody learns from a suggestion what they may not read.
        let before = message.before.filter { earlier in
            earlier.sentAt >= since && !keptOut.contains(earlier.sender)
                && readers.allSatisfy { $0.seqs.contains(earlier.seq) }
        }
        let found = try await modelReader.ask(
            Utterance(sender: "\(read.sender)", text: read.text), of: read.sender,
            after: before.map { Utterance(sender: "\($0.sender)", text: $0.text) }, at: moment(of: read),
            waited: waited)
        return found.map { ($0, readers.map(\.account)) }
    }

    private func end(_ waiting: ModelStore.Waiting) async throws {
        _ = try await context.database.first(
            ModelStore.end, .number(waiting.key.conversation), .number(waiting.key.seq), .number(waiting.editedAt))
    }

    /// Stores what a message that has waited suggests, unless it has changed meanwhile.
    private func settle(_ read: FoundInMessage, for waiting: ModelStore.Waiting) async throws {
        try await context.journal.change { [self] change in
            let ended = try await change.first(
                ModelStore.end, .number(waiting.key.conversation), .number(waiting.key.seq),
                .number(waiting.editedAt))
            guard ended != nil else { return }
            var found = read
            let asked = Set(read.readers.keys)
            found.known = try await suggestions(of: [waiting.key], in: change)
            if found.isByModel {
                let rows = try await change.query(
                    MessageTextsStore.readers, .number(waiting.key.conversation), .number(waiting.key.seq),
                    .number(read.message.sender))
                found.readerCount = rows.count
                let now = Set(rows.filter(\.wants).map(\.reader.account))
                found.readers = found.readers.filter { asked.contains($0.key) && now.contains($0.key) }
            } else {
                try await setReaders(&found, change)
            }
            var changes = ChangedSuggestions(try await heads(of: found.concerned, in: change))
            // Again, under the heads: a deletion may have been followed meanwhile.
            guard let current = try await messages([waiting.key], in: change).first,
                current.editedAt == waiting.editedAt
            else { return }
            found.known = try await suggestions(of: [waiting.key], in: change)
            try await settle(found, &changes, change)
            try await publish(changes, change)
        }
    }
}
