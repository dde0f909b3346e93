import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// Sorts the people whom somebody adds to a group into new members and invited people (C17).
extension ConversationsService {
    var invitationRules: InvitationRules {
        InvitationRules(
            isRequired: context.settings.text("requests.required") == "yes",
            silentAfterDecline: .seconds(context.settings.integer("requests.ask-again-days") * 86_400))
    }

    /// What adding people to a group does.
    struct Added: Sendable {
        var joining: Set<AccountNumber> = []
        /// The new invitations, and those of them that are shown.
        var invited: Set<AccountNumber> = []
        var shown: Set<AccountNumber> = []
        /// Those who are invited in the place of an earlier invitation.
        var replaced: Set<AccountNumber> = []
        /// Those who see an earlier invitation.
        var sawEarlier: Set<AccountNumber> = []

        var count: Int { joining.count + invited.count }
    }

    /// Decides what adding these accounts does, whose heads must be locked. Counts the caller's invitations.
    /// - Parameter group: nil for one that does not exist yet.
    /// - Throws: ``Refusal`` `user_blocked`, `invalid`, `rate_limited`.
    func added(
        _ accounts: Set<AccountNumber>, to group: ConversationNumber?, by caller: Caller, in change: Change
    ) async throws -> Added {
        let (rules, now) = (invitationRules, context.clock.now)
        var added = Added()
        let people = try await change.query(
            InvitationsStore.people, .number(caller.account), .optional(group), .numbers(accounts.sorted()))
        for (account, person) in people {
            if person.isShown { added.sawEarlier.insert(account) }
            switch try rules.add(person, at: now) {
            case .nothing: break
            case .join: added.joining.insert(account)
            case .invite(let isShown):
                added.invited.insert(account)
                if person.invitedAt != nil { added.replaced.insert(account) }
                if isShown { added.shown.insert(account) }
            }
        }
        return added
    }

    /// Counts invitations that the caller is about to make.
    /// - Throws: ``Refusal`` `invalid`, `rate_limited`.
    func allowInvitations(_ count: Int, by caller: Caller) throws(Refusal) {
        guard count > 0 else { return }
        let most = context.settings.integer("limits.invitations-per-hour")
        guard count <= most else {
            throw .invalid(
                "users",
                "names \(count) people who have to be invited, and an hour allows \(most) invitations; name fewer")
        }
        try rateLimiters[.invite]?.take(caller.account, count: count)
    }

    /// Stores new invitations and shows them. The statements are the same whether they are shown or not.
    func invite(
        _ added: Added, to id: ConversationID, _ number: ConversationNumber, by caller: Caller, in change: Change
    ) async throws {
        guard !added.invited.isEmpty else { return }
        try await end(
            added.replaced.sorted().map { account in
                EndingInvitation(
                    conversation: number, id: id.rawValue, account: account,
                    isShown: added.sawEarlier.contains(account) && !added.shown.contains(account), staysOpen: false)
            }, in: change)
        let invited = added.invited.sorted()
        var positions = try await nextPositions(of: added.shown.sorted(), in: change)[...]
        try await change.execute(
            InvitationsStore.invite, .number(number), .numbers(invited),
            .optionalNumbers(invited.map { added.shown.contains($0) ? positions.popFirst() : nil }),
            .number(caller.account), .number(context.clock.now))
        try await publishViews(of: id, to: added.shown, in: change)
        try await publishRequestCounts(of: added.shown, in: change)
        try await endCrowdedOut(of: invited, in: change)
        // So that an invitation that nobody sees is written to the journal like any other.
        change.publish(PendingUpdate(note: ConversationsKind.invitations, subject: number, actor: caller.account))
    }

    /// The reply to a request that added these users to a group.
    func reply(
        adding users: Set<String>, to id: ConversationID, _ number: ConversationNumber, by caller: Caller,
        created: Bool, in change: Change
    ) async throws -> ConversationReply {
        ConversationReply(
            conversation: try await known(id, to: caller, in: change), created: created,
            invited: try await change.query(InvitationsStore.invited, .number(number), .texts(users.sorted())))
    }
}
