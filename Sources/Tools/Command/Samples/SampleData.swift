import ParleyClient

/// The messages of the sample people (T2, seed 004): two direct chats, a group with mentions, and an invitation into
/// another group. All ids derive from the creation time of Alice's account: writing them again changes nothing.
enum SampleData {
    struct Line: Sendable {
        var from: String
        var text: String

        init(_ from: String, _ text: String) { (self.from, self.text) = (from, text) }
    }

    static let groupName = "Weekend Trip"
    /// A group of Bob's into which Charlie is invited. It is made before the two share a group.
    static let invitationName = "Book Club"

    static let aliceAndBob = [
        Line("alice", "Hi Bob! Did you get home all right?"),
        Line("bob", "Yes, thanks! The train was even on time."),
        Line("alice", "A miracle. Shall we go over the slides tomorrow?"),
        Line("bob", "Sure, 10:00 at my desk?"),
        Line("alice", "Perfect, see you then 👋"),
    ]
    static let aliceAndCharlie = [
        Line("charlie", "Alice, do you still have the tent from last year?"),
        Line("alice", "In the cellar. It needs new pegs, though."),
        Line("charlie", "I will bring some. Thank you!"),
    ]
    static let group = [
        Line("alice", "Welcome! Let us plan the weekend here."),
        Line("bob", "Mountains or lake?"),
        Line("charlie", "Lake! @AliceJohnson, can you check whether the cabin is free?"),
        Line("alice", "It is, from Friday on. @BobSmith @CharlieBrown who drives?"),
        Line("bob", "I can take all of us. @CharlieBrown, you bring the tent just in case?"),
        Line("charlie", "Done deal."),
    ]

    struct Result: Encodable, Equatable {
        var type = "seed"
        var conversations = 0
        var messages = 0
        var newConversations = 0
        var newMessages = 0
    }

    /// Writes the sample data that does not exist yet.
    @discardableResult
    static func write(by people: [Person]) async throws -> Result {
        var byName: [String: Person] = [:]
        for (description, person) in zip(SamplePeople.everybody, people) { byName[description.username] = person }
        guard let alice = byName["alice"], let bob = byName["bob"], let charlie = byName["charlie"] else {
            return Result()
        }
        let began = try await alice.client.findUser("alice").createdAtUs
        var result = Result()

        for (other, lines, label) in [(bob, aliceAndBob, "alice-bob"), (charlie, aliceAndCharlie, "alice-charlie")] {
            let started = try await alice.client.startDirect(with: other.user)
            _ = try await other.client.startDirect(with: alice.user)
            result.conversations += 1
            result.newConversations += started.created ? 1 : 0
            try await write(lines, to: started.conversation.id, label, began, byName, &result)
        }
        let club = try await bob.client.createGroup(
            name: invitationName, users: [charlie.user], id: id("book-club", 0, at: began))
        result.conversations += 1
        result.newConversations += club.created ? 1 : 0
        let made = try await alice.client.createGroup(
            name: groupName, users: [bob.user, charlie.user], id: id("group", 0, at: began))
        result.conversations += 1
        result.newConversations += made.created ? 1 : 0
        try await write(group, to: made.conversation.id, "group-message", began, byName, &result)
        return result
    }

    private static func write(
        _ lines: [Line], to conversation: String, _ label: String, _ began: Int64, _ people: [String: Person],
        _ result: inout Result
    ) async throws {
        for (number, line) in lines.enumerated() {
            guard let person = people[line.from] else { continue }
            let reply = try await person.client.sendReliably(
                line.text, to: conversation, id: id(label, number, at: began))
            result.messages += 1
            result.newMessages += reply.duplicate ? 0 : 1
        }
    }

    /// Returns a UUIDv7 of this time whose other bits derive from the label and number.
    static func id(_ label: String, _ number: Int, at microseconds: Int64) -> UUIDv7? {
        let text = "parley sample \(label) \(number) \(microseconds)"
        func hash(_ seed: UInt64) -> UInt64 {
            text.utf8.reduce(14_695_981_039_346_656_037 ^ seed) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        }
        let milliseconds = UInt64(max(0, microseconds)) / 1000 + UInt64(number)
        let high = milliseconds << 16 | 0x7000 | hash(1) & 0x0fff
        let low = hash(2) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        let bytes = [high, low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) }
        }
        return UUIDv7(bytes: bytes)
    }
}
