import SwiftProtobuf

/// Profiles, finding and reporting people, erasing the account. All functions throw ``ParleyError``;
/// `conversations.proto` lists the refusals of each request.
extension ParleyClient {
    /// Returns my profile, including the parts that only I can see.
    public func profile() async throws(ParleyError) -> Parley_V1_Profile {
        try await call(ConversationsMethods.getProfile, key: user, .init())
    }

    /// Changes my profile. nil leaves a field unchanged; an empty photo URL or email removes it. Repeating it changes
    /// nothing. Everyone who shares a conversation with me gets an Update a moment later.
    /// - Returns: my profile afterwards.
    @discardableResult
    public func updateProfile(
        username: String? = nil, displayName: String? = nil, photoURL: String? = nil, email: String? = nil,
        findableByEmail: Bool? = nil
    ) async throws(ParleyError) -> Parley_V1_Profile {
        var request = Parley_V1_UpdateProfileRequest()
        if let username { request.username = username }
        if let displayName { request.displayName = displayName }
        if let photoURL { request.photoURL = photoURL }
        if let email { request.email = email }
        if let findableByEmail { request.findableByEmail = findableByEmail }
        return try await call(ConversationsMethods.updateProfile, key: user, request)
    }

    /// Returns up to 200 people by their user ids. Unknown ids are left out; of erased people only the id is returned.
    public func users(_ ids: [String]) async throws(ParleyError) -> [Parley_V1_User] {
        try await call(ConversationsMethods.getUsers, key: user, .with { $0.users = ids }).users
    }

    /// Returns a page of the people whose names contain the text. A text with "@" finds the person with exactly this
    /// email address. A page may contain fewer people than `limit`, or none, although more follow.
    /// - Parameters:
    ///   - toWriteTo: leaves out me, people I blocked and people who blocked me.
    ///   - leavingOutTalking: leaves out people with whom I have a direct conversation.
    ///   - cursor: of the previous page for the same text; empty: the first page.
    ///   - limit: people per page, at most 200; zero: 50.
    public func searchUsers(
        _ query: String, toWriteTo: Bool = false, leavingOutTalking: Bool = false, cursor: String = "",
        limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_SearchUsersReply {
        var request = Parley_V1_SearchUsersRequest()
        (request.query, request.cursor, request.limit) = (query, cursor, limit)
        (request.toWriteTo, request.leaveOutTalking) = (toWriteTo, leavingOutTalking)
        return try await call(ConversationsMethods.searchUsers, key: user, request)
    }

    /// Reports a person, or a message of theirs, to the operator. Repeating it with the same id makes no second report.
    /// - Parameters:
    ///   - user: the user id of the person.
    ///   - message: the conversation and seq of the message; nil: the report is about the person.
    public func report(
        _ user: String, message: (conversation: String, seq: Int64)? = nil, reason: Parley_V1_ReportReason,
        note: String = "", id: UUIDv7? = nil
    ) async throws(ParleyError) {
        var request = Parley_V1_CreateReportRequest()
        request.id = .init((id ?? newID()).bytes)
        (request.user, request.reason, request.note) = (user, reason, note)
        if let message { (request.conversation, request.seq) = (message.conversation, message.seq) }
        _ = try await call(ConversationsMethods.createReport, key: self.user, request)
    }

    /// Returns a page of the reports that I made, in the order of their ids.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: reports per page, at most 200; zero: 50.
    public func reports(
        cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListReportsReply {
        try await call(
            ConversationsMethods.listReports, key: user, .with { ($0.cursor, $0.limit) = (cursor, limit) })
    }

    /// Returns a page of what an import from another system kept of me, since Parley has no place for it.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: records per page, at most 20; zero: 20.
    public func imported(
        cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListImportedReply {
        try await call(
            ConversationsMethods.listImported, key: user, .with { ($0.cursor, $0.limit) = (cursor, limit) })
    }

    /// Erases my account and removes the credentials. The server then closes all my sessions. It cannot be undone.
    public func erase(password: String) async throws(ParleyError) { try await erase(owner: .password(password)) }

    /// Erases my account, as ``erase(password:)`` does.
    /// - Parameter owner: what shows that I ask.
    public func erase(owner: Parley_V1_OwnerProof) async throws(ParleyError) {
        var request = Parley_V1_EraseAccountRequest()
        (request.password, request.token, request.nonce) = (owner.password, owner.token, owner.nonce)
        do throws(ParleyError) {
            _ = try await call(ConversationsMethods.eraseAccount, key: user, request)
        } catch {
            // The server may close the session before it sends the reply: the erasure succeeded.
            if !error.hasCode(.revoked) { throw error }
        }
        try await forgetCredentials()
    }
}
