import Language
import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Suggestions: what messages seem to say, for each person alone until they accept it (E8). ``followMessages(_:_:)``
/// makes them.
extension EntitiesService {
    /// The most conversations in which a person has turned suggestions off.
    nonisolated static let offMax = 1000

    /// Returns a page of the caller's open suggestions, newest first.
    /// - Throws: ``Refusal`` `not_member` of the named conversation, `invalid`.
    func listSuggestions(
        _ request: ListSuggestionsRequest, _ call: RequestContext
    ) async throws -> ListSuggestionsReply {
        let before = try SuggestionCursor(request.cursor)
        let conversation = try await conversationNumber(request.conversation, of: call.caller)
        let limit = Page.limit(request.limit)
        // A person has so few that a page examines all.
        let rows = try await context.database.query(
            SuggestionsStore.open, .number(call.caller.account), .number(before.createdAt), .uuid(before.id),
            .number(context.clock.now), .optional(conversation), .int64(Int64(Self.openSuggestionsMax)))
        let wanted = rows.filter(\.isWanted).map(\.suggestion)
        let page = Array(wanted.prefix(limit))
        let next = wanted.count > limit ? page.last.map { SuggestionCursor($0).text } ?? "" : ""
        return ListSuggestionsReply(suggestions: page, cursor: next)
    }

    /// Makes what a suggestion says. Retry-safe: repeating it returns the first result.
    /// - Throws: ``Refusal`` `not_found`, `invalid`, and the refusals of what it makes.
    func acceptSuggestion(
        _ request: AcceptSuggestionRequest, _ call: RequestContext
    ) async throws -> AcceptSuggestionReply {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        let edits = try SuggestionEdits(request)
        try allowChange(by: caller)
        let found = try await context.database.first(
            SuggestionsStore.toAccept, .number(caller.account), .uuid(id.bytes), .number(context.clock.now))
        guard let (seen, standing) = found else { throw Refusal.notFound }
        if seen.state == .accepted { return try await accepted(seen, by: caller, in: context.database) }
        guard seen.state == .open else { throw Refusal.notFound }
        guard let standing else { throw Refusal.notMember }
        if seen.kind == .event || seen.kind == .decision && edits.isShared { try standing.requireSharing() }
        let conversation = standing.conversation
        return try await self.change(by: caller) { [self] change in
            switch seen.kind {
            case .event: try await acceptEvent(id, Seq(seen.sourceSeq), in: conversation, edits, by: caller, change)
            case .reminder: try await acceptReminder(id, seen.conversation, in: conversation, edits, by: caller, change)
            case .decision:
                try await acceptDecision(id, in: conversation, edits, by: caller, change)
            default: throw Refusal.notFound
            }
        }
    }

    /// Ends a suggestion that the caller does not want.
    /// - Throws: ``Refusal`` `not_found`.
    func dismissSuggestion(
        _ request: DismissSuggestionRequest, _ call: RequestContext
    ) async throws -> SuggestionReply {
        let id = try UUIDv7(request.id)
        let caller = call.caller
        try allowChange(by: caller)
        return try await self.change(by: caller) { [self] change in
            var changes = ChangedSuggestions(try await heads(of: [caller.account], in: change))
            let found = try await change.first(
                SuggestionsStore.suggestion, .number(caller.account), .uuid(id.bytes), .number(context.clock.now))
            guard let found, found.state == .open || found.state == .dismissed else { throw Refusal.notFound }
            guard found.state == .open else { return SuggestionReply(suggestion: found, duplicate: true) }
            try await close([(caller.account, id.bytes)], as: .dismissed, &changes, change)
            return SuggestionReply(
                suggestion: try await publish(changes, change, for: caller), duplicate: false)
        }
    }

    // MARK: Accepting

    /// The result of a suggestion that was accepted before.
    private func accepted(
        _ suggestion: Suggestion, by caller: Caller, in database: any Queryable
    ) async throws -> AcceptSuggestionReply {
        var reply = AcceptSuggestionReply(suggestion: suggestion, duplicate: true)
        let (id, account) = (Parameter.uuid(suggestion.entity), Parameter.number(caller.account))
        switch suggestion.kind {
        case .event: reply.event = try await database.first(EventsStore.visible, id, account)
        case .reminder: reply.reminder = try await database.first(RemindersStore.reminder, account, id)
        case .decision: reply.decision = try await database.first(DecisionsStore.readable, id, account)
        default: break
        }
        return reply
    }

    /// Returns a suggestion that is still open, under the head of its owner.
    /// - Throws: ``Refusal`` `not_found`.
    private func openSuggestion(_ id: UUIDv7, of caller: Caller, _ change: Change) async throws -> KnownSuggestion {
        let found = try await change.first(
            SuggestionsStore.stored, .number(caller.account), .uuid(id.bytes), .number(context.clock.now))
        guard let found, found.isOpen, found.key != nil else { throw Refusal.notFound }
        return found
    }

    /// Records that a suggestion was accepted, and publishes it.
    /// - Parameter heads: with those of all whose suggestions change.
    private func accept(
        _ id: UUIDv7, making entity: [UInt8], pointing others: [KnownSuggestion] = [], by caller: Caller,
        _ heads: StreamHeads, _ change: Change
    ) async throws -> Suggestion {
        var changes = ChangedSuggestions(heads.positions)
        try await close([(caller.account, id.bytes)], as: .accepted, making: entity, &changes, change)
        if !others.isEmpty {
            try await change.execute(
                SuggestionsStore.point, .numbers(others.map(\.account)), .uuids(others.map(\.id)),
                .numbers(others.map { changes.take($0.id, of: $0.account) }), .uuid(entity))
        }
        return try await publish(changes, change, for: caller)
    }

    private func acceptEvent(
        _ id: UUIDv7, _ seq: Seq, in conversation: ConversationNumber, _ edits: SuggestionEdits, by caller: Caller,
        _ change: Change
    ) async throws -> AcceptSuggestionReply {
        let key: [Parameter] = [.number(conversation), .number(seq)]
        guard let event = try await change.first(SuggestionsStore.claimEvent, key + [.uuid(id.bytes)]) else {
            throw DatabaseError.unexpected("no event has the place of the message")
        }
        if event != id.bytes {
            if let locked = try await change.first(
                EventsStore.lockInvited, .uuid(event), .number(caller.account), .number(conversation))
            {
                return try await answer(
                    try UUIDv7(event), locked, in: conversation, edits, accepting: id, by: caller, change)
            }
            if try await change.first(EventsStore.lockAny, .uuid(event)) != nil { throw Self.eventCancelled }
            try await change.execute(SuggestionsStore.replaceEvent, key + [.uuid(id.bytes)])
        }
        let held = try await change.query(SuggestionsStore.lockHeadsOfEvent, key + [.number(caller.account)])
        let heads = StreamHeads(Dictionary(uniqueKeysWithValues: held.map { ($0.account, $0.position) }))
        let open = try await change.query(
            SuggestionsStore.openOfEvent, key + [.number(caller.account), .number(context.clock.now)])
        guard let suggested = open.first(where: { $0.account == caller.account && $0.id == id.bytes }) else {
            throw Refusal.notFound
        }
        let others = open.filter { $0.account != caller.account }
        let newcomers = others.map(\.account).filter { heads.positions[$0] == nil }
        if !newcomers.isEmpty { heads.hold(try await self.heads(of: newcomers, in: change)) }
        let draft = EventDraft(
            id: id, event: try edits.event(suggested.content, zones), origin: conversation,
            sourceMessage: suggested.message ?? [], conversations: [conversation])
        let made = try await make(draft, by: caller, heads, change)
        return AcceptSuggestionReply(
            suggestion: try await accept(id, making: id.bytes, pointing: others, by: caller, heads, change),
            event: made.event)
    }

    /// Answers the event that another member made of the message.
    private func answer(
        _ event: UUIDv7, _ locked: LockedEvent, in conversation: ConversationNumber, _ edits: SuggestionEdits,
        accepting id: UUIDv7, by caller: Caller, _ change: Change
    ) async throws -> AcceptSuggestionReply {
        let before =
            locked.own ?? StoredAttendance(status: .pending, guests: 0, remindMinutes: remindMinutes)
        var after = try EventAnswer(AnswerEventRequest(status: edits.answer)).applied(
            to: before, byCreator: locked.creator == caller.account)
        after.conversation = conversation
        let held = try await people(of: event.bytes, and: [caller.account], in: change)
        _ = try await openSuggestion(id, of: caller, change)
        let answered = try await record(after, for: locked, event, by: caller, change, in: held)
        return AcceptSuggestionReply(
            suggestion: try await accept(id, making: event.bytes, by: caller, held.heads, change),
            event: answered.event, position: answered.position)
    }

    private func acceptReminder(
        _ id: UUIDv7, _ conversationID: String, in conversation: ConversationNumber, _ edits: SuggestionEdits,
        by caller: Caller, _ change: Change
    ) async throws -> AcceptSuggestionReply {
        let heads = StreamHeads(try await heads(of: [caller.account], in: change))
        let suggested = try await openSuggestion(id, of: caller, change)
        let due = try edits.due(suggested.content, zones)
        let found = try await change.first(
            RemindersStore.add, .number(caller.account), .uuid(id.bytes),
            .text(edits.title ?? suggested.content.title), .number(due.instant), .text(due.zone),
            .number(conversation), suggested.message.map { .uuid($0) } ?? .null, .text(""),
            .number(context.clock.now), .number(heads.next(of: caller.account)), .bool(true), .number(due.time.civil),
            .int32(Int32(due.time.offset)), .text(due.rules), .int64(remindersMax))
        guard let (reminder, isNew) = found else { throw tooManyReminders }
        if isNew { heads.moved([caller.account]) }
        publish(reminder, of: caller.account, caller.user, in: change)
        try await scheduler.wake(for: due.instant, in: change)
        return AcceptSuggestionReply(
            suggestion: try await accept(id, making: id.bytes, by: caller, heads, change), reminder: reminder)
    }

    private func acceptDecision(
        _ id: UUIDv7, in conversation: ConversationNumber, _ edits: SuggestionEdits, by caller: Caller,
        _ change: Change
    ) async throws -> AcceptSuggestionReply {
        _ = try await head(of: caller.account, in: change)
        let suggested = try await openSuggestion(id, of: caller, change)
        let draft = DecisionDraft(
            id: id, text: edits.title ?? suggested.content.title, conversation: conversation,
            sourceMessage: suggested.message ?? [], isShared: edits.isShared, supersedes: [])
        let made = try await create(draft, by: caller, in: change)
        let heads = StreamHeads(try await heads(of: [caller.account], in: change))
        return AcceptSuggestionReply(
            suggestion: try await accept(id, making: id.bytes, by: caller, heads, change), decision: made.decision)
    }

    // MARK: Ending

    /// Withdraws those among these suggestions that are open. The caller holds the heads of their owners. The others
    /// forget their message.
    /// - Parameter evenChanged: also those that the transaction has changed before.
    func withdraw(
        _ suggestions: [KnownSuggestion], evenChanged: Bool = false, _ changes: inout ChangedSuggestions,
        _ change: Change
    ) async throws {
        guard !suggestions.isEmpty else { return }
        let given: [Parameter] = [.numbers(suggestions.map(\.account)), .uuids(suggestions.map(\.id))]
        let open = try await change.query(SuggestionsStore.openAmong, given)
        try await change.execute(SuggestionsStore.forget, given)
        try await close(open.filter { evenChanged || !changes.has($0.id) }, as: .withdrawn, &changes, change)
    }

    private func close(
        _ suggestions: [(account: AccountNumber, id: [UInt8])], as state: SuggestionState,
        making entity: [UInt8]? = nil,
        _ changes: inout ChangedSuggestions, _ change: Change
    ) async throws {
        guard !suggestions.isEmpty else { return }
        try await change.execute(
            SuggestionsStore.close, .numbers(suggestions.map(\.account)), .uuids(suggestions.map(\.id)),
            .numbers(suggestions.map { changes.take($0.id, of: $0.account) }), .int16(Int16(state.rawValue)),
            entity.map { .uuid($0) } ?? .null)
    }

    /// Withdraws the open suggestions of people in conversations.
    /// - Parameter conversations: beside each person; nil: all.
    func withdrawSuggestions(
        of accounts: [AccountNumber], in conversations: [ConversationNumber?], _ change: Change
    ) async throws {
        try await withdrawSuggestions(
            SuggestionsStore.openOf, [.numbers(accounts), .optionalNumbers(conversations), .bool(false)], change)
    }

    /// Withdraws the open suggestions that a query finds.
    func withdrawSuggestions(
        _ query: Statement<KnownSuggestion>, _ parameters: [Parameter], _ change: Change
    ) async throws {
        let found = try await change.query(query, parameters)
        guard !found.isEmpty else { return }
        var changes = ChangedSuggestions(try await heads(of: found.map(\.account), in: change))
        try await withdraw(found, &changes, change)
        try await publish(changes, change)
    }

    /// Deletes what has expired. Nobody is told: each suggestion says when it ends.
    func expireSuggestions(_ change: Change, _ limit: Int) async throws -> Int {
        try await change.query(SuggestionsStore.expire, .int64(Int64(limit))).count
    }

    // MARK: Publishing

    /// Stores the positions that streams have reached, and publishes the changed suggestions to their owners.
    func publish(_ changes: ChangedSuggestions, _ change: Change) async throws {
        _ = try await states(of: changes, change)
    }

    private func publish(_ changes: ChangedSuggestions, _ change: Change, for caller: Caller) async throws -> Suggestion
    {
        let own = try await states(of: changes, change).first { $0.account == caller.account }
        guard let own else { throw DatabaseError.unexpected("the suggestion was not stored") }
        return own.suggestion
    }

    private func states(
        of changes: ChangedSuggestions, _ change: Change
    ) async throws -> [(account: AccountNumber, suggestion: Suggestion)] {
        guard !changes.all.isEmpty else { return [] }
        let moved = Set(changes.all.map(\.account)).sorted()
        let states = try await change.query(
            SuggestionsStore.published, .numbers(changes.all.map(\.account)), .uuids(changes.all.map(\.id)),
            .numbers(moved), .numbers(moved.map { changes.position(of: $0) }))
        for (account, user, suggestion) in states {
            change.publish(
                PendingUpdate(
                    suggestion, as: EntitiesKind.suggestion, subject: account, owner: user,
                    position: Position(suggestion.position), audience: [account]))
        }
        return states.map { ($0.account, $0.suggestion) }
    }

    // MARK: Settings

    /// Returns where the caller has turned suggestions off.
    func getSuggestionSettings(
        _ request: GetSuggestionSettingsRequest, _ call: RequestContext
    ) async throws -> SuggestionSettings {
        try await ownSettings(of: call.caller, in: context.database)
    }

    private func ownSettings(of caller: Caller, in database: any Queryable) async throws -> SuggestionSettings {
        let rows = try await database.query(SuggestionsStore.off, .number(caller.account))
        return SuggestionSettings(
            off: rows.contains(where: \.isAll), conversations: rows.filter { !$0.isAll }.map(\.conversation))
    }

    /// Turns suggestions off or on: all of the caller's, or those of a conversation.
    /// - Throws: ``Refusal`` `not_member`, `invalid`.
    func updateSuggestionSettings(
        _ request: UpdateSuggestionSettingsRequest, _ call: RequestContext
    ) async throws -> SuggestionSettings {
        let caller = call.caller
        try allowChange(by: caller)
        let conversation = try await conversationNumber(request.conversation, of: caller)
        return try await context.journal.change { [self] change in
            let key: [Parameter] = [.number(caller.account), .number(conversation ?? 0)]
            _ = try await head(of: caller.account, in: change)
            let isChanged =
                try await change.first(request.off ? SuggestionsStore.turnOff : SuggestionsStore.turnOn, key) != nil
            if request.off { try await withdrawSuggestions(of: [caller.account], in: [conversation], change) }
            var settings = try await ownSettings(of: caller, in: change)
            guard settings.conversations.count <= Self.offMax else {
                throw Refusal.invalid(
                    "conversation", "is one too many: suggestions are off in \(Self.offMax). Turn all of them off")
            }
            settings.duplicate = !isChanged
            return settings
        }
    }
}

/// The suggestions that a transaction changes. It holds the heads of their owners. Pure.
struct ChangedSuggestions {
    private var positions: [AccountNumber: Position]
    private(set) var all: [(account: AccountNumber, id: [UInt8])] = []
    private var taken: [[UInt8]: Position] = [:]

    /// - Parameter positions: of the owners' streams, whose heads the caller holds.
    init(_ positions: [AccountNumber: Position]) { self.positions = positions }

    func has(_ id: [UInt8]) -> Bool { taken[id] != nil }

    func position(of account: AccountNumber) -> Position { positions[account, default: 0] }

    /// Takes the next position of the owner's stream for a suggestion; one that has changed before keeps its own.
    mutating func take(_ id: [UInt8], of account: AccountNumber) -> Position {
        if let known = taken[id] { return known }
        all.append((account, id))
        positions[account, default: 0] += 1
        taken[id] = position(of: account)
        return position(of: account)
    }
}

/// What a person changes about a suggestion while accepting it, checked. Pure.
struct SuggestionEdits: Sendable {
    var title: String?
    var when: EventTime?
    var location: String?
    var givenDue: GivenTime?
    var zone: String?
    var isShared: Bool
    var answer: AttendanceStatus

    /// - Throws: ``Refusal`` `invalid`.
    init(_ request: AcceptSuggestionRequest) throws(Refusal) {
        if case .title(let text) = request.changeTitle {
            title = try Text.line(text, field: "title", bytes: SuggestedContent.titleBytesMax)
        }
        if case .location(let text) = request.changeLocation { location = try EventTexts.location(text) }
        switch request.changeDue {
        case .dueAtUs(let time): givenDue = try GivenTime(atUs: time)
        case .dueLocal(let text): givenDue = try GivenTime(local: text)
        case nil: break
        }
        if case .timeZone(let text) = request.changeTimeZone { zone = text }
        (when, isShared) = (request.when, request.shared)
        switch request.answer {
        case .unspecified: answer = .accepted
        case .pending, .accepted, .declined, .tentative: answer = request.answer
        case .unrecognized: throw .invalid("answer", "must be a known answer")
        }
    }

    /// - Throws: ``Refusal`` `invalid`.
    @ReactorActor
    func event(_ content: SuggestedContent, _ zones: TimeZones) throws(Refusal) -> StoredEvent {
        let suggested = content.schedule
        let schedule: EventSchedule
        if let when {
            schedule = try EventSchedule(when, recurrence: nil, zones)
        } else if let suggested {
            schedule = suggested
        } else {
            throw .invalid("when", "must have the date of the event")
        }
        try schedule.checkFirstDate(try zones.rules(of: schedule))
        return StoredEvent(
            title: title ?? content.title, location: location ?? content.location, link: "", notes: "",
            schedule: schedule)
    }

    /// - Throws: ``Refusal`` `invalid`.
    @ReactorActor
    func due(_ content: SuggestedContent, _ zones: TimeZones) throws(Refusal) -> Due {
        let given = givenDue ?? content.due.map { .local($0.civil) }
        guard let given else { throw .invalid("due_at_us", "must be the time of the reminder") }
        return try given.due(in: zone ?? content.zone, zones)
    }
}

/// The last suggestion of the previous page, as `CREATED.ID`. Pure.
struct SuggestionCursor: Cursor {
    var createdAt: Timestamp
    var id: [UInt8]

    static let start = SuggestionCursor(createdAt: .max, id: [UInt8](repeating: 0xff, count: 16))

    private init(createdAt: Timestamp, id: [UInt8]) { (self.createdAt, self.id) = (createdAt, id) }

    init(_ suggestion: Suggestion) { self.init(createdAt: Timestamp(suggestion.createdAtUs), id: suggestion.id) }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(createdAt: try parts.number(in: .min ... .max), id: try parts.bytes(16))
    }

    var text: String { "\(createdAt).\(Hex.text(id))" }
}
