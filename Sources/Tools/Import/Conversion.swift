import Foundation

/// Turns the folder of an export into what comes into Parley, in order and in bounded memory: people, then each
/// conversation with its messages by time and what people's inboxes say of it.
///
/// The same folder always gives the same, and what it gives of a record depends on that record and its conversation
/// alone.
package final class Conversion {
    package enum Item: Equatable, Sendable {
        case talk(ImportedTalk)
        case message(ImportedMessage)
        case state(ImportedState)
    }

    let folder: String
    private let work: String
    private let places: Places
    package let report: Report
    private let people: Sorter
    private let talks: Sorter
    /// Of messages in the order of the files, with marks of them in people's lists.
    private let spoken: Sorter
    private let byID: Sorter
    let ordered: Sorter
    private let entities: Sorter
    /// Who is named, and whether with a name.
    private var named: [String: Bool] = [:]
    private var current: (conversation: String, senders: Set<String>) = ("", [])
    private var hashConfig: HashConfig?
    private var sortedPeople: Sorted?
    private var sortedItems: Sorted?
    private var sortedEntities: Sorted?
    /// The number of each conversation of the export in the order of the import; with its file where its id is not
    /// enough.
    private var ordinals: [String: Int] = [:]
    private var talkIDs: [String] = []
    /// What the export has of each conversation, in the order of the import.
    package private(set) var contents: [TalkContent] = []
    private var writer: TalkWriter
    /// The files of exports of Parley by whose they are; nil: the export is Firebase's.
    var exporters: [String: String]?
    /// Who is named in exports of Parley.
    var seen: Set<String> = []
    /// What the folder lacks, in words.
    package private(set) var missing: [String] = []

    /// - Parameters:
    ///   - places: nil: the folder has exports of Parley, or is one.
    ///   - work: a folder for files that are gone when the import ends.
    package init(folder: String, places: Places?, report: Report, work: String) {
        (self.folder, self.work, self.places, self.report) = (folder, work, places ?? .exports, report)
        writer = TalkWriter(keepsWindows: places == nil)
        exporters = places == nil ? [:] : nil
        people = Sorter(in: work)
        talks = Sorter(in: work)
        spoken = Sorter(in: work)
        byID = Sorter(in: work)
        ordered = Sorter(in: work)
        entities = Sorter(in: work)
    }

    // MARK: Reading

    /// Reads all files of the folder.
    /// - Throws: ``ImportError``: nothing of a folder with a damaged file comes in.
    package func read() throws(ImportError) {
        if exporters == nil { try readFirebase() } else { try readExports() }
        named = [:]
        seen = []
        sortedPeople = try people.sorted()
    }

    private func readFirebase() throws(ImportError) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw ImportError(.fileFailed, "\(folder) is no folder.", advice: "Put the files of the export into one.")
        }
        try Self.refuseLevelDB(in: folder)
        if let text = try text(of: "hash-config.json") { hashConfig = try HashConfig(text) }
        var found = 0
        for name in ["rtdb.json", "firestore.json"] {
            guard has(name) else { continue }
            found += 1
            var intake = Intake(conversion: self)
            var walker = try Walker(path: "\(folder)/\(name)", name: name, places: places)
            try walker.walk(&intake)
        }
        if has("auth.json") {
            found += 1
            try readAccounts()
        }
        guard found > 0 else {
            throw ImportError(
                .nothing, "\(folder) has neither rtdb.json nor firestore.json nor auth.json.",
                advice: "Name the files of the export like this: see \"Moving from Firebase\" in deploy/README.md.")
        }
    }

    /// Whether there are objects of the bucket.
    package var hasStorage: Bool { FileManager.default.fileExists(atPath: "\(folder)/storage") }

    private func has(_ name: String) -> Bool {
        let isThere = FileManager.default.fileExists(atPath: "\(folder)/\(name)")
        if !isThere { missing.append(name) }
        return isThere
    }

    private func text(of name: String) throws(ImportError) -> String? {
        guard has(name) else { return nil }
        guard let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) else {
            throw ImportError(.encoding, "\(name) cannot be read as UTF-8.")
        }
        return text
    }

    private func readAccounts() throws(ImportError) {
        var reader = try JSONReader(path: "\(folder)/auth.json", name: "auth.json")
        guard try reader.next() == .objectBegins else { throw reader.unexpected("no object at the top") }
        while case .key(let key) = try reader.next() {
            let token = try reader.next()
            guard key == "users", token == .listBegins else {
                try reader.skip(from: token)
                continue
            }
            var index = 0
            while true {
                let token = try reader.next()
                if token == .listEnds { break }
                let user = try reader.value(from: token)
                let path = "auth.json:users/\(index)"
                index += 1
                guard let id = user["localId"]?.string, !id.isEmpty else {
                    try report.note("people", path, .leftOut, "it has no localId")
                    continue
                }
                try add(.auth(user, path: path), toPerson: id)
            }
        }
        guard try reader.next() == .end else { throw reader.unexpected("more than one value") }
    }

    func add(_ piece: PersonRules.Piece, toPerson person: String) throws(ImportError) {
        var packer = Packer()
        piece.pack(to: &packer)
        try people.add(Array(person.utf8), packer.bytes)
    }

    /// Somebody is named, who may have no profile.
    func name(_ person: String, as name: String? = nil) throws(ImportError) {
        let hasName = name?.isEmpty == false
        if let before = named[person], before || !hasName { return }
        named[person] = hasName
        try add(.named(name ?? ""), toPerson: person)
    }

    private func add(_ piece: TalkRules.Piece, toTalk conversation: String) throws(ImportError) {
        var packer = Packer()
        piece.pack(to: &packer)
        try talks.add(Array(conversation.utf8), packer.bytes)
    }

    private func spool(_ fragment: Fragment) throws(ImportError) {
        var packer = Packer()
        fragment.pack(to: &packer)
        try spoken.add([], packer.bytes)
    }

    /// Sorts what a walker finds.
    struct Intake: Walker.Visitor {
        let conversion: Conversion

        func found(_ fragment: Fragment) throws(ImportError) { try conversion.take(fragment) }

        func unplaced(_ path: String, user: String?, value: JSON?) throws(ImportError) {
            guard let user, let value else {
                return try conversion.report.note("others", path, .leftOut, "the map names no place of it")
            }
            try conversion.add(.beside(value, path: path), toPerson: user)
        }

        func replaced(_ path: String) {
            // Counted with the record, which says so itself.
            conversion.replaced.insert(path)
        }
    }

    private var replaced: Set<String> = []

    func take(_ fragment: Fragment) throws(ImportError) {
        let keys = fragment.keys
        switch fragment.place {
        case .person, .presence: try add(.fragment(fragment), toPerson: keys["user"] ?? "")
        case .block:
            try add(.fragment(fragment), toPerson: keys["user"] ?? "")
            try name(fragment.value.string ?? keys["other"] ?? "")
        case .conversation, .members, .chat:
            try add(.fragment(fragment), toTalk: keys["conversation"] ?? "")
            let names = fragment.field("names", places) ?? fragment.field("details", places) ?? .null
            let named = fragment.field("members", places)?.people ?? []
            for person in named + (fragment.place == .members ? fragment.value.people : names.entries.map(\.key)) {
                try name(person, as: names[person]?.string ?? names[person]?["displayName"]?.string)
            }
            if fragment.place == .chat { try name(keys["user"] ?? "") }
        case .message: try takeMessage(fragment, in: keys["conversation"] ?? "")
        case .state: try spool(fragment)
        case .mark:
            guard let message = fragment.text("message", places),
                let conversation = fragment.text("conversation", places)
            else {
                return try report.note("marks", fragment.path, .leftOut, "it names no message of a conversation")
            }
            var named = fragment
            (named.keys["message"], named.keys["conversation"]) = (message, conversation)
            try spool(named)
        case .request:
            let conversation = fragment.text("conversation", places) ?? keys["request"] ?? ""
            try add(.fragment(fragment), toTalk: conversation)
            for field in ["requester", "recipient"] {
                if let person = fragment.text(field, places) { try name(person) }
            }
        case .event, .reminder, .decision:
            if let person = fragment.text("user", places) { try name(person) }
            var packer = Packer()
            fragment.pack(to: &packer)
            try entities.add(Array("\(fragment.place.rawValue)/\(keys["entity"] ?? "")".utf8), packer.bytes)
        }
    }

    private func takeMessage(_ fragment: Fragment, in conversation: String) throws(ImportError) {
        try spool(fragment)
        if current.conversation != conversation { current = (conversation, []) }
        let sender = fragment.text("sender", places) ?? MessageRules.unknownSender
        guard current.senders.insert(sender).inserted else { return }
        try add(.sender(sender), toTalk: conversation)
        try name(sender, as: fragment.text("senderName", places))
    }

    // MARK: People

    package func nextPerson() throws(ImportError) -> ImportedPerson? {
        while let group = try sortedPeople?.nextGroup() {
            let source = String(decoding: group.key, as: UTF8.self)
            if source.isEmpty { continue }
            let pieces = group.values.map { bytes in
                var unpacker = Unpacker(bytes)
                return PersonRules.Piece(&unpacker)
            }
            let (person, changes) = PersonRules(
                places: places, hashConfig: hashConfig, keepsUsernames: exporters != nil
            ).person(source, pieces)
            try report.note(
                "people", person.path, changes.isEmpty ? .kept : .changed, changes.joined(separator: "; "))
            for field in person.beside {
                let size = field.value.text.utf8.count
                let isSmall = size <= Walker.besideBytesMax
                try report.note(
                    "others", field.key, isSmall ? .keptBeside : .leftOut,
                    isSmall ? "Parley has no home for it" : "it has \(size) bytes, more than is kept beside")
            }
            return person
        }
        return nil
    }

    // MARK: Conversations

    /// Joins the conversations of pairs, and puts messages and states to theirs. Call it once, before ``nextItem()``.
    package func arrange() throws(ImportError) {
        try arrangeTalks()
        try arrangeMessages()
        try decideMessages()
        sortedEntities = try entities.sorted()
    }

    private func arrangeTalks() throws(ImportError) {
        let rules = TalkRules(places: places)
        let bySource = try talks.sorted()
        let byTarget = Sorter(in: work)
        while let group = try bySource.nextGroup() {
            let source = String(decoding: group.key, as: UTF8.self)
            let pieces = group.values.map { bytes in
                var unpacker = Unpacker(bytes)
                return TalkRules.Piece(&unpacker)
            }
            let variants = rules.apart(pieces)
            for (file, pieces) in variants {
                guard let outcome = rules.talk(source, pieces) else {
                    try report.note("conversations", "conversations/\(source)", .leftOut, "nobody is in it")
                    continue
                }
                var changes = outcome.changes
                if variants.count > 1 {
                    changes.append("two stores have this id for different pairs: it is not merged")
                }
                try report.note(
                    "conversations", outcome.talk.path, changes.isEmpty ? .kept : .changed,
                    changes.joined(separator: "; "))
                var packer = Packer()
                packer.put(file)
                outcome.talk.pack(to: &packer)
                packer.put(outcome.states.count)
                for state in outcome.states { state.pack(to: &packer) }
                try byTarget.add(Array(outcome.talk.id.utf8), packer.bytes)
            }
        }
        let sorted = try byTarget.sorted()
        while let group = try sorted.nextGroup() { try number(group.values, rules) }
    }

    /// Gives a number to a conversation that comes in.
    private func number(_ parts: [[UInt8]], _ rules: TalkRules) throws(ImportError) {
        let ordinal = talkIDs.count
        var talk: ImportedTalk?
        for bytes in parts {
            var unpacker = Unpacker(bytes)
            let file = unpacker.text()
            let part = ImportedTalk(&unpacker)
            ordinals[SortKey.name(part.sources[0], file)] = ordinal
            for state in unpacker.list({ ImportedState(&$0) }) { try add(state, to: ordinal) }
            if let first = talk {
                try report.note(
                    "conversations", part.path, .changed, "it is of the same pair as \(first.path): both are one")
                talk = rules.joined(first, part)
            } else {
                talk = part
            }
        }
        guard let talk else { return }
        talkIDs.append(talk.id)
        var packer = Packer()
        talk.pack(to: &packer)
        try put([0], packer.bytes, of: ordinal)
    }

    /// What the keys of messages begin with, among the records of a conversation.
    static let messageKey: UInt8 = 1

    /// Puts a record to those of its conversation.
    private func put(_ key: [UInt8], _ bytes: [UInt8], of ordinal: Int) throws(ImportError) {
        while contents.count <= ordinal { contents.append(TalkContent()) }
        contents[ordinal].add(ContentDigest.hash(key, bytes), isMessage: key[0] == Self.messageKey)
        try ordered.add(SortKey.number(ordinal) + key, bytes)
    }

    private func add(_ state: ImportedState, to ordinal: Int) throws(ImportError) {
        var packer = Packer()
        state.pack(to: &packer)
        try put([2] + Array(state.person.utf8), packer.bytes, of: ordinal)
    }

    private func arrangeMessages() throws(ImportError) {
        let rules = StateRules(places: places)
        let all = try spoken.sorted()
        while let record = try all.next() {
            var unpacker = Unpacker(record.value)
            let fragment = Fragment(&unpacker)
            let source = fragment.keys["conversation"] ?? ""
            let file = String(fragment.path.prefix { $0 != ":" })
            guard let ordinal = ordinals[source] ?? ordinals[SortKey.name(source, file)] else {
                let kind = fragment.place == .message ? "messages" : "marks"
                try report.note(kind, fragment.path, .leftOut, "its conversation is not there")
                continue
            }
            if fragment.place == .state {
                try report.note("states", fragment.path, .kept)
                try add(rules.state(fragment, in: talkIDs[ordinal]), to: ordinal)
            } else {
                try byID.add(SortKey.number(ordinal) + SortKey.id(fragment.keys["message"] ?? ""), record.value)
            }
        }
    }

    private func decideMessages() throws(ImportError) {
        let rules = MessageRules(places: places)
        let all = try byID.sorted()
        var (ordinal, neighbour) = (-1, Int64?.none)
        var reading = ReadMessages()
        while let group = try all.nextGroup() {
            let at = group.key.prefix(8).reduce(0) { $0 << 8 | Int($1) }
            if at != ordinal {
                try endReading(reading, of: ordinal)
                (ordinal, neighbour, reading) = (at, nil, ReadMessages())
            }
            let fragments = group.values.map { bytes in
                var unpacker = Unpacker(bytes)
                return Fragment(&unpacker)
            }
            let id = fragments.first?.keys["message"] ?? ""
            guard let outcome = rules.message(id, fragments, in: talkIDs[ordinal], after: neighbour) else {
                for mark in fragments {
                    try report.note("marks", mark.path, .leftOut, "the message that it names is not there")
                }
                continue
            }
            let first = outcome.messages[0]
            if outcome.hasTime { neighbour = first.sentAt }
            try note(fragments, outcome)
            for (index, message) in outcome.messages.enumerated() {
                var packer = Packer()
                message.pack(to: &packer)
                let time = withUnsafeBytes(of: UInt64(message.sentAt).bigEndian) { Array($0) }
                let key = [Self.messageKey] + time + SortKey.id(id) + [0, UInt8(clamping: index)]
                try put(key, packer.bytes, of: ordinal)
            }
            reading.note(outcome, first, by: fragments.compactMap { $0.keys["reader"] })
        }
        try endReading(reading, of: ordinal)
    }

    private func note(_ fragments: [Fragment], _ outcome: MessageRules.Outcome) throws(ImportError) {
        var changes = outcome.changes
        let first = outcome.messages[0]
        if fragments.contains(where: { replaced.contains($0.path) }) {
            changes.append("halves of surrogate pairs and NUL are U+FFFD")
        }
        try report.note("messages", first.path, changes.isEmpty ? .kept : .changed, changes.joined(separator: "; "))
        for other in fragments where other.path != first.path {
            let kind = other.place == .message ? "messages" : "marks"
            try report.note(kind, other.path, .kept, other.place == .message ? "the same message as \(first.path)" : "")
        }
        if !outcome.beside.isEmpty {
            try report.note(
                "others", first.path, .leftOut,
                "Parley has no home for " + outcome.beside.map(\.key).sorted().joined(separator: ", "))
        }
    }

    private func endReading(_ reading: ReadMessages, of ordinal: Int) throws(ImportError) {
        for (person, last) in reading.read {
            try add(ImportedState(person: person, readMessages: [last.uuid]), to: ordinal)
        }
        for (person, first) in reading.first {
            try add(ImportedState(person: person, firstMessage: first.uuid), to: ordinal)
        }
        for (person, last) in reading.delivered {
            try add(ImportedState(person: person, deliveredMessage: last.uuid), to: ordinal)
        }
    }

    // MARK: In order

    /// The ids of the conversations, in the order of ``nextItem()``. Call it after ``arrange()``.
    package var conversations: [String] { talkIDs }

    /// Returns the next conversation, message or state. A conversation comes before its messages, and these before what
    /// people's inboxes say of it.
    package func nextItem() throws(ImportError) -> Item? {
        if sortedItems == nil { sortedItems = try ordered.sorted() }
        while true {
            if let item = writer.next() { return item }
            guard let group = try sortedItems?.nextGroup() else {
                return writer.isEnded ? nil : writer.end()
            }
            let values = group.values.map { Unpacker($0) }
            switch group.key[8] {
            case 0:
                for var value in values { writer.begin(ImportedTalk(&value)) }
            case Self.messageKey:
                for var value in values { try writer.add(ImportedMessage(&value), report) }
            default:
                let rules = StateRules(places: places)
                var states = values.map { value in
                    var value = value
                    return ImportedState(&value)
                }
                let first = states.removeFirst()
                writer.add(states.reduce(first, rules.joined))
            }
        }
    }

    /// Returns the next event, reminder or decision. Call it after ``nextItem()`` returned the last.
    package func nextEntity() throws(ImportError) -> ImportedEntity? {
        let rules = EntityRules(places: places)
        while let group = try sortedEntities?.nextGroup() {
            let fragments = group.values.map { bytes in
                var unpacker = Unpacker(bytes)
                return Fragment(&unpacker)
            }
            let fragment = fragments[0]
            let file = String(fragment.path.prefix { $0 != ":" })
            let (entity, why) = rules.entity(fragment) { source in
                (ordinals[source] ?? ordinals[SortKey.name(source, file)]).map { talkIDs[$0] }
            }
            try report.note("entities", fragment.path, entity == nil ? .leftOut : why.isEmpty ? .kept : .changed, why)
            guard var entity else { continue }
            if entity.kind == .event { for other in fragments.dropFirst() { rules.join(other, to: &entity) } }
            return entity
        }
        return nil
    }
}
