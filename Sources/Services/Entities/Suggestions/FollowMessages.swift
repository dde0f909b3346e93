import Language
import Metrics
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Reads new messages and suggests what they say (E8). Follows the journal of messaging, so that sending waits for
/// nothing, and each message is read once. Edits and deletions of a message take its open suggestions along.
extension EntitiesService {
    /// Older messages suggest nothing, so that a backlog is soon through.
    static let messageAgeMax: Duration = .seconds(3600)
    /// The most open suggestions of a person.
    nonisolated static let openSuggestionsMax = 200

    static let followedOfMessages: Set<Int16> = [
        MessagingKind.message.number, MessagingKind.inboxState.number, MessagingKind.messageState.number,
    ]

    func followMessages(_ entries: [JournalEntry], _ change: Change) async throws {
        let own = entries.filter { $0.is(MessagingKind.inboxState) || $0.is(MessagingKind.messageState) }
        var closed: [KnownSuggestion] = []
        if !own.isEmpty {
            closed = try await change.query(
                SuggestionsStore.openOf, .int64s(own.map(\.subject)), .int64s(own.map(\.object)), .bool(true))
        }
        let (read, gone) = try await read(entries, change)
        closed += gone
        guard !read.isEmpty || !closed.isEmpty else { return }
        var changes = ChangedSuggestions(
            try await heads(of: closed.map(\.account) + read.flatMap(\.concerned), in: change))
        try await withdraw(closed, &changes, change)
        // Again, under the heads: other changes of the same messages may have been followed meanwhile.
        let known = Dictionary(
            grouping: try await suggestions(of: read.map(\.message.key), in: change), by: \.key)
        let current = Dictionary(
            try await messages(read.map(\.message.key), in: change).map { ($0.key, $0.position) },
            uniquingKeysWith: { first, _ in first })
        for var found in read where current[found.message.key] == found.message.position {
            found.known = known[found.message.key] ?? []
            try await settle(found, &changes, change)
        }
        try await publish(changes, change)
    }

    func suggestions(of messages: [MessageKey], in change: Change) async throws -> [KnownSuggestion] {
        guard !messages.isEmpty else { return [] }
        return try await change.query(
            SuggestionsStore.ofMessages, .numbers(messages.map(\.conversation)), .numbers(messages.map(\.seq)))
    }

    /// The messages among these that somebody may read.
    func messages(_ keys: [MessageKey], in database: any Queryable) async throws -> [MessageTextsStore.Row] {
        guard !keys.isEmpty else { return [] }
        return try await database.query(
            MessageTextsStore.messages, .numbers(keys.map(\.conversation)), .numbers(keys.map(\.seq)))
    }

    /// What the senders of messages may read of those before.
    func before(
        _ messages: [ReadMessage], in database: any Queryable
    ) async throws -> [MessageKey: [EarlierMessage]] {
        Dictionary(
            grouping: try await database.query(
                MessageTextsStore.before, .numbers(messages.map(\.key.conversation)), .numbers(messages.map(\.key.seq)),
                .numbers(messages.map(\.sender))), by: \.key
        ).mapValues { $0.map(\.message) }
    }

    /// Reads the messages that entries name, and finds what they say.
    /// - Returns: the messages that make or change suggestions, and the suggestions whose message is gone.
    private func read(
        _ entries: [JournalEntry], _ change: Change
    ) async throws -> (changed: [FoundInMessage], closed: [KnownSuggestion]) {
        var latest: [MessageKey: Timestamp] = [:]
        for entry in entries where entry.is(MessagingKind.message) {
            let key = MessageKey(conversation: ConversationNumber(entry.subject), seq: Seq(entry.object))
            latest[key] = max(latest[key] ?? 0, entry.at)
        }
        let known = Dictionary(
            grouping: try await suggestions(of: Array(latest.keys), in: change), by: \.key)
        let horizon = context.clock.now - Self.messageAgeMax
        let wanted = latest.filter { key, at in
            isExtracting && at > horizon || known[key] != nil
        }.map(\.key).sorted { one, other in
            (one.conversation, one.seq) < (other.conversation, other.seq)
        }
        guard !wanted.isEmpty else { return ([], []) }
        let read = Dictionary(
            try await messages(wanted, in: change).map { ($0.key, try message($0)) },
            uniquingKeysWith: { first, _ in first })
        let gone = wanted.filter { read[$0] == nil }.flatMap { known[$0] ?? [] }
        // What was sent long ago suggests nothing new.
        var messages = wanted.compactMap { read[$0] }.filter { $0.sentAt > horizon || known[$0.key] != nil }
        let queued = try await queueForModel(messages, change)
        messages.removeAll { queued.contains($0.key) }
        let before = try await before(messages, in: change)
        let unread = messages.map { message in
            FoundInMessage(message: message, before: before[message.key] ?? [], known: known[message.key] ?? [])
        }
        var changed: [FoundInMessage] = []
        for var found in try await extract(unread) where !found.found.isEmpty || !found.known.isEmpty {
            try await setReaders(&found, change)
            changed.append(found)
        }
        return (changed, gone)
    }

    func message(_ row: MessageTextsStore.Row) throws -> ReadMessage {
        var message = ReadMessage(
            key: row.key, id: row.id, position: row.position, sender: row.sender, text: row.text, sentAt: row.sentAt,
            editedAt: row.editedAt, expiresAt: row.expiresAt, mentions: row.mentions, answered: row.answered,
            rules: try zones.rules(of: "UTC"))
        if let zone = row.zone, let rules = try? zones.rules(of: zone) {
            (message.zone, message.isZoned, message.rules) = (zone, true, rules)
        }
        return message
    }

    // MARK: Finding

    /// Finds what messages say by the rules of language, as their senders may read those before.
    /// - Throws: ``ReadingTakesTooLong`` for several messages that take too long together.
    func extract(_ messages: [FoundInMessage]) async throws -> [FoundInMessage] {
        guard isExtracting, !messages.isEmpty else { return messages }
        let named = namedZones()
        let used = Set(messages.map(\.message.sender).filter { reading.wait(of: $0) != nil })
        let share = readingMilliseconds
        let (found, turns) = try await extractPool.run {
            var (found, turns) = (messages, ReadingInTurns<AccountNumber>(millisecondsMax: share))
            turns.read(&found, by: \.message.sender, used: used) {
                $0.found = Self.extract($0.message, after: $0.before, named)
            }
            return (found, turns)
        }
        spend(turns)
        if turns.isCutShort, messages.count > 1 { throw ReadingTakesTooLong() }
        return found
    }

    /// Counts what reading took against the senders' shares.
    private func spend(_ turns: ReadingInTurns<AccountNumber>) {
        for (sender, microseconds) in turns.spent {
            _ = reading.spend(sender, count: microseconds, debtMax: .seconds(60))
        }
        Self.countLeftOut(turns.leftOut)
    }

    nonisolated static func countLeftOut(_ count: Int) {
        if count > 0 { Counter(label: "parley_suggestion_messages_left_out_total").increment(by: count) }
    }

    private nonisolated static func extract(
        _ message: ReadMessage, after before: [EarlierMessage], _ named: [String: ZoneRules]
    ) -> [Extraction] {
        guard !message.text.isEmpty else { return [] }
        return Extractor().extract(
            Utterance(sender: "\(message.sender)", text: message.text),
            after: before.map { Utterance(sender: "\($0.sender)", text: $0.text) }, at: moment(of: message, named))
    }

    /// When and where a message was sent.
    private nonisolated static func moment(of message: ReadMessage, _ named: [String: ZoneRules]) -> Moment {
        moment(of: message.sentAt, in: message.rules, message.zone, named)
    }

    nonisolated static func moment(
        of sentAt: Timestamp, in rules: ZoneRules, _ name: String, _ named: [String: ZoneRules]
    ) -> Moment {
        Moment(
            instant: Int(sentAt.seconds), zone: SenderZone(rules: rules), zoneName: name,
            zones: { name in named[name].map { SenderZone(rules: $0) } })
    }

    func moment(of message: ReadMessage) -> Moment { Self.moment(of: message, namedZones()) }

    /// The rules of the zones that texts may name.
    func namedZones() -> [String: ZoneRules] {
        var named: [String: ZoneRules] = [:]
        for name in Extractor.zoneNames { named[name] = try? zones.rules(of: name) }
        return named
    }

    /// Finds for each member what the message says together with the messages before it that they may read.
    func setReaders(_ found: inout FoundInMessage, _ change: Change) async throws {
        let (message, before) = (found.message, found.before)
        let rows = try await change.query(
            MessageTextsStore.readers, .number(message.key.conversation), .number(message.key.seq),
            .number(message.sender))
        found.readerCount = rows.count
        let named = namedZones()
        let (all, result) = (before.map(\.seq), found.found)
        let wanting = rows.filter(\.wants).map(\.reader)
        let share = readingMilliseconds
        let (readers, turns) = try await extractPool.run {
            var (known, turns) = ([all: result], ReadingInTurns<AccountNumber>(millisecondsMax: share))
            var readers: [AccountNumber: [Extraction]] = [:]
            for reader in wanting {
                let may = Set(reader.seqs)
                let seen = before.filter { may.contains($0.seq) }
                let seqs = seen.map(\.seq)
                if known[seqs] == nil {
                    var read: [[Extraction]] = [[]]
                    if !result.isEmpty {
                        turns.read(&read, by: { _ in message.sender }, used: []) {
                            $0 = Self.extract(message, after: seen, named)
                        }
                    }
                    known[seqs] = read[0]
                }
                readers[reader.account] = known[seqs]
            }
            return (readers, turns)
        }
        found.readers = readers
        spend(turns)
    }

    // MARK: Storing

    /// A suggestion that a message makes or changes.
    private struct Put {
        var account: AccountNumber
        var id: [UInt8]
        var isNew: Bool
        var place: SuggestedPlace
        var content: SuggestedContent
    }

    /// Makes the open suggestions of a message those that it says now. The caller holds the heads of all its readers.
    func settle(
        _ found: FoundInMessage, _ changes: inout ChangedSuggestions, _ change: Change
    ) async throws {
        let (message, now) = (found.message, context.clock.now)
        let known = Dictionary(grouping: found.known, by: \.account)
        var puts: [Put] = []
        var ends = found.known.filter { $0.isOpen && found.readers[$0.account] == nil }
        for (account, extractions) in found.readers.sorted(by: { $0.key < $1.key }) {
            let contents = SuggestionRules.contents(
                extractions, of: message, for: account, among: found.readerCount
            ).filter { $0.value.expiresAt > now }
            let own = known[account] ?? []
            for (place, content) in contents.sorted(by: { $0.key.order < $1.key.order }) {
                if let old = own.first(where: { $0.place == place }) {
                    guard old.isOpen, old.content != content else { continue }
                    puts.append(Put(account: account, id: old.id, isNew: false, place: place, content: content))
                } else if message.sentAt > now - Self.messageAgeMax {
                    puts.append(
                        Put(account: account, id: Self.newID(at: now), isNew: true, place: place, content: content))
                }
            }
            ends += own.filter { $0.isOpen && contents[$0.place] == nil }
        }
        try await withdraw(ends, &changes, change)
        try await makeRoom(for: &puts, of: message, at: now, &changes, change)
        try await put(puts, of: message, at: now, &changes, change)
    }

    /// Withdraws the suggestions that give way to new ones, and leaves out new ones for which there is no place.
    private func makeRoom(
        for puts: inout [Put], of message: ReadMessage, at now: Timestamp, _ changes: inout ChangedSuggestions,
        _ change: Change
    ) async throws {
        let added = Dictionary(grouping: puts.filter(\.isNew), by: \.account)
        guard !added.isEmpty else { return }
        let full = try await change.query(
            SuggestionsStore.openCounts, .numbers(added.keys.sorted())
        ).filter { $0.count + (added[$0.account]?.count ?? 0) > Self.openSuggestionsMax }
        guard !full.isEmpty else { return }
        let new = full.flatMap { added[$0.account] ?? [] }
        let crowded = try await change.query(
            SuggestionsStore.crowdedOut, .numbers(new.map(\.account)), .uuids(new.map(\.id)), .number(message.sender),
            .number(now), .int64(Int64(Self.openSuggestionsMax)))
        let ids = Set(new.map(\.id))
        let old = crowded.filter { !ids.contains($0.id) }
        let withoutPlace = Set(crowded.map(\.id))
        puts.removeAll { withoutPlace.contains($0.id) }
        let known = try await change.query(
            SuggestionsStore.named, .numbers(old.map(\.account)), .uuids(old.map(\.id)))
        try await withdraw(known, evenChanged: true, &changes, change)
    }

    private func put(
        _ puts: [Put], of message: ReadMessage, at now: Timestamp, _ changes: inout ChangedSuggestions, _ change: Change
    ) async throws {
        guard !puts.isEmpty else { return }
        let event = try await change.first(
            SuggestionsStore.eventOfMessage, .number(message.key.conversation), .number(message.key.seq))
        let taken = puts.map { changes.take($0.id, of: $0.account) }
        let schedules = puts.map(\.content.schedule)
        try await change.execute(
            SuggestionsStore.put,
            [
                .numbers(puts.map(\.account)), .uuids(puts.map(\.id)),
                .int16s(puts.map { Int16($0.place.kind.rawValue) }), .int16s(puts.map(\.place.ordinal)),
                .texts(puts.map(\.content.title)), .texts(puts.map(\.content.location)),
                .optionalInt32s(schedules.map { $0.map { Int32($0.day) } }),
                .optionalInt32s(schedules.map { $0?.seconds.map { Int32($0) } }),
                .optionalInt32s(schedules.map { $0.map { Int32($0.minutes) } }),
                .optionalNumbers(puts.map(\.content.due?.civil)), .optionalNumbers(puts.map(\.content.due?.instant)),
                .texts(puts.map(\.content.zone)), .numbers(puts.map(\.content.expiresAt)), .numbers(taken),
                .number(message.key.conversation), .number(message.key.seq), .uuid(message.id), .number(now),
                event.map { .uuid($0) } ?? .null, .number(message.sender),
            ])
    }

    /// A UUIDv7 of now.
    private static func newID(at now: Timestamp) -> [UInt8] {
        var bytes = Sodium.randomBytes(16)
        let milliseconds = now.rawValue / 1000
        for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * index)) }
        (bytes[6], bytes[8]) = (0x70 | bytes[6] & 0x0f, 0x80 | bytes[8] & 0x3f)
        return bytes
    }
}

/// What a message yields, before it is known who may read what. Pure.
struct FoundInMessage: Sendable {
    var message: ReadMessage
    var before: [EarlierMessage]
    var known: [KnownSuggestion]
    var found: [Extraction] = []
    /// Whether a model found it.
    var isByModel = false
    /// The members who get suggestions, with what is found in what each may read.
    var readers: [AccountNumber: [Extraction]] = [:]
    /// How many members may read it.
    var readerCount = 0

    /// The people whose suggestions may change.
    var concerned: [AccountNumber] {
        known.map(\.account)
            + readers.filter { account, found in
                !SuggestionRules.contents(found, of: message, for: account, among: readerCount).isEmpty
            }.keys
    }
}
