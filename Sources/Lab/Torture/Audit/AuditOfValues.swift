// The checks of edits, deletions, reactions, stars, marks, inbox states, blocks, requests and files.
extension Audit {
    mutating func checkValues() {
        let windows = Windows(facts)
        for fact in values.all {
            checkWrites(fact, windows)
            guard let last = lastValue(of: fact) else { continue }
            let possible = fact.lastValues
            if possible.count == 1 { count { $0.values[fact.name.kind, default: 0] += 1 } }
            if !possible.contains(last) {
                found(
                    .value,
                    "\(fact.name) is \(Self.short(last)) at the end, but must be "
                        + possible.sorted().map(Self.short).joined(separator: " or "))
            }
        }
        checkReactionCounts()
        checkReadMarks(windows)
        checkAcceptedRequests()
        checkDownloads()
    }

    /// Returns the value that a new client read after the load; nil if the person can no longer read it.
    private func lastValue(of fact: ValueFact) -> String? {
        let name = fact.name
        let fresh = facts.fresh[name.user]
        func answer(_ isSet: Bool) -> String { isSet ? ValueFact.yes : ValueFact.no }
        func inbox(_ isSet: (ClientState.Inbox) -> Bool) -> String? {
            fresh.map { answer($0.inbox[name.conversation].map(isSet) ?? false) }
        }
        switch name.kind {
        case .text: return truth[name.conversation]?[name.seq].map { $0.isDeleted ? ValueFact.deleted : $0.text }
        case .reaction, .star:
            // A deleted message has neither. What else can no longer be read is checked by others.
            guard let message = fresh?.messages[name.conversation]?.first(where: { $0.seq == name.seq }),
                !message.isDeleted
            else { return nil }
            let own = fresh?.own[message.key] ?? ClientState.Own()
            return answer(name.kind == .star ? own.isStarred : own.reactions.contains(name.object))
        case .pin: return inbox(\.isPinned)
        case .mute: return inbox(\.isMuted)
        case .block: return fresh.map { answer($0.blocked.contains(name.object)) }
        case .availability: return fresh?.availability
        case .hiding: return fresh?.hiding
        }
    }

    /// Checks the replies: none contradicts its request, and no request was refused or accepted against the rules.
    private mutating func checkWrites(_ fact: ValueFact, _ windows: Windows) {
        let name = fact.name
        for write in fact.writes {
            count { $0.writes += 1 }
            let block = values.block(of: write.by, in: name.conversation, within: write.span)
            let member: Windows.Verdict =
                name.conversation.isEmpty ? .must : windows.verdict(on: write.by, in: name.conversation, write.span)
            let deletion = deletion(of: name, within: write.span)
            switch write.outcome {
            case .accepted(let reply):
                if reply != write.value {
                    found(
                        .content,
                        "\(write.by) set \(name) to \(Self.short(write.value)), the reply has \(Self.short(reply))")
                }
                let isLate = deletion.certain && write.value != ValueFact.deleted && name.kind != .star
                if write.mustBeRefused || isLate {
                    found(.refused, "\(name) was set to \(Self.short(write.value)) by \(write.by) against the rules")
                }
                if block.certain, name.kind == .reaction || name.kind == .text && write.value != ValueFact.deleted {
                    found(.refused, "\(name) was set to \(Self.short(write.value)) by \(write.by) despite a block")
                }
                if member == .mustNot, [.text, .reaction].contains(name.kind) {
                    found(.members, "\(name) was set by \(write.by), who was not a member")
                }
            case .refused(let code):
                guard !write.mustBeRefused, member == .must else { continue }
                let isExplained =
                    switch code {
                    case "user_blocked": block.possible
                    case "message_deleted": deletion.possible
                    // After a person leaves and returns, their client still holds the earlier messages. A deleted
                    // message has nothing to star.
                    case "message_not_found":
                        !windows.isAlwaysMember(write.by, of: name.conversation)
                            || name.kind == .star && deletion.possible
                    // Three limits of the service, which a long run can reach, and a clock that a fault moved.
                    case "rate_limited", "too_many_pinned", "too_many_starred": true
                    case "edit_window_closed": facts.faults[.clock] != nil
                    default: false
                    }
                if !isExplained { found(.members, "\(write.by), a member, could not set \(name): \(code)") }
            case .unknown: break
            }
        }
    }

    /// Whether the message that a value belongs to may have been deleted within a span, and whether that is certain.
    private func deletion(of name: ValueFact.Name, within span: Span) -> (possible: Bool, certain: Bool) {
        let text = ValueFact.Name(.text, in: name.conversation, seq: name.seq)
        let possible = values[text]?.values(within: span) ?? []
        return (possible.contains(ValueFact.deleted), possible == [ValueFact.deleted])
    }

    /// Checks that each message has as many reactions of a kind as people may have added.
    private mutating func checkReactionCounts() {
        var expected: [Values.MessageName: [String: (least: Int, most: Int)]] = [:]
        for fact in values.all where fact.name.kind == .reaction {
            let message = Values.MessageName(conversation: fact.name.conversation, seq: fact.name.seq)
            let possible = fact.lastValues
            var bounds = expected[message]?[fact.name.object] ?? (0, 0)
            if possible == [ValueFact.yes] { bounds.least += 1 }
            if possible.contains(ValueFact.yes) { bounds.most += 1 }
            expected[message, default: [:]][fact.name.object] = bounds
        }
        for message in truth.values.flatMap(\.values) where !message.isDeleted {
            let bounds = expected[Values.MessageName(conversation: message.conversation, seq: message.seq)] ?? [:]
            for emoji in Set(bounds.keys).union(message.reactions.keys).sorted() {
                let (least, most) = bounds[emoji] ?? (0, 0)
                let stored = Int(message.reactions[emoji] ?? 0)
                if !(least...most).contains(stored) {
                    found(.value, "\(message) has \(stored) × \(emoji), but must have \(least) to \(most)")
                }
            }
        }
    }

    private mutating func checkReadMarks(_ windows: Windows) {
        for mark in facts.readMarks {
            // Nothing is promised about the marks of people who left.
            guard let fresh = facts.fresh[mark.user], windows.isAlwaysMember(mark.user, of: mark.conversation) else {
                continue
            }
            count { $0.readMarks += 1 }
            let stored = fresh.inbox[mark.conversation]?.readSeq ?? 0
            if !(mark.acknowledged...mark.requested).contains(stored) {
                found(
                    .value,
                    "\(mark.user) has read \(mark.conversation) up to \(stored), but must have up to "
                        + "\(mark.acknowledged), at most \(mark.requested)")
            }
        }
    }

    private mutating func checkAcceptedRequests() {
        for request in facts.acceptedRequests {
            count { $0.acceptedRequests += 1 }
            for user in request.users {
                guard let fresh = facts.fresh[user] else { continue }
                let text = fresh.conversations[request.conversation] ?? ""
                // Whoever blocks the other sees that instead.
                let other = request.users.first { $0 != user } ?? ""
                let isShown =
                    fresh.blocked.contains(other) ? text.contains(", blocked of ") : text.contains(", accepted of ")
                if !isShown {
                    found(
                        .value,
                        "the request \(request.conversation) was accepted, but \(user) has: "
                            + (fresh.conversations[request.conversation] ?? "nothing"))
                }
            }
        }
    }

    private mutating func checkDownloads() {
        for download in facts.downloads {
            count { $0.downloads += 1 }
            if let code = download.refusal {
                found(.lost, "\(download.reader) cannot read the file of \(download.message): \(code)")
            } else if !download.isSame {
                found(.content, "\(download.reader) reads another file of \(download.message) than was sent")
            }
        }
    }

    private static func short(_ value: String) -> String {
        value.count > 40 ? "“\(value.prefix(40))…”" : "“\(value)”"
    }
}
