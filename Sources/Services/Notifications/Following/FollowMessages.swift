import Postgres
import Reactor
import Schema
import ServiceKit

/// Messages of the last seconds to people who had the app in front of them. Pure.
///
/// Whoever closes the app right after a message arrived may not have seen it.
struct RecentlyInFront: Sendable {
    /// Who closes the app within this time of a message is told of it.
    static let lifetime: Duration = .seconds(5)
    /// Beyond these, the oldest are forgotten.
    static let countMax = 20_000

    /// A message by the id or number of its conversation, as it was heard or read.
    struct Place: Hashable, Sendable {
        var conversationID = ""
        var conversation: ConversationNumber = 0
        var seq: Seq
    }

    private var messages: [(place: Place, at: ContinuousClock.Instant, people: Set<AccountNumber>)] = []

    mutating func note(_ place: Place, _ people: Set<AccountNumber>, at now: ContinuousClock.Instant) {
        guard !people.isEmpty else { return }
        forget(at: now)
        if messages.count >= Self.countMax { messages.removeFirst(messages.count / 10) }
        messages.append((place, now, people))
    }

    /// Takes what people who left the foreground may not have seen.
    mutating func take(
        _ people: Set<AccountNumber>, at now: ContinuousClock.Instant
    ) -> [(place: Place, account: AccountNumber)] {
        forget(at: now)
        var taken: [(place: Place, account: AccountNumber)] = []
        for index in messages.indices {
            let left = messages[index].people.intersection(people)
            taken += left.map { (messages[index].place, $0) }
            messages[index].people.subtract(left)
        }
        return taken
    }

    private mutating func forget(at now: ContinuousClock.Instant) {
        messages.removeFirst(messages.prefix { now - $0.at > Self.lifetime }.count)
    }
}

/// Follows messages, reactions and marks. Decisions and the rows of the queue commit together with the cursor.
extension NotificationsService {
    static let followedOfMessages: Set<Int16> = [
        MessagingKind.message.number, MessagingKind.reactions.number, MessagingKind.inboxState.number,
    ]
    static let judgedKinds: Set<String> = [Message.messageName]

    /// Tells of each Update whether anybody may be told of it. So a message costs the database nothing while nobody who
    /// gets it has a registered device, or all who have are in the app.
    func judge(_ updates: [HeardUpdate]) throws -> [Bool] {
        var verdicts: [Bool] = []
        for update in updates {
            switch update.header.kind {
            case Message.messageName:
                let reached = Set(update.audience.filter { registry.hasDevices($0) })
                verdicts.append(try !reached.isEmpty && judge(HeardMessage.decode(update.body), to: reached))
            case Reactions.messageName: verdicts.append(update.audience.contains { registry.wantsReactions($0) })
            case InboxState.messageName: verdicts.append(update.audience.contains { registry.hasDevices($0) })
            default: verdicts.append(false)
            }
        }
        return verdicts
    }

    private func judge(_ message: HeardMessage, to people: Set<AccountNumber>) -> Bool {
        // What is taken back may be shown on a device that its person is not looking at.
        guard people.allSatisfy({ foreground.contains($0) }), message.deletedAtUs == 0 else { return true }
        recent.note(
            RecentlyInFront.Place(conversationID: message.conversation, seq: Seq(message.seq)), people, at: .now)
        return false
    }

    func followMessages(_ entries: [JournalEntry], _ change: Change) async throws {
        var (away, present): ([MessagePerson], [MessagePerson]) = ([], [])
        for entry in entries where entry.is(MessagingKind.message) {
            let key = MessageKey(conversation: ConversationNumber(entry.subject), seq: Seq(entry.object))
            let reached = Set(entry.audience.filter { registry.hasDevices($0) })
            let inFront = reached.filter { foreground.contains($0) }
            recent.note(RecentlyInFront.Place(conversation: key.conversation, seq: key.seq), inFront, at: .now)
            away += reached.subtracting(inFront).map { MessagePerson(key: key, account: $0) }
            present += inFront.map { MessagePerson(key: key, account: $0) }
        }
        try await tell(away, in: change)
        try await withdrawUnreadable(of: present, in: change)
        let reactions = entries.filter { $0.is(MessagingKind.reactions) }
        if !reactions.isEmpty { try await tellReactions(reactions, in: change) }
        let marks = entries.filter { entry in
            entry.is(MessagingKind.inboxState) && registry.hasDevices(AccountNumber(entry.subject))
        }
        if !marks.isEmpty { try await refreshBadges(marks, in: change) }
    }

    /// Decides who is told of messages, new and changed ones.
    func tell(_ people: [MessagePerson], in change: Change) async throws {
        guard !people.isEmpty else { return }
        let wanted = Array(Set(people))
        let now = context.clock.now
        let facts = try await facts(of: wanted, in: change)
        var told: [MessageFacts] = []
        for message in facts {
            switch PushRules.verdict(on: message, at: now) {
            case .told: told.append(message)
            case .notTold(let reason): count(notTold: reason)
            }
        }
        let found = Set(facts.map { MessagePerson(key: $0.key, account: $0.account) })
        // What can no longer be read is taken back where it was shown.
        try await withdraw(wanted.filter { !found.contains($0) }, at: now, in: change)
        guard !told.isEmpty else { return }
        let isNew = try await noteTold(told.map { ($0.account, $0.key.about) }, at: now, in: change)
        var notices: [QueuedNotice] = []
        for message in told {
            var about = message.key.about
            if !isNew.contains(Told(account: message.account, about: about)) {
                // Known already: only an edit of it is news.
                guard message.editedAt != 0 else { continue }
                about += "/e\(message.editedAt)"
            }
            notices.append(
                QueuedNotice(
                    account: message.account, kind: .message, about: about, conversation: message.key.conversation,
                    seq: message.key.seq, madeAt: message.sentAt, expiresAt: message.sentAt + PushRules.ageMax))
        }
        try await queue(notices, in: change)
    }

    /// Tells people who left the app of what came while they did.
    func tellWhoLeft(_ people: Set<AccountNumber>) {
        let unseen = recent.take(people, at: .now)
        guard !unseen.isEmpty else { return }
        Task.onLoop { [self] in
            do {
                let ids = Array(Set(unseen.map(\.place.conversationID)).subtracting([""]))
                let known = Dictionary(
                    try await context.database.query(FactsStore.conversations, .texts(ids)),
                    uniquingKeysWith: { first, _ in first })
                let people = unseen.compactMap { place, account -> MessagePerson? in
                    let number = place.conversationID.isEmpty ? place.conversation : known[place.conversationID]
                    return number.map {
                        MessagePerson(key: MessageKey(conversation: $0, seq: place.seq), account: account)
                    }
                }
                try await journal.change { [self] in try await tell(people, in: $0) }
            } catch {
                context.log.warning(
                    "people who just left the app are not told of what came then", metadata: ["error": "\(error)"])
            }
        }
    }

    func facts(of people: [MessagePerson], in database: any Queryable) async throws -> [MessageFacts] {
        guard !people.isEmpty else { return [] }
        return try await database.query(
            FactsStore.messages, .numbers(people.map(\.key.conversation)), .numbers(people.map(\.key.seq)),
            .numbers(people.map(\.account)))
    }

    /// Takes back what people were told and can no longer read, also from those who have the app in front of them.
    private func withdrawUnreadable(of people: [MessagePerson], in change: Change) async throws {
        let told = try await toldAmong(Array(Set(people)), in: change)
        guard !told.isEmpty else { return }
        let found = Set(try await facts(of: told, in: change).map { MessagePerson(key: $0.key, account: $0.account) })
        try await withdraw(told.filter { !found.contains($0) }, at: context.clock.now, in: change)
    }

    /// Returns those of the people who were told.
    private func toldAmong(_ people: [MessagePerson], in change: Change) async throws -> [MessagePerson] {
        guard !people.isEmpty else { return [] }
        let told = Set(
            try await change.query(
                QueueStore.toldAmong, .numbers(people.map(\.account)), .texts(people.map(\.key.about))))
        return people.filter { told.contains(Told(account: $0.account, about: $0.key.about)) }
    }

    private func withdraw(_ people: [MessagePerson], at now: Timestamp, in change: Change) async throws {
        let shown = try await toldAmong(people, in: change)
        try await queue(
            shown.map { person in
                QueuedNotice(
                    account: person.account, kind: .withdrawn, about: person.key.about + "/w",
                    conversation: person.key.conversation, seq: person.key.seq, madeAt: now,
                    expiresAt: now + PushRules.ageMax)
            }, in: change)
    }

    private func tellReactions(_ entries: [JournalEntry], in change: Change) async throws {
        let (now, people) = (
            context.clock.now,
            entries.flatMap { entry in
                entry.audience.filter { registry.wantsReactions($0) && !foreground.contains($0) }.map {
                    MessagePerson(
                        key: MessageKey(conversation: ConversationNumber(entry.subject), seq: Seq(entry.object)),
                        account: $0)
                }
            }
        )
        guard !people.isEmpty else { return }
        let found = try await change.query(
            QueueStore.reactions, .numbers(people.map(\.key.conversation)), .numbers(people.map(\.key.seq)),
            .numbers(people.map(\.account)), .number(now - PushRules.ageMax))
        let isNew = try await noteTold(
            found.map { ($0.person.account, "\($0.person.key.about)/x\($0.by)") }, at: now, in: change)
        try await queue(
            found.compactMap { reaction in
                let about = "\(reaction.person.key.about)/x\(reaction.by)"
                guard isNew.contains(Told(account: reaction.person.account, about: about)) else { return nil }
                return QueuedNotice(
                    account: reaction.person.account, kind: .reaction, about: about,
                    conversation: reaction.person.key.conversation, seq: reaction.person.key.seq,
                    madeAt: reaction.at, expiresAt: reaction.at + PushRules.ageMax)
            }, in: change)
    }

    /// Queues pushes that change the number on icons, after a person read, muted or cleared something.
    private func refreshBadges(_ entries: [JournalEntry], in change: Change) async throws {
        let now = context.clock.now
        let queued = try await change.execute(
            QueueStore.addBadges, .int64s(entries.map(\.subject)), .int64s(entries.map(\.object)), .number(now),
            .number(now + PushRules.ageMax), .int16s(senders?.transports ?? []))
        if queued > 0 { try await scheduler.wake(in: change) }
    }

    // MARK: The queue

    /// Notes that people are told of something.
    /// - Returns: what they were not told before.
    func noteTold(
        _ told: [(account: AccountNumber, about: String)], at now: Timestamp, in change: Change
    ) async throws -> Set<Told> {
        guard !told.isEmpty else { return [] }
        let unique = Set(told.map { Told(account: $0.account, about: $0.about) }).sorted()
        return Set(
            try await change.query(
                QueueStore.noteTold, .numbers(unique.map(\.account)), .texts(unique.map(\.about)), .number(now)))
    }

    /// Puts notices into the queue, one for each device of their people, and wakes whoever sends.
    func queue(_ notices: [QueuedNotice], in change: Change) async throws {
        guard !notices.isEmpty else { return }
        let queued = try await change.execute(
            QueueStore.add, .numbers(notices.map(\.account)), .int16s(notices.map(\.kind.rawValue)),
            .texts(notices.map(\.about)), .numbers(notices.map(\.conversation)), .numbers(notices.map(\.seq)),
            .uuids(notices.map(\.entity)), .numbers(notices.map(\.madeAt)), .numbers(notices.map(\.expiresAt)),
            .int16s(senders?.transports ?? []))
        guard queued > 0 else { return }
        try await change.execute(
            QueueStore.trim, .numbers(Set(notices.map(\.account)).sorted()), .int64(Int64(queuedMax)))
        try await scheduler.wake(in: change)
    }
}
