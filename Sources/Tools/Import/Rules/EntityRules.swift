import Schema

/// What reminders, decisions and events are in Parley. Pure.
struct EntityRules {
    private static let titleBytesMax = 512
    private static let textBytesMax = 16_384

    let places: Places

    /// - Parameter conversation: returns the id in Parley of a conversation of the export.
    /// - Returns: nil and why, if it cannot be one.
    func entity(
        _ fragment: Fragment, in conversation: (String) -> String?
    ) -> (entity: ImportedEntity?, why: String) {
        guard let person = fragment.text("user", places) else { return (nil, "it names nobody whose it is") }
        let talk = fragment.text("conversation", places).flatMap(conversation)
        var entity = ImportedEntity(
            kind: fragment.place == .reminder ? .reminder : fragment.place == .event ? .event : .decision,
            uuid: DerivedID.uuid("\(fragment.place.rawValue)s/\(fragment.keys["entity"] ?? "")"), person: person,
            text: "", createdAt: fragment.time("time", places), conversation: talk)
        if let talk, let message = fragment.text("message", places) {
            entity.message = DerivedID.message(message, in: talk)
        }
        let isDecision = fragment.place == .decision
        let given = fragment.text(isDecision ? "text" : "title", places) ?? ""
        let short = Self.cut(given, isDecision ? Self.textBytesMax : Self.titleBytesMax)
        let text =
            !isDecision
            ? try? TextRules.line(short, bytes: Self.titleBytesMax)
            : try? TextRules.message(short, bytes: Self.textBytesMax)
        guard let text else { return (nil, "it has no text that can be shown") }
        entity.text = text
        entity.timeZone = fragment.text("zone", places)
        if fragment.place == .event {
            guard addTime(fragment, to: &entity) else { return (nil, "nothing says when it is") }
            addPeople(fragment, creator: person, to: &entity)
        }
        if fragment.place == .reminder {
            guard let due = fragment.time("due", places) else { return (nil, "nothing says when it is due") }
            (entity.dueAt, entity.isDone) = (due, fragment.field("done", places)?.isTrue ?? false)
        }
        return (entity, short == given ? "" : "its text is cut")
    }

    /// Adds who has an event by another export of it.
    func join(_ other: Fragment, to entity: inout ImportedEntity) {
        var found = entity
        addPeople(other, creator: entity.person, to: &found)
        for guest in found.people {
            // Who answered in one of them has answered.
            if let index = entity.people.firstIndex(where: { $0.person == guest.person }) {
                if entity.people[index].answer == .pending { entity.people[index].answer = guest.answer }
            } else {
                entity.people.append(guest)
            }
        }
    }

    /// A day, and "HH:mm" if it has a time.
    private func addTime(_ fragment: Fragment, to entity: inout ImportedEntity) -> Bool {
        let daySeconds: Int64 = 86_400
        guard let date = fragment.time("date", places) else { return false }
        entity.dueAt = date
        entity.minutes = fragment.field("minutes", places)?.integer.flatMap { Int32(exactly: $0) }
        let seconds = date / 1_000_000
        if let clock = fragment.text("clock", places)?.wholeMatch(of: /(\d{1,2}):(\d{2})/),
            let hour = Int64(clock.1), let minute = Int64(clock.2), hour < 24, minute < 60
        {
            entity.dueAt = (seconds - seconds % daySeconds + hour * 3_600 + minute * 60) * 1_000_000
        } else {
            entity.isWholeDay = seconds % daySeconds == 0
        }
        entity.location =
            fragment.text("location", places).flatMap {
                try? TextRules.line(Self.cut($0, Self.titleBytesMax), bytes: Self.titleBytesMax)
            } ?? ""
        return true
    }

    private func addPeople(_ fragment: Fragment, creator: String, to entity: inout ImportedEntity) {
        entity.people = [.init(person: creator, answer: .accepted)]
        for entry in fragment.field("attendees", places)?.entries ?? [] where entry.key != creator {
            let answers: [String: ImportedEntity.Answer] = [
                "accepted": .accepted, "declined": .declined, "maybe": .tentative, "tentative": .tentative,
            ]
            let answer = answers[entry.value["status"]?.string ?? ""] ?? .pending
            entity.people.append(.init(person: entry.key, answer: answer))
        }
        let invited = (fragment.field("invitations", places)?.entries ?? []).flatMap {
            $0.value["invitedUserIds"]?.people ?? []
        }
        for person in invited where !entity.people.contains(where: { $0.person == person }) {
            entity.people.append(.init(person: person, answer: .pending))
        }
    }

    private static func cut(_ text: String, _ bytes: Int) -> String {
        guard text.utf8.count > bytes else { return text }
        var (kept, count) = ("", 0)
        for character in text {
            count += character.utf8.count
            if count > bytes { break }
            kept.append(character)
        }
        return kept
    }
}
