// The checks of people, clients, devices and processes.
extension Audit {
    /// Checks that members read every acknowledged message they must have, and none they must not have.
    mutating func checkEntitled() {
        var histories: [String: [(fact: HistoryFact, ids: Set<String>)]] = [:]
        for history in facts.histories {
            histories[history.conversation, default: []].append((history, Set(history.messages.map(\.id))))
        }
        let windows = Windows(facts)
        for send in facts.sends {
            guard let span = send.acknowledged, messagesByID[send.id] != nil else { continue }
            for (history, ids) in histories[send.conversation] ?? [] {
                switch windows.verdict(on: history.reader, in: send.conversation, span) {
                case .must where !ids.contains(send.id):
                    found(
                        .lost,
                        "\(history.reader), a member of \(send.conversation), cannot read \(send.id) by "
                            + "\(send.sender) (seq \(send.replies.first?.seq ?? 0))\(refusal(history))")
                case .must: count { $0.messagesOfReaders += 1 }
                case .mustNot where ids.contains(send.id):
                    found(
                        .window,
                        "\(history.reader) reads \(send.id) (seq \(send.replies.first?.seq ?? 0)) of "
                            + "\(send.conversation), but was not a member then")
                case .mustNot, .may: break
                }
            }
        }
        for (conversation, user) in windows.alwaysMembers {
            guard let history = histories[conversation]?.first(where: { $0.fact.reader == user })?.fact else {
                found(.members, "the history of \(conversation) was not read for \(user), a member")
                continue
            }
            if let first = history.messages.first?.seq, first != 1 {
                found(.window, "\(user), an initial member, reads \(conversation) only from seq \(first)")
            }
            if history.messages.isEmpty, truth[conversation]?.isEmpty == false {
                found(.lost, "\(user), an initial member, reads nothing of \(conversation)\(refusal(history))")
            }
        }
    }

    private func refusal(_ history: HistoryFact) -> String { history.refusal.map { " (refused: \($0))" } ?? "" }

    /// Checks that certain members are never refused, except with `rate_limited`.
    mutating func checkRefusals() {
        let windows = Windows(facts)
        for send in facts.sends where !send.mustBeRefused {
            for attempt in send.attempts {
                guard case .refused(let code) = attempt.outcome, code != "rate_limited" else { continue }
                let block = values.block(of: send.sender, in: send.conversation, within: attempt.span)
                if code == "user_blocked", block.possible { continue }
                if windows.verdict(on: send.sender, in: send.conversation, attempt.span) == .must {
                    found(
                        .members,
                        "\(send.sender), a member of \(send.conversation), could not send \(send.id): \(code)")
                }
            }
        }
    }

    /// Checks that no message of a certain non-member is accepted. A message stored without a reply counts as well. The
    /// reply to a duplicate does not count, since it repeats an earlier result.
    mutating func checkSenders() {
        let windows = Windows(facts)
        for send in facts.sends where !send.mustBeRefused && !send.attempts.isEmpty {
            let isBlocked = send.attempts.contains { attempt in
                attempt.outcome.reply?.isDuplicate == false
                    && values.block(of: send.sender, in: send.conversation, within: attempt.span).certain
            }
            if isBlocked { found(.members, "\(send.id) to \(send.conversation) was accepted despite a block") }
            let outside = send.attempts.filter { attempt in
                let span = attempt.outcome.isUnknown ? Span(attempt.span.began, .max) : attempt.span
                return windows.verdict(on: send.sender, in: send.conversation, span) == .mustNot
            }
            let isAccepted = outside.contains { $0.outcome.reply?.isDuplicate == false }
            let isStored = outside.count == send.attempts.count && messagesByID[send.id] != nil
            guard isAccepted || isStored, let began = outside.map(\.span.began).min() else { continue }
            found(
                .members,
                "\(send.id) to \(send.conversation) was accepted, but \(send.sender) was not a member when it began "
                    + "at \(Double(began) / 1e6) s")
        }
    }

    /// Checks that a window known to contain messages is not read as empty while the server reports a last seq.
    mutating func checkEmpty() {
        let windows = Windows(facts)
        for history in facts.histories
        where history.messages.isEmpty && history.lastSeq > 0 && history.refusal == nil {
            let (reader, conversation) = (history.reader, history.conversation)
            let isKnown =
                windows.isAlwaysMember(reader, of: conversation)
                || facts.sends.contains { send in
                    guard send.conversation == conversation, messagesByID[send.id] != nil, let span = send.storedWithin
                    else { return false }
                    return windows.verdict(on: reader, in: conversation, span) == .must
                } || readsOwnJoining(reader, conversation, windows)
            guard isKnown else { continue }
            found(
                .gap,
                "the history of \(conversation) for \(reader) is empty, but the server reports last seq "
                    + "\(history.lastSeq)")
        }
    }

    /// Whether the reader joined and stayed, so that they can read at least the note about it.
    private func readsOwnJoining(_ reader: String, _ conversation: String, _ windows: Windows) -> Bool {
        guard windows.verdict(on: reader, in: conversation, Span(.max - 1, .max)) == .must else { return false }
        return truth[conversation, default: [:]].values.contains { message in
            guard message.isSystem, let note = MemberNote(text: message.text) else { return false }
            return note.kind == .joined && note.users.contains(reader)
        }
    }

    /// Checks that a client holds no message sent while its person was certainly not a member.
    private mutating func checkHeld(_ kept: KeptFact, _ sends: [String: Span], _ windows: Windows) {
        for (conversation, held) in kept.state.messages.sorted(by: { $0.key < $1.key }) {
            let leaked = held.filter { message in
                sends[message.id].map { windows.verdict(on: kept.user, in: conversation, $0) == .mustNot } ?? false
            }
            guard !leaked.isEmpty else { continue }
            found(
                .window,
                "\(kept.client) holds seq \(Self.list(leaked.map(\.seq))) of \(conversation), but "
                    + "\(kept.user) was not a member then")
        }
    }

    mutating func checkKept() {
        let windows = Windows(facts)
        let comparison = StateComparison(facts)
        let sends = Dictionary(
            facts.sends.compactMap { send in send.storedWithin.map { (send.id, $0) } }, uniquingKeysWith: { $1 })
        for kept in facts.kept {
            checkHeld(kept, sends, windows)
            if let problem = kept.stoppedBy {
                found(.state, "\(kept.client) stopped: \(problem)")
                continue
            }
            guard let fresh = facts.fresh[kept.user] else {
                found(.state, "there is no new client of \(kept.user) to compare \(kept.client) with")
                continue
            }
            let (held, given) = comparison.both(kept.state, as: kept.user) ?? (kept.state, fresh)
            compare(kept.client, "conversation", held.conversations, given.conversations)
            compare(kept.client, "reminder", held.reminders, given.reminders)
            compare(kept.client, "decision", held.decisions, given.decisions)
            compare(kept.client, "event", held.events, given.events)
            compare(kept.client, "state of message", held.own, given.own)
            compare(kept.client, "inbox state of", held.inbox, given.inbox)
            for id in Set(held.messages.keys).union(given.messages.keys).sorted() {
                compare(kept.client, id, held.messages[id] ?? [], given.messages[id] ?? [])
            }
        }
    }

    private mutating func compare<State: Equatable>(
        _ client: String, _ kind: String, _ kept: [String: State], _ fresh: [String: State]
    ) {
        for id in Set(kept.keys).union(fresh.keys).sorted() where kept[id] != fresh[id] {
            let (held, given) = (kept[id].map { "\($0)" } ?? "nothing", fresh[id].map { "\($0)" } ?? "nothing")
            found(.state, "\(client) holds for \(kind) \(id): \(held); a new client: \(given)")
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
        if !missing.isEmpty {
            text += "; it lacks seq \(Self.list(missing.map(\.seq))): \(missing.prefix(3).map(\.description))"
        }
        if !surplus.isEmpty { text += "; only it has \(surplus.prefix(3).map(\.description))" }
        if missing.isEmpty, surplus.isEmpty { text += "; the order differs: \(Self.list(kept.map(\.seq)))" }
        found(.state, text)
    }

    mutating func checkConversations() {
        let windows = Windows(facts)
        for conversation in facts.conversations {
            for user in conversation.users {
                guard windows.isAlwaysMember(user, of: conversation.id), let fresh = facts.fresh[user] else { continue }
                if fresh.conversations[conversation.id] == nil {
                    found(.members, "\(conversation.id) was acknowledged, but \(user), a member, does not have it")
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
                    found(.reminder, "\(reminder.id) of \(reminder.user) was acknowledged but is not stored")
                    continue
                }
                if !stored.contains(reminder.title) {
                    found(.reminder, "\(reminder.id) was created as “\(reminder.title)” but is \(stored)")
                }
                if let isCompleted = reminder.isCompleted, !stored.contains("completed \(isCompleted)") {
                    found(.reminder, "\(reminder.id) was acknowledged as completed \(isCompleted) but is \(stored)")
                }
                if reminder.isDue, reminder.isCompleted == false, !stored.contains("fired true") {
                    found(.reminder, "\(reminder.id) was open at its time, but did not fire: \(stored)")
                }
            case .refused(let code):
                if stored != nil { found(.refused, "the reminder \(reminder.id) was refused (\(code)) but is stored") }
            case .unknown: break
            }
        }
        let known = Set(facts.reminders.map(\.id))
        for (user, state) in facts.fresh {
            for id in state.reminders.keys where !known.contains(id) {
                found(.invented, "nobody created the reminder \(id) of \(user)")
            }
        }
    }

    mutating func checkDevices() {
        for device in facts.devices {
            count { $0.devices += 1 }
            if !device.isClosed { found(.device, "\(device.device) was signed out, but its session continues") }
            if device.refusal == nil { found(.device, "\(device.device) was signed out, but its token is accepted") }
        }
        for account in facts.accounts.sorted() where facts.fresh[account] == nil {
            found(.account, "\(account) was registered, but signing in failed afterwards")
        }
    }

    mutating func checkProcesses() {
        for process in facts.processes {
            if process.restarts > process.kills {
                found(
                    .process,
                    "\(process.name) was killed \(process.kills) times but restarted \(process.restarts) times, so it "
                        + "died on its own")
            }
            if process.residentKiBMax > process.residentKiBAllowed {
                found(
                    .process,
                    "\(process.name) used \(process.residentKiBMax / 1024) MiB, more than the limit of "
                        + "\(process.residentKiBAllowed / 1024) MiB")
            }
            for line in process.alarms.prefix(5) { found(.process, "\(process.name) logged: \(line)") }
        }
    }
}
