/// The prepared statements of a connection. A text is prepared once for each combination of parameter types. NULL has
/// no type and fits any.
struct PreparedStatements {
    private struct Prepared {
        var text: Int
        var types: [UInt32]
    }

    private var byNumber: [Int: Prepared] = [:]
    private var numbersByText: [Int: [Int]] = [:]
    private var lastNumber = 0

    /// - Returns: the statement's number on this connection, and whether it must be prepared now.
    mutating func find(_ text: StatementText, _ types: [UInt32]) -> (number: Int, mustPrepare: Bool) {
        var known: [Int] = numbersByText[text.number] ?? []
        for number in known {
            if let prepared = byNumber[number], Self.fits(types, prepared.types) { return (number, false) }
        }
        // A NULL takes the type that its parameter had before, so a text has few variants.
        var merged = types
        for number in known {
            guard let earlier = byNumber[number]?.types, earlier.count == merged.count else { continue }
            for index in merged.indices where merged[index] == TypeID.unknown { merged[index] = earlier[index] }
        }
        lastNumber += 1
        byNumber[lastNumber] = Prepared(text: text.number, types: merged)
        known.append(lastNumber)
        numbersByText[text.number] = known
        return (lastNumber, true)
    }

    func types(of number: Int) -> [UInt32] { byNumber[number]?.types ?? [] }

    mutating func forget(_ number: Int) {
        guard let prepared = byNumber.removeValue(forKey: number) else { return }
        numbersByText[prepared.text]?.removeAll { $0 == number }
    }

    private static func fits(_ types: [UInt32], _ prepared: [UInt32]) -> Bool {
        guard types.count == prepared.count else { return false }
        for index in types.indices where types[index] != prepared[index] && types[index] != TypeID.unknown {
            return false
        }
        return true
    }
}
