import Schema

/// What a message is in Parley, from all that an export says of it. Pure.
struct MessageRules {
    static let textBytesMax = 16_384
    private static let reactionsMax = 20
    private static let mentionsMax = 50
    /// Who wrote what has no sender.
    static let unknownSender = "unknown sender"

    let places: Places

    struct Outcome {
        /// The message, and the replies to it that have the rest of a text that is too long.
        var messages: [ImportedMessage]
        /// Whether its time is its own.
        var hasTime: Bool
        var readers: [String]
        var receivers: [String]
        var changes: [String]
        /// Fields that have no home.
        var beside: [JSON.Field]
    }

    /// - Parameters:
    ///   - fragments: the places that have the message; and marks of it in people's lists.
    ///   - conversation: its id in Parley.
    ///   - neighbour: the time of the message before; nil if there is none.
    /// - Returns: nil if there are only marks of it.
    func message(
        _ id: String, _ fragments: [Fragment], in conversation: String, after neighbour: Int64?
    ) -> Outcome? {
        let places = places
        let said = fragments.filter { $0.place == .message }
        guard let first = said.first else { return nil }
        func find<Value>(_ read: (Fragment) -> Value?) -> Value? { said.lazy.compactMap(read).first }
        var changes: [String] = []
        var message = ImportedMessage(
            uuid: DerivedID.message(id, in: conversation), source: id, path: first.path,
            sender: find { $0.text("sender", places) })
        let time = find { $0.time("time", places) } ?? Times.microseconds(ofPushID: id)
        message.sentAt = time ?? neighbour ?? 1
        if time == nil { changes.append("it has no time: it has that of its neighbour") }
        if message.sender == nil {
            changes.append("it has no sender: it is from somebody unknown")
            message.sender = Self.unknownSender
        }
        if find({ $0.text("kind", places) }) == "system" { changes.append("a message of the app itself is a text") }
        message.replyTo = find { $0.text("reply", places) }.map { DerivedID.message($0, in: conversation) }
        decide(said, &message)
        addTogether(fragments, &message, &changes)
        if message.deletedAt == nil {
            addFile(
                find { $0.text("media", places) }, at: find { $0.text("file", places) },
                of: find { $0.text("kind", places) } ?? "", &message)
            clean(&message, &changes)
        }
        return Outcome(
            messages: split(message, id, conversation, &changes), hasTime: time != nil,
            readers: said.flatMap { readers($0) }, receivers: said.flatMap { receivers($0) }, changes: changes,
            beside: said.flatMap { $0.strangers(places) })
    }

    // MARK: Edits and deletions

    /// An edit wins over none, the later over the earlier, a deletion over both.
    private func decide(_ said: [Fragment], _ message: inout ImportedMessage) {
        let sentAt = message.sentAt
        let versions = said.map { fragment -> (text: String, editedAt: Int64?) in
            let isEdited = fragment.field("edited", places)?.isTrue ?? false
            let at = fragment.time("editedAt", places)
            return (fragment.text("text", places) ?? "", at ?? (isEdited ? sentAt : nil))
        }
        // Of equal ones the first.
        let best = versions.enumerated().max { a, b in
            (a.element.editedAt ?? 0, -a.offset) < (b.element.editedAt ?? 0, -b.offset)
        }?.element
        message.text = best?.text ?? ""
        message.editedAt = best?.editedAt.map { max($0, sentAt) }
        if message.editedAt != nil {
            var earlier: [String] = []
            for version in versions.sorted(by: { ($0.editedAt ?? 0) < ($1.editedAt ?? 0) })
            where version.text != message.text && !version.text.isEmpty && !earlier.contains(version.text) {
                earlier.append(version.text)
            }
            message.revisions = earlier
        }
        let deletions = said.filter { fragment in
            fragment.field("deleted", places)?.isTrue ?? false || fragment.time("deletedAt", places) != nil
        }
        guard !deletions.isEmpty else { return }
        message.deletedAt = max(deletions.compactMap { $0.time("deletedAt", places) }.max() ?? sentAt, sentAt)
        (message.text, message.editedAt, message.revisions) = ("", nil, [])
    }

    // MARK: People

    private func addTogether(_ fragments: [Fragment], _ message: inout ImportedMessage, _ changes: inout [String]) {
        for fragment in fragments {
            guard fragment.place == .message else {
                let person = fragment.keys["user"] ?? ""
                switch fragment.text("reason", places) {
                case "starred": message.starredBy.append(person)
                case "hidden": message.hiddenFor.append(person)
                default: message.mentions.append(person)
                }
                continue
            }
            message.mentions += fragment.field("mentions", places)?.people ?? []
            message.hiddenFor += fragment.field("hidden", places)?.people ?? []
            add(fragment.field("reactions", places)?.entries ?? [], to: &message, &changes)
        }
        message.mentions = Self.unique(message.mentions)
        message.starredBy = Self.unique(message.starredBy)
        message.hiddenFor = Self.unique(message.hiddenFor)
        if message.mentions.count > Self.mentionsMax {
            message.mentions.removeLast(message.mentions.count - Self.mentionsMax)
            changes.append("it mentions more than \(Self.mentionsMax) people: the first are")
        }
        if message.deletedAt != nil { (message.mentions, message.reactions, message.starredBy) = ([], [], []) }
    }

    /// Reactions are `{emoji: {person: true or a time}}`, `{emoji: [person]}` or `{person: emoji}`.
    private func add(_ entries: [JSON.Field], to message: inout ImportedMessage, _ changes: inout [String]) {
        for entry in entries {
            let isByPerson = entry.value.string != nil
            guard let emoji = EmojiRules.emoji(isByPerson ? entry.value.string ?? "" : entry.key) else {
                changes.append("the reaction \(entry.key) is no emoji: it is left out")
                continue
            }
            let known = Set(message.reactions.map(\.emoji))
            guard known.contains(emoji) || known.count < Self.reactionsMax else {
                changes.append("it has more than \(Self.reactionsMax) kinds of reactions: \(emoji) is left out")
                continue
            }
            for person in isByPerson ? [entry.key] : entry.value.people {
                let at = isByPerson ? nil : entry.value[person].flatMap(Times.microseconds)
                let isThere = message.reactions.contains { $0.person == person && $0.emoji == emoji }
                if !isThere {
                    message.reactions.append(
                        .init(person: person, emoji: emoji, at: max(at ?? message.sentAt, message.sentAt)))
                }
            }
        }
    }

    private func readers(_ fragment: Fragment) -> [String] { fragment.field("read", places)?.people ?? [] }

    /// `{person: {status: "delivered"}}` or `[person]`.
    private func receivers(_ fragment: Fragment) -> [String] {
        let delivered = fragment.field("delivered", places) ?? .null
        guard case .object(let fields) = delivered else { return delivered.people }
        return fields.filter { ["delivered", "read"].contains($0.value["status"]?.string ?? "") }.map(\.key)
    }

    private static func unique(_ people: [String]) -> [String] {
        var seen: Set<String> = []
        return people.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    // MARK: Texts

    /// By how apps call the kinds of messages.
    private static let types = [
        "image": "image/*", "photo": "image/*", "picture": "image/*", "gif": "image/*", "sticker": "image/*",
        "video": "video/*", "film": "video/*", "audio": "audio/*", "voice": "audio/*", "sound": "audio/*",
    ]

    /// - Parameter path: where the file is, unless the address says so.
    private func addFile(
        _ address: String?, at path: String?, of kind: String, _ message: inout ImportedMessage
    ) {
        guard let address else { return }
        message.file = (path ?? StorageName.name(of: address)).map { name in
            ImportedFile(name: name, address: address, type: Self.types[kind.lowercased()] ?? "*/*")
        }
        message.text += message.text.isEmpty ? address : "\n\(address)"
    }

    /// Leaves out what no message may have, such as control characters and overrides of the text's direction.
    private func clean(_ message: inout ImportedMessage, _ changes: inout [String]) {
        guard (try? TextRules.message(message.text, bytes: .max)) == nil else { return }
        var kept = String.UnicodeScalarView()
        var marks = 0
        for scalar in message.text.unicodeScalars {
            let isMark = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
            marks = isMark ? marks + 1 : 0
            let isControl = scalar.properties.generalCategory == .control && !["\t", "\n", "\r"].contains(scalar)
            let isSteering = [0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F].contains { $0 ~= scalar.value }
            if !isControl, !isSteering, marks <= TextRules.marksMax { kept.append(scalar) }
        }
        if String(kept) == message.text {
            changes.append("it has no text")
        } else {
            message.text = String(kept)
            changes.append("its text is without control characters and the like")
        }
    }

    /// A text that is too long goes on in replies to its beginning.
    private func split(
        _ message: ImportedMessage, _ id: String, _ conversation: String, _ changes: inout [String]
    ) -> [ImportedMessage] {
        guard message.text.utf8.count > Self.textBytesMax else { return [message] }
        let parts = Self.parts(message.text)
        changes.append("its text has \(parts.count) parts, of which the others reply to the first")
        return parts.enumerated().map { index, text in
            var part = index == 0 ? message : ImportedMessage(source: message.source, path: message.path)
            part.uuid = DerivedID.message(id, in: conversation, part: index)
            (part.sender, part.text, part.sentAt) = (message.sender, text, message.sentAt)
            if index > 0 { part.replyTo = message.uuid }
            return part
        }
    }

    /// Cuts at characters, so that none is torn.
    private static func parts(_ text: String) -> [String] {
        var (parts, part, count) = ([String](), "", 0)
        for character in text {
            // One character may be longer than a part: then its scalars are divided.
            for piece in character.utf8.count <= textBytesMax
                ? [String(character)] : character.unicodeScalars.map({ String($0) })
            {
                if count + piece.utf8.count > textBytesMax {
                    parts.append(part)
                    (part, count) = ("", 0)
                }
                part += piece
                count += piece.utf8.count
            }
        }
        return parts + [part]
    }
}

/// Names of objects in a bucket. Pure.
enum StorageName {
    private static let bytesMax = 1_024

    /// Returns the name in the bucket that an address of Firebase's has: `gs://BUCKET/NAME`, or a URL for downloads.
    static func name(of address: String) -> String? {
        if address.hasPrefix("gs://") {
            let parts = address.dropFirst(5).split(separator: "/", maxSplits: 1)
            return parts.count == 2 ? checked(String(parts[1])) : nil
        }
        guard address.hasPrefix("https://firebasestorage.googleapis.com/v0/b/"),
            let range = address.firstRange(of: "/o/")
        else { return nil }
        let encoded = address[range.upperBound...].prefix { $0 != "?" && $0 != "#" }
        return encoded.removingPercentEncoding.flatMap(checked)
    }

    /// The last part of a name, as the name of a file.
    static func shown(_ name: String) -> String {
        let last = String(name.split(separator: "/").last ?? "")
        guard let shown = try? TextRules.name(last, bytes: 255), !shown.contains("\\") else { return "file" }
        return shown
    }

    /// Nil for a name that leads out of the folder.
    static func checked(_ name: String) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.isEmpty, name.utf8.count <= bytesMax, !name.utf8.contains(0),
            parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
        else { return nil }
        return name
    }
}

extension Substring {
    fileprivate var removingPercentEncoding: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
