import Foundation

/// Reads what `parley export` wrote of one person, piece by piece, as the records of any export.
///
/// A message is known by its number in the conversation, which all people of one server call it by.
struct ExportReading {
    /// What is found.
    protocol Visitor {
        func found(_ fragment: Fragment) throws(ImportError)
        /// Somebody as others see them.
        func seen(_ user: JSON, _ id: String) throws(ImportError)
        func beside(_ value: JSON, _ path: String, of person: String) throws(ImportError)
        func note(_ kind: String, _ path: String, _ what: Report.What, _ why: String) throws(ImportError)
    }

    /// What a section has that stays behind, and why.
    private static let left = [
        "devices": "people sign in anew",
        "identities": "an export does not say as whom the issuer knows them: people link it anew",
        "presence": "it is of a moment", "pushDevices": "apps register anew",
        "suggestions": "they are made anew of what is said", "requests": "the conversation has it",
    ]

    private let name: String
    private let visitor: any Visitor
    private var reader: JSONReader
    /// Whose export it is.
    private(set) var user = ""
    private var version: Int64?
    /// How far they have read each conversation, and its last message so far.
    private var inbox: [String: (read: Int64, last: Int64?, value: [JSON.Field])] = [:]
    /// The files of messages, by conversation and number.
    private var files: [String: String] = [:]
    /// Reminders and the like that name a message by its id, and these messages.
    private var waiting: [Fragment] = []
    private var wanted: [String: String?] = [:]

    /// - Parameter name: of the file, by which the report names it.
    init(path: String, name: String, _ visitor: any Visitor) throws(ImportError) {
        (self.name, self.visitor) = (name, visitor)
        reader = try JSONReader(path: path, name: name)
    }

    /// - Throws: ``ImportError`` if the file is damaged or no export.
    mutating func read() throws(ImportError) {
        guard try reader.next() == .objectBegins else { throw stranger() }
        while case .key(let key) = try reader.next() {
            let token = try reader.next()
            switch key {
            case "parley_export": try readVersion(try reader.value(from: token))
            case "user":
                user = try reader.value(from: token).string ?? ""
                guard DerivedID.isAllowed(user) else { throw stranger() }
            default:
                guard version != nil, !user.isEmpty, token == .listBegins else { throw stranger() }
                try read(section: key)
            }
        }
        guard try reader.next() == .end, version != nil, !user.isEmpty else { throw stranger() }
        try finish()
    }

    private mutating func readVersion(_ value: JSON) throws(ImportError) {
        guard let number = value.integer, number >= 1 else { throw stranger() }
        guard number == 1 else {
            throw ImportError(
                .exportVersion, "\(name) is of version \(number) of exports, which this version does not know.",
                advice: "Import it by a newer version of Parley.")
        }
        version = number
    }

    private func stranger() -> ImportError {
        ImportError(
            .notExport, "\(name) is not what \"parley export\" writes.",
            advice: "Leave in the folder only exports, and folders of their files beside them.")
    }

    private mutating func read(section: String) throws(ImportError) {
        var index = 0
        while true {
            let token = try reader.next()
            if token == .listEnds { return }
            let item = try reader.value(from: token)
            try take(section, item, "\(name):\(section)/\(index)")
            index += 1
        }
    }

    private mutating func take(_ section: String, _ item: JSON, _ path: String) throws(ImportError) {
        switch section {
        case "profile": try takeProfile(item, path)
        case "ownPresence", "pushSettings", "reports": try visitor.beside(item, path, of: user)
        case "imported":
            // What an import kept before stays under its path.
            let kept = item["path"]?.string ?? path
            try visitor.beside(Self.parsed(item["json"]?.string ?? ""), kept, of: user)
        case "blocks":
            guard let other = try see(item["user"]) else { return }
            try visitor.found(Fragment(.block, ["user": user, "other": other], path: path, .bool(true)))
        case "conversations": try takeConversation(item, path)
        case "members":
            guard let conversation = item["conversation"]?.string else { return }
            try takeMembers([item["member"] ?? .null], of: conversation, [], path)
        case "inbox":
            guard let conversation = item["conversation"]?.string else { return }
            inbox[conversation] = (item["readSeq"]?.integer ?? 0, nil, try state(item, path))
        case "files":
            guard let saved = item["savedAs"]?.string, let conversation = item["conversation"]?.string,
                let seq = item["seq"]?.name
            else { return }
            files["\(conversation)/\(seq)"] = saved
        case "reminders": try takeReminder(item, path)
        case "decisions": try takeDecision(item, path)
        case "events": try takeEvent(item, path)
        case "messages": try takeMessage(item)
        default:
            try visitor.note(section, path, .leftOut, Self.left[section] ?? "this version does not know it")
        }
    }

    private static func parsed(_ text: String) -> JSON {
        var reader = JSONReader(Array(text.utf8), name: "")
        guard let token = try? reader.next(), let value = try? reader.value(from: token) else { return .text(text) }
        return value
    }

    // MARK: People

    private func takeProfile(_ item: JSON, _ path: String) throws(ImportError) {
        let own = item["user"] ?? .null
        guard own["id"]?.string == user else { throw stranger() }
        let email = item["email"]?.string ?? ""
        let isConfirmed = item["emailConfirmed"]?.isTrue ?? false
        try visitor.found(
            Fragment(
                .person, ["user": user], path: "\(name):profile",
                .object(
                    Self.fields(of: own) + [.init("email", .text(email)), .init("confirmed", .bool(isConfirmed))])))
        if item["findableByEmail"]?.isTrue ?? false {
            try visitor.note("others", path, .leftOut, "being found by the address is for them to allow here")
        }
    }

    static func fields(of user: JSON) -> [JSON.Field] {
        [
            .init("name", user["displayName"] ?? .null), .init("username", user["username"] ?? .null),
            .init("photo", user["photoUrl"] ?? .null), .init("time", time(user["createdAtUs"])),
        ]
    }

    /// - Returns: the id of a user.
    private func see(_ user: JSON?) throws(ImportError) -> String? {
        guard let user, let id = user["id"]?.string, !id.isEmpty else { return nil }
        try visitor.seen(user, id)
        return id
    }

    /// A number of microseconds as a time stamp, which keeps all of them.
    private static func time(_ value: JSON?) -> JSON {
        guard let us = value?.integer, us > 0 else { return .null }
        return .object([
            .init("_seconds", .number("\(us / 1_000_000)")),
            .init("_nanoseconds", .number("\(us % 1_000_000 * 1_000)")),
        ])
    }

    // MARK: Conversations

    private func takeConversation(_ item: JSON, _ path: String) throws(ImportError) {
        guard let id = item["id"]?.string, !id.isEmpty, !id.utf8.contains(0) else {
            return try visitor.note("conversations", path, .leftOut, "it has no id")
        }
        let isGroup = item["kind"]?.string == "GROUP"
        let section = item["section"]?.string
        if section == "GONE" { return try visitor.note("conversations", path, .leftOut, "it is gone for them") }
        let hasLeft = item["leftAtUs"]?.integer ?? 0 > 0
        if isGroup, section == "REQUESTS" {
            return try visitor.note("conversations", path, .leftOut, "it is an invitation, to be made anew")
        }
        let status = item["conversationStatus"]?.string
        var fields: [JSON.Field] = [
            .init("kind", .text(isGroup ? "group" : "direct")), .init("name", item["name"] ?? .null),
            .init("photo", item["photoUrl"] ?? .null), .init("time", Self.time(item["createdAtUs"])),
            .init("creator", item["createdBy"] ?? .null),
            .init("status", .text(status == "PENDING" ? "pending" : "accepted")),
            .init("requester", item["requesterId"] ?? .null), .init("seen", item["requestReadBy"] ?? .null),
        ]
        guard hasLeft else { return try takeMembers(item["members"]?.entries.map(\.value) ?? [], of: id, fields, path) }
        fields += [
            .init("members", .list([.text(user)])),
            .init("details", .object([.init(user, .object([.init("leftAt", Self.time(item["leftAtUs"]))]))])),
        ]
        try visitor.found(Fragment(.conversation, ["conversation": id], path: path, .object(fields)))
    }

    private func takeMembers(
        _ members: [JSON], of conversation: String, _ fields: [JSON.Field], _ path: String
    ) throws(ImportError) {
        var fields = fields
        var (ids, details, admins) = ([JSON](), [JSON.Field](), [JSON]())
        for member in members {
            guard let id = try see(member["user"]) else { continue }
            ids.append(.text(id))
            details.append(.init(id, .object([.init("joinedAt", Self.time(member["joinedAtUs"]))])))
            switch member["role"]?.string {
            case "OWNER":
                // Of a group the owner counts, whoever made it.
                fields.removeAll { $0.key == "creator" }
                fields.append(.init("creator", .text(id)))
            case "ADMIN": admins.append(.text(id))
            default: break
            }
        }
        fields += [
            .init("members", .list(ids)), .init("details", .object(details)), .init("admins", .list(admins)),
        ]
        try visitor.found(Fragment(.conversation, ["conversation": conversation], path: path, .object(fields)))
    }

    private func state(_ item: JSON, _ path: String) throws(ImportError) -> [JSON.Field] {
        let until = item["mutedUntilUs"]?.integer ?? 0
        if until > 0, until < .max {
            try visitor.note("states", path, .changed, "it was muted for a time only: it is not muted")
        }
        return [
            .init("pinned", .bool(item["pinnedAtUs"]?.integer ?? 0 > 0)), .init("muted", .bool(until == .max)),
            .init("archived", .bool(item["archivedAtUs"]?.integer ?? 0 > 0)),
            .init("cleared", .bool(item["clearedSeq"]?.integer ?? 0 > 0)),
        ]
    }

    // MARK: Messages

    private mutating func takeMessage(_ item: JSON) throws(ImportError) {
        guard let conversation = item["conversation"]?.string, let seq = item["seq"]?.integer, seq > 0 else {
            return try visitor.note("messages", "\(name):messages", .leftOut, "it names no place in a conversation")
        }
        let path = "\(name):messages/\(conversation)/\(seq)"
        let keys = ["conversation": conversation, "message": "\(seq)", "reader": user]
        let own = item["own"] ?? .null
        if own["hidden"]?.isTrue ?? false { return try mark("hidden", keys, path) }
        guard let sender = item["sender"]?.string, !sender.isEmpty else {
            return try visitor.note("messages", path, .leftOut, "the server made it: nobody wrote it")
        }
        let isDeleted = item["deletedAtUs"]?.integer ?? 0 > 0
        if item["expiresAtUs"]?.integer ?? 0 > 0, !isDeleted {
            return try visitor.note("messages", path, .leftOut, "it was to disappear")
        }
        if let id = item["id"]?.string, wanted[id] != nil { wanted[id] = "\(seq)" }
        if let state = inbox[conversation] {
            inbox[conversation]?.last = seq <= state.read ? seq : state.last
        }
        let time = Self.time(item["sentAtUs"])
        if item["forwardedFrom"] != nil { try visitor.note("others", path, .leftOut, "who wrote what it forwards") }
        for (index, revision) in (sender == user ? item["revisions"]?.entries ?? [] : []).enumerated() {
            let before = index == 0 ? nil : item["revisions"]?.entries[index - 1].value["untilUs"]
            let fields: [JSON.Field] = [
                .init("sender", .text(sender)), .init("text", revision.value["text"] ?? .null), .init("time", time),
                .init("editedAt", Self.time(before)),
            ]
            try visitor.found(Fragment(.message, keys, path: "\(path)/revisions/\(index)", .object(fields)))
        }
        var fields: [JSON.Field] = [
            .init("sender", .text(sender)), .init("text", item["text"] ?? .null), .init("time", time),
            .init("reply", item["replyToSeq"]?.name.map(JSON.text) ?? .null),
            .init("deleted", .bool(isDeleted)), .init("deletedAt", Self.time(item["deletedAtUs"])),
            .init("editedAt", Self.time(item["editedAtUs"])), .init("mentions", item["mentions"] ?? .null),
            .init("reactions", try reactions(of: item, path)),
        ]
        if let media = item["media"] { fields += try file(of: media, item, "\(conversation)/\(seq)", sender, path) }
        try visitor.found(Fragment(.message, keys, path: path, .object(fields)))
        if own["starred"]?.isTrue ?? false { try mark("starred", keys, path) }
    }

    private func mark(_ reason: String, _ keys: [String: String], _ path: String) throws(ImportError) {
        var keys = keys
        (keys["user"], keys["mark"]) = (user, keys["message"])
        let fields: [JSON.Field] = [
            .init("message", .text(keys["message"] ?? "")), .init("conversation", .text(keys["conversation"] ?? "")),
            .init("reason", .text(reason)),
        ]
        try visitor.found(Fragment(.mark, keys, path: "\(path)/\(reason)", .object(fields)))
    }

    /// Of the others' an export has only the numbers.
    private func reactions(of item: JSON, _ path: String) throws(ImportError) -> JSON {
        let mine = item["own"]?["reactions"]?.people ?? []
        let counts = (item["reactions"]?.entries ?? []).map { entry in
            max(0, entry.value["count"]?.integer ?? 0) - (mine.contains(entry.value["emoji"]?.string ?? "") ? 1 : 0)
        }
        if counts.contains(where: { $0 > 0 }) {
            try visitor.note(
                "reactions", path, .leftOut, "it does not say whose they are: those of other exports come in")
        }
        return .object(mine.map { .init($0, .object([.init(user, .bool(true))])) })
    }

    private func file(
        of media: JSON, _ item: JSON, _ place: String, _ sender: String, _ path: String
    ) throws(ImportError) -> [JSON.Field] {
        let address = media["url"]?.string ?? media["name"]?.string ?? ""
        var fields: [JSON.Field] = [
            .init("media", .text(address.isEmpty ? "file" : address)),
            .init("kind", .text(item["kind"]?.string?.lowercased() ?? "")),
        ]
        guard media["attachment"] != nil else { return fields }
        if let saved = files[place] {
            let folder = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
            if let stored = StorageName.checked("\(folder)/\(saved)") {
                fields.append(.init("file", .text(stored)))
            } else {
                try visitor.note("files", path, .leftOut, "its path leads out of the folder")
            }
        } else {
            let why =
                sender == user
                ? "the export was made without --files" : "only the export of who sent it has the file"
            try visitor.note("files", path, .leftOut, "\(why): the message has its name")
        }
        return fields
    }

    // MARK: Reminders, decisions, events

    private mutating func takeReminder(_ item: JSON, _ path: String) throws(ImportError) {
        try takeEntity(
            .reminder, item, path,
            [
                .init("user", .text(user)), .init("title", item["title"] ?? .null),
                .init("due", Self.time(item["dueAtUs"])), .init("zone", item["timeZone"] ?? .null),
                .init("done", item["completed"] ?? .null),
            ])
    }

    private mutating func takeDecision(_ item: JSON, _ path: String) throws(ImportError) {
        guard item["supersededBy"] == nil else {
            return try visitor.note("entities", path, .leftOut, "a later decision replaces it")
        }
        try takeEntity(
            .decision, item, path, [.init("user", item["user"] ?? .null), .init("text", item["text"] ?? .null)])
    }

    private mutating func takeEvent(_ item: JSON, _ path: String) throws(ImportError) {
        if item["cancelledAtUs"]?.integer ?? 0 > 0 {
            return try visitor.note("entities", path, .leftOut, "it is called off")
        }
        let rest = ["recurrence", "link", "notes", "changedDates"].filter { item[$0] != nil }
        if !rest.isEmpty { try visitor.beside(item, path, of: user) }
        guard item["recurrence"] == nil else {
            return try visitor.note("entities", path, .keptBeside, "it repeats: make it anew")
        }
        let minutes = (item["startsAtUs"]?.integer ?? 0) / 60_000_000 % 1_440
        let isWholeDay = item["when"]?["time"] == nil
        let answer = item["own"]?["status"]?.string?.replacing("ATTENDANCE_STATUS_", with: "").lowercased() ?? ""
        let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        try takeEntity(
            .event, item, path,
            [
                .init("user", item["creator"] ?? .null), .init("title", item["title"] ?? .null),
                .init("date", Self.time(item["startsAtUs"])),
                .init("clock", isWholeDay ? .null : .text("\(two(minutes / 60)):\(two(minutes % 60))")),
                .init("minutes", item["when"]?["durationMinutes"] ?? .null),
                .init("location", item["location"] ?? .null),
                .init("attendees", .object([.init(user, .object([.init("status", .text(answer))]))])),
            ])
    }

    private mutating func takeEntity(
        _ place: Place, _ item: JSON, _ path: String, _ fields: [JSON.Field]
    ) throws(ImportError) {
        guard let id = item["id"]?.string, item["deletedAtUs"]?.integer ?? 0 == 0 else { return }
        var fields =
            fields + [
                .init("time", Self.time(item["createdAtUs"])), .init("conversation", item["conversation"] ?? .null),
            ]
        let source = item["sourceMessage"]?.string
        if let source { fields.append(.init("message", .text(source))) }
        let fragment = Fragment(place, ["entity": id], path: path, .object(fields))
        guard let source else { return try visitor.found(fragment) }
        wanted[source] = .some(nil)
        waiting.append(fragment)
    }

    // MARK: The end

    /// What depends on messages, which come last.
    private mutating func finish() throws(ImportError) {
        for (conversation, state) in inbox.sorted(by: { $0.key < $1.key }) {
            var fields = state.value
            if let last = state.last {
                fields.append(.init("message", .text("\(last)")))
            } else {
                // They have read none of it.
                fields.append(.init("read", Self.time(.number("1"))))
            }
            let keys = ["user": user, "conversation": conversation]
            try visitor.found(Fragment(.state, keys, path: "\(name):inbox/\(conversation)", .object(fields)))
        }
        for var fragment in waiting {
            guard case .object(var fields) = fragment.value else { continue }
            let source = fields.last { $0.key == "message" }?.value.string ?? ""
            fields.removeAll { $0.key == "message" }
            if let seq = wanted[source] ?? nil { fields.append(.init("message", .text(seq))) }
            fragment.value = .object(fields)
            try visitor.found(fragment)
        }
    }
}
