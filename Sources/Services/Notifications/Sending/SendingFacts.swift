import Postgres
import Reactor
import Schema
import ServiceKit

/// What holds at the moment of sending, for a batch of rows of the queue.
struct SendingFacts: Sendable {
    struct Reaction: Sendable {
        var emoji: String
        var name: String
    }

    private(set) var messages: [MessagePerson: MessageFacts] = [:]
    private(set) var asked: [AccountNumber: [ConversationNumber: AskedPerson]] = [:]
    private(set) var entities: [AccountNumber: [[UInt8]: EntityFacts]] = [:]
    private(set) var badges: [AccountNumber: Int] = [:]
    private(set) var icons: [DevicePlace: DeviceIcon] = [:]
    /// Edits and withdrawals of messages that are just being sent, by the ids of notices.
    private(set) var early: Set<[UInt8]> = []
    private(set) var undisturbed: Set<AccountNumber> = []
    private(set) var conversationIDs: [ConversationNumber: String] = [:]
    /// By the ids of notices.
    private(set) var reactions: [[UInt8]: Reaction] = [:]
    private var people: [AccountNumber: Wishes] = [:]

    func wishes(of account: AccountNumber) -> Wishes { people[account] ?? Wishes() }

    @ReactorActor
    init(_ due: [DueNotice], at now: Timestamp, in database: any Queryable) async throws {
        let accounts = Set(due.map(\.account)).sorted()
        for person in try await database.query(QueueStore.people, .numbers(accounts)) {
            people[person.account] = person.wishes
            if person.saysDoNotDisturb { undisturbed.insert(person.account) }
        }
        for row in try await database.query(QueueStore.badges, .numbers(accounts), .number(now)) {
            badges[row.account] = row.badge
        }
        let counted = due.filter { $0.kind == .badge }
        if !counted.isEmpty {
            for (place, icon) in try await database.query(
                QueueStore.icons, .numbers(counted.map(\.account)), .texts(counted.map(\.device)))
            {
                icons[place] = icon
            }
        }
        let later = due.filter { $0.kind == .withdrawn || $0.isOfEdit }
        if !later.isEmpty {
            early = Set(
                try await database.query(
                    QueueStore.beingShown, .numbers(later.map(\.account)), .texts(later.map(\.device)),
                    .uuids(later.map(\.notice)), .texts(later.map(\.about)), .numbers(later.map(\.conversation)),
                    .numbers(later.map(\.seq))))
        }
        try await readMessages(due, in: database)
        try await readAsked(due, at: now, in: database)
        try await readEntities(due, in: database)
    }

    @ReactorActor
    private mutating func readMessages(_ due: [DueNotice], in database: any Queryable) async throws {
        let rows = due.filter { [.message, .withdrawn, .reaction].contains($0.kind) }
        let keys = Set(
            rows.map {
                MessagePerson(key: MessageKey(conversation: $0.conversation, seq: $0.seq), account: $0.account)
            })
        if !keys.isEmpty {
            let list = Array(keys)
            for message in try await database.query(
                FactsStore.messages, .numbers(list.map(\.key.conversation)), .numbers(list.map(\.key.seq)),
                .numbers(list.map(\.account)))
            {
                messages[MessagePerson(key: message.key, account: message.account)] = message
            }
        }
        let named = Set(due.map(\.conversation)).subtracting([0]).sorted()
        if !named.isEmpty {
            for (number, id) in try await database.query(FactsStore.conversationIDs, .numbers(named)) {
                conversationIDs[number] = id
            }
        }
        let reacted = due.filter { $0.kind == .reaction }
        guard !reacted.isEmpty else { return }
        for (notice, emoji, name) in try await database.query(
            FactsStore.reactions, .uuids(reacted.map(\.notice)), .numbers(reacted.map(\.conversation)),
            .numbers(reacted.map(\.seq)), .numbers(reacted.map { Self.reactor(of: $0.about) }))
        {
            reactions[notice] = Reaction(emoji: emoji, name: name)
        }
    }

    /// Who reacted, from "m/CONVERSATION/SEQ/xACCOUNT".
    static func reactor(of about: String) -> AccountNumber {
        guard let last = about.split(separator: "/").last, last.first == "x" else { return 0 }
        return AccountNumber(last.dropFirst()) ?? 0
    }

    @ReactorActor
    private mutating func readAsked(_ due: [DueNotice], at now: Timestamp, in database: any Queryable) async throws {
        let rows = due.filter { $0.kind == .request || $0.kind == .invitation }
        guard !rows.isEmpty else { return }
        for one in try await database.query(
            PeopleStore.asked, .numbers(rows.map(\.conversation)), .numbers(rows.map(\.account)),
            .number(now - PushRules.ageMax))
        {
            asked[one.account, default: [:]][one.conversation] = one
        }
    }

    @ReactorActor
    private mutating func readEntities(_ due: [DueNotice], in database: any Queryable) async throws {
        let reminders = due.filter { $0.kind == .reminder }
        let events = due.filter { $0.kind == .event || $0.kind == .eventDate }
        for (rows, statement) in [
            (reminders, ToldEntitiesStore.reminderTitles), (events, ToldEntitiesStore.eventTitles),
        ]
        where !rows.isEmpty {
            for entity in try await database.query(
                statement, .numbers(rows.map(\.account)), .uuids(rows.map(\.entity)))
            {
                entities[entity.account, default: [:]][entity.id] = entity
            }
        }
    }
}
