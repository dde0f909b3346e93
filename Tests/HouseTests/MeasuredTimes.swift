/// Finds assertions with an upper bound on a measured time in the source text of tests.
///
/// It follows the names to which a file gives a difference of two readings of a clock, also through lists, results of
/// functions and other names.
struct MeasuredTimes {
    struct Found: Equatable {
        var line: Int
        var code: String
    }

    private let lines: [String]
    /// The names that stand for measured times.
    private(set) var names: Set<Substring>

    /// - Parameter shared: names of measured times that other files declare.
    init(_ text: String, shared: Set<Substring> = []) {
        lines = SourceFile(path: "", text: text).code
        names = shared
        guard text.contains(".now") || text.contains(".measure {") || shared.contains(where: { text.contains($0) })
        else { return }
        let settings = lines.indices.filter { !Self.targets(of: lines[$0]).isEmpty }
        var known = -1
        while names.count > known {
            known = names.count
            for index in settings where isMeasured(statement(at: index)) {
                names.formUnion(Self.targets(of: lines[index]))
            }
            learnFunctions()
        }
    }

    /// The properties among the names, which other files may use.
    var properties: Set<Substring> {
        names.filter { name in lines.contains { $0.contains("var \(name): Duration {") } }
    }

    // MARK: Names

    /// Returns the names that a line gives something to: by an assignment, a list's `append`, a loop or a computed
    /// property.
    private static func targets(of line: String) -> Set<Substring> {
        if let range = line.firstRange(of: " in "), line.contains("for ") {
            return Set(words(of: line[..<range.lowerBound]).drop { $0 != "for" }.dropFirst())
        }
        for mark in [" = ", " += ", ".append(", ": Duration {"] {
            guard let range = line.firstRange(of: mark) else { continue }
            var left = line[..<range.lowerBound]
            // Of `times[what]`, the list; of `(took, late)`, both; of `var took: Duration`, the name.
            if left.hasSuffix("]"), let bracket = left.lastIndex(of: "[") { left = left[..<bracket] }
            if left.hasSuffix(")"), let bracket = left.lastIndex(of: "(") { return Set(words(of: left[bracket...])) }
            if let colon = left.firstIndex(of: ":") { left = left[..<colon] }
            return Set(words(of: left).suffix(1)).union(labels(of: line))
        }
        return []
    }

    /// The labels of arguments that are differences, as in `Answer(took: .now - began)`.
    private static func labels(of line: String) -> [Substring] {
        line.ranges(of: ": .now - ").compactMap { words(of: line[..<$0.lowerBound]).last }
    }

    private mutating func learnFunctions() {
        var function: Substring?
        for (index, line) in lines.enumerated() {
            if let range = line.firstRange(of: "func ") { function = Self.words(of: line[range.upperBound...]).first }
            if let function, line.contains("return "), isMeasured(statement(at: index)) { names.insert(function) }
        }
    }

    /// A line, with the next one if it goes on there.
    private func statement(at index: Int) -> String {
        let line = lines[index]
        return (line.hasSuffix("(") || line.hasSuffix(" =")) && index + 1 < lines.count
            ? line + lines[index + 1] : line
    }

    private func isMeasured(_ code: some StringProtocol) -> Bool {
        let code = Substring(code)
        return code.contains(".measure {") || Self.isDifference(code)
            || !names.isEmpty && Self.words(of: code).contains { names.contains($0) }
    }

    /// Whether the text subtracts an instant from the time now.
    private static func isDifference(_ code: Substring) -> Bool {
        guard code.contains(".now") else { return false }
        return [".now - ", ".now.steady - "].contains { mark in
            code.ranges(of: mark).contains { range in
                code[range.upperBound...].first.map { $0.isLetter || $0 == "_" } ?? false
            }
        }
    }

    private static func words(of code: Substring) -> [Substring] {
        code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }

    // MARK: Assertions

    /// The assertions with an upper bound on a measured time that does not compare it with another measured time.
    var upperBounds: [Found] {
        assertions.filter { Self.clauses(of: $0.code).contains { isUpperBound($0) } }
    }

    /// The assertions that allow for how late the machine is, and the short waits: upper bounds by another name.
    var promises: [Found] {
        let waits = lines.enumerated().filter { _, line in
            guard line.contains("eventually(within: ."),
                let match = line.firstMatch(of: /eventually\(within: \.(\w+)\((\d+)\)/)
            else { return false }
            return match.1 != "seconds" || (Int(match.2) ?? 0) < 20
        }.map { Found(line: $0.offset + 1, code: String($0.element.drop { $0 == " " })) }
        return assertions.filter { $0.code.contains(".isWithin(") } + waits
    }

    private var assertions: [Found] {
        lines.indices.compactMap { index in
            guard let start = lines[index].firstRange(of: "#expect(") ?? lines[index].firstRange(of: "#require(")
            else { return nil }
            var code = String(lines[index][start.lowerBound...])
            for line in lines[(index + 1)...] {
                if Self.isClosed(code) { break }
                code += " " + line.drop { $0 == " " }
            }
            return Found(line: index + 1, code: code)
        }
    }

    private static func isClosed(_ code: String) -> Bool {
        code.utf8.count { $0 == UInt8(ascii: "(") } <= code.utf8.count { $0 == UInt8(ascii: ")") }
    }

    private static func clauses(of code: String) -> [Substring] {
        code.split(separator: "&&").flatMap { $0.split(separator: "||") }
    }

    private func isUpperBound(_ clause: Substring) -> Bool {
        if clause.contains(".."), let value = clause.firstRange(of: "~= ") ?? clause.firstRange(of: ").contains(") {
            return isMeasured(clause[value.upperBound...])
        }
        guard let comparison = clause.firstMatch(of: #/ ([<>])=? /#) else { return false }
        let sides = (clause[..<comparison.range.lowerBound], clause[comparison.range.upperBound...])
        let (small, large) = comparison.1 == "<" ? (sides.0, sides.1) : (sides.1, sides.0)
        guard isMeasured(small) else { return false }
        return !isMeasured(large) || large.contains("seconds(")
    }
}
