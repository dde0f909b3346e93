import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// What a person wants to be told, as it is stored. Pure.
struct Wishes: Sendable, Equatable {
    var level = PushLevel.allMessages
    var content = PushContent.fullText
    var reactions = false
    var requests = true
    var reminders = true
    var events = true
    var mentionsWhenMuted = false
    var quiet = QuietHoursOfWeek()
    var sound = ""
    var version: Int64 = 0
}

/// When no push shows, by the week of a time zone. Pure.
struct QuietHoursOfWeek: Sendable, Equatable {
    static let hoursMax = 28
    private static let dayMinutes = 1440

    struct Hours: Sendable, Equatable {
        /// 1 is Monday, 7 Sunday.
        var weekday: Int
        var from: Int
        /// Not above `from`: on the next day.
        var until: Int
    }

    var hours: [Hours] = []
    var zone = ""

    /// - Parameters:
    ///   - weekday: 1 is Monday, 7 Sunday.
    ///   - minute: of the day.
    func contains(weekday: Int, minute: Int) -> Bool {
        hours.contains { hours in
            let goesOn = hours.until <= hours.from
            let end = goesOn ? Self.dayMinutes : hours.until
            if hours.weekday == weekday, hours.from..<end ~= minute { return true }
            return goesOn && hours.weekday % 7 + 1 == weekday && minute < hours.until
        }
    }

    /// Whether an instant is within quiet hours, by the rules of the zone.
    @ReactorActor
    func contains(_ instant: Timestamp, _ zones: TimeZones) -> Bool {
        guard !hours.isEmpty, let rules = try? zones.rules(of: zone.isEmpty ? "UTC" : zone) else { return false }
        let civil = rules.time(at: instant).civil
        let weekday = CivilDay.weekday(of: civil.day)
        let minute = (civil.rawValue - CivilTime(day: civil.day, seconds: 0).rawValue) / 60_000_000
        return contains(weekday: weekday == 0 ? 7 : weekday, minute: Int(minute))
    }

    init(hours: [Hours] = [], zone: String = "") { (self.hours, self.zone) = (hours, zone) }

    /// - Throws: ``Refusal`` `invalid`.
    @ReactorActor
    init(_ quiet: QuietTime, _ zones: TimeZones) throws(Refusal) {
        guard quiet.hours.count <= Self.hoursMax else {
            throw .invalid("quiet.hours", "may have \(Self.hoursMax) entries. Join some of them")
        }
        for one in quiet.hours {
            guard 1...7 ~= one.weekday else { throw .invalid("quiet.hours.weekday", "must be from 1 to 7") }
            guard one.fromMinute < Self.dayMinutes else {
                throw .invalid("quiet.hours.from_minute", "must be from 0 to \(Self.dayMinutes - 1)")
            }
            guard one.untilMinute <= Self.dayMinutes else {
                throw .invalid("quiet.hours.until_minute", "must be from 0 to \(Self.dayMinutes)")
            }
            hours.append(
                Hours(weekday: Int(one.weekday), from: Int(one.fromMinute), until: Int(one.untilMinute)))
        }
        zone = quiet.timeZone
        if !zone.isEmpty {
            do { _ = try zones.rules(of: zone) } catch {
                throw .invalid("quiet.time_zone", "must be an IANA time zone such as \"Europe/Zurich\"")
            }
        }
    }

    var state: QuietTime {
        QuietTime(
            hours: hours.map {
                QuietHours(weekday: UInt32($0.weekday), fromMinute: UInt32($0.from), untilMinute: UInt32($0.until))
            }, timeZone: zone)
    }
}

/// A change of what a person wants, checked. Pure.
struct WishesChange: Sendable {
    static let soundBytesMax = 64

    private let request: UpdatePushSettingsRequest
    private let quiet: QuietHoursOfWeek?
    private let sound: String?
    /// The level of one conversation; nil within: that of all others again.
    let conversation: (id: String, level: PushLevel?)?

    /// - Throws: ``Refusal`` `invalid`.
    @ReactorActor
    init(_ request: UpdatePushSettingsRequest, _ zones: TimeZones) throws(Refusal) {
        self.request = request
        if case .unrecognized = request.level { throw .invalid("level", "is none that this server knows") }
        if case .unrecognized = request.content { throw .invalid("content", "is none that this server knows") }
        for (choice, field) in [
            (request.reactions, "reactions"), (request.requests, "requests"), (request.reminders, "reminders"),
            (request.events, "events"), (request.mentionsWhenMuted, "mentions_when_muted"),
        ] {
            if case .unrecognized = choice { throw .invalid(field, "must be YES or NO, or absent") }
        }
        quiet = if let quiet = request.quiet { try QuietHoursOfWeek(quiet, zones) } else { nil }
        if case .sound(let name) = request.changeSound {
            sound = name.isEmpty ? "" : try Text.name(name, field: "sound", bytes: Self.soundBytesMax)
        } else {
            sound = nil
        }
        if let one = request.conversation {
            if case .unrecognized = one.level {
                throw .invalid("conversation.level", "is none that this server knows")
            }
            conversation = (one.conversation, one.level == .unspecified ? nil : one.level)
        } else {
            conversation = nil
        }
    }

    /// What the person wants afterwards, apart from the level of a conversation.
    func applied(to wishes: Wishes) -> Wishes {
        func chosen(_ choice: Choice, _ now: Bool) -> Bool { choice == .unspecified ? now : choice == .yes }
        var after = wishes
        if request.level != .unspecified { after.level = request.level }
        if request.content != .unspecified { after.content = request.content }
        after.reactions = chosen(request.reactions, wishes.reactions)
        after.requests = chosen(request.requests, wishes.requests)
        after.reminders = chosen(request.reminders, wishes.reminders)
        after.events = chosen(request.events, wishes.events)
        after.mentionsWhenMuted = chosen(request.mentionsWhenMuted, wishes.mentionsWhenMuted)
        if let quiet { after.quiet = quiet }
        if let sound { after.sound = sound }
        return after
    }
}

extension NotificationsService {
    /// The most conversations with a level of their own.
    nonisolated static let levelsMax = 500

    /// Returns of what the caller is told.
    func getPushSettings(_ request: GetPushSettingsRequest, _ call: RequestContext) async throws -> PushSettings {
        try await settings(of: call.caller.account, in: context.database)
    }

    private func settings(of account: AccountNumber, in database: any Queryable) async throws -> PushSettings {
        let wishes = try await database.first(SettingsStore.wishes, .number(account)) ?? Wishes()
        let levels = try await database.query(SettingsStore.levels, .number(account))
        return PushSettings(
            level: wishes.level, conversations: levels, content: wishes.content, reactions: wishes.reactions,
            requests: wishes.requests, reminders: wishes.reminders, events: wishes.events,
            mentionsWhenMuted: wishes.mentionsWhenMuted, quiet: wishes.quiet.state, sound: wishes.sound,
            version: wishes.version)
    }

    /// Changes of what the caller is told, and tells their devices.
    /// - Throws: ``Refusal`` `not_member`, `invalid`, `rate_limited`.
    func updatePushSettings(
        _ request: UpdatePushSettingsRequest, _ call: RequestContext
    ) async throws -> PushSettings {
        let caller = call.caller
        let wanted = try WishesChange(request, zones)
        try allowChange(by: caller)
        var number: ConversationNumber?
        if let conversation = wanted.conversation {
            number = try await context.database.first(
                SettingsStore.ownConversation, .text(conversation.id), .number(caller.account))
            guard number != nil else { throw Refusal.notMember }
        }
        let (state, isChanged) = try await journal.change { [self, number] change in
            let before = try await change.first(SettingsStore.lock, .number(caller.account)) ?? Wishes()
            let after = wanted.applied(to: before)
            var isChanged = after != before
            if let number, let level = wanted.conversation?.level {
                isChanged =
                    try await change.first(
                        SettingsStore.setLevel, .number(caller.account), .number(number),
                        .int16(Int16(level.rawValue))) != nil || isChanged
            } else if let number {
                isChanged =
                    try await change.first(SettingsStore.dropLevel, .number(caller.account), .number(number)) != nil
                    || isChanged
            }
            if isChanged { try await change.execute(SettingsStore.store, after.parameters(of: caller.account)) }
            let state = try await settings(of: caller.account, in: change)
            guard !isChanged || state.conversations.count <= Self.levelsMax else {
                throw Refusal.invalid(
                    "conversation",
                    "is one too many: \(Self.levelsMax) have a level of their own. Take one back first")
            }
            return (state, isChanged)
        }
        registry.note(caller.account, wantsReactions: state.reactions)
        if isChanged { publish(state, to: caller) }
        return state
    }

    private func publish(_ state: PushSettings, to caller: Caller) {
        let stream = "notifications/u/" + caller.user
        context.publisher.publish(
            UpdateHeader(
                stream: stream, kind: PushSettings.messageName, class: .collapsible, collapseKey: stream,
                audience: [caller.account.rawValue]), state.encode())
    }
}

extension Wishes {
    /// Of ``SettingsStore/store``.
    fileprivate func parameters(of account: AccountNumber) -> [Parameter] {
        [
            .number(account), .int16(Int16(level.rawValue)), .int16(Int16(content.rawValue)), .bool(reactions),
            .bool(requests), .bool(reminders), .bool(events), .bool(mentionsWhenMuted),
            .int16s(quiet.hours.map { Int16($0.weekday) }), .int16s(quiet.hours.map { Int16($0.from) }),
            .int16s(quiet.hours.map { Int16($0.until) }), .text(quiet.zone), .text(sound),
        ]
    }

    /// From ``SettingsStore/columns``, from a column on.
    init(_ row: borrowing RowReader, from first: Int) throws {
        level = PushLevel(rawValue: Int32(try row.int16(first)))
        content = PushContent(rawValue: Int32(try row.int16(first + 1)))
        (reactions, requests) = (try row.bool(first + 2), try row.bool(first + 3))
        (reminders, events) = (try row.bool(first + 4), try row.bool(first + 5))
        mentionsWhenMuted = try row.bool(first + 6)
        let (days, from, until) = (
            try row.int16s(first + 7), try row.int16s(first + 8), try row.int16s(first + 9)
        )
        quiet = QuietHoursOfWeek(
            hours: zip(days, zip(from, until)).map {
                QuietHoursOfWeek.Hours(weekday: Int($0), from: Int($1.0), until: Int($1.1))
            }, zone: try row.text(first + 10))
        (sound, version) = (try row.text(first + 11), try row.int64(first + 12))
    }
}

enum SettingsStore {
    /// The columns of the row `p` of people, for ``Wishes``.
    static let columns = """
        p.level, p.content, p.reactions, p.requests, p.reminders, p.events, p.mentions_when_muted, p.quiet_days,
            p.quiet_from, p.quiet_until, p.time_zone, p.sound, p.version
        """

    /// $1 account.
    static let wishes = Statement(
        """
        SELECT \(columns)
        FROM notifications.people AS p
        WHERE account = $1
        """
    ) { row in try Wishes(row, from: 0) }

    /// Makes and locks the row of a person. $1 account.
    static let lock = Statement(
        """
        INSERT INTO notifications.people AS p (account, changed_at)
        VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
        ON CONFLICT (account) DO UPDATE
        SET changed_at = excluded.changed_at
        RETURNING \(columns)
        """
    ) { row in try Wishes(row, from: 0) }

    /// $1 account, $2 to $13 the columns of ``columns`` without the version.
    static let store = Statement<Void>(
        """
        UPDATE notifications.people
        SET level = $2, content = $3, reactions = $4, requests = $5, reminders = $6, events = $7,
            mentions_when_muted = $8, quiet_days = $9, quiet_from = $10, quiet_until = $11, time_zone = $12, sound = $13,
            version = version + 1, changed_at = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
        WHERE account = $1
        """)

    /// $1 account.
    static let levels = Statement(
        """
        SELECT c.conversation_id, l.level
        FROM notifications.levels AS l
        JOIN conversations.conversation_ids AS c ON c.conversation = l.conversation
        WHERE l.account = $1
        ORDER BY l.conversation
        LIMIT 1000
        """
    ) { row in
        PushConversation(conversation: try row.text(0), level: PushLevel(rawValue: Int32(try row.int16(1))))
    }

    /// $1 account, $2 conversation, $3 level. Returns no row if it was so.
    static let setLevel = Statement(
        """
        INSERT INTO notifications.levels AS l (account, conversation, level)
        VALUES ($1, $2, $3)
        ON CONFLICT (account, conversation) DO UPDATE
        SET level = excluded.level
        WHERE l.level <> excluded.level
        RETURNING l.level
        """
    ) { row in try row.int16(0) }

    /// $1 account, $2 conversation. Returns no row if there was none.
    static let dropLevel = Statement(
        """
        DELETE FROM notifications.levels
        WHERE account = $1
            AND conversation = $2
        RETURNING level
        """
    ) { row in try row.int16(0) }

    /// $1 conversation's id, $2 account: its number, if the account is a member who sees it.
    static let ownConversation = Statement(
        """
        SELECT c.conversation
        FROM conversations.conversation_ids AS c
        CROSS JOIN LATERAL \(oneRow(
            "is_reader", from: "conversations.access", where: "conversation = c.conversation", by: "account", is: "$2"
        )) AS a
        WHERE c.conversation_id = $1
            AND a.is_reader
        """
    ) { row in try row.conversation(0) }

    /// $1 and $2 after (changed_at, account), $3 limit, $4 the transports that have keys.
    static let changed = Statement(
        """
        SELECT p.account, EXISTS (
                SELECT
                FROM notifications.devices AS d
                WHERE d.account = p.account
                    AND d.transport = ANY ($4::smallint[])
            ), p.reactions, p.changed_at
        FROM notifications.people AS p
        WHERE (p.changed_at, p.account) > ($1, $2)
        ORDER BY p.changed_at, p.account
        LIMIT $3
        """
    ) { row in
        Registry.Entry(
            account: try row.account(0), hasDevices: try row.bool(1), wantsReactions: try row.bool(2),
            changedAt: try row.time(3))
    }

    /// $1 account, $2 the most rows to delete.
    static let erase = erasing("notifications.people")
    static let eraseLevels = erasing("notifications.levels")
}
