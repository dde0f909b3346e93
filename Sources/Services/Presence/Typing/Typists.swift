import Schema

/// Who is typing where, and who was told. Pure.
///
/// A session types in one conversation at a time, so there are never more signals than sessions.
struct Typists {
    /// A change to publish to some people.
    struct News: Equatable {
        var conversation: String
        var user: String
        var isTyping: Bool
        var audience: [AccountNumber]
    }

    /// How long after the last signal typing ends.
    static let lifetime = Duration.seconds(3)
    /// How often those who were told are told again, since Updates may be lost.
    static let repeatInterval = Duration.seconds(5)

    private struct Typist {
        var user: String
        /// When each of their sessions ends typing, unless it signals again.
        var ends: [String: ContinuousClock.Instant] = [:]
        /// Who was told that they are typing.
        var told: Set<AccountNumber> = []
        var toldAt: ContinuousClock.Instant
        /// Whether the people to tell may have changed.
        var isDoubted = true
    }

    private var typists: [String: [AccountNumber: Typist]] = [:]
    private var places: [String: (conversation: String, account: AccountNumber)] = [:]

    var isEmpty: Bool { typists.isEmpty }

    /// The conversations in which somebody is typing.
    var conversations: some Collection<String> { typists.keys }

    /// Notes that a person is typing.
    mutating func signal(
        _ account: AccountNumber, user: String, session: String, in conversation: String,
        at now: ContinuousClock.Instant
    ) {
        if let place = places[session], place != (conversation, account) { end(session: session) }
        places[session] = (conversation, account)
        typists[conversation, default: [:]][account, default: Typist(user: user, toldAt: now)].ends[session] =
            now + Self.lifetime
    }

    /// Notes that a session stopped typing.
    /// - Parameter conversation: nil: wherever it is.
    /// - Returns: whether it was typing there.
    @discardableResult
    mutating func end(session: String, in conversation: String? = nil) -> Bool {
        guard let place = places[session], conversation ?? place.conversation == place.conversation else {
            return false
        }
        places[session] = nil
        typists[place.conversation]?[place.account]?.ends[session] = nil
        return true
    }

    /// Notes that other people may have to be told what happens in these conversations.
    mutating func doubt(_ conversations: some Sequence<String>) {
        for conversation in conversations {
            for account in (typists[conversation] ?? [:]).keys { typists[conversation]?[account]?.isDoubted = true }
        }
    }

    /// Ends what is over, and returns what to publish now. Whoever was told that a person is typing, and is no longer
    /// to be told, is told the end.
    /// - Parameter audience: who is told of a person's typing; nil: that is not known yet, so the next call asks again.
    mutating func news(
        at now: ContinuousClock.Instant, audience: (_ conversation: String, AccountNumber) -> Set<AccountNumber>?
    ) -> [News] {
        var news: [News] = []
        for (conversation, people) in typists {
            for (account, var typist) in people {
                for (session, end) in typist.ends where end <= now {
                    typist.ends[session] = nil
                    places[session] = nil
                }
                let isOver = typist.ends.isEmpty
                let isDue = now - typist.toldAt >= Self.repeatInterval
                let isAsked = isOver || typist.isDoubted || isDue
                guard isAsked, let wanted = isOver ? [] : audience(conversation, account) else {
                    if typist.ends.count != people[account]?.ends.count { typists[conversation]?[account] = typist }
                    continue
                }
                func tell(_ isTyping: Bool, _ audience: Set<AccountNumber>) {
                    guard !audience.isEmpty else { return }
                    news.append(
                        News(
                            conversation: conversation, user: typist.user, isTyping: isTyping,
                            audience: audience.sorted()))
                }
                tell(false, typist.told.subtracting(wanted))
                tell(true, isDue ? wanted : wanted.subtracting(typist.told))
                (typist.told, typist.isDoubted) = (wanted, false)
                if isDue { typist.toldAt = now }
                typists[conversation]?[account] = isOver ? nil : typist
            }
            if typists[conversation]?.isEmpty ?? false { typists[conversation] = nil }
        }
        return news
    }
}
