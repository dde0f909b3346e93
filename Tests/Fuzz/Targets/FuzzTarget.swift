/// One decoder of untrusted input, as a function of bytes. libFuzzer searches it for faults, and a test replays the
/// kept inputs.
struct FuzzTarget: Sendable {
    let name: String
    /// The longest input worth trying.
    let bytesMax: Int
    /// Runs the decoder. Throws ``Broken`` if the code under test violates a rule; it may also crash.
    let run: @Sendable ([UInt8]) throws -> Void
    /// Valid inputs to begin with.
    let seeds: @Sendable () -> [[UInt8]]

    init(
        _ name: String, bytesMax: Int = 4096, seeds: @escaping @Sendable () -> [[UInt8]],
        _ run: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.bytesMax = bytesMax
        self.seeds = seeds
        self.run = run
    }

    static let all: [FuzzTarget] = [
        messages, links, token, session, socket, settings, addresses, cursor, ids, text, phrases, recurrences,
    ]

    static subscript(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A violated rule.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

func require(_ condition: Bool, _ violation: @autoclosure () -> String) throws {
    if !condition { throw Broken(description: violation()) }
}

/// Reads decisions from an input, in order. Yields zeros after its end.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Reads a piece that is preceded by its length in two bytes.
    mutating func piece() -> ArraySlice<UInt8> {
        let count = Int(byte()) << 8 | Int(byte())
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func all() -> ArraySlice<UInt8> {
        defer { rest = [] }
        return rest
    }
}

/// Encodes a piece for ``Choices/piece()``.
func piece(_ bytes: some Collection<UInt8>) -> [UInt8] {
    [UInt8(bytes.count >> 8 & 0xFF), UInt8(bytes.count & 0xFF)] + bytes
}
