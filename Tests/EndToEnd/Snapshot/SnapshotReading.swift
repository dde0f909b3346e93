import Foundation
import ParleyClient
import TestSupport

/// Reads a person's whole state page by page, as proto/REFERENCE.md describes. Pages are small, so that there are
/// several.
extension ParleyClient {
    private static let page: UInt32 = 7

    /// Returns everything that a new client of this person would hold.
    func snapshot() async throws(ParleyError) -> Holdings {
        var held = Holdings()
        held.user = user
        for conversation in try await readConversations(into: &held, since: 0).changed {
            held.conversations[conversation.id] = conversation.section == .gone ? nil : conversation
        }
        held.blocks = try await readBlocks()
        try await readReminders(into: &held, since: 0)
        for entry in try await readOwnStates(into: &held) {
            try await readMessages(of: entry.conversation, into: &held, since: 0)
        }
        return held
    }

    /// Reads the changes of conversations since a position, in order.
    /// - Returns: the changed conversations, which `held` does not have yet, and whether blocks changed.
    func readConversations(
        into held: inout Holdings, since: Int64
    ) async throws(ParleyError) -> (changed: [Parley_V1_Conversation], blocksChanged: Bool) {
        var (position, epoch, blocksChanged) = (since, "", false)
        var changed: [Parley_V1_Conversation] = []
        while true {
            let request = Parley_V1_ConversationsSyncRequest.with {
                ($0.epoch, $0.sincePosition, $0.limit) = (epoch, position, Self.page)
            }
            let reply = try await call(ConversationsMethods.sync, key: user, request)
            changed += reply.conversations
            held.requests = reply.requests
            if reply.hasProfile { held.profile = reply.profile }
            blocksChanged = blocksChanged || reply.blocksChanged
            (position, epoch) = (reply.position, reply.epoch)
            if !reply.more { break }
        }
        held.positions["conversations/u/\(user)"] = position
        return (changed, blocksChanged)
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

    func readReminders(into held: inout Holdings, since: Int64) async throws(ParleyError) {
        var position = since
        while true {
            let reply = try await syncEntities(since: position, limit: Self.page)
            for reminder in reply.reminders { held.reminders[reminder.id] = reminder }
            position = reply.position
            if !reply.more { break }
        }
        held.positions["entities/u/\(user)"] = position
    }

    /// Reads my inbox states of all conversations that have messages, and my message states since a position of my
    /// stream.
    /// - Returns: the entries, in the order of their ids.
    @discardableResult
    func readOwnStates(
        into held: inout Holdings, since: Int64 = 0
    ) async throws(ParleyError) -> [Parley_V1_InboxEntry] {
        var entries: [String: Parley_V1_InboxEntry] = [:]
        var (epoch, cursor, position) = ("", "", since)
        while true {
            let request = Parley_V1_MessagingSyncRequest.with {
                ($0.epoch, $0.cursor, $0.limit, $0.ownPosition) = (epoch, cursor, Self.page, position)
            }
            let reply = try await call(MessagingMethods.sync, key: user, request)
            for entry in reply.entries { entries[entry.conversation] = entry }
            for state in reply.messageStates { held.apply(state) }
            (epoch, cursor, position) = (reply.epoch, reply.cursor, reply.ownPosition)
            if !reply.more { break }
        }
        for entry in entries.values {
            if entry.section == .gone { held.states[entry.conversation] = nil } else { held.apply(entry.state) }
        }
        held.positions["messaging/u/\(user)"] = position
        return entries.values.sorted { $0.conversation < $1.conversation }
    }

    /// Reads the changes of a conversation since a position, or with `start_over` all its readable messages. A
    /// conversation that is not mine (any longer) is dropped.
    func readMessages(of conversation: String, into held: inout Holdings, since: Int64) async throws(ParleyError) {
        var (position, epoch) = (since, "")
        do throws(ParleyError) {
            while true {
                let reply = try await changes(of: conversation, epoch: epoch, since: position, limit: Self.page)
                if reply.startOver {
                    held.messages[conversation] = [:]
                    for message in try await wholeHistory(of: conversation, page: 7) {
                        held.messages[conversation]?[message.seq] = message
                    }
                }
                for message in reply.messages { held.messages[conversation, default: [:]][message.seq] = message }
                let isAtEnd = !reply.more && !reply.startOver
                (position, epoch) = (reply.position, reply.epoch)
                if isAtEnd { break }
            }
            held.positions["messaging/c/\(conversation)"] = position
        } catch {
            guard error.code == "not_member" else { throw error }
            held.drop(messagesOf: conversation)
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

extension Holdings {
    mutating func drop(messagesOf conversation: String) {
        messages[conversation] = nil
        states[conversation] = nil
        positions["messaging/c/\(conversation)"] = nil
    }
}
