/// A value of an export. Numbers keep their digits, since a double would lose some of an id or a time.
package indirect enum JSON: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case list([JSON])
    /// In the order of the file. Of a repeated key the last one counts.
    case object([Field])

    package struct Field: Equatable, Sendable {
        package var key: String
        package var value: JSON

        package init(_ key: String, _ value: JSON) { (self.key, self.value) = (key, value) }
    }
}

extension JSON {
    package subscript(key: String) -> JSON? {
        guard case .object(let fields) = self else { return nil }
        return fields.last { $0.key == key }?.value
    }

    /// The value unless it is null.
    var present: JSON? { self == .null ? nil : self }

    var string: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// A text, or a number as a text: apps write ids both ways.
    var name: String? {
        switch self {
        case .text(let text): text
        case .number(let digits): digits
        default: nil
        }
    }

    /// Whether it says yes: true, a number but 0, or one of these as a text.
    var isTrue: Bool {
        switch self {
        case .bool(let bool): bool
        case .number(let digits): Double(digits).map { $0 != 0 } ?? false
        case .text(let text): ["true", "1", "yes"].contains(text.lowercased())
        default: false
        }
    }

    var double: Double? {
        let number: Double? =
            switch self {
            case .number(let digits): Double(digits)
            case .text(let text): Double(text)
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A whole number, also where an app wrote it as a double or as a text.
    var integer: Int64? {
        if let digits = name, let exact = Int64(digits) { return exact }
        // Beyond this doubles are no exact numbers.
        guard let double, double.magnitude < 9_007_199_254_740_992 else { return nil }
        return Int64(double.rounded())
    }

    /// The fields of an object, or the items of a list by their numbers, as Realtime Database turns one into the other.
    package var entries: [Field] {
        switch self {
        case .object(let fields): fields
        case .list(let items):
            items.enumerated().compactMap { index, item in item == .null ? nil : Field("\(index)", item) }
        default: []
        }
    }

    /// The people of a set, written `{person: true}` or `[person]` or `{0: person}`; without those that are false.
    var people: [String] {
        switch self {
        case .list(let items): return items.compactMap(\.name)
        case .object(let fields):
            let isList = fields.enumerated().allSatisfy { $0.element.value.string != nil && Int($0.element.key) != nil }
            if isList { return fields.compactMap(\.value.string) }
            return fields.filter { $0.value != .null && $0.value != .bool(false) }.map(\.key)
        case .text(let one): return one.isEmpty ? [] : [one]
        default: return []
        }
    }

    /// The value as compact JSON.
    package var text: String {
        var out: [UInt8] = []
        write(to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    package func write(to out: inout [UInt8]) {
        switch self {
        case .null: out += "null".utf8
        case .bool(let bool): out += (bool ? "true" : "false").utf8
        case .number(let digits): out += digits.utf8
        case .text(let text): Self.quote(text, to: &out)
        case .list(let items):
            out.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                item.write(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let fields):
            out.append(UInt8(ascii: "{"))
            for (index, field) in fields.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                Self.quote(field.key, to: &out)
                out.append(UInt8(ascii: ":"))
                field.value.write(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    private static func quote(_ text: String, to out: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        out.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
            case 0x0A: out += "\\n".utf8
            case 0..<0x20: out += "\\u00".utf8 + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}
