import SwiftProtobuf

/// People: profiles, finding, reporting, erasing.
extension ParleyClient {
    /// My profile, with what only I see of it.
    public func profile() async throws(ParleyError) -> Parley_V1_Profile {
        try await call(ConversationsMethods.getProfile, key: user, .init())
    }

    /// Changes what is given, and nothing else. Empty photo URL or email: none.
    /// - Returns: my profile as it then is. All who share conversations with me are told a moment later.
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

    /// People by their ids, at most 200: unknown ids are left out, of deleted people only the id is known.
    public func users(_ ids: [String]) async throws(ParleyError) -> [Parley_V1_User] {
        try await call(ConversationsMethods.getUsers, key: user, .with { $0.users = ids }).users
    }

    /// A page of people whose names hold the text, or who have the email address.
    /// - Parameters:
    ///   - cursor: of the page before, for the same text.
    ///   - toWriteTo: without me, whom I blocked and who blocked me.
    ///   - leavingOutTalking: without those whom I have a direct conversation with.
    public func searchUsers(
        _ query: String, toWriteTo: Bool = false, leavingOutTalking: Bool = false, cursor: String = "",
        limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_SearchUsersReply {
        var request = Parley_V1_SearchUsersRequest()
        (request.query, request.cursor, request.limit) = (query, cursor, limit)
        (request.toWriteTo, request.leaveOutTalking) = (toWriteTo, leavingOutTalking)
        return try await call(ConversationsMethods.searchUsers, key: user, request)
    }

    /// Tells the operator of a person, or of a message. The same id again is the same report.
    /// - Parameter message: where it stands: the conversation, and its seq there.
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

    /// Erases me, for good, and forgets the credentials. The server then closes all my sessions.
    public func erase(password: String) async throws(ParleyError) {
        do throws(ParleyError) {
            _ = try await call(ConversationsMethods.eraseAccount, key: user, .with { $0.password = password })
        } catch {
            // The session was closed for it before the answer was out: that is an answer too.
            if error.code != "revoked" { throw error }
        }
        try await forgetCredentials()
    }
}
