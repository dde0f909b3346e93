import ParleyClient

extension Conversation {
    /// Lets messages that are sent from now on disappear for everyone after a time, from a minute to a year; nil: they
    /// stay. ``retention`` shows it at once. The server refuses any other time, and in a group whoever is no admin.
    public func setRetention(_ duration: Duration?) async throws(Refusal) {
        // None at all would mean that they stay.
        let seconds = duration.map { max($0.components.seconds, 1) } ?? 0
        try await perform(Parley_V1_SetRetentionRequest.with { ($0.conversation, $0.seconds) = (id.rawValue, seconds) })
    }
}
