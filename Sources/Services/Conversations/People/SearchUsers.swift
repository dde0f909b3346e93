import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Finds people by any part of their names, or by their whole email address where they allow it (A4).
    ///
    /// First come those one of whose names begins with the text, then those of whom a later word does, then the others;
    /// within these by what stands there. A page costs the same however many there are: one that would have to look
    /// further ends early, and may hold nobody though there are more.
    /// - Throws: ``Refusal`` `invalid`, `rate_limited`.
    func searchUsers(_ request: SearchUsersRequest, _ call: RequestContext) async throws -> SearchUsersReply {
        let limit = Page.limit(request.limit)
        guard let cursor = PeopleCursor(request.cursor) else {
            throw Refusal.invalid("cursor", "must be of the last reply, or empty")
        }
        try allow(.find, by: call.caller)
        let filters: [Parameter] = [
            .int64(call.caller.account), .text(call.caller.user), .bool(request.toWriteTo),
            .bool(request.leaveOutTalking),
        ]
        let typed = request.query
        let page =
            typed.dropFirst().contains("@")
            ? try await people(withEmail: typed, after: cursor, filters, limit: limit)
            // "@bob" is how people write a username.
            : try await people(
                named: typed.hasPrefix("@") ? String(typed.dropFirst()) : typed, after: cursor, filters, limit: limit)
        return SearchUsersReply(
            users: page.found.map(\.user), cursor: page.end?.text ?? "", more: page.end != nil)
    }

    /// A page, and where it ended if there may be more.
    private typealias PeoplePage = (found: [FoundPerson], end: PeopleCursor?)

    private func people(
        withEmail email: String, after cursor: PeopleCursor, _ filters: [Parameter], limit: Int
    ) async throws -> PeoplePage {
        let ends = try await context.database.query(
            PeopleStore.peopleByEmail,
            filters + [
                .text(email), .int64(cursor.account), .int64(Int64(limit + 1)), .int64(PeopleCursor.endsMax),
            ])
        let found = ends.compactMap { $0.person(in: 0) }
        if found.count <= limit, let last = ends.last, last.isLast { return (found, last.cursor(in: 0)) }
        return PeopleCursor.page(of: found, limit: limit)
    }

    private func people(
        named name: String, after cursor: PeopleCursor, _ filters: [Parameter], limit: Int
    ) async throws -> PeoplePage {
        guard let sought = try await context.database.first(PeopleStore.folded, .text(name)), !sought.isEmpty else {
            throw Refusal.invalid("query", "must hold letters or digits")
        }
        // From elsewhere the range would begin at the wrong place.
        guard cursor.account == 0 || cursor.letters.utf8.starts(with: sought.utf8) else {
            throw Refusal.invalid("cursor", "must be of the last reply to the same query")
        }
        var found: [FoundPerson] = []
        for part in cursor.part...PeopleCursor.lastPart {
            let start = part == cursor.part && cursor.account > 0 ? cursor : nil
            let ends = try await context.database.query(
                PeopleStore.peopleByName,
                filters + [
                    .int16(part), .text(sought), .text(start?.letters ?? sought), .int64(start?.account ?? 0),
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

/// Where a page of people ended: `PART.ACCOUNT.LETTERS`. Who changes their name meanwhile moves; the others stay in
/// order.
struct PeopleCursor: Equatable, Sendable {
    static let lastPart: Int16 = 2
    /// How many ends of names of one part a page looks at: of most texts it needs few more than it finds, but names can
    /// be made for it to need very many.
    static let endsMax: Int64 = 500

    var part: Int16 = 0
    var account: Int64 = 0
    var letters = ""

    init(part: Int16 = 0, account: Int64, letters: String = "") {
        (self.part, self.account, self.letters) = (part, account, letters)
    }

    /// nil: nobody made this one.
    init?(_ text: String) {
        guard !text.isEmpty else {
            self.init(account: 0)
            return
        }
        let fields = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, let part = Int16(fields[0]), (0...Self.lastPart).contains(part),
            let account = Int64(fields[1]), account > 0
        else { return nil }
        self.init(part: part, account: account, letters: String(fields[2]))
    }

    var text: String { "\(part).\(account).\(letters)" }

    /// Of more than `limit` the first ones, and where the last of them stands.
    static func page(of found: [FoundPerson], limit: Int) -> (found: [FoundPerson], end: PeopleCursor?) {
        guard found.count > limit else { return (found, nil) }
        let page = Array(found.prefix(limit))
        return (page, page.last?.cursor)
    }
}
