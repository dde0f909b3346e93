/// One decoder that faces strangers, as a function of bytes: for libFuzzer, which searches, and for the test that
/// replays what was found and kept.
struct FuzzTarget: Sendable {
    let name: String
    /// The longest input worth trying.
    let bytesMax: Int
    /// Throws ``Broken`` when the code under it does what it must not. It may also just crash.
    let run: @Sendable ([UInt8]) throws -> Void
    /// Right inputs to begin with.
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
        messages, links, token, session, socket, settings, addresses, cursor, ids, text,
    ]

    static subscript(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// What must hold does not.
struct Broken: Error, CustomStringConvertible {
    let description: String
}

func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw Broken(description: what()) }
}

/// Takes decisions from an input, in order; zeros when it has ended.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A piece whose length stands before it in two bytes.
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

/// What ``Choices/piece()`` reads.
func piece(_ bytes: some Collection<UInt8>) -> [UInt8] {
    [UInt8(bytes.count >> 8 & 0xFF), UInt8(bytes.count & 0xFF)] + bytes
}
