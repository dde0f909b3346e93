/// Writes values one after the other, for files of our own that live as long as the import.
struct Packer {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func put(_ number: Int64) { put(Int(number)) }
    mutating func put(_ bool: Bool) { put(bool ? 1 : 0) }

    mutating func put(_ text: String) {
        put(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    mutating func put(_ texts: [String]) {
        put(texts.count)
        for text in texts { put(text) }
    }

    mutating func put<Value>(_ value: Value?, _ write: (inout Packer, Value) -> Void) {
        put(value != nil)
        if let value { write(&self, value) }
    }

    mutating func put(_ value: String?) { put(value) { $0.put($1) } }
    mutating func put(_ value: Int64?) { put(value) { $0.put($1) } }

    mutating func put(_ value: JSON) {
        switch value {
        case .null: put(0)
        case .bool(let bool): put(bool ? 2 : 1)
        case .number(let digits):
            put(3)
            put(digits)
        case .text(let text):
            put(4)
            put(text)
        case .list(let items):
            put(5)
            put(items.count)
            for item in items { put(item) }
        case .object(let fields):
            put(6)
            put(fields.count)
            for field in fields {
                put(field.key)
                put(field.value)
            }
        }
    }
}

/// Reads what a ``Packer`` wrote, in the same order. The bytes are our own.
struct Unpacker {
    private let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func int() -> Int {
        var (number, shift) = (UInt(0), UInt(0))
        while true {
            let byte = bytes[next]
            next += 1
            number |= UInt(byte & 0x7F) << shift
            if byte < 0x80 { return Int(bitPattern: number) }
            shift += 7
        }
    }

    mutating func int64() -> Int64 { Int64(int()) }
    mutating func bool() -> Bool { int() != 0 }

    mutating func text() -> String {
        let count = int()
        defer { next += count }
        return String(decoding: bytes[next..<next + count], as: UTF8.self)
    }

    mutating func texts() -> [String] { list { $0.text() } }

    mutating func list<Item>(_ read: (inout Unpacker) -> Item) -> [Item] {
        var items: [Item] = []
        for _ in 0..<int() { items.append(read(&self)) }
        return items
    }

    mutating func optional<Value>(_ read: (inout Unpacker) -> Value) -> Value? { bool() ? read(&self) : nil }
    mutating func optionalText() -> String? { optional { $0.text() } }
    mutating func optionalInt64() -> Int64? { optional { $0.int64() } }

    mutating func json() -> JSON {
        switch int() {
        case 0: return .null
        case 1: return .bool(false)
        case 2: return .bool(true)
        case 3: return .number(text())
        case 4: return .text(text())
        case 5: return .list(list { $0.json() })
        default: return .object(list { JSON.Field($0.text(), $0.json()) })
        }
    }
}

extension Fragment {
    func pack(to packer: inout Packer) {
        packer.put(place.rawValue)
        packer.put(keys.count)
        for (key, value) in keys {
            packer.put(key)
            packer.put(value)
        }
        packer.put(path)
        packer.put(value)
    }

    init(_ unpacker: inout Unpacker) {
        let place = Place(rawValue: unpacker.text()) ?? .person
        let keys = unpacker.list { ($0.text(), $0.text()) }
        let path = unpacker.text()
        self.init(place, Dictionary(uniqueKeysWithValues: keys), path: path, unpacker.json())
    }
}
