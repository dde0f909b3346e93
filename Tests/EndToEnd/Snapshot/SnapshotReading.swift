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
        try await readConversations(into: &all.held)
        all.held.blocks = try await readBlocks()
        try await readEntities(into: &all.held)
        for entry in try await readOwnStates(into: &all) {
            try await readMessages(of: entry.conversation, into: &all)
        }
        return all
    }

    /// Reads the conversations, in the order of their changes.
    func readConversations(into held: inout Held) async throws(ParleyError) {
        var (position, epoch): (Int64, String) = (0, "")
        while true {
            let request = Parley_V1_ConversationsSyncRequest.with {
                ($0.epoch, $0.sincePosition, $0.limit) = (epoch, position, Self.page)
            }
            let reply = try await call(ConversationsMethods.sync, key: user, request)
            for content in reply.contents { held.apply(content) }
            for conversation in reply.conversations where conversation.section == .gone {
                held.conversations[conversation.id] = nil
            }
            (position, epoch) = (reply.position, reply.epoch)
            if !reply.more { break }
        }
        held.positions["conversations/u/\(user)"] = position
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

    func readEntities(into held: inout Held) async throws(ParleyError) {
        var (position, epoch): (Int64, String) = (0, "")
        while true {
            let reply = try await syncEntities(epoch: epoch, since: position, limit: Self.page)
            for content in reply.contents { held.apply(content) }
            (position, epoch) = (reply.position, reply.epoch)
            if !reply.more { break }
        }
        held.positions["entities/u/\(user)"] = position
    }

    /// Reads my inbox states of all conversations that have messages, and my message states.
    /// - Returns: the entries, in the order of their ids.
    func readOwnStates(into all: inout Holdings) async throws(ParleyError) -> [Parley_V1_InboxEntry] {
        var entries: [String: Parley_V1_InboxEntry] = [:]
        var (epoch, cursor, position): (String, String, Int64) = ("", "", 0)
        while true {
            let request = Parley_V1_MessagingSyncRequest.with {
                ($0.epoch, $0.cursor, $0.limit, $0.ownPosition) = (epoch, cursor, Self.page, position)
            }
            let reply = try await call(MessagingMethods.sync, key: user, request)
            for entry in reply.entries { entries[entry.conversation] = entry }
            for content in reply.contents { all.held.apply(content) }
            (epoch, cursor, position) = (reply.epoch, reply.cursor, reply.ownPosition)
            if !reply.more { break }
        }
        for entry in entries.values {
            let isGone = entry.section == .gone
            if isGone {
                all.held.inboxStates[entry.conversation] = nil
            } else {
                all.held.inboxStates[entry.conversation] = entry.state
            }
            all.retentions[entry.conversation] = isGone ? nil : entry.retentionSeconds
        }
        all.held.positions["messaging/u/\(user)/0"] = position
        return entries.values.sorted { $0.conversation < $1.conversation }
    }

    /// Reads the messages of a conversation in the order of their changes, or with `start_over` by seq. One that is not
    /// mine (any longer) is dropped.
    func readMessages(of conversation: String, into all: inout Holdings) async throws(ParleyError) {
        var (position, epoch, timesOver): (Int64, String, Int) = (0, "", 0)
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
                for message in reply.messages { all.held.apply(.message(message)) }
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
