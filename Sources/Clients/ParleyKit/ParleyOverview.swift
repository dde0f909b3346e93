import Foundation
import ParleyClient

/// How much I have used of what the operator allows.
///
///     let usage = try await parley.usage()
///     show("\(usage.fileBytes / 1_000_000) of \(usage.fileBytesMax / 1_000_000) MB")
public struct Usage: Hashable, Sendable, Codable {
    /// Of the files that I uploaded.
    public var fileBytes: Int64
    public var fileBytesMax: Int64
    /// What I sent today.
    public var messages: Int64
    public var messagesMax: Int64
    /// When the day ends to which ``messages`` belongs.
    public var dayEnds: Date

    /// Creates figures, for previews and tests.
    public init(
        fileBytes: Int64 = 0, fileBytesMax: Int64 = 0, messages: Int64 = 0, messagesMax: Int64 = 0, dayEnds: Date = .now
    ) {
        (self.fileBytes, self.fileBytesMax, self.messages) = (fileBytes, fileBytesMax, messages)
        (self.messagesMax, self.dayEnds) = (messagesMax, dayEnds)
    }
}

/// A person or a message that I reported.
///
///     for report in try await parley.reports() { show("\(report.user), \(report.at.formatted())") }
public struct SentReport: Hashable, Sendable, Codable {
    public var user: UserID
    /// The message, by its conversation and number; nil: the person.
    public var conversation: ConversationID?
    public var seq: Int64?
    public var note: String
    public var at: Date

    /// Creates a report, for previews and tests.
    public init(
        _ user: UserID, conversation: ConversationID? = nil, seq: Int64? = nil, note: String = "", at: Date = .now
    ) {
        (self.user, self.conversation, self.seq, self.note, self.at) = (user, conversation, seq, note, at)
    }
}

/// Where I have turned suggestions off.
///
///     let settings = try await parley.suggestionSettings()
///     if settings.isOff { show("Nothing is suggested.") }
public struct SuggestionSettings: Hashable, Sendable, Codable {
    /// Everywhere.
    public var isOff: Bool
    /// Those in which they are off.
    public var conversations: Set<ConversationID>

    /// Creates settings, for previews and tests.
    public init(isOff: Bool = false, conversations: Set<ConversationID> = []) {
        (self.isOff, self.conversations) = (isOff, conversations)
    }

    init(_ settings: Parley_V1_SuggestionSettings) {
        self.init(isOff: settings.off, conversations: Set(settings.conversations.map(ConversationID.init(rawValue:))))
    }
}

/// What only the server knows of all my conversations, and of me. Each function throws `offline` without a connection.
extension Parley {
    /// Returns what the server counts as unread. ``badge`` is the same number as this device knows it.
    public func serverBadge() async throws(Refusal) -> Badge {
        try await ask { client throws(ParleyError) in
            let badge = try await client.badge()
            return Badge(
                messages: Int(clamping: badge.badge), conversations: Int(clamping: badge.conversations),
                mentions: Int(clamping: badge.mentions))
        }
    }

    /// Returns how much I have used of what the operator allows.
    public func usage() async throws(Refusal) -> Usage {
        try await ask { client throws(ParleyError) in
            let usage = try await client.usage()
            return Usage(
                fileBytes: usage.fileBytes, fileBytesMax: usage.fileBytesMax, messages: usage.messages,
                messagesMax: usage.messagesMax, dayEnds: Date(microseconds: usage.dayEndsUs))
        }
    }

    /// Returns what I reported, the latest first.
    public func reports() async throws(Refusal) -> [SentReport] {
        try await ask { client throws(ParleyError) in
            var (reports, cursor): ([SentReport], String) = ([], "")
            repeat {
                let page = try await client.reports(cursor: cursor, limit: 200)
                reports += page.reports.map { report in
                    SentReport(
                        UserID(rawValue: report.user),
                        conversation: report.conversation.isEmpty ? nil : ConversationID(rawValue: report.conversation),
                        seq: report.seq == 0 ? nil : report.seq, note: report.note,
                        at: Date(microseconds: report.reportedAtUs))
                }
                cursor = page.cursor
            } while !cursor.isEmpty
            return reports
        }
    }

    /// Marks message requests and invitations as seen: call it when ``requests`` were on the screen. ``requestCount``
    /// counts them no longer as unread.
    public func markRequestsRead(_ shown: [Conversation]) async throws(Refusal) {
        let unread = shown.filter { !$0.isRequestRead }.map(\.id.rawValue)
        for first in stride(from: 0, to: unread.count, by: 200) {
            let some = Array(unread[first..<min(first + 200, unread.count)])
            try await ask { client throws(ParleyError) in _ = try await client.markRequestsRead(some) }
        }
    }

    /// Returns the conversation with exactly these people and me; nil: there is none. With one person it is the direct
    /// one.
    public func findConversation(with people: [UserID]) async throws(Refusal) -> Conversation? {
        let found = try await ask { client throws(ParleyError) in
            try await client.findConversation(with: people.map(\.rawValue))?.id
        }
        return found.map { conversation(ConversationID(rawValue: $0)) }
    }

    /// Returns a page of the messages in all conversations that I starred, or that mention me, the newest first.
    /// ``list(of:)`` shows them and stays live.
    /// - Parameter next: of the page before; nil: the first page.
    /// - Returns: the messages, and what the next page begins with; nil: there is none.
    public func mentionsAndStars(
        _ kind: MentionsAndStars, after next: String? = nil, limit: Int = 50
    ) async throws(Refusal) -> (messages: [Message], next: String?) {
        try await ask { client throws(ParleyError) in
            let page = try await client.mentionsAndStars(
                kind.stored, cursor: next ?? "", limit: UInt32(clamping: min(max(limit, 1), 200)))
            return (page.messages.map(Message.init), page.more ? page.cursor : nil)
        }
    }

    /// Returns where I have turned suggestions off.
    public func suggestionSettings() async throws(Refusal) -> SuggestionSettings {
        try await ask { client throws(ParleyError) in SuggestionSettings(try await client.suggestionSettings()) }
    }

    /// Turns suggestions off or on. Off, open ones are withdrawn.
    /// - Parameter conversation: nil: everywhere.
    @discardableResult
    public func setSuggestions(
        isOff: Bool, in conversation: ConversationID? = nil
    ) async throws(Refusal) -> SuggestionSettings {
        try await ask { client throws(ParleyError) in
            SuggestionSettings(try await client.setSuggestions(off: isOff, in: conversation?.rawValue ?? ""))
        }
    }
}
