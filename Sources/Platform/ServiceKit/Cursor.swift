import Schema
import Wire

/// The key of the last row of a page. Clients send it back as text to get the next page, and empty text to get the
/// first. The text is the key's parts, joined by dots; ``Routes`` seals it.
public protocol Cursor: Equatable, Sendable {
    /// Before the first row.
    static var start: Self { get }
    /// Takes all parts of a text.
    init(_ parts: inout CursorParts) throws(CursorParts.Invalid)
    var text: String { get }
}

extension Cursor {
    /// - Throws: ``Refusal`` `invalid` unless the text is empty or the ``text`` of a cursor, to the letter.
    public init(_ text: String) throws(Refusal) {
        guard !text.isEmpty else {
            self = .start
            return
        }
        do {
            var parts = CursorParts(text)
            self = try Self(&parts)
            guard parts.isEmpty, self.text == text else { throw CursorParts.Invalid() }
        } catch {
            throw .invalidCursor
        }
    }
}

extension Refusal {
    static var invalidCursor: Refusal { .invalid("cursor", "must be a cursor from an earlier reply, or empty") }
}

/// The parts of a ``Cursor``'s text that have not been taken yet.
public struct CursorParts {
    public struct Invalid: Error {
        public init() {}
    }

    private var rest: Substring?

    init(_ text: String) { rest = text[...] }

    var isEmpty: Bool { rest == nil }

    private mutating func next() throws(Invalid) -> Substring {
        guard let text = rest else { throw Invalid() }
        let end = text.firstIndex(of: ".")
        rest = end.map { text[text.index(after: $0)...] }
        return text[..<(end ?? text.endIndex)]
    }

    /// Takes a number in a range, by default any but a negative one.
    public mutating func number<N: FixedWidthInteger>(
        in range: ClosedRange<N> = 0...(.max), radix: Int = 10
    ) throws(Invalid) -> N {
        guard let number = N(try next(), radix: radix), range.contains(number) else { throw Invalid() }
        return number
    }

    public mutating func number<N: TypedNumber>(
        in range: ClosedRange<N> = 0...(.max), radix: Int = 10
    ) throws(Invalid) -> N {
        guard let number = N(try next(), radix: radix), range.contains(number) else { throw Invalid() }
        return number
    }

    /// Takes this many bytes, written as hexadecimal digits.
    public mutating func bytes(_ count: Int) throws(Invalid) -> [UInt8] {
        guard let bytes = Hex.bytes(try next()), bytes.count == count else { throw Invalid() }
        return bytes
    }

    /// Takes the next part if it is this word.
    public mutating func take(_ word: String) -> Bool {
        var others = self
        guard let part = try? others.next(), part == word else { return false }
        self = others
        return true
    }

    /// Takes everything that is left, dots included.
    public mutating func remainder() throws(Invalid) -> String {
        guard let text = rest else { throw Invalid() }
        rest = nil
        return String(text)
    }
}
