import Metrics
import Postgres
import PushSenders
import Reactor
import Schema
import ServiceKit

/// Sends what is due. Each row is decided again with what holds at that moment, and sent under the id that it has, so a
/// process that dies in between sends it again with the same id.
extension NotificationsService {
    /// For how long a row belongs to who took it. Senders end sooner.
    static let lease: Duration = .seconds(120)
    /// How long a test of an operator or a person is of use.
    static let testLifetime: Duration = .seconds(600)
    /// The pause between pushes to a device that only change the number on its icon.
    static let badgePause: Duration = .seconds(30)
    /// How soon a number is sent again while something else is being sent to the device, and an edit or a withdrawal
    /// while its message is.
    static let changingWait: Duration = .milliseconds(500)
    /// How soon it is looked again for a sender that no setting configures.
    static let unconfiguredWait: Duration = .seconds(60)
    /// How soon it is tried again to read what decides about a row.
    static let unreadableWait: Duration = .seconds(1)
    /// The most that may be under way; beyond it, what is due waits.
    nonisolated static let underWayMax = 1000
    /// Of what people were told is kept for so long.
    private static let toldLifetime: Duration = .seconds(2 * 86_400)

    /// Takes what is due, and sends it once that is committed.
    func takeDue(_ change: Change, _ limit: Int) async throws -> Int {
        guard underWay < Self.underWayMax, foreground.isSettled else { return 0 }
        let due = try await change.query(
            QueueStore.take, .int64(Int64(limit)), .int64(Self.lease.microseconds), .text(context.process.instance))
        guard !due.isEmpty else { return 0 }
        change.afterCommit { [self] in
            underWay += due.count
            Task.onLoop { [self] in await send(due) }
        }
        return due.count
    }

    /// Takes up what this replica was sending when it was killed.
    func release() async throws {
        try await context.database.execute(
            QueueStore.release, .text(context.process.instance), .int64(Self.lease.microseconds))
    }

    private func send(_ due: [DueNotice]) async {
        do {
            let facts = try await SendingFacts(due, at: context.clock.now, in: context.database)
            for one in due {
                // Each by itself: what is silent for long holds up no other.
                Task.onLoop { [self] in
                    let (result, isDead) = await send(one, facts)
                    ended.append(EndedNotice(due: one, result: result, isDead: isDead))
                    underWay -= 1
                    finishWorker.wake()
                }
            }
        } catch {
            underWay -= due.count
            // Otherwise they would wait until the lease ends.
            ended += due.map { EndedNotice(due: $0, result: .again($0, after: Self.unreadableWait), isDead: false) }
            finishWorker.wake()
            guard let more = failedLine.pass(at: .now) else { return }
            context.log.warning("pushes cannot be sent for now", metadata: ["error": "\(error)", "more": "\(more)"])
        }
    }

    /// Stores what became of all that ended since the last time.
    func finishEnded() async throws {
        let ended = ended
        guard !ended.isEmpty else { return }
        self.ended = []
        do {
            try await finish(ended.map(\.result), ended.filter(\.isDead).map(\.due))
        } catch {
            // Until the lease ends nobody sends them again.
            self.ended += ended
            throw error
        }
    }

    private func finish(_ results: [NoticeResult], _ dead: [DueNotice]) async throws {
        try await context.database.execute(
            QueueStore.finish, .numbers(results.map(\.account)), .texts(results.map(\.device)),
            .uuids(results.map(\.notice)), .int64s(results.map(\.wait.microseconds)), .texts(results.map(\.result)),
            .int32s(results.map(\.badge)), .int64s(results.map(\.quiet.microseconds)))
        // It may sleep beyond the end of these waits.
        if results.contains(where: { $0.wait > .zero }) { scheduler.wake() }
        guard !dead.isEmpty else { return }
        let gone = try await context.database.query(
            QueueStore.dead, .numbers(dead.map(\.account)), .texts(dead.map(\.device)),
            .texts(dead.map { $0.target?.token ?? "" }))
        try await context.database.execute(
            DevicesStore.forget, .numbers(gone.map(\.account)), .texts(gone.map(\.device)))
    }

    /// Decides about one row, and sends it.
    /// - Returns: what became of it, and whether the device's token is dead.
    private func send(_ due: DueNotice, _ facts: SendingFacts) async -> (NoticeResult, isDead: Bool) {
        let now = context.clock.now
        var result = NoticeResult(
            account: due.account, device: due.device, notice: due.notice, wait: .zero, result: "", badge: -1,
            quiet: .zero)
        guard let target = due.target, due.expiresAt > now else {
            count(notTold: due.target == nil ? .gone : .late)
            return (result, false)
        }
        let icon = facts.icons[DevicePlace(account: due.account, device: due.device)]
        if due.kind == .badge, icon?.isChanging == true {
            // Which number it will have is known when that is sent.
            result.wait = Self.changingWait
            return (result, false)
        }
        if facts.early.contains(due.notice) {
            // Whatever overtakes the message that it changes would leave it as it was.
            result.wait = Self.changingWait
            return (result, false)
        }
        let said: NoticeText
        switch decide(due, target, facts, at: now) {
        case .failure(let reason):
            count(notTold: reason.reason)
            return (result, false)
        case .success(let text): said = text
        }
        guard let senders, senders.canSend(over: target.transport) else {
            // Another replica may have a key, or this one soon.
            if due.kind == .test { result.result = "no_key" } else { result.wait = Self.unconfiguredWait }
            return (result, false)
        }
        let badge = facts.badges[due.account] ?? 0
        let outcome = await senders.send(notice(due, target, said, badge, facts.wishes(of: due.account)))
        sent(outcome, over: target.transport)
        switch outcome {
        case .accepted:
            result.result = "accepted"
            result.badge = Int32(clamping: badge)
            if due.kind == .badge { result.quiet = Self.badgePause }
        case .gone: return (result, true)
        case .later(let wait):
            result.wait = PushRules.pause(asked: .microseconds(wait), tries: due.tries)
        case .refused(let code, let text):
            result.result = String(code.prefix(64))
            noteRefused(code, text, over: target.transport)
        }
        return (result, false)
    }

    struct NotTold: Error {
        var reason: PushRules.Reason
    }

    /// What a row says, as things are now.
    private func decide(
        _ due: DueNotice, _ target: DueNotice.Target, _ facts: SendingFacts, at now: Timestamp
    ) -> Result<NoticeText, NotTold> {
        func notTold(_ reason: PushRules.Reason) -> Result<NoticeText, NotTold> { .failure(NotTold(reason: reason)) }
        let wishes = facts.wishes(of: due.account)
        // What may be said to devices that alone can read it is for the person to say.
        let most = saysOnlyEncrypted && target.contentKey == nil ? PushContent.noContent : contentAllowed
        let content = PushRules.narrower(wishes.content, most)
        let place = MessagePerson(
            key: MessageKey(conversation: due.conversation, seq: due.seq), account: due.account)
        switch due.kind {
        case .test: return .success(NoticeText(kind: "test", title: "Parley", body: "Pushes arrive on this device"))
        case .badge:
            let icon = facts.icons[DevicePlace(account: due.account, device: due.device)]
            guard facts.badges[due.account] != icon?.badge else { return notTold(.unwanted) }
            return .success(.silent("read", facts.conversationIDs[due.conversation], due.seq, saying: content))
        case .withdrawn:
            guard facts.messages[place] == nil else { return notTold(.unwanted) }
            return .success(.silent("withdrawn", facts.conversationIDs[due.conversation], due.seq, saying: content))
        case .message, .reaction, .request, .invitation, .reminder, .event, .eventDate: break
        }
        guard !wishes.quiet.contains(now, zones) else { return notTold(.quiet) }
        guard !facts.undisturbed.contains(due.account) else { return notTold(.doNotDisturb) }
        let isOfEntity = due.kind == .reminder || due.kind == .eventDate
        guard isOfEntity || !foreground.contains(due.account) else { return notTold(.foreground) }
        switch due.kind {
        case .message:
            guard let message = facts.messages[place] else { return notTold(.gone) }
            if case .notTold(let reason) = PushRules.verdict(on: message, at: now) { return notTold(reason) }
            return .success(.of(message, saying: PushRules.content(of: message, operatorAllows: most)))
        case .reaction:
            guard wishes.reactions, let message = facts.messages[place] else { return notTold(.unwanted) }
            guard let reaction = facts.reactions[due.notice] else { return notTold(.gone) }
            return .success(
                .of(
                    reaction: reaction.emoji, by: reaction.name, to: message,
                    saying: PushRules.content(of: message, operatorAllows: most)))
        case .request, .invitation:
            guard wishes.requests else { return notTold(.unwanted) }
            guard let asked = facts.asked[place.account]?[due.conversation] else { return notTold(.gone) }
            return .success(.of(asked, saying: content))
        case .reminder, .event, .eventDate:
            guard due.kind == .reminder ? wishes.reminders : wishes.events else { return notTold(.unwanted) }
            guard let entity = facts.entities[due.account]?[due.entity] else { return notTold(.gone) }
            return .success(.of(entity, due.kind, saying: content))
        case .badge, .withdrawn, .test: return notTold(.unwanted)
        }
    }

    /// The notice for a device.
    private func notice(
        _ due: DueNotice, _ target: DueNotice.Target, _ said: NoticeText, _ badge: Int, _ wishes: Wishes
    ) -> PushNotice {
        let isSilent = due.kind == .badge || due.kind == .withdrawn
        return PushNotice(
            id: due.notice, transport: PushNotice.transport(target.transport), token: target.token,
            app: target.app, contentKey: target.contentKey, authSecret: target.authSecret,
            payload: PushPayload(
                kind: said.kind, title: said.title, body: said.body, conversation: said.conversation, seq: said.seq,
                sender: said.sender, entity: said.entity,
                sound: isSilent ? nil : wishes.sound.isEmpty ? "default" : wishes.sound, link: said.link,
                encrypted: target.contentKey != nil, fallback: NoticeText.fallback),
            collapse: collapse(due, said),
            thread: said.conversation, badge: badge, silent: isSilent, urgent: !isSilent,
            expires: due.expiresAt.rawValue)
    }

    /// Under which key a notice replaces others, and an app finds what it showed.
    private func collapse(_ due: DueNotice, _ said: NoticeText) -> String {
        switch due.kind {
        case .badge: return "read"
        case .message, .withdrawn:
            // An edit and the withdrawal of a message replace what was shown of it.
            if let conversation = said.conversation, let seq = said.seq { return "\(conversation)/\(seq)" }
            // It does not say either where nothing may be said.
            let key = MessageKey(conversation: due.conversation, seq: due.seq)
            return Hex.text(Sodium.hash(Array("\(due.account)/\(due.device)/\(key.about)".utf8)).prefix(16))
        default: return Hex.text(due.notice)
        }
    }

    /// Forgets what is of no use any more.
    func sweep() async throws {
        waiting.record(try await context.database.first(QueueStore.count) ?? 0)
        let old = context.clock.now - Self.toldLifetime
        while try await context.database.execute(QueueStore.expire, .int64(1000)) >= 1000 {}
        while try await context.database.execute(QueueStore.forgetTold, .number(old), .int64(1000)) >= 1000 {}
    }

    // MARK: Figures

    func count(notTold reason: PushRules.Reason) {
        Counter(label: "parley_pushes_not_told_total", dimensions: [("why", reason.rawValue)]).increment()
    }

    private func sent(_ outcome: PushResult, over transport: Int16) {
        let word =
            switch outcome {
            case .accepted: "accepted"
            case .gone: "gone"
            case .later: "later"
            case .refused(let code, _): code
            }
        Counter(
            label: "parley_pushes_total",
            dimensions: [("transport", Self.word(of: transport)), ("result", word)]
        ).increment()
    }

    private func noteRefused(_ code: String, _ text: String, over transport: Int16) {
        guard let more = refusedLine.pass(at: .now) else { return }
        context.log.error(
            "a push was refused",
            metadata: [
                "transport": "\(Self.word(of: transport))", "code": "\(code)", "what": "\(text)", "more": "\(more)",
            ])
    }

    /// The name of a transport in metrics and log.
    static func word(of transport: Int16) -> String {
        switch transport {
        case 1: "apns"
        case 2: "apns-sandbox"
        case 3, 4: "fcm"
        default: "web"
        }
    }
}
