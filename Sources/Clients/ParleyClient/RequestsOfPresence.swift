import SwiftProtobuf

/// What the person does in this client, as its sessions say it.
struct SessionActivity {
    /// In the foreground, a sign that the person still uses the client is sent once in this time.
    static let repeatedAfter = Duration.seconds(60)
    /// A session that begins longer after the last sign begins in the background.
    static let usedFor = Duration.seconds(300)

    private(set) var said = Parley_V1_Activity()
    private var usedAt = ContinuousClock.now
    private var sentAt: ContinuousClock.Instant?

    /// - Returns: whether it is to be sent.
    mutating func set(_ activity: Parley_V1_Activity, at now: ContinuousClock.Instant) -> Bool {
        let isNews = activity != said || sentAt.map { now - $0 >= Self.repeatedAfter } ?? true
        said = activity
        if !activity.background { usedAt = now }
        if isNews { sentAt = now }
        return isNews
    }

    /// What the hello of a new session says.
    func first(at now: ContinuousClock.Instant) -> Parley_V1_Activity {
        var first = said
        if now - usedAt > Self.usedFor { first.background = true }
        return first
    }
}

/// What a person says of themselves, and does.
extension ParleyClient {
    /// Returns the current presence of people, in the order of `users`.
    public func getPresence(_ users: [String]) async throws(ParleyError) -> [Parley_V1_PresenceState] {
        try await call(PresenceMethods.getPresence, key: user, .with { $0.users = users }).states
    }

    /// Returns what the person says of themselves on all devices. ``updates`` brings its changes, of kind
    /// `OwnPresence`.
    public func getOwnPresence() async throws(ParleyError) -> Parley_V1_OwnPresence {
        try await call(PresenceMethods.getOwnPresence, key: user, .init())
    }

    /// Changes what the person says of themselves on all devices. What is nil stays as it is. Repeating it changes
    /// nothing.
    /// - Parameters:
    ///   - status: a line that others see while the person is connected; empty: none.
    ///   - hiding: from whom the person hides. They do not see these people either.
    @discardableResult
    public func setPresence(
        _ availability: Parley_V1_Availability? = nil, status: Parley_V1_StatusText? = nil,
        hiding: Parley_V1_Hiding? = nil
    ) async throws(ParleyError) -> Parley_V1_OwnPresence {
        try await call(
            PresenceMethods.setPresence, key: user,
            .with {
                $0.availability = availability ?? .unspecified
                if let status { $0.status = status }
                $0.hiding = hiding ?? .unspecified
            })
    }

    /// Says what the person does in this client, also for later sessions. Call it when something of it changes, and in
    /// the foreground whenever the person uses the client: it is sent once a minute at most. A client that never calls
    /// it is in the foreground, and used when it is created.
    /// - Parameter conversation: the one on the screen; nil: none.
    public func setActivity(isInForeground: Bool, conversation: String? = nil) {
        let said = Parley_V1_Activity.with {
            ($0.background, $0.currentConversation) = (!isInForeground, conversation ?? "")
        }
        guard activity.set(said, at: .now), let session, session.isGreeted, !session.isClosed else { return }
        // A session whose link is gone is followed by one that says it in its hello.
        try? session.link?.send(Parley_V1_ClientFrame.with { $0.setActivity = said })
    }
}
