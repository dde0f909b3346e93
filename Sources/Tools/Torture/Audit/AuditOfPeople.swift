// What each person, client, device and process must hold or have done.
extension Audit {
    /// Every acknowledged message, for every member who must have it; and none for who must not.
    mutating func checkEntitled() {
        var histories: [String: [(fact: HistoryFact, ids: Set<String>)]] = [:]
        for history in facts.histories {
            histories[history.conversation, default: []].append((history, Set(history.messages.map(\.id))))
        }
        let windows = Windows(facts)
        for send in facts.sends {
            guard let span = send.acknowledged, places[send.id] != nil else { continue }
            for (history, ids) in histories[send.conversation] ?? [] {
                switch windows.verdict(on: history.reader, in: send.conversation, span) {
                case .must where !ids.contains(send.id):
                    found(
                        .lost,
                        "\(history.reader), a member of \(send.conversation), does not read \(send.id) of "
                            + "\(send.sender) (seq \(send.replies.first?.seq ?? 0))\(refusal(history))")
                case .must: count { $0.messagesOfReaders += 1 }
                case .mustNot where ids.contains(send.id):
                    found(
                        .window,
                        "\(history.reader) reads \(send.id) (seq \(send.replies.first?.seq ?? 0)) of "
                            + "\(send.conversation), of which they were no member then")
                case .mustNot, .may: break
                }
            }
        }
        for (conversation, user) in windows.alwaysMembers {
            guard let history = histories[conversation]?.first(where: { $0.fact.reader == user })?.fact else {
                found(.members, "the history of \(conversation) was not read as \(user), who is a member")
                continue
            }
            if let first = history.messages.first?.seq, first != 1 {
                found(.window, "\(user), there from the beginning, reads \(conversation) only from seq \(first)")
            }
            if history.messages.isEmpty, truth[conversation]?.isEmpty == false {
                found(.lost, "\(user), there from the beginning, reads nothing of \(conversation)\(refusal(history))")
            }
        }
    }

    private func refusal(_ history: HistoryFact) -> String { history.refusal.map { " (refused: \($0))" } ?? "" }

    /// Who is a member for certain is not refused, but for going too fast.
    mutating func checkRefusals() {
        let windows = Windows(facts)
        for send in facts.sends where !send.mustBeRefused {
            for attempt in send.attempts {
                guard case .refused(let code) = attempt.outcome, code != "rate_limited" else { continue }
                if windows.verdict(on: send.sender, in: send.conversation, attempt.span) == .must {
                    found(.members, "\(send.sender), a member of \(send.conversation), was refused \(send.id): \(code)")
                }
            }
        }
    }

    /// Who certainly was no member while they sent has nothing taken. What stands there although no answer came counts
    /// as well; a duplicate's answer is about the past.
    mutating func checkSenders() {
        let windows = Windows(facts)
        for send in facts.sends where !send.mustBeRefused && !send.attempts.isEmpty {
            let outside = send.attempts.filter { attempt in
                let span = attempt.outcome.isUnknown ? Span(attempt.span.began, .max) : attempt.span
                return windows.verdict(on: send.sender, in: send.conversation, span) == .mustNot
            }
            let isTaken = outside.contains { $0.outcome.reply?.isDuplicate == false }
            let isThere = outside.count == send.attempts.count && places[send.id] != nil
            guard isTaken || isThere, let began = outside.map(\.span.began).min() else { continue }
            found(
                .members,
                "\(send.id) to \(send.conversation) by \(send.sender), who was no member when it was begun at "
                    + "\(Double(began) / 1e6) s, was taken")
        }
    }

    /// A window that is known to hold something is not read as empty while the server tells of a last seq.
    mutating func checkEmpty() {
        let windows = Windows(facts)
        for history in facts.histories
        where history.messages.isEmpty && history.lastSeq > 0 && history.refusal == nil {
            let (reader, conversation) = (history.reader, history.conversation)
            let isKnown =
                windows.isAlwaysMember(reader, of: conversation)
                || facts.sends.contains { send in
                    guard send.conversation == conversation, places[send.id] != nil, let span = send.storedWithin
                    else { return false }
                    return windows.verdict(on: reader, in: conversation, span) == .must
                } || readsOwnJoining(reader, conversation, windows)
            guard isKnown else { continue }
            found(
                .gap,
                "the history of \(conversation) that \(reader) reads is empty, and the server says that the last is "
                    + "\(history.lastSeq)")
        }
    }

    /// Who came and stayed reads at least that they came.
    private func readsOwnJoining(_ reader: String, _ conversation: String, _ windows: Windows) -> Bool {
        guard windows.verdict(on: reader, in: conversation, Span(.max - 1, .max)) == .must else { return false }
        return truth[conversation, default: [:]].values.contains { message in
            guard message.isSystem, let note = MemberNote(text: message.text) else { return false }
            return note.kind == .joined && note.users.contains(reader)
        }
    }

    /// A client was told of nothing that was sent while its person certainly was no member.
    private mutating func checkHeld(_ kept: KeptFact, _ sends: [String: Span], _ windows: Windows) {
        for (conversation, held) in kept.state.messages.sorted(by: { $0.key < $1.key }) {
            let leaked = held.filter { message in
                sends[message.id].map { windows.verdict(on: kept.user, in: conversation, $0) == .mustNot } ?? false
            }
            guard !leaked.isEmpty else { continue }
            found(
                .window,
                "\(kept.client) holds seq \(Self.list(leaked.map(\.seq))) of \(conversation), of which "
                    + "\(kept.user) was no member then")
        }
    }

    mutating func checkKept() {
        let windows = Windows(facts)
        let sends = Dictionary(
            facts.sends.compactMap { send in send.storedWithin.map { (send.id, $0) } }, uniquingKeysWith: { $1 })
        for kept in facts.kept {
            count { $0.keptClients += 1 }
            checkHeld(kept, sends, windows)
            if let problem = kept.stoppedBy {
                found(.state, "\(kept.client) stopped by itself: \(problem)")
                continue
            }
            guard let fresh = facts.fresh[kept.user] else {
                found(.state, "no new client of \(kept.user) was there to compare \(kept.client) with")
                continue
            }
            compare(kept.client, "conversation", kept.state.conversations, fresh.conversations)
            compare(kept.client, "reminder", kept.state.reminders, fresh.reminders)
            let held = windows.comparable(kept.state, to: fresh, of: kept.user)
            for id in Set(held.keys).union(fresh.messages.keys).sorted() {
                compare(kept.client, id, held[id] ?? [], fresh.messages[id] ?? [])
            }
        }
    }

    private mutating func compare(
        _ client: String, _ what: String, _ kept: [String: String], _ fresh: [String: String]
    ) {
        for id in Set(kept.keys).union(fresh.keys).sorted() where kept[id] != fresh[id] {
            found(
                .state,
                "\(client) holds of \(what) \(id): \(kept[id] ?? "nothing"); a new client: \(fresh[id] ?? "nothing")")
        }
    }

    private mutating func compare(
        _ client: String, _ conversation: String, _ kept: [StoredMessage], _ fresh: [StoredMessage]
    ) {
        guard kept != fresh else { return }
        let held = Set(kept)
        let given = Set(fresh)
        let missing = fresh.filter { !held.contains($0) }
        let surplus = kept.filter { !given.contains($0) }
        var text = "\(client) holds \(kept.count) messages of \(conversation), a new client \(fresh.count)"
        if !missing.isEmpty { text += "; missing are seq \(Self.list(missing.map(\.seq)))" }
        if !surplus.isEmpty { text += "; it alone has \(surplus.prefix(3).map(\.description))" }
        if missing.isEmpty, surplus.isEmpty { text += "; the order differs: \(Self.list(kept.map(\.seq)))" }
        found(.state, text)
    }

    mutating func checkConversations() {
        let windows = Windows(facts)
        for conversation in facts.conversations {
            for user in conversation.users {
                guard windows.isAlwaysMember(user, of: conversation.id), let fresh = facts.fresh[user] else { continue }
                if fresh.conversations[conversation.id] == nil {
                    found(.members, "\(conversation.id) was acknowledged, and \(user), a member, does not have it")
                }
            }
        }
    }

    mutating func checkReminders() {
        for reminder in facts.reminders {
            guard let fresh = facts.fresh[reminder.user] else { continue }
            let stored = fresh.reminders[reminder.id]
            switch reminder.creation {
            case .accepted:
                count { $0.reminders += 1 }
                guard let stored else {
                    found(.reminder, "\(reminder.id) of \(reminder.user) was acknowledged and is not there")
                    continue
                }
                if !stored.contains(reminder.title) {
                    found(.reminder, "\(reminder.id) was made as “\(reminder.title)” and is \(stored)")
                }
                if let isCompleted = reminder.isCompleted, !stored.contains("completed \(isCompleted)") {
                    found(.reminder, "\(reminder.id) was acknowledged as completed \(isCompleted) and is \(stored)")
                }
            case .refused(let code):
                if stored != nil { found(.refused, "the reminder \(reminder.id) was refused (\(code)) and is there") }
            case .unknown: break
            }
        }
        let known = Set(facts.reminders.map(\.id))
        for (user, state) in facts.fresh {
            for id in state.reminders.keys where !known.contains(id) {
                found(.invented, "nobody made the reminder \(id) of \(user)")
            }
        }
    }

    mutating func checkDevices() {
        for device in facts.devices {
            count { $0.devices += 1 }
            if !device.isClosed { found(.device, "\(device.device) was signed out, and its session goes on") }
            if device.refusal == nil { found(.device, "\(device.device) was signed out, and its token is taken") }
        }
        for account in facts.accounts.sorted() where facts.fresh[account] == nil {
            found(.account, "\(account) was registered, and could not be signed in to afterwards")
        }
    }

    mutating func checkProcesses() {
        for process in facts.processes {
            if process.restarts > process.kills {
                found(
                    .process,
                    "\(process.name) was ended \(process.kills) times and started again \(process.restarts) times: it "
                        + "died by itself")
            }
            if process.residentKiBMax > process.residentKiBAllowed {
                found(
                    .process,
                    "\(process.name) took \(process.residentKiBMax / 1024) MiB, more than the "
                        + "\(process.residentKiBAllowed / 1024) that are plenty")
            }
            for line in process.alarms.prefix(5) { found(.process, "\(process.name) says: \(line)") }
        }
    }

    mutating func check(_ minimum: Minimum) {
        let faults = facts.faults.values.reduce(0, +)
        count { $0.faults = faults }
        let figures = [
            ("messages were acknowledged", checked.acknowledged, minimum.acknowledged),
            ("histories were read", checked.histories, minimum.histories),
            ("messages of members were compared", checked.messagesOfReaders, minimum.messagesOfReaders),
            ("clients were compared with new ones", checked.keptClients, minimum.keptClients),
            ("system messages were judged", checked.notes, minimum.notes),
            ("processes were looked at", facts.processes.count, minimum.processes),
            ("faults took place", checked.faults, minimum.faults),
        ]
        for (what, number, least) in figures where number < least {
            found(.tooLittle, "only \(number) \(what), which says nothing: \(least) are the least")
        }
        for kind in minimum.kinds.sorted() where facts.faults[kind, default: 0] == 0 {
            found(.tooLittle, "no fault of kind \(kind) took place")
        }
        if facts.readings.isEmpty { found(.tooLittle, "no position was read") }
    }
}

extension Facts {
    /// Whether a state is, as far as it must be, what a new client of the person holds.
    func isSame(_ state: ClientState, as user: String) -> Bool {
        guard let fresh = fresh[user] else { return false }
        return state.conversations == fresh.conversations && state.reminders == fresh.reminders
            && Windows(self).comparable(state, to: fresh, of: user) == fresh.messages
    }
}
