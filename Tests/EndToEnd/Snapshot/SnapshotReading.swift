import Foundation
import ParleyClient
import TestSupport

/// Reads a person's whole state page by page, as proto/REFERENCE.md describes. Pages are small, so that there are
/// several.
extension ParleyClient {
    private static let page: UInt32 = 7

    /// Returns everything that a new client of this person would hold.
    func snapshot() async throws(ParleyError) -> Holdings {
        var all = Holdings()
        all.held.user = user
        _ = try await readConversations(into: &all.held, since: 0)
        all.held.blocks = try await readBlocks()
        try await readEntities(into: &all.held, since: 0)
        for entry in try await readOwnStates(into: &all) {
            try await readMessages(of: entry.conversation, into: &all, since: 0)
        }
        return all
    }

    /// Reads the changes of conversations since a position, in order.
    /// - Returns: what must be requested beside them.
    func readConversations(into held: inout Held, since: Int64) async throws(ParleyError) -> [HeldRequest] {
        var (position, epoch, blocksChanged) = (since, held.epoch(of: "conversations", since: since), false)
        var requests: [HeldRequest] = []
        while true {
            let request = Parley_V1_ConversationsSyncRequest.with {
                ($0.epoch, $0.sincePosition, $0.limit) = (epoch, position, Self.page)
            }
            let reply = try await call(ConversationsMethods.sync, key: user, request)
            requests += held.apply(reply)
            blocksChanged = blocksChanged || reply.blocksChanged
            (position, epoch) = (reply.position, reply.epoch)
            if !reply.more { break }
        }
        if blocksChanged { held.blocks = try await readBlocks() }
        (held.positions["conversations/u/\(user)"], held.epochs["conversations"]) = (position, epoch)
        return requests
    }

    func readBlocks() async throws(ParleyError) -> [String: Parley_V1_Block] {
        var blocks: [String: Parley_V1_Block] = [:]
        var cursor = ""
        while true {
            let request = Parley_V1_ListBlockedRequest.with { ($0.cursor, $0.limit) = (cursor, Self.page) }
            let reply = try await call(ConversationsMethods.listBlocked, key: user, request)
            for block in reply.blocks { blocks[block.user.id] = block }
            cursor = reply.cursor
            if !reply.more { return blocks }
        }
    }

    /// Returns the message requests to me, and the count of the last page.
    func readRequests() async throws(ParleyError) -> ([Parley_V1_Conversation], Parley_V1_RequestCount) {
        var requests: [Parley_V1_Conversation] = []
        var cursor = ""
        while true {
            let request = Parley_V1_ListRequestsRequest.with { ($0.cursor, $0.limit) = (cursor, Self.page) }
            let reply = try await call(ConversationsMethods.listRequests, key: user, request)
            requests += reply.requests
            cursor = reply.cursor
            if !reply.more { return (requests, reply.count) }
        }
    }

    func readEntities(into held: inout Held, since: Int64) async throws(ParleyError) {
        var (position, epoch) = (since, held.epoch(of: "entities", since: since))
        while true {
            let reply = try await syncEntities(epoch: epoch, since: position, limit: Self.page)
            _ = held.apply(reply)
            (position, epoch) = (reply.position, reply.epoch)
            if !reply.more { break }
        }
        (held.positions["entities/u/\(user)"], held.epochs["entities"]) = (position, epoch)
    }

    /// Reads my inbox states of all conversations that have messages, and my message states since a position of my
    /// stream.
    /// - Returns: the entries, in the order of their ids.
    @discardableResult
    func readOwnStates(
        into all: inout Holdings, since: Int64 = 0
    ) async throws(ParleyError) -> [Parley_V1_InboxEntry] {
        var entries: [String: Parley_V1_InboxEntry] = [:]
        var (epoch, cursor, position) = (all.held.epoch(of: "messaging", since: since), "", since)
        while true {
            let request = Parley_V1_MessagingSyncRequest.with {
                ($0.epoch, $0.cursor, $0.limit, $0.ownPosition) = (epoch, cursor, Self.page, position)
            }
            let reply = try await call(MessagingMethods.sync, key: user, request)
            for entry in reply.entries { entries[entry.conversation] = entry }
            _ = all.held.apply(reply)
            (epoch, cursor, position) = (reply.epoch, reply.cursor, reply.ownPosition)
            if !reply.more { break }
        }
        for entry in entries.values {
            let isGone = entry.section == .gone
            if isGone {
                all.held.inboxStates[entry.conversation] = nil
            } else {
                _ = all.held.apply(entry.state)
            }
            all.retentions[entry.conversation] = isGone ? nil : entry.retentionSeconds
        }
        (all.held.positions["messaging/u/\(user)"], all.held.epochs["messaging"]) = (position, epoch)
        return entries.values.sorted { $0.conversation < $1.conversation }
    }

    /// Reads the changes of a conversation since a position, or with `start_over` all its readable messages. A
    /// conversation that is not mine (any longer) is dropped.
    func readMessages(of conversation: String, into all: inout Holdings, since: Int64) async throws(ParleyError) {
        var (position, epoch, timesOver) = (since, all.held.epoch(of: "messaging", since: since), 0)
        do throws(ParleyError) {
            while true {
                let reply = try await changes(of: conversation, epoch: epoch, since: position, limit: Self.page)
                if reply.startOver {
                    timesOver += 1
                    if timesOver == 10 { all.endless.insert(conversation) }
                    all.held.messages[conversation] = [:]
                    for message in try await wholeHistory(of: conversation, page: 7) {
                        message.put(in: &all.held)
                    }
                }
                all.held.apply(reply)
                let isAtEnd = !reply.more && !reply.startOver || timesOver == 10
                (position, epoch) = (reply.position, reply.epoch)
                if isAtEnd { break }
            }
            all.held.positions["messaging/c/\(conversation)"] = position
        } catch {
            guard error.code == "not_member" else { throw error }
            all.held.dropMessages(of: conversation)
        }
    }

    private func wholeHistory(
        of conversation: String, page: UInt32
    ) async throws(ParleyError) -> [Parley_V1_Message] {
        var all: [Parley_V1_Message] = []
        while true {
            let reply = try await history(of: conversation, .after(all.last?.seq ?? 0), limit: page)
            all += reply.messages
            if !reply.moreAfter || reply.messages.isEmpty { return all }
        }
    }
}

extension Held {
    /// The epoch to send with a position of a service's stream; empty with the first request.
    fileprivate func epoch(of service: String, since: Int64) -> String { since == 0 ? "" : epochs[service] ?? "" }
}
