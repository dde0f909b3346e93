import Postgres
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Lists the members of a conversation of the caller's by page: the owner, admins, then members, each by when they
    /// joined.
    ///
    /// A member who stays and keeps their role is on exactly one page, however many come and go meanwhile.
    /// - Throws: ``Refusal`` `not_found`, `invalid`.
    func listMembers(_ request: ListMembersRequest, _ call: RequestContext) async throws -> ListMembersReply {
        let limit = Page.limit(request.limit)
        let cursor = try MemberCursor(request.cursor)
        guard let id = ConversationID(request.conversation),
            let conversation = try await context.database.first(
                GroupsStore.ownConversation, .number(call.caller.account), .text(id.rawValue))
        else { throw Refusal.notFound }
        let found = try await context.database.query(
            GroupsStore.membersBehind, .number(conversation), .int16(cursor.role), .int64(cursor.joinedVersion),
            .number(cursor.account), .int64(Int64(limit + 1)))
        var bytes = 0
        let page = found.prefix(limit).enumerated().prefix { index, entry in
            bytes += entry.member.encode().count
            // At least one, whatever its size.
            return index == 0 || bytes <= Page.bytesMax
        }.map(\.element)
        return ListMembersReply(
            members: page.map(\.member), cursor: (page.last?.cursor ?? cursor).text, more: found.count > page.count)
    }
}

/// A position in the order of a conversation's members; clients carry it as text. Pure.
struct MemberCursor: Cursor {
    var role: Int16
    var joinedVersion: Int64
    var account: AccountNumber

    /// Before the first member.
    static let start = MemberCursor(role: Int16(MemberRole.owner.rawValue) + 1, joinedVersion: 0, account: 0)

    init(role: Int16, joinedVersion: Int64, account: AccountNumber) {
        (self.role, self.joinedVersion, self.account) = (role, joinedVersion, account)
    }

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(role: try parts.number(in: 1...4), joinedVersion: try parts.number(), account: try parts.number())
    }

    var text: String { "\(role).\(joinedVersion).\(account)" }
}
