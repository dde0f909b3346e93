import Foundation
import ParleyClient
import SwiftProtobuf

typealias State = SwiftProtobuf.Message

/// The names of streams, in one place.
enum StreamName {
    static let me = "a"
    static let conversations = "conversations/u/\(me)"
    static let entities = "entities/u/\(me)"
    static let cell = "0"
    static let own = own(in: cell)

    static func own(in cell: String) -> String { "messaging/u/\(me)/\(cell)" }
    static func messages(of conversation: String) -> String { "messaging/c/\(conversation)" }

    /// Returns the conversation of a stream of messages; nil for all others.
    static func conversation(of stream: String) -> String? {
        stream.hasPrefix("messaging/c/") ? String(stream.dropFirst("messaging/c/".count)) : nil
    }
}

/// The kinds and methods that cases are about, by their names on the wire.
enum Contract {
    static let kinds: [String: any State.Type] = [
        "Message": Parley_V1_Message.self, "Reactions": Parley_V1_Reactions.self,
        "Conversation": Parley_V1_Conversation.self, "InboxState": Parley_V1_InboxState.self,
        "MessageState": Parley_V1_MessageState.self, "Receipt": Parley_V1_Receipt.self,
        "ReadCount": Parley_V1_ReadCount.self, "RequestCount": Parley_V1_RequestCount.self,
        "Profile": Parley_V1_Profile.self, "Block": Parley_V1_Block.self, "Reminder": Parley_V1_Reminder.self,
        "Decision": Parley_V1_Decision.self, "Typing": Parley_V1_Typing.self,
    ]

    /// The methods whose requests are compared.
    static let methods: [String: (request: any State.Type, reply: any State.Type)] = [
        "conversations.Sync": (Parley_V1_ConversationsSyncRequest.self, Parley_V1_ConversationsSyncReply.self),
        "entities.Sync": (Parley_V1_EntitiesSyncRequest.self, Parley_V1_EntitiesSyncReply.self),
        "messaging.Sync": (Parley_V1_MessagingSyncRequest.self, Parley_V1_MessagingSyncReply.self),
        "messaging.GetChanges": (Parley_V1_GetChangesRequest.self, Parley_V1_GetChangesReply.self),
        "messaging.GetHistory": (Parley_V1_GetHistoryRequest.self, Parley_V1_GetHistoryReply.self),
        "messaging.UpdateMarks": (Parley_V1_UpdateMarksRequest.self, Parley_V1_UpdateMarksReply.self),
        "conversations.ListBlocked": (Parley_V1_ListBlockedRequest.self, Parley_V1_ListBlockedReply.self),
        "messaging.ListReceipts": (Parley_V1_ListReceiptsRequest.self, Parley_V1_ListReceiptsReply.self),
    ]

    /// Returns a request without what is the client's own choice: its limit, and what it says to hold.
    static func withoutLimit(_ request: any State) -> any State {
        func without<T: SwiftProtobuf.Message>(_ request: T, _ limit: WritableKeyPath<T, UInt32>) -> T {
            var request = request
            request[keyPath: limit] = 0
            return request
        }
        func held(_ request: inout Parley_V1_MessagingSyncRequest) -> Parley_V1_MessagingSyncRequest {
            request.held = []
            return without(request, \.limit)
        }
        return switch request {
        case let request as Parley_V1_ConversationsSyncRequest: without(request, \.limit)
        case let request as Parley_V1_EntitiesSyncRequest: without(request, \.limit)
        case var request as Parley_V1_MessagingSyncRequest: held(&request)
        case let request as Parley_V1_GetChangesRequest: without(request, \.limit)
        case let request as Parley_V1_GetHistoryRequest: without(request, \.limit)
        case let request as Parley_V1_ListBlockedRequest: without(request, \.limit)
        case let request as Parley_V1_ListReceiptsRequest: without(request, \.limit)
        default: request
        }
    }

    /// A message on one line.
    static func text(_ message: any State) -> String {
        message.textFormatString().split(separator: "\n").joined(separator: " ")
    }

    /// A request on one line, as outputs name it.
    static func text(_ method: String, _ request: any State) -> String {
        let fields = text(request)
        return fields.isEmpty ? method : "\(method) {\(fields)}"
    }
}
