/// My conversations, place by place.
extension ParleyClient {
    /// My conversations of one place, those with the latest news first; `cursor` of the last reply gives the next page.
    /// Conversations in which nobody has written yet are not in it.
    /// - Parameter place: unspecified: the inbox.
    public func inbox(
        _ place: Parley_V1_ConversationPlace = .unspecified, cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_InboxReply {
        var request = Parley_V1_InboxRequest()
        (request.place, request.cursor, request.limit) = (place, cursor, limit)
        return try await call(MessagingMethods.inbox, key: user, request)
    }
}
