import ParleyClient

extension Conversation {
    /// Lets messages that are sent from now on disappear for everyone after a time, from a minute to a year; nil: they
    /// stay. ``retention`` follows once the server says so.
    /// - Throws: `forbidden` in a group of which I am no admin; `not_member`, `user_blocked`, `accept_first`; `invalid`
    ///   for any other time; `offline` without a connection.
    public func setRetention(_ duration: Duration?) async throws(Refusal) {
        guard let parley = reader as? Parley else { throw .wasClosed }
        // None at all would mean that they stay.
        let (id, seconds) = (id.rawValue, duration.map { max($0.components.seconds, 1) } ?? 0)
        try await parley.ask { client throws(ParleyError) in try await client.setRetention(of: id, seconds: seconds) }
    }
}
