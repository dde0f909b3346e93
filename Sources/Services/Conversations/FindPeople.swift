import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension ConversationsService {
    /// Finds people by any part of their names, or by their whole email address where they allow it (A4).
    ///
    /// First come those one of whose names begins with the text, then those of whom a later word does, then the others;
    /// within these by what stands there. A page costs the same however many there are.
    /// - Throws: ``Refusal`` `invalid`.
    func findPeople(_ request: FindPeopleRequest, _ call: RequestContext) async throws -> FindPeopleReply {
        let limit = Page.limit(request.limit)
        guard let cursor = PeopleCursor(request.cursor) else {
            throw Refusal.invalid("cursor", "must be of the last reply, or empty")
        }
        let typed = request.query
        let filters: [Parameter] = [
            .int64(call.caller.account), .text(call.caller.user), .bool(request.toWriteTo),
            .bool(request.leaveOutTalking),
        ]
        var found: [FoundPerson]
        var last = cursor
        if typed.dropFirst().contains("@") {
            found = try await context.database.query(
                PeopleStore.peopleByEmail,
                filters + [.text(typed), .int64(cursor.account), .int64(Int64(limit + 1))])
        } else {
            // "@bob" is how people write a username.
            let name = typed.hasPrefix("@") ? String(typed.dropFirst()) : typed
            guard let sought = try await context.database.first(PeopleStore.folded, .text(name)), !sought.isEmpty else {
                throw Refusal.invalid("query", "must hold letters or digits")
            }
            // From elsewhere the range would begin at the wrong place.
            guard cursor.account == 0 || cursor.letters.utf8.starts(with: sought.utf8) else {
                throw Refusal.invalid("cursor", "must be of the last reply to the same query")
            }
            (found, last) = try await people(named: sought, after: cursor, filters, most: limit + 1)
        }
        let more = found.count > limit
        found = Array(found.prefix(limit))
        if more, let end = found.last {
            // Of the page's last person; the parts before theirs are done.
            last = PeopleCursor(part: last.parts[found.count - 1], account: end.account, letters: end.letters)
        }
        return FindPeopleReply(users: found.map(\.user), cursor: more ? last.text : "", more: more)
    }

    /// - Returns: also a cursor that knows in which part each of them was found.
    private func people(
        named sought: String, after cursor: PeopleCursor, _ filters: [Parameter], most: Int
    ) async throws -> ([FoundPerson], PeopleCursor) {
        var found: [FoundPerson] = []
        var last = cursor
        last.parts = []
        for part in cursor.part...PeopleCursor.lastPart where found.count < most {
            let isFirst = part == cursor.part
            let rows = try await context.database.query(
                PeopleStore.peopleByName,
                filters + [
                    .int16(part), .text(sought), .text(isFirst && cursor.account > 0 ? cursor.letters : sought),
                    .int64(isFirst ? cursor.account : 0), .int64(Int64(most - found.count)),
                ])
            found += rows
            last.parts += rows.map { _ in part }
        }
        return (found, last)
    }
}

/// Where a page of people ended: `PART.ACCOUNT.LETTERS`. Who changes their name meanwhile moves; the others stay in
/// order.
struct PeopleCursor: Equatable, Sendable {
    static let lastPart: Int16 = 2

    var part: Int16 = 0
    var account: Int64 = 0
    var letters = ""
    /// Where each person of a page was found.
    var parts: [Int16] = []

    init(part: Int16, account: Int64, letters: String) {
        (self.part, self.account, self.letters) = (part, account, letters)
    }

    /// nil: nobody made this one.
    init?(_ text: String) {
        guard !text.isEmpty else {
            self.init(part: 0, account: 0, letters: "")
            return
        }
        let fields = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, let part = Int16(fields[0]), (0...Self.lastPart).contains(part),
            let account = Int64(fields[1]), account > 0
        else { return nil }
        self.init(part: part, account: account, letters: String(fields[2]))
    }

    var text: String { "\(part).\(account).\(letters)" }
}
