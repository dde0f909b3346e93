import Foundation
import Import
import Logging
import Postgres
import Reactor
import Schema

/// Brings what a ``Conversion`` has into the database, by the functions of the services.
///
/// A conversation comes in as a whole, in one transaction with its messages: nobody sees half of one, nobody writes
/// between its messages, and after a kill the next run does what is missing.
@ReactorActor
final class ImportWriter {
    /// So many people in a transaction.
    private static let peopleMax = 200
    /// A transaction ends with the conversation that brings it to so many messages.
    private static let messagesMax = 4_000
    private static let talksMax = 500
    /// So many messages go to the database at once, of a conversation of any length.
    static let pieceMax = 2_000
    /// As the setting of the service has it, unless an operator changed it: what a request allows.
    private static let requestMessages: Int64 = 3
    private static let suspension = "The account was disabled in Firebase."

    struct Person {
        var account: Int64
        var isErased: Bool
    }

    let connection: Connection
    /// Nil: files stay where they are.
    private let files: ImportFiles?
    private let follow: Bool
    /// Whether a conversation that is known takes only what is newer than all that came in before.
    private var addsOnlyNewer = false
    private var report: Import.Report?
    private let who: String
    /// By their ids in the export.
    private(set) var people: [String: Person] = [:]
    /// By their ids in Parley.
    private(set) var talks: [String: Int64] = [:]
    private var list: IDList?
    /// Where the next conversation stands in the order of the export.
    private var index = 0
    /// What of each conversation came in before, in the order of the export.
    private var before: [Before] = []

    private enum Before {
        case nothing
        /// So many messages, which are the first ones.
        case messages(Int)
        /// All that the export has of it.
        case all(Int64)
    }

    private init(_ connection: Connection, follow: Bool, _ files: ImportFiles?) {
        (self.connection, self.follow, self.files, who) = (connection, follow, files, OperatorAction.who)
    }

    static func onDatabase(
        _ url: String, follow: Bool, files: ImportFiles?, _ body: @ReactorActor (ImportWriter) async throws -> Void
    ) async throws {
        let configuration = DatabaseConfiguration(
            url: url, applicationName: "parley-import", connections: 1, statementTimeout: .seconds(600),
            lockTimeout: .seconds(60), idleInTransactionTimeout: .seconds(600))
        do {
            let quiet = Logger(label: "parley-import") { _ in SwiftLogNoOpLogHandler() }
            let connection = try await Connection.open(configuration, log: quiet)
            defer { connection.close() }
            try await body(ImportWriter(connection, follow: follow, files))
        } catch let error as DatabaseError {
            let isOther = error.code == .undefinedTable || error.code == .undefinedFunction
            if error.constraint == "accounts_user_id_key" {
                throw Failure(
                    .database, "The database did not take it: \(error)",
                    advice: "Is it the database that the export is from? What it has cannot come into it again.")
            }
            throw Failure(
                .database, "The database did not take it: \(error)",
                advice: isOther
                    ? "The database is of another version. Start this version of Parley once, or run \"parley migrate\"."
                    : "What is there stays. Run the same command again: it goes on from there.", exitCode: .unavailable)
        }
    }

    func write(_ conversion: Conversion, listing list: IDList?) async throws {
        self.list = list
        (addsOnlyNewer, report) = (conversion.addsOnlyNewer, conversion.report)
        try await writePeople(conversion)
        try conversion.arrange()
        try await findBefore(conversion)
        var next = try conversion.nextItem()
        while case .talk(let talk) = next {
            if case .all(let number) = before[index] {
                next = try passOver(talk, number, conversion)
            } else {
                next = try await writeTalks(from: talk, conversion)
            }
        }
        try await writeBlocks()
        try await writeEntities(conversion)
    }

    // MARK: People

    private var blocks: [(person: String, other: String)] = []

    private func writePeople(_ conversion: Conversion) async throws {
        var batch: [ImportedPerson] = []
        while true {
            let person = try conversion.nextPerson()
            if let person { batch.append(person) }
            if batch.count == Self.peopleMax || person == nil, !batch.isEmpty {
                try await write(batch)
                batch = []
            }
            if person == nil { return }
        }
    }

    private func write(_ batch: [ImportedPerson]) async throws {
        let who = who
        let made = try await connection.transaction { transaction in
            let at = try await Self.now(transaction)
            let made = try await transaction.first(
                ImportStore.accounts, .int64(at), .text(who), .texts(batch.map(\.id)), .texts(batch.map(\.source)),
                .texts(batch.map { $0.wantedUsernames.joined(separator: " ") }), .texts(batch.map(\.name)),
                .optionalTexts(batch.map(\.email)), .bools(batch.map(\.isEmailConfirmed)), .texts(batch.map(\.photo)),
                .int64s(batch.map { $0.createdAt ?? at }), .optionalTexts(batch.map(\.password)),
                .texts(batch.map { $0.isDisabled ? Self.suspension : "" }))
            guard let made, made.numbers.count == batch.count else {
                throw DatabaseError.unexpected("import_accounts returned too little")
            }
            let linked = zip(batch, made.numbers).flatMap { person, account in person.identities.map { (account, $0) } }
            if !linked.isEmpty {
                try await transaction.execute(
                    ImportStore.identities, .int64(at), .int64s(linked.map(\.0)),
                    .texts(linked.map { DerivedID.identity($1.issuer, $1.subject) }), .texts(linked.map(\.1.issuer)),
                    .texts(linked.map(\.1.subject)), .texts(linked.map(\.1.label)))
            }
            let beside = zip(batch, made.numbers).flatMap { person, account in
                person.kept.map { (account, $0.path, $0.object) }
            }
            if !beside.isEmpty {
                try await transaction.execute(
                    ImportStore.beside, .int64s(beside.map(\.0)), .texts(beside.map(\.1)), .texts(beside.map(\.2)))
            }
            return made
        }
        for (index, person) in batch.enumerated() {
            people[person.source] = Person(account: made.numbers[index], isErased: made.areErased[index])
            blocks += person.blocks.map { (person.source, $0) }
            try list?.add(person)
        }
    }

    private func writeBlocks() async throws {
        let known = blocks.compactMap { block -> (Int64, Int64)? in
            guard let person = people[block.person], let other = people[block.other] else { return nil }
            return (person.account, other.account)
        }
        guard !known.isEmpty else { return }
        _ = try await connection.transaction { transaction in
            try await transaction.execute(
                ImportStore.blocks, .int64(try await Self.now(transaction)), .int64s(known.map(\.0)),
                .int64s(known.map(\.1)))
        }
    }

    static func now(_ database: some Queryable) async throws -> Int64 {
        guard let now = try await database.first(ImportStore.now) else {
            throw DatabaseError.unexpected("the database has no time")
        }
        return now
    }

    // MARK: Conversations

    /// Finds of which conversations there is nothing that is new, or nothing but messages behind those before.
    private func findBefore(_ conversion: Conversion) async throws {
        let all = conversion.conversations
        var counts: [Int: Int] = [:]
        var known: [Int: [UInt8]] = [:]
        for first in stride(from: 0, to: all.count, by: Self.messagesMax) {
            let part = first..<min(first + Self.messagesMax, all.count)
            let found = try await connection.first(ImportStore.standings, .texts(Array(all[part])))
            guard let found, found.talks.count == part.count else {
                throw DatabaseError.unexpected("import_standings returned too little")
            }
            for (offset, index) in part.enumerated() {
                let (content, count) = (conversion.contents[index], Int(found.messages[offset]))
                let isSame = found.digests[offset] == content.digest(withFiles: files != nil)
                before.append(found.talks[offset] != 0 && isSame ? .all(found.talks[offset]) : .nothing)
                if !isSame, count > 0, count <= content.messages {
                    (counts[index], known[index]) = (count, found.messageDigests[offset])
                }
            }
        }
        for (index, digest) in try conversion.digests(ofFirst: counts, withFiles: files != nil) {
            if digest == known[index], let count = counts[index] { before[index] = .messages(count) }
        }
    }

    /// Reads over a conversation of which all came in before.
    /// - Returns: the conversation after it; nil: there is none.
    private func passOver(
        _ talk: ImportedTalk, _ number: Int64, _ conversion: Conversion
    ) throws -> Conversion.Item? {
        talks[talk.id] = number
        noteBlocks(of: talk)
        index += 1
        try list?.add(.talk(talk))
        while let item = try conversion.nextItem() {
            if case .talk = item { return item }
            if case .message(let message) = item { try passOver(message) }
            try list?.add(item)
        }
        return nil
    }

    private func passOver(_ message: ImportedMessage) throws {
        guard message.file != nil, files != nil else { return }
        try report?.note("files", message.path, .kept, "it came before, or the message is deleted")
    }

    private func noteBlocks(of talk: ImportedTalk) {
        guard let blocker = talk.blocker, let other = talk.members.first(where: { $0.person != blocker })?.person
        else { return }
        blocks.append((blocker, other))
    }

    /// Writes conversations until a transaction is full.
    /// - Returns: the conversation after the last of them; nil: there is none.
    private func writeTalks(from first: ImportedTalk, _ conversion: Conversion) async throws -> Conversion.Item? {
        let numbers = ImportPiece.Numbers()
        var written: [(talk: String, index: Int)] = []
        var waiting: Set<String> = []
        var withFiles: [(talk: String, uuid: [UInt8], path: String, file: ImportedFile)] = []
        let next = try await connection.transaction { transaction in
            let at = try await Self.now(transaction)
            var piece = ImportPiece(at: at, numbers)
            var (messages, talks, passed) = (0, 0, 0)
            withFiles = []
            var next: Conversion.Item? = .talk(first)
            writing: while let item = next {
                if case .talk(let talk) = item {
                    if messages >= Self.messagesMax || talks >= Self.talksMax { break }
                    switch self.before[self.index] {
                    case .nothing: passed = 0
                    case .messages(let count): passed = count
                    case .all: break writing
                    }
                    talks += 1
                    written.append((talk.id, self.index))
                    self.index += 1
                }
                if case .message(let message) = item {
                    if passed > 0 {
                        passed -= 1
                        try self.passOver(message)
                        try self.list?.add(item)
                        next = try conversion.nextItem()
                        continue
                    }
                    messages += 1
                    if let file = message.file, self.files != nil {
                        withFiles.append((piece.talk, message.uuid, message.path, file))
                    }
                    if piece.messages.count >= Self.pieceMax {
                        try await self.write(piece, transaction)
                        piece = piece.next
                    }
                }
                piece.add(item)
                try self.list?.add(item)
                next = try conversion.nextItem()
            }
            try await self.write(piece, transaction)
            waiting = Set(withFiles.map(\.talk))
            try await self.remember(
                written.filter { !waiting.contains($0.talk) }, numbers, conversion, transaction)
            return next
        }
        guard let files, !withFiles.isEmpty else { return next }
        let lacking = try await files.bring(
            withFiles.compactMap { item in
                numbers.values[item.talk].map { .init(talk: $0, message: item.uuid, path: item.path, file: item.file) }
            }, connection)
        numbers.incomplete.formUnion(lacking)
        try await remember(written.filter { waiting.contains($0.talk) }, numbers, conversion, connection)
        return next
    }

    /// Notes what came in with all that the export has of it.
    private func remember(
        _ written: [(talk: String, index: Int)], _ numbers: ImportPiece.Numbers, _ conversion: Conversion,
        _ database: some Queryable
    ) async throws {
        let done = written.compactMap { item in
            numbers.values[item.talk].flatMap { number in
                numbers.incomplete.contains(number) ? nil : (number, conversion.contents[item.index])
            }
        }
        guard !done.isEmpty else { return }
        let withFiles = files != nil
        try await database.execute(
            ImportStore.done, .int64s(done.map(\.0)), .int64s(done.map { Int64($0.1.messages) }),
            .optionalBytesArray(done.map { $0.1.digestOfMessages(withFiles: withFiles) }),
            .optionalBytesArray(done.map { $0.1.digest(withFiles: withFiles) }))
    }

    private func write(_ piece: ImportPiece, _ transaction: Transaction) async throws {
        try await writeTalks(piece, transaction)
        try await writeMessages(piece, transaction)
        try await writeStates(piece, transaction)
        for talk in piece.ended where !talk.formerMembers.isEmpty {
            guard let number = piece.numbers.values[talk.id] else { continue }
            try await transaction.execute(
                ImportStore.leaving, .int64(piece.at), .int64(number),
                .int64s(talk.formerMembers.compactMap { people[$0.person]?.account }))
        }
    }

    private func writeTalks(_ piece: ImportPiece, _ transaction: Transaction) async throws {
        var talks: [(talk: ImportedTalk, members: [(member: ImportedTalk.Member, account: Int64)])] = []
        for talk in piece.talks {
            let members = (talk.members + talk.formerMembers).compactMap { member in
                people[member.person].flatMap { $0.isErased ? nil : (member, $0.account) }
            }
            talks.append((talk, members))
        }
        guard !talks.isEmpty else { return }
        let creators = talks.map { item -> Int64 in
            item.talk.creator.flatMap { people[$0]?.account } ?? item.members.first?.account ?? 0
        }
        let ordinals = talks.enumerated().flatMap { index, item in item.members.map { _ in Int32(index + 1) } }
        let roles = talks.flatMap { item in
            item.members.enumerated().map { index, member -> Int16 in
                guard item.talk.isGroup else { return 1 }
                // The creator stands first.
                return index == 0 ? 3 : member.member.isAdmin ? 2 : 1
            }
        }
        let numbers = try await transaction.first(
            ImportStore.conversations, .texts(talks.map(\.talk.id)), .int16s(talks.map { $0.talk.isGroup ? 2 : 1 }),
            .texts(talks.map(\.talk.name)), .int64s(creators),
            .int64s(talks.map { $0.talk.createdAt ?? piece.firstTimes[$0.talk.id] ?? piece.at }), .int32s(ordinals),
            .int64s(talks.flatMap { $0.members.map(\.account) }), .int16s(roles),
            .optionalInt64s(talks.flatMap { $0.members.map(\.member.joinedAt) }),
            .optionalTexts(talks.map { $0.talk.sources.first }), .texts(talks.map(\.talk.photo)),
            .optionalInt64s(talks.map { item in item.talk.requester.flatMap { people[$0]?.account } }),
            .bools(talks.map(\.talk.isRequestSeen)),
            .optionalInt64s(talks.map { $0.talk.requester == nil ? nil : Self.requestMessages }))
        guard let numbers, numbers.count == talks.count else {
            throw DatabaseError.unexpected("import_conversations returned too little")
        }
        if addsOnlyNewer {
            let newest = try await transaction.first(ImportStore.newest, .int64s(numbers)) ?? []
            for (talk, time) in zip(numbers, newest) { piece.numbers.newest[talk] = time }
        }
        for (index, item) in talks.enumerated() {
            piece.numbers.values[item.talk.id] = numbers[index]
            self.talks[item.talk.id] = numbers[index]
            noteBlocks(of: item.talk)
        }
    }

    private typealias Said = (message: ImportedMessage, talk: Int64, sender: Int64)

    /// Leaves out what would come behind later messages: people who may read these may not have read those.
    private func withoutLate(
        _ said: [Said], _ piece: ImportPiece, _ transaction: Transaction
    ) async throws -> [Said] {
        let early = said.filter { $0.message.sentAt <= piece.numbers.newest[$0.talk] ?? .min }
        guard !early.isEmpty else { return said }
        let known = try await transaction.first(
            ImportStore.known, .int64s(early.map(\.talk)), .uuids(early.map(\.message.uuid)))
        var late: Set<[UInt8]> = []
        for (item, isKnown) in zip(early, known ?? []) where !isKnown {
            late.insert(item.message.uuid)
            piece.numbers.incomplete.insert(item.talk)
            try report?.note(
                "late messages", item.message.path, .leftOut,
                "its conversation came in before, with later messages: import exports of one conversation together")
        }
        return said.filter { !late.contains($0.message.uuid) }
    }

    private func writeMessages(_ piece: ImportPiece, _ transaction: Transaction) async throws {
        let all = piece.messages.compactMap { item -> Said? in
            guard let talk = piece.numbers.values[item.talk] else { return nil }
            return (item.message, talk, item.message.sender.flatMap { people[$0]?.account } ?? 0)
        }
        let said = try await withoutLate(all, piece, transaction)
        guard !said.isEmpty else { return }
        let stored = try await transaction.first(
            ImportStore.messages, .int64(piece.at), .int64s(said.map(\.talk)), .uuids(said.map(\.message.uuid)),
            .int64s(said.map(\.sender)), .int16s(said.map { _ in 1 }), .texts(said.map(\.message.text)),
            .int64s(said.map(\.message.sentAt)), .texts(said.map(\.message.source)),
            .optionalTexts(said.map { $0.message.replyTo.map(DerivedID.hex) }),
            .optionalTexts(said.map { mentions(of: $0.message) }))
        // What was known before may be otherwise here.
        if !follow, !addsOnlyNewer, stored ?? 0 < said.count {
            piece.numbers.incomplete.formUnion(said.map(\.talk))
        }
        // An older export changes nothing of what is known, and one of another person has what only they know.
        guard follow || addsOnlyNewer || stored ?? 0 > 0 else { return }
        let changed = said.filter { $0.message.editedAt != nil || $0.message.deletedAt != nil }
        if !changed.isEmpty {
            try await transaction.execute(
                ImportStore.changes, .int64(piece.at), .int64s(changed.map(\.talk)),
                .uuids(changed.map(\.message.uuid)), .texts(changed.map(\.message.text)),
                .optionalInt64s(changed.map(\.message.editedAt)), .optionalInt64s(changed.map(\.message.deletedAt)),
                .texts(changed.map { JSON.list($0.message.revisions.map(JSON.text)).text }))
        }
        let reactions = said.flatMap { item in
            item.message.reactions.compactMap { reaction in
                people[reaction.person].map { (item, $0.account, reaction) }
            }
        }
        if !reactions.isEmpty {
            try await transaction.execute(
                ImportStore.reactions, .int64(piece.at), .int64s(reactions.map(\.0.talk)),
                .uuids(reactions.map(\.0.message.uuid)), .int64s(reactions.map(\.1)),
                .texts(reactions.map(\.2.emoji)), .int64s(reactions.map(\.2.at)))
        }
        let own = said.flatMap { item in
            (item.message.starredBy.map { ($0, true) } + item.message.hiddenFor.map { ($0, false) }).compactMap {
                person, isStarred in people[person].map { (item, $0.account, isStarred) }
            }
        }
        if !own.isEmpty {
            try await transaction.execute(
                ImportStore.messageStates, .int64(piece.at), .int64s(own.map(\.1)), .int64s(own.map(\.0.talk)),
                .uuids(own.map(\.0.message.uuid)), .bools(own.map(\.2)))
        }
    }

    /// The mentioned people who are there, as an array of PostgreSQL; nil: none.
    private func mentions(of message: ImportedMessage) -> String? {
        let accounts = message.mentions.compactMap { people[$0].flatMap { $0.isErased ? nil : $0.account } }
        return accounts.isEmpty ? nil : "{\(Set(accounts).sorted().map(String.init).joined(separator: ","))}"
    }

    private func writeStates(_ piece: ImportPiece, _ transaction: Transaction) async throws {
        let states = piece.states.compactMap { item -> (state: ImportedState, account: Int64, talk: Int64)? in
            guard let talk = piece.numbers.values[item.talk], let person = people[item.state.person], !person.isErased
            else { return nil }
            return (item.state, person.account, talk)
        }
        guard !states.isEmpty else { return }
        let windows = states.filter { $0.state.firstMessage != nil }
        if !windows.isEmpty {
            try await transaction.execute(
                ImportStore.windows, .int64(piece.at), .int64s(windows.map(\.account)), .int64s(windows.map(\.talk)),
                .optionalTexts(
                    windows.map { item in
                        item.state.firstMessage.flatMap { $0.isEmpty ? nil : DerivedID.hex($0) }
                    }))
        }
        try await transaction.execute(
            ImportStore.inbox, .int64(piece.at), .int64s(states.map(\.account)), .int64s(states.map(\.talk)),
            .texts(states.map { "{\($0.state.readMessages.map(DerivedID.hex).joined(separator: ","))}" }),
            .optionalInt64s(states.map(\.state.readAt)), .optionalInt64s(states.map(\.state.unread)),
            .optionalTexts(states.map { $0.state.deliveredMessage.map(DerivedID.hex) }),
            .bools(states.map(\.state.isPinned)), .bools(states.map(\.state.isMuted)),
            .bools(states.map(\.state.isArchived)))
    }
}
