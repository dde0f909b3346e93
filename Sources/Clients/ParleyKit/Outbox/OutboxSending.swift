import Foundation
import ParleyClient

/// Sending what waits, one thing after another in each lane.
extension Outbox {
    /// The most requests under way.
    private static let underWayMax = 8
    /// How often a failure inside of the server is tried again before it counts as a refusal.
    private static let internalFailuresMax = 5

    /// Whether what is done now is sent at once.
    var isSending: Bool {
        parley.connection == .online && (parley.account?.isLeading ?? false)
            && (transport != nil || link != nil || (parley.client != nil && parley.account?.engine != nil))
    }

    /// Sends what may be sent.
    func drain() {
        guard isSending, let account = parley.account else { return }
        startUploads(account)
        var free = Self.underWayMax - tasks.count
        var busy: Set<String> = []
        // What was refused, and what this version does not know.
        var resting: [UnsentItem] = []
        // What creates something that others need, in lanes of their own.
        var creating: [UnsentItem] = []
        let now = ContinuousClock.now
        var next: ContinuousClock.Instant?
        for entry in entries {
            if free <= 0 { break }
            if busy.contains(entry.item.lane) { continue }
            // What depends on them waits until they are sent or dropped.
            if entry.state == .failed || !entry.item.isKnown || resting.contains(where: entry.item.depends) {
                resting.append(entry.item)
                continue
            }
            busy.insert(entry.item.lane)
            if entry.item.creates { creating.append(entry.item) }
            guard entry.state == .waiting, entry.isUploaded, !creating.contains(where: entry.item.depends) else {
                continue
            }
            if let pause = pauses[entry.item.lane]?.until, pause > now {
                next = next.map { min($0, pause) } ?? pause
                continue
            }
            free -= 1
            start(entry.item, account)
        }
        if let next { wake(at: next) }
    }

    private func wake(at time: ContinuousClock.Instant) {
        alarm?.cancel()
        alarm = Task { [weak self] in
            try? await Task.sleep(until: time, clock: .continuous)
            if !Task.isCancelled { self?.drain() }
        }
    }

    private func start(_ item: UnsentItem, _ account: Account) {
        set(item.id) { $0.state = .underWay }
        tasks[item.id] = Task { [weak self, parley] in
            await self?.send(item, account)
            guard let self, account === parley.account else { return }
            tasks[item.id] = nil
            drain()
        }
    }

    func set(_ id: Data, _ body: (inout Entry) -> Void) {
        changes += 1
        if let index = index(of: id) { body(&entries[index]) }
    }

    private func send(_ stored: UnsentItem, _ account: Account) async {
        var item = stored
        if item.mustRenew(at: account.now), !item.wasTried { item = await renewed(item) }
        if !item.wasTried {
            item.wasTried = true
            let tried = item
            guard await parley.write({ try $0.put(tried) }) != nil else { return pause(item) }
            set(item.id) { $0.item = tried }
        }
        do throws(ParleyError) {
            let answer: ActionAnswer
            if let transport {
                answer = try await transport(item)
            } else {
                guard let link = link ?? parley.client else { throw .closed }
                answer = try await item.send(over: link, as: account.me)
            }
            guard account === parley.account else { return }
            pauses[item.lane] = nil
            await account.engine?.confirm(answer.confirmation)
            let sent = SentItem(
                id: item.id, lane: item.lane, message: item.sends?.data, seq: answer.seq, version: answer.version)
            // What is being stored does not know it, and would be the last word.
            tell(of: sent)
            await written()
            // Otherwise it is asked again after the next start, which changes nothing.
            guard account === parley.account, !Task.isCancelled else { return }
            if let problem = await account.committer?.flush([.sent(sent)]) {
                parley.note(problem.refusal, of: .writing)
            }
        } catch {
            guard account === parley.account else { return }
            await failed(item, error)
        }
    }

    func failed(_ item: UnsentItem, _ error: ParleyError) async {
        let count = pauses[item.lane]?.count ?? 0
        let isInternal = error.hasCode(.internal) && count < Self.internalFailuresMax
        let hasNoSession = error.hasCode(.closed, .cancelled, .unauthenticated, .revoked)
        if error.isRetriable || isInternal || hasNoSession {
            return pause(item, atLeast: .milliseconds(error.retryAfterMs))
        }
        // The server never took an id from the future, so that a new one makes no second message.
        if error.hasCode(.idFromFuture), item.sends != nil {
            _ = await renewed(item)
            return set(item.id) { $0.state = .waiting }
        }
        if mustUploadAgain(item, error) { return set(item.id) { $0.state = .waiting } }
        if item.dropsRefusals { return await drop([item]) }
        var refused = item
        refused.failure = Refusal(error)
        let failed = refused
        // What answers it need not wait for it.
        let answers = withoutReference(to: [failed])
        replace(answers)
        await written()
        await parley.write { store in
            try store.put(failed)
            for item in answers { try store.put(item) }
        }
        set(item.id) { ($0.item, $0.state) = (failed, .failed) }
        show(failed)
        parley.noteUnsent()
    }

    private func pause(_ item: UnsentItem, atLeast wait: Duration = .zero) {
        let count = pauses[item.lane]?.count ?? 0
        let backoff = parley.clientOptions.backoff.wait(attempt: count)
        pauses[item.lane] = (.now + wait + backoff, count + 1)
        set(item.id) { $0.state = .waiting }
    }

    /// Tries everything again at once: there is a connection.
    func hurry() {
        pauses = [:]
        drain()
    }

    /// Gives a message a new id, because the server no longer takes the old one, or not yet.
    func renewed(_ item: UnsentItem) async -> UnsentItem {
        await written()
        guard case .sends(var request) = item.optimisticState else { return item }
        // Not above all others here, which may be of a clock that was ahead. The item's own id keeps the order.
        var ids = UUIDv7.Generator()
        let now = parley.account?.now ?? ServerClock().now()
        let (old, new) = (request.id, Data(ids.next(at: now).bytes))
        request.id = new
        if request.hasMedia { request.media.attachment = Data(ids.next(at: now).bytes) }
        var changed = [item]
        changed[0].replace(by: request)
        for entry in entries where entry.item.lane == item.lane && entry.item.target == old {
            changed.append(entry.item)
            changed[changed.count - 1].target = new
        }
        let all = changed
        let isStored: Void? = await parley.write { store in
            for item in all { try store.put(item) }
        }
        guard isStored != nil else { return item }
        for item in changed {
            set(item.id) { entry in
                if let target = entry.item.changedMessage { targets[target] = nil }
                entry.item = item
                if item.file != nil { (entry.isUploaded, entry.uploaded) = (false, 0) }
                if let target = item.changedMessage { targets[target, default: 0] += 1 }
            }
        }
        if let me = parley.user, let message = changed[0].message(from: me) {
            parley.conversations.renew(MessageID(old), as: overlaid(message))
        }
        parley.noteUnsent()
        return changed[0]
    }

    // MARK: After a refusal

    /// Tells what waits behind an entry what the server made of it.
    private func tell(of sent: SentItem) {
        if let message = sent.message, let seq = sent.seq {
            for index in entries.indices where entries[index].item.target == message {
                entries[index].item.resolve(to: seq)
            }
        }
        if let step = sent.version {
            for index in entries.indices where entries[index].item.lane == sent.lane {
                _ = entries[index].item.move(by: step)
            }
            versions[sent.lane, default: [:]][step.from] = step.to
        }
    }

    /// Takes what the server has now: the entry falls away.
    func sent(_ sent: SentItem) {
        tell(of: sent)
        if let message = sent.message, let index = index(of: sent.id) {
            keep(entries[index].item, as: sent.seq)
            parley.conversations.noteSent(MessageID(message), in: ConversationID(rawValue: sent.lane))
        }
        forget([sent.id])
    }

    /// Sends something again that was refused.
    func retry(_ id: Data) async throws(Refusal) {
        // The app may let go of it meanwhile.
        let parley = parley
        defer { withExtendedLifetime(parley) {} }
        guard let index = index(of: id), entries[index].state == .failed else { return }
        var item = entries[index].item
        let isTooOld = item.failure?.code == .idTooOld
        // The person has seen what others changed, and wants this all the same.
        if item.failure?.code == .eventChanged {
            let seen = parley.events.first { $0.id.data.hexDigits == item.lane }
            if let seen { item.take(version: seen.version) }
        }
        (item.failure, item.wasTried) = (nil, item.wasTried && !isTooOld)
        let again = item
        guard await parley.write({ try $0.put(again) }) != nil else { throw parley.storageProblem ?? .wasClosed }
        set(id) { ($0.item, $0.state) = (again, .waiting) }
        pauses[item.lane] = nil
        show(again)
        parley.noteUnsent()
        drain()
    }

    /// Drops something that is not under way, with all that depends on it.
    func drop(_ id: Data) async throws(Refusal) {
        // The app may let go of it meanwhile.
        let parley = parley
        defer { withExtendedLifetime(parley) {} }
        await written()
        guard let index = index(of: id) else { return }
        guard rests(id) else {
            throw Refusal(.invalid, "It is being sent right now. Delete it once it is sent.")
        }
        await drop(dependents(of: entries[index].item))
    }

    /// Returns an item with all that makes no sense without it. A message that answers it does.
    private func dependents(of item: UnsentItem) -> [UnsentItem] {
        var found = [item]
        for entry in entries
        where found.contains(where: { entry.item.depends(on: $0) && ($0.creates || !entry.item.answers($0)) }) {
            found.append(entry.item)
        }
        return found
    }

    private func drop(_ items: [UnsentItem]) async {
        let answers = withoutReference(to: items)
        let isStored: Void? = await parley.write { store in
            for item in items { try store.removeUnsent(item.id) }
            for item in answers { try store.put(item) }
        }
        guard isStored != nil else { return }
        for item in items { if let file = item.file { parley.account?.unsentFiles.remove(file) } }
        forget(items.map(\.id))
        replace(answers)
        drain()
    }

    /// Returns what answers messages that will not be sent, as messages that answer nothing.
    private func withoutReference(to items: [UnsentItem]) -> [UnsentItem] {
        let dropped = Set(items.map(\.id))
        return entries.lazy.map(\.item).filter { item in
            !dropped.contains(item.id) && items.contains(where: item.answers)
        }.map { item in
            var alone = item
            alone.answerNothing()
            return alone
        }
    }

    private func replace(_ items: [UnsentItem]) {
        for item in items {
            set(item.id) { $0.item = item }
            show(item)
        }
    }
}
