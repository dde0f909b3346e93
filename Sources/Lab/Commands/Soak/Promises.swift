/// What devices promised: what they answered to is there at the end, once. Pure.
struct Promises: Sendable {
    /// How much is known of what was tried.
    enum Certainty: Sendable {
        /// The device answered: it is there.
        case kept
        /// The device was killed before it answered, or dropped it later: it may be there.
        case uncertain
        /// The device refused it, or it was found not to be there: it never comes.
        case void
    }

    struct Write: Sendable {
        var device: Int
        /// The number of the command.
        var number: Int
        var person: String
        var place: String
        var value: String
        var certainty = Certainty.uncertain
        /// Of a message, once it is known.
        var id: String?
    }

    /// Where something is shown: for one person, or for all.
    private struct Place: Hashable {
        var person: String
        var place: String

        init(_ write: Write) { self.init(write.person, write.place) }

        init(_ person: String, _ place: String) {
            self.person = place.hasPrefix("name ") ? "" : person
            self.place = place
        }
    }

    /// Messages, reminders, decisions and events, each with a place of its own, for the whole run.
    private(set) var made: [Write] = []
    /// What took the place of something else, since the last quiet point.
    private var changes: [Place: [Write]] = [:]
    /// What was there at the last quiet point.
    private var found: [Place: String] = [:]
    /// Messages and reminders that somebody tried to remove.
    private var removed: Set<String> = []
    /// Conversations whose members come and go: what a person sees of them has holes.
    var unstable: Set<String> = []
    /// How many messages were promised.
    var messages: Int { made.count { $0.place.hasPrefix("message ") && $0.certainty == .kept } }

    private static let kinds: Set = ["message", "reminder", "decision", "event"]

    private static func words(_ place: String) -> [String] { place.split(separator: " ").map(String.init) }

    // MARK: What happens

    /// A device is about to do something.
    mutating func tries(_ write: DeviceWrite, device: Int, number: Int, person: String) {
        if let name = write.name { removed.insert(name) }
        let write = Write(device: device, number: number, person: person, place: write.place, value: write.value)
        let words = Self.words(write.place)
        if Self.kinds.contains(words.first ?? "") {
            made.append(write)
        } else {
            changes[Place(write), default: []].append(write)
        }
        if words.count > 1, words[0] == "delete" || words[0] == "forgotten" { removed.insert(words[1]) }
    }

    /// A device answered a command.
    /// - Parameter isRefused: it did nothing.
    mutating func answered(device: Int, number: Int, isRefused: Bool, id: String?) {
        let certainty = isRefused ? Certainty.void : .kept
        if let index = made.lastIndex(where: { $0.device == device && $0.number == number }) {
            (made[index].certainty, made[index].id) = (certainty, id)
            return
        }
        for (place, writes) in changes {
            guard let index = writes.firstIndex(where: { $0.device == device && $0.number == number }) else { continue }
            changes[place]?[index].certainty = certainty
            return
        }
    }

    /// A device gave up what it had promised, as it said: the server refused it, or the person signed out.
    /// - Parameter place: the kind alone stands for all of its kind that the device made lately.
    mutating func dropped(_ place: String, device: Int, person: String) {
        for index in made.indices where made[index].device == device && !sure.contains(made[index].place) {
            if made[index].place == place || made[index].place.hasPrefix("\(place) ") {
                made[index].certainty = .uncertain
            }
        }
        let dropped = Place(person, place)
        for (key, writes) in changes where key.person == dropped.person {
            guard key.place == place || key.place.hasPrefix("\(place) ") else { continue }
            for index in writes.indices where writes[index].device == device {
                changes[key]?[index].certainty = .uncertain
            }
        }
    }

    /// All that a device has not sent may be lost: it was signed out.
    mutating func forgot(device: Int) {
        for index in made.indices where made[index].device == device && !sure.contains(made[index].place) {
            made[index].certainty = made[index].certainty == .void ? .void : .uncertain
        }
        for (place, writes) in changes {
            for index in writes.indices where writes[index].device == device {
                changes[place]?[index].certainty = .uncertain
            }
        }
    }

    /// Places of what was found at a quiet point.
    private var sure: Set<String> = []

    // MARK: Judging

    /// Returns the promises that are broken.
    /// - Parameter screens: what fresh devices show, by person.
    func broken(_ screens: [String: Screen]) -> [String] {
        let shown = screens.mapValues(Shown.init)
        var broken: [String] = []
        for write in made {
            guard let shown = shown[write.person] else { continue }
            if let why = wrong(write, shown) { broken.append("\(write.person), device \(write.device): \(why)") }
        }
        for (place, writes) in changes {
            let value = value(of: place, shown)
            guard let value else { continue }
            let allowed = allowed(rivals(writes, of: place), before: found[place])
            // How far somebody has read only grows.
            if place.place.hasPrefix("read ") {
                let least = writes.filter { $0.certainty == .kept }.compactMap { Int64($0.value) }.max() ?? 0
                if Int64(value) ?? 0 < least {
                    broken.append("\(place.person): \(place.place) is \(value), not \(least)")
                }
            } else if !allowed.isEmpty, !allowed.contains(value) {
                let wanted = allowed.sorted().joined(separator: " or ")
                broken.append("\(place.person): \(place.place) is \"\(value)\", not \"\(wanted)\"")
            }
        }
        for (place, before) in found where changes[place] == nil && !place.place.hasPrefix("read ") {
            guard let value = value(of: place, shown), value != before else { continue }
            if edits(of: value, by: place.person).contains(where: { $0.value == value }) { continue }
            broken.append("\(place.person): \(place.place) is \"\(value)\" by itself, not \"\(before)\"")
        }
        return broken.sorted()
    }

    /// Returns the writes to a place. Edits of a message may name it by the id that it had before it was sent.
    private func rivals(_ writes: [Write], of place: Place) -> [Write] {
        guard place.place.hasPrefix("edit "), let first = writes.first else { return writes }
        return edits(of: first.value, by: place.person)
    }

    /// Returns the edits of the message whose text begins as this one does, with its name.
    private func edits(of text: String, by person: String) -> [Write] {
        let name = Self.words(text).first
        return changes.filter { $0.key.person == person && $0.key.place.hasPrefix("edit ") }.flatMap(\.value)
            .filter { Self.words($0.value).first == name }
    }

    /// Returns what a place may show: of each device the last that it promised, and what it tried after that.
    private func allowed(_ writes: [Write], before: String?) -> Set<String> {
        var allowed: Set<String> = []
        var isSure = false
        for device in Set(writes.map(\.device)) {
            let own = writes.filter { $0.device == device && $0.certainty != .void }.sorted { $0.number < $1.number }
            let last = own.lastIndex { $0.certainty == .kept }
            isSure = isSure || last != nil
            allowed.formUnion(own[(last ?? 0)...].map(\.value))
        }
        if !isSure {
            // Nothing is known of a place that nobody wrote to before.
            guard let before else { return [] }
            allowed.insert(before)
        }
        return allowed
    }

    private func wrong(_ write: Write, _ shown: Shown) -> String? {
        let words = Self.words(write.place)
        let count: Int
        if words[0] == "message" {
            guard shown.chats[words[1]] != nil else { return nil }
            count = shown.idsByPlace[write.place]?.count ?? 0
            // The name of a deleted message is gone.
            if count == 0 {
                if removed.contains(words[2]) { return nil }
                if let id = write.id, shown.messages[id]?.isDeleted ?? false {
                    return "\(write.place) is deleted, and nobody deleted it"
                }
            }
            if count == 0, unstable.contains(words[1]) { return nil }
        } else {
            count = shown.entities[write.place] ?? 0
            if count == 0, removed.contains(words[1]) { return nil }
        }
        if count > 1 { return "\(write.place) is there \(count) times" }
        switch write.certainty {
        case .kept: return count == 0 ? "\(write.place) was promised and is not there" : nil
        case .uncertain: return nil
        case .void: return count > 0 ? "\(write.place) is there, although it was not to be" : nil
        }
    }

    private func value(of place: Place, _ shown: [String: Shown]) -> String? {
        guard place.person.isEmpty else { return shown[place.person]?.value(of: Self.words(place.place)) }
        return shown.values.lazy.compactMap { $0.value(of: Self.words(place.place)) }.first
    }

    /// Takes what is there as what is to stay.
    mutating func settle(_ screens: [String: Screen]) {
        let shown = screens.mapValues(Shown.init)
        for index in made.indices {
            guard let shown = shown[made[index].person] else { continue }
            let (place, words) = (made[index].place, Self.words(made[index].place))
            if words[0] == "message" {
                guard shown.chats[words[1]] != nil else { continue }
                // A message gets another id when that which it had cannot be sent.
                made[index].id = shown.idsByPlace[place]?.first ?? made[index].id
                let isThere =
                    shown.idsByPlace[place] != nil
                    || made[index].id.map { shown.messages[$0] != nil } ?? false
                if made[index].certainty == .uncertain { made[index].certainty = isThere ? .kept : .void }
            } else if made[index].certainty == .uncertain {
                made[index].certainty = shown.entities[place] == nil ? .void : .kept
            }
            sure.insert(place)
        }
        for place in Array(changes.keys) {
            guard let value = value(of: place, shown) else {
                // It is not shown to the person: what was written before says nothing any more.
                (changes[place], found[place]) = (nil, nil)
                continue
            }
            (found[place], changes[place]) = (value, nil)
        }
    }
}

/// What a screen shows, by place.
private struct Shown {
    var chats: [String: Screen.Chat]
    var messages: [String: Screen.Message] = [:]
    var idsByPlace: [String: [String]] = [:]
    var entities: [String: Int] = [:]
    private let screen: Screen

    init(_ screen: Screen) {
        self.screen = screen
        chats = Dictionary(screen.chats.map { ($0.id, $0) }) { $1 }
        for chat in screen.chats {
            for message in chat.messages {
                messages[message.id] = message
                let name = message.text.prefix { $0 != " " }
                if !name.isEmpty { idsByPlace["message \(chat.id) \(name)", default: []].append(message.id) }
            }
        }
        for entity in screen.entities { entities["\(entity.kind) \(entity.text)", default: 0] += 1 }
    }

    /// - Returns: nil if nothing can be said of it.
    func value(of words: [String]) -> String? {
        guard words.count > 1 else { return words.first == "profile" ? profile : nil }
        let chat = chats[words[1]]
        switch words[0] {
        case "edit": return messages[words[1]].flatMap { $0.isDeleted ? nil : $0.text }
        case "delete": return messages[words[1]].map { $0.isDeleted ? "deleted" : "shown" }
        case "star": return messages[words[1]].flatMap { $0.isDeleted ? nil : "\($0.isStarred)" }
        case "react":
            return messages[words[2]].flatMap { message in
                guard !message.isDeleted else { return nil }
                return "\(message.reactions.contains { $0.hasPrefix("\(words[1]) ") && $0.hasSuffix(" mine") })"
            }
        case "pin": return chat.map { "\($0.isPinned)" }
        case "mute": return chat.map { "\($0.isMuted)" }
        case "read": return chat.map { "\($0.readUpTo)" }
        case "name": return chat.map(\.name)
        case "completed": return entity("reminder", words[1])?.own
        case "answer": return entity("event", words[1])?.own
        default: return nil
        }
    }

    /// Its last word says whether the server has it.
    private var profile: String { screen.profile.split(separator: " ").dropLast().joined(separator: " ") }

    private func entity(_ kind: String, _ id: String) -> Screen.Entity? {
        screen.entities.first { $0.kind == kind && $0.id == id }
    }
}
