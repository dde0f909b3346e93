import Foundation
import ParleyClient
import TestSupport

/// Each number that a person sees, beside the list of what it counts.
extension Holdings {
    /// Returns where a number of this fresh snapshot differs from its list, one line each.
    func miscounts(to client: ParleyClient) async throws(ParleyError) -> [String] {
        let now = await client.serverTimeUs
        return try await badgeMiscounted(to: client, at: now) + mentionsMiscounted(to: client, at: now)
            + threadsMiscounted(to: client) + attendeesMiscounted(to: client) + suggestionsMissing(to: client, at: now)
    }

    private func badgeMiscounted(to client: ParleyClient, at now: Int64) async throws(ParleyError) -> [String] {
        var (sum, mentions, conversations): (Int64, Int64, Int64) = (0, 0, 0)
        for state in held.inboxStates.values where held.conversations[state.conversation]?.section == .inbox {
            guard !isArchived(state), state.mutedUntilUs <= now else { continue }
            let own = state.unread == 0 && state.markedUnread ? 1 : state.unread
            (sum, mentions, conversations) = (sum + own, mentions + state.mentions, conversations + (own > 0 ? 1 : 0))
        }
        let badge = try await client.badge()
        if (badge.badge, badge.mentions, badge.conversations) == (sum, mentions, conversations) { return [] }
        return ["GetBadge says \(badge), the inbox has \(sum), \(mentions) mentions in \(conversations) conversations"]
    }

    private func isArchived(_ state: Parley_V1_InboxState) -> Bool {
        let newest = held.messages[state.conversation]?.values.max { $0.seq < $1.seq } ?? .init()
        return Newest(seq: newest.seq, sentAtUs: newest.sentAtUs).isArchived(by: state)
    }

    private func mentionsMiscounted(to client: ParleyClient, at now: Int64) async throws(ParleyError) -> [String] {
        var (listed, cursor): ([String: Int64], String) = ([:], "")
        while true {
            let page = try await client.mentionsAndStars(.mentions, cursor: cursor, limit: 7)
            for message in page.messages {
                let state = held.inboxStates[message.conversation] ?? .init()
                let isUnread = message.seq > max(state.readSeq, state.clearedSeq, state.firstSeq - 1)
                if isUnread, message.sender != held.user { listed[message.conversation, default: 0] += 1 }
            }
            cursor = page.cursor
            if !page.more { break }
        }
        return held.inboxStates.values.compactMap { state in
            let count = listed[state.conversation, default: 0]
            return count == state.mentions
                ? nil : "\(count) unread mentions of \(state.conversation) are listed, and \(state.mentions) counted"
        }
    }

    /// Threads of which this person may read every reply.
    private func threadsMiscounted(to client: ParleyClient) async throws(ParleyError) -> [String] {
        var lines: [String] = []
        for (conversation, messages) in held.messages where retentionsTold[conversation] == nil {
            let state = held.inboxStates[conversation] ?? .init()
            guard held.conversations[conversation]?.leftAtUs == 0, state.clearedSeq == 0 else { continue }
            for first in messages.values where first.thread.replies > 0 && first.threadSeq == 0 {
                var (replies, after): (Int64, Int64) = (0, 0)
                while true {
                    let page = try await client.thread(first.seq, of: conversation, after: after, limit: 7)
                    replies += Int64(page.messages.count { $0.seq != first.seq && $0.deletedAtUs == 0 })
                    guard page.moreAfter, let last = page.messages.last else { break }
                    after = last.seq
                }
                if replies != first.thread.replies {
                    let counted = "counted \(first.thread.replies)"
                    lines.append("thread \(first.seq) of \(conversation) has \(replies) replies, \(counted)")
                }
            }
        }
        return lines
    }

    private func attendeesMiscounted(to client: ParleyClient) async throws(ParleyError) -> [String] {
        var lines: [String] = []
        for event in held.events.values where event.deletedAtUs == 0 {
            guard let id = UUIDv7(bytes: event.id) else { continue }
            var (attendees, cursor): ([Parley_V1_Attendance], String) = ([], "")
            repeat {
                let page = try await client.attendees(of: id, cursor: cursor, limit: 7)
                (attendees, cursor) = (attendees + page.attendees, page.cursor)
            } while !cursor.isEmpty
            func count(_ status: Parley_V1_AttendanceStatus) -> UInt32 {
                UInt32(attendees.count { $0.status == status })
            }
            let coming = attendees.filter { $0.status == .accepted }.reduce(0) { $0 + 1 + $1.guests }
            let counted = (event.accepted, event.tentative, event.declined, event.coming)
            if counted != (count(.accepted), count(.tentative), count(.declined), coming) {
                lines.append("event \(event.title) counts \(counted), ListAttendees has \(attendees)")
            }
        }
        return lines
    }

    private func suggestionsMissing(to client: ParleyClient, at now: Int64) async throws(ParleyError) -> [String] {
        var (listed, cursor): (Set<Data>, String) = ([], "")
        while true {
            let page = try await client.listSuggestions(cursor: cursor, limit: 7)
            listed.formUnion(page.suggestions.map(\.id))
            cursor = page.cursor
            if cursor.isEmpty { break }
        }
        let open = Set(held.suggestions.values.filter { $0.state == .open && $0.expiresAtUs > now }.map(\.id))
        return listed == open ? [] : ["ListSuggestions lists \(listed.count), Sync has \(open.count) open suggestions"]
    }
}
