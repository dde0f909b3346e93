import Command
import Foundation

/// Writes the export of a Firebase app of any size, in memory that does not grow with it. The same sizes always give
/// the same export.
struct ImportLoad: Sendable {
    /// So many messages a conversation, on average.
    private static let messagesEach = 50
    private static let groupPeople = 5
    /// When the first conversation begins, in milliseconds.
    private static let began: Int64 = 1_704_067_200_000

    let people: Int
    let messages: Int
    var conversations: Int { max(1, messages / Self.messagesEach) }
    /// How many messages come later: 1%, in every tenth conversation.
    var news: Int { stride(from: 0, to: conversations, by: 10).reduce(0) { $0 + count(in: $1) / 10 } }

    /// Whether each two people have one direct conversation at most, and a group each of its people once.
    var isPossible: Bool { people > Self.groupPeople * 2 && conversations / people < people / 8 }

    /// Writes `rtdb.json` and `auth.json`.
    /// - Parameter withNews: with the messages that come later, too.
    func write(to folder: String, withNews: Bool) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = try OutputFile("\(folder)/rtdb.json")
        try file.write(#"{"users":{"#)
        for person in 0..<people {
            let name = #""displayName":"Person \#(person)","username":"person-\#(person)""#
            try file.write(#"\#(person == 0 ? "" : ",")"p\#(person)":{\#(name)}"#)
        }
        try file.write(#"},"conversations":{"#)
        for index in 0..<conversations { try write(index, withNews, file) }
        try file.write(#"},"userConversations":{"#)
        try writeStates(withNews, file)
        try file.write("}}")
        try file.close()

        let accounts = try OutputFile("\(folder)/auth.json")
        try accounts.write(#"{"users":["#)
        for person in 0..<people {
            let email = #""email":"p\#(person)@example.org","emailVerified":true"#
            try accounts.write(#"\#(person == 0 ? "" : ",")\#n{"localId":"p\#(person)",\#(email)}"#)
        }
        try accounts.write("]}")
        try accounts.close()
    }

    /// How many messages a conversation has at first. All together have as many as asked for.
    private func count(in index: Int) -> Int {
        messages * (index + 1) / conversations - messages * index / conversations
    }

    private func isGroup(_ index: Int) -> Bool { index % 5 == 4 }

    private func members(of index: Int) -> [Int] {
        let (first, distance) = (index % people, 1 + index / people)
        guard isGroup(index) else { return [first, (first + distance) % people] }
        return (0..<Self.groupPeople).map { (first + $0 * distance) % people }
    }

    private func write(_ index: Int, _ withNews: Bool, _ file: OutputFile) throws {
        var random = SeededRandom(seed: UInt64(index))
        let members = members(of: index)
        let names = members.map { #""p\#($0)""# }.joined(separator: ",")
        let kind = isGroup(index) ? #""type":"group","name":"Group \#(index)""# : #""type":"direct""#
        try file.write(
            #"\#(index == 0 ? "" : ",")\#n"c\#(index)":{\#(kind),"createdBy":"p\#(members[0])","#
                + #""participantIDs":[\#(names)],"createdAt":\#(Self.began),"messages":{"#)
        let first = count(in: index)
        let count = first + (withNews && index % 10 == 0 ? first / 10 : 0)
        var ids: [String] = []
        for number in 0..<count {
            let id = "-N" + String(random.next() | 1 << 60, radix: 36)
            let at = Self.began + Int64(index) * 1_000 + Int64(number) * 60_000
            var fields = #""senderId":"p\#(members[random.below(members.count)])","timestamp":\#(at),"type":"text","#
            fields += #""text":"\#(text(&random)) \#(number)""#
            if number > 0, random.below(5) == 0 {
                fields += #","replyToMessageId":"\#(ids[random.below(number)])""#
            }
            switch random.below(20) {
            case 0: fields += #","isDeleted":true"#
            case 1, 2: fields += #","isEdited":true,"editedAt":\#(at + 30_000)"#
            case 3, 4, 5, 6:
                fields += #","reactions":{"👍":["p\#(members[random.below(members.count)])"]}"#
            default: break
            }
            try file.write(#"\#(number == 0 ? "" : ",")"\#(id)":{\#(fields)}"#)
            ids.append(id)
        }
        try file.write("}}")
    }

    /// Half of the people have read all, and the others half.
    private func writeStates(_ withNews: Bool, _ file: OutputFile) throws {
        var talks = [[Int]](repeating: [], count: people)
        for index in 0..<conversations { for person in members(of: index) { talks[person].append(index) } }
        for (person, indexes) in talks.enumerated() {
            try file.write(#"\#(person == 0 ? "" : ",")\#n"p\#(person)":{"#)
            for (place, index) in indexes.enumerated() {
                let first = count(in: index)
                let all = first + (withNews && index % 10 == 0 ? first / 10 : 0)
                let read = Self.began + Int64(index) * 1_000 + Int64(person % 2 == 0 ? all : first / 2) * 60_000
                try file.write(#"\#(place == 0 ? "" : ",")"c\#(index)":{"lastReadTimestamp":\#(read)}"#)
            }
            try file.write("}")
        }
    }

    private func text(_ random: inout SeededRandom) -> String {
        (0...random.below(12)).map { _ in Self.words[random.below(Self.words.count)] }.joined(separator: " ")
    }

    private static let words = [
        "lunch", "later", "bridge", "over", "ship", "number", "green", "never", "coffee", "again", "summer", "plan",
        "tomorrow", "station", "ticket", "möchte", "wieder", "東京", "тест", "window", "keys", "train", "doctor",
        "birthday",
        "dinner", "movie", "weather", "meeting", "thanks", "sorry", "really", "maybe", "where", "photo", "call", "home",
    ]
}

/// Pseudorandom numbers that follow from a seed (SplitMix64).
private struct SeededRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
}

/// A file that is written in large pieces.
private final class OutputFile {
    private let file: FileHandle
    private var piece = Data()

    init(_ path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw Failure(.fileFailed, "Cannot write \(path).") }
        self.file = file
    }

    func write(_ text: String) throws {
        piece.append(contentsOf: text.utf8)
        guard piece.count >= 1 << 20 else { return }
        try file.write(contentsOf: piece)
        piece.removeAll(keepingCapacity: true)
    }

    func close() throws {
        try file.write(contentsOf: piece)
        try file.close()
    }
}
