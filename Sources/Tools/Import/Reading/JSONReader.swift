/// Reads JSON piece by piece, so that a file of any size takes the memory of its largest value.
///
/// It refuses what Firebase cannot have written, and says where: the byte, and the path of keys to it.
package struct JSONReader {
    /// Realtime Database stores 32 levels, Firestore 20 of fields and 100 of collections.
    static let depthMax = 128
    /// A path of collections and documents as one key. A key of Realtime Database has 768 bytes at most.
    static let keyBytesMax = 6_144
    /// Realtime Database stores texts of 10 MB.
    static let textBytesMax = 10_485_760
    /// Far more than a document of Firestore.
    static let valueBytesMax = 33_554_432
    private static let numberBytesMax = 400

    package enum Token: Equatable, Sendable {
        case objectBegins, objectEnds, listBegins, listEnds
        case key(String)
        case value(JSON)
        case end
    }

    private enum Frame {
        case object(key: String, state: State)
        case list(index: Int, state: State)
    }

    private enum State { case first, value, next }

    private var source: ByteSource
    private var frames: [Frame] = []
    private var isBegun = false
    private var hasRoot = false
    private var scratch: [UInt8] = []
    /// How many characters were replaced by U+FFFD: halves of a surrogate pair, and NUL, which no database of texts
    /// stores.
    package private(set) var replaced = 0
    /// Whether values may follow each other, as a page of REST follows another.
    package var takesSeveral = false

    init(_ source: ByteSource) { self.source = source }

    /// - Throws: ``ImportError`` if the file cannot be opened.
    package init(path: String, name: String) throws(ImportError) {
        self.init(try ByteSource(path: path, name: name))
    }

    package init(_ bytes: [UInt8], name: String) { self.init(ByteSource(bytes, name: name)) }

    // MARK: Tokens

    /// Returns the next token; `end` after the last.
    package mutating func next() throws(ImportError) -> Token {
        if !isBegun { try begin() }
        guard let frame = frames.last else {
            guard try skipBlanks() != nil else {
                guard hasRoot else { throw cutOff() }
                return .end
            }
            guard !hasRoot || takesSeveral else { throw wrong("more text after the end of the JSON") }
            hasRoot = true
            return try readValue()
        }
        guard let byte = try skipBlanks() else { throw cutOff() }
        switch frame {
        case .object(let key, let state): return try nextInObject(key, state, byte)
        case .list(let index, let state): return try nextInList(index, state, byte)
        }
    }

    private mutating func nextInObject(_ key: String, _ state: State, _ byte: UInt8) throws(ImportError) -> Token {
        switch state {
        case .value:
            guard byte == UInt8(ascii: ":") else { throw wrong("no \":\" after a key") }
            source.advance()
            frames[frames.count - 1] = .object(key: key, state: .next)
            guard try skipBlanks() != nil else { throw cutOff() }
            return try readValue()
        case .first, .next:
            var byte = byte
            if byte == UInt8(ascii: "}") {
                source.advance()
                frames.removeLast()
                return .objectEnds
            }
            if state == .next {
                guard byte == UInt8(ascii: ",") else { throw wrong("no \",\" between two fields") }
                source.advance()
                guard let following = try skipBlanks() else { throw cutOff() }
                byte = following
            }
            guard byte == UInt8(ascii: "\"") else { throw wrong("a key without quotation marks") }
            let key = try readText(bytesMax: Self.keyBytesMax, what: "a key")
            frames[frames.count - 1] = .object(key: key, state: .value)
            return .key(key)
        }
    }

    private mutating func nextInList(_ index: Int, _ state: State, _ byte: UInt8) throws(ImportError) -> Token {
        if byte == UInt8(ascii: "]") {
            source.advance()
            frames.removeLast()
            return .listEnds
        }
        if state != .first {
            guard byte == UInt8(ascii: ",") else { throw wrong("no \",\" between two items") }
            source.advance()
            guard try skipBlanks() != nil else { throw cutOff() }
        }
        frames[frames.count - 1] = .list(index: state == .first ? 0 : index + 1, state: .next)
        return try readValue()
    }

    /// The next byte is that of a value.
    private mutating func readValue() throws(ImportError) -> Token {
        guard let byte = try source.peek() else { throw cutOff() }
        switch byte {
        case UInt8(ascii: "{"):
            source.advance()
            try push(.object(key: "", state: .first))
            return .objectBegins
        case UInt8(ascii: "["):
            source.advance()
            try push(.list(index: 0, state: .first))
            return .listBegins
        case UInt8(ascii: "\""): return .value(.text(try readText(bytesMax: Self.textBytesMax, what: "a text")))
        case UInt8(ascii: "t"): return .value(try word("true", .bool(true)))
        case UInt8(ascii: "f"): return .value(try word("false", .bool(false)))
        case UInt8(ascii: "n"): return .value(try word("null", .null))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .value(.number(try readNumber()))
        default: throw wrong("something that is no value")
        }
    }

    private mutating func push(_ frame: Frame) throws(ImportError) {
        guard frames.count < Self.depthMax else {
            throw ImportError(
                .tooLarge, "\(source.name) has more than \(Self.depthMax) levels at byte \(source.offset), in \(path).",
                advice: "Firebase stores 32 levels at most. Leave this part out of the file.")
        }
        frames.append(frame)
    }

    // MARK: Values

    /// Reads what a token begins, as one value.
    package mutating func value(from token: Token) throws(ImportError) -> JSON {
        try value(from: token, begunAt: source.offset)
    }

    private mutating func value(from token: Token, begunAt start: Int) throws(ImportError) -> JSON {
        guard source.offset - start <= Self.valueBytesMax else {
            throw ImportError(
                .tooLarge, "\(source.name) has a record of more than \(Self.valueBytesMax >> 20) MB, in \(path).",
                advice: "Name what is inside of it as records of their own with --map.")
        }
        switch token {
        case .value(let value): return value
        case .objectBegins:
            var fields: [JSON.Field] = []
            while case .key(let key) = try next() {
                fields.append(JSON.Field(key, try value(from: try next(), begunAt: start)))
            }
            return .object(fields)
        case .listBegins:
            var items: [JSON] = []
            while true {
                let token = try next()
                if token == .listEnds { return .list(items) }
                items.append(try value(from: token, begunAt: start))
            }
        case .key, .objectEnds, .listEnds, .end: throw wrong("no value where one belongs")
        }
    }

    /// Reads past what a token begins, in no memory.
    package mutating func skip(from token: Token) throws(ImportError) {
        guard token == .objectBegins || token == .listBegins else { return }
        let depth = frames.count
        while frames.count >= depth { _ = try next() }
    }

    private mutating func word(_ text: StaticString, _ value: JSON) throws(ImportError) -> JSON {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        for byte in bytes {
            guard let next = try source.take() else { throw cutOff() }
            guard next == byte else { throw wrong("something that is no value") }
        }
        return value
    }

    private mutating func readNumber() throws(ImportError) -> String {
        scratch.removeAll(keepingCapacity: true)
        while let byte = try source.peek(), Self.isOfNumber(byte) {
            scratch.append(byte)
            source.advance()
            guard scratch.count <= Self.numberBytesMax else { throw wrong("a number of too many digits") }
        }
        // A cut behind a digit shows where something must follow.
        let digits = String(decoding: scratch, as: UTF8.self)
        guard Double(digits) != nil else { throw wrong("something that is no number") }
        return digits
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    // MARK: Texts

    private mutating func readText(bytesMax: Int, what: String) throws(ImportError) -> String {
        source.advance()
        scratch.removeAll(keepingCapacity: true)
        while true {
            try source.takePlain(into: &scratch)
            guard scratch.count <= bytesMax else {
                throw ImportError(
                    .tooLarge,
                    "\(source.name) has \(what) of more than \(bytesMax) bytes at byte \(source.offset), in \(path).",
                    advice: "Firebase stores none as long. Leave it out of the file.")
            }
            switch try source.take() {
            case UInt8(ascii: "\""): return try decoded()
            case UInt8(ascii: "\\"): try readEscape()
            case nil: throw cutOff()
            default: throw wrong("a control character in \(what)")
            }
        }
    }

    private func decoded() throws(ImportError) -> String {
        guard let text = String(validating: scratch, as: UTF8.self) else {
            throw ImportError(
                .encoding, "\(source.name) is not in UTF-8 before byte \(source.offset), in \(path).",
                advice: "Turn it into UTF-8, such as with: iconv -f WINDOWS-1252 -t UTF-8 \(source.name)")
        }
        return text
    }

    private mutating func readEscape() throws(ImportError) {
        guard let byte = try source.take() else { throw cutOff() }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): try readUnit()
        default: throw wrong("an escape that JSON does not have")
        }
    }

    private mutating func readUnit() throws(ImportError) {
        var unit = try hexUnit()
        while true {
            switch unit {
            case 0: return replace()
            case 0xDC00...0xDFFF: return replace()
            case 0xD800...0xDBFF:
                guard try source.peek() == UInt8(ascii: "\\") else { return replace() }
                source.advance()
                guard try source.peek() == UInt8(ascii: "u") else {
                    replace()
                    return try readEscape()
                }
                source.advance()
                let second = try hexUnit()
                if 0xDC00...0xDFFF ~= second {
                    return append(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
                }
                replace()
                unit = second
            default: return append(unit)
            }
        }
    }

    private mutating func hexUnit() throws(ImportError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = try source.take() else { throw cutOff() }
            guard let digit = UInt32(String(UnicodeScalar(byte)), radix: 16) else {
                throw wrong("an escape that JSON does not have")
            }
            unit = unit << 4 | digit
        }
        return unit
    }

    private mutating func replace() {
        replaced += 1
        append(0xFFFD)
    }

    private mutating func append(_ value: UInt32) {
        if let scalar = UnicodeScalar(value) { scratch.append(contentsOf: Character(scalar).utf8) }
    }

    // MARK: Beginning, and where it is

    private mutating func begin() throws(ImportError) {
        isBegun = true
        guard let first = try source.peek() else {
            throw ImportError(.cutOff, "\(source.name) is empty.", advice: "Export it again.")
        }
        if first == 0xEF {
            source.advance()
            guard try source.take() == 0xBB, try source.take() == 0xBF else { throw notUTF8("an unknown encoding") }
        }
        if first == 0xFE || first == 0xFF || first == 0 { throw notUTF8("UTF-16 or UTF-32") }
        if first == 0x1F { throw ImportError(.notJSON, "\(source.name) is compressed.", advice: "Use gunzip first.") }
    }

    private func notUTF8(_ encoding: String) -> ImportError {
        ImportError(
            .encoding, "\(source.name) is in \(encoding), not in UTF-8.",
            advice: "Turn it into UTF-8, such as with: iconv -f UTF-16 -t UTF-8 \(source.name)")
    }

    /// Skips white space.
    /// - Returns: the next byte, which is not taken.
    private mutating func skipBlanks() throws(ImportError) -> UInt8? {
        while let byte = try source.peek() {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            source.advance()
        }
        return nil
    }

    /// Where the reader is, as `users/alice/name`.
    package var path: String {
        let parts = frames.compactMap { frame -> String? in
            switch frame {
            case .object(_, .first): nil
            case .object(let key, _): key
            case .list(_, .first): nil
            case .list(let index, _): "\(index)"
            }
        }
        return parts.isEmpty ? "the top level" : parts.joined(separator: "/")
    }

    private func cutOff() -> ImportError {
        ImportError(
            .cutOff, "\(source.name) ends in the middle, at byte \(source.offset), in \(path).",
            advice: "Nothing was changed. Export it again, and compare the sizes after copying it.")
    }

    private func wrong(_ what: String) -> ImportError {
        ImportError(
            .notJSON, "\(source.name) is not JSON: \(what) at byte \(source.offset), in \(path).",
            advice: "Export it again, and do not edit it.")
    }

    /// An error about a value that has been read.
    func unexpected(_ what: String) -> ImportError { wrong(what) }
}
