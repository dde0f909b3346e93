/// Requests and their replies.
extension SyncMachine {
    /// Takes the reply to a question. A reply to a question of an earlier session changes nothing.
    public mutating func replied(
        _ number: Int, with reply: SyncReply, at now: ContinuousClock.Instant
    ) -> [SyncAction] {
        guard let asked = asking.end(number) else { return [] }
        switch (reply, asked.request) {
        case (.conversations(let reply), .conversations(let epoch, _)): take(reply, asked: epoch, asked.subject, now)
        case (.entities(let reply), .entities(let epoch, _)): take(reply, asked: epoch, asked.subject, now)
        case (.inbox(let reply), .inbox(let stream, let epoch, let cursor, _, _)):
            take(reply, of: stream, asked: epoch, after: cursor, now)
        case (.changes(let reply), .changes(let conversation, let epoch, let since)):
            take(reply, of: conversation, asked: since == 0 ? "" : epoch, since: since, now)
        case (.history(let reply), _): take(reply, to: asked, now)
        case (.inboxStates(let reply), .inboxStates(let conversations)): take(reply, of: conversations)
        case (.blocks(let reply), _): take(reply, now)
        case (.receipts(let reply), .receipts(let conversation, _)): take(reply, of: conversation)
        default: return failed(asked, .notAnAnswer, at: now)
        }
        asking.succeeded(asked)
        return finish(at: now)
    }

    /// Takes the refusal or failure of a question. The request is made again later, unless the conversation is not mine
    /// to read.
    public mutating func failed(
        _ number: Int, with error: ParleyError, at now: ContinuousClock.Instant
    ) -> [SyncAction] {
        guard let asked = asking.end(number) else { return [] }
        return failed(asked, error, at: now)
    }

    private mutating func failed(
        _ asked: SyncAsking.Asked, _ error: ParleyError, at now: ContinuousClock.Instant
    ) -> [SyncAction] {
        let isRefused = error.hasCode(.notMember, .notFound)
        switch asked.subject {
        case .stream(let name) where isRefused && isLost(name, asked): lose(name)
        case .earlier(let conversation) where isRefused: wanted[conversation] = nil
        case .later(let conversation) where isRefused: wantedAfter[conversation] = nil
        case .receipts(let conversation) where isRefused: receipts.cursors[conversation] = nil
        default: asking.failed(asked.subject, options, wait: .milliseconds(error.retryAfterMs), at: now)
        }
        if case .stream(let name) = asked.subject {
            forgetMeanwhile(name)
            advance(name, now)
        }
        return finish(at: now)
    }

    /// Whether a refusal means that a conversation is not mine to read. If it is mine, and something came of it since
    /// the request was made, the refusal is of a moment before it became mine.
    private func isLost(_ name: String, _ asked: SyncAsking.Asked) -> Bool {
        guard let id = StoredStream(name).conversation else { return false }
        guard records[id]?.isMine ?? false else { return true }
        return !asked.again && !(streams[name]?.hasGap ?? false)
    }

    /// Drops the messages of a conversation that is not mine to read.
    private mutating func lose(_ name: String) {
        guard let id = StoredStream(name).conversation else { return }
        forget(name)
        change(id) { $0.unread.dropMessages() }
        actions.append(.store(.dropMessages(conversation: id)))
    }

    /// Returns the request about a subject, as things stand now; nil: there is nothing to request.
    func request(about subject: Subject) -> SyncRequest? {
        switch subject {
        case .stream(let name):
            guard let stream = streams[name] else { return nil }
            if let reading = stream.reading { return reading.request }
            let (stored, since) = (stream.stored, stream.stored.epoch.isEmpty ? 0 : stream.stored.position)
            // The position of another epoch, or of none, is the beginning.
            let epoch = since == 0 ? "" : stored.epoch
            if let conversation = stored.conversation {
                return .changes(conversation: conversation, epoch: epoch, since: since)
            }
            switch stored.service {
            case "conversations": return .conversations(epoch: stored.epoch, since: since)
            case "entities": return .entities(epoch: stored.epoch, since: since)
            case "messaging":
                return .inbox(
                    stream: name, epoch: stored.epoch, cursor: stored.cursor, since: stream.pageSince ?? since,
                    held: held(in: stored))
            default: return nil
            }
        case .earlier(let conversation):
            // While its newest are read, it is not known before which.
            guard let limit = wanted[conversation],
                streams[StoredStream.messages(of: conversation)]?.reading == nil
            else { return nil }
            let before = records[conversation]?.unread.heldFrom ?? 0
            return before == 1 ? nil : .earlier(conversation: conversation, before: before, limit: limit)
        case .later(let conversation):
            return wantedAfter[conversation].map { .history(conversation: conversation, after: $0) }
        case .inboxStates:
            return uncounted.isEmpty ? nil : .inboxStates(of: Array(uncounted.sorted().prefix(100)))
        case .blocks: return .blocks(cursor: blocksCursor)
        case .receipts(let id): return .receipts(conversation: id, cursor: receipts.cursors[id] ?? "")
        }
    }

    /// Returns what is held of the conversations in a cell, those with the latest news first.
    private func held(in own: StoredStream) -> [HeldPosition] {
        guard !own.epoch.isEmpty, own.position > 0 || !own.cursor.isEmpty else { return [] }
        let returned = streams[own.name]?.pageEntries ?? []
        let held = streams.values.lazy.filter { stream in
            stream.stored.position > 0 && stream.stored.epoch == own.epoch && stream.reading == nil
        }.compactMap { [records] stream -> (HeldPosition, Int64)? in
            guard let id = stream.stored.conversation, !returned.contains(id), let record = records[id],
                record.isIn(own.cell)
            else { return nil }
            return (HeldPosition(id, at: stream.stored.position), record.newest.sentAtUs)
        }.sorted { ($0.1, $1.0.conversation) > ($1.1, $0.0.conversation) }
        return held.prefix(options.heldSent).map(\.0)
    }

    // MARK: Sync

    private mutating func take(
        _ reply: Parley_V1_ConversationsSyncReply, asked epoch: String, _ subject: Subject,
        _ now: ContinuousClock.Instant
    ) {
        guard case .stream(let name) = subject else { return }
        if reply.startOver || (!epoch.isEmpty && epoch != reply.epoch) { startOver(name, epoch: reply.epoch) }
        if streams[name]?.isReadAnew ?? false { forgetStates(of: name, epoch: reply.epoch) }
        for conversation in reply.conversations { apply(conversation) }
        if reply.hasRequests { actions.append(.store(.put(.requestCount(reply.requests)))) }
        if reply.hasProfile { actions.append(.store(.put(.profile(reply.profile)))) }
        if reply.blocksChanged {
            // A page that is on its way is of a list that begins anew.
            asking.forget(.blocks)
            (blocksChanged, blocks, blocksCursor) = (true, [], "")
            if !epoch.isEmpty, !reply.startOver { doubtMentions() }
        }
        reach(name, reply.position, epoch: reply.epoch)
        guard !reply.more else { return asking.add(subject) }
        streams[name]?.stored.isBehind = blocksChanged
        // One that is under way lists those of now: a second one would come after Updates that nothing held.
        if blocksChanged, !asking.isUnderWay(.blocks) { asking.add(.blocks) }
        for id in (unseen ?? []).sorted() {
            forget(StoredStream.messages(of: id))
            records[id] = ConversationRecord(id)
            forgetReceipts(of: id)
            change(id) { ($0.section, $0.wasLost) = (.gone, true) }
            actions += [.store(.dropConversation(id)), .tell(.lost(conversation: id))]
        }
        unseen = nil
        isSynced(name, now)
    }

    private mutating func take(_ reply: Parley_V1_ListBlockedReply, _ now: ContinuousClock.Instant) {
        guard blocksChanged else { return }
        blocks += reply.blocks
        blocksCursor = reply.cursor
        guard !reply.more else { return asking.add(.blocks) }
        actions.append(.store(.blocks(blocks)))
        (blocksChanged, blocks, blocksCursor) = (false, [], "")
        let name = "conversations/u/\(me)"
        streams[name]?.stored.isBehind = false
        changedStreams.insert(name)
        advance(name, now)
    }

    private mutating func take(
        _ reply: Parley_V1_EntitiesSyncReply, asked epoch: String, _ subject: Subject, _ now: ContinuousClock.Instant
    ) {
        guard case .stream(let name) = subject else { return }
        if reply.startOver || (!epoch.isEmpty && epoch != reply.epoch) { startOver(name, epoch: reply.epoch) }
        if streams[name]?.isReadAnew ?? false { forgetStates(of: name, epoch: reply.epoch) }
        for content in reply.contents { actions.append(.store(.put(content))) }
        reach(name, reply.position, epoch: reply.epoch)
        if reply.more { asking.add(subject) } else { isSynced(name, now) }
    }

    private mutating func take(
        _ reply: Parley_V1_MessagingSyncReply, of name: String, asked epoch: String, after cursor: String,
        _ now: ContinuousClock.Instant
    ) {
        if reply.startOver || (!epoch.isEmpty && epoch != reply.epoch) { startOver(name, epoch: reply.epoch) }
        if streams[name]?.isReadAnew ?? false { forgetStates(of: name, epoch: reply.epoch) }
        if cursor.isEmpty { streams[name]?.isListing = true }
        // What came before the first page was not kept.
        if epoch.isEmpty { for id in receipts.asked.sorted() { forgetReceipts(of: id) } }
        let cell = StoredStream(name).cell
        for entry in reply.entries {
            note(cell, of: entry.conversation)
            take(entry, epoch: reply.epoch, now)
            streams[name]?.pageEntries.insert(entry.conversation)
        }
        for state in reply.messageStates { store(.messageState(state), of: state.conversation) }
        streams[name]?.stored.epoch = reply.epoch
        streams[name]?.stored.cursor = reply.cursor
        changedStreams.insert(name)
        // The position holds only after all pages.
        guard !reply.more else {
            streams[name]?.pageSince = reply.ownPosition
            return asking.add(.stream(name))
        }
        let isListing = streams[name]?.isListing ?? false
        streams[name]?.endPages()
        reach(name, max(reply.ownPosition, streams[name]?.stored.position ?? 0), epoch: reply.epoch)
        isSynced(name, now)
        if isListing, !isFirstSync { requestUnlisted() }
    }

    /// Requests the changes of conversations that became mine while the inbox was listed, and are in no page of it.
    private mutating func requestUnlisted() {
        let mine = records.values.filter(\.isMine).map { StoredStream.messages(of: $0.id) }
        for name in mine.filter({ streams[$0] == nil }).sorted() { requestChanges(of: name) }
    }

    private mutating func reach(_ name: String, _ position: Int64, epoch: String) {
        streams[name]?.reach(position, epoch: epoch)
        changedStreams.insert(name)
    }

    private mutating func isSynced(_ name: String, _ now: ContinuousClock.Instant) {
        unsynced.remove(name)
        if streams[name]?.dropsLaterUpdates() ?? false { asking.add(.stream(name)) }
        advance(name, now)
        advanceGaps(now)
    }

    /// The server has another history than the one of which a stream was held. All services are restored together, so
    /// everything else is checked, too.
    private mutating func startOver(_ name: String, epoch: String) {
        forgetStates(of: name, epoch: epoch)
        for other in streams.keys.sorted() where other != name {
            streams[other]?.reading?.continues = true
            guard let stream = streams[other], stream.stored.position > 0 else { continue }
            if stream.stored.conversation != nil { requestChanges(of: other) } else { asking.add(.stream(other)) }
        }
    }

    /// Drops the states of a stream of mine, which is read from its beginning.
    private mutating func forgetStates(of name: String, epoch: String) {
        actions.append(.store(.startOver(stream: name)))
        streams[name]?.startOver()
        endReadingAnew(name)
        gaps.remove(name)
        switch StoredStream(name).service {
        case "conversations":
            unseen = Set(records.values.lazy.filter { $0.position != 0 && $0.section != .gone }.map(\.id))
            for id in records.keys { change(id) { $0.position = 0 } }
            // Pages of the other epoch are of another list.
            asking.forget(.blocks)
            (blocksChanged, blocks, blocksCursor) = (false, [], "")
        case "messaging":
            let cell = StoredStream(name).cell
            // A reply that is on its way may be of the other epoch.
            if asking.isUnderWay(.inboxStates) {
                asking.forget(.inboxStates)
                asking.add(.inboxStates)
            }
            for id in records.keys where records[id]?.isIn(cell) ?? true {
                change(id) { $0.unread.forgetState() }
                forgetReceipts(of: id)
            }
            for (other, stream) in streams where stream.stored.position == 0 {
                guard let id = stream.stored.conversation, records[id]?.isIn(cell) ?? true else { continue }
                streams[other]?.stored.epoch = stream.stored.epoch.isEmpty ? "" : epoch
            }
        default: break
        }
    }

    private mutating func take(
        _ entry: Parley_V1_InboxEntry, epoch: String, _ now: ContinuousClock.Instant
    ) {
        guard entry.section != .gone else { return }
        let (id, name) = (entry.conversation, StoredStream.messages(of: entry.conversation))
        if entry.hasState { take(entry.state) }
        change(id) { record in
            record.unread.note(retentionSeconds: entry.retentionSeconds)
            record.newest.note(entry.lastSeq, sentAt: entry.lastMessage.sentAtUs)
        }
        var stored = entry
        (stored.missed, stored.caughtUp) = ([], false)
        actions.append(.store(.inboxEntry(stored)))
        // A stream that is followed from its beginning is held, although nothing has happened in it yet.
        let isHeld = records[id]?.unread.heldFrom == 1
        guard let stream = streams[name], stream.stored.position > 0 || stream.stored.isBehind || isHeld else {
            return read(id, position: entry.position, epoch: epoch, lastSeq: entry.lastSeq)
        }
        if let reading = stream.reading {
            if reading.position < entry.position || reading.epoch != epoch { streams[name]?.reading?.continues = true }
        } else if entry.caughtUp, stream.stored.position > 0, stream.stored.epoch == epoch,
            !asking.isUnderWay(.stream(name))
        {
            // Not of one that was dropped since the request: then what was missed is after a position of before.
            for message in entry.missed { store(message, from: .reply) }
            if options.readsWhenLookedAt, stream.stored.isBehind {
                streams[name]?.stored.isBehind = false
                changedStreams.insert(name)
            }
            guard stream.stored.position < entry.position else { return }
            reach(name, entry.position, epoch: epoch)
            advance(name, now)
        } else if !stream.stored.isBehind, stream.stored.position < entry.position || stream.stored.epoch != epoch {
            miss(name)
        }
    }

    // MARK: Messages

    /// Begins to follow a conversation of which nothing is held, or nothing that is valid, from a position on.
    private mutating func read(_ id: String, position: Int64, epoch: String, lastSeq: Int64) {
        let name = StoredStream.messages(of: id)
        var stream = streams[name] ?? SyncStream(StoredStream(name))
        dropEarlier(id)
        let request: SyncRequest
        switch options.loading {
        case .newest(0):
            stream.reach(position, epoch: epoch)
            streams[name] = stream
            changedStreams.insert(name)
            change(id) { $0.unread.hold(from: lastSeq + 1, to: lastSeq) }
            return askEarlier(id)
        case .newest(let count): request = .earlier(conversation: id, before: 0, limit: count)
        case .all: request = .history(conversation: id, after: 0)
        }
        stream.reading = SyncStream.Reading(position: position, epoch: epoch, request: request)
        streams[name] = stream
        requestChanges(of: name)
    }

    /// Drops what was read of a conversation before a position was held: it may lack changes up to that. As much is
    /// read again, once the position is reached.
    private mutating func dropEarlier(_ id: String) {
        asking.forget(.earlier(conversation: id))
        guard let unread = records[id]?.unread, let from = unread.heldFrom else { return }
        let (span, isTooLong) = unread.heldTo.subtractingReportingOverflow(from)
        let count = isTooLong ? 200 : UInt32(min(max(span, -1), 199) + 1)
        if count > 0 { wanted[id] = max(wanted[id] ?? 0, count) }
        actions.append(.store(.dropMessages(conversation: id)))
        change(id) { $0.unread.dropMessages() }
    }

    /// Reads the messages that somebody wants before those held.
    private mutating func askEarlier(_ id: String) {
        if wanted[id] != nil { asking.add(.earlier(conversation: id)) }
    }

    private mutating func take(
        _ reply: Parley_V1_GetChangesReply, of id: String, asked epoch: String, since: Int64,
        _ now: ContinuousClock.Instant
    ) {
        let name = StoredStream.messages(of: id)
        guard streams[name] != nil else { return }
        noteEpoch(reply.epoch, of: id)
        guard var stream = streams[name] else { return }
        guard !reply.startOver, epoch.isEmpty || epoch == reply.epoch else { return restart(id, reply, now) }
        stream.restarts = 0
        streams[name] = stream
        if since == 0 {
            endReadingAnew(name)
            // What was read of it before may be of another epoch, or lacks what this version knows.
            if records[id]?.unread.heldFrom != nil { actions.append(.store(.dropMessages(conversation: id))) }
            change(id) { record in
                record.unread.dropMessages()
                record.unread.hold(from: 1, to: 0)
            }
        }
        for message in reply.messages { store(message, from: .reply) }
        reapplyMeanwhile(name)
        reach(name, max(reply.position, since), epoch: reply.epoch)
        streams[name]?.stored.isBehind = reply.more
        if reply.more { asking.add(.stream(name)) } else { advance(name, now) }
    }

    /// If messages are of another epoch than my states of them are, starts those over: what I cleared in the other
    /// epoch hides none of this one. A `Sync` under way says so itself.
    private mutating func noteEpoch(_ epoch: String, of conversation: String) {
        guard let own = ownStream(of: conversation), let known = streams[own]?.stored.epoch, !known.isEmpty,
            known != epoch
        else { return }
        startOver(own, epoch: epoch)
        streams[own]?.endPages()
        streams[own]?.stored.epoch = epoch
        changedStreams.insert(own)
        unsynced.insert(own)
        if !asking.isUnderWay(.stream(own)) { asking.add(.stream(own)) }
    }

    /// Drops the messages of a conversation and reads them again.
    private mutating func restart(_ id: String, _ reply: Parley_V1_GetChangesReply, _ now: ContinuousClock.Instant) {
        let name = StoredStream.messages(of: id)
        let count = streams[name]?.restarts ?? 0
        actions += [.store(.dropMessages(conversation: id)), .tell(.startedOver(conversation: id))]
        change(id) { $0.unread.dropMessages() }
        var stream = SyncStream(StoredStream(name))
        stream.restarts = count + 1
        streams[name] = stream
        gaps.remove(name)
        read(id, position: reply.position, epoch: reply.epoch, lastSeq: reply.lastSeq)
        if streams[name]?.reading == nil { requestChanges(of: name) }
        streams[name]?.reading?.continues = true
        // A server that says so again and again is asked less and less often.
        if count > 0 { asking.postpone(.stream(name), options, at: now) }
    }

    /// Drops the messages of a conversation that I left and reads them again: some of them were deleted since. The
    /// position holds.
    mutating func readAgain(_ id: String) {
        let name = StoredStream.messages(of: id)
        guard let before = streams[name] else { return }
        forget(name)
        actions.append(.store(.dropMessages(conversation: id)))
        change(id) { $0.unread.dropMessages() }
        let (position, epoch) =
            before.reading.map { ($0.position, $0.epoch) } ?? (before.stored.position, before.stored.epoch)
        // One that is read from its beginning begins again.
        guard position > 0 else { return requestChanges(of: name) }
        read(id, position: position, epoch: epoch, lastSeq: records[id]?.newest.seq ?? 0)
        let isBehind = before.reading?.continues ?? before.stored.isBehind
        if streams[name]?.reading != nil {
            streams[name]?.reading?.continues = isBehind
        } else if isBehind {
            requestChanges(of: name)
        }
    }

    private mutating func take(
        _ page: Parley_V1_GetHistoryReply, to asked: SyncAsking.Asked, _ now: ContinuousClock.Instant
    ) {
        let (id, after): (String, Int64?)
        switch asked.request {
        case .history(let conversation, let seq): (id, after) = (conversation, seq)
        case .earlier(let conversation, _, _): (id, after) = (conversation, nil)
        default: return
        }
        let name = StoredStream.messages(of: id)
        guard streams[name] != nil else { return }
        if case (.earlier, .earlier(_, let before, _)) = (asked.subject, asked.request),
            records[id]?.unread.heldFrom ?? 0 != before
        {
            // The messages before which these are were dropped, or read anew, meanwhile.
            return asking.add(asked.subject)
        }
        let last = page.messages.last?.seq ?? 0
        change(id) { record in
            let isWhole = after == 0 || (after == nil && (!page.moreBefore || page.messages.isEmpty))
            let first = isWhole ? 1 : after == nil ? page.messages[0].seq : record.unread.heldFrom ?? 1
            record.unread.hold(from: first, to: page.moreAfter ? last : max(last, page.lastSeq))
        }
        for message in page.messages { store(message, from: .reply) }
        reapplyMeanwhile(name)
        actions.append(.tell(.read(conversation: id, through: page.moreAfter ? last : max(last, page.lastSeq))))
        switch asked.subject {
        case .earlier: return wanted[id] = nil
        case .later: return wantedAfter[id] = nil
        default: break
        }
        guard let reading = streams[name]?.reading else { return }
        if after != nil, page.moreAfter, last > 0 {
            streams[name]?.reading?.request = .history(conversation: id, after: last)
            return asking.add(.stream(name))
        }
        streams[name]?.reading = nil
        reach(name, reading.position, epoch: reading.epoch)
        askEarlier(id)
        streams[name]?.stored.isBehind = reading.continues
        if reading.continues { asking.add(.stream(name)) } else { advance(name, now) }
    }

    private mutating func reapplyMeanwhile(_ name: String) {
        actions += (streams[name]?.meanwhile ?? []).map { .store($0) }
        forgetMeanwhile(name)
    }

    /// Unless a reply is still on its way that may bring a message as it was before.
    private mutating func forgetMeanwhile(_ name: String) {
        if let id = StoredStream(name).conversation, isReading(id) { return }
        streams[name]?.meanwhile = []
    }

    private mutating func take(_ reply: Parley_V1_UpdateMarksReply, of conversations: [String]) {
        for state in reply.states { take(state) }
        for id in conversations where records[id] != nil { change(id) { $0.unread.noteAsked() } }
        uncounted.subtract(conversations)
        if !uncounted.isEmpty { asking.add(.inboxStates) }
    }
}

extension ParleyError {
    fileprivate static let notAnAnswer = ParleyError(.internal, "The reply is to another request.")
}
