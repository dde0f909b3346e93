@testable import Schema

extension FuzzTarget {
    /// Every message of the contract: the first two bytes say which by a hash of its name, so that inputs keep their
    /// meaning as messages are added; the rest are its bytes.
    static let messages = FuzzTarget("messages", seeds: messageSeeds) { input in
        var choices = Choices(input)
        let number = UInt16(choices.byte()) << 8 | UInt16(choices.byte())
        let type = typesByMark[number] ?? everyMessage[Int(number) % everyMessage.count]
        try readsItsOwn(type, Array(choices.all()))
    }

    /// Which message an input of ``messages`` begins with.
    static func mark(of type: any Sampled.Type) -> UInt16 {
        var hash: UInt32 = 0x811C_9DC5  // FNV-1a
        for byte in type.messageName.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return UInt16(truncatingIfNeeded: hash ^ hash >> 16)
    }

    private static let typesByMark: [UInt16: any Sampled.Type] = Dictionary(
        everyMessage.map { (mark(of: $0), $0) }, uniquingKeysWith: { first, _ in first })

    private static func messageSeeds() -> [[UInt8]] {
        func seed<Message: Sampled>(_ type: Message.Type) -> [UInt8] {
            var sampler = Sampler(seed: 11)
            // The first of a few that is not empty and not long: the corpus is to stay small.
            let encoded = (0..<40).lazy.map { _ in Message.sample(&sampler).encode() }
            return encoded.first { (8...400).contains($0.count) } ?? Message().encode()
        }
        return everyMessage.map { type in
            let mark = mark(of: type)
            return [UInt8(mark >> 8), UInt8(mark & 0xFF)] + seed(type)
        }
    }
}

/// What was read is written, and read again, as the same; and takes no more room than it came in, but for the defaults
/// of fields that were there twice.
@discardableResult
func readsItsOwn<Message: WireMessage>(_ type: Message.Type, _ bytes: [UInt8]) throws -> Message? {
    guard let first = try? Message.decode(bytes) else { return nil }
    let written = first.encode()
    let second: Message
    do {
        second = try Message.decode(written)
    } catch {
        throw Broken(description: "\(Message.messageName) does not read what it wrote: \(error)")
    }
    // Not the values: a NaN is not equal to itself.
    try require(second.encode() == written, "\(Message.messageName) read its own bytes as something else")
    try require(
        written.count <= 2 * bytes.count + 16,
        "\(Message.messageName) became \(written.count) bytes from \(bytes.count)")
    return first
}
