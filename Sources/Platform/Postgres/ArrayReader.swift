/// Reads columns that hold a one-dimensional array without NULLs.
extension RowReader {
    public func bools(_ column: Int) throws(DatabaseError) -> [Bool] {
        try array(column, TypeID.bool) { $0.load(UInt8.self) != 0 }
    }

    public func int16s(_ column: Int) throws(DatabaseError) -> [Int16] {
        try array(column, TypeID.int16) { $0.load(Int16.self) }
    }

    public func int32s(_ column: Int) throws(DatabaseError) -> [Int32] {
        try array(column, TypeID.int32) { $0.load(Int32.self) }
    }

    public func int64s(_ column: Int) throws(DatabaseError) -> [Int64] {
        try array(column, TypeID.int64) { $0.load(Int64.self) }
    }

    public func doubles(_ column: Int) throws(DatabaseError) -> [Double] {
        try array(column, TypeID.double) { Double(bitPattern: $0.load(UInt64.self)) }
    }

    public func texts(_ column: Int) throws(DatabaseError) -> [String] {
        try array(column, TypeID.text, TypeID.boundedText, TypeID.name) { $0.text }
    }

    /// `bytea[]`.
    public func bytesArray(_ column: Int) throws(DatabaseError) -> [[UInt8]] {
        try array(column, TypeID.bytes) { $0.bytes }
    }

    public func uuids(_ column: Int) throws(DatabaseError) -> [[UInt8]] {
        try array(column, TypeID.uuid) { $0.bytes }
    }

    /// Reads PostgreSQL's binary array format (`array_recv`): dimensions, flags, element type, then the size and lower
    /// bound of each dimension, then the length and bytes of each element. All numbers are big-endian int32.
    private func array<Element>(
        _ column: Int, _ types: UInt32..., read: (Value) -> Element
    ) throws(DatabaseError) -> [Element] {
        guard let value = try value(column) else { throw null(column) }
        var position = 0
        func next() throws(DatabaseError) -> Int32 {
            guard position + 4 <= value.count else { throw mismatch(column, "an array") }
            defer { position += 4 }
            return Int32(bigEndian: (value.start + position).loadUnaligned(as: Int32.self))
        }
        let dimensions = try next()
        _ = try next()
        let type = UInt32(bitPattern: try next())
        guard (0...1).contains(dimensions), types.contains(type) else {
            throw mismatch(column, "an array of the requested type")
        }
        guard dimensions == 1 else { return [] }
        let count = Int(try next())
        _ = try next()
        guard count >= 0, count <= value.count / 4 else { throw mismatch(column, "an array") }
        let width = Self.width(of: type)
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            let length = Int(try next())
            guard length >= 0 else { throw .unexpected("\(name(column)) contains a NULL") }
            guard position + length <= value.count, width == nil || width == length else {
                throw mismatch(column, "an array")
            }
            elements.append(read(Value(start: value.start + position, count: length, type: type)))
            position += length
        }
        return elements
    }

    /// Returns the size of an element in bytes, or nil for a type of variable length.
    private static func width(of type: UInt32) -> Int? {
        switch type {
        case TypeID.bool: 1
        case TypeID.int16: 2
        case TypeID.int32: 4
        case TypeID.int64, TypeID.double: 8
        case TypeID.uuid: 16
        default: nil
        }
    }
}
