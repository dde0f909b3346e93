import Postgres
import Schema
import ServiceKit

/// Follows message requests, invitations and sign-outs.
extension NotificationsService {
    static let followedOfPeople: Set<Int16> = [
        ConversationsKind.conversation.number, ConversationsKind.deviceRevoked.number,
    ]

    func followPeople(_ entries: [JournalEntry], _ change: Change) async throws {
        let signedOut = Set(
            entries.filter { $0.is(ConversationsKind.deviceRevoked) }.map { AccountNumber($0.subject) })
        if !signedOut.isEmpty {
            let found = try await change.query(DevicesStore.signedOut, .numbers(signedOut.sorted()))
            if !found.isEmpty {
                try await change.execute(
                    DevicesStore.forget, .numbers(found.map(\.account)), .texts(found.map(\.device)))
            }
        }
        let asked = entries.filter { entry in
            entry.is(ConversationsKind.conversation) && registry.hasDevices(AccountNumber(entry.subject))
        }
        if !asked.isEmpty { try await tellOfRequests(asked, in: change) }
    }

    /// Tells people of message requests and invitations, once each.
    private func tellOfRequests(_ entries: [JournalEntry], in change: Change) async throws {
        let now = context.clock.now
        let found = try await change.query(
            PeopleStore.asked, .int64s(entries.map(\.object)), .int64s(entries.map(\.subject)),
            .number(now - PushRules.ageMax))
        let wanted = found.filter { request in
            guard !foreground.contains(request.account) else { return false }
            return request.isWanted
        }
        let isNew = try await noteTold(wanted.map { ($0.account, $0.about) }, at: now, in: change)
        try await queue(
            wanted.filter { isNew.contains(Told(account: $0.account, about: $0.about)) }.map { request in
                QueuedNotice(
                    account: request.account, kind: request.isGroup ? .invitation : .request, about: request.about,
                    conversation: request.conversation, madeAt: request.at, expiresAt: request.at + PushRules.ageMax)
            }, in: change)
    }
}

/// A message request or an invitation, as the person who is asked sees it.
struct AskedPerson: Sendable {
    var account: AccountNumber
    var conversation: ConversationNumber
    var conversationID: String
    var isGroup: Bool
    var groupName: String
    var at: Timestamp
    var askerName: String
    /// Whether the person wants to be told of requests, and be disturbed.
    var isWanted: Bool

    var about: String { "a/\(conversation)/\(at)" }
}

enum PeopleStore {
    /// $1 conversations, $2 accounts beside them, $3 not before: the requests and invitations among them that the
    /// accounts see.
    static let asked = Statement(
        """
        SELECT a.account, a.conversation, a.conversation_id, a.kind, a.name, a.request_at, a.asker_name,
            p.requests AND NOT EXISTS (
                SELECT
                FROM presence.undisturbed AS d
                WHERE d.account = a.account
            )
        FROM (
            SELECT DISTINCT conversation, account
            FROM unnest($1::bigint[], $2::bigint[]) AS t (conversation, account)
        ) AS g
        CROSS JOIN LATERAL \(oneRow(
            "*", from: "conversations.asked", where: "conversation = g.conversation", by: "account", is: "g.account"
        )) AS a
        CROSS JOIN LATERAL \(oneRow("requests", from: "notifications.people", by: "account", is: "g.account")) AS p
        WHERE a.request_at > $3
        """
    ) { row in
        AskedPerson(
            account: try row.account(0), conversation: try row.conversation(1), conversationID: try row.text(2),
            isGroup: Int32(try row.int16(3)) == ConversationKind.group.rawValue, groupName: try row.text(4),
            at: try row.time(5), askerName: try row.text(6), isWanted: try row.bool(7))
    }
}
