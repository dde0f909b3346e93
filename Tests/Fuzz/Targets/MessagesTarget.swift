@testable import Schema

extension FuzzTarget {
    /// Every message of the contract. The first two bytes select the message by a hash of its name, so that inputs keep
    /// their meaning as messages are added. The rest are its bytes.
    static let messages = FuzzTarget("messages", seeds: messageSeeds) { input in
        var choices = Choices(input)
        let number = UInt16(choices.byte()) << 8 | UInt16(choices.byte())
        let type = typesByMark[number] ?? everyMessage[Int(number) % everyMessage.count]
        try checkRoundTrip(type, Array(choices.all()))
    }

    /// The two bytes that select a message in an input of ``messages``.
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
            // Takes the first sample that is neither empty nor long, so that the corpus stays small.
            let encoded = (0..<40).lazy.map { _ in Message.sample(&sampler).encode() }
            return encoded.first { (8...400).contains($0.count) } ?? Message().encode()
        }
        return everyMessage.map { type in
            let mark = mark(of: type)
            return [UInt8(mark >> 8), UInt8(mark & 0xFF)] + seed(type)
        }
    }
}

/// Checks that a decoded message survives encoding and decoding unchanged, and that it does not grow much. It may grow
/// by the defaults of fields that occurred twice in the input.
@discardableResult
func checkRoundTrip<Message: WireMessage>(_ type: Message.Type, _ bytes: [UInt8]) throws -> Message? {
    guard let first = try? Message.decode(bytes) else { return nil }
    let written = first.encode()
    let second: Message
    do {
        second = try Message.decode(written)
    } catch {
        throw Broken(description: "\(Message.messageName) cannot decode its own bytes: \(error)")
    }
    // Compares bytes, because a NaN is not equal to itself.
    try require(second.encode() == written, "\(Message.messageName) decodes its own bytes to a different value")
    try require(
        written.count <= 2 * bytes.count + 16,
        "\(Message.messageName) grew from \(bytes.count) to \(written.count) bytes")
    return first
}
