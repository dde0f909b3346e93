import Foundation
import ParleyClient
import SwiftProtobuf

/// The replies of the services, as of now, in small pages.
extension World {
    enum Answer {
        case reply(any State)
        case refusal(String)
    }

    func answer(_ request: any State, _ random: inout SeededNumbers) -> Answer {
        let limit = Int.random(in: 1...4, using: &random)
        switch request {
        case let request as Parley_V1_ConversationsSyncRequest: return .reply(sync(request, limit))
        case let request as Parley_V1_EntitiesSyncRequest: return .reply(sync(request, limit))
        case let request as Parley_V1_MessagingSyncRequest: return .reply(sync(request, limit))
        case let request as Parley_V1_GetChangesRequest:
            guard let talk = seen(request.conversation) else { return .refusal("not_member") }
            return .reply(changes(request, talk, limit))
        case let request as Parley_V1_GetHistoryRequest:
            guard let talk = seen(request.conversation) else { return .refusal("not_member") }
            return .reply(history(request, talk, limit))
        case let request as Parley_V1_UpdateMarksRequest:
            return .reply(
                Parley_V1_UpdateMarksReply.with {
                    $0.states = request.marks.compactMap { seen($0.conversation)?.counted(at: nowUs) }
                })
        case let request as Parley_V1_ListBlockedRequest:
            // The cursor is the last user id.
            let all = blocks.values.filter { $0.blocked && $0.user.id > request.cursor }
            let page = all.sorted { $0.user.id < $1.user.id }.prefix(limit)
            return .reply(
                Parley_V1_ListBlockedReply.with {
                    ($0.blocks, $0.more) = (Array(page), page.count < all.count)
                    $0.cursor = page.last?.user.id ?? ""
                })
        case let request as Parley_V1_ListReceiptsRequest:
            guard seen(request.conversation) != nil, left[request.conversation] == nil else {
                return .refusal("not_member")
            }
            // The cursor is the last user id.
            let all = receipts[request.conversation, default: [:]].values.filter { $0.user > request.cursor }
            let page = all.sorted { $0.user < $1.user }.prefix(limit)
            return .reply(
                Parley_V1_ListReceiptsReply.with {
                    ($0.receipts, $0.more) = (Array(page), page.count < all.count)
                    $0.cursor = $0.more ? page.last?.user ?? "" : ""
                })
        default: return .refusal("unknown_method")
        }
    }

    /// Whether a position is of another history.
    private func isForeign(_ epoch: String, _ since: Int64, newest: Int64) -> Bool {
        (!epoch.isEmpty && epoch != self.epoch) || since > newest
    }

    private func sync(
        _ request: Parley_V1_ConversationsSyncRequest, _ limit: Int
    ) -> Parley_V1_ConversationsSyncReply {
        let startsOver = isForeign(request.epoch, request.sincePosition, newest: conversationsPosition)
        let since = startsOver ? 0 : request.sincePosition
        let changed = talks.values.map(\.conversation).filter {
            $0.position > since && (since > 0 || $0.section != .gone)
        }
        let page = changed.sorted { $0.position < $1.position }.prefix(limit)
        return .with {
            ($0.epoch, $0.startOver, $0.conversations) = (epoch, startsOver, Array(page))
            $0.more = page.count < changed.count
            $0.position = $0.more ? page.last?.position ?? since : conversationsPosition
            $0.requests = requests
            if profile.position > since { $0.profile = profile }
            $0.blocksChanged = blocks.values.contains { $0.position > since }
        }
    }

    private func sync(_ request: Parley_V1_EntitiesSyncRequest, _ limit: Int) -> Parley_V1_EntitiesSyncReply {
        let startsOver = isForeign(request.epoch, request.sincePosition, newest: entitiesPosition)
        let since = startsOver ? 0 : request.sincePosition
        let changed = reminders.values.filter { $0.position > since && (since > 0 || $0.deletedAtUs == 0) }
        let page = changed.sorted { $0.position < $1.position }.prefix(limit)
        return .with {
            ($0.epoch, $0.startOver, $0.reminders) = (epoch, startsOver, Array(page))
            $0.more = page.count < changed.count
            $0.position = $0.more ? page.last?.position ?? since : entitiesPosition
        }
    }

    /// First the pages of conversations, by the cursor; then those of message states, by the position.
    private func sync(_ request: Parley_V1_MessagingSyncRequest, _ limit: Int) -> Parley_V1_MessagingSyncReply {
        let cell = request.cell.isEmpty ? cells[0] : request.cell
        let ownPosition = ownPositions[cell, default: 0]
        let startsOver = isForeign(request.epoch, request.ownPosition, newest: ownPosition)
        let since = startsOver ? 0 : request.ownPosition
        let cursor = startsOver ? 0 : Int(request.cursor) ?? 0
        let mine = talks.keys.filter { self.cell(of: $0) == cell }
            .compactMap { id in seen(id).map { (id: id, talk: $0) } }.filter { $0.talk.position > 0 }
        let news = mine.filter { $0.talk.news > cursor }.sorted { $0.talk.news < $1.talk.news }
        var reply = Parley_V1_MessagingSyncReply()
        (reply.epoch, reply.startOver) = (epoch, startsOver)
        reply.entries = news.prefix(limit).map { entry($0.id, $0.talk) }
        if news.count > limit {
            (reply.cursor, reply.ownPosition, reply.more) = ("\(news[limit - 1].talk.news)", since, true)
            return reply
        }
        let states = mine.flatMap(\.talk.own.values).filter { $0.ownPosition > since }
        reply.messageStates = Array(states.sorted { $0.ownPosition < $1.ownPosition }.prefix(limit))
        reply.cursor = "\(self.news)"
        reply.more = states.count > limit
        reply.ownPosition = reply.more ? reply.messageStates.last?.ownPosition ?? since : ownPosition
        return reply
    }

    private func entry(_ id: String, _ talk: Talk) -> Parley_V1_InboxEntry {
        .with {
            ($0.conversation, $0.section) = (id, talk.conversation.section)
            ($0.lastSeq, $0.position) = (talk.lastSeq, talk.position)
            $0.state = talk.counted(at: nowUs)
            if let last = talk.readable.last(where: { !$0.own.hidden }) { $0.lastMessage = last }
        }
    }

    private func changes(
        _ request: Parley_V1_GetChangesRequest, _ talk: Talk, _ limit: Int
    ) -> Parley_V1_GetChangesReply {
        let since = request.sincePosition
        guard since == 0 || (request.epoch == epoch && since <= talk.position), since >= talk.firstPosition else {
            return .with {
                ($0.epoch, $0.startOver, $0.position) = (epoch, true, talk.position)
                $0.lastSeq = talk.readable.last?.seq ?? 0
            }
        }
        let changed = talk.readable.filter { $0.position > since }.sorted { $0.position < $1.position }
        let page = changed.prefix(limit)
        return .with {
            ($0.epoch, $0.messages, $0.more) = (epoch, Array(page), page.count < changed.count)
            $0.position = $0.more ? page.last?.position ?? since : talk.position
            $0.lastSeq = talk.readable.last?.seq ?? 0
        }
    }

    private func history(
        _ request: Parley_V1_GetHistoryRequest, _ talk: Talk, _ limit: Int
    ) -> Parley_V1_GetHistoryReply {
        let all = talk.readable
        let page: [Parley_V1_Message] =
            switch request.from {
            case .afterSeq(let seq): Array(all.filter { $0.seq > seq }.prefix(limit))
            case .beforeSeq(let seq) where seq > 0: Array(all.filter { $0.seq < seq }.suffix(limit))
            default: all.suffix(limit)
            }
        return .with {
            ($0.messages, $0.lastSeq) = (page, all.last?.seq ?? 0)
            $0.moreBefore = !page.isEmpty && page.first?.seq != all.first?.seq
            $0.moreAfter = !page.isEmpty && page.last?.seq != all.last?.seq
        }
    }

    // MARK: What a client must hold

    /// Returns what a client holds that has missed nothing.
    /// - Parameter seen: what the client holds; its counts that may be wrong are not compared.
    func holdings(comparedWith seen: Holdings) -> Holdings {
        var expected = Holdings()
        expected.positions = [StreamName.conversations: conversationsPosition]
        if entitiesPosition > 0 { expected.positions[StreamName.entities] = entitiesPosition }
        for (cell, position) in ownPositions { expected.positions[StreamName.own(in: cell)] = position }
        var states: [any State] = [profile, requests]
        states += blocks.values.filter(\.blocked).map { $0 as any State }
        states += reminders.values.map { $0 as any State }
        if let opened { states += receipts[opened, default: [:]].values.map { $0 as any State } }
        var (badge, isExact): (Int64, Bool) = (0, true)
        for id in talks.keys {
            let stream = StreamName.messages(of: id)
            guard let talk = self.seen(id) else {
                expected.positions.updateValue(nil, forKey: stream)
                continue
            }
            if talk.position > 0 { expected.positions[stream] = talk.position }
            let counted = talk.counted(at: nowUs)
            states += [talk.conversation, counted] + talk.readable.map { $0 as any State }
            let told = seen.unread[id] ?? .init(unread: 0, mentions: 0, ask: false)
            // Who misses that they left, and sees only that they are a member again, does not know of the new window.
            if told.ask || rejoined.contains(id) {
                isExact = false
            } else {
                expected.unread[id] = .init(unread: counted.unread, mentions: counted.mentions, ask: false)
            }
            guard talk.conversation.section == .inbox else { continue }
            badge += counted.unread == 0 && counted.markedUnread ? 1 : counted.unread
        }
        if isExact { expected.badge = badge }
        expected.states = Holdings.texts(states, normalised)
        return expected
    }

    /// Returns a state as it is compared: without what differs between clients that are both right. nil: not at all.
    func normalised(_ state: any State) -> (any State)? {
        switch state {
        case var state as Parley_V1_InboxState:
            // It is counted when it is published or requested. One that never changed comes only with a `Sync`.
            (state.unread, state.mentions) = (0, 0)
            (state.countedPosition, state.countedSeq, state.countedAtUs) = (0, 0, 0)
            if rejoined.contains(state.conversation) { state.firstSeq = 0 }
            return state.ownPosition == 0 ? nil : state
        case let message as Parley_V1_Message:
            // For the same reason, messages before a new window may still be held.
            return message.seq < seen(message.conversation)?.state.firstSeq ?? 0 ? nil : message
        case let receipt as Parley_V1_Receipt:
            let isMine = seen(receipt.conversation) != nil && left[receipt.conversation] == nil
            return isMine && receipt.conversation == opened ? receipt : nil
        case let reminder as Parley_V1_Reminder: return reminder.deletedAtUs == 0 ? reminder : nil
        default: return state
        }
    }
}
