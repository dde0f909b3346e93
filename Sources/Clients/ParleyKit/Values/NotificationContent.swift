import Foundation

/// What a push says, for the code that shows it: an app, or its notification service extension.
///
///     let content = try NotificationContent.open(userInfo)
///     show("\(content.kind) in \(content.conversation?.rawValue ?? "")")
public struct NotificationContent: Hashable, Sendable, Codable {
    /// The id of the push. One that is sent again has the same.
    public var id: String
    /// What it is about: "message", "mention", "request", "invitation", "reaction", "reminder", "event", "read" (a
    /// conversation was read on another device), "withdrawn" (a message was deleted), "test".
    public var kind: String
    /// What is shown; nil where the push was not encrypted: the system has it already.
    public var title: String?
    public var body: String?
    public var conversation: ConversationID?
    /// Of the message; of "read", how far the conversation was read.
    public var seq: Int64?
    public var sender: UserID?
    /// The id of an event, a reminder or a decision.
    public var entity: String?

    private struct Members: Decodable {
        var id: String
        var kind: String?
        var title, body, conversation, sender, entity: String?
        var seq: Int64?
    }

    /// Reads the members of a push from its JSON; nil: it is none.
    private static func members(of text: Data) -> Members? {
        do {
            return try JSONDecoder().decode(Members.self, from: text)
        } catch {
            return nil
        }
    }

    /// Reads a push that is not encrypted. It needs neither a network nor a file.
    /// - Parameter userInfo: of the notification's content.
    /// - Throws: ``NotificationFailure``.
    public static func open(_ userInfo: [AnyHashable: Any]) throws(NotificationFailure) -> NotificationContent {
        try open(userInfo, decrypt: nil)
    }

    /// - Parameter decrypt: opens what is sealed; nil: nothing can.
    static func open(
        _ userInfo: [AnyHashable: Any], decrypt: ((Data) -> Data?)?
    ) throws(NotificationFailure) -> NotificationContent {
        // What comes by Google's service has the members at the top, as texts.
        let found = userInfo["parley"] as? [String: Any]
        func member(_ name: String) -> Any? { found.map { $0[name] } ?? userInfo[name] }
        guard let id = member("id") as? String else { throw .notOfParley }
        if let sealed = member("sealed") as? String {
            guard let bytes = Data(base64URL: sealed), let text = decrypt?(bytes), let members = members(of: text),
                members.id == id
            else { throw .unreadable }
            return NotificationContent(members)
        }
        guard let kind = member("kind") as? String else { throw .notOfParley }
        let seq = (member("seq") as? NSNumber)?.int64Value ?? (member("seq") as? String).flatMap { Int64($0) }
        return NotificationContent(
            Members(
                id: id, kind: kind, conversation: member("conversation") as? String,
                sender: member("sender") as? String, entity: member("entity") as? String, seq: seq))
    }

    private init(_ members: Members) {
        (id, kind, title, body) = (members.id, members.kind ?? "", members.title, members.body)
        conversation = members.conversation.map { ConversationID(rawValue: $0) }
        sender = members.sender.map { UserID(rawValue: $0) }
        (seq, entity) = (members.seq, members.entity)
    }
}

/// Why a push cannot be shown as it was meant. Show it as the system has it.
///
///     do throws(NotificationFailure) {
///         show(try NotificationContent.open(userInfo).kind)
///     } catch {
///         show(error == .unreadable ? "New message" : "")
///     }
public enum NotificationFailure: Error, Hashable, Sendable {
    /// The push is not of Parley.
    case notOfParley
    /// It is encrypted to another key, or damaged.
    case unreadable
}

extension Data {
    /// Decodes base64 for URLs without padding.
    fileprivate init?(base64URL text: String) {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}
