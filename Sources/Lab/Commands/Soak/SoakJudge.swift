/// Compares what devices show. Pure.
enum SoakJudge {
    // MARK: A device and a fresh one

    /// Returns what a device shows otherwise than a fresh device of the same person, a line each.
    /// - Parameter unstable: conversations whose members come and go. The server tells a fresh device nothing of how
    ///   far those have read who are gone, so ticks and receipts are not compared there.
    static func differences(_ screen: Screen, fresh: Screen, unstable: Set<String> = []) -> [String] {
        let (shown, wanted) = (lines(screen, unstable), lines(fresh, unstable))
        return Set(shown.keys).union(wanted.keys).sorted().compactMap { place in
            guard shown[place] != wanted[place] else { return nil }
            return "\(place): shows \(shown[place] ?? "nothing"); a fresh device \(wanted[place] ?? "nothing")"
        }
    }

    /// What a screen shows, by place. Presence is left out: it is of the moment.
    private static func lines(_ screen: Screen, _ unstable: Set<String>) -> [String: String] {
        var lines = [
            "user": screen.user, "profile": screen.profile,
            "inbox": screen.inbox.joined(separator: " "), "requests": screen.requests.joined(separator: " "),
            "archived": screen.archived.joined(separator: " "),
            "request count": "\(screen.requestCount), unread \(screen.unreadRequestCount)",
        ]
        for kind in ["reminder", "decision", "event"] {
            lines["order of each \(kind)"] = screen.entities.filter { $0.kind == kind }.map(\.id).joined(separator: " ")
        }
        for entity in screen.entities {
            lines["\(entity.kind) \(entity.id)"] = "\(entity.text) (\(entity.own)) \(entity.facts) \(entity.sync)"
        }
        for chat in screen.chats {
            let place = "conversation \(chat.id)"
            lines[place] =
                "\"\(chat.title)\" \(chat.section) \(chat.request) \(chat.name) \(chat.members) \(chat.sync)"
            lines["\(place) own"] =
                "pinned \(chat.isPinned), muted \(chat.isMuted), archived \(chat.isArchived), read \(chat.readUpTo), "
                + "unread \(chat.unread), mentions \(chat.mentions), marked \(chat.isMarkedUnread)"
            lines["\(place) last"] = chat.lastText ?? ""
            lines["\(place) gaps"] = chat.gaps.joined(separator: " ")
            let isUnstable = unstable.contains(chat.id)
            for (person, receipt) in chat.receipts where !isUnstable {
                lines["\(place) receipt of \(person)"] = "read \(receipt.readUpTo), delivered \(receipt.deliveredUpTo)"
            }
            for message in chat.messages {
                lines["\(place) message \(message.id)"] = line(message, hasTick: !isUnstable)
            }
        }
        return lines
    }

    private static func line(_ message: Screen.Message, hasTick: Bool) -> String {
        var words = ["\(message.seq ?? 0) \"\(message.text)\" of \(message.sender ?? "nobody")"]
        if message.isDeleted { words.append("deleted") }
        if message.isEdited { words.append("edited") }
        if message.isStarred { words.append("starred") }
        if message.isHidden { words.append("hidden") }
        if let replyTo = message.replyTo { words.append("answers \(replyTo)") }
        if hasTick { words.append(message.status) }
        return (words + message.reactions + [message.sync]).joined(separator: ", ")
    }

    // MARK: A screen by itself

    /// Returns what is wrong with a screen, whatever others show.
    /// - Parameter unstable: conversations whose members come and go, of which a person may not see all.
    static func faults(_ screen: Screen, unstable: Set<String>) -> [String] {
        var faults: [String] = []
        for list in [screen.inbox, screen.requests, screen.archived] where Set(list).count != list.count {
            faults.append("a list shows a conversation twice: \(list.joined(separator: " "))")
        }
        for chat in screen.chats {
            var (ids, last): (Set<String>, Int64?) = ([], nil)
            for message in chat.messages {
                let name = "\(chat.id) message \(message.id) \"\(message.text)\""
                if !ids.insert(message.id).inserted { faults.append("\(name) is there twice") }
                guard let seq = message.seq else {
                    faults.append("\(name) is not sent: \(message.status)")
                    continue
                }
                if let last, seq <= last { faults.append("\(name) is out of order: \(seq) after \(last)") }
                if let last, seq > last + 1, !unstable.contains(chat.id) {
                    faults.append("\(chat.id) lacks the messages \(last + 1) to \(seq - 1)")
                }
                last = seq
                if !unstable.contains(chat.id), let wanted = tick(message, in: chat, of: screen.user),
                    message.status != wanted
                {
                    faults.append("\(name) (\(seq)) is \(message.status); by the receipts it is \(wanted)")
                }
            }
            if !chat.gaps.isEmpty, !unstable.contains(chat.id) { faults.append("\(chat.id) has gaps: \(chat.gaps)") }
        }
        return faults
    }

    /// Returns how far the receipts say that a message has come; nil: it has no tick.
    private static func tick(_ message: Screen.Message, in chat: Screen.Chat, of user: String) -> String? {
        guard let seq = message.seq, message.sender == user, !message.isDeleted else { return nil }
        let others = chat.receipts.filter { $0.key != user }.values
        if others.contains(where: { $0.readUpTo >= seq }) { return "read" }
        return others.contains { $0.deliveredUpTo >= seq } ? "delivered" : "sent"
    }

    // MARK: People among each other

    /// Returns where people see different messages, and where one's receipts are not how far the other has read.
    /// - Parameter screens: by person.
    static func disagreements(_ screens: [String: Screen], unstable: Set<String>) -> [String] {
        var disagreements: [String] = []
        let people = screens.keys.sorted()
        for (index, one) in people.enumerated() {
            for other in people[(index + 1)...] {
                guard let left = screens[one], let right = screens[other] else { continue }
                let chats = Dictionary(right.chats.map { ($0.id, $0) }) { $1 }
                for chat in left.chats {
                    guard let same = chats[chat.id] else { continue }
                    disagreements += compare(chat, same, "\(one) and \(other)", unstable.contains(chat.id))
                    // Others learn nothing of what somebody reads before a request is accepted.
                    guard !unstable.contains(chat.id), chat.request == "accepted", same.request == "accepted" else {
                        continue
                    }
                    disagreements += compare(receiptOf: right.user, same, shownTo: one, chat)
                    disagreements += compare(receiptOf: left.user, chat, shownTo: other, same)
                }
            }
        }
        return disagreements
    }

    private static func compare(
        _ left: Screen.Chat, _ right: Screen.Chat, _ people: String, _ isUnstable: Bool
    ) -> [String] {
        let known = Dictionary(right.messages.map { ($0.seq ?? 0, $0) }) { $1 }
        var found = left.messages.compactMap { message -> String? in
            guard let other = known[message.seq ?? 0] else {
                return isUnstable ? nil : "\(people): only one sees \(left.id) \(message.seq ?? 0) \"\(message.text)\""
            }
            // Who left a group does not hear how what it holds changes.
            let (one, two) = isUnstable ? (message.id, other.id) : (shared(message), shared(other))
            return one == two ? nil : "\(people): \(left.id) \(message.seq ?? 0) is \(one) and \(two)"
        }
        if !isUnstable, left.messages.count < right.messages.count {
            found.append("\(people): \(left.id) has \(left.messages.count) and \(right.messages.count) messages")
        }
        return found
    }

    private static func shared(_ message: Screen.Message) -> String {
        let reactions = message.reactions.map { $0.replacing(" mine", with: "") }
        return "\(message.id) \"\(message.text)\" \(message.isDeleted) \(message.isEdited) \(reactions)"
    }

    private static func compare(
        receiptOf user: String, _ own: Screen.Chat, shownTo person: String, _ chat: Screen.Chat
    ) -> [String] {
        let shown = chat.receipts[user]?.readUpTo ?? 0
        // Nobody is told of what somebody has read of a request, and what they sent themselves is no news to anybody.
        let isOwnAlone =
            shown < own.readUpTo
            && !chat.messages.contains { message in
                message.sender == person && (message.seq ?? 0) > shown && (message.seq ?? 0) <= own.readUpTo
            }
        guard shown != own.readUpTo, !isOwnAlone else { return [] }
        return ["\(person) is shown that \(user) has read \(chat.id) up to \(shown); it is \(own.readUpTo)"]
    }

    // MARK: Who is there

    /// Returns the people who look offline to a device that watches them, although they are there.
    static func wronglyOffline(_ screen: Screen, there users: Set<String>) -> [String] {
        users.subtracting([screen.user]).sorted().compactMap { user in
            let status = screen.presence[user] ?? "unknown"
            return status == "offline" || status == "unknown" ? "\(user) looks \(status) and is there" : nil
        }
    }
}
