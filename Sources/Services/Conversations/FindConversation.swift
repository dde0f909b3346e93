import Postgres
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Returns the conversation that has exactly these people and the caller as members (C14): a direct one or notes,
    /// else the newest group. Duplicates and the caller's own id are ignored.
    func findConversation(
        _ request: FindConversationRequest, _ call: RequestContext
    ) async throws -> FindConversationReply {
        let caller = call.caller
        let others = Set(request.users).subtracting([caller.user])
        guard let me = UserID(caller.user), others.allSatisfy({ UserID($0) != nil }) else {
            return FindConversationReply()
        }
        if others.count <= 1, let other = UserID(others.first ?? caller.user),
            let direct = try await view(of: ConversationID(me, other), for: caller.account, in: context.database)
        {
            return FindConversationReply(conversation: direct)
        }
        let accounts = try await context.database.query(GroupsStore.accounts, .texts(others.sorted()))
        guard accounts.count == others.count else { return FindConversationReply() }
        let group = try await context.database.query(
            GroupsStore.groupOfExactly, .number(caller.account), .numbers((accounts + [caller.account]).sorted()))
        return FindConversationReply(conversation: try await withMembers(group, in: context.database).first)
    }
}
