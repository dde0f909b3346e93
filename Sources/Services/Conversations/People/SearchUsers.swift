import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Finds people by any part of their names, or by their whole email address if they and the operator allow it (A4).
    ///
    /// Matches at the beginning of a name come first, then those at the beginning of a later word, then all others.
    /// Each of these parts is sorted by the text from the match on. The cost of a page is bounded. A page that would
    /// have to read further ends early, and may be empty although there are more matches.
    /// - Throws: ``Refusal`` `invalid`, `rate_limited`, `guest_may_not`.
    func searchUsers(_ request: SearchUsersRequest, _ call: RequestContext) async throws -> SearchUsersReply {
        let limit = Page.limit(request.limit)
        let cursor = try PeopleCursor(request.cursor)
        try allow(.find, by: call.caller)
        try await guests.require(.search, of: call.caller.account, in: context.database)
        let filters: [Parameter] = [
            .number(call.caller.account), .text(call.caller.user), .bool(request.toWriteTo),
            .bool(request.leaveOutTalking),
        ]
        let typed = Direction.unwrapped(NormalForm.nfc(request.query))
        // A name may have the sign, too: "Bob @ Acme".
        let isEmail = (try? ProfileRules.email(typed))?.isEmpty == false
        // Whoever claims an address first would be found by one that is not confirmed.
        if isEmail, findingByEmail == .no { return SearchUsersReply() }
        let page =
            isEmail
            ? try await people(withEmail: typed, after: cursor, filters, limit: limit)
            // People write a username as "@bob".
            : try await people(
                named: typed.hasPrefix("@") ? String(typed.dropFirst()) : typed, after: cursor, filters, limit: limit)
        return SearchUsersReply(
            users: page.found.map(\.user), cursor: page.end?.text ?? "", more: page.end != nil)
    }

    /// A page, and the cursor of its end if there may be more.
    private typealias PeoplePage = (found: [FoundPerson], end: PeopleCursor?)

    private func people(
        withEmail email: String, after cursor: PeopleCursor, _ filters: [Parameter], limit: Int
    ) async throws -> PeoplePage {
        let ends = try await context.expensive.query(
            PeopleStore.peopleByEmail,
            filters + [
                .text(email), .number(cursor.account), .int64(Int64(limit + 1)), .int64(PeopleCursor.endsMax),
                .bool(findingByEmail == .confirmed),
            ])
        let found = ends.compactMap { $0.person(in: 0) }
        if found.count <= limit, let last = ends.last, last.isLast { return (found, last.cursor(in: 0)) }
        return PeopleCursor.page(of: found, limit: limit)
    }

    private func people(
        named name: String, after cursor: PeopleCursor, _ filters: [Parameter], limit: Int
    ) async throws -> PeoplePage {
        guard let sought = try await context.database.first(PeopleStore.folded, .text(name)), !sought.isEmpty else {
            throw Refusal.invalid("query", "must contain letters or digits")
        }
        // Letters of another query would begin the range in the wrong position.
        guard cursor.account == 0 || cursor.letters.utf8.starts(with: sought.utf8) else {
            throw Refusal.invalid("cursor", "must be a cursor from an earlier reply to the same query, or empty")
        }
        var found: [FoundPerson] = []
        for part in cursor.part...PeopleCursor.lastPart {
            let start = part == cursor.part && cursor.account > 0 ? cursor : nil
            let ends = try await context.expensive.query(
                PeopleStore.peopleByName,
                filters + [
                    .int16(part), .text(sought), .text(start?.letters ?? sought), .number(start?.account ?? 0),
                    .int64(Int64(limit - found.count + 1)), .int64(PeopleCursor.endsMax),
                ])
            found += ends.compactMap { $0.person(in: part) }
            if found.count > limit { break }
            if let last = ends.last, last.isLast { return (found, last.cursor(in: part)) }
        }
        return PeopleCursor.page(of: found, limit: limit)
    }
}

extension EndOfName {
    func cursor(in part: Int16) -> PeopleCursor { PeopleCursor(part: part, account: account, letters: letters) }

    func person(in part: Int16) -> FoundPerson? { user.map { FoundPerson(user: $0, cursor: cursor(in: part)) } }
}

/// Where a page of people ended, as `PART.ACCOUNT.LETTERS`. A person whose name changes meanwhile moves; the others
/// stay in order.
struct PeopleCursor: Cursor {
    static let lastPart: Int16 = 2
    /// The most suffixes of names that a page reads in one part. Most searches read few more than they find, but people
    /// can choose names for which a search would read very many.
    static let endsMax: Int64 = 500

    var part: Int16 = 0
    var account: AccountNumber = 0
    var letters = ""

    init(part: Int16 = 0, account: AccountNumber, letters: String = "") {
        (self.part, self.account, self.letters) = (part, account, letters)
    }

    static let start = PeopleCursor(account: 0)

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(
            part: try parts.number(in: 0...Self.lastPart), account: try parts.number(in: 1...(.max)),
            letters: try parts.remainder())
    }

    var text: String { "\(part).\(account).\(letters)" }

    /// Returns the first `limit` people, and the cursor of the last one if there are more.
    static func page(of found: [FoundPerson], limit: Int) -> (found: [FoundPerson], end: PeopleCursor?) {
        guard found.count > limit else { return (found, nil) }
        let page = Array(found.prefix(limit))
        return (page, page.last?.cursor)
    }
}
