import Import
import Postgres
import Schema

/// Events, reminders and decisions.
extension ImportWriter {
    func writeEntities(_ conversion: Conversion) async throws {
        var batch: [(entity: ImportedEntity, account: Int64)] = []
        while true {
            let entity = try conversion.nextEntity()
            if let entity, let person = people[entity.person], !person.isErased {
                batch.append((entity, person.account))
            }
            if batch.count == Self.pieceMax || entity == nil, !batch.isEmpty {
                try await write(batch)
                batch = []
            }
            if entity == nil { return }
        }
    }

    private func write(_ batch: [(entity: ImportedEntity, account: Int64)]) async throws {
        let reminders = batch.filter { $0.entity.kind == .reminder }
        let decisions = batch.filter { $0.entity.kind == .decision }
        let events = batch.filter { $0.entity.kind == .event }
        let talks = talks
        _ = try await connection.transaction { transaction in
            let at = try await Self.now(transaction)
            if !reminders.isEmpty {
                try await transaction.execute(
                    ImportStore.reminders, .int64s(reminders.map(\.account)), .uuids(reminders.map(\.entity.uuid)),
                    .texts(reminders.map(\.entity.text)), .int64s(reminders.map { $0.entity.dueAt ?? at }),
                    .texts(reminders.map { $0.entity.timeZone ?? "UTC" }),
                    .int64s(reminders.map { $0.entity.createdAt ?? at }),
                    .optionalInt64s(reminders.map { $0.entity.conversation.flatMap { talks[$0] } }),
                    .optionalTexts(reminders.map { $0.entity.message.map(DerivedID.hex) }),
                    .optionalInt64s(reminders.map { $0.entity.isDone ? $0.entity.dueAt : nil }),
                    // What was due before is not told of again.
                    .optionalInt64s(reminders.map { ($0.entity.dueAt ?? at) <= at ? $0.entity.dueAt : nil }))
            }
            if !decisions.isEmpty {
                try await transaction.execute(
                    ImportStore.decisions, .int64s(decisions.map(\.account)), .uuids(decisions.map(\.entity.uuid)),
                    .texts(decisions.map(\.entity.text)), .texts(decisions.map { Folding.folded($0.entity.text) }),
                    .int64s(decisions.map { $0.entity.createdAt ?? at }),
                    .optionalInt64s(decisions.map { $0.entity.conversation.flatMap { talks[$0] } }),
                    .optionalTexts(decisions.map { $0.entity.message.map(DerivedID.hex) }))
            }
            if !events.isEmpty { try await self.write(events: events, at: at, transaction) }
        }
    }

    /// As a request allows.
    private static func minutes(of event: ImportedEntity) -> Int32 {
        let (hour, day): (Int32, Int32) = (60, 1_440)
        guard event.isWholeDay else { return min(max(event.minutes ?? hour, 0), 366 * day) }
        let days = (event.minutes ?? day) / day
        return min(max(days, 1), 366) * day
    }

    private func write(
        events: [(entity: ImportedEntity, account: Int64)], at: Int64, _ transaction: Transaction
    ) async throws {
        let day: Int64 = 86_400
        let seconds = events.map { ($0.entity.dueAt ?? at) / 1_000_000 }
        var guests: [(ordinal: Int32, account: Int64, answer: Int16)] = []
        for (index, event) in events.enumerated() {
            for guest in event.entity.people {
                guard let person = people[guest.person], !person.isErased else { continue }
                guests.append((Int32(index + 1), person.account, guest.answer.rawValue))
            }
        }
        try await transaction.execute(
            ImportStore.events, .int64s(events.map(\.account)), .uuids(events.map(\.entity.uuid)),
            .texts(events.map(\.entity.text)), .int32s(seconds.map { Int32($0 / day) }),
            .optionalInt32s(zip(events, seconds).map { $0.entity.isWholeDay ? nil : Int32($1 % day) }),
            // An app that says when an event begins seldom says when it ends.
            .int32s(events.map { Self.minutes(of: $0.entity) }),
            .texts(events.map(\.entity.location)), .int64s(events.map { $0.entity.createdAt ?? at }),
            .optionalInt64s(events.map { $0.entity.conversation.flatMap { talks[$0] } }),
            .optionalTexts(events.map { $0.entity.message.map(DerivedID.hex) }), .int32s(guests.map(\.ordinal)),
            .int64s(guests.map(\.account)), .int16s(guests.map(\.answer)))
    }
}
